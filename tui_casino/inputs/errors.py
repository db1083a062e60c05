"""Errors in what the user gave, each explained in one line."""

from __future__ import annotations

from collections.abc import Iterator

from .sanitize import plain, printable_stream


class BadInput(ValueError):
    """What a player gave cannot be used; the message says what is wrong and what would be right."""

    def __init__(self, message: str) -> None:
        super().__init__(plain(message))


def write_crash_report(error: BaseException) -> str:
    """Write an unexpected error to a file of its own, without any values, and say where.

    Its message is left out: it may name cards that nobody is to know, or a seed.
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
        return f"It cannot be written down: {failure.strerror}"
    return f"What happened is written to {file.name}"


def _places(error: BaseException) -> Iterator[str]:
    """Give the kind of an error and where it was raised, before it those that led to it."""
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
    """Give the error for a package that is not here and comes with an extra of ours.

    >>> str(missing_extra("serve needs asyncssh", "serve"))
    "serve needs asyncssh: pip install 'tui-casino[serve]', or '.[serve]' in a checkout"
    """
    return BadInput(f"{what}: pip install 'tui-casino[{extra}]', or '.[{extra}]' in a checkout")
