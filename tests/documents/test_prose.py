"""The checker of the project's English: its patterns, and the texts that it reads."""

from __future__ import annotations

import pytest

from tests import prose

RULES = prose.read_rules()
MODULE = '''"""Told of."""
# The first line
# and the second.
X = 1
"""A number."""


def f(x: str) -> str:
    """Return ``told of`` a word."""
    return "SELECT a from b where c" if x else f"the word {x} is long"
'''


@pytest.mark.parametrize("pattern", RULES.patterns, ids=lambda pattern: pattern.name)
def test_prose_pattern_matches_its_bad_example_and_none_the_good_one(
    pattern: prose.Pattern,
) -> None:
    for kind in pattern.kinds:
        assert pattern.match(prose.Text(kind, "x.md", 1, pattern.bad))
        good = prose.Text(kind, "x.md", 1, pattern.good)
        assert not [other.name for other in RULES.patterns if other.match(good)]


def test_prose_check_skips_code_tables_and_headings_of_a_document() -> None:
    source = (
        "# What it is\n\n| a | b |\n\nIt is told of\nin `told of it` here. Is it so?\n\n"
        "* A [short\n  item](x.md) here\n"
    )
    read = [(text.line, text.words) for text in prose.document_sentences("x.md", source)]
    assert read == [(5, "It is told of in `x` here."), (8, "A short item here")]


def test_prose_check_skips_fenced_code_of_a_document() -> None:
    source = "A sentence of words.\n```text\nWhat is told of it\n```\nAnother sentence of words."
    assert [x.line for x in prose.document_sentences("x.md", source)] == [1, 5]


def test_prose_check_reads_docstrings_texts_and_comments_of_a_module() -> None:
    read = {(text.kind, text.line, text.words) for text in prose.code_texts("x.py", MODULE)}
    assert read == {
        ("docstring", 1, "Told of."),
        ("docstring", 5, "A number."),
        ("docstring", 9, "Return `x` a word."),
        ("text", 10, "the word {…} is long"),
        ("comment", 2, "The first line and the second."),
    }


def test_prose_check_skips_examples_and_literal_blocks_of_docstrings() -> None:
    source = '''"""Add a number.

    >>> told(of)
    anew

    A file has keys, such as::

        anew = 1  # what is told of

    The last words.
    """
'''
    (text,) = prose.code_texts("x.py", source)
    assert text.words == "Add a number. A file has keys, such as:: The last words."


def test_prose_check_skips_notes_for_tools_in_comments() -> None:
    source = "import a  # late: loads numpy\nimport b  # noqa: F401 - it registers\n"
    assert [x.words for x in prose.code_texts("x.py", source)] == ["loads numpy", "it registers"]


@pytest.mark.parametrize(
    "statement",
    [
        "select log, closed from sitting where id = ?",
        "insert or replace into purse values (?, ?)",
        "update purse set cents = ? where player = ?",
        "create unique index one on sitting (log)",
        "lock table sitting, purse in exclusive mode",
    ],
)
def test_prose_check_skips_sql_statements(statement: str) -> None:
    assert not [*prose.code_texts("x.py", f"X = {statement!r}")]


def test_prose_check_reads_an_english_sentence_that_begins_like_sql() -> None:
    (text,) = prose.code_texts("x.py", "X = 'update the program and select a game'")
    assert text.words == "update the program and select a game"


def test_prose_match_is_reported_unless_a_listed_exception_covers_it() -> None:
    texts = [prose.Text("document", "docs/x.md", 7, "It is dealt anew.")]
    (line,) = prose.problems(prose.Rules(RULES.patterns), texts)
    assert line.startswith("docs/x.md:7: anew: write again, new\n")
    excepted = prose.Allowed("docs/*.md", "dealt anew", "a quotation", ("anew",))
    assert not [*prose.problems(prose.Rules(RULES.patterns, (excepted,)), texts)]


def test_prose_exception_that_matches_nothing_is_reported() -> None:
    excepted = prose.Allowed("docs/*.md", "dealt anew", "a quotation")
    (line,) = prose.problems(prose.Rules(RULES.patterns, (excepted,)), [])
    assert line == "prose.toml: no text needs the exception for docs/*.md ('dealt anew')"


def test_every_prose_exception_has_a_reason_and_known_patterns() -> None:
    names = {pattern.name for pattern in RULES.patterns}
    for one in RULES.exceptions:
        assert len(one.reason.split()) > 2
        assert {*one.patterns} <= names


def test_prose_check_reads_printed_lines_once_and_without_frames() -> None:
    shown = "| Deal | or bet more |   Type more for 3 more.\nType more for 3 more.\n"
    screen = f"{shown}{'-' * 40}\nstyles of the screen\n"
    read = [(text.line, text.words) for text in prose.printed_lines("x.txt", screen)]
    assert read == [(1, "or bet more"), (1, "Type more for 3 more.")]


def test_prose_check_reads_golden_screen_reader_and_snapshot_output() -> None:
    printed = [*prose.printed_texts()]
    for folder in ("tests/golden/", "docs/screen-reader/", "tests/tui/snapshots/"):
        assert any(text.path.startswith(folder) for text in printed)
    assert any(text.words == "The trainer is on." for text in printed)


def test_missing_space_in_a_printed_line_is_reported() -> None:
    texts = [*prose.printed_lines("x.txt", "and 26 otherswith a lower EV\n")]
    assert len([*prose.problems(prose.Rules(RULES.patterns), texts)]) == 1


def test_prose_check_reports_no_problem_in_texts_and_printed_lines() -> None:
    assert not [*prose.problems(RULES, [*prose.all_texts()])]
