"""Build the packages of this checkout, and describe the machine of a player."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.helpers.external_programs import find_program

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
HAND = "b 5\nd\na\nh 1 2\ns\nq\n"
"""A hand of video poker on the console, and its statistics."""
EPOCH = "1800000000"
"""The time of every file in a package, if the format stores times."""


def build(kind: str, checkout: Path, folder: Path) -> Path:
    """Build the ``wheel`` or the ``sdist`` of a checkout."""
    environ = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder,
        cwd=checkout, environ=environ)  # fmt: skip
    [package] = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return package


def bare(home: Path) -> dict[str, str]:
    """Return the environment of a new player: a home, and the programs of the system."""
    home.mkdir(exist_ok=True)
    path = os.pathsep.join((str(Path(sys.base_prefix) / "bin"), "/usr/bin", "/bin"))
    kept = {name: os.environ[name] for name in ("SSL_CERT_FILE",) if name in os.environ}
    return {**kept, "HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "TMPDIR": str(home),
            "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "UV_NO_CONFIG": "1"}  # fmt: skip


UTILITIES = (
    *("basename", "cat", "chmod", "cp", "cut", "date", "dirname", "env", "false", "head", "kill"),
    *("ln", "ls", "mkdir", "mv", "printf", "pwd", "rm", "rmdir", "sh", "sleep", "sort", "stty"),
    *("tail", "test", "touch", "tr", "true", "uname", "wc"),
)
"""The programs that every Unix-like system has."""


def fresh(folder: Path) -> dict[str, str]:
    """Return the environment of a machine with only utilities, ``make`` and Python."""
    programs = folder / "programs"
    programs.mkdir()
    for name in (*UTILITIES, "make"):
        if path := find_program(name):
            (programs / name).symlink_to(path)
    (programs / "python3").symlink_to(Path(sys.executable).resolve())
    return {**bare(folder / "home"), "PATH": str(programs)}


def run(
    *command: str | Path,
    cwd: Path,
    environ: Mapping[str, str],
    typed: str = "",
    patience: float = 240,
) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environ,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=patience,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done
