"""``tui-casino practise``: practise mistakes and drills, on the screen or on the console."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import ExitStack

from ..gamekit.registry import DEFINITIONS
from ..gamekit.table_catalog import PrintLine
from ..house.house import House
from ..inputs.errors import BadInput
from ..inputs.sanitize import plain, printable
from ..records.cache import Cache
from ..records.log_catalog import filter_logs, list_logs
from ..screen_reader.practice import Practice
from ..teacher.mistake_queue import AnswerFile, MistakeQueue
from ..teacher.mistakes import ReviewedSitting, review_sittings
from ..teacher.practice_tasks import (
    DrillRequest,
    MistakeRequest,
    TaskRequest,
    TaskScheduler,
    spots_by_name,
)
from .arcade import open_arcade, player_settings
from .console import typed_lines, warn
from .house_setup import open_house
from .logs import accounts, with_progress
from .parser import add_game_option, add_house_options
from .screen_reader import screen_reader_reason

LISTED = 12
"""The maximum number of kinds of mistakes that an error lists; Hit Me has hundreds."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_game_option(parser)
    parser.add_argument(
        "--kind", metavar="WORDS", help="only kinds whose name contains these words"
    )
    parser.add_argument(
        "--drill", action="store_true", help="start with drills, which are new positions"
    )
    parser.add_argument(
        "--console", action="store_true", help="practise on the console, as lines of text"
    )
    add_house_options(parser)


def run(args: Namespace) -> int:
    """Open the practice room on the screen or the console."""
    loaded = player_settings()
    if args.console or screen_reader_reason(args, loaded.settings) is not None:
        if loaded.trouble:
            warn(loaded.trouble)
        return practise_on_console(args)
    words = args.kind or ""
    begin = (
        DrillRequest(args.game, words=words)
        if args.drill
        else MistakeRequest(args.game, words=words)
    )
    return open_arcade(args, loaded, practice=begin)


def open_practice(
    args: Namespace, answers: AnswerFile, clock: Callable[[], int], warn: PrintLine
) -> MistakeQueue:
    """Analyse the player's sessions, warn about faulty logs, and return the queue of mistakes."""
    queue = MistakeQueue(answers, clock)
    folder, cache = args.logs, Cache(args.cache)
    entries = filter_logs(list_logs(folder, DEFINITIONS, accounts(args.patience)), game=args.game)
    entries = [entry for entry in entries if entry.is_owned_by(answers.player)]
    for each in with_progress(review_sittings(entries, DEFINITIONS, cache), len(entries)):
        if isinstance(each, ReviewedSitting):
            queue.add(each)
        elif each.fault is not None:
            warn(f"{printable(str(each.entry.path))}: {each.fault}")
    return queue


def practise_on_console(args: Namespace) -> int:
    """Show one position after another on the console, until the input ends or the player leaves."""
    with ExitStack() as closing:
        house: House = open_house(args, closing, practice=True)
        args.logs, args.cache = house.logs, house.cache
        answers = AnswerFile(house.answers, house.player)
        queue = open_practice(args, answers, house.clock, warn)
        tasks = TaskScheduler(DEFINITIONS, queue, Cache(house.cache), house.clock)
        if args.kind:
            check_kind(args.kind, args.game, tasks)
        own = MistakeRequest(args.game, words=args.kind or "")
        request: TaskRequest = own
        if args.drill or not tasks.pending(own):
            if not args.drill:
                print(
                    "no mistakes are waiting" + (" of this kind" if args.kind or args.game else "")
                )
            request = DrillRequest(args.game, words=args.kind or "")
        Practice(tasks, typed_lines("> "), print, warn).go_on(request)
        print("good-bye")
    return 0


def check_kind(words: str, game: str | None, tasks: TaskScheduler) -> None:
    """Raise :class:`BadInput` if no kind of mistake or drill contains these words."""
    own = (str(waiting.mistake.kind) for waiting in tasks.queue.pending(game))
    slugs = tasks.games if game is None else (game,)
    spots = (spot for slug in slugs for spot in spots_by_name(tasks.games, slug))
    kinds = [*dict.fromkeys([*own, *spots])]
    if not any(words.casefold() in kind.casefold() for kind in kinds):
        rest = f", and {len(kinds) - LISTED:,} more" if len(kinds) > LISTED else ""
        names = (
            "; ".join(kinds[:LISTED])
            or "none: this game has no drills, and no mistakes are waiting"
        )
        raise BadInput(f"--kind: no kind contains {plain(words)!r}; the kinds are {names}{rest}")
