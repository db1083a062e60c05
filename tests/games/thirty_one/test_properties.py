"""Properties of every round, whatever the cards, the choices and the house rules."""

from __future__ import annotations

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.thirty_one.tables import SEAT, Told
from tui_casino.cards.card import PACK, Card, Rank
from tui_casino.engine.croupier import FixedShoe
from tui_casino.engine.game import AskSeats
from tui_casino.engine.offers import Offer
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import Odds, Rules, total_of
from tui_casino.games.thirty_one.machine.state import (
    Action,
    Bet,
    Phase,
    RoundBegun,
    RoundOver,
    RoundVoid,
    Split,
    Stand,
)

OFTEN = (Rank.ACE, Rank.THREE, Rank.FOUR, Rank.SEVEN)
"""Cards that make pairs, fourteens and insurance are more frequent here than others."""
WEIGHTS = [4 if card.rank in OFTEN else 1 for card in PACK]
HOUSES = st.builds(
    Rules,
    dealer_hits_soft=st.booleans(),
    double_two_cards=st.booleans(),
    split_same_rank=st.booleans(),
    most_hands=st.integers(2, 4),
    double_after_split=st.booleans(),
    insurance=st.builds(Odds, st.integers(1, 50), st.integers(1, 50)),
)


def best_total(cards: tuple[Card, ...]) -> int:
    """Try every ace at 1 and at 11, as an independent way to count a hand."""
    fixed = sum(min(card.rank, 10) for card in cards if card.rank > 1)
    aces = sum(card.rank == 1 for card in cards)
    totals = [fixed + sum(counts) for counts in product((1, 11), repeat=min(aces, 6))]
    totals = [total + max(0, aces - 6) for total in totals]
    return max((total for total in totals if total <= 31), default=min(totals))


@given(st.lists(st.sampled_from(PACK), min_size=1, max_size=9).map(tuple))
def test_total_of_a_hand_counts_aces_in_the_best_way(cards: tuple[Card, ...]) -> None:
    assert total_of(cards).points == best_total(cards)


def stops(dealer: tuple[Card, ...], rules: Rules, on_14: bool) -> int:
    """Return the dealer's total by the rule as it is written, card after card."""
    for cards in range(1, len(dealer) + 1):
        total = best_total(dealer[:cards])
        if total >= 31 or (not on_14 and total == 14):
            return total
        soft = total > total_at_1(dealer[:cards])
        hits = rules.dealer_hits_soft and soft and total == 27
        if not on_14 and total >= 27 and not hits:
            return total
    raise AssertionError("the dealer stopped too early")


def total_at_1(cards: tuple[Card, ...]) -> int:
    return sum(min(card.rank, 10) for card in cards)


def should_come_back(over: RoundOver, place: int, rules: Rules) -> int:
    """Return the payment of a hand, from the sentences of the source."""
    hand = over.hands[place]
    mine = best_total(hand.cards)
    if mine > 31:
        return 0
    his = stops(over.dealer, rules, hand.on_14)
    if hand.on_14:
        assert mine == 14
        return 0 if his == 31 else 2 * hand.bet
    if his == 14:
        return 0
    if his > 31 or mine > his:
        return 2 * hand.bet
    return hand.bet if mine == his else 0


def choice(table: Told, able: list[Offer[Action]], random: Random) -> Action:
    """Choose anything on offer, with low bets, and rare choices more often."""
    if table.state.phase is Phase.BET:
        return Bet(20)
    acts = [offer.kind() for offer in able]
    rare = Stand() if table.state.offers_14 else Split()
    return random.choice([*acts, *[act for act in acts if act == rare] * 2])


@settings(max_examples=250)
@given(st.integers(0, 2**32), HOUSES, st.integers(20, 1_000))
def test_chips_are_conserved_in_random_hit_me_rounds(seed: int, rules: Rules, dollars: int) -> None:
    """Checks every combination of split, double and insurance, under every option."""
    random = Random(seed)
    cards = random.choices(PACK, WEIGHTS, k=random.choice((5, 40, 200)))
    table = Told(FixedShoe(cards), rules, dollars)
    brought = 100 * dollars
    while game.turn(table.state) == AskSeats((SEAT,)):
        able = [offer for offer in game.offers(table.state, SEAT) if not offer.barred]
        table.table.submit(SEAT, choice(table, able, random))
        table.listen()
        money = game.money(table.state, SEAT)
        assert min(money.free, money.staked) >= 0
        tally = table.tally
        assert money.free + money.staked == brought + tally.won - tally.wagered
    for event in table.heard:
        if isinstance(event, RoundOver):
            check_payment(event, rules)
    begun = sum(isinstance(event, RoundBegun) for event in table.heard)
    ended = sum(isinstance(event, RoundOver | RoundVoid) for event in table.heard)
    assert begun - ended == int(table.state.staked > 0)


def check_payment(over: RoundOver, rules: Rules) -> None:
    assert len(over.hands) <= rules.most_hands
    for place, hand in enumerate(over.hands):
        assert hand.back == should_come_back(over, place, rules)
    is_31 = best_total(over.dealer) == 31
    odds = rules.insurance
    wins = over.insurance + over.insurance * odds.paid // odds.staked
    assert over.insurance_back == (wins if is_31 else 0)
    if all(best_total(hand.cards) > 31 for hand in over.hands) and not over.insurance:
        assert len(over.dealer) == 1
