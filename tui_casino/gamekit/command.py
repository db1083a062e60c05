"""A game's own part of the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass

from .table_setup import AnyTableSetup


def _declare_nothing(parser: ArgumentParser) -> None:
    pass


@dataclass(frozen=True, slots=True)
class GameCommand:
    """A game's own part of the command line: ``COMMAND`` of the module ``command`` in its folder.

    ``setup`` says how to sit down, and ``odds`` prints the game's exact odds and returns the exit
    code. ``add_arguments`` and ``add_odds_arguments`` declare the options of ``tui-casino GAME``
    and of ``tui-casino odds GAME``. ``run`` runs the mode that was asked for and returns its exit
    code; ``None`` to sit down and play.

    All raise :class:`~tui_casino.inputs.errors.BadInput` for what cannot be used. Their arguments
    contain ``here``, the folder that given paths lead from, and ``stdin``, ``stdout``, ``stderr``.
    """

    setup: Callable[[Namespace], AnyTableSetup]
    odds: Callable[[Namespace], int]
    add_arguments: Callable[[ArgumentParser], None] = _declare_nothing
    add_odds_arguments: Callable[[ArgumentParser], None] = _declare_nothing
    run: Callable[[Namespace], int | None] = lambda args: None
