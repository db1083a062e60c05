"""The recordings of the games in an emulator and in asciinema's own player; the moving picture."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.helpers.external_programs import missing, program_path
from tests.records.test_asciicast import events, played_back
from tui_casino.gamekit.registry import GAMES, GameListing

PAGE = Path(__file__).with_name("asciinema_player.mjs")
SCREENSHOTS = Path(__file__).parents[2] / "screenshots"
PLAYER = Path(os.environ.get("ASCIINEMA_PLAYER", Path(sys.prefix) / "player"))
"""Where ``npm install --prefix`` has put asciinema-player and jsdom."""
MOST = 64 << 10
MOST_OF_A_PICTURE = 400 << 10
DRAWN = re.compile("[\u2580-\u259f\u25e2-\u25e5\ue0b0-\ue0b3]")
"""What the player draws itself, and leaves out of its text."""


@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_readme_recording_ends_at_the_table_of_its_game(listing: GameListing) -> None:
    path = SCREENSHOTS / f"{listing.slug}.cast"
    header, told = events(path)
    assert header["version"] == 3
    assert "timestamp" not in header, "or every run would make another file"
    assert told[-1][1:] == ("x", "0")
    assert not [text for _, _, text in told if "\x1b]" in text or "\x1bP" in text]
    assert path.stat().st_size <= MOST
    shown = played_back(path)
    assert listing.title.upper() in shown.splitlines()[0]
    assert "Esc Leave" in shown


@pytest.mark.prove
@pytest.mark.parametrize("path", sorted(SCREENSHOTS.glob("*.cast")), ids=lambda path: path.stem)
def test_asciinema_player_and_emulator_show_the_same(path: Path) -> None:
    if not (PLAYER / "node_modules" / "asciinema-player").is_dir():
        missing("asciinema-player", f"npm install --prefix {PLAYER} asciinema-player jsdom")
    ran = subprocess.run(
        [program_path("node"), str(PAGE), str(PLAYER), str(path)],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    shown = [DRAWN.sub(" ", line).rstrip() for line in played_back(path).splitlines()]
    assert [line.rstrip() for line in ran.stdout.split("\n")[: len(shown)]] == shown


# ---- the moving picture --------------------------------------------------------------------------

TOUR, PICTURE = SCREENSHOTS / "tour.cast", SCREENSHOTS / "tour.svg"
SVG = "{http://www.w3.org/2000/svg}"


def test_animated_tour_picture_equals_the_output_of_its_script() -> None:
    script = SCREENSHOTS / "animation.py"
    made = subprocess.run([sys.executable, script, TOUR], capture_output=True, check=True).stdout
    assert made == PICTURE.read_bytes(), "make screenshots"


def test_animated_tour_picture_has_no_script_and_no_external_file() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert len(text.encode()) <= MOST_OF_A_PICTURE
    assert {part.tag for part in ElementTree.fromstring(text).iter()} <= {
        f"{SVG}{name}"
        for name in ("svg", "title", "style", "defs", "g", "use", "rect", "path", "text", "tspan")
    }
    assert set(re.findall(r'href="(.)', text)) == {"#"}
    assert not re.search(r"@import|url\(|@font-face", text)


def test_animated_tour_picture_shows_one_frame_at_a_time() -> None:
    _, told = events(TOUR)
    text = PICTURE.read_text(encoding="utf-8")
    assert f".f{{animation:{sum(wait for wait, _, _ in told):g}s step-end infinite}}" in text
    steps = [
        [
            (float(percent), how)
            for percent, how in re.findall(r"([\d.]+)%{visibility:(\w+)}", frame)
        ]
        for frame in re.findall(r"@keyframes k\d+{(.*?})}", text)
    ]
    assert len(steps) == text.count('class="f"') > 5
    visible: list[list[int]] = []
    for moment in range(1000):  # thousandths of the whole
        last = [[how for percent, how in every if percent * 10 <= moment][-1] for every in steps]
        shown = [frame for frame, how in enumerate(last) if how == "visible"]
        if shown not in visible:
            visible.append(shown)
    assert visible == [[frame] for frame in range(len(steps))]


def test_tour_picture_with_reduced_motion_stands_still_at_the_best_holds() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert "@media (prefers-reduced-motion:reduce){.f.f{animation:none}}" in text
    groups = [*ElementTree.fromstring(text).iter(f"{SVG}g")]
    frames = [group for group in groups if group.get("class") == "f"]
    [still] = [frame for frame in frames if frame.get("visibility") != "hidden"]
    rows = {group.get("id"): "".join(group.itertext()) for group in groups}
    shown = "".join(rows[use.attrib["href"][1:]] for use in still.iter(f"{SVG}use"))
    assert "BEST HOLDS" in shown
    assert "cost" in shown
