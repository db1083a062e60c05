"""Run commands in this process on a file, and check what must be true for every file."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from tui_casino.cli import main

LONGEST_ERROR = 2_000  # characters; a longer line is not clear


class Ran(Struct, frozen=True):
    """The result of a command: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


class Printed(io.StringIO):
    encoding = "utf-8"


class Typed(io.StringIO):
    def isatty(self) -> bool:
        return False


def run(arguments: Sequence[str], typed: str | None = "", patience: float | None = None) -> Ran:
    """Run a command; print its crash report, if it writes one, and delete the report.

    Without ``typed``, the command must not read its standard input.
    """
    out, err, before = Printed(), Printed(), sys.stdin
    sys.stdin = before if typed is None else Typed(typed)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(arguments, patience)
            except SystemExit as left:  # argparse has said what is wrong
                code = int(left.code or 0)
    finally:
        sys.stdin = before
    said = err.getvalue()
    if report := re.search(r"was written to (.*tui-casino-error-.*\.txt)$", said):
        said += Path(report[1]).read_text(encoding="utf-8")[-2_000:]
        Path(report[1]).unlink()
    return Ran(code, out.getvalue(), said)


class Output(NamedTuple):
    """The text that a command has printed."""

    out: str
    err: str


def output(
    *arguments: str, typed: str | None = None, code: int = 0, patience: float | None = None
) -> Output:
    """Run a command, check its exit code, and return what it has printed."""
    ran = run(arguments, typed, patience)
    assert ran.code == code, ran
    return Output(ran.out, ran.err)


def check(ran: Ran, path: Path) -> None:
    """Check for success, or for one error line with the file and the number of a wrong line."""
    assert ran.code in (0, 1, 2), f"exit code {ran.code}: {ran.err}"
    if ran.code == 2:
        assert ran.err.endswith("\n"), ran.err
        said = ran.err.removesuffix("\n")
        # the lines of a terminal, not only those of a file
        assert len(said.splitlines()) == 1, f"not one line: {said!r}"
        assert said.isprintable(), f"not plain text: {said!r}"
        assert str(path) in said, f"does not name the file: {said!r}"
        assert len(said) <= LONGEST_ERROR + len(str(path)), f"{len(said)} characters: {said[:200]}"
    if ran.code == 1:
        named = re.findall(
            rf"^(?:differs: )?{re.escape(str(path))}:(?:line )?(\d+): .",
            ran.out + ran.err,
            re.MULTILINE,
        )
        assert len(named) == 1, f"names no line of the file: {ran}"
        lines = path.read_bytes().count(b"\n")
        assert 1 <= int(named[0]) <= lines + 1, f"line {named[0]} of {lines}"


@contextlib.contextmanager
def repeatable(**given: object) -> Iterator[None]:
    """Print the data with which a failure can be repeated."""
    try:
        yield
    except BaseException:
        for name, value in given.items():
            print(f"{name} = {value!r}")
        raise


def check_file(path: Path, raw: bytes, *commands: Sequence[str], **given: object) -> list[Ran]:
    """Run a command on a file with these bytes; check that it ends clearly and keeps the file."""
    path.unlink(missing_ok=True)  # some file systems write an emptied file to the disk
    path.write_bytes(raw)
    ran = []
    with repeatable(raw=raw, **given):
        for command in commands:
            with repeatable(command=command):
                ran.append(run(command))
                check(ran[-1], path)
                assert path.read_bytes() == raw, "the file was changed"
    return ran
