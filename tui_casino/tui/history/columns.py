"""The columns of the list of logs; their texts are also used by the filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ...gamekit.registry import GAMES, GameListing
from ...inputs.sanitize import printable
from ...records.codec import build_struct, decode
from ...records.log_catalog import CASHED_OUT, CatalogEntry, SittingStatus
from ...records.log_labels import NO_LABEL, LogLabel
from ...records.summaries import SittingSummary
from ..draw.text import local_time, signed_money, with_minus_signs, with_sign
from ..table.face import face_of
from .player_logs import TITLES

DAMAGED = "damaged"
STATES = (
    SittingStatus.OPEN.words,
    SittingStatus.IN_PLAY.words,
    SittingStatus.CUT_OFF.words,
    CASHED_OUT,
    SittingStatus.LEFT.words,
    SittingStatus.OVER.words,
    SittingStatus.TAKEN_BACK.words,
    DAMAGED,
)
"""The states of a session, in words."""
WEEK = 7
USUAL = 1 << 12
"""The maximum size of options, in bytes, for which the table name is cached."""


class LogRow(Struct, frozen=True):
    """A log with the player's label, and with its summary once it has been reviewed.

    ``wrong`` holds the steps of its mistakes, or ``None`` until its choices are evaluated.
    """

    entry: CatalogEntry
    label: LogLabel = NO_LABEL
    summary: SittingSummary | None = None
    wrong: tuple[int, ...] | None = None


def state_of(entry: CatalogEntry) -> str:
    """Return the state of a session in words, or nothing if it is unknown how the session ended."""
    if entry.fault is not None:
        return DAMAGED
    return entry.shown_status


def listing_of(entry: CatalogEntry) -> GameListing | None:
    """Return the game of a log, or ``None`` if this program does not have that game."""
    return next((game for game in GAMES if game.slug == entry.game), None)


def title(entry: CatalogEntry) -> str:
    """Return the name of the log's game."""
    return TITLES.get(entry.game or "", entry.game or "–")


def table(entry: CatalogEntry) -> str:
    """Describe the table and the opponents, or an empty string if they are unknown."""
    listing = listing_of(entry)
    if listing is None:
        return ""
    work = _table if len(entry.options) <= USUAL else _table.__wrapped__
    return work(listing, entry.options, entry.players)


@lru_cache(maxsize=1 << 10)
def _table(listing: GameListing, options: bytes, players: tuple[str, ...]) -> str:
    try:
        columns: Any = build_struct(decode(options, dict), listing.definition().game.Options)
    except (ValueError, TypeError):
        return ""
    return printable(face_of(listing).tables.describe(columns, players))


def start_time(at: int, now: int) -> str:
    """Format the start time of a session, with the weekday or the date if it was not today."""
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
    """Format a session's duration in minutes, or in seconds if it was less than a minute."""
    if entry.length is None:
        return ""
    minutes = entry.length // 60_000
    return f"{minutes:,} min" if minutes else f"{entry.length // 1000} s"


def result(row: LogRow) -> tuple[str, int]:
    """Return a session's net result or score, and a number whose sign selects the colour."""
    entry, summary = row.entry, row.summary
    if summary is not None and summary.score is not None:
        mine, other = summary.score
        return f"{mine}:{other}", mine - other if entry.finished else 0
    cents = (
        entry.result if entry.result is not None else summary.net if summary is not None else None
    )
    return ("", 0) if cents is None else (signed_money(cents), cents)


def luck(summary: SittingSummary | None) -> tuple[str, int]:
    """Return the luck in standard deviations above the expected result, and its sign."""
    if summary is None or summary.luck is None:
        return "", 0
    tenths = round(10 * summary.luck)
    return with_sign(tenths, f"{abs(tenths) / 10:.1f}"), tenths


def play(row: LogRow) -> str:
    """Return the result without luck, or an empty text if it is not known."""
    split = None if row.summary is None else row.summary.split
    return "" if split is None else with_minus_signs(split.amounts[2])


def cost(row: LogRow) -> str:
    """Return the total cost of the mistakes, or an empty string if there are none."""
    listing, summary = listing_of(row.entry), row.summary
    if listing is None or summary is None or not summary.mistakes:
        return ""
    units = summary.cost_in_units(listing.definition().game.unit)
    return listing.definition().format_amount(units)


def is_judged(entry: CatalogEntry) -> bool:
    """Return whether choices can be evaluated in the game of a log."""
    listing = listing_of(entry)
    return listing is not None and listing.definition().adviser.has_judge


def mistakes(row: LogRow) -> str:
    """Return the number of mistakes once they are known; a dash if the game has no judge."""
    if row.summary is None:
        return ""
    if row.summary.mistakes is not None:
        return f"{row.summary.mistakes:,}"
    return "" if is_judged(row.entry) else "–"


def seed(entry: CatalogEntry) -> str:
    """Return the first digits of the shuffle's seed, or a note that the seed is still secret."""
    if entry.source is None:
        return ""
    if entry.source.kind != "committed":
        return f"s {printable(entry.source.value)}"
    return "secret" if entry.seed is None else entry.seed[:4]


def search_text(row: LogRow) -> str:
    """Return all texts by which a row can be found, in lower case."""
    entry = row.entry
    parts = (title(entry), table(entry), row.label.name, state_of(entry), seed(entry))
    return " ".join((*parts, entry.path.stem, entry.seed or "")).casefold()


Say = Callable[[LogRow, int], tuple[str, int]]


class LogColumn(Struct, frozen=True):
    """A column: its heading, its width (negative if right-aligned), and the text for a row.

    ``say`` takes the row and the current time in milliseconds. It returns the text and a number,
    above 0 if the text is good and below 0 if it is bad. Columns with a greater ``rank`` are left
    out first if space is short.
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
    LogColumn("result", -10, lambda row, now: result(row), 1),
    LogColumn(
        "rounds", -6, _plain(lambda row: f"{row.summary.rounds:,}" if row.summary else ""), 7
    ),
    LogColumn("mistakes", -8, _plain(mistakes), 6),
    LogColumn("cost", -7, _plain(cost), 8),
    LogColumn("luck", -5, lambda row, now: luck(row.summary), 9),
    LogColumn("your play", -10, _plain(play), 11),
    LogColumn("seed", 8, _plain(lambda row: seed(row.entry)), 10),
    LogColumn("state", -13, _plain(lambda row: state_of(row.entry)), 2),
)
GAP = 2


def fitting_columns(width: int) -> list[LogColumn]:
    """Return the columns that fit, in order; the table's column takes the remaining width."""
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
