"""Functions whose module is imported when one of them is called, so that a table opens without it.

The type checker and the import contracts see an ordinary import::

    if TYPE_CHECKING:
        from .brains import judging  # numpy, late
    else:
        judging = LazyModule(".brains.judging", __package__)
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


class LazyModule:
    """Stands for a module of functions."""

    def __init__(self, name: str, package: str) -> None:
        self._name, self._package = name, package

    def __getattr__(self, function: str) -> LazyFunction:
        if function.startswith("__"):  # asked for by copy and pickle, not by a caller
            raise AttributeError(function)
        return LazyFunction(self._name, self._package, function)


@dataclass(frozen=True, slots=True)
class LazyFunction:
    """Stands for a function of a module that may not be imported yet."""

    module: str
    package: str
    name: str

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return getattr(import_module(self.module, self.package), self.name)(*arguments)
