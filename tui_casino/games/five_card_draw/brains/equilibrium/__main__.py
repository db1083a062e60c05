"""Solve the game and write its file.

    python -m tui_casino.games.five_card_draw.brains.equilibrium [FILE]

It takes some minutes on one core, and gives the same file each time on the same machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from . import blueprint
from .model import two_models
from .response import measure
from .solver import solve

ROUNDS = 700


def main(path: Path = blueprint.PATH, rounds: int = ROUNDS) -> None:
    """Solve both models, write them, and say on stderr how good they are as written."""
    models = two_models()
    kernel, packs = (solve(model, rounds, _told(rounds)) for model in models)
    blueprint.write(path, models, (kernel, packs), rounds)
    _, read = blueprint.read(path, models)
    for name, model, policies in zip(("kernel", "two packs"), models, read, strict=True):
        value, exploitability = measure(model, policies)
        _say(f"{name}: the first seat wins {value:.5f} sb, at most {exploitability:.2f} mb lost")
    _say(f"{path}: {path.stat().st_size:,} bytes in {process_time():.0f} s")


def _told(rounds: int) -> Callable[[int], None]:
    def told(turn: int) -> None:
        if turn % 100 == 0:
            _say(f"round {turn} of {rounds}, {process_time():.0f} s")

    return told


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else blueprint.PATH)
