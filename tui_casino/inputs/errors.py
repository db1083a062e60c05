"""What a player gave and cannot be used, said in one clear line."""

from __future__ import annotations

from .plain import only_plain, plain


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
            traceback.print_exception(error, file=only_plain(file.file))
    except OSError as why:  # the disk may be full
        return f"It cannot be written down: {why.strerror}"
    return f"What happened is written to {file.name}"
