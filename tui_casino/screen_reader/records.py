"""The history in screen-reader mode: list the sessions, and replay one step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import GAMES
from ..house.house import House
from ..inputs.files import BadFile
from ..inputs.numbers import count_noun, is_integer, parse_integer
from ..records.cache import Cache
from ..records.log_catalog import CatalogEntry
from ..records.playback import Playback
from ..records.recording_review import RecordingReview
from ..records.redaction import sealed_reason
from ..records.replay import ProofLevel, verify_log
from ..records.replay_moment import ReplayMoment, describe_events
from ..records.session_log import read_log
from ..records.summaries import known_mistakes
from ..records.verification_text import describe_fault, describe_proof, describe_seed
from .menu import MenuEntry
from .own_logs import name_of, own_sittings, state_of
from .prompts import BACK, HELPS, PromptOption, choose
from .voice import HELP, Voice, VoicePlace

PAGE = 20
"""The number of sessions listed at once."""
WORDS = """\
Enter, next step
p, previous step
a number, go to this step
m, next mistake
v, the cost of this choice, and the best choice
proof, check the cards of this session
b, go back"""


def records_entry(house: Callable[[], House]) -> MenuEntry:
    """Return the history room."""

    def enter(voice: Voice) -> None:
        entries, first = own_sittings(house()), 0
        if not entries:
            voice.say("No sessions yet.")
            return
        while True:
            shown = entries[first : first + PAGE]
            options = [PromptOption(name_of(entry), state_of(entry)) for entry in shown]
            older = first + PAGE < len(entries)
            options += [PromptOption("Older sessions")] * older + [
                PromptOption("Newer sessions")
            ] * (first > 0)
            choice = choose(voice, f"History, {count_noun(len(entries), 'session')}", options)
            if choice is None:
                return
            if choice < len(shown):
                open_recording(voice, house(), shown[choice])
            else:
                first += PAGE if options[choice].name == "Older sessions" else -PAGE

    return MenuEntry("History", "every session, step by step", enter, "Records")


def open_recording(voice: Voice, house: House, entry: CatalogEntry, step: int = 0) -> None:
    """Replay a session from a step on; if the step is a mistake, also say what was best."""
    listing = next((game for game in GAMES if game.slug == entry.game), None)
    for remark in entry.notes:
        voice.say(remark)
    if listing is None:
        voice.say("This program does not have this game.")
        return
    try:
        with Playback(listing.definition(), entry.path, Cache(house.cache)) as playback:
            end = playback.end
            if reason := sealed_reason(playback.header, over=end is not None and end.final):
                voice.say(f"{reason[:1].upper()}{reason[1:]}.")
                return
            SpokenReplay(voice, house, entry, playback, step).run()
    except BadFile as error:
        voice.say(str(error))


class SpokenReplay:
    """A session replayed as text, one step that says something after the other."""

    def __init__(
        self,
        voice: Voice,
        house: House,
        entry: CatalogEntry,
        playback: Playback[Any, Any, Any, Any, Any],
        step: int = 0,
    ) -> None:
        self._voice, self._house, self._entry, self._playback = voice, house, entry, playback
        self._definition: AnyDefinition = playback.definition
        self._step = step
        known = known_mistakes(entry.path, Cache(house.cache))
        self._review = RecordingReview(playback, only=known)

    def run(self) -> None:
        """Show steps until the player goes back. Raises :class:`BadFile`, :class:`.InputEnded`."""
        with self._voice.within(VoicePlace(self._standing, lambda: WORDS.split("\n"))):
            for line in self._position_lines():
                self._voice.say(line)
            if self._step:
                self._tell_mistake()
            self._voice.say_detail("Enter is the next step, ? is help, b goes back.")
            while (typed := self._voice.ask().lower()) not in BACK:
                self._handle(typed)

    def _position_lines(self) -> Iterator[str]:
        yield f"{name_of(self._entry)}: {state_of(self._entry)}."
        yield f"Step {self._step} of {self._playback.steps}."

    def _standing(self) -> Iterator[str]:
        yield from self._position_lines()
        yield from self._stood(self._step)

    def _stood(self, step: int) -> Iterator[str]:
        """Yield the position after a step, as the player saw it."""
        definition, seat = self._definition, self._playback.seat
        view = definition.game.view(self._playback.moment_at(step).state, seat)
        yield definition.words.moment(view, seat)
        yield definition.words.hand(view, seat)

    def _handle(self, command: str) -> None:
        match command:
            case "" | "n":
                self._go(1)
            case "p":
                self._go(-1)
            case "m":
                self._next_mistake()
            case "v":
                self._verdict()
            case "proof":
                self._prove()
            case _ if command in HELPS:
                self._voice.say(f"{WORDS}\n{HELP}")
            case _ if is_integer(command) and 0 <= parse_integer(command) <= self._playback.steps:
                self._step = parse_integer(command)
                self._tell(self._playback.moment_at(self._step))
            case _:
                steps = self._playback.steps
                self._voice.say(
                    f"{command} is not a step from 0 to {steps} or a command; ? lists the commands"
                )

    def _go(self, way: int) -> None:
        """Go to the next or previous step that says something."""
        step = self._step
        while 0 <= (step := step + way) <= self._playback.steps:
            moment = self._playback.moment_at(step)
            if step == 0 or describe_events(self._definition, self._playback.seat, moment):
                self._step = step
                self._tell(moment)
                return
        where = "end" if way > 0 else "start"
        fault = f": {self._playback.fault}" if way > 0 and self._playback.fault else ""
        self._voice.say(f"This is the {where} of the session{fault}.")

    def _tell(self, moment: ReplayMoment[Any, Any, Any, Any]) -> None:
        if moment.step == 0:
            self._voice.say("Step 0: start")
            return
        lines = describe_events(self._definition, self._playback.seat, moment) or [
            self._done(moment)
        ]
        self._voice.say(
            f"Step {moment.step}: {' '.join(lines) if len(lines) == 1 else ''}".rstrip()
        )
        for line in lines if len(lines) > 1 else ():
            self._voice.say(line)

    def _done(self, moment: ReplayMoment[Any, Any, Any, Any]) -> str:
        """Describe the action of a step without events; nothing if the player could not see it."""
        definition, seat = self._definition, self._playback.seat
        if moment.by != seat:
            return "nothing to report"
        before = definition.game.view(self._playback.moment_at(moment.step - 1).state, seat)
        return definition.format_action(before, seat, moment.action)

    def _next_mistake(self) -> None:
        mistake = self._review.next_mistake(self._step)
        if mistake is None:
            self._voice.say("There are no more mistakes.")
            return
        self._step = mistake
        self._tell_mistake()

    def _tell_mistake(self) -> None:
        """Describe the position, the mistake, and the best choice."""
        for line in self._stood(self._step - 1):
            self._voice.say(line)
        self._tell(self._playback.moment_at(self._step))
        self._verdict()

    def _verdict(self) -> None:
        definition, seat, step = self._definition, self._playback.seat, self._step
        moment = self._playback.moment_at(step)
        if step == 0 or moment.by != seat or not definition.adviser.has_judge:
            self._voice.say("This step is not a choice of yours.")
            return
        mistake = self._review.mistake(step)
        if mistake is None:
            self._voice.say("No mistake.")
            return
        unit = "" if definition.points else " dollars"
        self._voice.say(
            f"{definition.format_action(mistake.view, seat, mistake.action)} costs "
            f"{definition.format_cost(mistake)}{unit}; best was "
            f"{definition.format_action(mistake.view, seat, mistake.best)}"
        )

    def _prove(self) -> None:
        log, ledger = read_log(self._entry.path), self._house.books
        known = ledger.checkpoint_of(self._entry.path, (log.head, log.hash)) if ledger else None
        verdict = verify_log(self._definition, log, known)
        if verdict.proof is ProofLevel.DIFFERS:
            self._voice.say(f"differs: line {verdict.line}: {describe_fault(verdict, log)}")
            return
        for line in filter(None, (describe_proof(verdict, log), describe_seed(log))):
            self._voice.say(line)
