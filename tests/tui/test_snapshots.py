"""Every screen looks as it did; and what must be so on any of them."""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path

import pytest
from msgspec import Struct
from rich.color import ColorSystem

from tests.helpers.screen_walks import ASCII, LOOKS, SMALL, UNICODE, Trip
from tests.tui.snapshots import FOLDER, TRIPS, pictures
from tests.tui.test_themes import contrast
from tui_casino.gamekit.registry import GAMES
from tui_casino.games.video_poker.machine.paytables import DEFAULT, load
from tui_casino.tui.terminal.detection import ColourDepth
from tui_casino.tui.theme import Palette, theme_for

OPEN = {"before-bet", "bet-chosen", "dealing", "first-finish", "holding", "lost", "menu"}
OPEN |= {
    "advice",
    "bets",
    "coup",
    "crib",
    "discarding",
    "game",
    "play",
    "tie",
    "roads",
    "too-small",
    "typing",
    "warned",
    "won",
}
"""Scenes without a window, behind which everything is dimmed."""
# what the console of Linux shows of code page 437, control characters' pictures included
CP437 = {bytes([code]).decode("cp437") for code in range(32, 256)} | {
    *"☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←"
}
CP437 |= {*"▶◀"}  # its font map has them for ► and ◄


class Kept(Struct, frozen=True):
    """A picture as it is kept."""

    path: Path

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def scene(self) -> str:
        return self._parts[0]

    @property
    def size(self) -> tuple[int, int]:
        return int(self._parts[1]), int(self._parts[2])

    @property
    def look(self) -> str:
        return self._parts[3]

    @property
    def _parts(self) -> tuple[str, ...]:
        names = re.fullmatch(r"(.+?)-(\d+)x(\d+)-(.+)", self.path.stem)
        assert names, self.path
        return names.groups()

    @property
    def _lines(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").split("\n")

    @property
    def text(self) -> list[str]:
        return self._lines[: self.size[1]]

    @property
    def styles(self) -> list[str]:
        return self._lines[self.size[1] + 1 : 2 * self.size[1] + 1]

    @property
    def legend(self) -> dict[str, str]:
        return {line[0]: line[2:] for line in self._lines[2 * self.size[1] + 2 :] if line}

    @property
    def palette(self) -> Palette:
        return theme_for(LOOKS[self.look], None)


KEPT = [Kept(path) for path in sorted(FOLDER.glob("*/*.txt"))]
AT_80 = [kept for kept in KEPT if kept.size == (80, 24) and kept.path.parent.name == "video-poker"]


IN_EVERY_SHAPE = {"house", GAMES[0].slug}


def as_proof(trip: Trip) -> bool:
    """Tell whether ``make prove`` alone goes on a trip.

    Every shape is tried always by the house and by one game; the others go through the usual
    one, and through larger, smaller and plainer ones as proof.
    """
    return trip.folder not in IN_EVERY_SHAPE and (trip.look != UNICODE or trip.size != SMALL)


@pytest.mark.parametrize(
    "trip",
    [
        pytest.param(trip, id=trip.name, marks=[pytest.mark.prove] if as_proof(trip) else [])
        for trip in TRIPS
    ],
)
async def test_screens_of_a_walk_equal_their_snapshots(trip: Trip, tmp_path: Path) -> None:
    """After a change that is meant: ``python -m tests.tui.snapshots``, then read the diff."""
    changed: list[str] = []
    taken = await pictures(trip, tmp_path)
    for path, text in taken.items():
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        changed += unified_diff(before.split("\n"), text.split("\n"), str(path), "now", "", "", 2)
    assert not changed, "\n".join(changed)
    width, height = trip.size
    kept = {*(FOLDER / trip.folder).glob(f"*-{width}x{height}-{trip.look}.txt")}
    assert kept <= {*taken}, "pictures that nobody takes any more"


def test_snapshot_file_has_the_size_in_its_name() -> None:
    for kept in KEPT:
        width, height = kept.size
        assert len(kept.text) == len(kept.styles) == height, kept
        assert all(len(line) <= width for line in kept.text), kept
        assert all(len(line) == width for line in kept.styles), kept
        assert {letter for line in kept.styles for letter in line} == kept.legend.keys(), kept


@pytest.mark.parametrize(
    ("look", "glyphs"), [(ASCII, {*map(chr, range(127))}), ("cp437", CP437)], ids=["ascii", "cp437"]
)
def test_snapshots_contain_only_the_glyphs_of_their_look(look: str, glyphs: set[str]) -> None:
    strangers = {
        str(kept): names
        for kept in KEPT
        if kept.look == look and (names := {c for line in kept.text for c in line} - glyphs)
    }
    assert not strangers


def test_windows_on_all_snapshots_have_a_right_edge() -> None:
    top = re.compile(r"(?:╭─|\+-) (?!CREDIT|LAST|BET|PAY TABLE)[A-Z][\w ]*? [─-]{2,}(.?)")
    broken = [
        str(kept)
        for kept in KEPT
        for line in kept.text
        if (names := top.search(line)) and names[1] not in {*"╮+"}
    ]
    assert not broken


def test_text_on_all_snapshots_is_readable() -> None:
    """Letters and figures stand out from what they stand on, wherever no window dims them."""
    faint: dict[str, str] = {}
    for kept in KEPT:
        if kept.scene not in OPEN or LOOKS[kept.look].colours in (
            ColourDepth.FEW,
            ColourDepth.NONE,
        ):
            continue
        many = LOOKS[kept.look].colours is ColourDepth.MANY
        system = ColorSystem.EIGHT_BIT if many else ColorSystem.TRUECOLOR
        for letter, style in kept.legend.items():
            ink, _, rest = style.partition(" on ")
            inked = any(
                mark == letter and character.isalnum()
                for line, marks in zip(kept.text, kept.styles, strict=True)
                for character, mark in zip(line, marks, strict=False)
            )
            if ink and inked:
                one, other = (getattr(kept.palette, n, n) for n in (ink, rest.split()[0]))
                enough = 3 if ink == "faint" else 4.5  # it names what cannot be done now
                if contrast(one, other, system) < enough:
                    faint.setdefault(style, str(kept))
    assert not faint


@pytest.mark.parametrize("kept", [kept for kept in AT_80 if kept.scene in OPEN], ids=str)
def test_screen_of_80x24_shows_everything_at_video_poker(kept: Kept) -> None:
    lines = kept.text
    for row, line in zip(load(DEFAULT).rows, lines[1:12], strict=True):
        assert line[:55].strip(" ▶◀►◄<>").split() == [
            *row.name.split(),
            *(f"{pay:,}" for pay in row.pays),
        ]
    assert lines[12].strip() or kept.scene == "dealing", "a message"
    for edge in lines[13], lines[19]:
        assert [len(card) for card in re.split(r"(?<=\S) (?=\S)", edge[:50].strip())] == [9] * 5
    label = r"\[\d\]|HELD|WIN"
    if kept.scene in ("holding", "typing", "warned"):
        assert len(re.findall(label, lines[20])) == 5
    if kept.scene == "won":
        assert lines[20].split() == ["WIN"] * 4, "two pair; the kicker wins nothing"
    trained = kept.scene not in ("before-bet", "holding", "won")
    assert ("BEST HOLDS" if trained and kept.scene != "dealing" else "LAST HANDS") in lines[13]
    assert re.search(r"CREDIT [\d,]+ +BET \d +LAST ROUND ([+−-]?\d+|[–-])", lines[21])
    assert (": h 2" if kept.scene == "typing" else "space  ") in lines[22]
    assert " Help" in lines[23]


BACCARAT_AT_80 = [
    kept for kept in KEPT if kept.size == (80, 24) and kept.path.parent.name == "baccarat"
]


@pytest.mark.parametrize("kept", [kept for kept in BACCARAT_AT_80 if kept.scene in OPEN], ids=str)
def test_screen_of_80x24_shows_everything_at_baccarat(kept: Kept) -> None:
    lines = kept.text
    assert re.search(r"PLAYER.*BANKER", lines[2])
    assert re.match(r"[█|│] 1 Player .* 5 B pair ", lines[5])
    assert re.match(r".{15} 2 Banker  +3 Tie  +4 P pair ", lines[7])
    assert lines[10].strip() or kept.scene == "dealing", "a message"
    assert re.match(r" BEAD PLATE +BIG ROAD", lines[11])
    roads = "\n".join(lines[11:21])
    assert all(road in roads for road in ("EYE", "SMALL", "ROACH"))
    assert re.search(r"CREDIT [\d,.]+ +BET \d+ +CHIP \d+ +LAST ROUND", lines[21])
    assert re.match(r" [›>:!] ", lines[22])
    assert " Help" in lines[23]


def test_help_and_statistics_snapshots_show_the_end_or_the_best_and_worst() -> None:
    ends = {
        "house/help": ("mouse.", "with the same cards."),
        "house/statistics": ("No finished session", "1 session is not finished"),
        "records/statistics": ("worst round",),
        "video-poker/help": ("Deal for 5", "Leave", "get five cards", "others are"),
    }
    missing = [
        (str(kept), end)
        for kept in KEPT
        for end in ends.get(f"{kept.path.parent.name}/{kept.scene}", ())
        if kept.size[0] >= 80 and end not in "\n".join(kept.text)
    ]
    assert not missing
