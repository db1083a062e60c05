"""List the player's own sessions, and describe them in sentences."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from ..engine.money import dollars
from ..gamekit.adviser import MistakeKind
from ..gamekit.registry import DEFINITIONS, GAMES, title_of
from ..house.house import House
from ..inputs.files import BadFile
from ..inputs.numbers import count_noun
from ..inputs.sanitize import printable
from ..records.cache import Cache
from ..records.codec import build_struct, decode
from ..records.log_catalog import CatalogEntry, list_logs
from ..records.playback import Playback
from ..teacher.mistakes import ReviewedSitting, StakesFilter, review_sittings
from .prompts import PromptOption
from .voice import Voice

PATIENCE = 5.0
"""Seconds of silence after which the progress is reported."""


def own_sittings(house: House) -> list[CatalogEntry]:
    """List the sessions of the house's player, newest first.

    Raises :class:`~tui_casino.inputs.errors.BadInput` if the sessions cannot be read.
    """
    known = house.books.accounts() if house.books else {}
    entries = list_logs(house.logs, DEFINITIONS, known)
    return [entry for entry in entries if entry.is_owned_by(house.player)]


def studied_sittings(voice: Voice, house: House) -> Iterator[ReviewedSitting]:
    """Yield the player's sessions with their mistakes; report the progress if this takes long.

    Raises :class:`~tui_casino.inputs.errors.BadInput` if the sessions cannot be read.
    """
    entries, reported, damaged = own_sittings(house), time.monotonic(), 0
    for done, each in enumerate(review_sittings(entries, DEFINITIONS, Cache(house.cache)), 1):
        if isinstance(each, ReviewedSitting):
            yield each
        elif each.fault is not None:
            damaged += 1
        if time.monotonic() - reported > PATIENCE and done < len(entries):
            reported = time.monotonic()
            voice.say(f"Reading: {done:,} of {count_noun(len(entries), 'session')}.")
    if damaged:
        voice.say(f"{count_noun(damaged, 'damaged session')} left out.")


def name_of(entry: CatalogEntry) -> str:
    """Return the name of a session: its game, table and date."""
    return f"{title_of(entry.game or '')}, {table_and_date(entry)}"


def table_and_date(entry: CatalogEntry) -> str:
    """Return the table of a session, if it is known, and the date."""
    at = datetime.fromtimestamp(entry.started / 1000, UTC).astimezone()
    table = table_of(entry)
    return f"{f'{table}, ' if table else ''}{at.day} {at:%B %Y %H:%M}"


def state_of(entry: CatalogEntry, cache: Cache) -> str:
    """Return how a session ended, and the score or how much was won or lost."""
    if entry.fault is not None:
        return f"damaged: {entry.fault}"
    if (score := score_of(entry, cache)) is not None:
        mine, other = score
        if not entry.finished:
            return f"{entry.ending.words if entry.ending else ''}, {mine} to {other}"
        return f"{'won' if mine > other else 'lost' if mine < other else 'tied'} {mine} to {other}"
    how = entry.shown_status
    if not entry.result:
        return how
    return f"{'won' if entry.result > 0 else 'lost'} {dollars(abs(entry.result))}, {how}"


def score_of(entry: CatalogEntry, cache: Cache) -> tuple[int, int] | None:
    """Return the last score of the player and the opponent; ``None`` in games for money."""
    listing = next((game for game in GAMES if game.slug == entry.game), None)
    if listing is None or (points := listing.definition().points) is None:
        return None
    try:
        with Playback(listing.definition(), entry.path, cache) as playback:
            state = playback.moment_at(playback.steps).state
            return points.score(playback.definition.game.view(state, playback.seat), playback.seat)
    except BadFile:
        return None


def table_of(entry: CatalogEntry) -> str:
    """Describe the table of a session; return an empty text if the table is unknown."""
    listing = next((game for game in GAMES if game.slug == entry.game), None)
    if listing is None:
        return ""
    try:
        options: Any = build_struct(decode(entry.options, dict), listing.definition().game.Options)
    except (ValueError, TypeError):
        return ""
    return printable(listing.tables().describe(options, entry.players))


def kind_name(kind: MistakeKind) -> str:
    """Return the name of a kind of mistake, without the colon that would end a sentence."""
    return ", ".join(filter(None, (kind.spot, kind.slip)))


def other_sessions(stakes: StakesFilter) -> PromptOption:
    """Return the option that lets other sessions count than those of a filter."""
    return PromptOption("Other sessions", f"now {stakes.value}; next {stakes.next.value}")


def none_yet(voice: Voice) -> None:
    """Say that there are no finished sessions."""
    voice.say("No finished sessions yet.")
