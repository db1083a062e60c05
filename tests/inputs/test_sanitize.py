"""The two ways out: what is printed, and what is painted, is plain text whatever came in."""

from __future__ import annotations

import ast
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tests.helpers import hostile_texts
from tests.helpers.command_runner import run
from tui_casino import cli
from tui_casino.inputs.errors import write_crash_report
from tui_casino.inputs.numbers import count_noun
from tui_casino.inputs.sanitize import (
    LONGEST,
    PrintableStream,
    plain,
    printable,
    printable_lines,
    printable_stream,
    raw_stream,
)
from tui_casino.records.codec import ascii_json
from tui_casino.tui.terminal.output import PRINTABLE_FILTER

ANY = st.text(st.characters(), max_size=30) | st.sampled_from(
    [*hostile_texts.SEQUENCES, *hostile_texts.SIGNS, *hostile_texts.LONE, *hostile_texts.LINES]
)


@given(ANY)
def test_printable_keeps_printable_text_and_escapes_other_text(text: str) -> None:
    assert printable(text).isprintable()
    assert printable(text) == text or not text.isprintable()


@given(ANY, ANY)
def test_printable_gives_different_escaped_forms_for_different_texts(one: str, other: str) -> None:
    """Different texts stay different: nothing is left out."""
    if "\\" not in one + other and one != other:
        assert printable(one) != printable(other)


def test_very_long_text_is_shortened_in_the_middle() -> None:
    said = plain("\x1b" + "a" * 100_000 + "end")
    assert len(said) <= LONGEST
    assert said.startswith("\\x1baaa")
    assert said.endswith("end")


@given(st.lists(ANY, max_size=5))
def test_printable_stream_keeps_line_ends_and_escapes_other_controls(texts: list[str]) -> None:
    behind = io.StringIO(newline="")
    stream = printable_stream(behind)
    stream.writelines(texts)
    for text in texts:
        print(text, file=stream)
    written = behind.getvalue()
    assert "".join(written.split("\n")).isprintable()
    once = "".join(texts)
    assert written.count("\n") == 2 * once.count("\n") + len(texts)
    assert written == "".join(map(printable_lines, texts)) + "".join(
        f"{printable_lines(text)}\n" for text in texts
    )


def test_printable_stream_is_wrapped_once_and_keeps_stream_methods() -> None:
    behind = io.StringIO()
    stream = printable_stream(behind)
    assert printable_stream(stream) is stream
    assert raw_stream(stream) is behind
    assert raw_stream(behind) is behind
    assert not stream.isatty()
    with pytest.raises(io.UnsupportedOperation):
        stream.fileno()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_everything_printed_by_a_command_is_escaped(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what a library prints there, and what a game prints on the stream it is handed."""

    def dispatch(arguments: list[str], door: object) -> int:
        assert isinstance(getattr(sys, stream), PrintableStream)
        for out in (getattr(sys, stream), getattr(door, stream)):
            print("\x1b[2J\u202e\nnext", file=out)
        return 0

    monkeypatch.setattr(cli, "_dispatch", dispatch)
    before = getattr(sys, stream)
    ran = run([])
    assert (ran.out if stream == "stdout" else ran.err) == "\\x1b[2J\\u202e\nnext\n" * 2
    assert getattr(sys, stream) is before


def test_crash_report_leaves_out_the_text_of_the_error(tmp_path: Path) -> None:
    path = Path(
        write_crash_report(ValueError("\x1b[2J\ud800")).removeprefix(
            "An error report was written to "
        )
    )
    try:
        assert path.read_text("utf-8") == "ValueError\n", "not even that: it may name a card"
        hostile_texts.check_text(path.read_text("utf-8"))
    finally:
        path.unlink()


@settings(max_examples=25)
@given(
    st.lists(
        st.text(max_size=20) | st.sampled_from(hostile_texts.SEQUENCES + hostile_texts.SIGNS),
        max_size=5,
    )
)
def test_printed_json_is_ascii_and_parses_to_the_same_value(value: list[str]) -> None:
    said = ascii_json(value)
    assert said.isascii()
    assert said.isprintable()
    assert json.loads(said) == value


INK = Style(color="red", bold=True)


@given(st.lists(ANY, min_size=1, max_size=4))
def test_text_painted_on_the_screen_is_printable_and_keeps_its_width(texts: list[str]) -> None:
    segments = [Segment(text, INK) for text in texts]
    painted = PRINTABLE_FILTER.apply(segments, Color(0, 0, 0))
    assert [segment.style for segment in painted] == [INK] * len(texts)
    for before, after in zip(segments, painted, strict=True):
        assert after.text.isprintable()
        assert after.cell_length == before.cell_length
        assert after is before or not before.text.isprintable()


@pytest.mark.parametrize("name", ["cli/verify.py", "cli/replay.py", "records/replay.py"])
def test_verification_does_not_import_the_cache(name: str) -> None:
    """None of them, nor what they import of the records, knows that there is one."""
    package = Path(cli.__file__).parents[1]
    waiting, seen = [package / name], set[Path]()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
                found = [base.with_suffix(".py"), *(base / f"{n.name}.py" for n in node.names)]
                waiting += [each for each in found if each.exists() and each not in seen]
    assert package / "records" / "session_log.py" in seen
    assert package / "records" / "cache.py" not in seen
    assert package / "records" / "playback.py" not in seen


def test_count_noun_uses_singular_for_1_and_thousands_separators() -> None:
    counts = [count_noun(count, "log") for count in (0, 1, 2, 1_000)]
    assert counts == ["0 logs", "1 log", "2 logs", "1,000 logs"]
