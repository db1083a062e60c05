"""The toy on the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from tui_casino.cards.card import RANKS
from tui_casino.gamekit.seating import Seating

from ..brains.odds import share
from ..machine.game import Options
from .tables import TABLES


def add_arguments(parser: ArgumentParser) -> None:
    """Declare nothing: there is one table."""


def run(args: Namespace) -> None:
    """Do nothing but play."""


def seating(args: Namespace) -> Seating[Options]:
    """Sit down at the table."""
    return TABLES.seating()


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Declare nothing."""


def odds(args: Namespace) -> int:
    """Print what each rank takes of the pot if it is kept."""
    for rank in RANKS:
        print(f"{rank.word:<8}{float(share(rank)):>8.2%}", file=args.stdout)
    return 0
