"""The messages about a program that was changed while it ran, or that lacks a part."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.command_runner import run
from tui_casino.gamekit.registry import GameListing
from tui_casino.house import paths
from tui_casino.inputs import errors
from tui_casino.inputs.errors import report_fault

PACKAGE = Path(errors.__file__).parents[1]
CHANGED = "the program was changed while it ran; start it again"


@pytest.fixture(autouse=True)
def no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "write_crash_report", lambda error: "REPORT")


MISSING: dict[str, tuple[BaseException, str]] = {
    "module": (
        ModuleNotFoundError(name="tui_casino.tui.settings.screen"),
        "module tui_casino.tui.settings.screen",
    ),
    "dependency": (ModuleNotFoundError(name="textual.widgets"), "module textual.widgets"),
    "package file": (
        FileNotFoundError(2, "No such file", str(PACKAGE / "games" / "x.toml")),
        "file tui_casino/games/x.toml",
    ),
    "style sheet": (
        PermissionError(13, "denied", str(PACKAGE.parent / "styles" / "app.tcss")),
        "file styles/app.tcss",
    ),
}


@pytest.mark.parametrize("which", MISSING)
def test_missing_part_of_the_program_is_named_without_its_folder(which: str) -> None:
    error, part = MISSING[which]
    told = f"the program cannot read its {part}; install it again"
    assert report_fault(error) == told
    wrapper = RuntimeError("a failed worker")
    wrapper.__cause__ = error
    assert report_fault(wrapper, "a task failed") == told


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError(), FileNotFoundError(2, "none", "/home/x.jsonl"), OSError("no number")],
    ids=repr,
)
def test_other_errors_are_reported_as_internal_errors(error: Exception) -> None:
    assert report_fault(error) == "an internal error; your log and balance are safe. REPORT"
    assert report_fault(error, "a task failed") == "a task failed. REPORT"


def test_any_error_after_a_new_installation_asks_for_a_new_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "__init__.py").write_text("new")
    for folder in (tmp_path, tmp_path / "removed"):
        monkeypatch.setattr(errors, "_PACKAGE", folder)
        assert report_fault(AttributeError("of a new module")) == CHANGED


def test_missing_style_sheets_are_named_and_not_taken_for_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "tui_casino"
    monkeypatch.setattr(paths, "__file__", str(package / "house" / "paths.py"))
    with pytest.raises(FileNotFoundError) as missing:
        paths.styles_folder()
    assert missing.value.filename == str(package / "styles")
    monkeypatch.setattr(paths, "__file__", str(PACKAGE / "nothing" / "here" / "paths.py"))

    def opens(*given: object) -> object:
        return paths.styles_folder()

    monkeypatch.setattr(GameListing, "command", opens)
    ran = run(["video-poker"])
    told = "the program cannot read its file tui_casino/nothing/styles; install it again"
    assert (ran.code, ran.err) == (70, f"tui-casino: {told}\n")


def test_program_that_is_removed_while_it_runs_asks_for_a_new_start(tmp_path: Path) -> None:
    skipped = shutil.ignore_patterns("__pycache__", "data", "page", "*.npz", "*.woff2")
    shutil.copytree(PACKAGE, tmp_path / "tui_casino", ignore=skipped)
    code = f"""
import shutil, sys
sys.path.insert(0, {str(tmp_path)!r})
from tui_casino.cli import main
shutil.rmtree({str(tmp_path / "tui_casino")!r})
for command in (["odds", "baccarat"], ["stats"], ["verify", "."], ["cribbage", "--console"]):
    print(main(command))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert ran.stdout.split() == ["70"] * 4
    assert ran.stderr.splitlines() == [f"tui-casino: {CHANGED}"] * 4
