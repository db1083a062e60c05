"""Run the tests of figures that could depend on the processor, with other kernels of NumPy.

NumPy sorts and adds with instructions of the processor at hand, and so does its linear algebra. The
tests run once without any of these instructions. What they compare must still be the same.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).parents[1]
TESTS = [
    "tests/cards/test_draw_odds.py",
    "tests/contract/test_golden.py",
    "tests/games/cribbage/test_discard*.py",
    "tests/games/cribbage/test_expert.py",
    "tests/games/cribbage/test_in_game_chance.py",
    "tests/games/cribbage/test_master.py",
    "tests/games/cribbage/test_pegging.py",
    "tests/games/cribbage/test_players.py",
    "tests/games/cribbage/test_win_chances.py",
    "tests/games/five_card_draw/test_blueprint_lookup.py",
    "tests/games/five_card_draw/test_equilibrium.py",
    "tests/games/five_card_draw/test_exploiter.py",
    "tests/games/five_card_draw/test_gto_chart.py",
    "tests/games/five_card_draw/test_l*r.py",
    "tests/games/five_card_draw/test_players.py",
    "tests/games/five_card_draw/test_style_players.py",
    "tests/games/thirty_one/test_adviser.py",
    "tests/games/thirty_one/test_s*_odds.py",
    "tests/games/video_poker/test_hold_advice.py",
]
BASIC = {"x86_64": "Nehalem", "aarch64": "ARMV8"}
"""The plainest kernel of the linear algebra, by the kind of processor."""


def main() -> int:
    """Run pytest on the tests and return its exit code."""
    removable = " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))
    kernel = BASIC.get(platform.machine(), "")
    files = [str(path) for pattern in TESTS for path in sorted(ROOT.glob(pattern))]
    print(f"without {removable or 'any special instruction'}, linear algebra of {kernel or 'here'}")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", *files],
        cwd=ROOT,
        env={
            **os.environ,
            "NPY_DISABLE_CPU_FEATURES": removable,
            **({"OPENBLAS_CORETYPE": kernel} if kernel else {}),
        },
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
