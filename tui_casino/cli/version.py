"""``--version``, and information for bug reports without names, addresses or money."""

from __future__ import annotations

import os
import platform
import re
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from itertools import starmap
from pathlib import Path

from .. import __version__
from ..house.paths import LOG_DIR_VARIABLE, cache_file, log_folder, settings_file
from ..inputs.errors import BadInput
from ..inputs.sanitize import printable
from .parser import PROGRAM

REPORTED = (
    *("TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL", "VTE_VERSION"),
    *("NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"),
)
"""Environment variables that describe the terminal and its characters."""
SET = ("TMUX", "STY", "SSH_CONNECTION", "WT_SESSION", "KITTY_WINDOW_ID", LOG_DIR_VARIABLE)
"""Variables with addresses and names; the report says only whether they are set."""
LONGEST = 60
"""The maximum number of characters shown of a value."""
_DEVELOPERS = ("dev", "bench", "docs")


def print_version(process: Namespace, *, verbose: bool) -> int:
    """Print the version, and with ``verbose`` the report; return the exit code."""
    print(f"{PROGRAM} {__version__}")
    for name, value in _about(process.environ) if verbose else ():
        print(f"{name:<10} {printable(value)}")
    return 0


def _about(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    from ..tui.terminal.detection import detect  # late: only for --verbose

    yield "python", f"{platform.python_version()} {platform.python_implementation()}"
    yield "platform", platform.platform()
    yield "packages", _packages(_requirements())
    terminal = detect(environ, sys.stderr.encoding or "")
    streams = (sys.stdin, sys.stdout, sys.stderr)
    yield "terminal", ", ".join((
        _size(),
        f"colours: {terminal.colours.value}",
        f"characters: {terminal.tier.name.lower()}",
        f"encoding: {sys.stdout.encoding}",
        f"on a terminal: {sum(stream.isatty() for stream in streams)} of 3 streams",
    ))  # fmt: skip
    values = [f"{name}={environ[name][:LONGEST]}" for name in REPORTED if name in environ]
    yield "variables", " ".join((*values, *(f"{name} is set" for name in SET if environ.get(name))))
    for name, find in (
        ("logs", lambda: log_folder(None, environ)),
        ("settings", settings_file),
        ("cache", cache_file),
    ):
        try:
            yield name, _at_home(find(), environ)
        except BadInput as error:
            yield name, str(error)


def _requirements() -> Iterable[str]:
    try:
        return metadata.requires(PROGRAM) or ()
    except metadata.PackageNotFoundError:  # run from a checkout, not installed
        return ()


def _packages(requirements: Iterable[str]) -> str:
    """Return the versions of the packages that the program requires or that its extras add."""
    extras: dict[str, list[str]] = {}
    for line in requirements:
        extra = re.search(r"extra == ['\"](.*?)['\"]", line)
        name = re.match(r"[\w.-]+", line)
        if name is None or name[0] == PROGRAM or (extra and extra[1] in _DEVELOPERS):
            continue
        extras.setdefault(name[0], []).extend([extra[1]] if extra else ())
    return ", ".join(starmap(_package, extras.items())) or "not installed"


def _package(name: str, extras: list[str]) -> str:
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return f"{name} none [{' '.join(extras)}]" if extras else f"{name} missing"


def _size() -> str:
    try:
        size = os.get_terminal_size(sys.stderr.fileno())  # the screen is drawn on this one
    except (OSError, ValueError):  # a pipe, or closed
        return "size unknown"
    return f"{size.columns}x{size.lines}"


def _at_home(path: Path | None, environ: Mapping[str, str]) -> str:
    """Return a path in which the home folder is written as ``~``."""
    if path is None:
        return "none"
    home = environ.get("HOME", "")
    if home and path.is_relative_to(home):
        return str(Path("~") / path.relative_to(home))
    return str(path)
