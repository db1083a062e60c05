"""Stars and names of logs: stored next to the logs, which never change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui_casino.inputs.files import BadFile
from tui_casino.records.log_catalog import LABEL_FILE_NAME, NO_LABEL, LabelFile, LogLabel
from tui_casino.records.log_header import LONGEST_NAME


def test_star_and_name_of_a_log_are_stored_and_removed(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("a log\n")
    labels = LabelFile(tmp_path)
    labels.star(first)
    labels.rename(first, "  the long one\x1b[2J ")
    labels.rename(second, "x" * 100)
    again = LabelFile(tmp_path)
    assert again.label_of(first) == LogLabel(True, "the long one[2J"), (
        "no letter that moves the cursor"
    )
    assert again.label_of(second) == LogLabel(False, "x" * LONGEST_NAME)
    again.star(first)
    again.rename(first, "")
    again.rename(second, "")
    assert LabelFile(tmp_path).label_of(first) is NO_LABEL
    assert (tmp_path / LABEL_FILE_NAME).read_text() == '{"labels":{}}\n'
    assert first.read_text() == "a log\n"


def test_unreadable_or_unwritable_label_file_is_reported(tmp_path: Path) -> None:
    labels = LabelFile(tmp_path / "gone")
    with pytest.raises(BadFile, match="cannot be written"):
        labels.star(tmp_path / "a.jsonl")
    assert labels.label_of(tmp_path / "a.jsonl") is NO_LABEL, "what is not kept is not shown"
    (tmp_path / LABEL_FILE_NAME).write_text("[1, 2]")
    with pytest.raises(BadFile, match="cannot be read"):
        LabelFile(tmp_path)
