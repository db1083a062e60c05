"""The command line: parse the arguments, run the command and return its exit code.

Exit codes: 0 done, 1 a verification failed, 2 bad usage or input, 70 an error of our own, 74 the
output cannot be written (70 and 74 as ``sysexits.h`` has them).
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from ..gamekit.registry import GAMES, GameListing
from ..inputs.errors import BadInput, write_crash_report
from ..inputs.sanitize import printable_stream
from .commands import COMMANDS, overview_parser
from .parser import PROGRAM, add_house_options, parser_of

if TYPE_CHECKING:
    from ..gamekit.table_setup import AnyTableSetup

DONE, FAILED, BAD_USAGE, OWN_ERROR, NO_OUTPUT = 0, 1, 2, 70, 74


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
            message = f"{PROGRAM}: the output cannot be written: {error.strerror}"
            print(message, file=sys.stderr, flush=True)
    for stream in (sys.stdout, sys.stderr):  # else the end would try once more to write the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _exit_code(run: Callable[[], int]) -> int:
    """Run something, and give what it gives or exits with."""
    try:
        return run()
    except SystemExit as system_exit:
        return (
            system_exit.code
            if isinstance(system_exit.code, int)
            else DONE
            if system_exit.code is None
            else FAILED
        )


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
        redirect_stdout(printable_stream(sys.stdout)),
        redirect_stderr(printable_stream(sys.stderr)),
    ):
        return _done(list(arguments), patience)


def _done(arguments: list[str], patience: float | None) -> int:
    try:
        return _dispatch(arguments, _process_values(patience))
    except BadInput as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return BAD_USAGE
    except KeyboardInterrupt:
        print(f"{PROGRAM}: stopped", file=sys.stderr)
        return BAD_USAGE
    except OSError as error:
        if error.filename is None:  # a stream's, not a file's
            raise
        report = write_crash_report(error)
    except Exception as error:
        report = write_crash_report(error)
    print(
        f"{PROGRAM}: an internal error; your log and purse are safe. {report}",
        file=sys.stderr,
    )
    return OWN_ERROR


def _process_values(patience: float | None) -> Namespace:
    """Read the environment, streams and working folder once, for the command's arguments."""
    try:
        cwd = Path.cwd()
    except OSError:  # it is gone
        cwd = Path()
    return Namespace(
        environ=os.environ,
        cwd=cwd,
        stdin=sys.stdin,
        stdout=sys.stdout,
        stderr=sys.stderr,
        patience=patience,
    )


def _dispatch(arguments: list[str], process: Namespace) -> int:
    listings = {game.slug: game for game in GAMES}
    commands = {command.name: command for command in COMMANDS}
    first = arguments[0] if arguments else "-"
    if first in listings:
        return _game(process, listings[first], arguments[1:])
    if first in commands:
        return commands[first].run(arguments[1:], process)
    if first.startswith("-"):
        return _arcade(process, arguments)
    known = ", ".join((*listings, *sorted(commands)))
    raise BadInput(f"there is no command {first!r}; the commands are {known}")


def _game(process: Namespace, listing: GameListing, arguments: list[str]) -> int:
    command = listing.command()
    parser = parser_of(listing.slug, listing.description or listing.line)
    command.add_arguments(parser)
    parser.add_argument(
        "--console", action="store_true", help="play line by line, without a screen"
    )
    add_house_options(parser)
    args = parser.parse_args(arguments, process)
    code = command.run(args)
    if code is not None:
        return code
    seating = command.setup(args)
    if args.console or seating.dialogue:
        from .play import play_on_console  # late: --help needs none of these

        return play_on_console(listing.definition(), seating, args)
    return _open_visit(args, listing.slug, seating)


def _arcade(process: Namespace, arguments: list[str]) -> int:
    parser = overview_parser()
    args = parser.parse_args(arguments, process)
    if args.version:
        from .version import print_version  # late: --help needs none of these

        return print_version(process, verbose=args.verbose)
    if args.verbose:
        parser.error("--verbose goes with --version")
    return _open_visit(args)


def _open_visit(
    args: Namespace, game: str | None = None, seating: AnyTableSetup | None = None
) -> int:
    """Open the arcade, on the screen or in screen-reader mode."""
    from .arcade import open_arcade, player_settings  # late: --help needs none of these
    from .screen_reader import open_screen_reader, screen_reader_reason

    loaded = player_settings()
    if (held_by := screen_reader_reason(args, loaded.settings)) is not None:
        return open_screen_reader(args, loaded, held_by, game, seating)
    return open_arcade(args, loaded, game, seating)
