"""The dealer in the cage: single cards, one client seed, and no dice of a shuffle for anybody."""

from __future__ import annotations

from typing import Any

import pytest

from tests.host.cage_processes import shoe_of
from tui_casino.cards.card import PACK
from tui_casino.engine.chance import CommittedSource
from tui_casino.host.cage.dealer import MOST_UNUSED, Dealer
from tui_casino.records.ledger import LedgerError

NAMES = "".join(map(str, PACK))


@pytest.fixture
def dealer() -> Dealer:
    return Dealer(list)


def test_server_dealer_deals_only_the_next_card_of_a_shuffled_shoe(dealer: Dealer) -> None:
    source = dealer.choose_seed()
    with pytest.raises(LedgerError):
        dealer.draw(source, 1, 0)
    dealer.shuffle(source, "", 1, NAMES)
    for at in (1, 51, -1, 52):
        with pytest.raises(LedgerError, match="cannot be dealt now"):
            dealer.draw(source, 1, at)
    told = [dealer.draw(source, 1, at) for at in (0, 0, 1, 0)]
    dealer.shuffle(source, "", 1, NAMES)  # asked again, as when a sitting is taken up
    assert dealer.draw(source, 1, 1) == told[2]
    dealer.shuffle(source, "", 2, NAMES)
    assert dealer.draw(source, 1, 0) == told[0]
    with pytest.raises(LedgerError):
        dealer.draw(source, 1, 2)
    shoe = shoe_of(dealer.reveal(source), PACK)
    assert told == [str(shoe[at]) for at in (0, 0, 1, 0)]
    with pytest.raises(LedgerError):
        dealer.shuffle(source, "", 3, NAMES)


@pytest.mark.parametrize("pack", ["", "A", "AX", "TSX", "TS" * 6000])
def test_dealer_refuses_an_invalid_pack(dealer: Dealer, pack: str) -> None:
    with pytest.raises(LedgerError, match="not a pack of cards"):
        dealer.shuffle(dealer.choose_seed(), "", 1, pack)


def test_dealer_refuses_a_second_shuffle_with_other_cards_or_client_seed(dealer: Dealer) -> None:
    source = dealer.choose_seed()
    for number in (0, 2):
        with pytest.raises(LedgerError):
            dealer.shuffle(source, "word", number, NAMES)
    dealer.shuffle(source, "word", 1, NAMES)
    with pytest.raises(LedgerError, match="other cards"):
        dealer.shuffle(source, "word", 1, NAMES[2:] + NAMES[:2])
    with pytest.raises(LedgerError, match="cannot be changed"):
        dealer.shuffle(source, "other", 1, NAMES)
    with pytest.raises(LedgerError, match="cannot be changed"):
        dealer.block(source, "other", "seat 0 choice 1", 0)


def test_dealer_gives_dice_only_for_choices_and_not_for_a_shuffle(dealer: Dealer) -> None:
    source = dealer.choose_seed()
    words = dealer.block(source, "", "seat 1 choice 12", 3)
    for occasion in ("shoe 1", "word", "", "seat 1 choice 1|0", "shoe 1\n", "shoe 1 card 1|"):
        with pytest.raises(LedgerError, match="no dice"):
            dealer.block(source, "", occasion, 0)
    for number in (-1, 1 << 32):
        with pytest.raises(LedgerError, match="no dice"):
            dealer.block(source, "", "seat 1 choice 12", number)
    stream: Any = CommittedSource(dealer.reveal(source)).dice("seat 1 choice 12")
    assert words == stream.block(3)


def test_dealer_forgets_the_oldest_unused_seed_but_no_used_one(dealer: Dealer) -> None:
    sources = [dealer.choose_seed() for _ in range(MOST_UNUSED + 1)]
    with pytest.raises(LedgerError, match="sit down again"):
        dealer.seed(sources[0])
    seed = dealer.seed(sources[1])
    dealer.opened(sources[1])
    with pytest.raises(LedgerError):
        dealer.seed(sources[1])  # a seed is for one sitting
    for _ in range(MOST_UNUSED):
        dealer.choose_seed()
    assert dealer.reveal(sources[1]) == seed
    with pytest.raises(LedgerError):
        dealer.reveal(sources[2])
