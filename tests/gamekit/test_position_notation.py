"""States as lines of text: the form, all that is refused and where, and what has no form."""

from __future__ import annotations

import re
from contextlib import suppress
from enum import Enum, Flag
from fractions import Fraction
from pathlib import Path
from typing import Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, field

from tests.contract.toy.machine import game as toys
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import BACK, PACK, Card, Hand, parse_hand
from tui_casino.engine.game import Seat
from tui_casino.gamekit.position_notation import (
    LONGEST_NOTATION,
    MOST_DIGITS,
    read_notation,
    write_notation,
)
from tui_casino.gamekit.registry import GAMES
from tui_casino.games.video_poker.machine.game import Options, State
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.inputs.errors import BadInput


class Tone(Enum):
    """All values are words, so that they are written."""

    LOW = "low"
    HIGH = "high"


class Way(Enum):
    """Not all values are words, so that names are written."""

    OVER = "over all"
    UNDER = 2


class Part(Struct, frozen=True):
    seat: Seat
    cards: Hand = ()
    tone: Tone = Tone.LOW


class Every(Struct, frozen=True):
    """A field of each kind that a line can hold."""

    whole: int
    needed: Part
    truth: bool = False
    share: Fraction = Fraction(1, 2)
    text: str = "usual"
    card: Card = BACK
    tone: Tone = Tone.HIGH
    way: Way = Way.OVER
    maybe: int | None = None
    may_be_empty: tuple[int | None, ...] | None = ()
    pair: tuple[int, Tone] = (0, Tone.LOW)
    hands: tuple[Hand, ...] = ()
    parts: tuple[Part, ...] = ()
    part: Part | None = None
    deep: tuple[tuple[Part | None, ...], ...] = ()


PARTS = st.builds(
    Part,
    st.integers(0, 9).map(Seat),
    st.lists(st.sampled_from((*PACK, BACK)), max_size=5).map(tuple),
    st.sampled_from(Tone),
)
EVERY = st.builds(
    Every,
    whole=st.integers(-(10**MOST_DIGITS) + 1, 10**MOST_DIGITS - 1),
    needed=PARTS,
    truth=st.booleans(),
    share=st.fractions(),
    text=st.text(st.characters(), max_size=20) | st.sampled_from(("-", "none", "a=b", "a b", "TS")),
    card=st.sampled_from((*PACK, BACK)),
    tone=st.sampled_from(Tone),
    way=st.sampled_from(Way),
    maybe=st.none() | st.integers(),
    may_be_empty=st.none() | st.lists(st.none() | st.integers(), max_size=3).map(tuple),
    pair=st.tuples(st.integers(), st.sampled_from(Tone)),
    hands=st.lists(st.lists(st.sampled_from(PACK), max_size=2).map(tuple), max_size=3).map(tuple),
    parts=st.lists(PARTS, max_size=3).map(tuple),
    part=st.none() | PARTS,
    deep=st.lists(st.lists(st.none() | PARTS, max_size=2).map(tuple), max_size=2).map(tuple),
)


# ---- the form --------------------------------------------------------------------------------


@given(EVERY)
def test_value_written_in_position_notation_is_read_back_unchanged(value: Every) -> None:
    text = write_notation(value)
    assert text.isascii()
    assert text.isprintable()
    assert read_notation(text, Every) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Every(-5, Part(Seat(0))), "whole=-5 needed=(0)"),
        (Every(0, Part(Seat(1), (BACK,))), "whole=0 needed=(1,cards=(??))"),
        (
            Every(0, Part(Seat(1)), True, Fraction(-3, 7), "two words"),
            'whole=0 needed=(1) truth=true share=-3/7 text="two words"',
        ),
        (
            Every(0, Part(Seat(1)), card=Card.parse("TS"), tone=Tone.LOW, way=Way.UNDER, maybe=4),
            "whole=0 needed=(1) card=TS tone=low way=UNDER maybe=4",
        ),
        (
            Every(0, Part(Seat(1)), may_be_empty=None, pair=(3, Tone.HIGH)),
            "whole=0 needed=(1) may_be_empty=- pair=3,high",
        ),
        (Every(0, Part(Seat(1)), may_be_empty=(None,)), "whole=0 needed=(1) may_be_empty=(-)"),
        (
            Every(0, Part(Seat(1)), hands=((), parse_hand("KS QS"))),
            "whole=0 needed=(1) hands=(),(KS,QS)",
        ),
        (
            Every(0, Part(Seat(1)), parts=(Part(Seat(2), tone=Tone.HIGH),), part=Part(Seat(3))),
            "whole=0 needed=(1) parts=(2,tone=high) part=(3)",
        ),
        (Every(0, Part(Seat(1)), deep=((None,), ())), "whole=0 needed=(1) deep=(-),()"),
        (
            Every(0, Part(Seat(1)), text='"\\\u202e\x1b♠\U0001f0a1'),
            r'whole=0 needed=(1) text="\"\\\u202e\u001b\u2660\U0001f0a1"',
        ),
        (Every(0, Part(Seat(1)), text="-"), 'whole=0 needed=(1) text="-"'),
        (Every(0, Part(Seat(1)), text=""), 'whole=0 needed=(1) text=""'),
    ],
    ids=value_id,
)
def test_position_notation_has_the_documented_form(value: Every, text: str) -> None:
    assert write_notation(value) == text
    assert read_notation(text, Every) == value


@pytest.mark.parametrize(
    "text",
    [
        "needed=(1) whole=3",  # in any order
        "   whole=3   needed=(1)  ",
        "whole=003 needed=(seat=1)",
        "whole=3 needed=(1) text=usual truth=false hands= maybe=-",  # the defaults
        'whole=3 needed=(1) text="usual"',
        r'whole=3 needed=(1) text="\u0075sual"',
        "whole=3 needed=(tone=low,1,cards=())",
    ],
)
def test_position_notation_accepts_any_order_spaces_and_leading_zeros(text: str) -> None:
    assert read_notation(text, Every) == Every(3, Part(Seat(1)))


def test_text_value_accepts_printable_characters() -> None:
    assert read_notation('whole=0 needed=(1) text="é ♠ 黒"', Every).text == "é ♠ 黒"


# ---- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Every needs whole= and needed="),
        ("needed=(1)", "Every needs whole="),
        ("whole=3", "Every needs needed="),
        (
            "whole=six needed=(1)",
            "word 1, 'whole=six', at character 7: expected a whole number, like 5, not 'six'",
        ),
        ("needed=(1) whole=", "word 2, 'whole=', at character 18: expected a whole number"),
        ("needed=(1) whole= 5", "expected a whole number, like 5, not a space"),
        ("whole=٣ needed=(1)", "expected a whole number, like 5, not '٣'"),
        ("whole=1_000 needed=(1)", "expected a whole number, like 5, not '1_000'"),
        (f"whole={'9' * (MOST_DIGITS + 1)} needed=(1)", "expected a whole number, like 5, not"),
        ("whole=3,4 needed=(1)", "at character 8: expected a space or the end, not ','"),
        (
            "whole=3 needed=(1) nought=3",
            "word 3, 'nought=3', at character 20: expected one of whole=, needed=, truth=, ",
        ),
        ("whole=3 needed=(1) truth", "at character 20: expected one of whole=, needed=, truth="),
        ("whole=3 needed=(1) whole=3", "word 3, 'whole=3', at character 20: whole is given twice"),
        (
            "whole=3 needed=(1,seat=1)",
            "word 2, 'needed=(1,seat=1)', at character 19: seat is given",
        ),
        ("whole=3 needed=(1) truth=yes", "expected one of false, true, not 'yes'"),
        ("whole=3 needed=(1) tone=mid", "expected one of low, high, not 'mid'"),
        ("whole=3 needed=(1) way=over", "expected one of OVER, UNDER, not 'over'"),
        ("whole=3 needed=(1) card=XS", "expected a card, like KS, or ??, not 'XS'"),
        ("whole=3 needed=(1) card=", "expected a card, like KS, or ??, not the end"),
        ("whole=3 needed=(1) share=1/0", "expected a fraction, like 3/7, not '1/0'"),
        ("whole=3 needed=(1) share=1/-0", "expected a fraction, like 3/7, not '1/-0'"),
        ("whole=3 needed=(1) share=0.5", "expected a fraction, like 3/7, not '0.5'"),
        ("whole=3 needed=(1) text=9/6", 'expected a word, or a text like "full house", not'),
        ('whole=3 needed=(1) text="open', "expected a word, or a text like"),
        ('whole=3 needed=(1) text="\\x41"', "expected a word, or a text like"),
        ('whole=3 needed=(1) text="\\U00110000"', "expected a word, or a text like"),
        (
            "whole=3 needed=(1) text=\u202e",
            r"at character 25: the character '\u202e' is not allowed in a line",
        ),
        ("whole=3\nneeded=(1)", r"at character 8: the character '\n' is not allowed in a line"),
        ("whole=3\tneeded=(1)", r"the character '\t' is not allowed in a line"),
        ("whole=3 needed=1", "at character 16: expected Part in brackets, not '1'"),
        ("whole=3 needed=(1", "at character 18: expected a comma or the closing bracket, not"),
        ("whole=3 needed=(1))", "at character 19: expected a space or the end, not ')'"),
        ("whole=3 needed=(1,)", "expected one of seat=, cards=, tone=, not ')'"),
        ("whole=3 needed=(1,2)", "expected one of seat=, cards=, tone=, not '2'"),
        (
            "whole=3 needed=(cards=(KS))",
            "word 2, 'needed=(cards=(KS))', at character 16: Part needs",
        ),
        ("whole=3 needed=(1,cards=KS)", "expected a list in brackets, not 'KS'"),
        ("whole=3 needed=(1) hands=KS", "expected a list in brackets, not 'KS'"),
        ("whole=3 needed=(1) hands=(KS),", "expected a list in brackets, not the end"),
        ("whole=3 needed=(1) hands=(KS)(QS)", "expected a comma, not '('"),
        ("whole=3 needed=(1) pair=3", "at character 25: expected a list of 2, not 1"),
        ("whole=3 needed=(1) pair=3,low,low", "at character 25: expected a list of 2, not more"),
        ("whole=3 needed=(1) maybe=none", "expected a whole number, like 5, not 'none'"),
        ("whole=3 needed=" + "(" * 50_000, "expected a whole number, like 5, not '('"),
        ("x" * (LONGEST_NOTATION + 1), "a line has at most 100,000 characters, not 100,001"),
    ],
)
def test_error_names_the_refused_word_and_its_position(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=re.escape(why)):
        read_notation(text, Every)


@pytest.mark.parametrize(
    "text",
    [
        '"' + r"\"" * 49_990 + "\\",
        '"' * LONGEST_NOTATION,
        '"' + r"\"" * 49_990 + "\\\n",
        " " * LONGEST_NOTATION,
        "whole=1 hands=" + "()," * 33_000,
        'text="' + r"\u" * 49_990,
    ],
    ids=["marks", "texts", "line feed", "spaces", "hands", "escapes"],
)
def test_longest_invalid_position_lines_are_refused_quickly(text: str) -> None:
    """Each is one word or two: a word looked for anew from each of its marks would take minutes."""
    with pytest.raises(BadInput, match=r"^(word [12], .{,40}, at character \d+: |Every needs )"):
        read_notation(text, Every)


def test_value_that_a_struct_refuses_is_refused() -> None:
    with pytest.raises(
        BadInput, match="word 1, 'options=\\(credit=-5\\)', at character 9: the credit"
    ):
        read_notation("options=(credit=-5) credit=5", State)
    with pytest.raises(BadInput, match=r"^the credit must be 0 or more, not -5$"):
        read_notation("credit=-5", Options)


def test_error_message_contains_no_control_characters() -> None:
    with pytest.raises(BadInput) as refused:
        read_notation("whole=3 needed=(1) text=\x1b[2J\u202e", Every)
    assert str(refused.value).isprintable()


# ---- what has no form ------------------------------------------------------------------------


class Marks(Flag):
    ONE = 1
    TWO = 2


X = TypeVar("X")


class Floating(Struct, frozen=True):
    value: float = 0.5


class Listed(Struct, frozen=True):
    value: list[int] = field(default_factory=list)


class Either(Struct, frozen=True):
    value: int | str = 0


class Flagged(Struct, frozen=True):
    value: Marks = Marks.ONE


class Unsaid(Struct, frozen=True):
    value: X | None = None  # type: ignore[valid-type]


class Of(Struct, Generic[X], frozen=True):
    value: X


class Chain(Struct, frozen=True):
    next: Chain | None = None


@pytest.mark.parametrize(
    "value",
    [Floating(), Listed(), Either(), Flagged(), Unsaid(), Of(1), Chain(), 5, "text", None],
    ids=value_id,
)
def test_writing_or_reading_a_type_without_a_notation_raises_a_type_error(value: object) -> None:
    with pytest.raises(TypeError, match="cannot be written as a line"):
        write_notation(value)
    with pytest.raises(TypeError, match="cannot be written as a line"):
        read_notation("value=1", type(value))


class Derived(Part, frozen=True):
    pass


@pytest.mark.parametrize(
    "value",
    [
        Every(True, Part(Seat(1))),
        Every(0.0, Part(Seat(1))),  # type: ignore[arg-type]
        Every(0, Derived(Seat(1))),
        Every(0, Part(Seat(1)), truth=0),  # type: ignore[arg-type]
        Every(0, Part(Seat(1)), text=5),  # type: ignore[arg-type]
        Every(0, Part(Seat(1)), hands=[]),  # type: ignore[arg-type]
        Every(0, Part(Seat(1)), pair=(1,)),  # type: ignore[arg-type]
        Every(0, None),  # type: ignore[arg-type]
    ],
    ids=[
        "bool for int",
        "float for int",
        "subclass",
        "int for bool",
        "int for text",
        "list for tuple",
        "tuple too short",
        "None for a struct",
    ],
)
def test_value_of_a_wrong_type_raises_a_type_error(value: Every) -> None:
    with pytest.raises(TypeError):
        write_notation(value)


def test_value_too_long_for_a_line_is_refused() -> None:
    for long in (
        Every(10**MOST_DIGITS, Part(Seat(0))),
        Every(0, Part(Seat(0)), share=Fraction(1, 10**MOST_DIGITS)),
        Every(0, Part(Seat(0)), text="x y" * LONGEST_NOTATION),
    ):
        with pytest.raises(ValueError, match="at most"):
            write_notation(long)


def test_state_with_the_longest_pay_table_title_fits_in_position_notation(tmp_path: Path) -> None:
    path = tmp_path / f"{'x' * 240}.toml"
    path.write_text(f'title = "{"é" * 4_980}"\n[pays]\nFLUSH = 200_000\n')
    state = State(Options(5, load(str(path), tmp_path)), 5)
    assert read_notation(write_notation(state), State) == state


@given(st.text(st.sampled_from('(),= -"\\?0159KSHT_abcopis') | st.characters(), max_size=60))
def test_any_text_is_read_as_position_notation_or_refused(text: str) -> None:
    for kind in (Every, State, toys.State):
        with suppress(BadInput):
            read_notation(text, kind)


# ---- the document ----------------------------------------------------------------------------


def test_examples_in_the_document_are_read_and_written_back() -> None:
    """Each game has one, which reads, and is what is written of it."""
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    section = text.partition("\n## A state as a line of text\n")[2].partition("\n## ")[0]
    examples = dict(re.findall(r"^\* ([a-z0-9-]+): `(.+)`$", section, re.MULTILINE))
    assert list(examples) == [listing.slug for listing in GAMES]
    for listing in GAMES:
        game = listing.definition().game
        line = examples[listing.slug]
        assert len(line) < 300
        assert write_notation(read_notation(line, type(game.start(game.Options())))) == line
