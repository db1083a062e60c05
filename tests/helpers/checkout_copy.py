"""A copy of the checkout, to which a sixth game is added by the steps of the document."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

from msgspec import Struct

ROOT = Path(__file__).parents[2]
DOCUMENT = "docs/adding-a-game.md"
FOLDERS = (".ci", "docs", "screenshots", "styles", "tests", "tui_casino")
FILES = (
    "CHANGELOG.md",
    "README.md",
    "pyproject.toml",
    "CONTRIBUTING.md",
    "Makefile",
    "zensical.toml",
)
PATIENCE = 1200.0
"""The largest number of seconds for a command; a busy machine may need many."""


class Block(Struct, frozen=True):
    """A block of code in the document."""

    language: str
    text: str


def blocks() -> Iterator[Block]:
    """Yield the code blocks of the document in order."""
    for language, text in re.findall(
        r"^```(\w+)\n(.*?)^```$", (ROOT / DOCUMENT).read_text(), re.DOTALL | re.MULTILINE
    ):
        yield Block(language, text)


class Checkout(Struct, frozen=True):
    """A copy of this checkout, with the home folder of a player next to it."""

    root: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of a player who runs the program of this checkout."""
        tools = Path(sys.executable).parent
        return {
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def ran(self, *command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command in the root folder. Raises ``AssertionError`` if it fails."""
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done

    def casino(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run the program."""
        return self.ran("python", "-m", "tui_casino", *arguments, typed=typed)

    def change(self, path: str, old: str, new: str) -> None:
        """Replace a text that occurs once in a file."""
        file = self.root / path
        text = file.read_text()
        assert text.count(old) == 1, f"{old!r} in {path}"
        file.write_text(text.replace(old, new))


def copied(folder: Path) -> Checkout:
    """Copy this checkout without caches."""
    root, home = folder / "checkout", folder / "home"
    left = ignore_patterns("__pycache__", ".*_cache", ".hypothesis")
    for name in FOLDERS:
        copytree(ROOT / name, root / name, ignore=left)
    for name in FILES:
        copy(ROOT / name, root)
    home.mkdir()
    return Checkout(root, home)
