"""The opponents' betting: by price, by thresholds, with occasional bluffs; and their names."""

from __future__ import annotations

import pytest
from msgspec import Struct

from tui_casino.cards.card import BACK, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw.brains.levels import (
    AT_LIMIT,
    LEVELS,
    PLAYERS,
    PRESENT,
    SOLVED,
    level_of,
    seats_of,
)
from tui_casino.games.five_card_draw.machine.betting import Betting
from tui_casino.games.five_card_draw.machine.game import offers, start
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Bet,
    Call,
    Check,
    Fold,
    Options,
    Phase,
    Raise,
    State,
)
from tui_casino.structs import replace

ME, OTHER = Seat(1), Seat(0)


class Rolls(Struct):
    """Dice that always show the same side; 0 is a bluff if a bluff is possible."""

    roll: int = 1

    def below(self, n: int, /) -> int:
        return self.roll


def moment(cards: str, owes: int, pot: int, phase: Phase = Phase.CLOSING, raises: int = 0) -> State:
    """Return a position with seat 1 to act, with this price and this pot."""
    size = 10 if phase is Phase.OPENING else 20
    return replace(
        start(Options(opponents=1)),
        phase=phase,
        dealt_in=(0, 1),
        hands=((BACK,) * 5, parse_hand(cards)),
        drawn=(3, 3) if phase is Phase.CLOSING else (None, None),
        put_in=(pot - (pot - owes) // 2, (pot - owes) // 2),
        betting=Betting(size, (owes, 0), (1,), raises=raises),
    )


def chosen(player: str, view: State, roll: int = 1) -> type[Action]:
    return type(PLAYERS[player]().choose(view, ME, offers(view, ME), Rolls(roll)))


@pytest.mark.parametrize("player", ["tight.2", "exact.2"])
@pytest.mark.parametrize(
    ("cards", "owes", "pot", "phase", "does"),
    [
        # after the draw, any pair pays up to an eighth of the pot with the call
        ("7C 7D QS 9H 2C", 10, 90, Phase.CLOSING, Call),
        ("7C 7D QS 9H 2C", 20, 140, Phase.CLOSING, Call),
        ("7C 7D QS 9H 2C", 20, 120, Phase.CLOSING, Fold),
        ("AC KD QS 9H 2C", 10, 90, Phase.CLOSING, Fold),
        ("TC TD QS 9H 2C", 20, 50, Phase.CLOSING, Call),
        # before it, up to a fifth
        ("7C 7D QS 9H 2C", 10, 40, Phase.OPENING, Call),
        ("7C 7D QS 9H 2C", 10, 30, Phase.OPENING, Fold),
        # draws pay up to a quarter with eight or nine cards, and a tenth with four
        ("9C 8D 7S 6H 2C", 10, 30, Phase.OPENING, Call),
        ("9C 8D 7S 6H 2C", 20, 50, Phase.OPENING, Fold),
        ("KC 9C 7C 2C 3D", 10, 30, Phase.OPENING, Call),
        ("AC QD 4S 3H 2C", 20, 50, Phase.OPENING, Fold),
        ("AC QD 4S 3H 2C", 10, 90, Phase.OPENING, Call),
        ("AC KD QS JH 2C", 10, 30, Phase.OPENING, Fold),
        ("9C 8D 7S 6H 2C", 10, 90, Phase.CLOSING, Fold),
    ],
)
def test_player_below_its_raise_threshold_calls_or_folds_by_the_price(
    player: str, cards: str, owes: int, pot: int, phase: Phase, does: type[Action]
) -> None:
    assert chosen(player, moment(cards, owes, pot, phase)) is does


@pytest.mark.parametrize("player", ["tight.2", "exact.2"])
def test_computer_player_bluffs_with_a_bet_and_never_with_a_raise(player: str) -> None:
    nothing = "KC 9D 7S 4H 2C"
    assert chosen(player, moment(nothing, 0, 20), roll=0) is Bet
    assert chosen(player, moment(nothing, 0, 20)) is Check
    assert chosen(player, moment(nothing, 20, 40), roll=0) is Fold
    assert chosen(player, moment("7C 7D QS 9H 2C", 20, 40), roll=0) is Fold
    assert chosen(player, moment("9C 9D 9S 4H 2C", 20, 40)) is Raise


def test_earlier_versions_of_computer_players_choose_as_before() -> None:
    """Verification of old logs replays the choices of these players."""
    sevens = moment("7C 7D QS 9H 2C", 20, 40)
    for player in ("tight", "exact"):
        assert chosen(player, sevens, roll=0) is Raise
        assert chosen(player, moment("7C 7D QS 9H 2C", 10, 90)) is Fold
        assert chosen(player, moment("AC QD 4S 3H 2C", 20, 50, Phase.OPENING)) is Call


def test_each_level_seats_the_current_version_of_its_player() -> None:
    assert LEVELS == ("algorithm", "tight", "exact")
    assert [level_of(PRESENT[level]) for level in LEVELS] == [*LEVELS]
    levels = {level_of(player).split()[0] for player in PLAYERS}
    assert levels == {*LEVELS, *AT_LIMIT, SOLVED}
    assert all(name in PLAYERS for name in PRESENT.values())
    assert [*seats_of(3, "mixed").values()] == [None, "algorithm", "tight.2", "exact.2"]
    assert [*seats_of(2, "tight").values()] == [None, "tight.2", "tight.2"]
