"""Calculate the replay frames of a log while it is written, so that its replay is fast later."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from ..gamekit.definition import AnyDefinition
from ..inputs.files import BadFile
from .cache import FRAME_INTERVAL, Cache

if TYPE_CHECKING:  # a program with workers has loaded it already
    from concurrent.futures import Future

    from .playback import Playback


class IndexingExecutor(Protocol):
    """An executor with a few threads for background work on all logs."""

    def submit(self, job: Callable[[], None], /) -> Future[None]:
        """Run a job later. Raises ``RuntimeError`` once the executor is shut down."""
        ...


class FrameIndexer:
    """A :class:`.LogFollower` that indexes a log while this program writes it.

    It works in the background. All logs share the workers, and each log asks for one frame at a
    time, so every log gets its turn. Choices are not analysed, because a game's odds may need more
    memory than everything else. The frames only save time; errors are ignored.
    """

    def __init__(
        self, definition: AnyDefinition, path: Path, cache: Cache, workers: IndexingExecutor
    ) -> None:
        self._definition, self._path, self._cache, self._workers = definition, path, cache, workers
        self._lock = Lock()  # protects the next three fields; held briefly
        self._asked = False  # a job is waiting or running
        self._more = False  # lines were written since a worker looked
        self._closed = False
        self._recording: Playback[Any, Any, Any, Any, Any] | None = None
        self._frames: Generator[int, None, None] | None = None

    def written(self, steps: int) -> None:
        """Calculate the next frame in the background if enough steps have been written."""
        if steps % FRAME_INTERVAL:
            return
        with self._lock:
            self._more = True
            if self._asked or self._closed:
                return
            self._asked = True
        self._ask()

    def close(self) -> None:
        """Close the file now, or when the worker has finished the current frame."""
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
        """Calculate a frame, and ask for another turn if there is more to do."""
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
        """Calculate the next frame; return whether there may be more."""
        try:
            if self._frames is None:
                if self._recording is None:
                    from .playback import Playback  # late: most sessions are shorter than a frame

                    self._recording = Playback(self._definition, self._path, self._cache)
                self._more = False
                self._recording.refresh()
                self._frames = self._recording.index()
            next(self._frames)
        except StopIteration:
            self._frames = None
            return False
        except BadFile:  # another program changed the log; it will be written again as a new file
            self._let_go()
            return False
        return True

    def _let_go(self) -> None:
        if self._frames is not None:
            self._frames.close()  # this saves the finished frames
            self._frames = None
        if self._recording is not None:
            self._recording.close()
            self._recording = None
