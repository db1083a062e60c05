"""The site: every page is in its navigation, and a broken link or anchor fails its build."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from tests.helpers.external_programs import missing

ROOT = Path(__file__).parents[2]
SITE = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]


def paths(entries: list[Any]) -> Iterator[str]:
    """Yield the pages of a navigation, in order."""
    for entry in entries:
        for target in entry.values() if isinstance(entry, dict) else [entry]:
            if isinstance(target, str):
                yield target
            else:
                yield from paths(target)


def test_every_documentation_page_is_in_the_site_navigation_once() -> None:
    pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    pages += [page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert sorted(paths(SITE["nav"])) == sorted(pages)


def test_documentation_site_loads_no_font_from_another_server() -> None:
    assert SITE["theme"]["font"] is False


@pytest.mark.prove
@pytest.mark.parametrize(
    ("link", "built"),
    [
        ("docs/a.md", True),
        ("docs/a.md#it-is-5-a--b", True),  # GitHub's anchor
        ("docs/b.md", False),
        ("docs/a.md#b", False),
        ("#b", False),
    ],
    ids=["page", "anchor", "broken page", "broken anchor", "broken anchor of the same page"],
)
def test_broken_link_or_anchor_fails_the_build_of_the_documentation_site(
    link: str, built: bool, tmp_path: Path
) -> None:
    zensical = Path(sys.executable).with_name("zensical")
    if not zensical.exists():
        missing("zensical", "pip install '.[docs]'")
    copy(ROOT / "zensical.toml", tmp_path)
    source = tmp_path / SITE["docs_dir"]
    (source / "docs").mkdir(parents=True)
    (source / "README.md").write_text(f"# Title\n\nSee [this]({link}).\n")
    (source / "docs" / "a.md").write_text("# Page\n\n## It is 5%: a & b\n")
    command = [str(zensical), "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == built, done.stdout + done.stderr
    assert (tmp_path / SITE["site_dir"] / "docs" / "a" / "index.html").exists() or not built
