"""The command line: finds what was asked for, owns the exit codes, and keeps tracebacks away.

Exit codes: 0 done, 1 a verification failed, 2 bad usage or input, 70 an error of our own, 74 the
output cannot be written (70 and 74 as ``sysexits.h`` has them).
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

from .. import __version__
from ..gamekit.registry import GAMES, Listing
from ..inputs.errors import BadInput, write_error
from ..inputs.plain import only_plain, plain

DONE, FAILED, BAD_USAGE, OWN_ERROR, NO_OUTPUT = 0, 1, 2, 70, 74
PROGRAM = "tui-casino"


class Parser(ArgumentParser):
    """Says in a line what is wrong, whatever was typed there."""

    def error(self, message: str) -> NoReturn:
        """Say it, and leave."""
        super().error(plain(message))


def entry(loaded: Callable[[], object] = lambda: None) -> int:
    """Run the program on the process's own arguments and streams; tell first that it is loaded."""
    try:
        loaded()
        _mend_streams()
        code = _exit_code(lambda: main(sys.argv[1:]))
        sys.stdout.flush()
        sys.stderr.flush()
        return code
    except KeyboardInterrupt:  # before or behind all that is done
        code = BAD_USAGE
    except BrokenPipeError:  # the reader has seen enough
        code = DONE
    except OSError as error:  # of the streams: every other one has been dealt with
        code = NO_OUTPUT
        with suppress(OSError):  # both may be full
            why = f"{PROGRAM}: the output cannot be written: {error.strerror}"
            print(why, file=sys.stderr, flush=True)
    for stream in (sys.stdout, sys.stderr):  # else the end would try once more to write the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _exit_code(run: Callable[[], int]) -> int:
    """Run something, and give what it gives or exits with."""
    try:
        return run()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else DONE if left.code is None else FAILED


def _mend_streams() -> None:
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - open as long as we run
    for stream in (sys.stdout, sys.stderr):  # a narrow locale may lack a suit sign
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def main(arguments: Sequence[str], patience: float | None = None) -> int:
    """Run a command and give its exit code; only errors of standard output leave here.

    ``patience`` is how many seconds a ledger is waited for that another program writes; ``None``
    is as long as usual. What is printed meanwhile, by whom ever, moves no cursor and rings no
    bell: there may be words in it that came from a file.
    """
    with (
        redirect_stdout(only_plain(sys.stdout)),
        redirect_stderr(only_plain(sys.stderr)),
    ):
        return _done(list(arguments), patience)


def _done(arguments: list[str], patience: float | None) -> int:
    try:
        return _dispatch(arguments, _at_the_door(patience))
    except BadInput as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return BAD_USAGE
    except KeyboardInterrupt:
        print(f"{PROGRAM}: stopped", file=sys.stderr)
        return BAD_USAGE
    except OSError as error:
        if error.filename is None:  # a stream's, not a file's
            raise
        report = write_error(error)
    except Exception as error:
        report = write_error(error)
    print(
        f"{PROGRAM}: something went wrong that should not have; your log and purse are safe. "
        f"{report}",
        file=sys.stderr,
    )
    return OWN_ERROR


def _at_the_door(patience: float | None) -> Namespace:
    """Read what belongs to the process, once: it is handed in with a command's arguments."""
    try:
        here = Path.cwd()
    except OSError:  # it is gone
        here = Path()
    return Namespace(
        environ=os.environ,
        here=here,
        stdin=sys.stdin,
        stdout=sys.stdout,
        stderr=sys.stderr,
        patience=patience,
    )


def _dispatch(arguments: list[str], door: Namespace) -> int:
    listings = {game.slug: game for game in GAMES}
    commands: dict[str, Callable[[list[str]], int]] = {
        "ledger": partial(_ledger, door),
        "logs": partial(_logs, door),
        "odds": partial(_odds, door),
        "replay": _replay,
        "stats": partial(_stats, door),
        "verify": partial(_verify, door),
    }
    first = arguments[0] if arguments else "-"
    if first in listings:
        return _game(door, listings[first], arguments[1:])
    if first in commands:
        return commands[first](arguments[1:])
    if first in ("-V", "--version"):
        print(f"{PROGRAM} {__version__}")
        return DONE
    if first.startswith("-"):
        return _arcade(door, arguments)
    known = ", ".join((*listings, *commands))
    raise BadInput(f"there is no command {first!r}; the commands are {known}")


def _overview() -> ArgumentParser:
    games = "\n".join(f"  {game.slug:<18}{game.line}" for game in GAMES)
    parser = Parser(
        prog=PROGRAM,
        formatter_class=RawDescriptionHelpFormatter,
        usage=f"{PROGRAM} [COMMAND] [OPTIONS]",
        description="A card-game arcade for the terminal: exact odds, provable shuffles, "
        "sessions that replay. Without a command it opens the menu.",
        epilog=f"""\
games:
{games}

records and figures:
  logs [FOLDER]     list the recorded sessions, or remove old ones
  stats             what they come to, by game and overall, and how lucky you were
  odds GAME         exact odds of a game
  replay FILE       tell a recorded session again
  verify FILE       check a recorded session, or a folder of them: rules, cards, chain
  ledger rebuild    make the purses again from the logs, should the ledger be lost;
                    ledger settle pays out sittings whose logs are lost

Each command explains itself: {PROGRAM} video-poker --help""",
    )
    _add_house_options(parser)
    return parser


def _game(door: Namespace, listing: Listing, arguments: list[str]) -> int:
    command = listing.command()
    parser = Parser(prog=f"{PROGRAM} {listing.slug}", description=listing.line, allow_abbrev=False)
    command.add_arguments(parser)
    parser.add_argument(
        "--console", action="store_true", help="play line by line, without a screen"
    )
    _add_house_options(parser)
    args = parser.parse_args(arguments, door)
    code = command.run(args)
    if code is not None:
        return code
    seating = command.seating(args)
    if args.console or seating.talk:
        from .play import play_on_console

        return play_on_console(listing.parts(), seating, args)
    from .arcade import open_arcade

    return open_arcade(args, listing.slug, seating)


def _arcade(door: Namespace, arguments: list[str]) -> int:
    parser = _overview()
    args = parser.parse_args(arguments, door)
    from .arcade import open_arcade

    return open_arcade(args)


def _add_house_options(parser: ArgumentParser) -> None:
    house = parser.add_argument_group("the house")
    house.add_argument("--seed", metavar="N", help="a repeatable shuffle, for practice: no purse")
    house.add_argument(
        "--word",
        metavar="TEXT",
        nargs="?",
        const="",
        help="mix a word of yours into the shuffle; without TEXT you are asked for it",
    )
    house.add_argument("--player", metavar="NAME", help="whose purse to play with")
    house.add_argument("--guest", action="store_true", help="play with a purse that is not kept")
    house.add_argument("--buy-in", metavar="N", help="bring at most N to the table")
    house.add_argument("--log-dir", metavar="DIR", help="keep the session logs there")
    house.add_argument("--record", metavar="FILE", help="record what is seen, as asciicast v3")
    screen = parser.add_argument_group("the screen")
    screen.add_argument("--ascii", action="store_true", help="draw with plain characters only")
    screen.add_argument("--no-color", action="store_true", help="without colours")
    screen.add_argument("--color", action="store_true", help="in all colours, whatever is said")
    screen.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")


def _odds(door: Namespace, arguments: list[str]) -> int:
    parser = Parser(prog=f"{PROGRAM} odds", description="Exact odds of a game.")
    parser.add_argument("game", choices=[game.slug for game in GAMES])
    if not arguments or arguments[0].startswith("-"):
        parser.parse_args(arguments)  # says what is missing
    game = parser.parse_args(arguments[:1]).game
    command = next(listing for listing in GAMES if listing.slug == game).command()
    parser = Parser(prog=f"{PROGRAM} odds {game}")
    command.add_odds_arguments(parser)
    return command.odds(parser.parse_args(arguments[1:], door))


def _replay(arguments: list[str]) -> int:
    from .replay import Form, tell

    parser = Parser(prog=f"{PROGRAM} replay", description="Tell a recorded session again.")
    parser.add_argument("file", metavar="FILE", type=Path, help="a session log")
    forms = parser.add_mutually_exclusive_group()
    for form, what in (
        (Form.TEXT, "print a history of its hands or rounds, easy to read"),
        (Form.JSON, "print one JSON object a step"),
        (Form.STATES, "print what lies on the table after each step, a line each"),
    ):
        forms.add_argument(
            f"--{form.value}", dest="form", action="store_const", const=form, help=what
        )
    args = parser.parse_args(arguments)
    return tell(args.file, args.form or Form.LINES)


def _verify(door: Namespace, arguments: list[str]) -> int:
    from .verify import check

    parser = Parser(
        prog=f"{PROGRAM} verify", description="Check recorded sessions: rules, cards and chain."
    )
    parser.add_argument("path", metavar="FILE|FOLDER", type=Path, help="a session log, or many")
    return check(parser.parse_args(arguments).path, door.patience)


def _ledger(door: Namespace, arguments: list[str]) -> int:
    from .ledger import rebuild_ledger, settle_sittings

    parser = ArgumentParser(
        prog=f"{PROGRAM} ledger", description="The book of purses and sittings.", allow_abbrev=False
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    again = commands.add_parser(
        "rebuild",
        help="make the purses again from the logs",
        description="Show what the logs tell that the ledger does not know, and write it there. "
        "What it knows stays; a copy of what it was is kept beside it.",
        allow_abbrev=False,
    )
    again.add_argument("--log-dir", metavar="DIR", help="the folder of the session logs")
    again.add_argument("--player", metavar="NAME", help="add the sittings of this player alone")
    again.add_argument("--yes", action="store_true", help="write it without asking")
    again.set_defaults(run=rebuild_ledger)
    last = commands.add_parser(
        "settle",
        help="pay out sittings whose logs are lost",
        description="Show the open sittings whose logs are gone, cut or changed, and pay them out "
        "with what the ledger knows: the money at the end of the last round.",
        allow_abbrev=False,
    )
    last.add_argument("--yes", action="store_true", help="settle them without asking")
    last.set_defaults(run=settle_sittings)
    args = parser.parse_args(arguments, door)
    run: Callable[[Namespace], int] = args.run
    return run(args)


def _logs(door: Namespace, arguments: list[str]) -> int:
    from .logs import list_logs

    parser = Parser(
        prog=f"{PROGRAM} logs",
        description="List recorded sessions, the newest first; with --prune, remove old ones.",
        allow_abbrev=False,
    )
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="else where yours are kept")
    parser.add_argument("--game", choices=[game.slug for game in GAMES], help="of this game alone")
    parser.add_argument("--json", action="store_true", help="print one JSON object a session")
    pruning = parser.add_argument_group("removing", "never a sitting that is open or in play")
    pruning.add_argument("--prune", action="store_true", help="remove logs, by one of these two")
    limits = pruning.add_mutually_exclusive_group()
    limits.add_argument("--older-than", metavar="AGE", help="that began longer ago, such as 90d")
    limits.add_argument(
        "--larger-than", metavar="SIZE", help="the oldest, until all have so much, such as 500MB"
    )
    pruning.add_argument("--yes", action="store_true", help="without asking")
    return list_logs(parser.parse_args(arguments, door))


def _stats(door: Namespace, arguments: list[str]) -> int:
    from .stats import show_statistics

    parser = Parser(
        prog=f"{PROGRAM} stats",
        description="What recorded sessions come to; those for practice apart.",
        allow_abbrev=False,
    )
    parser.add_argument("--game", choices=[game.slug for game in GAMES], help="of this game alone")
    parser.add_argument("--since", metavar="DATE", help="from this day on, such as 2026-01-31")
    parser.add_argument("--player", metavar="NAME", help="of this player alone")
    parser.add_argument("--log-dir", metavar="DIR", help="the folder of the session logs")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    parser.add_argument("--export", metavar="FILE", help="write them to a .csv or .json file")
    return show_statistics(parser.parse_args(arguments, door))
