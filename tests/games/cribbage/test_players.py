"""The random player draws as the original's, the greedy one takes the most points and draws not."""

from __future__ import annotations

from tests.games.cribbage.rounds import KnownRound, known
from tui_casino.games.cribbage.brains.players import GreedyPlayer, RandomPlayer
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.state import (
    TRAINING,
    Action,
    Count,
    CountingMode,
    Discard,
    Go,
    Lay,
    Next,
    Options,
    Phase,
)
from tui_casino.structs import replace

SPARE = "3H 5D 7S 9C JD QC"


class Given:
    """Dice that fall as given, and know what was asked of them."""

    def __init__(self, *falls: int) -> None:
        self.falls, self.sizes = list(falls), list[int]()

    def below(self, n: int, /) -> int:
        self.sizes.append(n)
        return self.falls.pop(0)


def choice(player: RandomPlayer, round: KnownRound, dice: Given) -> Action:
    """Ask the player for a choice of the seat to act, from the view of that seat."""
    assert round.asked_seat is not None
    seat = round.asked_seat
    view = game.view(round.state, seat)
    return player.choose(view, seat, game.offers(view, seat), dice)


def test_random_player_draws_its_second_discard_from_five_cards() -> None:
    dice = Given(2, 2)
    assert choice(RandomPlayer(), known("2H 4D 6S 8C TD KC", SPARE, "AS"), dice) == Discard((3, 4))
    assert dice.sizes == [6, 5]


def test_random_player_plays_one_of_the_playable_cards() -> None:
    round = known("2H 4D 6S 8C TD KC", SPARE, "AS")
    round.discard("2H KC", "3H 5D")
    round.lay("TD QC")  # 20
    dice = Given(2)
    assert choice(RandomPlayer(), round, dice) == Lay(3)
    assert dice.sizes == [3]


def test_random_player_uses_the_dice_also_for_a_single_playable_card() -> None:
    round = known("2H 4D 6S TC TD KC", SPARE, "AS")
    round.discard("2H KC", "3H 5D")
    round.lay("TD QC TC")
    assert choice(RandomPlayer(), round, Given()) == Go()
    round = known("AH 2H 6S TC TD KC", SPARE, "AS")
    round.discard("2H KC", "3H 5D")
    round.lay("TD QC TC")
    assert round.asked_seat == 1
    round.lay("go")
    dice = Given(0)
    assert choice(RandomPlayer(), round, dice) == Lay(1)
    assert dice.sizes == [1]


def test_random_player_uses_no_dice_for_a_go_or_to_continue() -> None:
    round = known("2H 4D 6S 8C TD KC", SPARE, "AS")
    round.finish(Phase.SHOW)
    assert choice(RandomPlayer(), round, Given()) == Next()


def test_random_player_counts_its_hand_correctly() -> None:
    """4D 6S 8C TD and the ace: 4 10 A, and 6 8 A."""
    round = known("2H 4D 6S 8C TD KC", SPARE, "AS", replace(TRAINING, counting=CountingMode.SELF))
    round.discard("2H KC", "3H 5D")
    round.finish(Phase.SHOW)
    assert choice(RandomPlayer(), round, Given()) == Count(4)


def test_greedy_player_keeps_the_four_cards_that_score_most() -> None:
    round = known("2C 5C 5D 5S 9D JH", SPARE, "AS")
    assert choice(GreedyPlayer(), round, Given()) == Discard((1, 5))


def test_greedy_player_keeps_low_cards_if_nothing_scores() -> None:
    round = known("2C 4D 6S 8H TC QD", SPARE, "AS")
    assert choice(GreedyPlayer(), round, Given()) == Discard((5, 6))


def test_greedy_player_plays_the_highest_score_then_the_highest_card() -> None:
    round = known("AD 4C 7C 8D KC KD", "3H 5D 7S 8C JD QC", "AS", Options())
    round.discard("KC KD", "3H 5D")
    assert choice(GreedyPlayer(), round, Given()) == Lay(4)
    round.lay("8D")
    assert choice(GreedyPlayer(), round, Given()) == Lay(2)  # 8C; the 7 brings 2 as well, as 15
    round.lay("JD 4C")
    assert round.state.count == 22
    assert choice(GreedyPlayer(), round, Given()) == Lay(2)
