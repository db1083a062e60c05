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
    """Keep the values of a function for its last so many arguments, and work each out once.

    It is for what takes long or much memory: with ``functools.lru_cache`` every thread that asks
    before the value is there works it out for itself. Functions must not ask in a circle.
    """
    return lambda work: Memoized(work, maxsize)


class _Place(Generic[R]):
    """Where a value will be, and whose turn it is to work it out."""

    __slots__ = ("turn", "value")

    def __init__(self) -> None:
        self.turn = RLock()
        self.value: tuple[R] | None = None


class Memoized(Generic[P, R]):
    """A function that works out each value once; :func:`memoize` makes one.

    Raises what the function raises, which is not kept: the next that asks tries again.
    """

    def __init__(self, work: Callable[P, R], maxsize: int) -> None:
        update_wrapper(self, work)
        self._work = work
        self._place = lru_cache(maxsize=maxsize)(lambda *args, **kwargs: _Place[R]())
        self._door = Lock()  # two threads that made a place would each have their own

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Give the value, as soon as it is there."""
        with self._door:
            place = self._place(*args, **kwargs)  # type: ignore[arg-type]
        if place.value is None:
            with place.turn:
                if place.value is None:
                    place.value = (self._work(*args, **kwargs),)
        return place.value[0]

    def cache_clear(self) -> None:
        """Forget all values, as the caches of ``functools`` do."""
        self._place.cache_clear()
