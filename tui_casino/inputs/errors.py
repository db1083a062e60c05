"""Errors about invalid input, each explained in one line, and reports of unexpected errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .sanitize import plain, printable_stream


class BadInput(ValueError):
    """Invalid input; the message says what is wrong and what would be accepted."""

    def __init__(self, message: str) -> None:
        super().__init__(plain(message))


_PACKAGE = Path(__file__).parents[1]
_OWN_FOLDERS = (_PACKAGE, _PACKAGE.parent / "styles")
"""The package, and the stylesheets of a checkout."""


def _package_stamp() -> tuple[int, int, int] | None:
    """Return values that change if the program is installed again; ``None`` if it is removed."""
    try:
        status = os.stat(_PACKAGE / "__init__.py")
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


_STAMP = _package_stamp()


def report_fault(
    error: BaseException, what: str = "an internal error; your log and balance are safe"
) -> str:
    """Return a text that says ``what`` happened and where the crash report is.

    If the program was upgraded or removed while it ran, or if it lacks a file, the text says so.
    """
    if _package_stamp() != _STAMP:
        return "the program was changed while it ran; start it again"
    if name := _missing_part(error):
        return f"the program cannot read its {name}; install it again"
    return f"{what}. {write_crash_report(error)}"


def _missing_part(error: BaseException | None) -> str | None:
    """Return the module or the file of this program whose absence caused an error, if any."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError):
            return f"module {plain(str(error.name))}"
        if isinstance(error, OSError) and isinstance(error.filename, str):
            file = Path(error.filename)
            if any(file.is_relative_to(folder) for folder in _OWN_FOLDERS):
                return f"file {plain(str(file.relative_to(_PACKAGE.parent)))}"
        error = getattr(error, "error", None) or error.__cause__ or error.__context__
    return None


def write_crash_report(error: BaseException) -> str:
    """Write a report of an unexpected error to a new file; return a sentence with its path.

    The report contains no values, not even the error's message, because values may reveal hidden
    cards or a seed.
    """
    import tempfile  # late: only after an error

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="tui-casino-error-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            out = printable_stream(file.file)
            for line in _places(error):
                out.write(line)
    except OSError as failure:  # the disk may be full
        return f"The error report could not be written: {failure.strerror}"
    return f"An error report was written to {file.name}"


def _places(error: BaseException) -> Iterator[str]:
    """Yield an error's type and traceback, preceded by those of the errors that caused it."""
    import traceback  # late: only after an error

    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _places(before)
        yield "\nwhich led to\n\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__qualname__}\n"
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield "\none of them\n\n"
            yield from _places(one)


def missing_extra(what: str, extra: str) -> BadInput:
    """Return the error for a package that is missing because an optional extra is not installed.

    >>> str(missing_extra("serve needs asyncssh", "serve"))
    "serve needs asyncssh; run pip install 'tui-casino[serve]', or '.[serve]' in a checkout"
    """
    return BadInput(f"{what}; run pip install 'tui-casino[{extra}]', or '.[{extra}]' in a checkout")
