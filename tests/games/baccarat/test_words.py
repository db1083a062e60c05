"""Texts at the table: reasons for every third card, bets and refusals."""

from __future__ import annotations

from itertools import product

import pytest

from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import BACK, Card, parse_hand
from tui_casino.engine.game import Seat, Shoe
from tui_casino.games.baccarat import DEFINITION
from tui_casino.games.baccarat.face import advice, words
from tui_casino.games.baccarat.machine import game
from tui_casino.games.baccarat.machine.rules import (
    CAPACITY,
    Hand,
    HandSide,
    Options,
    next_to_receive,
    value_of,
)
from tui_casino.games.baccarat.machine.state import (
    BetsLaid,
    BurnCard,
    Burnt,
    CutCard,
    Event,
    ShoeFinished,
)
from tui_casino.house.table_commands import CommandContext, RefusedCommand, read_command

SEAT = Seat(0)
VALUES = range(10)


def card(value: int) -> Card:
    return Card.parse(f"{'TA23456789'[value]}H")


def two(value: int) -> Hand:
    return Hand(cards=(card(value), card(0)))


def played(ours: int, theirs: int, third: int, fourth: int) -> tuple[Hand, Hand]:
    """Play a coup from both totals, with these cards to draw."""
    player, banker = two(ours), two(theirs)
    while (side := next_to_receive(player, banker)) is not None:
        if side is HandSide.PLAYER:
            player = player.receive(card(third))
        else:
            banker = banker.receive(card(fourth))
    return player, banker


@pytest.mark.parametrize("ours", VALUES)
def test_reason_is_correct_for_every_case_of_the_third_card_table(ours: int) -> None:
    """Check the reasons for all cases of the course's table of third cards."""
    for theirs, third in product(VALUES, VALUES):
        check_why(ours, theirs, third)


def check_why(ours: int, theirs: int, third: int) -> None:
    player, banker = played(ours, theirs, third, 0)
    said = advice.drawing_reasons(player, banker)
    if max(ours, theirs) >= 8:
        name, value = ("player", ours) if ours >= 8 else ("banker", theirs)
        assert said == (f"The {name} has a natural {value}, so no third card is drawn.",)
        return
    about_player, about_banker = said
    if len(player) == CAPACITY:
        assert about_player == f"The player draws on {ours}: it must draw on 0 to 5."
    else:
        assert about_player == f"The player stands on {ours}: it must stand on 6 or 7."
    does = "draws" if len(banker) == CAPACITY else "stands"
    assert about_banker.startswith(f"The banker {does} on {theirs}: ")
    if len(player) == CAPACITY:
        highest = {2: 4, 3: 4, 4: 5, 5: 5, 6: 6, 7: 6, 8: 2}.get(third, 3)  # the course's table
        assert f"a third card of {third} it draws on 0 to {highest}." in about_banker
        assert (theirs <= highest) == (does == "draws")
    else:
        rule = "0 to 5" if theirs <= 5 else "6 or 7"
        assert about_banker.endswith(f"if the player stands, it {does} on {rule}.")


def test_two_naturals_are_explained_by_that_of_the_player() -> None:
    assert advice.drawing_reasons(two(8), two(9)) == (
        "The player has a natural 8, so no third card is drawn.",
    )


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (
            BurnCard(Card.parse("7D"), 7),
            ("The burn card is the 7 of Diamonds: 7 more cards are burnt",),
        ),
        (
            BurnCard(Card.parse("AC"), 1),
            ("The burn card is the Ace of Clubs: 1 more card is burnt",),
        ),
        (Burnt(BACK), ()),
        (CutCard(), ("The cut card is out: after this coup there is one more",)),
        (BetsLaid((25, 0, 5, 0, 1)), ("Bets: 25 Player, 5 Tie, 1 Banker pair",)),
        (BetsLaid((0, 0, 0, 0, 0)), ("Bets: none",)),
        (ShoeFinished(70), ("The shoe is finished after 70 coups",)),
    ],
    ids=value_id,
)
def test_baccarat_events_are_described_with_the_expected_sentences(
    event: Event, lines: tuple[str, ...]
) -> None:
    assert words.lines(event, SEAT) == lines


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("b", "b: give an amount and a spot, like b 25 p; spots are p b t pp bp"),
        ("b 25", "b: give an amount and a spot, like b 25 p; spots are p b t pp bp"),
        ("b p 25", "b: give an amount and a spot, like b 25 p; spots are p b t pp bp"),
        ("b 25 x", "b: give an amount and a spot, like b 25 p; spots are p b t pp bp"),
        ("b 2.5 p", "b: give an amount and a spot, like b 25 p; spots are p b t pp bp"),
        ("b 4 p", "b: bet 5 to 500 on Player or Banker, 1 to 100 on Tie or a pair"),
        ("b -5 p", "b: bet 5 to 500 on Player or Banker, 1 to 100 on Tie or a pair"),
        ("b 101 t", "b: bet 5 to 500 on Player or Banker, 1 to 100 on Tie or a pair"),
        ("b 500 p", "b: beyond your credit"),
        ("d 1", "d: type nothing after d"),
        ("c", "c: there are no bets to clear"),
        ("r", "r: there are no bets to repeat"),
        ("x", "there is no command 'x'; type ? for help"),
    ],
)
def test_refused_baccarat_command_says_what_to_type_or_what_is_wrong(line: str, says: str) -> None:
    state = game.step(game.start(Options(credit=20_000, burn=False)), None, Shoe(416)).state
    at = CommandContext(DEFINITION, state, SEAT, DEFINITION.tally(SEAT))
    assert read_command(line, at) == RefusedCommand(line.split()[0], says)


def test_help_says_how_the_banker_is_paid() -> None:
    assert "1:1 less 5%" in words.help(game.start(Options()))
    assert "half if it wins with 6" in words.help(game.start(Options(commission=False)))


def test_hands_are_described_with_their_totals() -> None:
    ours, theirs = Hand(cards=parse_hand("TS AH")), Hand(cards=parse_hand("9C 9D 2H"))
    assert words.hands_in_words(ours, theirs) == (
        "Player: 10 of Spades,Ace of Hearts (1)",
        "Banker: 9 of Clubs,9 of Diamonds,2 of Hearts (0)",
    )
    assert value_of(theirs) == 0


def test_there_is_a_baccarat_computer_player_for_every_bet_spot() -> None:
    assert set(DEFINITION.players) == {"player", "banker", "tie", "player-pair", "banker-pair"}
