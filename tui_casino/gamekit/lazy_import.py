"""Placeholders for modules that are imported when one of their functions is first called.

The menu and the tables open without loading these modules. The type checker and the import
contracts see an ordinary import::

    if TYPE_CHECKING:
        from .brains import judging  # late: loads numpy
    else:
        judging = LazyModule(".brains.judging", __package__)
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from msgspec import Struct


class LazyModule:
    """A placeholder for a module whose functions and classes are called.

    Reading a constant (a name in capitals) imports the module immediately.
    """

    def __init__(self, name: str, package: str | None = None) -> None:
        self._name, self._package = name, package

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # only copy and pickle look these up
            raise AttributeError(name)
        if name.isupper():
            return getattr(import_module(self._name, self._package), name)
        return LazyFunction(self._name, self._package, name)


class LazyFunction(Struct, frozen=True):
    """A placeholder for a function or a class of a module that may not be imported yet."""

    module: str
    package: str | None
    name: str

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function, or construct an object of the class."""
        return self.load()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the class, such as a second constructor."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.load(), name)

    def load(self) -> Any:
        """Import the module; return the function or class."""
        return getattr(import_module(self.module, self.package), self.name)


def load_lazy(function: object) -> None:
    """Import the module of a function, if it is a :class:`LazyFunction`."""
    if isinstance(function, LazyFunction):
        function.load()
