"""Install with pip, uvx and pipx from an index on this machine, and play a hand.

What the program needs is fetched from the registry that pip knows, once.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import NamedTuple

import pytest

from tests.helpers.pty_terminal import Terminal
from tests.release.packages import BIN, HAND, ROOT, bare, build, fresh, run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("packages")]


PATIENCE = 900.0
"""Seconds that a long command may take on a busy machine."""


class Index(NamedTuple):
    """A package index on this machine, and the wheel of this checkout in it."""

    url: str
    wheel: Path


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Serve a folder as a simple index (PEP 503) with the program and its dependencies.

    That includes the developers' tools, what builds the program, and pip for pipx.
    """
    folder = tmp_path_factory.mktemp("index")
    wheel = build("wheel", ROOT, folder / "wheel")
    pip = (sys.executable, "-m", "pip", "--quiet", "download", "--only-binary", ":all:")
    wanted = (f"{wheel}[dev]", "editables", "pip", "setuptools")
    run(*pip, "-d", folder / "all", *wanted, cwd=folder, environ=os.environ, patience=PATIENCE)
    for file in (folder / "all").iterdir():
        project = re.sub(r"[-_.]+", "-", file.name.split("-")[0]).lower()
        (folder / "simple" / project).mkdir(parents=True, exist_ok=True)
        copy(file, folder / "simple" / project)
    server = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with server:
        assert server.stdout
        port = re.search(r"port (\d+)", server.stdout.readline())
        assert port
        try:
            yield Index(f"http://127.0.0.1:{port[1]}/simple/", wheel)
        finally:
            server.terminate()


def play_a_hand(terminal: Terminal) -> None:
    """Play from the first screen of a new player to the end of a hand."""
    terminal.wait_for("1 of 5", patience=200)  # the installation takes long
    terminal.type_until("\x1b", lambda text: "1 of 5" not in text and "Play video poker" in text)
    terminal.type_until("1", "Deal for")
    terminal.type_until(" ", "Which cards do you hold")

    def over() -> bool:
        terminal.rest(0.5)
        if found := re.search("No win|pays", terminal.text):
            return bool(found)
        terminal.type(" ")  # again, if the program warns before a good card is discarded
        return False

    terminal.wait_until(over)


def test_installation_by_the_readme_needs_only_python(index: Index, tmp_path: Path) -> None:
    """The line in the README leads from a wheel in an empty home to a hand that is played."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^(python3 -m venv .*/tui-casino)$", readme, re.MULTILINE)
    assert found
    environ = {
        **bare(tmp_path := tmp_path / "home"),
        "PIP_INDEX_URL": index.url,
        "PIP_NO_COMPILE": "1",
    }
    copy(index.wheel, tmp_path)
    with Terminal(("sh", "-c", found[1]), {**environ, "TERM": "xterm-256color"}) as terminal:
        play_a_hand(terminal)
    [log] = (tmp_path / ".local" / "state" / "tui-casino" / "sessions").glob("*.jsonl")
    assert "RoundPaid" in log.read_text()

    own = tmp_path / "casino"  # and again by the name of the package
    pip = (own / "bin" / "pip", "install", "--force-reinstall", "--no-deps", "tui-casino")
    assert index.url in run(*pip, cwd=tmp_path, environ=environ).stdout
    casino = own / "bin" / "tui-casino"
    told = run(casino, "video-poker", "--console", cwd=tmp_path, environ=environ, typed=HAND)
    assert "Total" in told.stdout
    said = run(casino, "--version", "--verbose", cwd=tmp_path, environ=environ).stdout
    assert re.search(r"^packages .*textual 8.*asyncssh none \[.*serve", said, re.MULTILINE)
    assert (own / "share" / "man" / "man1" / "tui-casino.1").exists()


TESTED = (
    *(
        "tests/repository/test_architecture.py",
        "tests/inputs/test_toml_files.py",
        "tests/documents/test_pages.py",
        "tests/share",
    ),
    *(
        "tests/host/test_packaging.py",
        "tests/host/test_openssh.py",
        "tests/tui/test_guests_over_ssh.py",
    ),
    *(
        "tests/contract/test_screens.py",
        "tests/records/test_postgres_ledger.py",
        "tests/cli/test_process_faults.py",
    ),
)
"""Tests that read each folder of a checkout or run other programs."""


def test_readme_commands_play_and_test_a_checkout(index: Index, tmp_path: Path) -> None:
    """Unpack the source package, then run ``make play`` and ``make test``."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [play] = re.findall(r"^git clone .* && (make \w+)$", readme, re.MULTILINE)
    [test] = re.findall(r"^`(make test)` runs the tests", readme, re.MULTILINE)
    with tarfile.open(build("sdist", ROOT, tmp_path)) as package:
        package.extractall(tmp_path, filter="data")
    [checkout] = tmp_path.glob("tui_casino-*/")
    for file in checkout.rglob("*"):
        file.touch()  # files in a package may have a time in the future
    environ = fresh(tmp_path) | {"PIP_INDEX_URL": index.url, "PIP_NO_COMPILE": "1"}
    shown = {**environ, "TERM": "xterm-256color"}
    with Terminal(("sh", "-c", f"cd {checkout} && {play}"), shown) as terminal:
        play_a_hand(terminal)
    told = run(
        *test.split(),
        cwd=checkout,
        environ=environ | {"PYTEST_ADDOPTS": " ".join(TESTED)},
        patience=PATIENCE,
    ).stdout
    assert " passed" in told
    assert "this test needs zsh: apt-get install zsh" in told


def test_uvx_plays_a_hand_in_one_command(index: Index, tmp_path: Path) -> None:
    environ = bare(tmp_path / "home")
    uvx = (BIN / "uvx", "--quiet", "--default-index", index.url, "--python", sys.executable)
    play = ("tui-casino", "video-poker", "--console")
    told = run(*uvx, *play, cwd=tmp_path, environ=environ, typed=HAND)
    assert "Total" in told.stdout
    told = run(
        *uvx, "--from", index.wheel, *play, cwd=tmp_path, environ=environ, typed=HAND
    )  # fmt: skip
    assert "Total" in told.stdout


def test_pipx_installs_the_program_with_its_manual(index: Index, tmp_path: Path) -> None:
    home = tmp_path / "home"
    environ = {**bare(home), "PIP_INDEX_URL": index.url}
    pipx = (sys.executable, "-m", "pipx", "install", "--python", sys.executable)
    run(*pipx, "--index-url", index.url, "tui-casino", cwd=tmp_path, environ=environ)
    casino = home / ".local" / "bin" / "tui-casino"
    told = run(casino, "video-poker", "--console", cwd=tmp_path, environ=environ, typed=HAND)
    assert "Total" in told.stdout
    assert (home / ".local" / "share" / "man" / "man1" / "tui-casino.1").exists()
