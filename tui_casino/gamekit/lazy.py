"""Modules that are imported at the first call of one of their functions.

A table, or the menu, opens without them. The type checker and the import contracts see an
ordinary import::

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
    """Stands for a module of functions and classes that are called, and of constants.

    A constant, with a name in capitals, is read at once, which imports the module.
    """

    def __init__(self, name: str, package: str | None = None) -> None:
        self._name, self._package = name, package

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked for by copy and pickle, not by a caller
            raise AttributeError(name)
        if name.isupper():
            return getattr(import_module(self._name, self._package), name)
        return LazyFunction(self._name, self._package, name)


@dataclass(frozen=True, slots=True)
class LazyFunction:
    """Stands for a function or a class of a module that may not be imported yet."""

    module: str
    package: str | None
    name: str

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function, or make an object of the class."""
        return self.load()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the class, such as a second constructor."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.load(), name)

    def load(self) -> Any:
        """Import the module; return the function."""
        return getattr(import_module(self.module, self.package), self.name)


def load(function: object) -> None:
    """Import the module of a function if that is still to be done."""
    if isinstance(function, LazyFunction):
        function.load()
