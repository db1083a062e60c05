"""The round: bets, the player's turn, the dealer's turn, payment, side actions, and the shoe."""

from __future__ import annotations

import pytest

from tests.games.thirty_one.tables import ENOUGH, SEAT, Told, dealt, played, shuffled
from tests.helpers.parameter_ids import labelled, value_id
from tui_casino.cards.card import PACK
from tui_casino.engine.game import NeedShoe, SittingOver
from tui_casino.engine.money import Money
from tui_casino.games.thirty_one.machine import game
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.thirty_one.machine.state import (
    DEALER,
    CardDealt,
    Decline,
    Hit,
    Insure,
    Options,
    RoundOver,
    RoundVoid,
    ShoeBegun,
    Split,
    Stand,
)


def net(table: Told) -> int:
    """The result of the last round, in dollars."""
    cents = table.over.won - table.over.wagered
    assert cents % 100 == 0
    return cents // 100


# ---- the bet -------------------------------------------------------------------------------------


def test_player_begins_with_at_most_1000_dollars() -> None:
    assert Options().credit == 100_000
    assert game.sit(Options(), 500_000).credit == 100_000
    assert game.sit(Options(), 12_345).credit == 12_345


def test_bets_are_20_to_200_whole_dollars() -> None:
    table = shuffled()
    for words in ("b 19", "b 201", "b 0", "b -20", "b 20.5", "b all", "b 20 20"):
        assert table.refused(words) == "b: bet whole dollars from 20 to 200, such as b 50"
    table.play("b 200")
    assert table.state.staked == 20_000


def test_hit_me_bet_is_made_before_any_card() -> None:
    table = dealt("9C TD KH" + ENOUGH)
    assert table.state.hands == ()
    assert table.offered == {"b"}
    for word in "hsdpin":
        assert table.refused(word) == f"{word}: place a bet first, such as b 50"


def test_b_without_an_amount_bets_the_minimum_or_the_last_bet() -> None:
    table = dealt("9C TD KH TS TC" + ENOUGH)
    table.play("b", "s")
    assert table.over.wagered == 2_000
    table.play("b 70", "s", "b")
    assert table.state.staked == 7_000


def test_a_bet_above_the_credit_is_refused_and_the_credit_is_named() -> None:
    table = dealt("9C TD KH 7S 2C 3C" + ENOUGH, dollars=59)
    assert table.refused("b 60") == "b: your credit is 59.00"
    table.play("b 40", "s")
    assert net(table) == -40
    assert game.turn(table.state) == SittingOver("your credit is below 20")


def test_the_last_bet_above_the_credit_is_refused_and_the_credit_is_named() -> None:
    table = dealt("9C TD KH 7S 2C 3C" + ENOUGH, dollars=100)
    table.play("b 60", "s")
    assert table.refused("b") == "b: your credit is 40.00"
    table.play("b 40")


def test_hit_me_game_is_over_with_less_credit_than_the_minimum_bet() -> None:
    assert dealt("9C TD KH" + ENOUGH, dollars=20).offered == {"b"}
    table = dealt("9C TD KH" + ENOUGH, dollars=19)
    assert game.turn(table.state) == SittingOver("your credit is below 20")


# ---- the player's turn ---------------------------------------------------------------------------


def test_player_gets_one_card_then_the_dealer() -> None:
    table = dealt("9C TD" + ENOUGH)
    table.play("b")
    places = [event.place for event in table.heard if isinstance(event, CardDealt)]
    assert places == [0, DEALER]
    assert table.offered == {"h", "s", "d"}


def test_players_turn_ends_at_a_stand() -> None:
    table = dealt("9C TD KH 7S" + ENOUGH)
    table.play("b", "s")
    assert str(table.over.dealer[1]) == "KH"


def test_players_turn_ends_at_31() -> None:
    table = played("AC TD KH TS 9C 8C", *"hh")
    assert table.over.hands[0].against == 27
    assert net(table) == 20


def test_bust_ends_the_players_turn_and_the_dealer_does_not_draw() -> None:
    table = played("9C TD KH TS 5C", *"hhh")
    assert len(table.over.dealer) == 1
    assert net(table) == -20


# ---- the dealer's turn and payment ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "against"),
    [
        ("9C TD 6S TS AC", 27),  # 26 hard
        ("9C TD 6S QS TC", 36),
        ("9C TD 4S", 14),
        ("9C 7D 8S AS 9S 2S", 27),
    ],
)
def test_dealer_draws_to_27_or_more_and_then_stops(cards: str, against: int) -> None:
    over = played(cards, "s").over
    assert over.hands[0].against == against
    assert len(over.dealer) == len(cards.split()) - 1


def test_dealer_stands_on_a_soft_27() -> None:
    assert played("9C TD 6S AC", "s").over.hands[0].against == 27


def test_option_lets_the_dealer_draw_to_a_soft_27() -> None:
    over = played("9C TD 6S AC 3D", "s", rules=Rules(dealer_hits_soft=True)).over
    assert over.hands[0].against == 30


@pytest.mark.parametrize(
    ("cards", "words", "won"),
    [
        ("9C TD KH TS KD 8S", "hhs", 20),  # 29 against 28
        ("9C TD KH TS KD 9D", "hhs", 0),  # 29 each
        ("9C TD KH 9S KD TS", "hhs", -20),  # 28 against 30
        ("9C TD KD 6S 6D", "s", 20),  # the dealer bust
        ("AC TD AS 9C KD AD", "hh", 0),  # 31 each
    ],
)
def test_higher_total_wins_even_money_and_equal_totals_push(
    cards: str, words: str, won: int
) -> None:
    assert net(played(cards, *words)) == won


# ---- fourteen ------------------------------------------------------------------------------------


def test_stand_on_14_is_offered_and_named() -> None:
    table = dealt("9C TD 5H" + ENOUGH)
    said = table.play("b", "h")
    assert table.state.offers_14
    assert said[-2:] == [
        "Stand on 14: only a dealer's 31 beats it (s)",
        "s stands, h hits, d doubles for 20.00",
    ]
    assert game.offers(table.state, SEAT)[0].kind is Stand


@pytest.mark.parametrize(
    ("cards", "is_14"),
    [
        ("AC TD 3H", True),
        ("9C TD 5H", True),
        ("TC TD 4H", True),
        ("9C TD 4H", False),
        ("9C TD 6H", False),
    ],
)
def test_stand_on_14_is_offered_only_for_a_total_of_14(cards: str, is_14: bool) -> None:
    assert played(cards, "h").state.offers_14 is is_14


@pytest.mark.parametrize(
    ("dealers", "won"),
    [
        ("KD TS", 20),  # 30 would beat an ordinary 14, but the dealer must draw again, and is bust
        ("7S 8D 6C", -20),  # 31
        ("4S 8D 9S", -20),  # the dealer's own 14 does not count, but the dealer's 31 does
        ("4S 8D KS", 20),
        ("8S 9S 4C", -20),  # beyond 27 to 31
    ],
)
def test_standing_on_14_makes_the_dealer_need_31(dealers: str, won: int) -> None:
    table = played(f"9C TD 5H {dealers}", "h", "s")
    assert net(table) == won
    assert table.over.hands[0].on_14


def test_hand_that_hits_on_14_is_settled_as_an_ordinary_hand() -> None:
    table = played("9C TD 5H 6S KD TS", "h", "h", "s")
    assert not table.over.hands[0].on_14
    assert net(table) == -20


@pytest.mark.parametrize("players", ["9C TD KH KS AC", "AC TD AS 9C"])
def test_dealer_with_14_wins_immediately_even_against_31(players: str) -> None:
    hits = len(players.split()) - 2
    words = ["h"] * hits + (["s"] if players.startswith("9C") else [])
    table = played(f"{players} 4D", *words)
    assert len(table.over.dealer) == 2
    assert net(table) == -20


# ---- doubling ------------------------------------------------------------------------------------


def test_a_double_doubles_the_bet_for_exactly_one_card() -> None:
    table = played("9C TD KH 8S KD 9D", "h", "d")
    hand = table.over.hands[0]
    assert (hand.bet, len(hand.cards)) == (4_000, 3)
    assert net(table) == -40  # 27 against 29


def test_double_is_allowed_at_any_time_in_the_turn() -> None:
    table = dealt("2C TD 2D 2H 2S" + ENOUGH)
    table.play("b")
    for word in "hhh":
        assert "d" in table.offered
        table.play(word)
    assert "d" in table.offered


def test_option_limits_double_to_two_cards() -> None:
    table = dealt("9C TD 2H 2S" + ENOUGH, Rules(double_two_cards=True))
    table.play("b")
    assert table.refused("d") == "d: you can double only two cards here"
    table.play("h")
    assert "d" in table.offered
    table.play("h")
    assert table.refused("d") == "d: you can double only two cards here"


@pytest.mark.parametrize(
    ("cards", "words", "count", "on_14", "won"),
    [
        pytest.param("9C TD 9H KD 8S", "d", 2, False, -40, id="one card, without a later split"),
        pytest.param("9C TD 5H KS KD 9D", "hd", 3, False, -40, id="14, which becomes 24"),
        pytest.param("9C TD 5H KD KS", "d", 2, True, 40, id="to a 14, which stands"),
        pytest.param("9C TD KH 9S 5C", "hhd", 4, False, -40, id="a bust loses both bets"),
    ],
)
def test_a_double_is_settled_with_both_bets(
    cards: str, words: str, count: int, on_14: bool, won: int
) -> None:
    table = played(cards, *words)
    assert [(len(hand.cards), hand.on_14) for hand in table.over.hands] == [(count, on_14)]
    assert net(table) == won


# ---- splitting -----------------------------------------------------------------------------------


def test_split_makes_two_hands_and_deals_a_card_to_each() -> None:
    table = dealt("8C TD 8H 2S 3S" + ENOUGH)
    table.play("b 50", "h", "p")
    hands = table.state.hands
    assert [[str(card) for card in hand.cards] for hand in hands] == [["8C", "2S"], ["8H", "3S"]]
    assert [hand.bet for hand in hands] == [5_000, 5_000]
    assert game.money(table.state, SEAT) == Money(90_000, 10_000)


def test_split_hands_are_played_in_turn() -> None:
    table = dealt("8C TD 8H 2S 3S" + ENOUGH)
    table.play("b", "h", "p")
    assert table.state.active == 0
    assert "Now hand 2" in table.play("h", "s")
    assert table.state.active == 1
    table.play("h", "h", "s")
    assert [len(hand.cards) for hand in table.over.hands] == [3, 4]


@pytest.mark.parametrize(
    ("rules", "pairs", "other", "what"),
    [
        (Rules(), ("JC TD KH", "AC TD AH"), "9C TD TH", "value"),
        (Rules(split_same_rank=True), ("KC TD KH",), "JC TD KH", "rank"),
    ],
    ids=value_id,
)
def test_split_needs_the_same_value_or_by_an_option_the_same_rank(
    rules: Rules, pairs: tuple[str, ...], other: str, what: str
) -> None:
    for cards in pairs:
        assert "p" in played(cards, "h", rules=rules).offered, cards
    table = played(other, "h", rules=rules)
    assert "p" not in table.offered
    assert table.refused("p") == f"p: you can split only two cards of the same {what}"


def test_only_the_first_two_cards_can_be_split() -> None:
    assert "p" not in played("2C TD 3H 3S", *"hh").offered


def test_second_split_is_refused_under_the_usual_rules() -> None:
    table = played("8C TD 8H 8S 8D", *"hp")
    assert table.refused("p") == "p: you can have at most 2 hands"


@pytest.mark.parametrize("most", [3, 4], ids=labelled("{} hands"))
def test_rule_option_allows_more_split_hands(most: int) -> None:
    table = dealt("8C TD" + " 8H" * 9 + ENOUGH, Rules(most_hands=most))
    table.play("b", "h", *["p"] * (most - 1))
    assert len(table.state.hands) == most
    assert "p" not in table.offered
    table.play(*["s"] * most)
    assert [str(hand.cards[0]) for hand in table.over.hands] == ["8C"] + ["8H"] * (most - 1)
    assert table.over.wagered == most * 2_000


def test_double_is_allowed_after_a_split() -> None:
    table = played("8C TD 8H 2S 3S KH KS KD 9D", "h", "p", "d", "d")
    assert [hand.bet for hand in table.over.hands] == [4_000, 4_000]
    assert net(table) == -80  # 20 and 21 against 29


def test_option_forbids_double_after_a_split() -> None:
    table = dealt("8C TD 8H 2S 3S" + ENOUGH, Rules(double_after_split=False))
    table.play("b", "h")
    assert "d" in table.offered
    table.play("p")
    assert table.refused("d") == "d: no double after a split here"


# ---- insurance -----------------------------------------------------------------------------------


def test_insurance_is_offered_against_an_ace_before_other_cards() -> None:
    table = dealt("9C AD" + ENOUGH)
    said = table.play("b 50")
    assert said[-1] == "Insurance for 50.00? i takes it, n declines, a shows the EV"
    assert table.offered == {"i", "n"}
    assert len(table.state.hands[0].cards) == 1


@pytest.mark.parametrize("card", ["KD", "TD", "2D", "9D"])
def test_insurance_is_not_offered_against_other_cards(card: str) -> None:
    table = dealt(f"9C {card}" + ENOUGH)
    table.play("b")
    assert "i" not in table.offered
    assert table.refused("i") == "i: the dealer shows no ace"


def test_insurance_is_a_side_bet_equal_to_the_bet() -> None:
    table = dealt("9C AD" + ENOUGH)
    table.play("b 50", "i")
    assert table.state.insurance == 5_000
    assert game.money(table.state, SEAT) == Money(90_000, 10_000)


@pytest.mark.parametrize(
    ("cards", "word", "odds", "insurance", "back", "won"),
    [
        pytest.param("9C AD TS KD", "i", Odds(1), 20, 40, 0, id="a 31 pays even money"),
        pytest.param("9C AD TS 9D", "i", Odds(1), 20, 0, -40, id="without a 31"),
        pytest.param("9C AD TS KD", "i", Odds(43, 10), 20, 106, 66, id="a 31 at 43:10"),
        pytest.param("9C AD TS KD", "n", Odds(1), 0, 0, -20, id="declined"),
    ],
)
def test_insurance_is_paid_at_its_odds_for_a_31(
    cards: str, word: str, odds: Odds, insurance: int, back: int, won: int
) -> None:
    over = played(cards, word, "s", rules=Rules(insurance=odds)).over
    assert (over.insurance, over.insurance_back) == (100 * insurance, 100 * back)
    assert over.won - over.wagered == 100 * won


# ---- the shoe ------------------------------------------------------------------------------------


def test_hit_me_shoe_has_two_decks() -> None:
    table = shuffled()
    assert table.state.stock == 104
    assert game.turn(game.start(Options())) == NeedShoe(PACK * 2)


def test_shoe_is_shuffled_below_30_cards_at_the_start_of_a_round() -> None:
    table = shuffled()
    shuffles = 0
    for _ in range(40):
        before, begun = table.state.stock, len(table.heard)
        table.play("b")
        while table.offered and "b" not in table.offered:
            table.play("n" if "n" in table.offered else "s")
        told = table.heard[begun:]
        used = sum(isinstance(event, CardDealt) for event in told)
        anew = before - used < 30
        assert [e for e in told if isinstance(e, ShoeBegun)] == [ShoeBegun(104, False)] * anew
        assert len(table.state.discards) == (0 if anew else 104 - before + used)
        shuffles += anew
    assert shuffles > 1


def test_a_known_deck_is_never_shuffled_and_ends_the_game() -> None:
    table = dealt("9C TD KH 7S KC 9H KD 8D")
    table.play("b", "s", "b", "s")
    assert game.turn(table.state) == SittingOver("the cards are used up")
    assert isinstance(table.heard[-1], RoundOver)


def test_known_deck_may_have_more_than_eight_cards_of_a_rank() -> None:
    table = dealt("2C " * 60)
    table.play("b", *["h"] * 6, "s")
    assert table.over.dealer[0] is PACK[1]


# ---- what a seat may choose is what is asked -----------------------------------------------------


@pytest.mark.parametrize("action", [Hit(), Stand(), Split()], ids=value_id)
def test_other_actions_are_refused_during_the_insurance_question(action: object) -> None:
    table = dealt("9C AD" + ENOUGH)
    table.play("b")
    assert not any(offer.fits(action) for offer in game.offers(table.state, SEAT))
    assert [offer.kind for offer in game.offers(table.state, SEAT)] == [Decline, Insure]


def test_hit_me_options_with_a_negative_credit_are_refused() -> None:
    with pytest.raises(ValueError, match="must be 0 or more, not -1"):
        Options(credit=-1)


def test_void_hit_me_round_is_not_counted_in_the_tally() -> None:
    table = dealt("9C TD KH")
    table.play("b 50", "s")
    assert table.heard[-1] == RoundVoid(5_000)
    assert table.tally.rounds == 0
