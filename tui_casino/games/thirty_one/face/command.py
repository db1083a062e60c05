"""Hit Me on the command line: house rules, a known deck, the dealer simulation and odds."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace

from ....gamekit.definition import GameCommand
from ....gamekit.table_setup import TableSetup
from ....inputs.errors import BadInput
from ....inputs.files import UserPath
from ....inputs.numbers import parse_number
from ....structs import replace
from ..machine.rules import Odds, Rules
from ..machine.state import Options
from . import battle_command, card_art_words
from .table_catalog import known_cards

USUAL = Rules()
MOST_HANDS = 4


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options for the deck, the house rules, and the drawing of cards."""
    parser.add_argument(
        "--deck",
        metavar="FILE",
        help="a file of cards in dealing order, from 1 (ace) to 13 (king); free play",
    )
    _add_rules(parser)
    parser.add_argument(
        "--plain",
        action="store_true",
        help="with --console: show hands as text, without drawn cards",
    )
    battle_command.add_arguments(parser)


def _add_rules(parser: ArgumentParser) -> None:
    rules = parser.add_argument_group("house rules")
    for name, what in (
        ("--dealer-hits-soft-27", "the dealer hits a soft 27"),
        ("--double-two-cards", "double only on two cards"),
        ("--no-double-after-split", "no double after a split"),
        ("--split-same-rank", "split only cards of equal rank, not a king and a ten"),
    ):
        rules.add_argument(name, action="store_true", help=what)
    rules.add_argument(
        "--hands", metavar="N", help=f"the most hands after splits, 2 to {MOST_HANDS} (default: 2)"
    )
    rules.add_argument(
        "--insurance",
        metavar="P:S",
        help="the odds that insurance pays, such as 43:10 (default: 1:1)",
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
        raise BadInput(
            f"--insurance: {text!r} is not a pair of odds; give two whole numbers, such as 43:10"
        )
    return Odds(int(match[1]), int(match[2]))


def run(args: Namespace) -> int | None:
    """Run the dealer simulation if requested, and refuse options that exclude each other."""
    if args.plain and not args.console:
        raise BadInput("--plain can only be used with --console; the screen always draws cards")
    if args.battle is not None and (args.deck is not None or args.console):
        raise BadInput("--battle needs no player; leave out --deck and --console")
    return battle_command.run_battle_command(args, _rules(args))


def seating(args: Namespace) -> TableSetup[Options]:
    """Set up a table with these rules; a known deck makes it free play."""
    options = Options(_rules(args))
    table = TableSetup(options)
    if args.deck is not None:
        table = known_cards(options, UserPath(args.deck, args.cwd))
    return replace(
        table, explicit=options.rules != USUAL, words=None if args.plain else card_art_words.WORDS
    )


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Add the options for house rules, and for a hand with known remaining cards."""
    _add_rules(parser)
    hand = parser.add_argument_group("the EV of a hand, from the cards left in the shoe")
    hand.add_argument(
        "--left",
        metavar="COUNTS",
        help="the cards left in the shoe, as ten counts: aces, 2s, 3s … 9s and cards worth 10",
    )
    hand.add_argument("--hand", metavar="CARDS", help='the player\'s cards, such as "3 3" or "A T"')
    hand.add_argument("--dealer", metavar="CARD", help="the card that the dealer shows")
    parser.add_argument("--json", action="store_true", help="print JSON")


def odds(args: Namespace) -> int:
    """Print the EV of each choice of a hand or, without a hand, the odds of an infinite shoe."""
    from .hand_report import hand_json, hand_text, parse_position  # late: needs numpy
    from .odds_report import odds_json, odds_text

    rules = _rules(args)
    if (args.left, args.hand, args.dealer) == (None, None, None):
        print((odds_json if args.json else odds_text)(rules), file=args.stdout)
        return 0
    position = parse_position(args.left, args.hand, args.dealer, rules)
    print((hand_json if args.json else hand_text)(position), file=args.stdout)
    return 0


COMMAND = GameCommand(seating, odds, add_arguments, add_odds_arguments, run)
