"""The commitment log of a house: all commitments, and the last hashes of the sessions' logs.

The commitment log is public and only grows. It gets a line when a session begins, before its first
card, and another when it is over; each line has the hash of the previous one. A reader with an
older copy can check that no line was changed. A player who has a session log can check that the
house committed to exactly this log. ``docs/formats.md`` describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import chain
from pathlib import Path

from msgspec import Struct

from ..engine.chance import CommittedSource
from ..inputs.files import BadFile, os_error_reason, read_bytes
from .clock import LAST_MOMENT
from .codec import Fields, decode, encode
from .session_log import SessionLog, line_hash

MOST_BYTES = 1 << 30
"""The largest commitment log in bytes: a few million sessions."""

DAILY = "daily-"
"""The beginning of the names of daily deals; no session may have such a name."""

_SEED = re.compile("[0-9a-f]{64}")


def daily_name(day: date | str, game: str) -> str:
    """Return the name that a daily deal has in the commitment log instead of a session."""
    return f"{DAILY}{day}-{game}"


class Promise(Struct, frozen=True):
    """A line: its number from 1, its time (milliseconds since 1970), and its session.

    The line for a session's beginning has the ``commitment`` to the seed and the ``head`` of the
    log, which is the hash of its first line. The line for its end has the hash of the log's
    ``last`` line. In a line for a commitment that is shown before the player chooses a client seed,
    ``sitting`` and ``head`` are empty. In both lines of a daily deal, ``sitting`` is its
    :func:`daily_name`; the first has an empty ``head``, and the second, after the day, has the seed
    as ``last``. ``prev`` is the hash of the previous line. Raises ``ValueError`` for an invalid
    line.
    """

    n: int
    at: int
    sitting: str
    prev: str
    commitment: str | None = None
    head: str | None = None
    last: str | None = None

    def __post_init__(self) -> None:
        if self.n < 1 or not 0 <= self.at < LAST_MOMENT:
            raise ValueError("its number or its time is invalid")
        if (self.head is None) == (self.last is None) or (self.commitment and self.last):
            raise ValueError("it records neither the beginning nor the end of a session")

    @property
    def shown(self) -> bool:
        """Whether the line has only a commitment that was shown before the session began."""
        return not self.sitting and self.head == ""

    def line(self) -> bytes:
        """Return the entry as a line of JSON; fields without a value are left out."""
        fields: Fields = {"n": self.n, "at": self.at, "sitting": self.sitting}
        for name in ("commitment", "head", "last"):
            if (value := getattr(self, name)) is not None:
                fields[name] = value
        return encode({**fields, "prev": self.prev})


class PromiseCheck(Struct, frozen=True):
    """The result of comparing a log with commitment logs.

    ``fault`` says how the log differs, and ``line`` where. If it does not differ, ``begun`` is the
    commitment log's line for its beginning, and ``ended`` the line for its end; ``shown`` is an
    earlier line with only the commitment. For a daily deal, they are the lines of the deal.
    """

    begun: Promise | None = None
    ended: Promise | None = None
    shown: Promise | None = None
    fault: str = ""
    line: int | None = None


def read_promises(path: Path) -> tuple[Promise, ...]:
    """Read a commitment log, or the end of one. Raises :class:`BadFile` at the first invalid line.

    Bytes after the last line feed are an unfinished line and do not count.
    """
    try:
        raw = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise BadFile(path, f"cannot be read: {os_error_reason(error)}") from None
    lines = raw[: raw.rfind(b"\n") + 1].split(b"\n")[:-1]
    if not lines:
        raise BadFile(path, "it has no entries", 1)
    promises: list[Promise] = []
    for number, line in enumerate(lines, 1):
        try:
            one = decode(line, Promise)
        except ValueError as error:
            raise BadFile(path, f"not an entry of a commitment log: {error}", number) from None
        if promises and one.prev != line_hash(lines[number - 2]):
            raise BadFile(path, "it does not have the hash of the previous line", number)
        if promises and one.n != promises[-1].n + 1:
            raise BadFile(path, f"its number is {one.n}, not {promises[-1].n + 1}", number)
        if one.n == 1 and one.prev:
            raise BadFile(path, "the first entry cannot have a previous line", number)
        promises.append(one)
    return tuple(promises)


def check_promises(log: SessionLog, *lists: Sequence[Promise]) -> PromiseCheck:
    """Compare a log with the commitment logs of a house, and the commitment logs with each other.

    Commitment logs of different servers have no lines in common. Two from the same server must be
    equal up to the end of the shorter one. Raises :class:`BadFile` for a log whose first step
    cannot be read.
    """
    if (forked := _fork(lists)) is not None:
        reason = "two commitment logs disagree: the previous line is the same, this one differs"
        return PromiseCheck(fault=reason, line=forked.n)
    source = log.header.source
    if source.kind != "committed":
        return PromiseCheck(fault="it has no commitment: its seed was chosen")
    promises = [*chain.from_iterable(lists)]
    if log.header.daily is not None:
        return _check_daily(log, promises)
    named = [one for one in promises if one.commitment == source.value and one.head]
    if not named:
        return PromiseCheck(fault=f"no line has the commitment {source.value}")
    begun = next((one for one in named if one.head == log.head), None)
    if begun is None:
        reason = "its first line differs from the committed one"
        return PromiseCheck(fault=reason, line=named[0].n)
    for one in named:
        if one.head != begun.head:
            reason = "its commitment was used for two logs with different first lines"
            return PromiseCheck(fault=reason, line=one.n)
    if begun.at > max(log.header.at, next((step.at for step in log.steps()), 0)):
        return PromiseCheck(fault="its commitment is later than its first card", line=begun.n)
    ends = [one for one in promises if one.sitting == begun.sitting and one.last is not None]
    for one in ends:
        if _stands_before(one, begun, lists):
            return PromiseCheck(fault="its end comes before its beginning", line=one.n)
        if log.over and one.last != log.hash:
            reason = "its last line differs from the one recorded when the session ended"
            return PromiseCheck(fault=reason, line=one.n)
        settled = not one.last or one.last in map(line_hash, log.lines)
        if not log.over and not settled:
            return PromiseCheck(fault="it is cut off: the session was over", line=one.n)
    shown = [one for one in promises if one.commitment == source.value and one.shown]
    first = next((one for one in shown if _stands_before(one, begun, lists)), None)
    return PromiseCheck(begun, ends[0] if ends else None, first)


def _check_daily(log: SessionLog, promises: Sequence[Promise]) -> PromiseCheck:
    """Check that the deal of a daily log was published under its name before its first card."""
    header = log.header
    name = daily_name(header.daily or "", header.game)
    named = [one for one in promises if one.sitting == name]
    if not any(one.commitment for one in named):
        return PromiseCheck(fault=f"no line has a commitment for {name}")
    for one in named:
        if not one.last and one.commitment != header.source.value:
            reason = f"the commitment published for {name} is a different one"
            return PromiseCheck(fault=reason, line=one.n)
    if named[0].at > header.at:
        reason = "its commitment is later than its first card"
        return PromiseCheck(fault=reason, line=named[0].n)
    return PromiseCheck(named[0], next((one for one in named if one.last), None))


def revealed_source(log: SessionLog, *lists: Sequence[Promise]) -> CommittedSource | None:
    """Return the shuffle of a daily log from the seed that commitment logs reveal, if they do.

    Whether the seed matches the commitment of the log is not checked.
    """
    name = daily_name(log.header.daily or "", log.header.game)
    for one in chain.from_iterable(lists):
        if one.sitting == name and one.last and _SEED.fullmatch(one.last):
            return CommittedSource(bytes.fromhex(one.last))
    return None


def _fork(lists: Sequence[Sequence[Promise]]) -> Promise | None:
    """Return a line that differs between two commitment logs with the same previous line."""
    after: dict[str, Promise] = {}
    for one in chain.from_iterable(lists):
        if one.prev and after.setdefault(one.prev, one) != one:
            return one
    return None


def _stands_before(one: Promise, other: Promise, lists: Sequence[Sequence[Promise]]) -> bool:
    """Return whether one commitment log has both lines in this order; each server has its own."""
    return one.n < other.n and any(one in promises and other in promises for promises in lists)
