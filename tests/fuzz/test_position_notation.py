"""Lines of states that were damaged: each is a state, or refused as what a player gives is."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.contract import toy
from tests.helpers.random_play import fair_table, play, seed_of
from tui_casino.engine.game import Seat
from tui_casino.gamekit.position_notation import read_notation, write_notation
from tui_casino.gamekit.registry import GAMES
from tui_casino.inputs.errors import BadInput


@cache
def lines() -> tuple[tuple[str, type[Any]], ...]:
    """Lines of all games, after so many steps of random play, and what they are of."""
    found = []
    for definition in (*(listing.definition() for listing in GAMES), toy.DEFINITION):
        for number, steps in enumerate((0, 7, 19, 60, 150)):
            table = fair_table(definition, seed_of(number))
            play(table, seed_of(number), steps)
            found.append((write_notation(table.state), type(table.state)))
            found.append((write_notation(table.view(Seat(0))), type(table.state)))
    return tuple(found)


SIGNS = '(),= -"\\?0159KSHTtruefalsénone\x00\x1b\u202e'


def damaged(line: str, dice: random.Random) -> str:
    """Change a line at a few places: signs lost, put in, doubled, words moved or of other lines."""
    for _ in range(dice.randint(1, 4)):
        a, b = sorted(dice.randint(0, len(line)) for _ in range(2))
        words, others = line.split(" "), dice.choice(lines())[0].split(" ")
        ways = (
            line[:a] + line[a + 1 :],
            line[:a] + line[b:],
            line[:a] + dice.choice(SIGNS) + line[a:],
            line[:a] + dice.choice(SIGNS) + line[a + 1 :],
            line[:b] + line[a:],
            " ".join(dice.sample(words, len(words))),
            " ".join((*words, dice.choice(others))),
            line.replace(dice.choice(words), dice.choice(others), 1),
        )
        line = dice.choice(ways)
    return line


@given(st.integers(0, 10**9))
def test_damaged_position_line_is_refused_or_read_as_a_state(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(20):
        line, kind = dice.choice(lines())
        try:
            state = read_notation(damaged(line, dice), kind)
        except BadInput:
            continue
        assert read_notation(write_notation(state), kind) == state
