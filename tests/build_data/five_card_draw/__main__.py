"""Solve the game and write its files.

    python -m tests.build_data.five_card_draw [FILE]

This takes several minutes on one core. Repeated runs on the same machine write identical files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from msgspec.structs import asdict

from tui_casino.games.five_card_draw.brains.equilibrium.blueprint import (
    ARRIVALS_PATH,
    PATH,
    BlueprintHeader,
    unpack_policies,
)
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import (
    PLAY_TABLES_PATH,
)
from tui_casino.games.five_card_draw.brains.playouts.playout import PLAN_PATH, pack_plan

from .blueprint_writer import compute_arrivals, pack_arrivals, pack_policies, write_blueprint
from .later_plan_builder import build_plan
from .play_tables_builder import build_tables, write_tables
from .solution_metrics import measure_solution
from .solver import solve
from .solver_model import two_models

ROUNDS = 900


def main(path: Path = PATH, rounds: int = ROUNDS) -> None:
    """Solve both models, measure their rounded policies, write the files, and log the metrics."""
    write_tables(build_tables(), path.with_name(PLAY_TABLES_PATH.name))
    models = two_models()
    first, second = (solve(model, rounds, _progress_reporter(rounds)) for model in models)
    body = pack_policies(models, (first, second))
    policies = unpack_policies(body, models[0].buckets, models[0].finals)
    metrics = measure_solution(models, policies)
    write_blueprint(
        path, BlueprintHeader(models[0].buckets, models[0].finals, rounds, metrics), body
    )
    for name, value in asdict(metrics).items():
        _log(f"{name}: {value}")
    arrivals = compute_arrivals(models[1], policies[0])
    path.with_name(ARRIVALS_PATH.name).write_bytes(pack_arrivals(arrivals))
    path.with_name(PLAN_PATH.name).write_bytes(pack_plan(build_plan()))
    _log(f"{path}: {path.stat().st_size:,} bytes, {process_time():.0f} s")


def _progress_reporter(rounds: int) -> Callable[[int], None]:
    def report(turn: int) -> None:
        if turn % 100 == 0:
            _log(f"round {turn} of {rounds}, {process_time():.0f} s")

    return report


def _log(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else PATH)
