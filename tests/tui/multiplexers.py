"""Run the program in tmux, GNU screen and mosh, on a terminal that the tests can read."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGTERM

from tests.helpers.external_programs import program_path
from tests.helpers.pty_terminal import CASINO, Terminal, environment


@contextmanager
def in_tmux(home: Path, *settings: str, **more: str) -> Iterator[Terminal]:
    """Run the program in its own tmux, with these lines of configuration."""
    (home / "tmux.conf").write_text("\n".join(("set -g status off", *settings, "")))
    tmux = [program_path("tmux"), "-S", str(home / "s"), "-f", str(home / "tmux.conf")]
    variables = environment(home, **more)
    try:
        with Terminal([*tmux, "new-session", shlex.join(CASINO)], variables) as terminal:
            yield terminal
    finally:
        subprocess.run([*tmux, "kill-server"], env=variables, capture_output=True)


@contextmanager
def in_screen(home: Path, *settings: str, **more: str) -> Iterator[Terminal]:
    """Run the program in its own GNU screen."""
    screen = program_path("screen")
    (home / "sockets").mkdir(mode=0o700)
    (home / "screenrc").write_text("\n".join(("startup_message off", *settings, "")))
    variables = environment(home, SCREENDIR=str(home / "sockets"), **more)
    command = [screen, "-U", "-S", "casino", "-c", str(home / "screenrc"), *CASINO]
    try:
        with Terminal(command, variables) as terminal:
            yield terminal
    finally:
        quits = [screen, "-S", "casino", "-X", "quit"]
        subprocess.run(quits, env=variables, capture_output=True)


@contextmanager
def in_mosh(home: Path, **more: str) -> Iterator[Terminal]:
    """Run the program through mosh, over the loopback network."""
    mosh_server, mosh_client = program_path("mosh-server"), program_path("mosh-client")
    variables = environment(home, **more)
    begun = subprocess.run(
        [mosh_server, "new", "-i", "127.0.0.1", "-c", "256", "-l", "LANG=C.UTF-8", "--", *CASINO],
        env=variables, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    match = re.search(r"MOSH CONNECT (\d+) (\S+)", begun.stdout)
    process = re.search(r"pid = (\d+)", begun.stderr)
    assert match is not None, begun.stderr
    assert process is not None, begun.stderr
    variables["MOSH_KEY"] = match[2]
    try:
        with Terminal([mosh_client, "127.0.0.1", match[1]], variables) as terminal:
            yield terminal
    finally:
        with suppress(ProcessLookupError):  # it has ended with the program
            os.kill(int(process[1]), SIGTERM)
