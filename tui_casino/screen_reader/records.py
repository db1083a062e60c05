"""The history in screen-reader mode: list the sessions, and replay one of them step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from ..engine.game import Deal, Shoe
from ..gamekit.adviser import Decision, ValuesScope
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import find_listing, title_of
from ..gamekit.verdict import (
    action_text,
    alternative_lines,
    cost_text,
    describe_position,
    earlier_sentence,
    verdict_lines,
)
from ..house.house import House
from ..house.table_commands import ActionCommand, CommandContext, RefusedCommand, read_command
from ..inputs.files import BadFile
from ..inputs.numbers import is_integer, parse_integer
from ..inputs.sanitize import printable
from ..records.cache import Cache
from ..records.log_catalog import CatalogEntry, count_sessions
from ..records.log_review import decision_at
from ..records.playback import Playback, ReplayMoment, describe_events
from ..records.recording_review import RecordingReview
from ..records.replay import (
    ProofLevel,
    describe_proof,
    describe_seed,
    log_options,
)
from ..records.seat_steps import sealed_reason
from ..records.session_log import read_log
from ..records.summaries import known_mistakes
from ..teacher.positions import PracticePosition, weigh_choice
from .menu import MenuEntry
from .own_logs import name_of, own_sittings, state_of, table_and_date
from .table_session import spoken_definition, summary_sentences
from .trainer import VALUES
from .voice import BACK, HELP, HELPS, PromptOption, Voice, VoicePlace, browse

WORDS = """\
Enter, next step
p, previous step
a number, go to this step
m, next mistake
guess, choose before you hear your next choice
why, the cost of this choice, the best choice, and the reason
values, all choices of this step with their EV
proof, check the cards of this session
summary, the figures of this session, and its costliest mistakes
id, the ID of this session, which ssh HOST log takes
b, go back"""


def records_entry(house: Callable[[], House]) -> MenuEntry:
    """Return the menu entry of the history."""

    def enter(voice: Voice) -> None:
        entries, home = own_sittings(house()), house()
        if not entries:
            voice.say("No sessions yet.")
            return
        options = [
            PromptOption(
                title_of(entry.game or ""),
                partial(table_and_date, entry),
                result=partial(state_of, entry, Cache(home.cache)),
            )
            for entry in entries
        ]
        title = f"History, {count_sessions(entries)}"
        for choice in browse(voice, title, lambda: options):
            open_recording(voice, home, entries[choice])

    return MenuEntry("History", "every session, step by step", enter, "Records")


def open_recording(voice: Voice, house: House, entry: CatalogEntry, step: int = 0) -> None:
    """Replay a session from a step; if the step is a mistake, also say which choice was best."""
    listing = find_listing(entry.game)
    for remark in entry.notes:
        voice.say(remark)
    if listing is None:
        voice.say("This program does not have this game.")
        return
    try:
        definition = spoken_definition(listing.definition())
        with Playback(definition, entry.path, Cache(house.cache)) as playback:
            end = playback.end
            if reason := sealed_reason(playback.header, over=end is not None and end.final):
                voice.say(f"{reason[:1].upper()}{reason[1:]}.")
                return
            SpokenReplay(voice, house, entry, playback, step).run()
    except BadFile as error:
        voice.say(str(error))


class SpokenReplay:
    """A session replayed as text; steps without any text are skipped."""

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
            name, step = self._position_lines()
            self._voice.say(name)
            if self._step:
                self._tell_mistake()
            else:
                self._voice.say(step)
            self._voice.say_detail("Enter is the next step, m the next mistake; help says more.")
            while (typed := self._voice.ask().lower()) not in BACK:
                self._handle(typed)

    def _position_lines(self) -> tuple[str, str]:
        """Return the name of the session with its result, and the current step."""
        state = state_of(self._entry, Cache(self._house.cache))
        step = f"Step {self._step} of {self._playback.steps}."
        return f"{name_of(self._entry)}: {state}.", step

    def _standing(self) -> Iterator[str]:
        yield from self._position_lines()
        yield from self._stood(self._step)

    def _stood(self, step: int) -> Iterator[str]:
        """Yield the position after a step, as the player saw it."""
        definition, seat = self._definition, self._playback.seat
        view = definition.game.view(self._playback.moment_at(step).state, seat)
        yield from definition.words.position(view, seat)

    def _handle(self, command: str) -> None:
        match command:
            case "" | "n":
                self._go(1)
            case "p":
                self._go(-1)
            case "m":
                self._next_mistake()
            case "v" | "why":
                self._verdict()
            case "g" | "guess":
                self._guess()
            case _ if command in VALUES:
                self._list_values()
            case "proof":
                self._prove()
            case "summary":
                cache = Cache(self._house.cache)
                self._voice.say_list(
                    [*summary_sentences(self._definition, self._entry.path, cache)]
                    or ["This session does not count, so it has no figures."]
                )
            case "id":
                self._voice.say(f"ID: {printable(self._entry.path.stem)}")
            case _ if command in HELPS:
                self._voice.say(f"{WORDS}\n{HELP}")
            case _ if is_integer(command) and 0 <= parse_integer(command) <= self._playback.steps:
                self._step = parse_integer(command)
                self._tell(self._playback.moment_at(self._step))
            case _:
                steps = self._playback.steps
                self._voice.say(
                    f"{command} is not a step from 0 to {steps} or a command; help says more"
                )

    def _go(self, way: int) -> None:
        """Go to the next or previous step that has something to report; name those between."""
        step, skipped = self._step, list[ReplayMoment[Any, Any, Any, Any]]()
        while 0 <= (step := step + way) <= self._playback.steps:
            moment = self._playback.moment_at(step)
            if step == 0 or describe_events(self._definition, self._playback.seat, moment):
                self._step = step
                if skipped:
                    self._voice.say_detail(_skipped_text(skipped))
                self._tell(moment)
                return
            skipped.append(moment)
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
        """Describe the action at a step without events, if it is the player's own."""
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
        self._say_each(self._position_of(self._step))
        self._verdict()

    def _position_of(self, step: int) -> Iterator[str]:
        """Yield the position in which the player chose at a step."""
        yield f"Step {step} of {self._playback.steps}."
        yield from filter(None, self._stood(step - 1))

    def _decision(self, values: ValuesScope = ValuesScope.OF_MISTAKES) -> Decision[Any, Any] | None:
        """Return the judged choice of the player at the current step."""
        if self._step == 0:
            return None
        step = self._playback.seat_step(self._step)
        if not self._definition.choices.deliberate(step.played.action):
            return None
        return decision_at(self._definition, self._playback.seat, step, values)

    def _verdict(self) -> None:
        if (decision := self._decision()) is None:
            self._voice.say("This step is not a choice of yours that can be judged.")
        else:
            self._say_each(verdict_lines(self._definition, decision))

    def _list_values(self) -> None:
        if (decision := self._decision(ValuesScope.OF_ALL)) is None:
            self._voice.say("This step is not a choice of yours that can be judged.")
        else:
            self._voice.say_list(alternative_lines(self._definition, decision))

    def _say_each(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._voice.say(line)

    # ---- guess first ----------------------------------------------------------------------

    def _guess(self) -> None:
        """Go to the player's next choice, and let the player choose before hearing it."""
        definition, playback = self._definition, self._playback
        step = self._next_choice() if definition.adviser.has_judge else None
        if step is None:
            self._voice.say("There are no more choices of yours that can be judged.")
            return
        view = definition.game.view(playback.moment_at(step - 1).state, playback.seat)
        context = CommandContext(definition, view, playback.seat, playback.moment_at(step).tally)
        steps = playback.steps
        position = [f"Step {step} of {steps}.", *describe_position(definition, view, playback.seat)]
        hint = "Choose with the game's own commands; Enter tells what you did, b goes back."
        with self._voice.within(VoicePlace(lambda: position, lambda: (hint,))):
            self._say_each(position)
            self._voice.say_detail(hint)
            while typed := self._voice.ask():
                if typed.lower() in BACK:
                    self._voice.say(f"You do not guess. You are at step {self._step} of {steps}.")
                    return
                if typed.lower() in HELPS:
                    self._voice.say(f"{definition.words.help(view)}\n{hint}")
                    continue
                match read_command(definition.words.spoken.as_command(typed), context):
                    case ActionCommand(action):
                        self._judge_guess(view, action, playback.moment_at(step).action)
                        break
                    case RefusedCommand(_, reason):
                        self._voice.say(reason)
                    case _:
                        self._voice.say(hint)
        self._step = step
        if (then := self._decision()) is not None:
            did = action_text(definition, then, then.action, past=True)
            cost = cost_text(definition, then) if then.mistake is not None else ""
            self._voice.say(earlier_sentence("In the session", did, cost))

    def _judge_guess(self, view: Any, action: Any, rival: Any) -> None:
        """Say the verdict on a guess, compared with the action that the player chose then."""
        definition, playback = self._definition, self._playback
        options = log_options(definition.game, playback.log)
        players = playback.header.players
        at = PracticePosition(definition, options, playback.seat, players, view)
        if (decision := weigh_choice(at, action)) is None:
            self._voice.say("The EV of this choice is unknown.")
        else:
            self._say_each(verdict_lines(definition, decision, rival))

    def _next_choice(self) -> int | None:
        """Return the player's next judged choice after the current step."""
        playback, definition = self._playback, self._definition
        for step in range(self._step + 1, playback.steps + 1):
            played = playback.seat_step(step)
            action = played.played.action
            if played.played.line.by == playback.seat and not isinstance(action, Shoe | Deal):
                view = definition.game.view(played.before, playback.seat)
                has_spot = definition.adviser.spot(view, playback.seat, action) is not None
                if has_spot and definition.is_choice(view, playback.seat, action):
                    return step
        return None

    def _prove(self) -> None:
        log = read_log(self._entry.path)
        verdict = self._house.verify(self._definition, log)
        self._voice.say(describe_proof(verdict, log))
        if verdict.proof is not ProofLevel.DIFFERS and (seed := describe_seed(log)):
            self._voice.say(seed)


def _skipped_text(moments: Iterable[ReplayMoment[Any, Any, Any, Any]]) -> str:
    """Return what the croupier did at steps that have no events to report."""
    actions = {moment.step: type(moment.action) for moment in moments}
    first, last, happened = min(actions), max(actions), {*actions.values()}
    shuffled, dealt = Shoe in happened, Deal in happened
    texts = ["the cards are shuffled"] * shuffled + ["cards are dealt"] * dealt
    steps = f"Step {first}" if first == last else f"Steps {first} to {last}"
    return f"{steps}: {', '.join(texts) or 'nothing to report'}."
