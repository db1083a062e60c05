"""The gate's second try: which failed tests may run again, and what is then printed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.release.packages import ROOT

SECOND_TRY = ROOT / ".ci" / "second_try.py"
UNSTEADY = """
from pathlib import Path
def test_unsteady():
    tried = Path("tried")
    before = tried.exists()
    tried.touch()
    assert before
"""
BROKEN = "def test_broken(): assert False\n"
STEADY = "def test_steady(): pass\n"


def run_twice(folder: Path, tests: str) -> tuple[int, list[str]]:
    """Run these tests, then the second try; return its exit code and its lines."""
    (folder / "test_some.py").write_text(tests, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    first = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"], cwd=folder, capture_output=True, check=False
    )
    second = subprocess.run(
        [sys.executable, SECOND_TRY, str(first.returncode)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return second.returncode, [*second.stdout.splitlines(), *second.stderr.splitlines()]


def test_test_that_passes_at_the_second_try_is_printed_as_unsteady(tmp_path: Path) -> None:
    code, lines = run_twice(tmp_path, STEADY + UNSTEADY)
    assert code == 0
    assert "UNSTEADY test_some.py::test_unsteady" in lines
    assert any("1 passed" in line for line in lines), "only the failed test runs again"


def test_test_run_fails_if_a_test_fails_also_at_its_second_try(tmp_path: Path) -> None:
    code, lines = run_twice(tmp_path, BROKEN + UNSTEADY)
    assert code == 1
    assert "UNSTEADY test_some.py::test_unsteady" in lines
    assert "UNSTEADY test_some.py::test_broken" not in lines
    assert lines[-1] == "1 failed again"


def test_six_failed_tests_get_no_second_try(tmp_path: Path) -> None:
    several = "".join(f"def test_{number}(): assert False\n" for number in range(6))
    code, lines = run_twice(tmp_path, several)
    assert code == 1
    assert lines == ["6 tests failed; at most 5 get a second try"]


@pytest.mark.parametrize(
    ("tests", "reason"),
    [
        ("import nothing_of_this_name\n", "exit code 2"),
        ("", "exit code 5"),
        (BROKEN + "def test_quits(): import pytest; pytest.exit('now', 3)\n", "exit code 3"),
    ],
    ids=["module cannot be imported", "no tests", "run was cut short"],
)
def test_aborted_test_run_gets_no_second_try(tests: str, reason: str, tmp_path: Path) -> None:
    code, lines = run_twice(tmp_path, tests)
    assert code == 1
    assert reason in lines[-1]
