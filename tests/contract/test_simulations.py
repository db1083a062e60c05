"""Every bulk simulation depends only on its seed, reports its progress and can be ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from tui_casino.engine.parallel import Workers
from tui_casino.games.baccarat.brains import simulation as baccarat
from tui_casino.games.thirty_one.brains import dealer_simulation as thirty_one
from tui_casino.games.thirty_one.machine.rules import Rules
from tui_casino.games.video_poker.brains import simulation as video_poker
from tui_casino.games.video_poker.machine.paytables import load

POKER = load("double-bonus-10-7")


class Bulk(NamedTuple):
    """A simulation of a number of rounds, its counts, and where its block size is."""

    run: Callable[..., Any]
    counts: str
    module: ModuleType
    block: str
    blocks_per_report: int


SIMULATIONS = {
    "video poker": Bulk(
        partial(video_poker.simulate, POKER, 5), "counts", video_poker, "ROUNDS_PER_BLOCK", 16
    ),
    "baccarat": Bulk(partial(baccarat.simulate, 8), "counts", baccarat, "ROUNDS_PER_BLOCK", 16),
    **{
        name: Bulk(
            partial(thirty_one.run_battle, Rules(), decks=decks), "ends", thirty_one, "BLOCK", 2
        )
        for name, decks in (("Hit Me, two decks", 2), ("Hit Me, an infinite shoe", None))
    },
}
by_simulation = pytest.mark.parametrize("bulk", SIMULATIONS.values(), ids=SIMULATIONS)


@by_simulation
def test_simulated_counts_depend_on_the_seed_but_not_on_the_number_of_jobs(
    bulk: Bulk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk.module, bulk.block, 100)
    one, two = (bulk.run(5001, seed=5, workers=Workers(jobs)) for jobs in (1, 2))
    assert one == two
    assert getattr(one, bulk.counts) != getattr(bulk.run(5001, seed=6), bulk.counts)


@by_simulation
def test_simulation_without_a_seed_reports_a_random_seed_that_repeats_it(bulk: Bulk) -> None:
    result = bulk.run(1000)
    assert bulk.run(1000, seed=result.seed) == result
    assert bulk.run(1).seed != result.seed


@by_simulation
def test_simulation_reports_progress_up_to_the_number_of_rounds(
    bulk: Bulk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk.module, bulk.block, 50)
    reports: list[int] = []
    bulk.run(2001, seed=1, workers=Workers(1), progress=reports.append)
    step = 50 * bulk.blocks_per_report
    assert reports == [*range(step, 2001, step), 2001]


@by_simulation
def test_exception_raised_by_the_progress_callback_ends_the_simulation(bulk: Bulk) -> None:
    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bulk.run(10**12, seed=1, progress=interrupt)
