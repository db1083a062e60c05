"""The toy game on the command line."""

from __future__ import annotations

from argparse import Namespace

from tui_casino.cards.card import RANKS
from tui_casino.gamekit.definition import GameCommand

from ..brains.odds import share
from .table_catalog import TABLES


def odds(args: Namespace) -> int:
    """Print the share of the pot for each rank if the card is kept."""
    for rank in RANKS:
        print(f"{rank.word:<8}{float(share(rank)):>8.2%}", file=args.stdout)
    return 0


COMMAND = GameCommand(lambda args: TABLES.setup(), odds)
