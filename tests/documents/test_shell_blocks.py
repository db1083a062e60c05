"""Every ``sh`` block of the documents runs as written, each in a fresh home.

Commands with placeholders or with output are in blocks of other languages: ``text``, ``console``.
``tests/documents/test_casino_commands.py`` tries the commands of the program in these blocks and in
sentences.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from textwrap import dedent

import pytest
from msgspec import Struct

from tui_casino.gamekit.registry import GAMES

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ELSEWHERE = {
    r"make\b": "the gate runs lint, test and prove; tests/release/test_installs.py runs play",
    r"\. .*/activate": "it changes the shell of the reader",
    r"python (-m tests|screenshots)|pytest|ruff|mypy|lint-imports|cp -r tests/contract/toy": (
        "tests/contract/test_sixth_game.py runs docs/adding-a-game.md"
    ),
    r"pipx? install|python3 -m venv casino|casino/bin": (
        "it needs a package index; tests/release/test_installs.py has one"
    ),
    r"(.* )?/(opt|etc)/|useradd|groupadd|systemctl|journalctl": "it needs root",
    r"dask|.* --cluster tcp:": "it needs machines; tests/helpers/dask_cluster.py starts one",
    r"tui-casino (serve|admin)\b|ssh\b": "it needs a server; tests/host runs one",
}
"""Commands that are not run here, as regular expressions for their beginning, and why not."""
SCREEN = {"hit-me", "practice", "practise", *(listing.slug for listing in GAMES)}
"""Commands that open the screen unless an option says otherwise, and so does the program alone.

If they ask for a terminal, everything else about the command is right.
"""
PATIENCE = 900.0
"""Seconds that a command may take on a busy machine."""
HAND = "b 5\nd\nh 1 2\nq\n"


class Command(Struct, frozen=True):
    """A command of a block, with its page and the line where its block begins."""

    page: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"

    @property
    def reason(self) -> str | None:
        """Say why it is not run here, if it is not."""
        return next((why for sign, why in ELSEWHERE.items() if re.match(sign, self.text)), None)

    @property
    def may_open_screen(self) -> bool:
        """Return whether the command may ask for a terminal."""
        program, *words = shlex.split(self.text)
        return program == "tui-casino" and "--console" not in words and {*words[:1]} <= SCREEN


def commands(page: str, text: str) -> Iterator[Command]:
    """Yield the commands of the ``sh`` blocks of a page, also of those inside lists."""
    for found in re.finditer(r"^( *)```sh\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, found.start()) + 1
        for whole in re.sub(r" \\\n *", " ", dedent(found[2])).splitlines():
            for part in whole.partition("  #")[0].split(" && "):
                if part.strip() and not part.startswith("#"):
                    yield Command(page, line, part.strip())


ALL = [
    command
    for page in PAGES
    for command in commands(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"))
]
RUN = [*{command.text: command for command in ALL if command.reason is None}.values()]


def test_shell_commands_are_extracted_from_code_blocks_and_lists() -> None:
    text = (
        "```sh\na b  # why\nc \\\n  d && e\n```\n\n"
        "1. x\n\n   ```sh\n   f\n   ```\n\n```text\nno\n```\n"
    )
    assert [one.text for one in commands("a", text)] == ["a b", "c d", "e", "f"]


def test_shell_commands_to_test_come_from_several_pages() -> None:
    assert len({command.page for command in RUN}) > 1
    assert len(RUN) > 5


def test_tests_named_as_running_a_command_exist() -> None:
    named = re.findall(r"(?:tests|docs)/[\w/.-]*\w", " ".join(ELSEWHERE.values()))
    assert named
    assert all((ROOT / path).exists() for path in named)


def run(command: str, folder: Path, home: Path, typed: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a shell whose environment has nothing of the developer's."""
    environ = {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TERM": "xterm-256color",
    }
    return subprocess.run(
        ["sh", "-euc", command], cwd=folder, env=environ, input=typed, capture_output=True,
        text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def played_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which somebody has played a hand."""
    home = tmp_path_factory.mktemp("home")
    assert run("tui-casino video-poker --console", home, home, HAND).returncode == 0
    return home


@pytest.mark.prove
@pytest.mark.parametrize("command", RUN, ids=str)
def test_documented_shell_command_runs_as_written(
    command: Command, played_home: Path, tmp_path: Path
) -> None:
    """Run it among the files of the checkout, a log called FILE, and the folder of logs FOLDER.

    A question is answered with 1, or with an empty line.
    """
    home = copytree(played_home, tmp_path / "home")
    folder = tmp_path / "checkout"
    folder.mkdir()
    for path in ROOT.iterdir():
        (folder / path.name).symlink_to(path)
    logs = home / ".local" / "state" / "tui-casino" / "sessions"
    (folder / "FOLDER").symlink_to(logs)
    [log] = logs.iterdir()
    (folder / "FILE").symlink_to(log)
    done = run(command.text, folder, home, "1\n\n\n")
    assert done.stdout or done.stderr
    if done.returncode and command.may_open_screen:
        assert "the screen needs a terminal" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
