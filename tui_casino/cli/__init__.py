"""The command line: parse the arguments, run the command and return its exit code.

Exit codes: 0 for success, 1 if a verification failed, 2 for bad usage or input, 70 for an internal
error, and 74 if the output cannot be written (70 and 74 are from ``sysexits.h``).
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
from ..inputs.errors import BadInput, report_fault
from ..inputs.sanitize import printable_stream
from .commands import COMMANDS, overview_parser, print_plainly, unknown_command
from .parser import (
    PROGRAM,
    add_house_options,
    canonical,
    join_colour,
    options_last,
    parser_of,
)

if TYPE_CHECKING:
    from ..gamekit.table_catalog import AnyTableSetup

DONE, FAILED, BAD_USAGE, OWN_ERROR, NO_OUTPUT = 0, 1, 2, 70, 74


def entry(loaded: Callable[[], object] = lambda: None) -> int:
    """Run the program with the arguments and streams of this process; call ``loaded`` first."""
    try:
        loaded()
        _mend_streams()
        code = _exit_code(lambda: main(sys.argv[1:]))
        sys.stdout.flush()
        sys.stderr.flush()
        return code
    except KeyboardInterrupt:  # before the command began, or after its end
        code = BAD_USAGE
    except BrokenPipeError:  # the reader has closed the pipe, as head does
        code = DONE
    except OSError as error:  # an error from a stream, because main handles all others
        code = NO_OUTPUT
        with suppress(OSError):  # standard error may be full as well
            message = f"{PROGRAM}: the output cannot be written: {error.strerror}"
            print(message, file=sys.stderr, flush=True)
    for stream in (sys.stdout, sys.stderr):  # otherwise Python flushes them again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _exit_code(run: Callable[[], int]) -> int:
    """Call ``run``; return its result, or the exit code of the ``SystemExit`` that it raises."""
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
        if getattr(sys, name) is None:  # closed by the program that started this one
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - stays open until the end
    for stream in (sys.stdout, sys.stderr):  # the locale's encoding may lack a suit symbol
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def main(arguments: Sequence[str], patience: float | None = None) -> int:
    """Run a command and return its exit code. Raises only ``OSError``, if a standard stream fails.

    ``patience`` is how many seconds to wait for a ledger that another program is writing; ``None``
    means the usual time. Printed text is made harmless to terminals, because it may contain text
    from a file.
    """
    with (
        redirect_stdout(printable_stream(sys.stdout)),
        redirect_stderr(printable_stream(sys.stderr)),
    ):
        return _done(list(arguments), patience)


def _done(arguments: list[str], patience: float | None) -> int:
    try:
        if sys.platform == "win32":
            raise BadInput("this program needs a Unix system, such as Linux; on Windows, use WSL")
        return _dispatch(arguments, _process_values(patience))
    except BadInput as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return BAD_USAGE
    except KeyboardInterrupt:
        print(f"{PROGRAM}: stopped", file=sys.stderr)
        return BAD_USAGE
    except OSError as error:
        if error.filename is None and error.errno is not None:  # from a stream, not from a file
            raise
        fault = report_fault(error)
    except Exception as error:
        fault = report_fault(error)
    print(f"{PROGRAM}: {fault}", file=sys.stderr)
    return OWN_ERROR


def _process_values(patience: float | None) -> Namespace:
    """Read the environment, the streams and the working folder once; add them to the arguments."""
    try:
        cwd = Path.cwd()
    except OSError:  # the folder was deleted
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
    arguments = join_colour(arguments)
    if len(arguments) > 1 and arguments[0].startswith("-"):
        arguments = options_last(arguments, overview_parser())
    listings = {game.slug: game for game in GAMES}
    commands = {command.name: command for command in COMMANDS}
    first = canonical(arguments[0]) if arguments else "-"
    if first == "help" and (words := _command_words(arguments[1:])) is not None:
        return _dispatch([*words, "--help"], process)
    if first in listings:
        return _game(process, listings[first], arguments[1:])
    if first in commands:
        return commands[first].run(arguments[1:], process)
    if first.startswith("-"):
        return _arcade(process, arguments)
    raise unknown_command(arguments[0])


def _command_words(arguments: list[str]) -> list[str] | None:
    """Return the words of the command whose help is requested; ``None`` for ``help`` itself."""
    words = [word for word in arguments if not word.startswith("-")]
    return None if arguments and not words else words


def _game(process: Namespace, listing: GameListing, arguments: list[str]) -> int:
    command = listing.command()
    parser = parser_of(listing.slug)
    command.add_arguments(parser)
    parser.add_argument(
        "--console", action="store_true", help="play on the console, as lines of text"
    )
    add_house_options(parser)
    args = parser.parse_args(arguments, process)
    code = command.run(args)
    if code is not None:
        return code
    seating = command.setup(args)
    if args.console or seating.dialogue:
        from .console_play import play_on_console  # late: --help needs none of these

        return play_on_console(listing.definition(), seating, print_plainly(args))
    return _open_visit(args, listing.slug, seating)


def _arcade(process: Namespace, arguments: list[str]) -> int:
    parser = overview_parser()
    args = parser.parse_args(arguments, process)
    if args.version:
        from .version import print_version  # late: --help needs none of these

        return print_version(process, verbose=args.verbose)
    if args.verbose:
        parser.error("--verbose needs --version")
    return _open_visit(args)


def _open_visit(
    args: Namespace, game: str | None = None, seating: AnyTableSetup | None = None
) -> int:
    """Open the arcade, on the screen or in screen-reader mode."""
    from .arcade import open_arcade, player_settings  # late: --help needs none of these
    from .screen_reader import open_screen_reader, screen_reader_reason

    loaded = player_settings()
    if (enabled_by := screen_reader_reason(args, loaded.settings)) is not None:
        return open_screen_reader(args, loaded, enabled_by, game, seating)
    return open_arcade(args, loaded, game, seating)
