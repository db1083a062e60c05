"""Hand histories in PHH, read back by pokerkit, which plays them by its own rules."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from pokerkit import Deck, Opening, Street
from pokerkit.games import Draw, FixedLimitPokerMixin
from pokerkit.hands import StandardHighHand
from pokerkit.notation import HandHistory

from tests.games.five_card_draw.test_game import LIMIT, TWO, at
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import BACK
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.event_bus import ALL_CARDS
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.levels import PLAYERS
from tui_casino.games.five_card_draw.face.phh import VARIANT, _cards, phh_hands
from tui_casino.games.five_card_draw.machine.moves import Bet, Call, Check, Discard, Event, Play
from tui_casino.games.five_card_draw.machine.state import Options, Stakes, State

BETS = 4
"""The most bets of a round: a bet and three raises."""


class FiveCardDraw(FixedLimitPokerMixin, Draw):
    """The game in pokerkit's terms."""

    deck = Deck.STANDARD
    hand_types = (StandardHighHand,)
    hole_dealing_count = 5

    def __init__(
        self,
        automations: Any,
        ante_trimming_status: bool,
        raw_antes: Any,
        raw_blinds_or_straddles: Any,
        small_bet: int,
        big_bet: int,
        **more: Any,
    ) -> None:
        streets = (
            Street(False, (False,) * 5, 0, False, Opening.POSITION, small_bet, BETS),
            Street(True, (), 0, True, Opening.POSITION, big_bet, BETS),
        )
        super().__init__(
            automations,
            streets,
            ante_trimming_status,
            raw_antes,
            raw_blinds_or_straddles,
            0,
            **more,
        )


class History(HandHistory):
    """Hand histories that know the variant."""

    game_types: ClassVar = {**HandHistory.game_types, VARIANT: FiveCardDraw}
    variants: ClassVar = {**HandHistory.variants, FiveCardDraw: VARIANT}
    required_field_names: ClassVar = {
        **HandHistory.required_field_names,
        VARIANT: HandHistory.required_field_names["FT"],
    }


Moments = list[tuple[State, tuple[Event, ...]]]


def read(moments: Moments) -> list[Any]:
    return [*History.loads_all("\n".join(phh_hands(moments)))]


def played(options: Options, levels: tuple[str, ...], hands: int, seed: int) -> Moments:
    players = {Seat(seat): PLAYERS[level]() for seat, level in enumerate(levels)}
    table: Table[Any, Any, Any, Any] = Table(
        DEFINITION.game, options, ShuffledShoe(), SeededSource(seed), players
    )
    moments: Moments = []
    table.bus.subscribe(ALL_CARDS, lambda told: moments.append((told.state, told.events)))
    while not (table.state.played == hands and table.state.phase.value == "rest"):
        table.advance()
    assert not table.bus.faults
    return moments


@pytest.mark.parametrize("opponents", [1, 2, 3], ids=labelled("{} opponents"))
def test_pokerkit_computes_the_same_stacks_from_a_phh_file(opponents: int) -> None:
    levels = ("algorithm", "tight.2", "algorithm", "tight")[: opponents + 1]
    histories = read(played(Options(opponents, LIMIT.stakes), levels, 12, seed=opponents))
    assert len(histories) == 12
    for history in histories:
        *_, end = history
        assert end.status is False, "the hand is over"
        assert end.stacks == history.finishing_stacks
        assert sum(history.finishing_stacks) == sum(history.starting_stacks)


def test_phh_file_of_a_hand_has_its_actions_in_order() -> None:
    table = at(Options(opponents=1, stakes=LIMIT.stakes), TWO)
    moments: Moments = []
    table.bus.subscribe(ALL_CARDS, lambda told: moments.append((told.state, told.events)))
    for seat, action in (
        (0, Play()),
        (0, Bet()),
        (1, Call()),
        (0, Discard((5,))),
        (1, Discard(())),
        (0, Check()),
        (1, Check()),
    ):
        table.submit(Seat(seat), action)
        table.run()
    (history,) = read(moments)
    assert history.variant == VARIANT
    assert (history.small_bet, history.big_bet) == (10, 20)
    assert history.antes == [5, 5]
    assert history.players == ["You", "Ada"]
    acts = [action for action in history.actions if not action.startswith("d dh")]
    assert acts[:2] == ["p1 cbr 10", "p2 cc"]
    assert acts[2].startswith("p1 sd ")
    assert acts[3:6] == ["p2 sd", "p1 cc", "p2 cc"]
    assert [act.split()[1] for act in acts[6:]] == ["sm", "sm"]


def test_phh_file_writes_hidden_cards_as_question_marks() -> None:
    assert _cards((BACK, BACK)) == "????"


def test_phh_export_of_hands_without_bets_writes_nothing() -> None:
    assert read(played(Options(1, Stakes.ANTE), ("algorithm", "tight"), 1, seed=1)) == []
