"""``--record FILE``: write what the terminal shows to an asciicast file."""

from __future__ import annotations

import shutil
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from ..inputs.files import UserPath
from ..inputs.sanitize import printable_lines

if TYPE_CHECKING:  # only recordings need it
    from ..gamekit.table_catalog import PrintLine
    from ..records.asciicast import CastRecorder


def open_cast(args: Namespace, closing: ExitStack) -> CastRecorder | None:
    """Start the recording that ``--record`` asks for. Raises :class:`BadInput`."""
    if args.record is None:
        return None
    from ..records.asciicast import CastRecorder  # late: most sessions are not recorded

    size = shutil.get_terminal_size()
    path = UserPath(Path(args.record), args.cwd)
    cast = CastRecorder(path, (size.columns, size.lines), args.environ.get("TERM"))
    closing.callback(cast.close)
    return cast


def with_recording(say: PrintLine, cast: CastRecorder | None) -> PrintLine:
    """Return a function that prints a line and also records it."""
    if cast is None:
        return say

    def say_and_record(line: str) -> None:
        say(line)
        cast.output(printable_lines(line).replace("\n", "\r\n") + "\r\n")

    return say_and_record
