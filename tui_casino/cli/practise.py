"""One's own mistakes and drills line by line: for screen readers, pipes and scripts."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any

from ..gamekit.parts import AnyParts
from ..gamekit.progress import bar
from ..gamekit.registry import GAMES, title_of
from ..gamekit.seating import Say
from ..house.house import House
from ..house.reader import Act, HouseVerb, Refused, Situation, read
from ..inputs.errors import BadInput
from ..inputs.plain import printable
from ..records.cache import Cache
from ..records.shelf import entries, select
from ..teacher.answers import Answers
from ..teacher.lessons import Studied, study
from ..teacher.positions import Verdict, weigh
from ..teacher.queue import Queue
from ..teacher.tasks import Cards, Drill, Mistakes, Task, Tasks, Wanted
from .logs import accounts, games

SHOWN = 6
"""So many alternatives are told, the best ones, and what was chosen."""
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


def open_practice(args: Namespace, answers: Answers, warn: Say) -> Queue:
    """Study the player's sittings, and give his queue; what is wrong with a log is said."""
    queue = Queue(answers)
    folder, cache = args.logs, Cache(args.cache)
    found = select(entries(folder, games(), accounts(args.patience)), game=args.game)
    found = [entry for entry in found if entry.belongs_to(answers.player)]
    with bar("sessions", len(found), sys.stderr) as progress:
        for done, each in enumerate(study(found, games(), cache), 1):
            if isinstance(each, Studied):
                queue.take(each)
            elif each.fault is not None:
                warn(f"{printable(str(each.entry.path))}: {each.fault}")
            if progress:
                progress(done)
    return queue


def practise_on_console(args: Namespace) -> int:
    """Put one position after the other, until the lines end or the player leaves."""
    from .console import typed
    from .house import open_house

    with ExitStack() as closing:
        house: House = open_house(args, closing, practice=True)
        args.logs, args.cache = house.logs, house.cache
        answers = Answers(house.answers, house.player)
        queue = open_practice(args, answers, _warn)
        tasks = Tasks(games(), queue, Cache(house.cache), house.clock)
        own = Mistakes(args.game, words=args.kind or "")
        wanted: Wanted = own
        if args.drill or not tasks.waiting(own):
            if not args.drill:
                print("no mistakes wait" + (" of these" if args.kind or args.game else ""))
            wanted = Drill(args.game) if not args.kind else drill_of(tasks, args.game, args.kind)
        Talk(tasks, typed("> "), print, _warn).go_on(wanted)
    return 0


def drill_of(tasks: Tasks, game: str | None, words: str) -> Drill:
    """Find the spot that has these words in it, first among one's own. Raises :class:`BadInput`."""
    text = words.casefold()
    for aim in tasks.aims(game):
        if aim.spot is not None and text in aim.spot.casefold():
            return Drill(aim.game, aim.spot)
    for listing in GAMES:
        posing = listing.parts().posing if game in (None, listing.slug) else None
        for spot in posing.spots() if posing else ():
            if text in spot.casefold():
                return Drill(listing.slug, spot)
    raise BadInput(f"there is no kind with {words!r} in it; kinds lists those of your mistakes")


class Talk:
    """The conversation: ``say`` takes what is told, ``warn`` what is told about the program."""

    def __init__(
        self,
        tasks: Tasks,
        lines: Iterable[str],
        say: Say,
        warn: Say,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tasks, self._lines = tasks, iter(lines)
        self._say, self._warn, self._now = say, warn, now
        self._wanted: Wanted = Mistakes()
        self._task: Task | None = None
        self._begun = 0.0

    def go_on(self, wanted: Wanted) -> None:
        """Go on until the player leaves, and say how it went."""
        self._want(wanted)
        for line in self._lines:
            if not self._heed(line.strip()):
                break
        score = self._tasks.score
        if score.count:
            self._say(
                f"{score.count:,} answered, {score.right:,} right, "
                f"{score.seconds:.1f} seconds each on average"
            )
        self._say("good-bye")

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
                self._want(self._wanted if not isinstance(self._wanted, Cards) else Drill())
            case "mistakes":
                self._want(Mistakes(words=rest))
            case "drill":
                self._drill(rest)
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
            parts = self._task.at.parts
            self._say(f"{title_of(parts.game.slug)}: {', '.join(parts.words.verbs)}")
            self._say(parts.words.help(self._task.at.seen))

    def _drill(self, words: str) -> None:
        try:
            self._want(drill_of(self._tasks, None, words) if words else Drill())
        except BadInput as error:
            self._say(str(error))

    def _cards(self, text: str) -> None:
        game = self._task.position.game if self._task else self._tasks.aims()[0].game
        slug, _, rest = text.partition(" ")
        if slug in {listing.slug for listing in GAMES}:
            game, text = slug, rest
        self._want(Cards(game, text))

    def _kinds(self) -> None:
        piles = self._tasks.queue.piles()
        for pile in piles:
            self._say(
                f"{title_of(pile.game)}: {pile.kind}: {pile.waiting:,} wait, worth "
                f"{pile.cost:.2f} {pile.unit}; {pile.learnt:,} learnt"
            )
        if not piles:
            self._say("no mistakes in finished sittings")

    # ---- a position -----------------------------------------------------------------------

    def _want(self, wanted: Wanted) -> None:
        """Put a position of this sort, or say why there is none; what was put before stays then."""
        try:
            task = self._tasks.next(wanted)
        except BadInput as error:
            self._say(str(error))
            return
        if task is None:
            none = "no mistakes wait" if isinstance(wanted, Mistakes) else "none came up"
            self._say(f"{none}; drill deals positions anew, q leaves")
            return
        self._wanted = wanted
        self._put(task)

    def _put(self, task: Task) -> None:
        self._task, parts = task, task.at.parts
        what = "a drill"
        if task.lesson is not None:
            what = f"a mistake of yours, {len(self._tasks.queue.waiting()):,} wait"
        elif isinstance(self._wanted, Cards):
            what = "your cards"
        self._say(f"{title_of(parts.game.slug)}, {what}")
        for line in _told(parts, task):
            self._say(line)
        if not self._tasks.answers:
            self._say(FIRST)
        self._begun = self._now()

    def _choose(self, line: str) -> None:
        task = self._task
        if task is None:
            self._say("nothing is asked; drill deals a position, ? helps, q leaves")
            return
        at = task.at
        tally = at.parts.tally(at.seat)
        match read(line, Situation(at.parts, at.seen, at.seat, tally)):
            case Act(action):
                self._answer(task, weigh(at, action))
            case Refused(_, why):
                self._say(why)
            case HouseVerb():
                self._say("? helps, q leaves")
            case _:
                self._say(f"{line.split()[0]}: nothing is told before you choose")

    def _answer(self, task: Task, verdict: Verdict[Any] | None) -> None:
        if verdict is None:
            self._say("nobody knows what that is worth; choose otherwise, or next")
            return
        if why := self._tasks.answer(task, verdict, self._now() - self._begun):
            self._warn(f"this answer is not kept: {why}")
        for told in said(task, verdict):
            self._say(told)
        if task.lesson is not None:
            self._say(f"{self._tasks.fate(task.lesson)}.")
        self._task = None
        self._want(self._wanted if not isinstance(self._wanted, Cards) else Drill())


def _told(parts: AnyParts, task: Task) -> tuple[str, ...]:
    if parts.posing is None:
        return (parts.moment(task.at.seen, task.at.seat),)
    return parts.posing.told(task.at.seen, task.at.seat)


def said(task: Task, verdict: Verdict[Any]) -> Iterator[str]:
    """Say what a choice was, what each way is worth, and what was done then, by cards."""
    parts, chosen = task.at.parts, verdict.chosen
    unit = "points" if parts.points else "dollars"
    if verdict.right:
        top = verdict.rows[0]
        as_good = chosen.action == top.action
        yield f"Right: {chosen.words}, {'the best' if as_good else 'as good as any'}."
    else:
        cost = parts.figure(verdict.cost)
        yield f"{chosen.words} costs {cost} {unit}; best {verdict.best.words}. {verdict.kind}."
    told = [*verdict.rows[:SHOWN]]
    if chosen not in told:
        told.append(chosen)
    for row in told:
        error = f", error {parts.figure(row.error)}" if row.error else ""
        mark = ", chosen now" if row == chosen else ""
        then = task.lesson is not None and row.words == task.lesson.choice
        yield (
            f"  {row.words}: worth {parts.figure(row.value)}, costs {parts.figure(row.cost)}"
            f"{error}{mark}{', chosen then' if then else ''}"
        )
    if len(verdict.rows) > len(told):
        yield f"  and {len(verdict.rows) - len(told)} others, worth less"
    if task.lesson is not None:
        lesson = task.lesson
        yield f"Then: {lesson.choice}, which cost {parts.figure(lesson.cost)} {unit}."


def _warn(line: str) -> None:
    print(printable(line), file=sys.stderr)
