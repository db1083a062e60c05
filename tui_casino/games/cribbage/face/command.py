"""Cribbage on the command line: the trainer, games to 121, discard advice and battles."""

from __future__ import annotations

import os
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ....cards.card import Card, Hand, format_cards
from ....gamekit.definition import GameCommand
from ....gamekit.lazy_import import LazyModule
from ....gamekit.simulation_runner import add_worker_options, refuse_options, run_simulation
from ....gamekit.table_catalog import TableSetup
from ....inputs.errors import BadInput
from ....inputs.files import UserPath
from ....inputs.numbers import count_noun, parse_number
from ....records.log_header import HUMAN
from ..brains.known_rules import unknown_rule
from ..brains.lazy import discards
from ..brains.players import PLAYERS
from ..brains.show_points import starters_of
from ..machine.rules import ACC, DEALT, DISCARDS, KEPT, RULE_SETS, TRAINER, RuleSet
from ..machine.state import MOST_GAMES, CountingMode, GameForm, Options
from .original_trainer_files import (
    LEAST_SEED,
    LOG_NAME,
    MOST_SEED,
    PROPERTIES_NAME,
    Properties,
    read_properties,
)
from .table_catalog import USUAL_PLAYERS, CribbageSetup, seating_of

if TYPE_CHECKING:
    from . import odds_report  # numpy, late
else:
    odds_report = LazyModule(".odds_report", __package__)

OPPONENTS = "expert,greedy"
NUMBERS = {DISCARDS: "two", KEPT: "four", DEALT: "six"}


def add_mode_arguments(parser: ArgumentParser) -> None:
    """Declare the options of discard advice and battles, except the rules and the seed."""
    adviser = parser.add_argument_group("discard advice")
    adviser.add_argument(
        "--discard",
        metavar="CARDS",
        help='rank all discards of six cards, such as "2C 2H 7C QC QD KH"',
    )
    crib_owner = adviser.add_mutually_exclusive_group()
    crib_owner.add_argument(
        "--dealer", action="store_true", help="with --discard: the crib is yours"
    )
    crib_owner.add_argument(
        "--pone", action="store_true", help="with --discard: the crib is your opponent's"
    )
    adviser.add_argument(
        "--weighted",
        action="store_true",
        help="with --discard: assume that the opponent discards as good players do",
    )
    battle = parser.add_argument_group("battles")
    battle.add_argument(
        "--battle",
        metavar="N",
        help="let two computer players play N pairs of games, swapping seats within a pair",
    )
    battle.add_argument(
        "--players",
        metavar="A,B",
        help=f"with --battle: two of {', '.join(PLAYERS)} (default: {OPPONENTS})",
    )
    add_worker_options(battle, "the battle")
    parser.add_argument(
        "--json", action="store_true", help="print the advice or the battle as JSON"
    )


def run_mode(args: Namespace) -> int | None:
    """Run discard advice or a battle and return the exit code; ``None`` if neither is asked for.

    Raises :class:`BadInput` for invalid arguments.
    """
    if args.discard is not None and args.battle is not None:
        raise BadInput("--discard and --battle cannot be combined")
    if args.discard is None and (args.dealer or args.pone or args.weighted):
        raise BadInput("--dealer, --pone and --weighted need --discard")
    if args.battle is None:
        refuse_options(args, ("players", "jobs", "cluster"), "needs --battle")
    mode = "discard" if args.discard is not None else "battle" if args.battle is not None else None
    if mode is not None:
        _refuse_table_options(args, mode)
    if args.discard is not None:
        return _discard(args)
    if args.battle is not None:
        return _battle(args)
    if args.json:
        raise BadInput("--json needs --discard or --battle")
    return None


_AT_TABLES = {
    "java_seed": "SEED",
    "properties": "--properties",
    "log": "--log",
    "game": "--game",
    "opponent": "--opponent",
    "swap": "--swap",
    "count": "--count",
    "open": "--open",
    "console": "--console",
}
"""The options that are allowed only at a table; the keys are the names of their arguments."""


def _refuse_table_options(args: Namespace, mode: str) -> None:
    for name, option in _AT_TABLES.items():
        if getattr(args, name, None) not in (None, False):
            raise BadInput(f"{option} is for a table and cannot be combined with --{mode}")


def _known_rules(args: Namespace) -> RuleSet:
    """Return the chosen rule set. Raises :class:`BadInput` if it has no adviser."""
    rules = RULE_SETS[args.rules or TRAINER.name]
    if unknown_rule(rules) is not None:
        raise BadInput(f"--rules: the trainer does not know the {rules.title} rules")
    return rules


def _discard(args: Namespace) -> int:
    crib = (
        ""
        if args.dealer or args.pone
        else "--discard needs --dealer (your crib) or --pone (the opponent's crib)"
    )
    try:
        hand = _cards("--discard", args.discard, DEALT)
    except BadInput as error:
        raise BadInput("; ".join(filter(None, (str(error), crib)))) from None
    if crib:
        raise BadInput(crib)
    weights = (
        discards.shipped_frequencies().weights_against(args.dealer)
        if args.weighted
        else discards.EVERY_PAIR
    )
    ranked = discards.weigh(hand, args.dealer, _known_rules(args), weights)
    print(
        (odds_report.discards_as_json if args.json else odds_report.discards_as_text)(ranked),
        file=args.stdout,
    )
    return 0


def _cards(option: str, text: str, count: int, excluded: Hand = ()) -> Hand:
    """Read ``count`` different cards, none of them among the ``excluded``."""
    cards: list[Card] = []
    for place, word in enumerate(text.replace(",", " ").split(), 1):
        try:
            cards.append(Card.parse(word))
        except ValueError as error:
            raise BadInput(f"{option}: card {place}: {error}") from None
        if cards[-1] in (*cards[:-1], *excluded) or cards[-1].index < 0:
            problem = "appears twice" if cards[-1].index >= 0 else "is face down"
            raise BadInput(
                f"{option}: card {place}: {word} {problem}; give {NUMBERS[count]} different cards"
            )
    if len(cards) != count:
        cards_text = format_cards(cards) or "nothing"
        has = count_noun(len(cards), "card")
        raise BadInput(f"{option}: {cards_text!r} has {has}; give {NUMBERS[count]}")
    return tuple(cards)


def _battle(args: Namespace) -> int:
    from ..brains.battle import MOST_PAIRS, run_battle  # late: numpy

    pairs = parse_number("--battle", args.battle, 2, MOST_PAIRS)
    names = (args.players or OPPONENTS).split(",")
    if len(names) != 2 or not set(names) <= set(PLAYERS):
        names_text = ", ".join(PLAYERS)
        raise BadInput(
            f"--players: {args.players!r} does not name two players; "
            f"give two of {names_text}, such as {OPPONENTS}"
        )
    if names[0] == names[1]:  # both games of a pair have the same cards
        raise BadInput(
            f"--players: {args.players!r} names one player twice; give two different ones"
        )
    simulate = partial(run_battle, (names[0], names[1]), pairs, rules=args.rules or ACC.name)
    battle = run_simulation(args, "pairs of games", pairs, simulate)
    print(
        (odds_report.battle_as_json if args.json else odds_report.battle_as_text)(battle),
        file=args.stdout,
    )
    return 0


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Declare the options of ``odds cribbage``."""
    parser.add_argument(
        "--rules", choices=tuple(RULE_SETS), help="the scoring rules (default: trainer)"
    )
    parser.add_argument(
        "--win", action="store_true", help="print the chance to win a game to 121 at each score"
    )
    parser.add_argument(
        "--score", nargs=2, metavar=("A", "B"), help="with --win: your points and your opponent's"
    )
    parser.add_argument("--dealer", action="store_true", help="with --score: you deal next")
    parser.add_argument(
        "--hand",
        metavar="CARDS",
        help='print the points of four cards with each starter, such as "5H 5D JC KS"',
    )
    parser.add_argument(
        "--thrown",
        metavar="CARDS",
        help="with --hand: the two cards you discarded (they cannot be the starter)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def odds(args: Namespace) -> int:
    """Print the distribution of points, the points of a hand by starter, or the chances to win.

    Raises :class:`BadInput` for invalid arguments.
    """
    if args.win:
        if args.hand is not None or args.thrown is not None:
            raise BadInput("--hand and --thrown cannot be combined with --win")
        return _win(args)
    if args.score is not None or args.dealer:
        raise BadInput("--score and --dealer need --win")
    if args.hand is not None:
        return _starters(args)
    if args.thrown is not None:
        raise BadInput("--thrown needs --hand")
    rules = _known_rules(args)
    print(
        (odds_report.odds_as_json if args.json else odds_report.odds_as_text)(rules),
        file=args.stdout,
    )
    return 0


def _starters(args: Namespace) -> int:
    hand = _cards("--hand", args.hand, KEPT)
    discards = () if args.thrown is None else _cards("--thrown", args.thrown, DISCARDS, hand)
    starters = starters_of(hand, discards, _known_rules(args))
    print(
        (odds_report.starters_as_json if args.json else odds_report.starters_as_text)(
            hand, starters
        ),
        file=args.stdout,
    )
    return 0


def _win(args: Namespace) -> int:
    if args.rules not in (None, ACC.name):
        raise BadInput(
            f"--win: the chances are known for the {ACC.name} rules only, not {args.rules}"
        )
    if args.score is None:
        if args.dealer:
            raise BadInput("--dealer needs --score")
        print(
            odds_report.chances_as_json() if args.json else odds_report.chances_as_text(),
            file=args.stdout,
        )
        return 0
    mine, other = (parse_number("--score", text, 0, ACC.target - 1) for text in args.score)
    format_chances = odds_report.chances_as_json if args.json else odds_report.one_chance_as_text
    print(format_chances((mine, other, args.dealer)), file=args.stdout)
    return 0


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
