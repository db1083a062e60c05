"""Computes the replay frames of a log while it is written, for fast access later."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from ..gamekit.definition import AnyDefinition
from ..inputs.files import BadFile
from .cache import FRAME_INTERVAL, Cache

if TYPE_CHECKING:  # whoever has workers has it loaded
    from concurrent.futures import Future

    from .playback import Playback


class IndexingExecutor(Protocol):
    """Who does what is worked out aside: an executor with so many threads, for all logs at once."""

    def submit(self, job: Callable[[], None], /) -> Future[None]:
        """Have a job done some time. Raises ``RuntimeError`` once the workers have gone home."""
        ...


class FrameIndexer:
    """Follows a log that this program writes; a :class:`.LogFollower`.

    It works aside: the workers, which it shares with other logs, are asked for one frame at a time,
    so that each log has its turn. No choice is judged: a game's odds may take more memory than all
    else, and so that is left to whoever looks for mistakes. What it keeps is for comfort alone:
    where that cannot be done, it is left undone.
    """

    def __init__(
        self, definition: AnyDefinition, path: Path, cache: Cache, workers: IndexingExecutor
    ) -> None:
        self._definition, self._path, self._cache, self._workers = definition, path, cache, workers
        self._lock = Lock()  # of the next three, for a moment only
        self._asked = False  # a worker has what follows, or will have it
        self._more = False  # has been written since a worker looked
        self._closed = False
        self._recording: Playback[Any, Any, Any, Any, Any] | None = None
        self._frames: Generator[int, None, None] | None = None

    def written(self, steps: int) -> None:
        """Have the steps since the last frame worked out, if they make another."""
        if steps % FRAME_INTERVAL:
            return
        with self._lock:
            self._more = True
            if self._asked or self._closed:
                return
            self._asked = True
        self._ask()

    def close(self) -> None:
        """Let the file go: at once, or as soon as the worker who is at it has made his frame."""
        with self._lock:
            self._closed = True
            if self._asked:
                return
        self._let_go()

    def _ask(self) -> None:
        try:
            job = self._workers.submit(self._turn)
        except RuntimeError:
            self._let_go()
        else:
            job.add_done_callback(self._if_cancelled)

    def _if_cancelled(self, job: Future[None]) -> None:
        if job.cancelled():
            self._let_go()

    def _turn(self) -> None:
        """Work out a frame, and ask for another turn if there is more to do."""
        try:
            rest = not self._closed and self._work()
        except BaseException:
            self._let_go()
            raise
        with self._lock:
            another = (rest or self._more) and not self._closed
            self._asked = another or self._closed
            if not self._asked:
                return
        if another:
            self._ask()
        else:
            self._let_go()

    def _work(self) -> bool:
        """Work out the next frame; tell whether there may be others."""
        try:
            if self._frames is None:
                if self._recording is None:
                    from .playback import Playback  # late: most sittings are shorter than a frame

                    self._recording = Playback(self._definition, self._path, self._cache)
                self._more = False
                self._recording.refresh()
                self._frames = self._recording.index()
            next(self._frames)
        except StopIteration:
            self._frames = None
            return False
        except BadFile:  # somebody has meddled with it: it will be written again, as another file
            self._let_go()
            return False
        return True

    def _let_go(self) -> None:
        if self._frames is not None:
            self._frames.close()  # which saves what it has found
            self._frames = None
        if self._recording is not None:
            self._recording.close()
            self._recording = None
