"""The warm-up computes once what all sessions need, while nobody waits."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.quick_cases import by_game
from tui_casino.gamekit.definition import GameDefinition
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.games.video_poker.brains import adviser as expectation
from tui_casino.host.session import warmup
from tui_casino.host.session.warmup import CHOICES, LULL, Warmup, all_games, weigh_choices
from tui_casino.tui.table.face import face_of


@pytest.fixture
def rehearsed() -> Iterator[None]:
    """Let the rest of the tests be looked through for garbage again."""
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("rehearsed")
def test_warmup_jobs_run_once_each_in_a_lull_even_if_one_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, errors = list[str](), list[Exception]()
    monkeypatch.setattr(warmup, "write_crash_report", errors.append)

    def fails() -> None:
        raise RuntimeError("no room")

    plays = Warmup([lambda: done.append("one"), fails, lambda: done.append("two")])
    for _ in range(LULL):
        plays.idle()
    plays.busy()
    for _ in range(LULL):
        plays.idle()
    assert not done, "somebody has come"
    plays.idle()
    assert done == ["one"]
    plays.idle()
    assert [str(error) for error in errors] == ["no room"]
    for _ in range(9):
        plays.idle()
    assert done == ["one", "two"], "each once"


def test_zygote_imports_numpy_and_the_odds_pages_of_all_games() -> None:
    code = (
        "import sys; from tui_casino.host.session.zygote import import_everything;"
        "import_everything();"
        "print([name for name in sys.modules if 'odds_page' in name], 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("odds_page") == len(GAMES)
    assert done.stdout.endswith("True\n")


def test_warmup_covers_every_game() -> None:
    assert len([*all_games()]) == len(GAMES)


@pytest.mark.prove
@by_game
def test_warmup_evaluates_choices_with_the_values_that_a_session_uses(
    listing: GameListing, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition, weighed = listing.definition(), list[object]()
    weigh = GameDefinition.decision

    def counted(definition: Any, view: Any, seat: Any, action: Any, values: Any) -> Any:
        weighed.append(action)
        assert values is face_of(listing).advice.values
        return weigh(definition, view, seat, action, values)

    monkeypatch.setattr(GameDefinition, "decision", counted)
    assert weigh_choices(listing) == len(weighed)
    assert 0 < len(weighed) <= CHOICES or not definition.adviser.has_judge


def test_warmup_computes_video_poker_expectation_and_distribution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    computed = list[str]()
    for name in ("_expectation", "_distribution"):
        monkeypatch.setattr(expectation, name, lambda *_, name=name: computed.append(name))
    weigh_choices(listing_of("video-poker"))
    assert {*computed} == {"_expectation", "_distribution"}
