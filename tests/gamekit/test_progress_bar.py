"""The progress bar: on the stream that is handed in, if that is a terminal, and nowhere else."""

from __future__ import annotations

import io
import sys

import pytest

from tui_casino.gamekit.simulation_runner import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_bar_is_shown_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    stream, before = Terminal(), (sys.stdout, sys.stderr)
    with progress_bar("deals", 10, stream) as progress:
        assert progress is not None
        progress(10)
        assert (sys.stdout, sys.stderr) == before, "the process's own are left alone"
    assert "deals" in stream.getvalue()
    assert "100%" in stream.getvalue()
    assert capsys.readouterr() == ("", "")


def test_progress_bar_is_absent_without_a_terminal() -> None:
    stream = io.StringIO()
    with progress_bar("deals", 10, stream) as progress:
        assert progress is None
    assert stream.getvalue() == ""
