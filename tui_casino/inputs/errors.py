"""What a player gave and cannot be used, said in one clear line."""

from __future__ import annotations

LONGEST = 1500


def printable(text: str) -> str:
    """Give text from outside as one line that does nothing to a terminal but stand there."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def plain(text: str) -> str:
    """Give text from outside :func:`printable`, and its middle left out if it is very long."""
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 100]} … {text[-90:]}"


class BadInput(ValueError):
    """What a player gave cannot be used; the message says what is wrong and what would be right."""

    def __init__(self, message: str) -> None:
        super().__init__(plain(message))


def write_error(error: BaseException) -> str:
    """Write an unexpected error to a file of its own, without any values, and say where."""
    import tempfile
    import traceback

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="tui-casino-error-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            traceback.print_exception(error, file=file)
    except OSError as why:  # the disk may be full
        return f"It cannot be written down: {why.strerror}"
    return f"What happened is written to {file.name}"
