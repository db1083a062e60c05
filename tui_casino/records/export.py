"""The export of statistics to a CSV or JSON file."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ..inputs.errors import BadInput
from ..inputs.files import BadFile, open_regular, os_error_reason
from ..inputs.sanitize import printable
from .codec import ascii_json


def check_export_path(path: str | PathLike[str]) -> None:
    """Raise :class:`BadInput` if the path does not end in .csv or .json, or has no folder."""
    if Path(path).suffix not in (".csv", ".json"):
        raise BadInput(f"{path}: the name of an export must end in .csv or .json")
    if not Path(path).parent.is_dir():
        raise BadFile(path, "cannot be written: No such file or directory")


def export_report(report: Mapping[str, Any], path: PathLike[str]) -> None:
    """Write figures as JSON, or as CSV with two columns and names such as ``hands.TWO PAIR``.

    Raises :class:`BadInput` for any other file ending, :class:`BadFile` if it cannot be written.
    """
    check_export_path(path)
    target = Path(path)
    try:
        descriptor = open_regular(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        with os.fdopen(descriptor, "w", newline="", encoding="utf-8") as file:
            if target.suffix == ".json":
                file.write(ascii_json(report) + "\n")
                return
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("figure", "value"))
            writer.writerows(_flat(report))
    except OSError as error:
        raise BadFile(path, f"cannot be written: {os_error_reason(error)}") from None


def _flat(report: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in report.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield _as_text(above + name), _as_text(value)


def _as_text(value: Any) -> Any:
    """Return a value for a spreadsheet; text that looks like a formula gets a leading quote."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
