"""Open a replay at a step, in the screen of its game."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ...gamekit.registry import GameListing
from ...records.cache import Cache
from ...records.playback import Playback
from ..desk import ScreenDesk, run_cancellable
from ..table.face import face_of
from .screen import ReplayTable


async def open_replay(
    desk: ScreenDesk, listing: GameListing, path: Path, *, at_mistake: bool = False, before: int = 1
) -> None:
    """Open a log at its first mistake, or at the position before a step.

    Raises :class:`~...inputs.errors.BadInput` for a log that cannot be read, and
    :class:`~.seat_view.SittingNotOver` for a session that may not be shown yet.
    """
    cache = Cache(desk.house.cache)
    recording = await run_cancellable(partial(Playback, listing.definition(), path, cache))
    step = max(0, min(before - 1, recording.steps))
    try:
        screen = ReplayTable(desk, listing, face_of(listing), recording, at_mistake, step)
        await desk.show(screen)
    except BaseException:
        recording.close()
        raise
