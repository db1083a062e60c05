"""The labels of a player's logs (a star and a name), in one small file next to the logs.

The logs themselves are never changed, because a changed log could not be verified.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, field

from ..inputs.files import BadFile, read_bytes, write_atomically
from ..structs import replace
from .codec import decode, encode
from .log_header import LONGEST_NAME

LABEL_FILE_NAME = "labels.json"
_MOST_BYTES = 10_000_000  # a hundred thousand labels


class LogLabel(Struct, frozen=True):
    """The label of a log: whether it has a star, and its name, if any."""

    star: bool = False
    name: str = ""


class _Kept(Struct, frozen=True):
    labels: dict[str, LogLabel] = field(default_factory=dict)


NO_LABEL = LogLabel()


class LabelFile:
    """The labels of a folder of logs, by file name."""

    def __init__(self, folder: Path) -> None:
        """Read the labels. Raises :class:`BadFile` for a file that cannot be read."""
        self._path = folder / LABEL_FILE_NAME
        try:
            self._labels = decode(read_bytes(self._path, _MOST_BYTES), _Kept).labels
        except FileNotFoundError:
            self._labels = {}
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BadFile(self._path, f"cannot be read: {reason}") from None

    def label_of(self, log: Path) -> LogLabel:
        """Return the label of a log."""
        return self._labels.get(log.name, NO_LABEL)

    def star(self, log: Path) -> None:
        """Add a star to a log, or remove it. Raises :class:`BadFile`."""
        label = self.label_of(log)
        self._put(log, replace(label, star=not label.star))

    def rename(self, log: Path, name: str) -> None:
        """Set the name of a log; an empty name removes it. Raises :class:`BadFile`."""
        plain = "".join(letter for letter in name if letter.isprintable())
        self._put(log, replace(self.label_of(log), name=plain.strip()[:LONGEST_NAME]))

    def _put(self, log: Path, label: LogLabel) -> None:
        labels = {**self._labels, log.name: label}
        if label == NO_LABEL:
            del labels[log.name]
        try:
            write_atomically(self._path, encode(_Kept(labels)) + b"\n")
        except OSError as error:
            raise BadFile(self._path, f"cannot be written: {error.strerror}") from None
        self._labels = labels
