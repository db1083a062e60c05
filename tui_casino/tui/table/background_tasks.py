"""Run a screen's slow computations, such as advice, on threads, one of each kind at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from textual.widget import Widget
from textual.worker import Worker

TaskResult = TypeVar("TaskResult")

NO_MEMORY = "There is not enough memory for this."
"""The message to the player; a server limits the memory of each visit."""


class BackgroundTasks:
    """Runs tasks for a screen or a view on the threads of the event loop's executor.

    One task of each kind runs at a time, and only the newest waits. However fast the screen
    changes, there is at most one busy thread per kind.
    """

    def __init__(self, owner: Widget) -> None:
        self._owner = owner
        self._waiting: dict[str, list[Callable[[], Callable[[], None]]]] = {}
        self._busy: set[str] = set()
        self._pending: dict[str, Callable[[], object]] = {}

    def run(
        self,
        kind: str,
        task: Callable[[], TaskResult],
        on_result: Callable[[TaskResult], None],
        is_current: Callable[[], bool],
    ) -> None:
        """Run a task; then call ``on_result`` in the event loop if ``is_current`` returns true."""

        def finish(result: TaskResult) -> None:
            if self._pending.get(kind) is task:
                del self._pending[kind]
                if is_current():
                    on_result(result)

        self._pending[kind] = task
        self._waiting[kind] = [_job(task, finish)]
        self._begin(kind)

    def cancel(self, *kinds: str) -> bool:
        """Drop the results of these kinds; return whether any was awaited."""
        waited = [kind for kind in kinds if self._pending.pop(kind, None)]
        return bool(waited)

    def enqueue(
        self, kind: str, task: Callable[[], TaskResult], on_result: Callable[[TaskResult], None]
    ) -> None:
        """Run a task after all waiting tasks of its kind, without dropping any of them."""
        self._waiting.setdefault(kind, []).append(_job(task, on_result))
        self._begin(kind)

    def _begin(self, kind: str) -> None:
        if kind not in self._busy:
            self._busy.add(kind)
            work = partial(self._work, kind)
            worker: Worker[None] = self._owner.run_worker(work, name=kind, group=kind)
            del worker  # the owner holds it; this name exists only for the type annotation

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
    task: Callable[[], TaskResult], on_result: Callable[[TaskResult], None]
) -> Callable[[], Callable[[], None]]:
    def job() -> Callable[[], None]:
        return partial(on_result, task())

    return job
