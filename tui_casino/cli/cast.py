"""``--record FILE``: what the terminal shows, in a file that can be played."""

from __future__ import annotations

import shutil
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from ..inputs.files import GivenPath
from ..inputs.plain import shown

if TYPE_CHECKING:  # the arcade has none of this unless it is asked for
    from ..gamekit.seating import Say
    from ..records.cast import Cast


def open_cast(args: Namespace, closing: ExitStack) -> Cast | None:
    """Begin the recording that is asked for. Raises :class:`~tui_casino.inputs.errors.BadInput`."""
    if args.record is None:
        return None
    from ..records.cast import Cast  # late: most sessions are not recorded

    size = shutil.get_terminal_size()
    path = GivenPath(Path(args.record), args.here)
    cast = Cast(path, (size.columns, size.lines), args.environ.get("TERM"))
    closing.callback(cast.close)
    return cast


def recorded(say: Say, cast: Cast | None) -> Say:
    """Give what says a line and records it."""
    if cast is None:
        return say

    def said(line: str) -> None:
        say(line)
        cast.output(shown(line).replace("\n", "\r\n") + "\r\n")

    return said
