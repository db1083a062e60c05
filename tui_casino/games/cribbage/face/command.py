"""Cribbage on the command line: the trainer, games to 121, discard advice and battles."""

from __future__ import annotations

import os
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from pathlib import Path

from ....gamekit.command import GameCommand
from ....gamekit.table_setup import TableSetup
from ....inputs.arguments import parse_number
from ....inputs.errors import BadInput
from ....inputs.files import UserPath
from ....records.log_header import HUMAN
from ..brains.players import PLAYERS
from ..machine.rules import ACC, RULE_SETS, TRAINER
from ..machine.state import MOST_GAMES, CountingMode, GameForm, Options
from .command_modes import add_mode_arguments, add_odds_arguments, odds, run_mode
from .properties import (
    LEAST_SEED,
    MOST_SEED,
    PROPERTIES_NAME,
    Properties,
    read_properties,
)
from .table_catalog import USUAL_PLAYERS, CribbageSetup, seating_of
from .trainer_log_file import LOG_NAME

OPPONENT = "greedy"
"""The opponent in a game if no other is chosen."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the seed, the properties and log files, and the options of the table."""
    parser.add_argument(
        "java_seed",
        metavar="SEED",
        nargs="?",
        help="play the round with this seed, from -2**31 to 2**31-1",
    )
    parser.add_argument(
        "--properties", metavar="FILE", help=f"read FILE instead of {PROPERTIES_NAME}"
    )
    parser.add_argument("--log", metavar="FILE", help=f"write FILE instead of {LOG_NAME}")
    parser.add_argument(
        "--rules",
        choices=list(RULE_SETS),
        help=f"the scoring rules (default: {TRAINER.name}; for games and battles: {ACC.name})",
    )
    parser.add_argument(
        "--game",
        metavar="N",
        nargs="?",
        const="1",
        help=f"play a game to {ACC.target}, or a series of N games, with hidden cards",
    )
    parser.add_argument(
        "--opponent",
        choices=[*PLAYERS, HUMAN],
        help=f"your opponent (default: from the properties file, or random; in games {OPPONENT}); "
        f"{HUMAN}: two players at this keyboard",
    )
    parser.add_argument(
        "--swap",
        action="store_true",
        help="swap seats: with the same seed you get your opponent's cards",
    )
    parser.add_argument(
        "--count",
        choices=[CountingMode.SELF.value, CountingMode.MUGGINS.value],
        help="count your own hands; with muggins your opponent scores the points you miss",
    )
    parser.add_argument(
        "--open",
        action=BooleanOptionalAction,
        help="show all cards face up (default: yes in the trainer, no in games)",
    )
    add_mode_arguments(parser)


def seating(args: Namespace) -> TableSetup[Options]:
    """Return the table that the arguments and the properties file request."""
    return seating_of(_setup(args, _properties(args)), args.console)


def _properties(args: Namespace) -> Properties:
    if args.properties is not None:
        return read_properties(UserPath(Path(args.properties), args.cwd))
    usual = UserPath(PROPERTIES_NAME, args.cwd)
    return read_properties(usual) if os.path.lexists(usual) else Properties()


def _setup(args: Namespace, file: Properties) -> CribbageSetup:
    if args.java_seed is not None and args.seed is not None:
        raise BadInput("give SEED or --seed, not both")
    java = file.seed if args.seed is None else None
    if args.java_seed is not None:
        java = parse_number("SEED", args.java_seed, LEAST_SEED, MOST_SEED)
    game = args.game is not None
    players = _players(file, args.opponent, game)
    players = players[::-1] if args.swap else players
    options = Options(
        rules=args.rules or file.rules or (ACC if game else TRAINER).name,
        form=GameForm.GAME if game else GameForm.ROUND,
        games=parse_number("--game", args.game, 1, MOST_GAMES) if game else 1,
        counting=CountingMode(args.count or CountingMode.TABLE.value),
        open=not game and not _shared(players) if args.open is None else args.open,
    )
    log = args.log if args.log is not None else None if game else LOG_NAME
    log = None if log is None else UserPath(Path(log), args.cwd)
    return CribbageSetup(options, players, java, log, animate=file.animate is not False)


def _players(file: Properties, opponent: str | None, game: bool) -> tuple[str, str]:
    usual = (OPPONENT, HUMAN) if game else USUAL_PLAYERS
    first, second = (
        configured or other for configured, other in zip(file.players, usual, strict=True)
    )
    if opponent is None:
        return first, second
    if HUMAN not in (first, second):
        raise BadInput(
            "--opponent needs a human player; the properties file names two computer players"
        )
    return (opponent, second) if second == HUMAN else (first, opponent)


def _shared(players: tuple[str, str]) -> bool:
    """Return whether two humans share the keyboard, so that cards must be hidden from both."""
    return players == (HUMAN, HUMAN)


COMMAND = GameCommand(seating, odds, add_arguments, add_odds_arguments, run_mode)
