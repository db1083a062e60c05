"""Keeps the frames of a log while it is written, so that any step of it is found at once later."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

from ..gamekit.parts import Parts
from ..inputs.files import BadFile
from .cache import Cache
from .playback import EVERY, Recording


class Keeper:
    """Follows a log that this program writes; see :class:`~tui_casino.records.log.Follower`.

    It works aside, on a thread of its own. What it keeps is for comfort alone: where that cannot be
    done, it is left undone.
    """

    def __init__(self, parts: Parts[Any, Any, Any, Any, Any], path: Path, cache: Cache) -> None:
        self._parts, self._path, self._cache = parts, path, cache
        self._recording: Recording[Any, Any, Any, Any, Any] | None = None
        self._thread: Thread | None = None
        self._closed = False

    def written(self, steps: int) -> None:
        """Have the steps since the last frame worked out, if they make another."""
        if steps % EVERY or self._cache.path is None:
            return
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._keep, daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Let the file go, after the frame that is being worked out."""
        self._closed = True
        if self._thread is not None:
            self._thread.join()
        self._let_go()

    def _keep(self) -> None:
        try:
            if self._recording is None:
                self._recording = Recording(self._parts, self._path, self._cache)
            self._recording.refresh()
            for _ in self._recording.index():
                if self._closed:
                    return
        except BadFile:  # somebody has meddled with it: it will be written again, as another file
            self._let_go()

    def _let_go(self) -> None:
        if self._recording is not None:
            self._recording.close()
            self._recording = None
