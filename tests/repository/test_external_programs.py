"""A test without its program is skipped, but never in the gate."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import external_programs

TESTS = Path(__file__).parents[1]


def test_program_path_finds_an_installed_program() -> None:
    assert Path(external_programs.program_path("sh")).name == "sh"


def test_missing_external_program_skips_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALL_PROGRAMS", raising=False)
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    with pytest.raises(pytest.skip.Exception, match="needs sshd: apt-get install openssh-server"):
        external_programs.program_path("sshd")


def test_missing_program_fails_its_test_if_all_programs_are_required(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "\nexport ALL_PROGRAMS=1\n" in (TESTS.parent / ".ci" / "run").read_text()
    monkeypatch.setenv("ALL_PROGRAMS", "1")
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    with pytest.raises(pytest.fail.Exception, match="needs zsh: apt-get install zsh"):
        external_programs.program_path("zsh")


def test_script_prints_the_packages_of_missing_test_programs(tmp_path: Path) -> None:
    """It is run by any Python, before anything is installed."""
    for name in external_programs.PACKAGES.keys() - {"fish", "mosh-server", "mosh-client"}:
        (tmp_path / name).touch(mode=0o755)
    printed = subprocess.run(
        [sys.executable, "-I", external_programs.__file__],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout == "fish mosh\n"


def test_tests_look_for_programs_only_with_the_helper() -> None:
    """Such a test could be skipped in the gate, and nobody would notice."""
    found = [
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        if "which(" in path.read_text(encoding="utf-8") and path != Path(__file__)
    ]
    assert sorted(found) == ["helpers/external_programs.py", "helpers/postgres_server.py"]
