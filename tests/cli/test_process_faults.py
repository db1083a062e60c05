"""Outside conditions: an early interrupt, full outputs, no home folder, a killed guest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.helpers.pty_terminal import Terminal, environment
from tui_casino.cli import house_setup as guests
from tui_casino.cli.house_setup import PREFIX, guest_folder

ROOT = Path(__file__).parents[2]
BROKEN_IN = """
import os, runpy, signal, sys
class Breaks:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Breaks())
signal.signal(signal.SIGINT, {before})
sys.argv = ["tui-casino", "--version"]
runpy.run_module("tui_casino", run_name="__main__", alter_sys=True)
"""
NOBODY = """
import os, pwd, sys
for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
    os.environ.pop(name, None)
def nobody(uid):
    raise KeyError(uid)
pwd.getpwuid = nobody
from tui_casino.cli import entry
sys.exit(entry())
"""


def run(*arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, check=False, env={**os.environ, **(env or {})}, cwd=ROOT,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["tui_casino.cli", "argparse"])
def test_interrupt_during_startup_shows_no_traceback(name: str) -> None:
    done = run("-c", BROKEN_IN.format(name=name, before="signal.default_int_handler"))
    assert done.returncode == -signal.SIGINT
    assert not done.stderr
    assert not done.stdout


def test_interrupt_ignored_by_the_parent_process_does_not_end_the_program() -> None:
    """As of a program that runs in the background of a shell."""
    done = run("-c", BROKEN_IN.format(name="tui_casino.cli", before="signal.SIG_IGN"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("tui-casino ")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has such a device")
@pytest.mark.parametrize("command", ["--version", "help", "--help", "stats --help", "no-such"])
def test_output_to_a_full_device_ends_with_exit_code_74(command: str) -> None:
    """It is not 1, which says that a verification failed, nor Python's own 120."""
    for outputs in (">/dev/full 2>/dev/full", ">/dev/full"):
        shell = f"{sys.executable} -m tui_casino {command} {outputs}"
        done = subprocess.run(
            ["/bin/sh", "-c", shell], capture_output=True, text=True, check=False, cwd=ROOT
        )
        if command == "no-such" and "2>" not in outputs:
            assert done.returncode == 2, "what it says goes to standard error"
        else:
            assert done.returncode == 74
            said = "the output cannot be written: No space left on device"
            assert done.stderr == ("" if "2>" in outputs else f"tui-casino: {said}\n")


def test_error_without_a_home_folder_names_the_variables_to_set() -> None:
    done = run("-c", NOBODY, "logs")
    assert done.returncode == 2
    assert done.stderr.startswith("tui-casino: no folder for the records; set HOME or XDG_STATE_")


@pytest.mark.prove
def test_guest_without_a_home_folder_plays_and_leaves_no_files(tmp_path: Path) -> None:
    done = run("-c", NOBODY, "video-poker", "--console", "--guest", env={"TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert [*tmp_path.iterdir()] == []


@pytest.mark.prove
def test_screen_opens_for_a_guest_without_a_home_folder(tmp_path: Path) -> None:
    command = (sys.executable, "-c", NOBODY, "--guest")
    with Terminal(command, environment(tmp_path)) as terminal:
        terminal.wait_for("set HOME")
        terminal.type("\x11")
        assert terminal.ended() == 0
    with Terminal(command[:-1], environment(tmp_path)) as terminal:
        assert terminal.ended() == 2
        assert "set HOME" in terminal.text.replace("\n", "")


def test_next_guest_removes_the_folder_of_a_killed_guest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    code = (
        "import os, signal\n"
        "from tui_casino.cli.house_setup import guest_folder\n"
        "with guest_folder() as folder:\n"
        "    (folder / 'log.jsonl').touch()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert run("-c", code).returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    (tmp_path / f"{PREFIX}link").symlink_to(ROOT)
    (tmp_path / f"{PREFIX}file").touch()
    with guest_folder() as young:
        assert left.exists(), "its owner may just be making it"
        monkeypatch.setattr(guests, "YOUNG", -1.0)
        with guest_folder() as other:
            assert not left.exists()
            assert young.exists(), "it is held"
            assert other.exists()
    assert {path.name for path in tmp_path.iterdir()} == {f"{PREFIX}link", f"{PREFIX}file"}
    assert (ROOT / "pyproject.toml").exists()
