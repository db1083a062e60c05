"""A cache for slow functions: one thread computes a value while the others wait for it.

>>> @memoize(maxsize=2)
... def triangle(side: int) -> int:
...     print("counting", side)
...     return side * (side + 1) // 2
>>> triangle(4), triangle(4)
counting 4
(10, 10)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from threading import Lock, RLock
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def memoize(maxsize: int = 1) -> Callable[[Callable[P, R]], Memoized[P, R]]:
    """Cache a function's values for the last ``maxsize`` different calls; compute each value once.

    Use this decorator for functions that take much time or memory. With ``functools.lru_cache``,
    several threads may compute the same value at the same time. Cached functions must not call each
    other in a cycle.
    """
    return lambda work: Memoized(work, maxsize)


class _Place(Generic[R]):
    """A cache entry: its value once it is computed, and the lock of the computing thread."""

    __slots__ = ("turn", "value")

    def __init__(self) -> None:
        self.turn = RLock()
        self.value: tuple[R] | None = None


class Memoized(Generic[P, R]):
    """A function that computes each value once; created by :func:`memoize`.

    Exceptions of the function are raised but not cached, so the next call tries again.
    """

    def __init__(self, work: Callable[P, R], maxsize: int) -> None:
        update_wrapper(self, work)
        self._work = work
        self._place = lru_cache(maxsize=maxsize)(lambda *args, **kwargs: _Place[R]())
        self._door = Lock()  # without it, two threads could create different entries

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the value; wait if another thread is computing it."""
        with self._door:
            place = self._place(*args, **kwargs)  # type: ignore[arg-type]
        if place.value is None:
            with place.turn:
                if place.value is None:
                    place.value = (self._work(*args, **kwargs),)
        return place.value[0]

    def cache_clear(self) -> None:
        """Clear the cache, like the method of the same name in ``functools``."""
        self._place.cache_clear()
