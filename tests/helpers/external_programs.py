"""Programs that some tests run and pip cannot install.

A test whose program is missing is skipped, and the reason says what to install. If the environment
variable ``ALL_PROGRAMS`` is set, as in ``.ci/run``, the test fails instead.
``python3 tests/helpers/external_programs.py`` prints the Debian packages of all programs that are
missing.
"""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

PACKAGES = {
    "bash": "bash",
    "chromium": "chromium",
    "fish": "fish",
    "git": "git",
    "json_pp": "perl",  # "perl" itself may come without its own modules
    "make": "make",
    "mandb": "man-db",  # "man" itself may be a stub of a small system, or another program
    "mosh-client": "mosh",
    "mosh-server": "mosh",
    "node": "nodejs",
    "npm": "npm",
    "scp": "openssh-client",
    "screen": "screen",
    "sftp": "openssh-client",
    "ssh": "openssh-client",
    "ssh-keygen": "openssh-client",
    "sshd": "openssh-server",
    "systemd-analyze": "systemd",
    "tmux": "tmux",
    "zsh": "zsh",
}
"""The Debian package of each program."""


def find_program(name: str) -> str | None:
    """Return the path of a program; also look in folders that only root has in PATH."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def program_path(name: str) -> str:
    """Return the path of a program that a test needs, or skip the test."""
    return find_program(name) or missing(name, f"apt-get install {PACKAGES.get(name, name)}")


def missing(what: str, install: str) -> NoReturn:
    """Skip the test, or fail it if ``ALL_PROGRAMS`` is set; say what it needs and how to get it."""
    import pytest  # here, because the gate runs this file before anything is installed

    needs = f"this test needs {what}: {install}"
    if os.environ.get("ALL_PROGRAMS"):
        pytest.fail(needs, pytrace=False)
    pytest.skip(needs)


if __name__ == "__main__":
    print(*sorted({package for name, package in PACKAGES.items() if not find_program(name)}))
