"""The commitment log of a house: each commitment, and how the log of its session ended.

It is public and only ever grows: a line when a sitting begins, before its first card, and one when
it is over; each holds the hash of the line before it. Whoever has an older copy sees that nothing
in it was changed, and whoever has a log sees that it is the one that was promised.
``docs/formats.md`` has the form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..inputs.files import BadFile, os_error_reason, read_bytes
from .clock import LAST_MOMENT
from .codec import Fields, decode, encode
from .session_log import SessionLog, line_hash

MOST_BYTES = 1 << 30
"""Of a list: a few million sittings."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A line: its number from 1, when it was written (milliseconds), of which sitting.

    One that begins has the ``commitment`` to its seed and the ``head`` of its log, the hash of the
    first line; one that is over the hash of its ``last`` line. A commitment that is shown before
    the player's own words are asked for has neither ``sitting`` nor ``head`` yet: both are empty.
    ``prev`` is the hash of the line before. Raises ``ValueError`` for what is neither.
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
            raise ValueError("its number or its time is none")
        if (self.head is None) == (self.last is None) or (self.commitment and self.last):
            raise ValueError("it promises neither how a session begins nor how it ended")

    @property
    def shown(self) -> bool:
        """Whether it is of a commitment alone, before the sitting begins."""
        return not self.sitting and self.head == ""

    def line(self) -> bytes:
        """Give it as a line, without what it does not have."""
        fields: Fields = {"n": self.n, "at": self.at, "sitting": self.sitting}
        for name in ("commitment", "head", "last"):
            if (value := getattr(self, name)) is not None:
                fields[name] = value
        return encode({**fields, "prev": self.prev})


@dataclass(frozen=True, slots=True)
class PromiseCheck:
    """What a list says of a log: ``fault`` if it is another one than promised, with its line.

    Else ``begun`` is the line that promised it and ``ended`` the one that has its last hash;
    ``shown`` is an earlier one that has the commitment alone.
    """

    begun: Promise | None = None
    ended: Promise | None = None
    shown: Promise | None = None
    fault: str = ""
    line: int | None = None


def read_promises(path: Path) -> tuple[Promise, ...]:
    """Read a list, or the end of one. Raises :class:`BadFile` at the first line that is wrong.

    What stands behind the last line feed is not written yet and does not count.
    """
    try:
        raw = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise BadFile(path, f"cannot be read: {os_error_reason(error)}") from None
    lines = raw[: raw.rfind(b"\n") + 1].split(b"\n")[:-1]
    if not lines:
        raise BadFile(path, "it holds no promise", 1)
    promises: list[Promise] = []
    for number, line in enumerate(lines, 1):
        try:
            one = decode(line, Promise)
        except ValueError as error:
            raise BadFile(path, f"not a promise: {error}", number) from None
        if promises and one.prev != line_hash(lines[number - 2]):
            raise BadFile(path, "it does not hold the hash of the line before", number)
        if promises and one.n != promises[-1].n + 1:
            raise BadFile(path, f"it says number {one.n}, not {promises[-1].n + 1}", number)
        if one.n == 1 and one.prev:
            raise BadFile(path, "the first promise has no line before it", number)
        promises.append(one)
    return tuple(promises)


def check_promises(log: SessionLog, *lists: Sequence[Promise]) -> PromiseCheck:
    """Compare a log with what lists of a house say of it, in their order, and the lists themselves.

    Lists of several hosts have nothing in common; two of one host are the same as far as both go.
    Raises :class:`BadFile` for a log whose first step cannot be read.
    """
    if (forked := _fork(lists)) is not None:
        reason = "two lists fork: they agree on the line before this one, and not on this"
        return PromiseCheck(fault=reason, line=forked.n)
    source = log.header.source
    if source.kind != "committed":
        return PromiseCheck(fault="nothing was committed to: its seed was chosen")
    promises = [*chain.from_iterable(lists)]
    named = [one for one in promises if one.commitment == source.value and one.head]
    if not named:
        return PromiseCheck(fault=f"no line promises the commitment {source.value}")
    begun = next((one for one in named if one.head == log.head), None)
    if begun is None:
        reason = "its first line is another than was promised"
        return PromiseCheck(fault=reason, line=named[0].n)
    for one in named:
        if one.head != begun.head:
            reason = "its commitment was given to two logs, with different first lines"
            return PromiseCheck(fault=reason, line=one.n)
    if begun.at > max(log.header.at, next((step.at for step in log.steps()), 0)):
        return PromiseCheck(fault="its commitment is later than its first card", line=begun.n)
    ends = [one for one in promises if one.sitting == begun.sitting and one.last is not None]
    for one in ends:
        if _stands_before(one, begun, lists):
            return PromiseCheck(fault="its end stands before its beginning", line=one.n)
        if log.over and one.last != log.hash:
            reason = "its last line is another than the house had when the session ended"
            return PromiseCheck(fault=reason, line=one.n)
        settled = not one.last or one.last in map(line_hash, log.lines)
        if not log.over and not settled:
            return PromiseCheck(fault="it is cut: the session was over", line=one.n)
    shown = [one for one in promises if one.commitment == source.value and one.shown]
    first = next((one for one in shown if _stands_before(one, begun, lists)), None)
    return PromiseCheck(begun, ends[0] if ends else None, first)


def _fork(lists: Sequence[Sequence[Promise]]) -> Promise | None:
    """Find a line that differs between two lists although both have the same line before it."""
    after: dict[str, Promise] = {}
    for one in chain.from_iterable(lists):
        if one.prev and after.setdefault(one.prev, one) != one:
            return one
    return None


def _stands_before(one: Promise, other: Promise, lists: Sequence[Sequence[Promise]]) -> bool:
    """Tell whether a list has both lines, in this order; hosts have a list each."""
    return one.n < other.n and any(one in promises and other in promises for promises in lists)
