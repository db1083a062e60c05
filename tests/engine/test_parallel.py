"""Blocks have the same results in the same order on all workers."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

from tests.helpers.parameter_ids import labelled
from tui_casino.engine.parallel import ONE_JOB, Workers, map_blocks
from tui_casino.gamekit.simulation_runner import add_worker_options, workers_from_options
from tui_casino.inputs.errors import BadInput

ROOT = Path(__file__).parents[2]


def square(number: int) -> int:
    if number == 40:
        raise RuntimeError("no more")
    return number**2


@pytest.mark.parametrize("jobs", [1, 2], ids=labelled("{} jobs"))
@pytest.mark.parametrize("blocks", [0, 1, 3, 40], ids=labelled("{} blocks"))
def test_parallel_results_come_in_the_order_of_their_blocks(jobs: int, blocks: int) -> None:
    found = map_blocks(square, blocks, Workers(jobs), processes=False)
    assert list(found) == [number**2 for number in range(blocks)]


@pytest.mark.parametrize("jobs", [1, 2], ids=labelled("{} jobs"))
def test_exception_in_a_block_ends_the_parallel_work(jobs: int) -> None:
    found = map_blocks(square, 10**9, Workers(jobs), processes=False)
    came: list[int] = []
    with pytest.raises(RuntimeError, match="no more"):
        came.extend(found)
    assert came == [number**2 for number in range(40)]


def test_closing_the_result_iterator_cancels_remaining_blocks() -> None:
    found = map_blocks(square, 10**9, Workers(2), processes=False)
    assert [next(found) for _ in range(3)] == [0, 1, 4]
    found.close()


def test_two_processes_give_the_same_results_as_one() -> None:
    alone = list(map_blocks(lambda n: n, 5, ONE_JOB))  # a lambda cannot be sent to a process
    assert list(map_blocks(abs, 5, Workers(2))) == alone == [*range(5)]


@pytest.mark.parametrize("address", ["10.0.0.5:8786", "tcp://", "tcp://host", "http://host:1", ""])
def test_invalid_cluster_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"like tcp://10\.0\.0\.5:8786"):
        Workers(cluster=address)


def test_worker_settings_with_zero_jobs_are_refused() -> None:
    with pytest.raises(ValueError, match="the number of jobs must be 1 or more, not 0"):
        Workers(0)


def read(*words: str) -> Workers:
    parser = ArgumentParser()
    add_worker_options(parser, "the work")
    return workers_from_options(parser.parse_args(words))


def test_jobs_and_cluster_options_are_parsed_or_refused_with_a_reason() -> None:
    assert read() == Workers()
    assert read("--jobs", "3") == Workers(3)
    assert read("--cluster", "tcp://[::1]:8786") == Workers(cluster="tcp://[::1]:8786")
    for words, why in (
        (("--jobs", "0"), "from 1 to 1024"),
        (("--jobs", "2", "--cluster", "tcp://a:1"), "cannot be used with --cluster"),
        (("--cluster", "a:1"), "--cluster: 'a:1' is not an address"),
    ):
        with pytest.raises(BadInput, match=why):
            read(*words)


@pytest.mark.prove
def test_cluster_gives_the_same_results_although_a_worker_is_killed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.dask_cluster"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
