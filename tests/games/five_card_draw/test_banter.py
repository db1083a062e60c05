"""The opponents' remarks: only about what all have seen, seldom, and the same in each replay."""

from __future__ import annotations

from tui_casino.cards.card import Hand, parse_hand
from tui_casino.games.five_card_draw.brains.players import NAMES
from tui_casino.games.five_card_draw.face.table_messages import (
    BANTER_INTERVAL,
    PHRASES,
    BanterCue,
    banter,
)
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.rules import MOST_OPPONENTS
from tui_casino.games.five_card_draw.machine.state import (
    HUMAN,
    HandOver,
    Options,
    Phase,
    Stakes,
    State,
)
from tui_casino.structs import replace

PAIR, TRIPS, NOTHING = map(parse_hand, ("QH QD AC 9S 5D", "7H 7D 7C KS 2D", "KH JD 9C 4S 2C"))


def ended(
    theirs: Hand, drew: int = 3, *, stakes: Stakes = Stakes.LIMIT, played: int = 2, folded: int = 2
) -> State:
    return replace(
        start(Options(opponents=2, stakes=stakes)),
        phase=Phase.REST,
        played=played,
        dealt_in=(0, 1, 2),
        hands=(PAIR, theirs, ()),
        drawn=(3, drew, None),
        folded=(folded,),
    )


def over(*winners: int) -> HandOver:
    return HandOver(winners, (20, 20, 20), tuple(60 * (seat in winners) for seat in range(3)), True)


def banter_after(view: State, *winners: int) -> str:
    return banter(view, HUMAN, over(*winners))


def phrase(who: int, cue: BanterCue, words: str) -> bool:
    return words in [f"{NAMES[who]}: {one}" for one in PHRASES[who][cue]]


def test_each_opponent_has_banter_phrases_for_every_occasion() -> None:
    assert [*PHRASES] == [*range(1, MOST_OPPONENTS + 1)]
    assert all({*voice} == {*BanterCue} for voice in PHRASES.values())


def test_banter_comments_on_strong_shown_hands_and_bluffs_only() -> None:
    assert phrase(1, BanterCue.WON, banter_after(ended(TRIPS), 1))
    assert phrase(1, BanterCue.BEATEN, banter_after(ended(TRIPS), 0))
    assert phrase(1, BanterCue.BLUFFED, banter_after(ended(NOTHING, 0), 0))
    assert banter_after(ended(PAIR), 0) == "", "a pair that loses is no matter"
    assert banter_after(ended(NOTHING, 3), 0) == "", "who drew did not bluff"


def test_banter_after_an_unseen_win_reveals_nothing() -> None:
    alone = replace(ended(()), folded=(0, 2))
    assert phrase(1, BanterCue.TOOK, banter_after(alone, 1))


def test_banter_is_limited_and_absent_at_the_classic_table() -> None:
    words = [
        banter_after(ended(TRIPS, played=number), 1) for number in range(3, 3 + 2 * BANTER_INTERVAL)
    ]
    assert len([*filter(None, words)]) == 2
    assert words == [
        banter_after(ended(TRIPS, played=number), 1) for number in range(3, 3 + 2 * BANTER_INTERVAL)
    ]
    assert not banter_after(ended(TRIPS, stakes=Stakes.NOTHING), 1)
