"""Update the command output on pages: ``python -m tests.documents.command_output``."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

from tui_casino.cli import main

THEORY = Path(__file__).parents[2] / "docs" / "theory"
CRIBBAGE = THEORY / "cribbage.md"
HIT_ME = THEORY / "hit-me.md"
CONSOLE = re.compile(r"(```console\n\$ tui-casino ([^\n]*)\n)(.+?)(?=```)", re.DOTALL)
ODDS = re.compile(r"(```text\n)(.*?)(?=```)", re.DOTALL)


def output_of(command: str) -> str:
    """Return the output of a command, given without the name of the program."""
    stream = io.StringIO()
    with redirect_stdout(stream):
        assert main(shlex.split(command)) == 0
    return stream.getvalue()


def shown_commands(page: Path) -> list[tuple[str, str]]:
    """Return the commands on a page, each with the output that the page shows."""
    return [(command, output) for _, command, output in CONSOLE.findall(page.read_text("utf-8"))]


def shown_text(page: Path) -> str:
    """Return the first block of plain text on a page."""
    found = ODDS.search(page.read_text("utf-8"))
    assert found
    return found[2]


if __name__ == "__main__":
    text = CONSOLE.sub(lambda found: found[1] + output_of(found[2]), CRIBBAGE.read_text("utf-8"))
    CRIBBAGE.write_text(text, encoding="utf-8")
    text = ODDS.sub(
        lambda found: found[1] + output_of("odds thirty-one"), HIT_ME.read_text("utf-8"), count=1
    )
    HIT_ME.write_text(text, encoding="utf-8")
