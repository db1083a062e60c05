"""A game's own part of the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from msgspec import Struct

from .table_setup import AnyTableSetup


def _declare_nothing(parser: ArgumentParser) -> None:
    pass


class GameCommand(Struct, frozen=True):
    """A game's own part of the command line: ``COMMAND`` of the module ``command`` in its folder.

    ``setup`` returns the setup of a session, and ``odds`` prints the game's exact odds and returns
    the exit code. ``add_arguments`` and ``add_odds_arguments`` declare the options of ``tui-casino
    GAME`` and of ``tui-casino odds GAME``. ``run`` runs a special mode and returns its exit code,
    or returns ``None`` if the game is to be played.

    All these functions raise :class:`~tui_casino.inputs.errors.BadInput` for options that cannot be
    used. Their arguments contain ``cwd``, the folder in which relative paths start, ``environ``,
    and ``stdin``, ``stdout`` and ``stderr``.
    """

    setup: Callable[[Namespace], AnyTableSetup]
    odds: Callable[[Namespace], int]
    add_arguments: Callable[[ArgumentParser], None] = _declare_nothing
    add_odds_arguments: Callable[[ArgumentParser], None] = _declare_nothing
    run: Callable[[Namespace], int | None] = lambda args: None
