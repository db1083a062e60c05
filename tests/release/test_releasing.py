"""The files and targets that the page on releasing names exist."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.release.packages import ROOT
from tests.share.write import released
from tui_casino import __version__


@pytest.mark.parametrize("page", ["docs/releasing.md", "CONTRIBUTING.md"])
def test_make_targets_named_in_the_documents_exist(page: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = set(re.findall(r"`make ([a-z-]+)", (ROOT / page).read_text(encoding="utf-8")))
    assert "compat" in told
    assert told <= targets


def test_version_number_is_the_same_in_project_program_and_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", changes, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert headings[1] == f"{__version__} ({released()})"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", released())
