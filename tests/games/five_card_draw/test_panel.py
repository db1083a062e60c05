"""What is told of a moment: the panel, the page of figures, the answer; and the tables."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace

import pytest

from tui_casino.cards.card import Hand, hand
from tui_casino.games.five_card_draw.brains.players import MIXED, seats_of
from tui_casino.games.five_card_draw.face import command
from tui_casino.games.five_card_draw.face.panel import PANEL, DrawGlance, answer, figures
from tui_casino.games.five_card_draw.face.tables import TABLES
from tui_casino.games.five_card_draw.face.tally import Tally
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.rules import Positions
from tui_casino.games.five_card_draw.machine.state import HUMAN, Options, Phase, Stakes, State
from tui_casino.tui.table.glance import Glance, Journal

PAIR = hand("KS KD 9H 5C 2D")
BEFORE = start(Options(opponents=1))


def moment(cards: Hand, phase: Phase = Phase.DRAW) -> State:
    return replace(BEFORE, phase=phase, dealt_in=(0, 1), hands=(cards, ()), drawing=(0, 1))


def glance(view: State, draft: Positions = ()) -> DrawGlance:
    tally = Tally(HUMAN, rounds=1_200, won_hands=300, wagered=6_000, won=5_500)
    return Glance(view, HUMAN, tally, draft, Journal((400, 380, 420)), plain=True)


def panel(at: DrawGlance) -> dict[str, str]:
    return {section.title: str(section.write(at)) for section in PANEL}


def test_the_marked_discard_is_weighed() -> None:
    at = glance(moment(PAIR), (3, 4, 5))
    lines = panel(at)["your hand"].split("\n")
    # of 16,215 draws: 45, 165, 1,854 and 2,592; the rest stay one pair
    assert lines[:6] == [
        "a pair of kings",
        "four of a kind     0.278 %",
        "full house         1.018 %",
        "three of a kind   11.434 %",
        "two pair          15.985 %",
        "one pair          71.286 %",
    ]
    assert lines[6].startswith("wins ")
    assert lines[7].startswith("best: 3 4 5, ")
    assert (figures(at).title, figures(at).lines) == ("Your hand", tuple(lines))
    assert answer(at)[0].startswith(f"Discard 3 4 5: {lines[6]}. Algorithm: the same ")


def test_what_the_rules_forbid_is_not_weighed() -> None:
    at = glance(moment(PAIR), (1, 2, 3, 4))
    assert panel(at)["your hand"] == "a pair of kings\nMay not be discarded"


def test_after_the_draw_there_is_one_way_left() -> None:
    view = replace(moment(PAIR, Phase.CLOSING), drawn=(0, None))
    *_, last = figures(glance(view)).lines
    assert last.startswith("wins ")
    assert answer(glance(view)) == (f"You have a pair of kings: {last}",)


@pytest.mark.parametrize(
    ("view", "name", "said"),
    [
        (BEFORE, "", ()),
        (moment(PAIR, Phase.REST), "a pair of kings", ("You have a pair of kings",)),
    ],
)
def test_no_hand_to_weigh(view: State, name: str, said: tuple[str, ...]) -> None:
    at = glance(view)
    assert panel(at)["your hand"] == name
    assert (figures(at).title, figures(at).lines) == ("There is no hand to weigh now.", ())
    assert answer(at) == said


def test_the_session() -> None:
    found = panel(glance(BEFORE))
    assert found["session"].split("\n") == [
        "hands         1,200",
        "won             300",
        "net            -500",
    ]
    assert found["bankroll"] == "=_#"


def test_every_table_is_what_its_name_says() -> None:
    assert len(TABLES.choices) == 9
    for name, title in TABLES.titles.items():
        seating = TABLES.seating(name)
        stakes, opponents = name.split("-")
        options = Options(opponents=int(opponents), stakes=Stakes(stakes))
        assert seating.options == options
        assert seating.players == seats_of(options.opponents, MIXED)
        assert f", {opponents} opponent" in title


def test_the_command_sits_down_where_the_menu_does() -> None:
    parser = ArgumentParser()
    command.add_arguments(parser)
    parser.add_argument("--console", action="store_true")
    by_command, usual = command.seating(parser.parse_args([])), TABLES.seating()
    assert usual.options == by_command.options == Options(opponents=3, stakes=Stakes.ANTE)
    assert usual.players == by_command.players
