"""The player that plays from the blueprint."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK, SUITS, Card, format_cards, parse_hand
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.equilibrium import blueprint
from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import (
    NODES,
    ROOT,
    DecisionNode,
)
from tui_casino.games.five_card_draw.brains.levels import AT_LIMIT, LEVELS, SOLVED, levels_at
from tui_casino.games.five_card_draw.brains.players import (
    EquilibriumPlayer,
    decision_name,
    fits_blueprint,
)
from tui_casino.games.five_card_draw.face import command
from tui_casino.games.five_card_draw.machine.betting import Betting
from tui_casino.games.five_card_draw.machine.state import Options, Stakes
from tui_casino.inputs.errors import BadInput
from tui_casino.structs import replace

LIMIT = Options(opponents=1, stakes=Stakes.LIMIT)


def names(node: DecisionNode, betting: Betting) -> dict[str, str]:
    """Walk the rules and the tree together; yield the decision names of the tree and the player."""
    found = {node.name: decision_name(betting, (0, 1))}
    for act, child in zip(node.acts, node.children, strict=True):
        if isinstance(child, DecisionNode):
            seat = betting.pending[0]
            chips = {"k": 0, "b": 10, "r": betting.owes(seat) + 10}[act]
            after = betting.puts(chips, (1 - seat,)) if chips else betting.passes()
            found |= names(child, after)
    return found


def test_blueprint_lookup_names_decisions_like_the_betting_tree() -> None:
    found = names(ROOT, Betting(10, (0, 0), (0, 1)))
    assert len(found) == len(NODES)
    assert all(name == called for name, called in found.items())


@pytest.mark.parametrize("text", ["KS KD 9H 5C 2D", "AS 9H 7D 4C 2S", "4S 9S 2S KS 7D"])
def test_blueprint_lookup_does_not_depend_on_suits_or_card_order(text: str) -> None:
    dealt = parse_hand(text)
    place = blueprint._class_and_cards(dealt)[0]
    kept = {
        number: format_cards([card for at, card in enumerate(dealt, 1) if at not in gone])
        for number in range(4)
        for gone in [blueprint.discard_positions(dealt, number)]
    }
    for suits in permutations(SUITS):
        to = dict(zip(SUITS, suits, strict=True))
        renamed = tuple(Card(card.rank, to[card.suit]) for card in dealt)
        assert blueprint._class_and_cards(renamed)[0] == place
    turned = dealt[::-1]
    for number, stay in kept.items():
        gone = blueprint.discard_positions(turned, number)
        again = [card for at, card in enumerate(turned, 1) if at not in gone]
        assert format_cards(again[::-1]) == stay


def test_blueprint_lookup_finds_the_class_of_each_sampled_hand() -> None:
    cards = hand_indexing.hand_classes().cards
    for number in range(0, cards.shape[1], 5_003):
        dealt = tuple(PACK[card] for card in cards[:, number])
        assert blueprint._class_and_cards(dealt)[0] == number


def test_blueprint_lookup_discards_the_expected_cards_for_each_number() -> None:
    assert blueprint.discard_positions(parse_hand("KS KD 9H 5C 2D"), 3) == (3, 4, 5)
    assert blueprint.discard_positions(parse_hand("4S 9S 2S KS 7D"), 1) == (5,)
    assert blueprint.discard_positions(parse_hand("9H AS 7D 4C 2S"), 4) == (1, 3, 4, 5)
    assert blueprint.discard_positions(parse_hand("9H AS 7D 4C 2S"), 0) == ()


def play(number: int) -> Table[Any, Any, Any, Any]:
    players = {Seat(0): EquilibriumPlayer(), Seat(1): EquilibriumPlayer()}
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, LIMIT, ShuffledShoe(), SeededSource(number), players
    )
    while not (table.state.winners and table.state.phase.value == "rest"):
        table.advance()
    return table


def test_two_blueprint_players_play_by_the_rules() -> None:
    drawn: Counter[int | None] = Counter()
    for number in range(40):
        table = play(number)
        assert not table.bus.faults
        drawn.update(table.state.drawn)
    assert {1, 3, None} <= {*drawn}


def test_blueprint_player_repeats_its_choices_in_a_replay() -> None:
    """Resuming a session and verifying a log replay the choices in this way."""
    for number in range(12):
        assert play(number).state == play(number).state


def test_blueprint_is_used_only_for_two_players_with_full_limit_stacks() -> None:
    seated = replace(DEFINITION.game.start(LIMIT), dealt_in=(0, 1))
    assert fits_blueprint(seated)
    assert fits_blueprint(replace(seated, stacks=(125, 675)))
    assert not fits_blueprint(replace(seated, stacks=(124, 676)))
    ante = Options(opponents=1, stakes=Stakes.ANTE)
    assert not fits_blueprint(replace(DEFINITION.game.start(ante), dealt_in=(0, 1)))
    assert not fits_blueprint(
        replace(seated, dealt_in=(0, 1, 2), stacks=(400, 400, 400), put_in=(0, 0, 0))
    )


def test_blueprint_player_chooses_actions_with_the_given_frequencies() -> None:
    class Every:
        """Dice that show each side in turn."""

        def __init__(self) -> None:
            self.thrown = -1

        def below(self, sides: int) -> int:
            self.thrown += 1
            return self.thrown % sides

    dice: Any = Every()
    frequencies = np.array([0.25, 0.7, 0.05], np.float32)
    chosen = Counter(blueprint._choose(frequencies, dice) for _ in range(120))
    assert chosen == {0: 30, 1: 84, 2: 6}


def test_gto_level_is_available_only_at_the_solved_game() -> None:
    assert levels_at(LIMIT) == (*LEVELS, *AT_LIMIT, SOLVED)
    assert levels_at(Options(opponents=2, stakes=Stakes.LIMIT)) == (*LEVELS, *AT_LIMIT)
    assert levels_at(Options(opponents=1, stakes=Stakes.ANTE)) == LEVELS


def test_command_refuses_the_gto_level_at_other_tables() -> None:
    parser = ArgumentParser()
    command.add_arguments(parser)
    parser.add_argument("--console", action="store_true")
    here = parser.parse_args(["--level", SOLVED, "--stakes", "limit", "--opponents", "1"])
    assert command.seating(here).players == {Seat(0): None, Seat(1): SOLVED}
    with pytest.raises(BadInput, match="--stakes limit --opponents 1"):
        command.seating(parser.parse_args(["--level", SOLVED]))
