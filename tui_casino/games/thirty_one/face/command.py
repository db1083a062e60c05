"""Hit Me on the command line: house rules, a known deck, drawn cards, simulation and odds."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from ....cards.card import Hand
from ....cards.text_art import CardSize, GlyphSet, fan_as_text
from ....engine.game import Seat
from ....gamekit.definition import GameCommand
from ....gamekit.simulation_runner import add_worker_options, refuse_options, run_simulation
from ....gamekit.table_catalog import TableSetup
from ....inputs.errors import BadInput
from ....inputs.files import UserPath
from ....inputs.numbers import parse_number
from ....records.codec import ascii_json
from ....records.export import check_export_path, export_report
from ....structs import replace
from ..machine.rules import DECKS, Odds, Rules, total_of
from ..machine.state import DEALER, CardDealt, Event, InsuranceAsked, Options, RoundOver, TurnAsked
from . import words
from .table_catalog import known_cards
from .words import hand_owner, say_total

MOST_ROUNDS = 10**12
_SHOES = {str(DECKS): DECKS, "inf": None}


def _add_battle_arguments(parser: ArgumentParser) -> None:
    """Add the options of the dealer simulation; all games share ``--seed``."""
    battle = parser.add_argument_group("dealer simulation")
    battle.add_argument(
        "--battle",
        metavar="N",
        help="simulate N rounds in which both sides follow the dealer's rule",
    )
    battle.add_argument(
        "--decks", metavar="D", help=f"decks in the shoe: {' or '.join(_SHOES)} (default: {DECKS})"
    )
    add_worker_options(battle, "the simulation")
    battle.add_argument("--json", action="store_true", help="print the results as JSON")
    battle.add_argument(
        "--export", metavar="FILE", help="write the results to FILE.csv or FILE.json"
    )


def run_battle_command(args: Namespace, rules: Rules) -> int | None:
    """Run the simulation if ``--battle`` asks for it, and print its statistics."""
    if args.battle is None:
        options = ("decks", "jobs", "cluster", "json", "export")
        refuse_options(args, options, "can only be used with --battle")
        return None
    from ..brains.dealer_simulation import run_battle  # late: needs numpy
    from .odds_report import battle_report, battle_text

    rounds = parse_number("--battle", args.battle, 1, MOST_ROUNDS)
    decks = str(DECKS) if args.decks is None else args.decks
    if decks not in _SHOES:
        raise BadInput(f"--decks: {decks!r} is not possible; give {' or '.join(_SHOES)}")
    if args.export:
        check_export_path(UserPath(args.export, args.cwd))
    simulate = partial(run_battle, rules, rounds, decks=_SHOES[decks])
    battle = run_simulation(args, "rounds", rounds, simulate)
    report = battle_report(battle)
    text = ascii_json(report) if args.json else battle_text(battle, rules)
    print(text, file=args.stdout)
    if args.export:
        export_report(report, UserPath(args.export, args.cwd))
    return 0


_ART_WIDTH = 79
_BETWEEN = "   "


def card_art_lines(event: Event, seat: Seat | None) -> tuple[str, ...]:
    """Describe an event, and draw the table when the player has to choose and at the end."""
    lines = words.lines(event, seat)
    match event:
        case CardDealt():  # all cards are drawn together
            return ()
        case InsuranceAsked(dealer=dealer, hand=hand):
            return (*_table(dealer, [hand]), *lines)
        case TurnAsked(hands=hands, dealer=dealer):
            return (*_table(dealer, hands), *lines)
        case RoundOver(dealer=dealer, hands=settled):
            return (*_table(dealer, [hand.cards for hand in settled]), *lines)
    return lines


def _table(dealer: Hand, hands: Sequence[Hand]) -> tuple[str, ...]:
    """Draw the dealer's and the player's hands side by side, in several rows if too wide."""
    blocks = [_hand(DEALER, dealer, len(hands))]
    blocks += [_hand(place, hand, len(hands)) for place, hand in enumerate(hands)]
    rows: list[list[str]] = []
    for block in blocks:
        joined = _join_blocks(rows[-1], block) if rows else []
        if joined and max(map(len, joined)) <= _ART_WIDTH:
            rows[-1] = joined
        else:
            rows.append(block)
    return tuple(line.rstrip() for row in rows for line in row)


def _join_blocks(left: list[str], right: list[str]) -> list[str]:
    width = max(map(len, left))
    pairs = zip_longest(left, right, fillvalue="")
    return [f"{one:<{width}}{_BETWEEN}{other}" for one, other in pairs]


def _hand(place: int, cards: Hand, hands: int) -> list[str]:
    title = f"{hand_owner(place, hands)}: {say_total(total_of(cards))}"
    return [title, *fan_as_text(cards, CardSize.SMALL, GlyphSet.ASCII)]


CARD_ART_WORDS = replace(words.WORDS, lines=card_art_lines)


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
    _add_battle_arguments(parser)


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
    return run_battle_command(args, _rules(args))


def seating(args: Namespace) -> TableSetup[Options]:
    """Set up a table with these rules; a known deck makes it free play."""
    options = Options(_rules(args))
    table = TableSetup(options)
    if args.deck is not None:
        table = known_cards(options, UserPath(args.deck, args.cwd))
    return replace(
        table, explicit=options.rules != USUAL, words=None if args.plain else CARD_ART_WORDS
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
    from .odds_report import (  # late: needs numpy
        hand_json,
        hand_text,
        odds_json,
        odds_text,
        parse_position,
    )

    rules = _rules(args)
    if (args.left, args.hand, args.dealer) == (None, None, None):
        print((odds_json if args.json else odds_text)(rules), file=args.stdout)
        return 0
    position = parse_position(args.left, args.hand, args.dealer, rules)
    print((hand_json if args.json else hand_text)(position), file=args.stdout)
    return 0


COMMAND = GameCommand(seating, odds, add_arguments, add_odds_arguments, run)
