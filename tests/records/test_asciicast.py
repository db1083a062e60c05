"""Recordings: the form of asciicast v3, what a terminal shows of one, and faults on the way."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

import pyte
import pytest

from tests.helpers.command_runner import Output, output
from tests.helpers.pty_terminal import _UNKNOWN, casino
from tui_casino.gamekit.registry import GAMES
from tui_casino.inputs.files import BadFile
from tui_casino.records.asciicast import CastRecorder


def events(path: Path) -> tuple[dict[str, Any], list[tuple[float, str, str]]]:
    header, *rest = map(json.loads, path.read_text().splitlines())
    return header, [tuple(event) for event in rest]


class Times:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_asciicast_header_and_events_follow_the_format(tmp_path: Path) -> None:
    times = Times()
    cast = CastRecorder(tmp_path / "a.cast", (80, 24), "xterm", times)
    for seconds, text in ((0.5, "\x1b[1mA♠\x1b[m"), (1.25, "b\r\n"), (0, "")):
        times.now += seconds
        cast.output(text)
    cast.resize(80, 24)
    times.now += 2
    cast.resize(100, 30)
    cast.end(0)
    cast.close()
    header, told = events(tmp_path / "a.cast")
    assert header["version"] == 3
    assert header["term"] == {"cols": 80, "rows": 24, "type": "xterm"}
    assert told == [
        (0.5, "o", "\x1b[1mA♠\x1b[m"),
        (1.25, "o", "b\r\n"),
        (2.0, "r", "100x30"),
        (0.0, "x", "0"),
    ]
    assert stat.S_IMODE((tmp_path / "a.cast").stat().st_mode) == 0o600


def test_rounding_errors_of_asciicast_times_do_not_add_up(tmp_path: Path) -> None:
    times = Times()
    cast = CastRecorder(tmp_path / "a.cast", (80, 24), None, times)
    for _ in range(10_000):
        times.now += 0.0004
        cast.output("x")
    cast.close()
    header, told = events(tmp_path / "a.cast")
    assert "type" not in header["term"]
    assert sum(interval for interval, _, _ in told) == pytest.approx(4, abs=0.002)


def record(path: Path, *options: str, typed: str = "q\n", code: int = 0) -> Output:
    arguments = (GAMES[0].slug, "--console", "--record", str(path))
    return output(*arguments, *options, typed=typed, code=code)


def test_recording_to_an_existing_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.cast").write_text("mine")
    with pytest.raises(BadFile, match="already exists; a recording never replaces a file"):
        CastRecorder(tmp_path / "a.cast", (80, 24), None)
    record(tmp_path / "a.cast", code=2)
    assert (tmp_path / "a.cast").read_text() == "mine"


@pytest.mark.parametrize("path", ["none/a.cast", "."])
def test_recording_to_a_file_that_cannot_be_created_is_refused(path: str, tmp_path: Path) -> None:
    err = record(tmp_path / path, code=2).err
    assert err.startswith(f"tui-casino: {tmp_path / path}: ")
    assert "Traceback" not in err


def test_full_disk_ends_the_recording_but_not_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = CastRecorder(tmp_path / "a.cast", (80, 24), None)
    cast.output("one")
    said: list[str] = []
    cast.on_trouble = said.append
    real = os.write

    def write(file: int, data: Any) -> int:
        if len(data) < 12:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, bytes(data)[:5])

    with monkeypatch.context() as disk:
        disk.setattr(os, "write", write)
        cast.output("two")
    cast.output("three")
    cast.end(0)
    assert said == [f"{tmp_path / 'a.cast'}: the recording stopped: No space left on device"]
    assert [text for _, _, text in events(tmp_path / "a.cast")[1]] == ["one"]


def test_console_recording_has_the_output_but_not_the_typed_input(tmp_path: Path) -> None:
    path = tmp_path / "a.cast"
    out = record(path, "--seed", "1", typed="?\nxyzzy\nq\n").out
    _, told = events(path)
    shown = "".join(text for _, kind, text in told if kind == "o")
    assert shown.replace("\r\n", "\n") == out
    assert told[-1][1:] == ("x", "0")
    assert {kind for _, kind, _ in told} == {"o", "x"}


# ---- on a terminal ----------------------------------------------------------------------------


def played_back(path: Path) -> str:
    """Play a recording into a terminal, and return the text on its screen."""
    header, told = events(path)
    emulator: Any = pyte
    screen = emulator.Screen(header["term"]["cols"], header["term"]["rows"])
    stream = emulator.ByteStream(screen)
    for _, kind, text in told:
        if kind == "r":
            columns, rows = map(int, text.split("x"))
            screen.resize(rows, columns)
        elif kind == "o":
            stream.feed(_UNKNOWN.sub(b"", text.encode()))
    return "\n".join(line.rstrip() for line in screen.display)


@pytest.mark.prove
def test_recording_of_the_screen_shows_the_same_as_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a.cast"
    with casino(tmp_path, GAMES[0].slug, "--record", str(path)) as terminal:
        terminal.wait_for("CREDIT")
        terminal.type_until(" ", "Which cards do you hold")
        terminal.rest(0.5)
        assert played_back(path) == terminal.text
        terminal.resize(100, 30)
        terminal.rest(1)
        terminal.type_until("12", "HELD")
        terminal.rest(0.5)
        assert played_back(path) == terminal.text
        terminal.type(b"\x11")
        assert terminal.ended() == 0
    header, told = events(path)
    assert header["term"] == {"cols": 80, "rows": 24, "type": "xterm-256color"}
    assert [text for _, kind, text in told if kind == "r"] == ["100x30"]
    assert told[-1][1:] == ("x", "0")
    assert "\x1b[?1049l" in told[-2][2] or "\x1b[?1049l" in "".join(t for _, _, t in told[-20:])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
