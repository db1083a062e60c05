"""Play on a real cluster that this program starts, and kill one of its workers meanwhile.

    python -m tests.helpers.dask_cluster

A test runs it as a process, because a cluster's threads and child processes outlive a test. It
prints ``done`` if everything is correct.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tui_casino.engine.parallel import ONE_JOB, Workers, map_blocks
from tui_casino.games.baccarat.brains.simulation import simulate
from tui_casino.games.cribbage.brains.battle import run_battle

BLOCKS, LOST = 12, 3
A_WHILE = 60
"""Seconds to wait for the cluster before the program fails."""


def block(folder: str, number: int) -> tuple[int, int]:
    """Work for a while and record the process; kill the first process that gets block ``LOST``."""
    with open(Path(folder) / f"{number}", "a") as begun:
        begun.write(f"{os.getpid()}\n")
    if number == LOST and len((Path(folder) / f"{number}").read_text().split()) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.1)
    return number, number**2


def main() -> None:
    with TemporaryDirectory() as folder:
        address = Path(folder) / "scheduler.json"
        scheduler = _start("scheduler", "--host", "127.0.0.1", "--port", "0", file=address)
        started = [scheduler]
        try:
            place = _address(address)
            one = "worker", "--nthreads", "1", "--no-nanny"
            started += [_start(*one, file=address) for _ in range(2)]
            _play(place, folder, started)
        finally:
            for process in started:
                process.kill()
            for process in started:
                process.wait()
    print("done")


def _start(what: str, *options: str, file: Path) -> subprocess.Popen[bytes]:
    command = ["-m", f"distributed.cli.dask_{what}", "--scheduler-file", str(file), *options]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, *command, "--no-dashboard"], **quiet)  # type: ignore[call-overload,no-any-return]


def _address(file: Path) -> str:
    end = time.monotonic() + A_WHILE
    while time.monotonic() < end:
        if file.exists() and (text := file.read_text()):
            return str(json.loads(text)["address"])
        time.sleep(0.05)
    raise SystemExit("the scheduler does not start")


def _play(place: str, folder: str, started: list[subprocess.Popen[bytes]]) -> None:
    cluster = Workers(cluster=place)
    came = list(map_blocks(partial(block, folder), BLOCKS, cluster))
    assert came == [(number, number**2) for number in range(BLOCKS)], came
    hands = (Path(folder) / f"{LOST}").read_text().split()
    assert len(set(hands)) == 2, "another worker repeats the lost block"
    killed = [process for process in started if process.poll() is not None]
    assert [str(process.pid) for process in killed] == hands[:1]
    coups = 3 * 32 * 16 << 16  # three pieces of work
    assert simulate(8, coups, seed=5, workers=cluster) == simulate(8, coups, seed=5)
    names = "greedy", "random"
    battle = run_battle(names, 5, rules="acc", seed=-3, workers=cluster)
    assert battle == run_battle(names, 5, rules="acc", seed=-3, workers=ONE_JOB)


if __name__ == "__main__":
    main()
