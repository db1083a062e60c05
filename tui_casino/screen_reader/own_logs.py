"""List the player's own sessions, and describe them in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from ..engine.money import dollars
from ..gamekit.adviser import MistakeKind
from ..gamekit.registry import DEFINITIONS, find_listing, title_of
from ..house.house import House
from ..house.own_sessions import ProgressTicker, own_logs, table_of
from ..inputs.files import BadFile
from ..inputs.numbers import count_noun
from ..records.cache import Cache
from ..records.log_catalog import DAILY_DEAL, CatalogEntry
from ..records.playback import Playback
from ..teacher.mistake_queue import AnswerFile, MistakeQueue
from ..teacher.mistakes import ReviewedSitting, StakesFilter, review_sittings
from .voice import PromptOption, Voice

PATIENCE = 5.0
"""Seconds of silence after which the progress is reported."""


def own_sittings(house: House) -> list[CatalogEntry]:
    """List the sessions of the house's player, newest first.

    Raises :class:`~tui_casino.inputs.errors.BadInput` if the sessions cannot be read.
    """
    return own_logs(house, house.books.accounts() if house.books else {})


def studied_sittings(voice: Voice, house: House) -> Iterator[ReviewedSitting]:
    """Yield the player's sessions with their mistakes; report the progress if this takes long.

    Raises :class:`~tui_casino.inputs.errors.BadInput` if the sessions cannot be read.
    """
    entries, speaks, damaged = own_sittings(house), ProgressTicker(PATIENCE), 0
    for done, each in enumerate(review_sittings(entries, DEFINITIONS, Cache(house.cache)), 1):
        if isinstance(each, ReviewedSitting):
            yield each
        elif each.fault is not None:
            damaged += 1
        if done < len(entries) and speaks():
            voice.say(f"Reading: {done:,} of {count_noun(len(entries), 'session')}.")
    if damaged:
        voice.say(f"{count_noun(damaged, 'damaged session')} left out.")


def own_mistakes(voice: Voice, house: House) -> MistakeQueue:
    """Return the queue of the player's mistakes, like :func:`studied_sittings`."""
    queue = MistakeQueue(AnswerFile(house.answers, house.player), house.clock)
    for each in studied_sittings(voice, house):
        queue.add(each)
    return queue


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
    how = entry.shown_status
    if entry.daily is not None and not entry.finished:
        how = f"{how}, {DAILY_DEAL}"
    if (score := score_of(entry, cache)) is not None:
        mine, other = score
        if not entry.played_out:
            return f"{how}, {mine} to {other}"
        result = "won" if mine > other else "lost" if mine < other else "tied"
        return f"{result} {mine} to {other}" + (f", {how}" if entry.daily is not None else "")
    if not entry.result:
        return how
    return f"{'won' if entry.result > 0 else 'lost'} {dollars(abs(entry.result))}, {how}"


def score_of(entry: CatalogEntry, cache: Cache) -> tuple[int, int] | None:
    """Return the last score of the player and the opponent; ``None`` in games for money."""
    listing = find_listing(entry.game)
    if listing is None or (points := listing.definition().points) is None:
        return None
    try:
        with Playback(listing.definition(), entry.path, cache) as playback:
            state = playback.moment_at(playback.steps).state
            return points.score(playback.definition.game.view(state, playback.seat), playback.seat)
    except BadFile:
        return None


def kind_name(kind: MistakeKind) -> str:
    """Return the name of a kind of mistake, without the colon that would end a sentence."""
    return ", ".join(filter(None, (kind.spot, kind.slip)))


def other_sessions(stakes: StakesFilter) -> PromptOption:
    """Return the option that lets other sessions count than those of a filter."""
    now, then = stakes_text(stakes), stakes_text(stakes.next)
    return PromptOption("Other sessions", result=f"now {now}; next {then}")


def stakes_text(stakes: StakesFilter) -> str:
    """Return which sessions a filter admits; games for points count as money and as free play."""
    every = stakes is StakesFilter.ALL
    return stakes.value if every else f"{stakes.value} or for points"


def none_yet(voice: Voice) -> None:
    """Say that there are no finished sessions."""
    voice.say("No finished sessions yet.")
