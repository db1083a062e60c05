"""The columns of the list of logs, in the words that the filters use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ...gamekit.registry import GAMES, GameListing
from ...inputs.sanitize import printable
from ...records.codec import build_dataclass, decode
from ...records.log_catalog import CatalogEntry, SittingStatus
from ...records.log_labels import NO_LABEL, LogLabel
from ...records.summaries import SittingSummary
from ..draw.number_formats import signed_money, with_sign
from ..table.face import face_of
from ..theme.clock import local_time
from .player_logs import TITLES

DAMAGED = "damaged"
CASHED_OUT = "cashed out"
STATES = (
    SittingStatus.OPEN.value,
    SittingStatus.IN_PLAY.value,
    SittingStatus.CUT_OFF.value,
    CASHED_OUT,
    SittingStatus.LEFT.value,
    SittingStatus.OVER.value,
    SittingStatus.TAKEN_BACK.value,
    DAMAGED,
)
"""How a sitting can stand, in words."""
WEEK = 7
USUAL = 1 << 12
"""Bytes of options: the tables of logs that have more are worked out each time."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """A log with the player's label, and with its summary once it has been reviewed.

    ``wrong`` are the steps of its mistakes, ``None`` until its choices are weighed.
    """

    entry: CatalogEntry
    label: LogLabel = NO_LABEL
    summary: SittingSummary | None = None
    wrong: tuple[int, ...] | None = None


def state_of(entry: CatalogEntry) -> str:
    """Say how a sitting stands; nothing if its end cannot be told."""
    if entry.fault is not None:
        return DAMAGED
    if entry.ending is SittingStatus.LEFT and entry.player is not None:
        return CASHED_OUT
    return entry.ending.value if entry.ending else ""


def listing_of(entry: CatalogEntry) -> GameListing | None:
    """Give the game of a log; ``None`` if this program does not have it."""
    return next((game for game in GAMES if game.slug == entry.game), None)


def title(entry: CatalogEntry) -> str:
    """Give the name of its game."""
    return TITLES.get(entry.game or "", entry.game or "–")


def table(entry: CatalogEntry) -> str:
    """Say at what table it was, and against whom; nothing if that cannot be told."""
    listing = listing_of(entry)
    if listing is None:
        return ""
    work = _table if len(entry.options) <= USUAL else _table.__wrapped__
    return work(listing, entry.options, entry.players)


@lru_cache(maxsize=1 << 10)
def _table(listing: GameListing, options: bytes, players: tuple[str, ...]) -> str:
    try:
        columns: Any = build_dataclass(decode(options, dict), listing.definition().game.Options)
    except (ValueError, TypeError):
        return ""
    return printable(face_of(listing).tables.describe(columns, players))


def start_time(at: int, now: int) -> str:
    """Say when something began: the date only if that was not today."""
    if not at:
        return "–"
    moment, today = local_time(at), local_time(now)
    days = (today.date() - moment.date()).days
    if days == 0:
        return f"{moment:%H:%M}"
    if 0 < days < WEEK:
        return f"{moment:%a} {moment.day:>2} {moment:%H:%M}"
    if moment.year == today.year:
        return f"{moment.day:>2} {moment:%b} {moment:%H:%M}"
    return f"{moment.day:>2} {moment:%b} {moment.year}"


def duration(entry: CatalogEntry) -> str:
    """Say how long it took, in minutes, or in seconds if it was less than one."""
    if entry.length is None:
        return ""
    minutes = entry.length // 60_000
    return f"{minutes:,} min" if minutes else f"{entry.length // 1000} s"


def result(row: LogRow) -> tuple[str, int]:
    """Say what a sitting brought, or how it stands for points; and above or below 0 for colours."""
    entry, summary = row.entry, row.summary
    if summary is not None and summary.score is not None:
        mine, other = summary.score
        return f"{mine}:{other}", mine - other if entry.finished else 0
    cents = (
        entry.result if entry.result is not None else summary.net if summary is not None else None
    )
    return ("", 0) if cents is None else (signed_money(cents), cents)


def luck(summary: SittingSummary | None) -> tuple[str, int]:
    """Say how many standard deviations more came back than expected, and above or below 0."""
    if summary is None or summary.luck is None:
        return "", 0
    tenths = round(10 * summary.luck)
    return with_sign(tenths, f"{abs(tenths) / 10:.1f}"), tenths


def cost(row: LogRow) -> str:
    """Say what the mistakes cost together; nothing if there was none."""
    listing, summary = listing_of(row.entry), row.summary
    if listing is None or summary is None or not summary.mistakes:
        return ""
    units = summary.cost_in_units(listing.definition().game.unit)
    return listing.definition().format_amount(units)


def is_judged(entry: CatalogEntry) -> bool:
    """Tell whether the game of a log knows what choices cost."""
    listing = listing_of(entry)
    return listing is not None and listing.definition().adviser.has_judge


def mistakes(row: LogRow) -> str:
    """Count the mistakes once they are weighed; a dash if the game has no judge."""
    if row.summary is None:
        return ""
    if row.summary.mistakes is not None:
        return f"{row.summary.mistakes:,}"
    return "" if is_judged(row.entry) else "–"


def seed(entry: CatalogEntry) -> str:
    """Say what is known of the shuffle: its seed's first letters, or that it is sealed."""
    if entry.source is None:
        return ""
    if entry.source.kind != "committed":
        return f"s {printable(entry.source.value)}"
    return "sealed" if entry.seed is None else entry.seed[:4]


def search_text(row: LogRow) -> str:
    """Give all that a row can be found by, in small letters."""
    entry = row.entry
    parts = (title(entry), table(entry), row.label.name, state_of(entry), seed(entry))
    return " ".join((*parts, entry.path.stem, entry.seed or "")).casefold()


Say = Callable[[LogRow, int], tuple[str, int]]


@dataclass(frozen=True, slots=True)
class LogColumn:
    """A column: its heading, its width (to the right if below 0), and what it says of a row.

    It says it at a moment, in milliseconds, with a number above or below 0 where that is good or
    bad. ``rank`` says how soon it gives way, the greatest first.
    """

    heading: str
    width: int
    say: Say
    rank: int


def _plain(say: Callable[[LogRow], str]) -> Say:
    return lambda row, now: (say(row), 0)


TABLE = "table and opponent"
LEAST_TABLE = 20
COLUMNS: Sequence[LogColumn] = (
    LogColumn("★", 1, _plain(lambda row: "★" if row.label.star else ""), 5),
    LogColumn("began", 12, lambda row, now: (start_time(row.entry.started, now), 0), 3),
    LogColumn("game", 14, _plain(lambda row: title(row.entry)), 0),
    LogColumn(TABLE, LEAST_TABLE, _plain(lambda row: row.label.name or table(row.entry)), 4),
    LogColumn("result", -10, lambda row, now: result(row), 2),
    LogColumn(
        "rounds", -6, _plain(lambda row: f"{row.summary.rounds:,}" if row.summary else ""), 7
    ),
    LogColumn("mistakes", -8, _plain(mistakes), 6),
    LogColumn("cost", -7, _plain(cost), 8),
    LogColumn("luck", -5, lambda row, now: luck(row.summary), 9),
    LogColumn("seed", 8, _plain(lambda row: seed(row.entry)), 10),
    LogColumn("state", -13, _plain(lambda row: state_of(row.entry)), 1),
)
GAP = 2


def fitting_columns(width: int) -> list[LogColumn]:
    """Give the columns that there is room for, in their places; the table takes what is left."""
    columns: list[LogColumn] = []
    room = width
    for column in sorted(COLUMNS, key=lambda column: column.rank):
        room -= abs(column.width) + GAP * bool(columns)
        if room < 0:
            break
        columns.append(column)
    spare = width - sum(abs(c.width) for c in columns) - GAP * (len(columns) - 1)
    return [
        LogColumn(c.heading, c.width + spare, c.say, c.rank) if c.heading == TABLE else c
        for c in COLUMNS
        if c in columns
    ]
