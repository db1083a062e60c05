"""One's own mistakes and drills line by line: for screen readers, pipes and scripts."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import ExitStack

from ..gamekit.progress import bar
from ..gamekit.seating import Say
from ..house.house import House
from ..inputs.errors import BadInput
from ..inputs.plain import plain, printable
from ..lines.practice import Practice
from ..records.cache import Cache
from ..records.shelf import entries, select
from ..teacher.answers import Answers
from ..teacher.mistakes import Studied, study
from ..teacher.queue import Queue
from ..teacher.tasks import Drill, Mistakes, Tasks, Wanted, choose_spots
from .arcade import open_arcade, player_settings
from .console import typed
from .house import open_house
from .lines import asked_by
from .logs import accounts, games
from .parser import add_game_option, add_house_options

LISTED = 12
"""The most kinds that an error names; Hit Me has hundreds."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_game_option(parser)
    parser.add_argument("--kind", metavar="WORDS", help="only kinds with these words in them")
    parser.add_argument("--drill", action="store_true", help="begin with positions made anew")
    parser.add_argument(
        "--console", action="store_true", help="practise line by line, without a screen"
    )
    add_house_options(parser)


def run(args: Namespace) -> int:
    """Open the practice room, on the screen or line by line."""
    found = player_settings()
    if args.console or asked_by(args, found.settings) is not None:
        return practise_on_console(args)
    words = args.kind or ""
    begin = Drill(args.game, words=words) if args.drill else Mistakes(args.game, words=words)
    return open_arcade(args, found, practice=begin)


def open_practice(args: Namespace, answers: Answers, clock: Callable[[], int], warn: Say) -> Queue:
    """Study the player's sessions, and give his queue; what is wrong with a log is said."""
    queue = Queue(answers, clock)
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
    with ExitStack() as closing:
        house: House = open_house(args, closing, practice=True)
        args.logs, args.cache = house.logs, house.cache
        answers = Answers(house.answers, house.player)
        queue = open_practice(args, answers, house.clock, _warn)
        tasks = Tasks(games(), queue, Cache(house.cache), house.clock)
        if args.kind:
            check_kind(args.kind, args.game, tasks)
        own = Mistakes(args.game, words=args.kind or "")
        wanted: Wanted = own
        if args.drill or not tasks.waiting(own):
            if not args.drill:
                print("no mistakes wait" + (" of these" if args.kind or args.game else ""))
            wanted = Drill(args.game, words=args.kind or "")
        Practice(tasks, typed("> "), print, _warn).go_on(wanted)
        print("good-bye")
    return 0


def check_kind(words: str, game: str | None, tasks: Tasks) -> None:
    """Refuse words that no kind of mistake or drill contains. Raises :class:`BadInput`."""
    own = (str(waiting.mistake.kind) for waiting in tasks.queue.waiting(game))
    slugs = tasks.games if game is None else (game,)
    spots = (spot for slug in slugs for spot in choose_spots(tasks.games, slug))
    kinds = [*dict.fromkeys([*own, *spots])]
    if not any(words.casefold() in kind.casefold() for kind in kinds):
        more = f", and {len(kinds) - LISTED:,} more" if len(kinds) > LISTED else ""
        names = "; ".join(kinds[:LISTED]) or "none: this game has no drills, and no mistakes wait"
        raise BadInput(f"--kind: no kind contains {plain(words)!r}; the kinds are {names}{more}")


def _warn(line: str) -> None:
    print(printable(line), file=sys.stderr)
