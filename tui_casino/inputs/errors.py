"""Errors about invalid input, each explained in one line, and reports of unexpected errors."""

from __future__ import annotations

from collections.abc import Iterator

from .sanitize import plain, printable_stream


class BadInput(ValueError):
    """Invalid input; the message says what is wrong and what would be accepted."""

    def __init__(self, message: str) -> None:
        super().__init__(plain(message))


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
