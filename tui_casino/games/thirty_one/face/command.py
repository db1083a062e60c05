"""Hit me on the command line: the house's rules, a known deck, the battle and the odds."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from ....gamekit.command import GameCommand
from ....gamekit.table_setup import TableSetup
from ....inputs.arguments import parse_number
from ....inputs.errors import BadInput
from ....inputs.files import UserPath
from ..machine.rules import Odds, Rules
from ..machine.state import Options
from . import battle_command, card_art_words
from .tables import known_cards

USUAL = Rules()
MOST_HANDS = 4


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the deck, the rules that a house may change, and how the console draws."""
    parser.add_argument(
        "--deck",
        metavar="FILE",
        help="cards in dealing order, from 1 for an ace to 13 for a king; practice",
    )
    _add_rules(parser)
    parser.add_argument(
        "--plain", action="store_true", help="with --console: hands in text, without pictures"
    )
    battle_command.add_arguments(parser)


def _add_rules(parser: ArgumentParser) -> None:
    rules = parser.add_argument_group("house rules")
    for name, what in (
        ("--dealer-hits-soft-27", "the dealer draws to a soft 27"),
        ("--double-two-cards", "double on two cards only"),
        ("--no-double-after-split", "no double after a split"),
        ("--split-same-rank", "split only cards of a rank, not king and ten"),
    ):
        rules.add_argument(name, action="store_true", help=what)
    rules.add_argument(
        "--hands", metavar="N", help=f"how many hands splitting may make, 2 to {MOST_HANDS}"
    )
    rules.add_argument(
        "--insurance", metavar="P:S", help="what insurance pays, such as 43:10 (default: 1:1)"
    )


def _rules(args: Namespace) -> Rules:
    hands = USUAL.most_hands
    if args.hands is not None:
        hands = parse_number("--hands", args.hands, 2, MOST_HANDS)
    return Rules(
        dealer_hits_soft=args.dealer_hits_soft_27,
        double_two_cards=args.double_two_cards,
        split_same_rank=args.split_same_rank,
        most_hands=hands,
        double_after_split=not args.no_double_after_split,
        insurance=USUAL.insurance if args.insurance is None else _odds(args.insurance),
    )


def _odds(text: str) -> Odds:
    match = re.fullmatch(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,5})", text, re.ASCII)
    if match is None:
        raise BadInput(f"--insurance: {text!r} are not odds; give two whole numbers, like 43:10")
    return Odds(int(match[1]), int(match[2]))


def run(args: Namespace) -> int | None:
    """Fight the battle, or refuse what does not go together."""
    if args.plain and not args.console:
        raise BadInput("--plain goes with --console; the screen always draws its cards")
    if args.battle is not None and (args.deck is not None or args.console):
        raise BadInput("--battle plays by itself; --deck and --console are for a player")
    return battle_command.run_battle_command(args, _rules(args))


def seating(args: Namespace) -> TableSetup[Options]:
    """Sit down at a table with these rules; for practice with a known deck."""
    options = Options(_rules(args))
    table = TableSetup(options)
    if args.deck is not None:
        table = known_cards(options, UserPath(args.deck, args.cwd))
    return replace(
        table, explicit=options.rules != USUAL, words=None if args.plain else card_art_words.WORDS
    )


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Declare the rules that a house may change."""
    _add_rules(parser)
    hand = parser.add_argument_group("a hand, from the cards that are left")
    hand.add_argument(
        "--left",
        metavar="COUNTS",
        help="ten counts: how many aces, 2s, 3s … 9s and cards of 10 are left in the shoe",
    )
    hand.add_argument("--hand", metavar="CARDS", help='the player\'s cards, such as "3 3" or "A T"')
    hand.add_argument("--dealer", metavar="CARD", help="the card that the dealer shows")
    parser.add_argument("--json", action="store_true", help="print JSON")


def odds(args: Namespace) -> int:
    """Print what each choice of a hand is worth; without one, the odds of an infinite shoe."""
    from .hand_report import hand_json, hand_text, parse_position  # late: numpy
    from .report import odds_json, odds_text

    rules = _rules(args)
    if (args.left, args.hand, args.dealer) == (None, None, None):
        print((odds_json if args.json else odds_text)(rules), file=args.stdout)
        return 0
    position = parse_position(args.left, args.hand, args.dealer, rules)
    print((hand_json if args.json else hand_text)(position), file=args.stdout)
    return 0


COMMAND = GameCommand(seating, odds, add_arguments, add_odds_arguments, run)
