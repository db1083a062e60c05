"""Practice in screen-reader mode: the player's mistakes again, and drills."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..gamekit.adviser import Decision
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import GAMES, title_of
from ..gamekit.table_setup import PrintLine
from ..house.command_reader import (
    ActionCommand,
    CommandContext,
    HouseVerb,
    RefusedCommand,
    possible_words,
    read_command,
)
from ..house.house import House
from ..inputs.errors import BadInput
from ..inputs.sanitize import plain
from ..records.cache import Cache
from ..teacher.answers import AnswerFile
from ..teacher.mistake_queue import MistakeGroup, MistakeQueue
from ..teacher.positions import weigh_choice
from ..teacher.practice_tasks import (
    CardsRequest,
    DrillRequest,
    MistakeRequest,
    PracticeTask,
    TaskRequest,
    TaskScheduler,
    spots_by_name,
)
from .menu import MenuEntry
from .own_logs import games, studied_sittings
from .prompts import BACK, PromptOption, ask_text, choose
from .table_session import verb_help
from .trainer import SHOWN, choice_line, others_line
from .voice import Voice, VoicePlace

LISTED = 20
"""The most kinds to choose from in a list; if there are more, the player types words to search."""
HELP = """\
  choose with the game's own commands, as at its table
  next             skip this position
  mistakes WORDS   your own mistakes, or only kinds whose names contain WORDS
  drill WORDS      new hands where your mistakes cost most, or of kinds with WORDS
  cards CARDS      play these cards, in the game of the current position
  kinds            the mistakes that are waiting, by kind
  ?                show this help
  q                leave"""
FIRST = "What would you do? Type ? for help, q to leave."


# ---- the room ------------------------------------------------------------------------------------


def practice_entry(house: Callable[[], House]) -> MenuEntry:
    """Return the practice room, with the player's own mistakes and with drills."""

    def enter(voice: Voice) -> None:
        home = house()
        queue = MistakeQueue(AnswerFile(home.answers, home.player), home.clock)
        for each in studied_sittings(voice, home):
            queue.add(each)
        tasks = TaskScheduler(games(), queue, Cache(home.cache), home.clock)
        while (request := _choose_request(voice, tasks)) is not None:
            practice = Practice(tasks, voice, voice.say, voice.say, lambda: home.clock() / 1000)
            with voice.within(VoicePlace(practice.describe, practice.actions)):
                practice.go_on(request)

    return MenuEntry("Practice", "your mistakes again, and drills", enter)


def _choose_request(voice: Voice, tasks: TaskScheduler) -> TaskRequest | None:
    """Let the player choose what to practise; return ``None`` to go back."""
    while True:
        drills = "new hands"
        choices: list[tuple[PromptOption, Callable[[], TaskRequest | None]]] = []
        if waiting := len(tasks.pending(MistakeRequest())):
            drills += ", where your mistakes cost most"
            choices = [
                (
                    PromptOption("Your mistakes", f"{waiting_text(waiting)}, costliest first"),
                    MistakeRequest,
                ),
                (PromptOption("One kind of your mistakes"), lambda: _one_pile(voice, tasks)),
            ]
        else:
            voice.say("No mistakes are waiting.")
        choices += [
            (PromptOption("Drills", drills), DrillRequest),
            (PromptOption("Drills of one kind"), lambda: _one_spot(voice)),
        ]
        place = choose(voice, "Practice", [option for option, _ in choices])
        if place is None:
            return None
        if (request := choices[place][1]()) is not None:
            return request


def waiting_text(count: int) -> str:
    """Return how many mistakes are waiting."""
    return f"{count:,} waiting"


def _one_pile(voice: Voice, tasks: TaskScheduler) -> MistakeRequest | None:
    piles = [pile for pile in tasks.queue.groups() if pile.pending]
    options = [
        PromptOption(
            f"{title_of(pile.game)}, {pile.kind}", f"{waiting_text(pile.pending)}, {_cost(pile)}"
        )
        for pile in piles
    ]
    place = choose(voice, "Which kind", options)
    return None if place is None else MistakeRequest(piles[place].game, piles[place].kind)


def _cost(pile: MistakeGroup) -> str:
    return f"cost {pile.cost:.2f} {pile.unit}"


def _one_spot(voice: Voice) -> DrillRequest | None:
    able = [listing for listing in GAMES if listing.definition().positions is not None]
    place = choose(voice, "Which game", [PromptOption(listing.title) for listing in able])
    if place is None:
        return None
    game = able[place].slug
    matches = spots = [*spots_by_name(games(), game)]
    while len(matches) > LISTED:
        question = (
            f"{len(matches):,} kinds. Type words from its name; Enter chooses all, b goes back."
        )
        words = ask_text(voice, question).casefold()
        if words in BACK:
            return None
        if not words:
            return DrillRequest(game)
        matches = [spot for spot in spots if words in spot.casefold()]
        if not matches:
            voice.say(f"{plain(words)}: no kind has these words. An example: {spots[0]}")
            matches = spots
    every = [PromptOption("All of them")] if matches is spots else []
    spot = choose(voice, "Which kind", [*every, *map(PromptOption, matches)])
    if spot is None:
        return None
    return DrillRequest(game, [None, *matches][spot] if every else matches[spot])


# ---- the conversation ----------------------------------------------------------------------------


class Practice:
    """Practice in screen-reader mode: ``say`` prints lines, ``warn`` messages about the program."""

    def __init__(
        self,
        tasks: TaskScheduler,
        lines: Iterable[str],
        say: PrintLine,
        warn: PrintLine,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tasks, self._lines = tasks, iter(lines)
        self._say, self._warn, self._clock = say, warn, clock
        self._request: TaskRequest = MistakeRequest()
        self._task: PracticeTask | None = None
        self._shown_at = 0.0

    def go_on(self, request: TaskRequest) -> None:
        """Continue until the player leaves, then report the score."""
        self._want(request)
        for line in self._lines:
            if not self._heed(line.strip()):
                break
        score = self._tasks.score
        if score.count:
            self._say(
                f"{score.count:,} answered, {score.correct:,} right, "
                f"{score.seconds:.1f} seconds per answer on average"
            )

    def describe(self) -> Iterator[str]:
        """Yield what the player is asked now."""
        yield "You are in the practice room."
        if self._task is not None:
            yield self._title(self._task)
            yield from _told(self._task.open_position.definition, self._task)

    def actions(self) -> Iterator[str]:
        """Yield what the player can answer."""
        yield "You can:"
        if self._task is not None:
            at = self._task.open_position
            possible = possible_words(self._situation(self._task))
            yield from verb_help(at.definition.words.help(at.view), possible)
        yield from HELP.split("\n")[1:]

    def _heed(self, line: str) -> bool:
        """Carry out a line; return false to leave."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word:
            case "":
                return True
            case "q" | "quit":
                return False
            case "?" | "help":
                self._help()
            case "next":
                self._want(
                    self._request if not isinstance(self._request, CardsRequest) else DrillRequest()
                )
            case "mistakes":
                self._want(MistakeRequest(words=rest))
            case "drill":
                self._want(DrillRequest(words=rest))
            case "cards":
                self._cards(rest)
            case "kinds":
                self._kinds()
            case _:
                self._choose(line)
        return True

    def _help(self) -> None:
        self._say(HELP)
        if self._task is not None:
            definition = self._task.open_position.definition
            self._say(f"{title_of(definition.game.slug)}: {', '.join(definition.words.verbs)}")
            self._say(definition.words.help(self._task.open_position.view))

    def _cards(self, text: str) -> None:
        game = self._task.position.game if self._task else self._tasks.targets()[0].game
        slug, _, rest = text.partition(" ")
        if slug in {listing.slug for listing in GAMES}:
            game, text = slug, rest
        self._want(CardsRequest(game, text))

    def _kinds(self) -> None:
        piles = self._tasks.queue.groups()
        for pile in piles:
            self._say(
                f"{title_of(pile.game)}: {pile.kind}: {waiting_text(pile.pending)}, {_cost(pile)}; "
                f"{pile.learned:,} learned"
            )
        if not piles:
            self._say("There are no mistakes in finished sessions.")

    # ---- a position -----------------------------------------------------------------------

    def _want(self, request: TaskRequest) -> None:
        """Ask about a position of this kind; if that fails, say why and keep the last one."""
        try:
            task = self._tasks.next(request)
        except BadInput as error:
            self._say(str(error))
            return
        if task is None:
            waiting = isinstance(request, MistakeRequest)
            none = "No mistakes are waiting" if waiting else "No such hand was dealt"
            self._say(f"{none}; drill deals new hands, q leaves")
            return
        self._request = request
        self._put(task)

    def _title(self, task: PracticeTask) -> str:
        what = "a drill"
        if task.mistake is not None:
            what = f"a mistake of yours, {waiting_text(len(self._tasks.queue.pending()))}"
        elif isinstance(self._request, CardsRequest):
            what = "your cards"
        return f"{title_of(task.open_position.definition.game.slug)}, {what}"

    def _put(self, task: PracticeTask) -> None:
        self._task = task
        self._say(self._title(task))
        for line in _told(task.open_position.definition, task):
            self._say(line)
        if not self._tasks.answers:
            self._say(FIRST)
        self._shown_at = self._clock()

    def _situation(self, task: PracticeTask) -> CommandContext[Any, Any, Any, Any, Any]:
        at = task.open_position
        return CommandContext(at.definition, at.view, at.seat, at.definition.tally(at.seat))

    def _choose(self, line: str) -> None:
        task = self._task
        if task is None:
            self._say("There is no question now; drill deals a hand, ? is help, q leaves")
            return
        match read_command(line, self._situation(task)):
            case ActionCommand(action):
                self._answer(task, weigh_choice(task.open_position, action))
            case RefusedCommand(_, reason):
                self._say(reason)
            case HouseVerb():
                self._say("Type ? for help, q to leave.")
            case _:
                self._say(f"{plain(line.split()[0])}: no advice before you choose")

    def _answer(self, task: PracticeTask, decision: Decision[Any, Any] | None) -> None:
        if decision is None:
            self._say("the EV of this choice is unknown; choose another, or type next")
            return
        if problem := self._tasks.answer(task, decision, self._clock() - self._shown_at):
            self._warn(f"this answer was not saved: {problem}")
        for line in answer_lines(task, decision):
            self._say(line)
        if task.mistake is not None:
            self._say(f"{self._tasks.next_review(task.mistake)}.")
        self._task = None
        self._want(self._request if not isinstance(self._request, CardsRequest) else DrillRequest())


def _told(definition: AnyDefinition, task: PracticeTask) -> tuple[str, ...]:
    if definition.positions is None:
        return (definition.words.moment(task.open_position.view, task.open_position.seat),)
    return definition.positions.describe(task.open_position.view, task.open_position.seat)


def answer_lines(task: PracticeTask, decision: Decision[Any, Any]) -> Iterator[str]:
    """Yield the verdict on a choice, the EV of each alternative, and the earlier choice."""
    definition, view, seat = (
        task.open_position.definition,
        task.open_position.view,
        task.open_position.seat,
    )

    def speak(action: Any) -> str:
        return definition.format_action(view, seat, action)

    chosen_words = speak(decision.action)
    unit = "points" if definition.points else "dollars"
    if decision.mistake is None:
        best = decision.action == decision.values[0].action
        yield f"Right: {chosen_words}, {'the best choice' if best else 'as good as the best'}."
    else:
        cost = definition.format_amount(decision.cost)
        yield f"{chosen_words} costs {cost} {unit}; best: {speak(decision.best)}. {decision.kind}."
    own = [one for one in decision.values[SHOWN:] if one.action == decision.action]
    shown = [*decision.values[:SHOWN], *own]
    for one in shown:
        mark = ", chosen now" if one.action == decision.action else ""
        name = speak(one.action)
        then = task.mistake is not None and name == task.mistake.action
        weighed = choice_line(definition, name, float(one.value), decision.cost_of(one), one.error)
        yield f"{weighed}{mark}{', chosen last time' if then else ''}"
    yield from others_line(len(decision.values) - len(shown))
    if task.mistake is not None:
        mistake = task.mistake
        yield f"Last time: {mistake.action} (cost {definition.format_amount(mistake.cost)} {unit})."
