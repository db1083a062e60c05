"""Foreign text in every field of every format: it is shown, and never obeyed.

``make prove`` throws 100,000 of such files, names and words at the program, in this process.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tests.fuzz.test_files import COMMANDS, DECK, debug
from tests.fuzz.test_logs import chained
from tests.golden.write import golden
from tests.helpers import hostile_texts
from tests.helpers.command_runner import repeatable, run
from tui_casino.cli.help_texts import shown_name
from tui_casino.gamekit.registry import DEFINITIONS, GAMES
from tui_casino.games.cribbage.face.original_trainer_files import read_properties
from tui_casino.games.video_poker.face.words import pays_of
from tui_casino.games.video_poker.machine.paytables import load as load_paytable
from tui_casino.house.settings import load as load_settings
from tui_casino.house.visit_state import VisitState
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import read_deck, read_words
from tui_casino.records import playback
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import CatalogEntry, LabelFile, make_entry
from tui_casino.records.playback import Playback, ReplayMark
from tui_casino.records.summaries import REVIEW_FAILED, review_logs
from tui_casino.tui.draw.segments import join_pieces
from tui_casino.tui.history.log_list import COLUMNS, LogRow, search_text
from tui_casino.tui.terminal.detection import GlyphSet
from tui_casino.tui.terminal.output import PRINTABLE_FILTER
from tui_casino.tui.widgets.key_names import unknown_ids
from tui_casino.tui.widgets.title_bar import make_notice

SHORT = 9
"""Steps of the logs: what the header and the end bring is what matters here."""
OLD = DECK.parent.parent / "old-logs"
PROPERTIES = DECK.parent.parent / "cribbage" / "cribbage.properties"
NULL = Style.null()


def paint(text: str) -> None:
    """Only plain text reaches the cells, from every widget."""
    for segments in (
        join_pieces([(text, NULL)], 60, GlyphSet.UNICODE)._segments,
        [Segment(text, NULL)],
    ):
        wide = sum(segment.cell_length for segment in segments)
        painted = PRINTABLE_FILTER.apply(segments, Color(0, 0, 0))
        assert all(segment.text.isprintable() for segment in painted), repr(text)
        assert sum(segment.cell_length for segment in painted) == wide, repr(text)


def refused(read: Callable[[], object]) -> str:
    """Give what is said to a file, nothing if it is read."""
    try:
        read()
    except BadInput as error:
        hostile_texts.check_line(str(error))
        paint(str(error))
        return str(error)
    return ""


# ---- settings, pay tables, cards, commands, properties ------------------------------------------

SETTINGS = (
    ("theme", "card_style", "name", "animation", "four_colour", "keys", "other"),
    ("game.help", "game.step_back", "nothing", "menu.word"),
)


def toml_text(random: Random, poison: str) -> str:
    """Write a text as TOML: escaped, or as it is, which may be no TOML."""
    if random.random() < 0.2:
        return f'"{poison}"'
    return '"' + "".join(f"\\U{ord(c):08x}" if c in '"\\' or c < " " else c for c in poison) + '"'


def settings(random: Random, folder: Path) -> None:
    path, poison = folder / "settings.toml", hostile_texts.text(random, lone=False)
    value = toml_text(random, poison)
    match random.randrange(5):
        case 0:
            made = f"{random.choice(SETTINGS[0])} = {value}\n"
        case 1:
            made = f'name = "Ann"\n[keys]\n{random.choice(SETTINGS[1])} = {value}\n'
        case 2:
            made = f'[keys]\n{value} = "f1"\n'
        case 3:
            made = f"{value} = 1\n"
        case _:
            made = f"# {poison}\nname = 1\n"
    path.write_bytes(made.encode("utf-8", "surrogatepass"))
    found: list[Any] = []
    if not refused(lambda: found.append(load_settings(path))):
        for said in (found[0].name, *unknown_ids(found[0].keys, ())):
            assert make_notice(said, "Settings").text.isprintable()
            paint(said)


def paytable(random: Random, folder: Path) -> None:
    path, value = folder / "table.toml", toml_text(random, hostile_texts.text(random, lone=False))
    title, row, pay = '"Mine"', '"FLUSH"', "5"
    match random.randrange(3):
        case 0:
            title = value
        case 1:
            row = value
        case _:
            pay = value
    path.write_text(f"title = {title}\n[pays]\n{row} = {pay}\n", "utf-8", "surrogatepass")
    found: list[Any] = []
    if not refused(lambda: found.append(load_paytable(str(path), folder))):
        hostile_texts.check_text(pays_of(found[0]))
        paint(found[0].title)


def cards(random: Random, folder: Path) -> None:
    path, good = folder / "cards.txt", DECK.read_text().split()
    good[random.randrange(len(good))] = hostile_texts.text(random)
    path.write_bytes(random.choice((" ", "\n")).join(good).encode("utf-8", "surrogatepass"))
    refused(lambda: read_deck(path))
    refused(lambda: read_words(path))


def commands(random: Random, folder: Path) -> None:
    path, good = folder / "commands.txt", COMMANDS.read_text().split()[:12]
    good.insert(random.randrange(len(good) + 1), hostile_texts.word(random))
    path.write_bytes(" ".join(good).encode("utf-8", "surrogatepass"))
    hostile_texts.check_harmless(run(debug(commands=str(path))))


def properties(random: Random, folder: Path) -> None:
    path, good = folder / "x.properties", PROPERTIES.read_text().splitlines()
    key, value = hostile_texts.text(random), hostile_texts.text(random)
    good += [random.choice((f"{key}=1", f"seed={value}", f"player0 = {value}", key))]
    path.write_bytes("\n".join(good).encode("utf-8", "surrogatepass"))
    refused(lambda: read_properties(path))


# ---- logs, and what stands beside them ----------------------------------------------------------


@cache
def good_logs() -> tuple[bytes, ...]:
    """Give a log of each game, and those of older formats."""
    paths = [*(golden(listing).log for listing in GAMES), *sorted(OLD.glob("*.jsonl"))]
    return tuple(path.read_bytes() for path in paths)


@cache
def short_logs() -> tuple[bytes, ...]:
    logs = []
    for log in good_logs():
        first, *rest = log.splitlines()
        ends = [rest[-1]] if rest[-1].startswith(b'{"end"') else []
        logs.append(chained([first, *rest[: SHORT - 1], *ends]))
    return tuple(logs)


def hostile_log(random: Random) -> bytes:
    """Give a log with a text in one of its lines, most often in the first or the last."""
    lines = random.choice(short_logs()).splitlines()
    at = random.choice((0, 0, 0, -1, -1, random.randrange(len(lines))))
    document, poison = json.loads(lines[at]), hostile_texts.text(random)
    if at == 0 and random.random() < 0.4:
        document["parent"] = {"log": poison, "step": random.choice((0, 3, -5))}
    elif at == 0 and random.random() < 0.3:
        document[random.choice(("game", "program"))] = poison
    elif at == -1 and "end" in document and random.random() < 0.6:
        document["end"]["why"] = poison
    else:
        document = hostile_texts.planted(random, document, poison)
    lines[at] = hostile_texts.as_json(random, document)
    return chained(lines) if random.random() < 0.7 else b"\n".join([*lines, b""])


def replayed_logs(random: Random, folder: Path) -> None:
    path = folder / "log.jsonl"
    path.write_bytes(hostile_log(random))
    command = random.choice(
        (["replay"], ["replay", "--json"], ["replay", "--text"], ["replay", "--states"], ["verify"])
    )
    ran = run([*command, str(path)])
    hostile_texts.check_harmless(ran)
    if "--json" in command:
        for said in ran.out.splitlines():
            assert said.isascii()
            json.loads(said)


def logs_in_the_history(random: Random, folder: Path) -> None:
    path = folder / "log.jsonl"
    path.write_bytes(hostile_log(random))
    check_entry(make_entry(path, DEFINITIONS, {}))


def check_entry(found: CatalogEntry) -> None:
    for said in (found.game, found.reason, found.fault, *found.players, *found.notes):
        if said is not None:
            hostile_texts.check_line(said)
    for column in COLUMNS:
        paint(column.say(LogRow(found), 0)[0])
    search_text(LogRow(found))


def many_logs(random: Random, folder: Path) -> None:
    """A folder of logs, listed and summed up: a bad one spoils nothing but itself."""
    logs = fresh(folder / "many")
    listing = random.choice(GAMES)
    (logs / "good.jsonl").write_bytes(short_logs()[GAMES.index(listing)])
    for number in range(6):
        poison = hostile_texts.text(random, lone=False)[:60] + random.choice(("", "\udcff"))
        name = f"{poison}-{number}.jsonl".replace("/", "-").replace("\0", "-")
        path = logs / (name if len(os.fsencode(name)) < 200 else f"{number}")
        path.write_bytes(hostile_log(random))
    for command in (["logs"], ["logs", "--json"], ["verify"]):
        ran = run([*command, str(logs)])
        hostile_texts.check_harmless(ran)
        assert "good.jsonl" in ran.out
    for more in ([], ["--json"]):
        ran = run(["stats", "--log-dir", str(logs), *more])
        hostile_texts.check_harmless(ran)
        assert ran.code == 0
        assert REVIEW_FAILED not in ran.err, ran.err
        assert (listing.slug if more else shown_name(listing.slug)) in ran.out
        for asked in ("mistakes", "leaks"):
            ran = run([asked, "--log-dir", str(logs), *more])
            hostile_texts.check_harmless(ran)
            assert ran.code == 0
            assert REVIEW_FAILED not in ran.err, ran.err


def labels_and_visits(random: Random, folder: Path) -> None:
    """The stars and names of logs, and what is remembered of visits."""
    poison = hostile_texts.text(random)
    labels = {"labels": {"log.jsonl": {"star": True, "name": "mine"}}}
    (folder / "labels.json").write_bytes(
        hostile_texts.as_json(random, hostile_texts.planted(random, labels, poison))
    )
    found: list[LabelFile] = []
    if not refused(lambda: found.append(LabelFile(folder))):
        paint(found[0].label_of(folder / "log.jsonl").name)
    visits = {"shown_round": True, "tables": {"video-poker": "full-pay", "x": "y"}}
    (folder / "visits.json").write_bytes(
        hostile_texts.as_json(random, hostile_texts.planted(random, visits, poison))
    )
    paint(VisitState(folder / "visits.json").table("video-poker") or "")


ROWS = {
    "review": ("program", "log", "size", "changed", "value", "seal"),
    "frame": ("program", "log", "n", "offset", "digest", "state", "tally", "marks", "seal"),
}


@patch.object(playback, "FRAME_INTERVAL", 20)
def caches(random: Random, folder: Path) -> None:
    """Whatever the cache contains, only the contents of the log are shown."""
    log, path = folder / "kept" / "log.jsonl", folder / "kept" / "cache.db"
    if not log.exists():
        log.parent.mkdir()
        *steps, end = good_logs()[0].splitlines()
        log.write_bytes(chained([*steps[:70], end]))
    kept = Cache(path)
    with Playback(GAMES[0].definition(), log, kept) as found:
        list(found.index())
        right = found.moment_at(found.steps).state, found.next_mark(ReplayMark.ROUND, 1)
    reviewed = [*review_logs([make_entry(log, DEFINITIONS, {})], DEFINITIONS, kept, choices=True)]
    assert kept.frames(log)
    assert kept.reviews()
    for _ in range(20):
        table = random.choice((*ROWS,))
        poison = hostile_texts.text(random, lone=False)
        value = random.choice((poison, poison.encode(), random.randrange(-5, 10**6), None))
        with closing(sqlite3.connect(path)) as db, db, suppress(sqlite3.IntegrityError):
            db.execute(f"update {table} set {random.choice(ROWS[table])} = ?", (value,))
    with Playback(GAMES[0].definition(), log, Cache(path)) as again:
        assert again.fault is None
        assert (again.moment_at(again.steps).state, again.next_mark(ReplayMark.ROUND, 1)) == right
    assert [
        *review_logs([make_entry(log, DEFINITIONS, {})], DEFINITIONS, Cache(path), choices=True)
    ] == reviewed


# ---- names, options, typed words, recordings ----------------------------------------------------


def file_names(random: Random, folder: Path) -> None:
    poison = f"{hostile_texts.text(random)[:60]}-no-file"
    for command in (
        ["replay", poison],
        ["verify", poison],
        ["logs", poison],
        ["stats", "--log-dir", poison],
        debug(cards=poison),
        debug(commands=poison),
        debug(table=poison),
        ["thirty-one", "--console", "--seed", "1", "--deck", poison],
        ["stats", "--export", poison],
    ):
        if random.random() < 0.3:
            ran = run(command)
            hostile_texts.check_harmless(ran)
            assert ran.code == 2, ran


OPTIONS = (
    *("--player", "--word", "--seed", "--buy-in", "--nothing", "--paytable", "--bank", "--play"),
    *("--strategy", "--record", "-d", "-s"),
)


def options(random: Random, folder: Path) -> None:
    poison = hostile_texts.text(random)
    arguments = random.choice(
        (
            [poison],
            ["video-poker", poison],
            ["video-poker", "--console", f"{random.choice(OPTIONS)}={poison}"],
            ["odds", poison],
            ["odds", "video-poker", poison],
            ["stats", "--since", poison],
            ["stats", "--game", poison],
            ["logs", "--prune", "--older-than", poison],
            ["verify", poison, poison],
            ["replay"],
        )
    )
    hostile_texts.check_harmless(
        run([*arguments, *(["--guest"] if "--console" in arguments else [])])
    )


def typed_words(random: Random, folder: Path) -> None:
    """Words on the console: what is said to them, and what a recording of it would play."""
    slug = random.choice(GAMES).slug
    typed = "".join(f"{hostile_texts.text(random, lone=False)}\n" for _ in range(8))
    cast = folder / "console.cast"
    cast.unlink(missing_ok=True)
    ran = run([slug, "--console", "--guest", "--seed", "1", "--record", str(cast)], typed + "q\n")
    hostile_texts.check_harmless(ran)
    if not cast.exists():
        assert "How many computer opponents?" in ran.out, "it comes before the table"
        return
    _, *events = map(json.loads, cast.read_text("utf-8").splitlines())
    for _, kind, said in events:
        if kind == "o":
            hostile_texts.check_text(said.replace("\r\n", "\n"))


FORMATS: dict[str, tuple[Callable[[Random, Path], None], int]] = {
    "settings": (settings, 22_000),
    "pay tables": (paytable, 14_000),
    "cards": (cards, 16_000),
    "commands": (commands, 2_000),
    "properties": (properties, 10_000),
    "replayed logs": (replayed_logs, 14_000),
    "logs in the history": (logs_in_the_history, 8_000),
    "many logs": (many_logs, 300),
    "labels and visits": (labels_and_visits, 8_000),
    "file names": (file_names, 2_700),
    "options": (options, 1_960),
    "caches": (caches, 40),
    "typed words": (typed_words, 1_000),
}
"""What is planted where, and how many times to prove it: 100,000 in all."""
QUICK = 300
"""One of this many cases also runs in the quick suite."""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some options have files written where one is."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def check(name: str, seeds: range, folder: Path) -> None:
    for seed in seeds:
        with repeatable(format=name, seed=seed):
            FORMATS[name][0](Random(f"{name} {seed}"), folder)


@pytest.mark.parametrize("name", [name for name, (_, many) in FORMATS.items() if many >= QUICK])
def test_hostile_text_in_a_file_cannot_control_the_terminal(name: str, tmp_path: Path) -> None:
    check(name, range(FORMATS[name][1] // QUICK), tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("name", FORMATS)
def test_one_hundred_thousand_hostile_texts_cannot_control_the_terminal(
    name: str, tmp_path: Path
) -> None:
    assert sum(count for _, count in FORMATS.values()) == 100_000
    check(name, range(1_000, 1_000 + FORMATS[name][1]), tmp_path)
