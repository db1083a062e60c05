"""What the page on releasing says is there."""

from __future__ import annotations

import re

import pytest

from tests.release.packages import ROOT


@pytest.mark.parametrize("page", ["docs/releasing.md", "CONTRIBUTING.md"])
def test_what_it_tells_to_make_can_be_made(page: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = set(re.findall(r"`make ([a-z-]+)", (ROOT / page).read_text(encoding="utf-8")))
    assert "compat" in told
    assert told <= targets
