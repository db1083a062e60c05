"""TOML files of a player: accepted and refused values, and the lines of keys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parameter_ids import value_id
from tui_casino.inputs.files import MOST_BYTES, BadFile, TomlFile, read_toml, short_repr

KEYS = ("title", "pays")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cards.toml"


def read(path: Path) -> TomlFile:
    return read_toml(path, "a card box", KEYS)


def refusal(path: Path) -> str:
    with pytest.raises(BadFile) as refused:
        read(path)
    return str(refused.value).removeprefix(str(path))


def test_toml_file_with_bom_or_of_the_greatest_size_is_read(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbftitle = "T"\r\n[pays]\r\na.b = 1\r\n')
    assert read(path).values == {"title": "T", "pays": {"a": {"b": 1}}}
    path.write_text("#" * MOST_BYTES)
    assert read(path).values == {}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"title = \xff", ":1:9: byte 0xff is not UTF-8 text"),
        (b"title = 1\npays = x", ":2:8: is not TOML: Invalid value, in 'pays = x'"),
        (b"\n\nb = {'x (at y' = 1, 'x (at y' = 2}\n", ":3:34: is not TOML: Duplicate inline table"),
        (b"title = 'T", ":1: is not TOML: "),
        (b"title = [1,\n\n", ":1: is not TOML: "),
        (b"title = " + b"[" * 5_000, ": is nested too deeply for a card box"),
        (b"#" * 10_001, ": cannot be read: it has 10,001 bytes; at most 10,000 are allowed"),
        (
            b"# 12\n\ntitle = " + b"9" * 5_000,
            ":3: has a number with too many digits for a card box",
        ),
        (b"title = 1\npays = 1" + b"_234" * 2_000, ":2: has a number with too many digits"),
        (b"title = 1\nname = 2", ":2: unknown key 'name'; the keys are title, pays"),
        (b"\n[pay.s]\n", ":2: unknown key 'pay'; the keys are title, pays"),
        (b'"na\\u006de" = 1', ": unknown key 'name'"),
    ],
    ids=lambda value: repr(value)[-40:],
)
def test_invalid_toml_file_is_refused_with_line_and_reason(
    path: Path, raw: bytes, message: str
) -> None:
    path.write_bytes(raw)
    assert refusal(path).startswith(message)


def test_missing_toml_file_pipe_or_device_is_refused(path: Path) -> None:
    assert refusal(path) == ": cannot be read: No such file or directory"
    os.mkfifo(path)
    assert refusal(path) == ": cannot be read: it is a pipe; give a regular file"
    with pytest.raises(BadFile, match="cannot be read: it is a device; give a regular file"):
        read(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("text", "keys", "line"),
    [
        ("title = 1", (), None),
        ("title = 1", ("titles",), None),
        ("title = 1", ("title",), 1),
        ("\n\n  'title' = 1", ("title",), 3),
        ('# title = 1\n"title"=1', ("title",), 2),
        ("subtitle = 1\ntitle = 1", ("title",), 2),
        ("sub-title = 1\nsub_title = 1\ntitle = 1", ("title",), 3),
        ("titles = 1\ntitle.a = 1", ("title",), 2),
        ("'a title' = 1\n[title]", ("title",), 2),
        ("a.b = 1\na.c = 1", ("a", "c"), 2),
        ("[a]\nb = 1\n[c]\nb = 1", ("c", "b"), 4),
        ("[[a]]\nb = 1", ("a", "b"), 2),
        ("[a . b]\nc = 1", ("a", "b", "c"), 2),
        ("\na = {b = 1, 'c' = 2}", ("a", "c"), 2),
        ("a = [\n1,\n]\nb = 1", ("b",), 4),
        ("'a+b' = 1\n'a.b' = 1", ("a.b",), 2),
    ],
    ids=value_id,
)
def test_error_about_a_toml_key_names_its_line(
    text: str, keys: tuple[str, ...], line: int | None
) -> None:
    file = TomlFile(Path("cards.toml"), text, {})
    assert file.line_of(*keys) == line
    with pytest.raises(BadFile) as refused:
        file.refuse("is wrong", *keys)
    assert str(refused.value) == f"cards.toml{f':{line}' if line else ''}: is wrong"


@given(st.text("ab'\"=.[]{}#,1\n\r ", max_size=40))
def test_any_text_is_read_as_toml_or_refused(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode())
    try:
        file = read_toml(path, "a card box", "ab")
    except BadFile:
        return
    assert all(file.line_of(key) for key in file.values)


def test_long_toml_values_are_shortened_in_errors() -> None:
    assert short_repr("title") == "'title'"
    assert len(short_repr("x" * 1_000)) < 50
    assert short_repr(16**5_000) == "a number of thousands of digits"
