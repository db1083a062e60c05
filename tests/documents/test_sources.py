"""The differences that the page about the sources states are those of the program."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Size

from tests.helpers.command_runner import output
from tui_casino.cards.card import PACK, Card, Rank, Suit
from tui_casino.games.baccarat.machine.rules import Hand
from tui_casino.games.baccarat.machine.rules import Options as BaccaratOptions
from tui_casino.games.cribbage.face.widgets.far_hand import FarHand
from tui_casino.house.settings import Settings

PAGE = " ".join((Path(__file__).parents[2] / "docs" / "sources.md").read_text("utf-8").split())


def states(claim: str) -> bool:
    """Return whether the page contains these words."""
    return claim in PAGE


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def console(*arguments: str, typed: str) -> str:
    place = ("--log-dir", "sessions")
    return output(*arguments, "--console", *place, typed=typed).out


def test_bet_after_the_deal_is_refused_with_the_words_of_the_source_first() -> None:
    assert states("`b` after the deal prints `b: illegal command` and then how to hold cards")
    assert "b: illegal command; h holds" in console(
        "video-poker", "--seed", "1", typed="b\nd\nb\nq\n"
    )


def test_second_bet_before_the_deal_is_illegal() -> None:
    assert states("A second `b` before the deal is illegal")
    assert "b: illegal command" in console("video-poker", "--seed", "1", typed="b\nb\nq\n")


def test_hands_are_immutable_and_cards_are_parsed_from_one_string() -> None:
    assert states("`Hand(capacity=3)` replaces `clear`")
    empty = Hand(capacity=3)
    assert empty.receive(PACK[0]) != empty == Hand(capacity=3)
    assert states("`10 of Spades`, `TS` and `10♠` are all accepted")
    cards = {Card.parse(text) for text in ("10 of Spades", "TS", "10♠")}
    assert [(str(card), card.name) for card in cards] == [("TS", "10 of Spades")]
    assert None not in {*Rank, *Suit}


def test_shoe_of_the_screen_has_a_burn_card_and_a_cut_card() -> None:
    assert states("The screen's shoe has a burn card and a cut card")
    assert BaccaratOptions().burn
    assert BaccaratOptions().cut_card
    assert "burn" not in console("baccarat", "--seed", "1", typed="n\n").lower()


def test_buy_in_of_the_screen_is_the_documented_one() -> None:
    assert states(f"The screen takes up to {Settings().buy_in}.00 of your balance")


@pytest.mark.parametrize("more", [[], ["--open"]], ids=["hidden", "open"])
def test_two_people_at_cribbage_see_hidden_cards_unless_open(more: list[str]) -> None:
    assert states("play with hidden cards unless you add `--open`")
    said = console("cribbage", "55510", "--opponent", "human", *more, typed="q\n")
    assert all(card in said for card in ("1) 2C 2) 2H 3) 7C", "1) AD 2) AH 3) TD")) is bool(more)


def test_cribbage_logs_have_pair2_and_no_blanks() -> None:
    assert states("Logs contain no blanks, as the text demands, and `pair2` in the play")
    computers = "Player0=cribbage.RandomPlayer\nPlayer1=cribbage.RandomPlayer\n"
    Path("cribbage.properties").write_text(computers)
    log = console("cribbage", "55510", typed="")
    assert "score,P1,2,2,pair2\n" in log
    assert " " not in log


def test_width_below_which_the_pack_stays_at_the_bottom(monkeypatch: pytest.MonkeyPatch) -> None:
    def has_room(columns: int) -> bool:
        monkeypatch.setattr(FarHand, "size", Size(columns, 1))
        return FarHand().has_room_for_pack

    (first,) = (n for n in range(40, 100) if has_room(n) and not has_room(n - 1))
    assert states(f"In windows with fewer than {first} columns, pack and crib stay at the bottom")
