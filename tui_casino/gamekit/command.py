"""A game's own part of the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Protocol

from .seating import AnySeating


class GameCommand(Protocol):
    """A game's own part of the command line: the module ``command`` in its folder.

    Its functions raise :class:`~tui_casino.inputs.errors.BadInput` for what cannot be used. Among
    the arguments of :meth:`run`, :meth:`seating` and :meth:`odds` is what the door hands in:
    ``here``, the folder that given paths lead from, and ``stdin``, ``stdout`` and ``stderr``.
    """

    def add_arguments(self, parser: ArgumentParser, /) -> None:
        """Declare the game's own options and modes."""
        ...

    def run(self, args: Namespace, /) -> int | None:
        """Run the mode that was asked for and give its exit code; ``None`` to sit down and play."""
        ...

    def seating(self, args: Namespace, /) -> AnySeating:
        """Say how to sit down."""
        ...

    def add_odds_arguments(self, parser: ArgumentParser, /) -> None:
        """Declare the options of ``tui-casino odds GAME``."""
        ...

    def odds(self, args: Namespace, /) -> int:
        """Print the game's exact odds and give the exit code."""
        ...
