"""The way of a key from the terminal to the paint, traced in the running program."""

from __future__ import annotations

import json
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.helpers.pty_terminal import ROOT, Terminal, environment

PAGE = ROOT / "docs" / "how-it-is-built.md"
NAMED = re.compile(r"`([\w/]+\.py)`")

F1, ESCAPE = "\x1bOP", "\x1b"
KEYS_TO_TRACE = {
    "a held card": (("3",), "HELD", 34),
    "a typed command": (("h 1", "\r"), "Deal for", 71),
    "a window": ((F1, ESCAPE, F1), "begins a command", 47),
}
"""For each case: the keys, what the last one shows, and the most files of ours it may run.

The first window also loads the modules of all windows, so the second one is traced.
"""


def traced(folder: Path, *keys: str, shows: str) -> dict[str, list[str]]:
    """Press keys at a dealt hand of video poker; return the functions that the last one called."""
    out = folder / "trace.json"
    program = (sys.executable, "-m", "tests.tui.key_trace", str(out), "video-poker", "--seed", "1")
    with Terminal(program, environment(folder)) as terminal:
        terminal.wait_for("Deal for")
        terminal.type_until("b 5\rd\r", "Draw")
        for key in keys[:-1]:
            terminal.type(key)
        terminal.rest(0.5)
        terminal.signal(signal.SIGUSR1)
        terminal.rest(0.2)
        terminal.type_until(keys[-1], shows)
        terminal.rest(0.2)
        terminal.signal(signal.SIGUSR2)
        terminal.wait_until(out.exists)
        found: dict[str, list[str]] = json.loads(out.read_text())
        return found


@pytest.mark.parametrize("case", KEYS_TO_TRACE)
def test_handling_a_key_runs_at_most_the_allowed_number_of_files(case: str, tmp_path: Path) -> None:
    keys, shows, most = KEYS_TO_TRACE[case]
    files = traced(tmp_path, *keys, shows=shows)
    assert len(files) <= most, [*files]
    if case == "a held card":
        page = PAGE.read_text(encoding="utf-8")
        section = page.partition("\n## From a key to the screen\n")[2].partition("\n## ")[0]
        named = set(NAMED.findall(section))
        assert len(named) > 15
        missing = {name for name in named if not any(file.endswith(name) for file in files)}
        assert not missing, "named on the page, but not run by the key"
