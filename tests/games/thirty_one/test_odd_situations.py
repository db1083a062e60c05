"""Situations in which rules meet: bust, splits, 14, insurance, an empty shoe."""

from __future__ import annotations

import pytest

from tests.games.thirty_one.tables import ENOUGH, SEAT, dealt, played
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import PACK, parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import FixedShoe
from tui_casino.engine.game import NeedCard, NeedShoe, Shoe, SittingOver
from tui_casino.engine.money import Money
from tui_casino.engine.table import Table
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.thirty_one.machine.state import (
    Bet,
    Hit,
    Options,
    Phase,
    RoundVoid,
    ShoeBegun,
    Split,
    State,
    TurnAsked,
)


@pytest.mark.parametrize("word", ["h", "s", "d", "p", "b", "b 50"])
def test_other_commands_during_the_insurance_question_are_refused(word: str) -> None:
    table = dealt("8C AD 8H" + ENOUGH)
    table.play("b")
    said = table.refused(word)
    assert said == f"{word[0]}: answer the insurance first: i for yes, n for no"
    table.play("n")
    assert table.offered == {"h", "s", "d"}


@pytest.mark.parametrize(
    ("dollars", "offered"),
    [(39, {"h", "s"}), (40, {"h", "s", "d", "p"}), (60, set("hsdp"))],
    ids=value_id,
)
def test_side_actions_above_the_credit_are_not_offered(dollars: int, offered: set[str]) -> None:
    table = dealt("8C TD 8H" + ENOUGH, dollars=dollars)
    table.play("b 20", "h")
    assert table.offered == offered
    if dollars < 40:
        for word in "dp":
            said = table.refused(word)
            assert said == f"{word}: it costs 20.00; you have 19.00"


def test_insurance_above_the_credit_is_not_offered() -> None:
    table = dealt("8C AD 8H" + ENOUGH, dollars=39)
    table.play("b")
    assert table.state.phase is Phase.PLAY
    for word in "in":
        said = table.refused(word)
        assert said == f"{word}: it cost 20.00; you had 19.00"


@pytest.mark.parametrize(
    ("answer", "why"),
    [("i", "you are insured"), ("n", "insurance is offered only before other cards")],
)
def test_insurance_is_not_asked_again_after_the_answer(answer: str, why: str) -> None:
    table = dealt("8C AD 8H 2S 3S" + ENOUGH, dollars=79)
    table.play("b", answer)
    assert table.refused("i") == f"i: {why}"
    table.play("h", "p")  # the answer is the reason even if no money is left for insurance
    assert table.refused("i") == f"i: {why}"


def test_refusals_after_the_end_of_the_game_do_not_suggest_a_bet() -> None:
    table = dealt("8C TD 8H" + ENOUGH, dollars=19)
    assert [table.refused(word) for word in ("h", "b 20")] == [
        "h: the game is over",
        "b: the game is over",
    ]


def test_console_offers_double_and_split_only_when_possible() -> None:
    table = dealt("8C TD 8H 2S 3S" + ENOUGH, dollars=79)
    assert table.play("b")[-1] == "h hits, s stands, d doubles for 20.00"
    assert table.play("h")[-1] == "h hits, s stands, d doubles for 20.00, p splits for 20.00"
    assert table.play("p")[-1] == "h hits, s stands, d doubles for 20.00"
    table.play("d")
    assert table.heard[-1] == TurnAsked(
        1, (parse_hand("8C 2S 2C"), parse_hand("8H 3S")), parse_hand("TD")
    )
    assert table.answer("$") == ["Your credit is 19.00, 60.00 at stake"]
    assert table.play("h")[-1] == "h hits, s stands"


def test_credit_is_checked_again_after_a_split() -> None:
    table = dealt("8C TD 8H 2S 3S" + ENOUGH, dollars=59)
    table.play("b 20", "h", "p")
    assert table.offered == {"h", "s"}


@pytest.mark.parametrize(
    ("cards", "words", "dealers", "back", "won"),
    [
        # the dealer draws to 27, and no further
        pytest.param("9C AD KH KS KD 8S", "ihhh", 6, 0, -40, id="a bust hand and no 31"),
        pytest.param("9C AD KH KS KD TS QD", "ihhh", 3, 40, 0, id="a bust hand and a 31"),
        pytest.param("9C AD KH KS KD 3S", "ihhh", 2, 0, -40, id="a bust hand and a 14"),
        pytest.param("8C TD 8H KS KD 9C 5C KH 4H", "hphhhh", 1, 0, -40, id="two bust hands"),
        pytest.param(
            *("8C AD 8H KS KD 9C 5C KH 4H TD TS", "ihphhhh", 3, 40, -20), id="two and insurance"
        ),
    ],
)
def test_dealer_draws_against_bust_hands_only_for_the_insurance(
    cards: str, words: str, dealers: int, back: int, won: int
) -> None:
    over = played(cards, *words).over
    assert (len(over.dealer), over.insurance_back) == (dealers, 100 * back)
    assert over.won - over.wagered == 100 * won


@pytest.mark.parametrize(
    ("cards", "words", "against", "back", "insured"),
    [
        # 14 and 18; the dealer stops at 28, and draws again only for the 14
        pytest.param(
            *("9C AD 9H 5S 9S KD 7D 3D", "ihpss", (31, 28), (0, 0), 40), id="31 against the 14"
        ),
        # the ordinary hand has 29
        pytest.param(
            *("9C TD 9H 5S TS TH KD 8D 4D", "hpshs", (32, 28), (40, 40), 0), id="28, then bust"
        ),
        pytest.param(
            *("9C TD 9H 5S TS TH 4D 8D KD", "hpshs", (32, 14), (40, 0), 0), id="14, then bust"
        ),
        pytest.param(
            *("9C TD 9H 5S TS TH KD 6D 8D", "hpshs", (34, 34), (40, 40), 0), id="bust for both"
        ),
    ],
)
def test_split_hand_on_14_and_an_ordinary_hand_are_settled_by_their_own_rules(
    cards: str, words: str, against: tuple[int, int], back: tuple[int, int], insured: int
) -> None:
    over = played(cards, *words).over
    assert tuple(hand.on_14 for hand in over.hands) == (True, False)
    assert tuple(hand.against for hand in over.hands) == against
    assert tuple(hand.back for hand in over.hands) == tuple(100 * dollars for dollars in back)
    assert over.insurance_back == 100 * insured


def test_dealer_draws_against_the_other_hand_if_one_busts() -> None:
    over = played("8C TD 8H KS KD 9C 5C KH TC 9S", *"hphhhs").over
    assert over.hands[0].back == 0
    assert over.hands[1].against == 29


def test_pair_of_7_offers_both_14_and_split() -> None:
    table = dealt("7C TD 7H 7S 5D" + ENOUGH)
    table.play("b", "h")
    assert table.state.offers_14
    assert "p" in table.offered
    table.play("p")
    assert table.state.offers_14  # 7 and 7 again, on the first of two hands


def test_insurance_at_fractional_odds_is_rounded_down_to_the_cent() -> None:
    over = dealt("9C AD TS KD" + ENOUGH, Rules(insurance=Odds(43, 300)))
    over.play("b 25", "i", "s")
    assert over.over.insurance_back == 2_500 + 358  # 25 at 43:300 is 3.58 1/3
    assert over.state.credit == 100_000 - 5_000 + 2_858


def test_round_is_void_if_a_known_deck_runs_out() -> None:
    table = dealt("8C AD 8H 2S 3S")
    said = table.play("b 50", "i", "h", "p", "h")
    assert said[-1] == "The cards are used up: the round is void, and you get 150.00 back"
    assert table.heard[-1] == RoundVoid(15_000)
    assert game.money(table.state, SEAT) == Money(100_000, 0)
    assert game.turn(table.state) == SittingOver("the cards are used up, and the round is void")


@pytest.mark.parametrize("cards", ["8C AD 8H", "8C TD 8H", "8C TD 8H 2S"])
def test_known_deck_may_end_at_any_point_of_a_round(cards: str) -> None:
    table = dealt(cards)
    for word in ("b 50", "n", "h", "p", "s", "s"):
        table.answer(word)
    assert isinstance(table.heard[-1], RoundVoid)
    assert game.money(table.state, SEAT) == Money(100_000, 0)


def test_bet_is_refused_with_too_few_cards_for_a_round() -> None:
    """Each gets one card, and the dealer needs a second; two cards would make every round void."""
    for cards in ("8C", "8C AD"):
        table = dealt(cards)
        assert game.turn(table.state) == SittingOver("too few cards are left for a round")
        assert table.refused("b 50") == "b: the game is over"
    table = dealt("8C TD 4H")
    table.play("b 50", "s")  # the dealer stops at 14
    assert table.over.hands[0].against == 14
    assert game.turn(table.state) == SittingOver("the cards are used up")


class Short(FixedShoe):
    """Deals known cards during the round, then shuffles in the discards, in their order."""

    def __init__(self, first: str) -> None:
        super().__init__(parse_hand(first))
        self.requests: list[NeedShoe] = []

    def shoe(self, need: NeedShoe, dice: object, /) -> Shoe:
        self.requests.append(need)
        if len(self.requests) > 1:
            self.kind, self._dealt = FixedShoe(need.pack).kind, 0
        return Shoe(len(self.kind.cards))


def test_discards_are_shuffled_in_if_the_shoe_runs_out_in_a_round() -> None:
    croupier = Short("8C TD 8H 2S 3S 4S")
    table = Table(game, Options(), croupier, SeededSource(1), {SEAT: None})
    table.run()
    gone = PACK[20:24]
    table.state = State(Options(), 100_000, Phase.BET, table.state.stock, gone)
    for action in (Bet(20), Hit(), Split(), Hit()):
        table.submit(SEAT, action)
        table.run()
    assert table.state.stock == 0
    heard: list[object] = []
    table.bus.subscribe(SEAT, lambda told: heard.extend(told.events))
    table.submit(SEAT, Hit())
    assert game.turn(table.state) == NeedShoe(gone)
    table.advance()
    assert heard == [ShoeBegun(4, True)]
    assert game.turn(table.state) == NeedCard()
    table.advance()
    assert table.state.hands[0].cards[-1] is gone[0]
    assert (table.state.stock, table.state.discards) == (3, ())
