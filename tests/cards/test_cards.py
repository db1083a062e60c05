import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_casino.cards.card import (
    BACK,
    PACK,
    RANKS,
    SUITS,
    Card,
    Rank,
    Suit,
    format_cards,
    parse_hand,
    whole_packs,
)

cards = st.sampled_from(PACK)


def test_pack_has_52_different_cards_in_order() -> None:
    assert len(set(PACK)) == 52
    assert format_cards(PACK[:14]) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"
    assert [card.index for card in PACK] == list(range(52))
    assert BACK not in PACK
    assert len(whole_packs(8)) == 416


def test_card_has_code_symbol_and_name() -> None:
    ten = Card(Rank.TEN, Suit.SPADES)
    assert (str(ten), ten.symbol, ten.name) == ("TS", "10♠", "10 of Spades")
    ace = Card(Rank.ACE, Suit.HEARTS)
    assert (str(ace), ace.symbol, ace.name) == ("AH", "A♥", "Ace of Hearts")
    assert (str(BACK), BACK.name) == ("??", "face down")


def test_parsing_the_code_symbol_name_or_repr_of_a_card_returns_that_card() -> None:
    for card in PACK:
        for text in (str(card), card.symbol, card.name):
            assert Card.parse(text) is card
        assert eval(repr(card), {"Card": Card}) is card


@pytest.mark.parametrize("text", ["", "1S", "10S", "ts", "T", "TSS", "XX", "T?", "A of Spades"])
def test_text_that_names_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a card; write a rank"):
        Card.parse(text)


def test_each_card_is_a_single_immutable_object() -> None:
    card = Card.parse("QH")
    assert Card(Rank.QUEEN, Suit.HEARTS) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is card
    with pytest.raises(AttributeError):
        card.rank = Rank.KING
    with pytest.raises(ValueError, match="no card"):
        Card(Rank.ACE, Suit.BACK)


def test_cards_sort_by_rank_with_ace_low_then_by_suit() -> None:
    assert format_cards(sorted(parse_hand("KH 2S AD 2C TC"))) == "AD 2C 2S TC KH"


@given(st.lists(cards))
def test_formatted_hand_parses_back_to_the_same_cards(several: list[Card]) -> None:
    assert parse_hand(format_cards(several)) == tuple(several)


def test_ranks_run_from_ace_to_king_and_suits_from_clubs_to_spades() -> None:
    assert [rank.letter for rank in RANKS] == list("A23456789TJQK")
    assert [suit.symbol for suit in SUITS] == list("♣♦♥♠")
