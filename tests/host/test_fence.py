"""A session's process sees its player's folder and the program, and nothing else of the host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tui_casino.host.session.fence import VERSION_OF_SIGNALS, version

ROOT = Path(__file__).parent.parent.parent
PRELUDE = """
import os, socket, subprocess, sys, tempfile
from pathlib import Path
from tui_casino.host.session.confine import confine
from tui_casino.host.session.fence import fence
confine(400, 20)
assert fence(Path('own').absolute())
"""
pytestmark = pytest.mark.skipif(
    version() < VERSION_OF_SIGNALS, reason="this kernel has no Landlock"
)


@pytest.mark.parametrize(
    ("does", "ends"),
    [
        ("open('own/../ledger.db').read()", "PermissionError"),
        ("open('ledger.db').read()", "PermissionError"),
        ("os.listdir('.')", "PermissionError"),
        ("open('new', 'w')", "PermissionError"),
        ("os.rename('own/log', 'log')", "PermissionError"),
        ("os.symlink('../ledger.db', 'own/way'); open('own/way')", "PermissionError"),
        ("os.kill(os.getppid(), 0)", "PermissionError"),
        ("open(f'/proc/{os.getppid()}/mem', 'rb')", "PermissionError"),
        ("socket.create_connection(('127.0.0.1', 9))", "PermissionError"),
        ("socket.create_server(('127.0.0.1', 0))", "PermissionError"),
        ("print(open('own/log').read())", "a log"),
        ("open('own/log', 'w'); os.rename('own/log', 'own/new'); print('done')", "done"),
        ("tempfile.TemporaryFile(); print('done')", "done"),
        ("import concurrent.futures, tui_casino.gamekit.registry; print('done')", "done"),
        ("import multiprocessing; multiprocessing.Lock(); print('done')", "done"),
        ("subprocess.run([sys.executable, '-c', 'print(5)'])", "5"),
        ("subprocess.run([sys.executable, '-c', 'open(\"ledger.db\")'])", "PermissionError"),
    ],
)
def test_what_a_session_can_reach(does: str, ends: str, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "log").write_text("a log")
    (tmp_path / "ledger.db").write_text("all seeds")
    ended = subprocess.run(
        [sys.executable, "-c", PRELUDE + does],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "HOME": os.fspath(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ends in ended.stdout + ended.stderr
    assert "AssertionError" not in ended.stderr
