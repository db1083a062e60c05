"""Practice in screen-reader mode: the player's earlier mistakes, and drills."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ..gamekit.adviser import Decision
from ..gamekit.registry import DEFINITIONS, GAMES, title_of
from ..gamekit.table_catalog import PrintLine
from ..gamekit.verdict import (
    alternative_lines,
    describe_position,
    verdict_sentence,
)
from ..house.house import House
from ..house.table_commands import (
    ActionCommand,
    CommandContext,
    HouseVerb,
    RefusedCommand,
    possible_words,
    read_command,
)
from ..inputs.errors import BadInput
from ..inputs.sanitize import plain
from ..records.cache import Cache
from ..teacher.leaks import describe_habit, find_habits
from ..teacher.mistake_queue import MistakeGroup
from ..teacher.mistakes import StakesFilter
from ..teacher.positions import weigh_choice
from ..teacher.practice_tasks import (
    CardsRequest,
    DailyRequest,
    DrillRequest,
    MistakeRequest,
    PracticeTask,
    TaskRequest,
    TaskScheduler,
    practice_reasons,
    spots_by_name,
)
from .menu import MenuEntry
from .own_logs import kind_name, other_sessions, own_mistakes, stakes_text
from .table_session import verb_help
from .trainer import VALUES, WHY
from .voice import BACK, PromptOption, Voice, VoicePlace, ask_text, browse, capitalized, choose

LISTED = 20
"""The maximum number of kinds in a list; if there are more, the player types words to search."""
SHOWN = 6
"""The number of alternatives that the console prints after each answer."""
HELP = """\
  choose with the game's own commands, as at its table
  Enter            the current position again
  next             skip this position
  values           all choices of the last position with their EV
  why              the last verdict again
  mistakes WORDS   your own mistakes, or only those of a game, or of kinds with WORDS
  drill WORDS      new hands where your mistakes cost most, of a game, or of kinds with WORDS
  cards CARDS      play these cards, in the game of the current position
  kinds            the mistakes that are waiting, by kind
  ?                show this help
  q                leave"""
FIRST = "What would you do? Type help for the commands, q to leave."


def _game_named(words: str) -> str | None:
    """Return the slug of the only game whose title has a word that begins so, or ``None``."""
    named = words.strip().casefold()
    found = [
        game.slug
        for game in GAMES
        if named and (named == game.slug or f" {named}" in f" {game.title.casefold()}")
    ]
    return found[0] if len(found) == 1 else None


# ---- the room ------------------------------------------------------------------------------------


def practice_entry(house: Callable[[], House]) -> MenuEntry:
    """Return the menu entry of the practice room, with the player's own mistakes and drills."""

    def enter(voice: Voice) -> None:
        home = house()
        queue = own_mistakes(voice, home)
        tasks = TaskScheduler(DEFINITIONS, queue, Cache(home.cache), home.clock)
        if not tasks.pending(MistakeRequest()):
            voice.say("No mistakes are waiting.")
        for habit in find_habits(queue.admitted)[:1]:
            voice.say(f"Your costliest habit: {habit.total.habit}.")
            for sentence in describe_habit(habit):
                voice.say(sentence)
        for place in browse(voice, "Practice", lambda: [one for one, _ in _rooms(voice, tasks)]):
            if (request := _rooms(voice, tasks)[place][1]()) is None:
                continue
            _practise(voice, tasks, home, request)

    return MenuEntry("Practice", "your mistakes again, and drills", enter)


def practise_log(voice: Voice, house: House, game: str, log: Path) -> None:
    """Practise the mistakes of one session, whether it was played for money or not."""
    queue = own_mistakes(voice, house)
    queue.chosen_stakes = StakesFilter.ALL  # the player asked for these mistakes
    tasks = TaskScheduler(DEFINITIONS, queue, Cache(house.cache), house.clock)
    _practise(voice, tasks, house, MistakeRequest(game, log=log.name))


def _practise(voice: Voice, tasks: TaskScheduler, house: House, request: TaskRequest) -> None:
    practice = SpokenPractice(tasks, voice, lambda: house.clock() / 1000)
    with voice.within(VoicePlace(practice.describe, practice.actions)):
        practice.go_on(request)


def _rooms(
    voice: Voice, tasks: TaskScheduler
) -> list[tuple[PromptOption, Callable[[], TaskRequest | None]]]:
    """Return what can be practised, each with a function that asks for the rest of the request."""
    waiting = len(tasks.pending(MistakeRequest()))
    mistakes: list[tuple[PromptOption, Callable[[], TaskRequest | None]]] = [
        (
            PromptOption("Your mistakes", "costliest first", result=waiting_text(waiting)),
            MistakeRequest,
        ),
        (
            PromptOption("Today's five", "from all games", result=tasks.daily().count),
            DailyRequest,
        ),
        (PromptOption("One kind of your mistakes"), lambda: _one_pile(voice, tasks)),
    ]
    drills = "new hands, where your mistakes cost most" if waiting else "new hands"
    return [
        *(mistakes if waiting else []),
        (PromptOption("Drills", drills), DrillRequest),
        (PromptOption("Drills of one kind"), lambda: _one_spot(voice)),
        (other_sessions(tasks.queue.stakes), lambda: _count_other_sessions(voice, tasks)),
    ]


def _count_other_sessions(voice: Voice, tasks: TaskScheduler) -> None:
    stakes = tasks.queue.chosen_stakes = tasks.queue.stakes.next
    voice.say(
        f"Sessions: {stakes_text(stakes)}. {waiting_text(len(tasks.pending(MistakeRequest())))}."
    )


def waiting_text(count: int) -> str:
    """Return a text that says how many mistakes are waiting."""
    return f"{count:,} waiting"


def _one_pile(voice: Voice, tasks: TaskScheduler) -> MistakeRequest | None:
    piles = [pile for pile in tasks.queue.groups() if pile.pending]
    options = [
        PromptOption(_name_of(pile), result=f"{waiting_text(pile.pending)}, {_cost(pile)}")
        for pile in piles
    ]
    place = choose(voice, "Which kind", options)
    return None if place is None else MistakeRequest(piles[place].game, piles[place].kind)


def _name_of(pile: MistakeGroup) -> str:
    return f"{title_of(pile.game)}, {kind_name(pile.kind) if pile.kind else 'all kinds'}"


def _cost(pile: MistakeGroup) -> str:
    return f"cost {pile.cost:.2f} {pile.unit}"


def _one_spot(voice: Voice) -> DrillRequest | None:
    able = [listing for listing in GAMES if listing.definition().positions is not None]
    place = choose(voice, "Which game", [PromptOption(listing.title) for listing in able])
    if place is None:
        return None
    game = able[place].slug
    matches = spots = [*spots_by_name(DEFINITIONS, game)]
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
            voice.say(f"{plain(words)}: no kind contains these words. Example: {spots[0]}")
            matches = spots
    every = [PromptOption("All of them")] if matches is spots else []
    spot = choose(voice, "Which kind", [*every, *map(PromptOption, matches)])
    if spot is None:
        return None
    return DrillRequest(game, [None, *matches][spot] if every else matches[spot])


# ---- the conversation ----------------------------------------------------------------------------


class Practice:
    """Runs practice as text; ``say`` prints a line, ``warn`` a message about the program."""

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
        self._last: tuple[PracticeTask, Decision[Any, Any]] | None = None
        self._request: TaskRequest = MistakeRequest()
        self._task: PracticeTask | None = None
        self._shown_at = 0.0

    def go_on(self, request: TaskRequest) -> None:
        """Pose positions until the player leaves, then report the score if it has changed."""
        before = self._tasks.score.count
        self._want(request)
        for line in self._lines:
            if not self._heed(line.strip()):
                break
        score = self._tasks.score
        if score.count > before:
            self._say(
                f"{score.count:,} answered, {score.correct:,} right, "
                f"{score.seconds:.1f} seconds per answer on average"
            )

    def describe(self) -> Iterator[str]:
        """Yield lines that describe the current question."""
        yield "You are in the practice room."
        if self._task is not None:
            yield self._title(self._task)
            yield from _position_lines(self._task)

    def actions(self) -> Iterator[str]:
        """Yield the commands with which the player can answer."""
        yield "You can:"
        if self._task is not None:
            at = self._task.position
            possible = possible_words(self._situation(self._task))
            yield from verb_help(at.definition.words, at.view, possible)
        yield from HELP.split("\n")[1:]

    def _heed(self, line: str) -> bool:
        """Carry out a typed line; return false if the player leaves."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word:
            case "":
                if self._task is not None:
                    self._say_each(_position_lines(self._task))
            case "q" | "quit":
                return False
            case "?" | "help":
                self._help()
            case "next":
                self._want(
                    self._request if not isinstance(self._request, CardsRequest) else DrillRequest()
                )
            case "mistakes":
                game = _game_named(rest)
                self._want(MistakeRequest(game) if game else MistakeRequest(words=rest))
            case "drill":
                game = _game_named(rest)
                self._want(DrillRequest(game) if game else DrillRequest(words=rest))
            case "cards":
                self._cards(rest)
            case "kinds":
                self._kinds()
            case _ if word in (*VALUES, WHY) and not rest:
                self._recall_verdict(word)
            case _:
                self._choose(line)
        return True

    def _help(self) -> None:
        self._say(HELP)
        if self._task is not None:
            definition = self._task.position.definition
            self._say(f"{title_of(definition.game.slug)}: {', '.join(definition.words.verbs)}")
            self._say(definition.words.help(self._task.position.view))

    def _cards(self, text: str) -> None:
        game = (
            self._task.position.definition.game.slug
            if self._task
            else self._tasks.targets()[0].game
        )
        slug, _, rest = text.partition(" ")
        if slug in {listing.slug for listing in GAMES}:
            game, text = slug, rest
        self._want(CardsRequest(game, text))

    def _kinds(self) -> None:
        piles = self._tasks.queue.groups()
        self._say_list(
            f"{_name_of(pile)}: {waiting_text(pile.pending)}, {_cost(pile)}; "
            f"{pile.learned:,} learned"
            for pile in piles
        )
        if not piles:
            self._say("There are no mistakes in finished sessions.")

    def _say_each(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)

    def _alternatives(self, task: PracticeTask, decision: Decision[Any, Any]) -> Iterator[str]:
        last_time = task.mistake.action if task.mistake is not None else ""
        return alternative_lines(task.position.definition, decision, last_time)

    def _say_list(self, lines: Iterable[str]) -> None:
        self._say_each(lines)

    def _say_first_alternatives(self, task: PracticeTask, decision: Decision[Any, Any]) -> None:
        lines = [*self._alternatives(task, decision)]
        self._say_each(lines[:SHOWN])
        if len(lines) > SHOWN:
            self._say(f"  and {len(lines) - SHOWN:,} more; values lists them all")

    def _say_verdict(self, task: PracticeTask, decision: Decision[Any, Any]) -> None:
        self._say_each(answer_lines(task, decision))

    def _recall_verdict(self, word: str) -> None:
        """Say the last verdict again, or the EV of all choices in its position."""
        if self._last is None:
            self._say(f"{word}: choose first; then {word} tells you more about your choice")
        elif word == WHY:
            self._say_verdict(*self._last)
        else:
            self._say_list(self._alternatives(*self._last))

    # ---- a position -----------------------------------------------------------------------

    def _want(self, request: TaskRequest) -> None:
        """Pose the next position that matches a request; if there is none, keep the current one."""
        try:
            task = self._tasks.next(request)
        except BadInput as error:
            self._say(str(error))
            return
        if task is None:
            none = "No such hand was dealt"
            if isinstance(request, MistakeRequest):
                none = "No mistakes are waiting"
            elif isinstance(request, DailyRequest):
                none = self._tasks.daily().end
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
        return f"{title_of(task.position.definition.game.slug)}, {what}"

    def _put(self, task: PracticeTask) -> None:
        self._task = task
        self._say(self._title(task))
        self._say_each(_position_lines(task))
        if not self._tasks.answers:
            self._say(FIRST)
        self._shown_at = self._clock()

    def _situation(self, task: PracticeTask) -> CommandContext[Any, Any, Any, Any, Any]:
        at = task.position
        return CommandContext(at.definition, at.view, at.seat, at.definition.tally(at.seat))

    def _choose(self, line: str) -> None:
        task = self._task
        if task is None:
            self._say("There is no question now; drill deals a hand, q leaves; help says more")
            return
        command = task.position.definition.words.spoken.as_command(line)
        match read_command(command, self._situation(task)):
            case ActionCommand(action):
                self._answer(task, weigh_choice(task.position, action))
            case RefusedCommand(_, reason):
                self._say(reason)
            case HouseVerb():
                self._say("Type help for the commands, q to leave.")
            case _:
                self._say(f"{plain(line.split()[0])}: no advice before you choose")

    def _answer(self, task: PracticeTask, decision: Decision[Any, Any] | None) -> None:
        if decision is None:
            self._say("the EV of this choice is unknown; choose another, or type next")
            return
        if problem := self._tasks.answer(task, decision, self._clock() - self._shown_at):
            self._warn(f"this answer was not saved: {problem}")
        self._last = task, decision
        self._say_verdict(task, decision)
        self._say_first_alternatives(task, decision)
        if task.mistake is not None:
            self._say(f"{capitalized(self._tasks.next_review(task.mistake))}.")
        self._task = None
        self._want(self._request if not isinstance(self._request, CardsRequest) else DrillRequest())


class SpokenPractice(Practice):
    """Practice in screen-reader mode: lists are said in parts, alternatives only on request."""

    def __init__(self, tasks: TaskScheduler, voice: Voice, clock: Callable[[], float]) -> None:
        super().__init__(tasks, voice, voice.say, voice.say, clock)
        self._voice = voice

    def _say_list(self, lines: Iterable[str]) -> None:
        self._voice.say_list(lines)

    def _say_first_alternatives(self, task: PracticeTask, decision: Decision[Any, Any]) -> None:
        pass


def _position_lines(task: PracticeTask) -> tuple[str, ...]:
    at = task.position
    return describe_position(at.definition, at.view, at.seat)


def answer_lines(task: PracticeTask, decision: Decision[Any, Any]) -> Iterator[str]:
    """Yield the verdict on a choice, the earlier choice, and the reasons."""
    yield verdict_sentence(task.position.definition, decision)
    yield from practice_reasons(task, decision)
