"""The player's own sessions, and the sentences that describe them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from ..engine.money import dollars
from ..gamekit.registry import GAMES, title_of
from ..house.house import House
from ..inputs.numbers import count_noun
from ..inputs.sanitize import printable
from ..records.cache import Cache
from ..records.codec import build_dataclass, decode
from ..records.log_catalog import CatalogEntry, Games, SittingStatus, list_logs
from ..teacher.mistakes import ReviewedSitting, review_sittings
from .voice import Voice

PATIENCE = 5.0
"""Seconds of silence after which the progress is reported."""


def games() -> Games:
    """Return the definitions of this program's games, loaded on demand."""
    return {game.slug: game.definition for game in GAMES}


def own_sittings(house: House) -> list[CatalogEntry]:
    """List the sessions of the house's player, newest first.

    Raises :class:`~tui_casino.inputs.errors.BadInput` for what cannot be read.
    """
    known = house.books.accounts() if house.books else {}
    entries = list_logs(house.logs, games(), known)
    return [entry for entry in entries if entry.is_owned_by(house.player)]


def studied_sittings(voice: Voice, house: House) -> Iterator[ReviewedSitting]:
    """Yield the player's sessions with their mistakes; if that takes long, report the progress.

    Raises :class:`~tui_casino.inputs.errors.BadInput` for what cannot be read.
    """
    entries, reported, damaged = own_sittings(house), time.monotonic(), 0
    for done, each in enumerate(review_sittings(entries, games(), Cache(house.cache)), 1):
        if isinstance(each, ReviewedSitting):
            yield each
        elif each.fault is not None:
            damaged += 1
        if time.monotonic() - reported > PATIENCE and done < len(entries):
            reported = time.monotonic()
            voice.say(f"Reading: {done:,} of {count_noun(len(entries), 'session')}.")
    if damaged:
        voice.say(f"{damaged:,} damaged session{'s' * (damaged > 1)} left out.")


def name_of(entry: CatalogEntry) -> str:
    """Name a session: its game, table and date."""
    at = datetime.fromtimestamp(entry.started / 1000, UTC).astimezone()
    table = table_of(entry)
    title = title_of(entry.game or "")
    return f"{title}{f', {table}' if table else ''}, {at.day} {at:%B %Y %H:%M}"


def state_of(entry: CatalogEntry) -> str:
    """Return the state of a session and its net result."""
    if entry.fault is not None:
        return f"damaged: {entry.fault}"
    how = entry.ending.words if entry.ending else ""
    if entry.ending is SittingStatus.LEFT and entry.player is not None:
        how = "cashed out"
    if not entry.result:
        return how
    return f"{how}, {'won' if entry.result > 0 else 'lost'} {dollars(abs(entry.result))}"


def table_of(entry: CatalogEntry) -> str:
    """Describe the table; empty if it is unknown."""
    listing = next((game for game in GAMES if game.slug == entry.game), None)
    if listing is None:
        return ""
    try:
        options: Any = build_dataclass(
            decode(entry.options, dict), listing.definition().game.Options
        )
    except (ValueError, TypeError):
        return ""
    return printable(listing.tables().describe(options, entry.players))


def none_yet(voice: Voice) -> None:
    """Say that there are no finished sessions."""
    voice.say("No finished sessions yet.")
