"""Asking what may take long, such as the adviser: off the loop, one of a kind at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from textual.widget import Widget
from textual.worker import Worker

TaskResult = TypeVar("TaskResult")

NO_MEMORY = "There is not enough memory for this."
"""The message to the player; a server limits the memory of each session."""


class BackgroundTasks:
    """Works questions out for a screen or a view, on the threads of the loop's own executor.

    Of each kind one is worked out at a time, and of those that wait meanwhile only the newest:
    however fast the moments change, no more threads are at work than there are kinds.
    """

    def __init__(self, owner: Widget) -> None:
        self._owner = owner
        self._waiting: dict[str, list[Callable[[], Callable[[], None]]]] = {}
        self._busy: set[str] = set()
        self._pending: dict[str, Callable[[], object]] = {}

    def run(
        self,
        kind: str,
        work_out: Callable[[], TaskResult],
        then: Callable[[TaskResult], None],
        still: Callable[[], bool],
    ) -> None:
        """Have something worked out; ``then`` hears it on the loop, if that ``still`` matters."""

        def told(found: TaskResult) -> None:
            if self._pending.get(kind) is work_out:
                del self._pending[kind]
                if still():
                    then(found)

        self._pending[kind] = work_out
        self._waiting[kind] = [_job(work_out, told)]
        self._begin(kind)

    def is_pending(self, kind: str, work_out: Callable[[], object]) -> bool:
        """Tell whether the answer to this question is still waited for."""
        return self._pending.get(kind) is work_out

    def cancel(self, *kinds: str) -> bool:
        """Wait no more for answers of these kinds; false if none was waited for."""
        waited = [kind for kind in kinds if self._pending.pop(kind, None)]
        return bool(waited)

    def enqueue(
        self, kind: str, work_out: Callable[[], TaskResult], then: Callable[[TaskResult], None]
    ) -> None:
        """Have something worked out behind all of its kind that still waits; none is left out."""
        self._waiting.setdefault(kind, []).append(_job(work_out, then))
        self._begin(kind)

    def _begin(self, kind: str) -> None:
        if kind not in self._busy:
            self._busy.add(kind)
            work = partial(self._work, kind)
            worker: Worker[None] = self._owner.run_worker(work, name=kind, group=kind)
            del worker  # it is one of the owner's; a name only for its type

    async def _work(self, kind: str) -> None:
        loop = asyncio.get_running_loop()
        try:
            while waiting := self._waiting.get(kind):
                try:
                    answer = await loop.run_in_executor(None, waiting.pop(0))
                except MemoryError:
                    self._owner.app.notify(NO_MEMORY, severity="warning")
                else:
                    answer()
        finally:
            self._busy.discard(kind)


def _job(
    work_out: Callable[[], TaskResult], then: Callable[[TaskResult], None]
) -> Callable[[], Callable[[], None]]:
    def job() -> Callable[[], None]:
        return partial(then, work_out())

    return job
