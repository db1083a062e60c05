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
"""Kinds that are listed to be chosen from; of more some words are asked for."""
HELP = """\
  choose with the game's own words, as at its table
  next             another position; this one stays unanswered
  mistakes WORDS   your own mistakes, of all kinds or of those with these words
  drill WORDS      positions made anew, where your mistakes cost most, or of such a kind
  cards CARDS      play these cards; the game is that of the position now
  kinds            what waits, kind by kind
  ?                this help
  q                leave"""
FIRST = "what would you do? ? helps, q leaves"


# ---- the room ------------------------------------------------------------------------------------


def practice_entry(house: Callable[[], House]) -> MenuEntry:
    """Give the room of one's own mistakes, put again, and of drills."""

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

    return MenuEntry("Practice", "your mistakes once more, and drills", enter)


def _choose_request(voice: Voice, tasks: TaskScheduler) -> TaskRequest | None:
    """Have chosen what is practised; nothing to go back."""
    while True:
        anew = "dealt anew"
        choices: list[tuple[PromptOption, Callable[[], TaskRequest | None]]] = []
        if waiting := len(tasks.pending(MistakeRequest())):
            anew += ", where your mistakes cost most"
            choices = [
                (
                    PromptOption("Your mistakes", f"{waiting_text(waiting)}, the dearest first"),
                    MistakeRequest,
                ),
                (PromptOption("One kind of your mistakes"), lambda: _one_pile(voice, tasks)),
            ]
        else:
            voice.say("No mistakes of yours wait.")
        choices += [
            (PromptOption("Drills", anew), DrillRequest),
            (PromptOption("Drills of one kind"), lambda: _one_spot(voice)),
        ]
        place = choose(voice, "Practice", [option for option, _ in choices])
        if place is None:
            return None
        if (request := choices[place][1]()) is not None:
            return request


def waiting_text(count: int) -> str:
    """Say how many wait."""
    return f"{count:,} wait{'s' * (count == 1)}"


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
            f"{len(matches):,} kinds. Type words of the one you want; Enter for all, b goes back."
        )
        words = ask_text(voice, question).casefold()
        if words in BACK:
            return None
        if not words:
            return DrillRequest(game)
        matches = [spot for spot in spots if words in spot.casefold()]
        if not matches:
            voice.say(f"{plain(words)}: no kind has these words, such as {spots[0]}")
            matches = spots
    every = [PromptOption("All of them")] if matches is spots else []
    spot = choose(voice, "Which kind", [*every, *map(PromptOption, matches)])
    if spot is None:
        return None
    return DrillRequest(game, [None, *matches][spot] if every else matches[spot])


# ---- the conversation ----------------------------------------------------------------------------


class Practice:
    """The conversation: ``say`` takes what is told, ``warn`` what is told about the program."""

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
        """Go on until the player leaves, and say how it went."""
        self._want(request)
        for line in self._lines:
            if not self._heed(line.strip()):
                break
        score = self._tasks.score
        if score.count:
            self._say(
                f"{score.count:,} answered, {score.correct:,} right, "
                f"{score.seconds:.1f} seconds each on average"
            )

    def describe(self) -> Iterator[str]:
        """Say what is asked just now."""
        yield "You are in the practice room."
        if self._task is not None:
            yield self._title(self._task)
            yield from _told(self._task.open_position.definition, self._task)

    def actions(self) -> Iterator[str]:
        """Say what can be answered."""
        yield "You can:"
        if self._task is not None:
            at = self._task.open_position
            possible = possible_words(self._situation(self._task))
            yield from verb_help(at.definition.words.help(at.view), possible)
        yield from HELP.split("\n")[1:]

    def _heed(self, line: str) -> bool:
        """Do what a line says; false to leave."""
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
                f"{pile.learned:,} learnt"
            )
        if not piles:
            self._say("no mistakes in finished sessions")

    # ---- a position -----------------------------------------------------------------------

    def _want(self, request: TaskRequest) -> None:
        """Put a position of this sort, or say why there is none; what was put before stays then."""
        try:
            task = self._tasks.next(request)
        except BadInput as error:
            self._say(str(error))
            return
        if task is None:
            none = "no mistakes wait" if isinstance(request, MistakeRequest) else "none came up"
            self._say(f"{none}; drill deals positions anew, q leaves")
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
            self._say("nothing is asked; drill deals a position, ? helps, q leaves")
            return
        match read_command(line, self._situation(task)):
            case ActionCommand(action):
                self._answer(task, weigh_choice(task.open_position, action))
            case RefusedCommand(_, reason):
                self._say(reason)
            case HouseVerb():
                self._say("? helps, q leaves")
            case _:
                self._say(f"{plain(line.split()[0])}: nothing is told before you choose")

    def _answer(self, task: PracticeTask, decision: Decision[Any, Any] | None) -> None:
        if decision is None:
            self._say("nobody knows what that is worth; choose otherwise, or next")
            return
        if problem := self._tasks.answer(task, decision, self._clock() - self._shown_at):
            self._warn(f"this answer is not kept: {problem}")
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
    """Say what a choice was, what each way is worth, and what was done then, by cards."""
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
        yield f"Right: {chosen_words}, {'the best' if best else 'as good as any'}."
    else:
        cost = definition.format_amount(decision.cost)
        yield f"{chosen_words} costs {cost} {unit}; best {speak(decision.best)}. {decision.kind}."
    own = [one for one in decision.values[SHOWN:] if one.action == decision.action]
    shown = [*decision.values[:SHOWN], *own]
    for one in shown:
        mark = ", chosen now" if one.action == decision.action else ""
        name = speak(one.action)
        then = task.mistake is not None and name == task.mistake.action
        weighed = choice_line(definition, name, float(one.value), decision.cost_of(one), one.error)
        yield f"{weighed}{mark}{', chosen then' if then else ''}"
    yield from others_line(len(decision.values) - len(shown))
    if task.mistake is not None:
        mistake = task.mistake
        yield f"Then: {mistake.action}, which cost {definition.format_amount(mistake.cost)} {unit}."
