"""Solve the game and write its files.

    python -m tui_casino.games.five_card_draw.brains.equilibrium [FILE]

It takes some minutes on one core, and gives the same file each time on the same machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from time import process_time

from . import second_round_reach
from .blueprint_file import PATH, BlueprintHeader, pack_policies, unpack_policies, write_blueprint
from .model import two_models
from .solution_metrics import measure_solution
from .solver import solve

ROUNDS = 900


def main(path: Path = PATH, rounds: int = ROUNDS) -> None:
    """Solve both models, measure them as rounded, write them, and say how good they are."""
    models = two_models()
    first, second = (solve(model, rounds, _told(rounds)) for model in models)
    body = pack_policies(models, (first, second))
    found = unpack_policies(body, models[0].buckets, models[0].finals)
    known = measure_solution(models, found)
    write_blueprint(path, BlueprintHeader(models[0].buckets, models[0].finals, rounds, known), body)
    for name, value in asdict(known).items():
        _say(f"{name}: {value}")
    beside = path.with_name(second_round_reach.PATH.name)
    beside.write_bytes(
        second_round_reach.pack_reach(
            second_round_reach.compute_second_round_reach(models[1], found[0])
        )
    )
    _say(f"{path}: {path.stat().st_size:,} bytes, {process_time():.0f} s")


def _told(rounds: int) -> Callable[[int], None]:
    def told(turn: int) -> None:
        if turn % 100 == 0:
            _say(f"round {turn} of {rounds}, {process_time():.0f} s")

    return told


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else PATH)
