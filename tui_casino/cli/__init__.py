"""The command line: finds what was asked for, owns the exit codes, and keeps tracebacks away.

Exit codes: 0 done, 1 a verification failed, 2 bad usage or input, 70 an error of our own, 74 the
output cannot be written (70 and 74 as ``sysexits.h`` has them).
"""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ..gamekit.registry import GAMES, Listing
from ..inputs.errors import BadInput, write_error
from ..inputs.plain import only_plain, plain

if TYPE_CHECKING:
    from ..gamekit.seating import AnySeating

DONE, FAILED, BAD_USAGE, OWN_ERROR, NO_OUTPUT = 0, 1, 2, 70, 74
PROGRAM = "tui-casino"


_REWORDED = (
    (r"unrecognized arguments: (.*)", r"\1: no such option or argument"),
    (r"the following arguments are required: (.*)", r"\1 is missing"),
    (r"argument ([^:]+): (.*)", r"\1: \2"),
    (r"(.*)invalid choice: (.*) \(choose from (.*)\)", r"\1\2 is not one of \3"),
    (r"(.*)not allowed with argument (.*)", r"\1not together with \2"),
    (r"(.*)expected one argument", r"\1needs a value"),
    (r"(.*)expected (\w+) arguments", r"\1needs \2 values"),
    (r"(.*)ignored explicit argument (.*)", r"\1takes no value, not \2"),
)
"""The messages of argparse, and the same in our words."""


class Parser(ArgumentParser):
    """Reports bad usage as every other bad input."""

    def error(self, message: str) -> NoReturn:
        """Raise `BadInput` with the message in our words, and where to find help."""
        for pattern, words in _REWORDED:
            message = re.sub(f"^{pattern}$", words, message, flags=re.DOTALL)
        said, among, choices = message.partition(" is not one of ")
        message = f"{said}{among}{choices.replace(chr(39), '')}"  # quoted by some versions alone
        raise BadInput(plain(f"{message}; see {self.prog} --help"))


def parser_of(command: str, description: str) -> Parser:
    """Give the parser of a command, whose options are typed whole."""
    return Parser(prog=f"{PROGRAM} {command}", description=description, allow_abbrev=False)


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
        f"{PROGRAM}: an internal error; your log and purse are safe. {report}",
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
    table = commands(door)
    first = arguments[0] if arguments else "-"
    if first in listings:
        return _game(door, listings[first], arguments[1:])
    if first in table:
        return table[first](arguments[1:])
    if first.startswith("-"):
        return _arcade(door, arguments)
    known = ", ".join((*listings, *table))
    raise BadInput(f"there is no command {first!r}; the commands are {known}")


def commands(door: Namespace) -> Mapping[str, Callable[[list[str]], int]]:
    """Give the commands that are no games, by their names; completions are made from them too."""
    return {
        "admin": partial(_admin, door),
        "ledger": partial(_ledger, door),
        "leaks": partial(_records, "leaks", door),
        "logs": partial(_records, "logs", door),
        "mistakes": partial(_records, "mistakes", door),
        "odds": partial(_odds, door),
        "practise": partial(_practise, door),
        "replay": _replay,
        "serve": partial(_serve, door),
        "stats": partial(_records, "stats", door),
        "verify": partial(_verify, door),
    }


def _overview() -> ArgumentParser:
    games = "\n".join(f"  {game.slug:<18}{game.line}" for game in GAMES)
    parser = Parser(
        prog=PROGRAM,
        formatter_class=RawDescriptionHelpFormatter,
        usage=f"{PROGRAM} [COMMAND] [OPTIONS]",
        description="A card-game arcade for the terminal: exact odds, provable shuffles, "
        "sessions that replay. Play money only. Without a command it opens the menu.",
        epilog=f"""\
games:
{games}

records and figures:
  logs [FOLDER]     list recorded sessions, or remove old ones
  stats             totals by game and overall, and how lucky you were
  mistakes          your mistakes in all sessions, the dearest first
  practise          your mistakes put to you again, and drills
  leaks             what each kind of mistake costs you in 100 rounds
  odds GAME         print the exact odds of a game
  replay FILE       print a recorded session, step by step
  verify FILE       check a recorded session, or a folder of them
  serve             let people in over SSH, each with his own purse
  admin             players, bans, money and backups of such a house
  ledger rebuild    restore the purses from the logs if the ledger is lost;
                    ledger settle pays out sessions whose logs are lost

Help on a command: {PROGRAM} video-poker --help""",
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version and exit")
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="with --version: all that the report of a fault needs",
    )
    _add_house_options(parser)
    return parser


def _game(door: Namespace, listing: Listing, arguments: list[str]) -> int:
    command = listing.command()
    parser = parser_of(listing.slug, listing.line)
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
    return _open(args, listing.slug, seating)


def _arcade(door: Namespace, arguments: list[str]) -> int:
    parser = _overview()
    args = parser.parse_args(arguments, door)
    if args.version:
        from .version import tell_version

        return tell_version(door, verbose=args.verbose)
    if args.verbose:
        parser.error("--verbose goes with --version")
    return _open(args)


def _open(args: Namespace, game: str | None = None, seating: AnySeating | None = None) -> int:
    """Open the arcade, on the screen or line by line."""
    from .arcade import player_settings
    from .lines import asked_by, open_lines

    found = player_settings()
    if (held_by := asked_by(args, found.settings)) is not None:
        return open_lines(args, found, held_by, game, seating)
    from .arcade import open_arcade

    return open_arcade(args, found, game, seating)


def _practise(door: Namespace, arguments: list[str]) -> int:
    parser = parser_of(
        "practise",
        "Your own mistakes, the dearest first: the table as it stood, and what each "
        "choice is worth once you have chosen. Drills are dealt where your mistakes cost most.",
    )
    parser.add_argument("--game", choices=[game.slug for game in GAMES], help="only this game")
    parser.add_argument("--kind", metavar="WORDS", help="only kinds with these words in them")
    parser.add_argument("--drill", action="store_true", help="begin with positions made anew")
    parser.add_argument(
        "--console", action="store_true", help="practise line by line, without a screen"
    )
    _add_house_options(parser)
    args = parser.parse_args(arguments, door)
    from .arcade import open_arcade, player_settings
    from .lines import asked_by

    found = player_settings()
    if args.console or asked_by(args, found.settings) is not None:
        from .practise import practise_on_console

        return practise_on_console(args)
    from ..teacher.tasks import Drill, Mistakes

    words = args.kind or ""
    begin = Drill(args.game, words=words) if args.drill else Mistakes(args.game, words=words)
    return open_arcade(args, found, practice=begin)


def _add_house_options(parser: ArgumentParser) -> None:
    house = parser.add_argument_group("the house")
    house.add_argument("--seed", metavar="N", help="use shuffle number N, for practice: no purse")
    house.add_argument(
        "--word",
        metavar="TEXT",
        nargs="?",
        const="",
        help="mix a word of your own into the shuffle; without TEXT you are asked",
    )
    house.add_argument("--player", metavar="NAME", help="whose purse to play with")
    house.add_argument("--guest", action="store_true", help="play with a purse that is not kept")
    house.add_argument("--buy-in", metavar="N", help="bring at most N dollars or credits")
    house.add_argument("--log-dir", metavar="DIR", help="keep the logs in this folder")
    house.add_argument("--record", metavar="FILE", help="record the terminal as an asciicast v3")
    house.add_argument(
        "--screen-reader",
        action=BooleanOptionalAction,
        help="play line by line: the menu, every table, records, settings",
    )
    screen = parser.add_argument_group("the screen")
    screen.add_argument("--ascii", action="store_true", help="draw with plain characters only")
    screen.add_argument("--no-color", action="store_true", help="use no colours")
    screen.add_argument("--color", action="store_true", help="force full colour")
    screen.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")


def _odds(door: Namespace, arguments: list[str]) -> int:
    games = "\n".join(f"  {game.slug:<18}{game.odds}" for game in GAMES)
    parser = Parser(
        prog=f"{PROGRAM} odds",
        formatter_class=RawDescriptionHelpFormatter,
        description="Print the exact odds of a game.",
        epilog=f"games:\n{games}\n\nOptions of a game: {PROGRAM} odds video-poker --help",
    )
    slugs = [game.slug for game in GAMES]
    parser.add_argument("game", metavar="GAME", choices=slugs, help="one of the games below")
    if not arguments or arguments[0].startswith("-"):
        parser.parse_args(arguments)  # says what is missing
    game = parser.parse_args(arguments[:1]).game
    listing = next(listing for listing in GAMES if listing.slug == game)
    command = listing.command()
    parser = Parser(prog=f"{PROGRAM} odds {game}", description=f"Print {listing.odds}.")
    command.add_odds_arguments(parser)
    return command.odds(parser.parse_args(arguments[1:], door))


def _replay(arguments: list[str]) -> int:
    from .replay import Form, tell

    parser = Parser(prog=f"{PROGRAM} replay", description="Print a recorded session.")
    parser.add_argument("file", metavar="FILE", type=Path, help="a log")
    forms = parser.add_mutually_exclusive_group()
    for form, what in (
        (Form.TEXT, "print a readable history of its hands or rounds"),
        (Form.PHH, "print the hands of a limit table in PHH, the poker hand history format"),
        (Form.JSON, "print one JSON object a step"),
        (Form.STATES, "print the state of the table after each step, one a line"),
    ):
        forms.add_argument(
            f"--{form.value}", dest="form", action="store_const", const=form, help=what
        )
    parser.add_argument(
        "--advice",
        action="store_true",
        help="tell what each choice cost, what was best, and what else could be done; with --json "
        "one object a choice",
    )
    args = parser.parse_args(arguments)
    if not args.advice:
        return tell(args.file, args.form or Form.LINES)
    if args.form not in (None, Form.JSON):
        parser.error(f"--advice goes with --json, not with --{args.form.value}")
    return tell(args.file, Form.ADVICE_JSON if args.form else Form.ADVICE)


def _serve(door: Namespace, arguments: list[str]) -> int:
    from .serve import command

    return command(door, arguments)


def _admin(door: Namespace, arguments: list[str]) -> int:
    from .admin import add_commands, administer

    parser = parser_of(
        "admin",
        "What the operator of a host can do, whether it runs just now or not.",
    )
    add_commands(parser)
    return administer(parser.parse_args(arguments, door))


def _verify(door: Namespace, arguments: list[str]) -> int:
    from .verify import check

    parser = Parser(
        prog=f"{PROGRAM} verify", description="Check recorded sessions: rules, cards and chain."
    )
    parser.add_argument("path", metavar="FILE|FOLDER", type=Path, help="a log, or a folder of logs")
    parser.add_argument(
        "--promises",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="compare the log with a host's list of promises",
    )
    args = parser.parse_args(arguments)
    return check(args.path, door.patience, args.promises)


def _ledger(door: Namespace, arguments: list[str]) -> int:
    from .ledger import command

    return command(door, arguments)


def _records(command: str, door: Namespace, arguments: list[str]) -> int:
    from .records import COMMANDS

    return COMMANDS[command](door, arguments)
