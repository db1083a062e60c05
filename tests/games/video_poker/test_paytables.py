"""The built-in pay tables, and the errors about bad ones."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui_casino.games.video_poker.face.table_catalog import TABLES as MACHINES
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.games.video_poker.machine.paytables import DEFAULT, load, names
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import BadFile
from tui_casino.inputs.sanitize import printable

# As machines print them: what each row pays for one coin; the royal flush pays 4000 for five.
TABLES = {
    "double-bonus-10-7": ("Double Bonus 10/7", (250, 50, 160, 80, 50, 10, 7, 5, 3, 1, 1)),
    "double-bonus-10-6": ("Double Bonus 10/6", (250, 50, 160, 80, 50, 10, 6, 5, 3, 1, 1)),
    "double-bonus-9-6": ("Double Bonus 9/6", (250, 50, 160, 80, 50, 9, 6, 5, 3, 1, 1)),
    "jacks-or-better-9-6": ("Jacks or Better 9/6", (250, 50, 25, 9, 6, 4, 3, 2, 1)),
    "jacks-or-better-8-5": ("Jacks or Better 8/5", (250, 50, 25, 8, 5, 4, 3, 2, 1)),
}
FOURS = {
    "double-bonus": ("FOUR ACES", "FOUR 2-4", "FOUR 5-K"),
    "jacks-or-better": ("FOUR OF A KIND",),
}


def test_five_pay_tables_are_shipped() -> None:
    assert names() == tuple(sorted(TABLES))
    assert DEFAULT == "double-bonus-10-7"


@pytest.mark.parametrize("name", TABLES)
def test_shipped_pay_table_has_its_title_and_pays(name: str) -> None:
    title, pays = TABLES[name]
    game, _, _ = name.rsplit("-", 2)
    table = load(name)
    assert (table.name, table.title) == (name, title)
    assert [row.name for row in table.rows] == [
        "ROYAL FLUSH",
        "STRAIGHT FLUSH",
        *FOURS[game],
        "FULL HOUSE",
        "FLUSH",
        "STRAIGHT",
        "THREE OF A KIND",
        "TWO PAIR",
        "JACKS OR BETTER",
    ]
    assert table.rows[0].pays == (250, 500, 750, 1000, 4000)
    for row, pay in zip(table.rows[1:], pays[1:], strict=True):
        assert row.pays == (pay, 2 * pay, 3 * pay, 4 * pay, 5 * pay)


def test_every_shipped_pay_table_can_be_chosen_by_name() -> None:
    assert {name: table.title for name, table in MACHINES.choices.items()} == {
        name: TABLES[name][0] for name in sorted(TABLES)
    }
    for name in TABLES:
        assert MACHINES.setup(name).options == Options(paytable=load(name))
    assert MACHINES.setup().options == Options()


def write(folder: Path, text: str | bytes, name: str = "mine.toml") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_pay_table_file_of_a_player_is_loaded(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        # the order of the rows is that of the file
        title = "Mine"
        [pays]
        "TENS OR BETTER" = 1
        'FOUR 2-4 WITH A-A' = [1, 1, 2, 3, 1_000_000]
        FLUSH = 200_000
        """,
    )
    table = load(path, tmp_path)
    assert (table.name, table.title) == ("mine", "Mine")
    assert [(row.name, row.pays) for row in table.rows] == [
        ("TENS OR BETTER", (1, 2, 3, 4, 5)),
        ("FOUR 2-4 WITH A-A", (1, 1, 2, 3, 1_000_000)),
        ("FLUSH", (200_000, 400_000, 600_000, 800_000, 1_000_000)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        b'\xef\xbb\xbftitle = "T"\r\n[pays]\r\nFLUSH = 7\r\n',
        b'title = "T"\npays.FLUSH = 7',
        b'pays = {FLUSH = 7}\ntitle = "T"',
        b'[pays]\nFLUSH = 7\n"FOUR ACES" = 50\n"FOUR 2-K" = 40\n"FOUR OF A KIND" = 30\n'.join(
            [b'title = "T"\n', b""]
        ),
    ],
)
def test_pay_table_in_any_equivalent_toml_form_is_accepted(tmp_path: Path, text: bytes) -> None:
    table = load(write(tmp_path, text), tmp_path)
    assert table.title == "T"
    assert table.rows[0].pays == (7, 14, 21, 28, 35)


def test_shipped_pay_table_has_priority_over_a_file_of_the_same_name(tmp_path: Path) -> None:
    write(tmp_path, 'title = "Mine"\n[pays]\nFLUSH = 7', DEFAULT)
    assert load(DEFAULT, tmp_path).title == "Double Bonus 10/7"
    assert load(f"./{DEFAULT}", tmp_path).title == "Mine"


def test_no_pay_table_file_is_read_without_a_folder(tmp_path: Path) -> None:
    path = write(tmp_path, 'title = "Mine"\n[pays]\nFLUSH = 7')
    assert load(path, tmp_path).title == "Mine"
    with pytest.raises(BadInput, match="is not a pay table"):
        load(path)


@pytest.mark.parametrize(
    "name",
    ["", "double-bonus", "double-bonus-10-7.toml", "no/such/file", "a\0b", "x" * 1_000],
    ids=lambda value: repr(value)[-40:],
)
def test_error_about_an_unknown_pay_table_lists_the_shipped_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput) as refusal:
        load(name, tmp_path)
    assert not isinstance(refusal.value, BadFile)
    message = str(refusal.value)
    assert message.startswith(f"{printable(repr(name))} is not a pay table")
    assert all(shipped in message for shipped in TABLES)


ROWS = "\n[pays]\n"
TITLE = 'title = "T"\n[pays]\n'  # the first row is on line 3
PAY = "a pay per coin must be a whole number from 1 to 200,000"
LISTED = "a pay must be a whole number from 1 to 1,000,000"


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        # TOML
        ('title = "T"\n[pays\nFLUSH = 7', "2:6", "is not TOML: "),
        ('title = "T\n', "1:11", "is not TOML: "),
        (TITLE + "FLUSH = 7\nSTRAIGHT 5\n", "4:10", ", in 'STRAIGHT 5'"),
        (TITLE + "FULL HOUSE = 10", "3:6", ", in 'FULL HOUSE = 10'"),
        (TITLE + "FLUSH = 7\nFLUSH = 6\nSTRAIGHT = 5\n", "4:10", ", in 'FLUSH = 6'"),
        (TITLE + "FLUSH = 7\nFLUSH = 6", "4", ", in 'FLUSH = 6'"),
        (TITLE + "FLUSH = [1,\n", "3", ", in 'FLUSH = [1,'"),
        (TITLE + "FLUSH = 2020-02-30\n", "3:9", ", in 'FLUSH = 2020-02-30'"),
        ("\0", "1:1", r", in '\x00'"),
        ("\n\r", "2:1", r", in '\r'"),
        ("\n\n\f", "3:1", r", in '\x0c'"),
        # keys
        ("", "", "the title is missing; write one"),
        ("# nothing but this", "", "the title is missing; write one"),
        ("[pays]\nFLUSH = 7", "", "the title is missing; write one"),
        ('title = "T"', "", "the section [pays] is missing"),
        ('title = "T"\nname = "t"' + ROWS + "FLUSH = 7", "2", "unknown key 'name'"),
        ('title = "T"\nsubtitle = 3' + ROWS + "FLUSH = 7", "2", "unknown key 'subtitle'"),
        (TITLE + "FLUSH = 7\n\n[pay]\nFLUSH = 7", "5", "unknown key 'pay'"),
        ('"ti\\u0074le" = ""' + ROWS + "FLUSH = 7", "", "title is ''"),
        # title
        ("title = 7" + ROWS + "FLUSH = 7", "1", "title is 7; it must be one line of plain text"),
        ("\n title = ''" + ROWS + "FLUSH = 7", "2", "title is ''; it must"),
        ("title = '  '" + ROWS + "FLUSH = 7", "1", "title is '  '; it must"),
        ("title = true" + ROWS + "FLUSH = 7", "1", "title is True; it must"),
        ('title = "a\\u001b[31mb"' + ROWS + "FLUSH = 7", "1", r"title is 'a\x1b[31mb'; it must"),
        ("title = '''a\nb'''" + ROWS + "FLUSH = 7", "1", r"title is 'a\nb'; it must"),
        # rows
        (TITLE, "2", "pays is {}; it must have rows"),
        ('title = "T"\npays = 3', "2", "pays is 3; it must have rows"),
        ('title = "T"\n[[pays]]\nFLUSH = 7', "2", "pays is [{'FLUSH': 7}]; it must have rows"),
        (
            TITLE + "FLUSH = 7\n'PAIR OF JACKS' = 1",
            "4",
            "'PAIR OF JACKS' is not the name of a hand; give",
        ),
        (TITLE + '"Flush" = 7', "3", "'Flush' is not the name of a hand"),
        (TITLE + "title = 7", "3", "'title' is not the name of a hand"),
        (TITLE + '# "PAIR" = 1\n"PAIR" = 1', "4", "'PAIR' is not the name of a hand"),
        (TITLE + "'FOUR ACES' = 9\n'FOUR A-A' = 9", "4", "'FOUR A-A' pays the same hands as "),
        (TITLE + "'FOUR OF A KIND' = 9\n'FOUR 2-A' = 9", "4", "as 'FOUR OF A KIND'; keep one"),
        (TITLE + "'FOUR TWOS' = 9\n'FOUR 2-2 WITH 2-A' = 9", "4", "as 'FOUR TWOS'; keep one"),
        (TITLE + "'FOUR TWOS' = 9\n'FOUR TWOS WITH 3-A' = 9", "4", "as 'FOUR TWOS'; keep one"),
        # pays
        (TITLE + "FLUSH = 7.0", "3", f"'FLUSH' pays 7.0; {PAY}"),
        (TITLE + "FLUSH = '7'", "3", f"'FLUSH' pays '7'; {PAY}"),
        (TITLE + "STRAIGHT = 5\nFLUSH = true", "4", f"'FLUSH' pays True; {PAY}"),
        (TITLE + "FLUSH = inf", "3", f"'FLUSH' pays inf; {PAY}"),
        (TITLE + "FLUSH = 2020-12-24", "3", f"'FLUSH' pays datetime.date(2020, 12, 24); {PAY}"),
        (TITLE + "FLUSH.a = 7", "3", f"'FLUSH' pays {{'a': 7}}; {PAY}"),
        (TITLE + "FLUSH = 0", "3", f"'FLUSH' pays 0; {PAY}"),
        (TITLE + "FLUSH = -7", "3", f"'FLUSH' pays -7; {PAY}"),
        (TITLE + "FLUSH = 200_001", "3", f"'FLUSH' pays 200001; {PAY}"),
        (TITLE + "FLUSH = [1, 2, 3, 4, 1_000_001]", "3", f"'FLUSH' pays 1000001; {LISTED}"),
        (TITLE + "FLUSH = [0, 2, 3, 4, 5]", "3", f"'FLUSH' pays 0; {LISTED}"),
        (TITLE + "FLUSH = [1, 2, 3, 4, false]", "3", f"'FLUSH' pays False; {LISTED}"),
        (TITLE + "FLUSH = [1, 2, [3], 4, 5]", "3", f"'FLUSH' pays [3]; {LISTED}"),
        (TITLE + "FLUSH = []", "3", "'FLUSH' has 0 pays; a list must have five"),
        (TITLE + "FLUSH = [7, 14, 21, 28]", "3", "'FLUSH' has 4 pays"),
        (TITLE + "FLUSH = [\n7,\n14,\n21,\n28,\n35,\n42\n]", "3", "'FLUSH' has 6 pays"),
        (TITLE + "FLUSH = [7, 14, 13, 28, 35]", "3", "'FLUSH' pays 14 and then 13; a higher bet"),
        # the line, wherever the key is
        ('title = "T"\npays."FULL HOUSE" = 10\npays.FLUSH = 0', "3", "'FLUSH' pays 0"),
        ("title = \"T\"\npays = { 'FULL HOUSE' = 10, 'FLUSH' = 0 }", "2", "'FLUSH' pays 0"),
        (TITLE + "'ROYAL FLUSH' = 250\n'STRAIGHT FLUSH' = 50\nFLUSH = 0", "5", "'FLUSH' pays 0"),
        (
            TITLE + "'FULL HOUSE' = 10\n'FL\\u0055SH' = 7",
            "4",
            "'FL\\\\u0055SH' is not the name of a hand",
        ),
        (TITLE + "'FULL HOUSE' = 10\n\"FL\\u0055SH\" = 0", "", "'FLUSH' pays 0"),
        # too much
        (
            TITLE + "FLUSH = " + "9" * 5_000,
            "3",
            "has a number with too many digits for a pay table",
        ),
        (TITLE + "FLUSH = 0x" + "f" * 5_000, "3", f"pays a number of thousands of digits; {PAY}"),
        (TITLE + "FLUSH = " + "[" * 5_000, "", "is nested too deeply for a pay table"),
        (TITLE + "FLUSH = " + "[" * 300 + "]" * 300, "3", "'FLUSH' pays [[[[[[[...]]]]]]]; "),
        (TITLE + "FLUSH = " + "{a=" * 5_000, "", "cannot be read: it has 15,027 bytes; at most"),
        ("a." * 3_000 + "a = 1", "1", "unknown key 'a'"),
        ("#" * 10_001, "", "cannot be read: it has 10,001 bytes; at most 10,000 are allowed"),
        ("title = '" + "x" * 5_000 + "\n'", "1:5010", "is not TOML: "),
        # bytes
        (b"title = 'T'\n[pays]\nFLUSH = \xff", "3:9", "byte 0xff is not UTF-8 text"),
        (b"\xff\xfet\0i\0t\0l\0e\0", "1:1", "byte 0xff is not UTF-8 text"),
    ],
    ids=lambda value: repr(value)[-40:],
)
def test_invalid_pay_table_file_is_refused_with_the_reason(
    tmp_path: Path, text: str | bytes, place: str, why: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(BadFile) as refusal:
        load(path, tmp_path)
    where, _, what = str(refusal.value).removeprefix(path).partition(": ")
    assert where.removeprefix(":") == place
    assert why in what


def test_pay_table_file_of_ten_thousand_bytes_is_accepted(tmp_path: Path) -> None:
    text = TITLE + "FLUSH = 7\n"
    assert load(write(tmp_path, text + "#" * (10_000 - len(text))), tmp_path).title == "T"


def test_folder_is_refused_as_a_pay_table(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read: Is a directory"):
        load(str(tmp_path), tmp_path)


def test_device_is_refused_as_a_pay_table() -> None:
    with pytest.raises(BadFile, match="cannot be read: it is a device; give a regular file"):
        load("/dev/zero", Path("/"))


TOKENS = ("title", "pays", "FLUSH", '"FOUR ACES"', "'FOUR A-A'", '"T"', "=", ".", ",", "\n", "\r")
MORE_TOKENS = ("[", "]", "{", "}", "7", "-7", "7.5", "1e9", "true", "#", "'", '"""', "\f", "é", " ")


@given(st.lists(st.sampled_from(TOKENS + MORE_TOKENS)).map("".join))
@example('title="T"\n[pays]\nFLUSH=7')
def test_any_text_is_a_pay_table_or_refused(text: str) -> None:
    with TemporaryDirectory() as folder:
        path = write(Path(folder), text)
        try:
            table = load(path, Path(folder))
        except BadFile:
            return
    assert table.title
    assert table.rows
