"""The list of changes is short, sorted into three kinds, and has one fact per line."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ["Added", "Changed", "Fixed"]
MOST_WORDS = 20


def entries() -> list[str]:
    """Return the entries of all versions, without their bullets."""
    return re.findall(r"^\* (.+)$", PAGE, re.MULTILINE)


def test_changelog_lists_changes_of_each_version_by_kind_in_fixed_order() -> None:
    versions = PAGE.split("\n## ")[1:]
    assert len(versions) > 1
    for version in versions:
        title, *lines = version.splitlines()
        kinds = [line.removeprefix("### ") for line in lines if line.startswith("### ")]
        assert kinds == [kind for kind in KINDS if kind in kinds], title
        if title != "Unreleased":
            assert kinds, title
        others = [line for line in lines if line and not line.startswith(("### ", "* "))]
        assert not others, f"{title}: an entry is one line"


def test_no_changelog_entry_has_more_than_twenty_words() -> None:
    long = [entry for entry in entries() if len(entry.split()) > MOST_WORDS]
    assert not long


def test_list_of_each_version_is_short_enough_to_be_read() -> None:
    versions = [version.count("\n* ") for version in PAGE.split("\n## ")[1:]]
    assert sum(versions) == len(entries())
    assert max(versions) <= 60


def test_each_entry_is_one_sentence_and_listed_once() -> None:
    assert not [entry for entry in entries() if not entry.endswith(".")]
    assert not [entry for entry in entries() if re.search(r"[a-z)`%][.] [A-Z]", entry)]
    assert len(set(entries())) == len(entries())
