"""The kind of a mistake: named by the right choice and by the choice that was made."""

from __future__ import annotations

import pytest

from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import parse_hand
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import MistakeKind
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.games.cribbage import DEFINITION as CRIBBAGE
from tui_casino.games.cribbage.machine import state as crib
from tui_casino.games.cribbage.machine.state import Discard, Lay
from tui_casino.games.five_card_draw import DEFINITION as FIVE_CARD_DRAW
from tui_casino.games.five_card_draw.brains.mistakes import group_of
from tui_casino.games.five_card_draw.machine import state as poker
from tui_casino.games.five_card_draw.machine.betting import Betting
from tui_casino.games.five_card_draw.machine.state import Bet, Call, Check, Fold
from tui_casino.games.five_card_draw.machine.state import Discard as Throw
from tui_casino.games.thirty_one import DEFINITION as THIRTY_ONE
from tui_casino.games.thirty_one.machine import state
from tui_casino.games.thirty_one.machine import state as hit_me
from tui_casino.games.video_poker import DEFINITION as VIDEO_POKER
from tui_casino.games.video_poker.machine.game import Hold, Options, Phase, start
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.structs import replace

ME = Seat(0)
DEALT = replace(
    start(Options(paytable=load("double-bonus-10-7"))),
    phase=Phase.HOLD,
    coins=5,
    hand=parse_hand("KS KD 9S 6S 2S"),
)


@pytest.mark.parametrize(
    ("held", "slip"),
    [
        ((1, 3, 4, 5), "held 4 to a flush"),
        ((1, 2, 3), "held cards that match no line"),
        ((1,), "held Jack, Queen or King"),
        ((3, 4, 5), "held 3 to a flush with no high cards"),
        ((), "Discard everything"),
    ],
    ids=value_id,
)
def test_video_poker_mistake_is_named_by_the_strategy_line_of_the_hold(
    held: tuple[int, ...], slip: str
) -> None:
    kind = not_none(VIDEO_POKER.adviser.kind)
    assert kind(DEALT, ME, Hold(held), Hold((1, 2))) == MistakeKind("High pair", slip)


@pytest.mark.parametrize(
    ("cards", "up", "row"),
    [
        ("TS 4D", "6C", "hard 14 against 6"),
        ("AS 7D", "TC", "soft 18 against 10"),
        ("8S 8D", "AC", "pair 8-8 against A"),
        ("5S", "9C", "first card 5 against 9"),
    ],
)
def test_hit_me_mistake_is_named_by_its_cell_of_the_chart(cards: str, up: str, row: str) -> None:
    view = hit_me.State(
        hit_me.Options(),
        100_000,
        hit_me.Phase.PLAY,
        dealer=parse_hand(up),
        hands=(hit_me.PlayerHand(500, parse_hand(cards)),),
    )
    kind = not_none(THIRTY_ONE.adviser.kind)
    assert kind(view, ME, state.Stand(), state.Hit()) == MistakeKind(row, "stood")
    assert kind(view, ME, state.Hit(), state.Stand()) == MistakeKind(row, "hit")


def throwing(cards: str, dealer: int) -> crib.State:
    hands = (parse_hand(cards), ())
    return crib.State(crib.Options(), crib.Phase.DISCARD, dealer, hands=hands, waiting=(0, 1))


def test_cribbage_discard_mistake_is_named_by_the_crib_and_the_loss() -> None:
    """4 5 5 6 are twelve points before the starter; a pair of fives is worth most in a crib."""
    kind = not_none(CRIBBAGE.adviser.kind)
    own, other = throwing("4H 5C 5S 6D JD KC", 0), throwing("4H 5C 5S 6D JD KC", 1)
    best, broken = Discard((5, 6)), Discard((1, 4))
    assert kind(own, ME, broken, best) == MistakeKind("discard to your own crib", "broke a run")
    assert kind(own, ME, Discard((1, 3)), best).slip == "broke a pair", "of both, the pair counts"
    assert kind(own, ME, Discard((2, 3)), best).slip == "broke a run", "no five is kept"
    assert kind(other, ME, broken, best).spot == "discard to their crib"
    fives = throwing("2H 3C 5S 5D 9D KC", 1)  # two points lost in the hand, more in the crib
    assert kind(fives, ME, Discard((3, 4)), Discard((5, 6))).slip == "gave their crib more"


def test_cribbage_play_mistake_is_named_by_its_position_in_the_play() -> None:
    kind = not_none(CRIBBAGE.adviser.kind)
    view = crib.State(
        crib.Options(), crib.Phase.PLAY, 1, hands=(parse_hand("4H 5C JD KC"), ()), player=ME
    )
    assert kind(view, ME, Lay(2), Lay(1)) == MistakeKind("the lead", "let the opponent score more")
    told = replace(view, laid=(crib.Placed(1, parse_hand("TS")[0]),))
    assert kind(told, ME, Lay(1), Lay(2)) == MistakeKind("a card below 15", "missed points")
    assert kind(told, ME, Lay(3), Lay(1)).slip == "let the opponent score more"


@pytest.mark.parametrize(
    ("cards", "before", "after"),
    [
        ("KS KD 9S 6S 2S", "aces or kings", "aces or kings"),
        ("JS JD 9S 6S 2S", "queens or jacks", "queens or jacks"),
        ("9S 9D 8S 6S 2S", "4 to a flush", "a low pair"),
        ("9S TD JS QS 2H", "4 to a straight", "no pair"),
        ("AS 2D 3S 4S 9H", "ace high", "ace high"),
        ("KS QD JS AS 2H", "ace high", "ace high"),
        ("9S 9D 9H 6S 2S", "three of a kind", "three of a kind"),
        ("9S 9D 6H 6S 2S", "two pair", "two pair"),
        ("9S TD JS QS 8H", "a straight or better", "a straight or better"),
    ],
)
def test_five_card_draw_hand_has_its_group_before_and_after_the_draw(
    cards: str, before: str, after: str
) -> None:
    """Four to a straight lack a card at either end; after the draw nothing may come of them."""
    assert group_of(parse_hand(cards), before=True) == before
    assert group_of(parse_hand(cards), before=False) == after


def test_five_card_draw_mistake_is_named_by_its_moment_and_hand() -> None:
    kind = not_none(FIVE_CARD_DRAW.adviser.kind)
    low = (parse_hand("9S 9D 8S 6H 2S"), parse_hand("KS QD 8H 6C 2H"))
    view = poker.State(poker.Options(1), (400, 400), poker.Phase.OPENING, hands=low)
    nobody = replace(view, betting=Betting(10, (0, 0), (0, 1)))
    assert kind(nobody, ME, Bet(), Check()) == MistakeKind(
        "opening before the draw with a low pair", "bet"
    )
    faced = replace(view, betting=Betting(10, (0, 10), (0,)))
    assert kind(faced, ME, Call(), Fold()).spot == "facing a bet before the draw with a low pair"
    closing = replace(view, phase=poker.Phase.CLOSING, betting=Betting(20, (20, 40), (0,), 1))
    assert str(kind(closing, ME, Fold(), Call())) == (
        "facing a raise after the draw with a low pair: folded"
    )
    drawing = replace(view, phase=poker.Phase.DRAW)
    assert kind(drawing, ME, Throw(()), Throw((3, 4, 5))).slip == "stood pat"
    assert kind(drawing, ME, Throw((5,)), Throw((3, 4, 5))) == MistakeKind(
        "the draw with a low pair", "discarded 1"
    )


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_adviser_names_kinds_of_mistakes_exactly_if_it_has_a_judge(listing: GameListing) -> None:
    adviser = listing.definition().adviser
    assert (adviser.kind is None) == (adviser.judge is None)
