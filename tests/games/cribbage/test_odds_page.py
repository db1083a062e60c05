"""The page of odds at a table: the hand that is kept by its starter, par, the chance to win."""

from __future__ import annotations

from itertools import takewhile

from tui_casino.cards.card import parse_hand
from tui_casino.engine.game import Seat
from tui_casino.games.cribbage import DEFINITION
from tui_casino.games.cribbage.brains.show_points import starters_of
from tui_casino.games.cribbage.brains.win_chances import in_game_chance, shipped_win_chances
from tui_casino.games.cribbage.face.odds_page import odds_page
from tui_casino.games.cribbage.face.odds_report import par_lines
from tui_casino.games.cribbage.machine import game
from tui_casino.games.cribbage.machine.state import TRAINING, Options, Phase, State
from tui_casino.structs import replace
from tui_casino.tui.table.snapshot import TableSnapshot

ME = Seat(0)
SIX = parse_hand("2C 5D 5H 9D JC KS")
KEPT = parse_hand("5D 5H JC KS")
DEALT = game.view(
    State(
        Options(),
        Phase.DISCARD,
        points=(57, 60),
        hands=(SIX, parse_hand("AC AD AH AS 2D 2H")),
        waiting=(0, 1),
    ),
    ME,
)


def lines(view: State, *draft: int) -> list[str]:
    """Give the page up to the points of all hands, which the contract suite looks at."""
    page = odds_page(TableSnapshot(view, ME, DEFINITION.tally(ME), selection=draft))
    return [*takewhile(lambda line: not line.startswith("Points of all hands"), page)]


def test_odds_page_leaves_marked_cards_out_of_the_hand() -> None:
    told = lines(DEALT, 1, 4)
    found = starters_of(KEPT, SIX, DEALT.options.rule_set)
    assert told[0] == "5♦ 5♥ J♣ K♠: points with each starter"
    assert told[2].split()[:3] == ["21", "1", "5"]
    assert f"average {float(found.mean):.3f} points" in told[:14]
    thrown = replace(
        DEALT, hands=(KEPT, DEALT.hands[1]), discards=(parse_hand("2C 9D"), ()), waiting=(1,)
    )
    assert lines(thrown)[:10] == told[:10]


def test_odds_page_without_marked_cards_lists_no_points_by_starter() -> None:
    for view in (DEALT, replace(DEALT, phase=Phase.SHUFFLE, hands=((), ()))):
        assert not any("with each starter" in line for line in lines(view))


def test_win_chance_on_the_odds_page_uses_score_and_known_cards() -> None:
    told = lines(DEALT)
    assert told[0] == "Your chance to win at 57 to 60"
    known = in_game_chance(DEALT, ME)
    assert known is not None
    chances = [shipped_win_chances().chance(57, 60, dealer) for dealer in (True, False)]
    assert [line.split()[-1] for line in told[1:4]] == [f"{c:.1%}" for c in (*chances, known)]
    assert all(line in told for line in par_lines())


def test_odds_page_of_a_trainer_round_or_finished_game_has_no_win_chance() -> None:
    over = replace(DEALT, phase=Phase.OVER, points=(121, 60), winner=0, waiting=())
    for view in (replace(DEALT, options=TRAINING), over):
        assert not any("Your chance" in line for line in lines(view))
