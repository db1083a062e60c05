"""A line of 50 MB in every place that reads lines: a clear refusal, with little memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tui_casino.gamekit.registry import GAMES

ROOT = Path(__file__).parents[2]
SIZE = 50_000_000  # bytes of a line
ROOM = 30_000_000  # bytes of memory for reading it
CHILD = f"""
import resource, sys
from pathlib import Path
from tui_casino.cli import main
from tui_casino.cli.console import confirm
from tui_casino.host.session.sandbox import _data_in_use
from tui_casino.host.session.screen_reader import LinkInput
from tui_casino.house.settings import load
from tui_casino.inputs.errors import BadInput
from tui_casino.screen_reader.voice import Voice

def remote(stdin):
    typed = LinkInput(lambda text: None, echo=False)
    for _ in range(200):  # pieces are what a server passes on together
        typed.feed(stdin.buffer.read(1 << 14))
    typed.feed(b"\\nq\\n")
    typed.end()
    print(*Voice(typed, print))

folder = Path(sys.argv[2])
for name in ("short", "long"):
    sys.stdin, file = open(folder / f"{{name}}-lines", errors="replace"), str(folder / name)
    if name == "long":
        limit = _data_in_use() + {ROOM}
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    try:
        print(name, eval(sys.argv[1]), flush=True)
    except (BadInput, SystemExit) as refused:
        print(name, refused, flush=True)
"""
READERS = {
    **{
        f"{game.slug} on the console": f"main(['{game.slug}', '--console', '--guest'])"
        for game in GAMES
    },
    "number of opponents": "main(['five-card-draw', '--console', '--guest'])",
    "client seed": "main(['video-poker', '--console', '--guest', '--word', ''])",
    "menu in screen-reader mode": "main(['--screen-reader', '--guest'])",
    "table in screen-reader mode": "main(['baccarat', '--screen-reader', '--guest'])",
    "question of a command": "confirm('Remove them?')",
    "screen-reader mode of a server": "remote(sys.stdin)",
}
FILES = {
    "card file": "main(['five-card-draw', '--console', '--guest', '--deck', file])",
    "test shoe": "main(['thirty-one', '--console', '--guest', '--deck', file])",
    "cards in debug mode": "main(['video-poker', '-d', '100', str(folder / 'short'), file])",
    "commands in debug mode": "main(['video-poker', '-d', '100', file, str(folder / 'short')])",
    "properties": "main(['cribbage', '--console', '--guest', '--properties', file])",
    "pay table": "main(['video-poker', '--console', '--guest', '--paytable', file + '.toml'])",
    "settings": "load(Path(file))",
}
pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/status"), reason="only Linux reports the memory of a process"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lines")
    for name, line in (("short", b"AS"), ("long", b"x" * SIZE)):
        (folder / f"{name}-lines").write_bytes(line + b"\nq\n")
        (folder / name).write_bytes(line)
        (folder / f"{name}.toml").hardlink_to(folder / name)
    return folder


def printed(run: str, folder: Path) -> str:
    """Run an expression on short lines, then on a long one; return what the second has printed."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, run, folder],
        capture_output=True, check=False, cwd=ROOT, env={**os.environ, "HOME": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "internal error" not in err, err[-2_000:]
    assert len(out) + len(err) < 20_000
    return out + err


@pytest.mark.parametrize("place", READERS)
def test_line_without_an_end_is_refused_once_with_little_memory(place: str, folder: Path) -> None:
    text = printed(READERS[place], folder)
    assert text.count("that line is too long; a line has up to 4,096 characters") == 1


@pytest.mark.parametrize("place", FILES)
def test_file_with_a_line_without_an_end_is_refused_with_little_memory(
    place: str, folder: Path
) -> None:
    text = printed(FILES[place], folder)
    assert "it has 50,000,000 bytes; at most " in text
