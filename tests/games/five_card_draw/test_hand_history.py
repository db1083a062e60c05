"""Hand histories, read line by line."""

from __future__ import annotations

from tests.games.five_card_draw.test_game import LIMIT, THREE, TWO, at
from tui_casino.cards.card import Card
from tui_casino.engine.event_bus import ALL_CARDS
from tui_casino.engine.game import Seat
from tui_casino.games.five_card_draw.face.hand_history import hand_histories
from tui_casino.games.five_card_draw.machine.state import (
    Action,
    Bet,
    Call,
    Check,
    Discard,
    Event,
    Fold,
    Options,
    Play,
    Raise,
    Stakes,
    State,
)


def history_lines(
    options: Options, cards: tuple[Card, ...], *acts: tuple[int, Action]
) -> list[str]:
    table = at(options, cards)
    moments: list[tuple[State, tuple[Event, ...]]] = []
    table.bus.subscribe(ALL_CARDS, lambda told: moments.append((told.state, told.events)))
    for seat, action in acts:
        table.submit(Seat(seat), action)
        table.run()
    return list(hand_histories(moments))


def test_hand_with_bets_and_a_side_pot_is_written() -> None:
    lines = history_lines(
        Options(opponents=2, stakes=LIMIT.stakes, credit=12),
        THREE,
        (0, Play()),
        (0, Bet()),
        (1, Raise()),
        (2, Call()),
        (0, Discard((3, 4, 5))),
        (1, Discard(())),
        (2, Discard((3, 4, 5))),
        (1, Check()),
        (2, Bet()),
        (1, Fold()),
    )
    assert lines == [
        "Hand 1: ante 5, fixed limit 10 and 20; Blaise deals",
        "  You        12  KC KD 6D 4C 3S, a pair of kings",
        "  Ada       400  QD 9H 7S 5C 3D, queen high",
        "  Blaise    400  2C 2D JC TS 8D, a pair of twos",
        "Before the draw",
        "  You     bet 7",
        "  Ada     raises to 17",
        "  Blaise  calls 17",
        "Draw",
        "  You     discard 6D 4C 3S, draw AC AD AH: AC AD AH KC KD, a full house, aces over kings",
        "  Ada     stands pat: QD 9H 7S 5C 3D, queen high",
        "  Blaise  discards JC TS 8D, draws AS TC TD: TC TD 2C 2D AS, two pair, tens and twos",
        "After the draw",
        "  Ada     checks",
        "  Blaise  bets 20",
        "  Ada     folds",
        "Showdown",
        "  You     AC AD AH KC KD, a full house, aces over kings",
        "  Blaise  TC TD 2C 2D AS, two pair, tens and twos",
        "The end",
        "  pot 36: You, Blaise",
        "  side pot 40: Blaise",
        "  You     won 36, has 36",
        "  Blaise  won 40, has 398",
    ]


def test_hands_without_stakes_are_separated_by_an_empty_line() -> None:
    twice = ((0, Play()), (0, Discard(())), (1, Discard(()))) * 2
    again = TWO[:10] * 2 + TWO[10:]
    lines = history_lines(Options(opponents=1, stakes=Stakes.NOTHING), again, *twice)
    hand = ["  You     AC AD 8D 4C 2S, a pair of aces", "  Ada     KD 9H 7S 5C 3D, king high"]
    pats = ("stand pat", "stands pat")
    pat = [f"{line[:10]}{does}: {line[10:]}" for does, line in zip(pats, hand, strict=True)]
    whole = [*hand, "Draw", *pat, "Showdown", *hand, "The end", "  won by You"]
    assert lines == ["Hand 1", *whole, "", "Hand 2", *whole]


def test_heading_of_a_hand_names_the_dealer() -> None:
    twice = ((0, Play()), (0, Discard(())), (1, Discard(())), (0, Play()), (1, Discard(())))
    stakes = Options(opponents=1, stakes=Stakes.ANTE, credit=100)
    lines = history_lines(stakes, TWO[:10] * 2 + TWO[10:], *twice)
    headings = [line for line in lines if line.startswith("Hand")]
    assert headings == ["Hand 1: ante 5; Ada deals", "Hand 2: ante 5; You deal"]
