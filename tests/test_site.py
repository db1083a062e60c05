"""The site's navigation: zensical reports broken links and anchors, but not missing pages."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SITE = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]


def paths(entries: list[Any]) -> Iterator[str]:
    """Yield the pages of a navigation, in order."""
    for entry in entries:
        for target in entry.values() if isinstance(entry, dict) else [entry]:
            if isinstance(target, str):
                yield target
            else:
                yield from paths(target)


def test_every_page_is_in_the_navigation_once() -> None:
    pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    pages += [page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert sorted(paths(SITE["nav"])) == sorted(pages)


def test_the_site_loads_no_font_from_another_server() -> None:
    assert SITE["theme"]["font"] is False
