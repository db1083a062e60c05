"""Solve the game and write its files.

    python -m tui_casino.games.five_card_draw.brains.equilibrium [FILE]

This takes several minutes on one core. Repeated runs on the same machine write identical files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from msgspec.structs import asdict

from . import play_tables, second_round_reach
from .blueprint_file import PATH, BlueprintHeader, pack_policies, unpack_policies, write_blueprint
from .model import two_models
from .play_tables import write_tables
from .play_tables_builder import build_tables
from .solution_metrics import measure_solution
from .solver import solve

ROUNDS = 900


def main(path: Path = PATH, rounds: int = ROUNDS) -> None:
    """Solve both models, measure their rounded policies, write the files, and log the metrics."""
    write_tables(build_tables(), path.with_name(play_tables.PATH.name))
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
    reach_path = path.with_name(second_round_reach.PATH.name)
    reach_path.write_bytes(
        second_round_reach.pack_reach(
            second_round_reach.compute_second_round_reach(models[1], policies[0])
        )
    )
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
