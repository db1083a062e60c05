"""Colours of pages of figures: what is a heading, a name, a figure, a key."""

from __future__ import annotations

import pytest
from textual.content import Content

from tests.helpers.parameter_ids import value_id
from tui_casino.tui.draw.report_style import BAD, GOOD, HEADING, NAME, PLOT, RULE, style_report


def pieces(text: str, row: int) -> dict[str, str]:
    """Return the styled parts of a row: text to style."""
    line: Content = style_report(text).split("\n")[row]
    return {line.plain[span.start : span.end].strip(): str(span.style) for span in line.spans}


PAGE = """\
Outcome          coups     share
--------------------------------
Banker               2    50.00%
net              −5.00   +12.00
Expected: for coups from a full shoe

BANKROLL
  995 ⠒⠒⠒⠊⠉"""


def test_headings_names_and_amounts_in_a_report_are_coloured() -> None:
    assert pieces(PAGE, 0) == {"Outcome          coups     share": HEADING}
    assert pieces(PAGE, 1) == {"─" * 32: RULE}
    assert pieces(PAGE, 2) == {"Banker": NAME}
    assert pieces(PAGE, 3) == {"net": NAME, "−5.00": BAD, "+12.00": GOOD}
    assert pieces(PAGE, 4) == {}
    assert pieces(PAGE, 6) == {"BANKROLL": HEADING}
    assert pieces(PAGE, 7) == {"995": NAME, "⠒⠒⠒⠊⠉": PLOT}


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("1-5    Hold           F1 ?    Help", ["1-5", "F1 ?"]),
        ("  h 1 3  hold cards 1 and 3", ["h 1 3"]),
        ("  up, down     scroll", ["up, down"]),
        ("No keys in this sentence.", []),
        ("  Esc    back", ["Esc"]),
    ],
    ids=value_id,
)
def test_keys_in_a_report_are_coloured_as_headings(line: str, keys: list[str]) -> None:
    assert pieces(line, 0) == dict.fromkeys(keys, HEADING)


def test_colouring_a_report_keeps_its_characters() -> None:
    assert style_report(PAGE, ascii_only=True).plain == PAGE
    assert style_report(PAGE).plain.replace("─", "-") == PAGE
