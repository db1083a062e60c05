"""Names, and who is known by which key."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_casino.host.identities import Identities, NameTaken
from tui_casino.host.names import RESERVED, cells, checked, skeleton
from tui_casino.host.typed_line import TypedLine
from tui_casino.inputs.errors import BadInput

CYRILLIC_ANN = "Аnn"


@pytest.mark.parametrize(
    "other",
    ["ann", "ANN", " Ann ", "A nn", "Ａｎｎ", CYRILLIC_ANN, "Änn", "Ann\u0301", "Ann.", "-ann-"],
)
def test_names_that_look_alike_are_one(other: str) -> None:
    assert skeleton(other) == skeleton("Ann")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Paul", "PauI"), ("Bob", "B0b"), ("Martin", "Mart1n"), ("corn", "com"), ("ΑΝΝΑ", "Anna")],
)
def test_letters_that_look_alike_are_one(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Bob", "Rob"), ("李", "王")])
def test_other_names_are_others(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize("name", ["Zoë", "李小龙", "O'Neill", "Ann 2", "x" * 40, "Ёж"])
def test_these_are_names(name: str) -> None:
    assert checked(f"  {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 41,
        "李" * 21,
        "a\nb",
        "\x1b[2J",
        "\u202eann",
        "a\u200bb",
        "...",
        "[red]\x07",
    ],
)
def test_these_are_none(name: str) -> None:
    with pytest.raises(BadInput):
        checked(name)


@pytest.mark.parametrize("name", [*RESERVED, "Guest 7", "H0use", "АDMIN"])
def test_nobody_is_called_like_the_house(name: str) -> None:
    with pytest.raises(BadInput, match="taken for the house"):
        checked(name)


def test_columns_are_counted() -> None:
    assert [cells(text) for text in ("Zoë", "Zoe\u0308", "李")] == [3, 3, 2]


def test_a_key_is_a_player_and_a_name_is_one_players(tmp_path: Path) -> None:
    book = Identities(tmp_path / "identities.db")
    assert book.player_of("SHA256:a") is None
    ann = book.enrol("SHA256:a", " Ann ", 1)
    assert ann.name == "Ann"
    for name in ("Ann", "aNN", CYRILLIC_ANN):
        with pytest.raises(NameTaken, match="or nearly so"):
            book.enrol("SHA256:b", name, 2)
    with pytest.raises(BadInput):
        book.enrol("SHA256:a", "Bea", 3)
    bob = book.enrol("SHA256:b", "Bob", 4)
    book.close()
    assert (tmp_path / "identities.db").stat().st_mode & 0o077 == 0
    again = Identities(tmp_path / "identities.db")
    assert [again.player_of(f"SHA256:{key}") for key in "ab"] == [ann, bob]
    assert ann.id != bob.id
    again.close()


def test_a_book_that_is_none_is_refused_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "identities.db").write_bytes(b"not a book at all" * 100)
    with pytest.raises(BadInput, match=r"identities\.db cannot be used"):
        Identities(tmp_path / "identities.db")


@pytest.mark.parametrize(
    ("typed", "text", "shown"),
    [
        ("Ann\r", "Ann", "Ann"),
        ("Ax\x7fnn\r", "Ann", "Ax\b \bnn"),
        ("\x7f\x7fAnn\n", "Ann", "Ann"),
        ("A\x1b[Dn\x1bOPn\r", "Ann", "Ann"),
        ("李\x7fx\r", "x", "李\b \b\b \bx"),
        ("A\x07\x00nn\r", "Ann", "Ann"),
        ("y" * 99 + "\r", "y" * 40, "y" * 40),
    ],
)
def test_a_line_is_typed(typed: str, text: str, shown: str) -> None:
    line = TypedLine(40)
    assert line.feed(typed) == shown
    assert (line.text, line.done, line.left) == (text, True, False)


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_a_line_can_be_left(key: str) -> None:
    line = TypedLine(40)
    line.feed(f"An{key}n\r")
    assert (line.done, line.left) == (False, True)
