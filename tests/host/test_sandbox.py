"""A session's process sees only the program and its player's folder."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.host.load_clients import Player, session_of
from tests.host.loopback_server import host, new_key, until, visiting
from tests.host.misbehaving_host import ACTS, PROGRAM
from tui_casino.host.session import seccomp
from tui_casino.host.session.sandbox import (
    VERSION_OF_SIGNALS,
    Sandbox,
    landlock_version,
    probe_sandbox,
)

ROOT = Path(__file__).parent.parent.parent
PRELUDE = """
import os, socket, subprocess, sys, tempfile
from pathlib import Path
from tui_casino.host.session.sandbox import limit_process
from tui_casino.host.session.sandbox import enter_sandbox
limit_process(400, 20)
assert not enter_sandbox(Path('own').absolute()).lacks
"""
whole = pytest.mark.skipif(
    bool(probe_sandbox().lacks),
    reason=f"the fence of this kernel is not whole: {probe_sandbox().lacks}",
)


@whole
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
        ("import threading; threading.Thread(target=print, args=('done',)).start()", "done"),
        ("print('cores', os.cpu_count())", f"cores {os.cpu_count()}"),
        ("import concurrent.futures, tui_casino.gamekit.registry; print('done')", "done"),
        ("subprocess.run([sys.executable, '-c', 'print(5)'])", "PermissionError"),
    ],
)
def test_sandboxed_process_reaches_own_files_but_no_network_or_program(
    does: str, ends: str, tmp_path: Path
) -> None:
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


@whole
async def test_session_process_is_refused_every_probed_system_call_and_file(tmp_path: Path) -> None:
    with host(tmp_path, "--metrics", "127.0.0.1:0", program=PROGRAM) as started:
        assert not started.warnings.read_text()
        key = new_key()
        folder = started.data.player(started.add_player(key, "Prober").id).resolve()
        async with visiting(started, key) as visitor:
            await visitor.sees("Play video poker")
            os.kill(session_of(Player(started.port, b"", str(folder))), ACTS["probe"])
            await until((folder / "probed").exists)
            await visitor.type_until("1", "Deal for")
            with urllib.request.urlopen(started.monitor, timeout=10) as response:
                figures = response.read().decode()
    assert 'tui_casino_fence{part="seccomp"} 1\n' in figures
    assert f'tui_casino_fence{{part="landlock"}} {landlock_version()}\n' in figures
    results = json.loads((folder / "probed").read_text())
    refused = (errno.EPERM, errno.EACCES, errno.ENOSYS)
    assert {what: code for what, code in results.items() if code not in refused} == {}
    assert len(results) > 30


@pytest.mark.parametrize(
    ("machine", "header"),
    [
        ("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        ("aarch64", "/usr/include/asm-generic/unistd.h"),
    ],
)
def test_system_call_numbers_equal_those_of_the_kernel(machine: str, header: str) -> None:
    if not os.path.exists(header):
        pytest.skip(f"there is no {header}")
    text = Path(header).read_text()
    numbers = re.findall(r"#define __NR(3264)?_(\w+)\s+(\d+)", text)
    known = {name: int(number) for _, name, number in numbers}
    known.setdefault("newfstatat", known.get("fstatat", -1))
    allowed = seccomp.syscall_numbers(machine)
    assert len(allowed) > 120
    assert {name: known.get(name) for name in allowed} == allowed
    assert max(allowed.values()) < seccomp.NEW


def test_missing_sandbox_features_of_the_kernel_are_reported() -> None:
    assert Sandbox(VERSION_OF_SIGNALS, seccomp=True).lacks == ""
    assert "without Landlock" in Sandbox(0, seccomp=True).lacks
    assert "Landlock version 4" in Sandbox(4, seccomp=True).lacks
    assert "system call filter" in Sandbox(7, seccomp=False).lacks
