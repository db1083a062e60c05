"""Code that is imported when it is first used, so that a table opens without numpy."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyModule:
    """Stands for a module that is imported when an attribute of it is asked for.

    The type checker and the import contracts see an ordinary import::

        if TYPE_CHECKING:
            from .brains import judging
        else:
            judging = LazyModule(".brains.judging", __package__)
    """

    def __init__(self, name: str, package: str) -> None:
        self._name, self._package = name, package

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):  # asked for by copy and pickle, not by a caller
            raise AttributeError(attribute)
        return getattr(import_module(self._name, self._package), attribute)


class LazyFunction:
    """Stands for a function whose module is imported when it is called."""

    def __init__(self, name: str, function: str, package: str) -> None:
        self._module, self._function = LazyModule(name, package), function

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return getattr(self._module, self._function)(*arguments)
