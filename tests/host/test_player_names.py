"""Player names, and the players of keys."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tui_casino.host.display_names import RESERVED, skeleton, text_width, validate_name
from tui_casino.host.identities import Identities, NameTaken
from tui_casino.host.line_editor import LineEditor
from tui_casino.inputs.errors import BadInput

CYRILLIC_ANN = "Аnn"
GREEK_ANN = "ΑΝΝ"


@pytest.mark.parametrize(
    "other",
    ["ann", "ANN", " Ann ", "A nn", "Ａｎｎ", CYRILLIC_ANN, "Änn", "Ann\u0301", "Ann.", "-ann-"],
)
def test_similar_looking_player_names_have_the_same_skeleton(other: str) -> None:
    assert skeleton(other) == skeleton("Ann")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Paul", "PauI"), ("Bob", "B0b"), ("Martin", "Mart1n"), ("corn", "com"), ("ΑΝΝΑ", "Anna")],
)
def test_similar_looking_letters_have_the_same_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Bob", "Rob"), ("李", "王")])
def test_different_player_names_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Zoë",
            "李小龙",
            "O'Neill",
            "Ann 2",
            "x" * 40,
            "Ёж",
            "Łukasz Þór",
            "Əli",
            "Đặng",
            "Ωρίων",
        ),
        *(
            "さくら",
            "サーカス",
            "佐々木",
            "김철수",
            "דוד",
            "محمد",
            "प्रिया",
            "สมชาย",
            "Նարեկ",
            "ნინო",
        ),
        *("Anna Иванова", "Sam_7!", "Theo", "Thea House"),
    ],
)
def test_valid_player_name_is_accepted(name: str) -> None:
    assert validate_name(f"  {name} ") == name


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
        *(f"Bob{filler}" for filler in "\u3164\u1160\u115f\uffa0\u2800\u034f\ufe0f\u00ad"),
        *("\u3164", "\u2800\u2800", "ꓐꓳꓐ", "ᏴᎾᏴ", "𖼀𖽘", "ʙᴏʙ", "𝐁𝐨𝐛", "Ｂｏｂ", "ᵇᵒᵇ"),
        *(CYRILLIC_ANN, "Бob", "B\u0301\u0301\u0301\u0301ob", "\u0301Bob", "Bob👍", "Bob²", "ㅋㅋ"),
    ],
)
def test_invalid_player_name_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        validate_name(name)


@pytest.mark.parametrize(
    "name",
    [*RESERVED, "Guest 7", "H0use", "АDMIN", "The House", "TUI-Casino", "Operator", "Τhe host"],
)
def test_player_name_like_a_message_of_the_server_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="taken for the server"):
        validate_name(name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Bob\u3164", r"U\+3164 \(hangul filler\) .* use letters of Latin, Greek"),
        ("Бob", "use letters of one script in each word; Бob has Cyrillic and Latin"),
        ("...", "needs a letter or a digit"),
    ],
)
def test_refusal_of_a_player_name_says_which_characters_are_allowed(name: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        validate_name(name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *((name, "no colon") for name in ("A:B", "Ann:", ":Ann", "1  First: cost 0.00 bets")),
        ("Bob: cost 0.00 bets (you)", "no colon"),
        *((name, "begin or end with a bracket") for name in ("(you)", "Ann (you)", "[Ann", "Ann>")),
        *((name, "begin or end with a bracket") for name in ("{Ann}", "Ann (", "<Ann", " (you) ")),
        ("Ann：", "U\\+FF1A"),
        ("（you）", "U\\+FF08"),
    ],
)
def test_player_name_like_a_line_of_a_board_is_refused(name: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        validate_name(name)


@pytest.mark.parametrize("name", ["1  Ann", "  1   Ann", "12  3  Ann"])
def test_blanks_after_digits_in_a_player_name_become_one(name: str) -> None:
    assert validate_name(name) == " ".join(name.split())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Ann\tBea", r"hidden characters.*U\+0009 \(a control character\)"),
        ("Ann\u200bBea", r"hidden characters.*U\+200B \(zero width space\)"),
        ("\u202eAnn", r"hidden characters.*U\+202E \(right-to-left override\)"),
        ("Ann\u00a0B", r"hidden characters.*U\+00A0 \(no-break space\)"),
        ("👩\u200d🚀", r"hidden characters.*U\+200D \(zero width joiner\)"),
        ("x" * 41, "up to 40 characters; this one has 41"),
        ("李" * 21, "up to 40 columns wide; this one has 42"),
    ],
)
def test_refusal_of_a_player_name_names_the_true_reason(name: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        validate_name(name)


def test_existing_player_keeps_a_name_like_a_line_of_a_board(tmp_path: Path) -> None:
    with closing(Identities(tmp_path / "identities.db")) as book:
        rows = book._db.rows
        rows("insert into player values ('c3', 'A:B (you)', 'abyou', 1)")
        rows("insert into key values ('SHA256:c', 'c3', 1, null)")
        assert book.player_of("SHA256:c") == book.find("A:B (you)") == book.find("c3")
        assert book.names() == {"c3": "A:B (you)"}
        with pytest.raises(BadInput, match="no colon"):
            book.rename(book.find("c3"), "A:B")


def test_existing_player_keeps_a_name_that_is_no_longer_valid(tmp_path: Path) -> None:
    with closing(Identities(tmp_path / "identities.db")) as book:
        rows = book._db.rows
        rows("insert into player values ('c3', 'ꓐꓳꓐ', 'of another time', 1)")
        rows("insert into key values ('SHA256:c', 'c3', 1, null)")
        assert book.player_of("SHA256:c") == book.find("ꓐꓳꓐ") == book.find("c3")
        assert book.rename(book.find("c3"), "Bob").name == "Bob"


def test_text_width_counts_terminal_columns() -> None:
    assert [text_width(text) for text in ("Zoë", "Zoe\u0308", "李")] == [3, 3, 2]


def test_enrolment_refuses_known_keys_and_similar_names_and_is_permanent(tmp_path: Path) -> None:
    book = Identities(tmp_path / "identities.db")
    assert book.player_of("SHA256:a") is None
    ann = book.enrol("SHA256:a", " Ann ", 1)
    assert ann.name == "Ann"
    for name in ("Ann", "aNN", GREEK_ANN):
        with pytest.raises(NameTaken, match="or too similar"):
            book.enrol("SHA256:b", name, 2)
    with pytest.raises(BadInput):
        book.enrol("SHA256:a", "Bea", 3)
    bob = book.enrol("SHA256:b", "Bob", 4)
    book.close()
    assert (tmp_path / "identities.db").stat().st_mode & 0o077 == 0
    reopened = Identities(tmp_path / "identities.db")
    assert [reopened.player_of(f"SHA256:{key}") for key in "ab"] == [ann, bob]
    assert ann.id != bob.id
    reopened.close()


def test_invalid_identities_file_is_refused_with_its_path(tmp_path: Path) -> None:
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
        ("Bob\x15Ann\r", "Ann", "Bob\b \b\b \b\b \bAnn"),
        ("An ny \x17n\r", "An n", "An ny \b \b\b \b\b \bn"),
        ("y" * 99 + "\r", "y" * 40, "y" * 40),
    ],
)
def test_line_editor_applies_erase_keys_and_drops_other_control_keys(
    typed: str, text: str, shown: str
) -> None:
    line = LineEditor(40)
    assert line.feed(typed) == shown
    assert (line.text, line.done, line.cancelled) == (text, True, False)


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_ctrl_c_or_ctrl_d_cancels_the_line_editor(key: str) -> None:
    line = LineEditor(40)
    line.feed(f"An{key}n\r")
    assert (line.done, line.cancelled) == (False, True)
