"""Random access to a recorded session: any step, and the next or previous mark.

A log can only be played forward. Therefore the cache has a frame every :data:`FRAME_INTERVAL`
steps: the state and the tally there, the offset in the file, and the hash of all bytes before it.
To show a step, the log is replayed from the last frame before it. Frames are not trusted: each
replayed step is checked against the log's events, and frames that do not match the log's bytes are
dropped.
"""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterator
from enum import StrEnum
from pathlib import Path
from threading import RLock
from time import sleep
from typing import Any, Generic

from msgspec import Struct, field

from ..engine.game import A, Chance, E, O, S, Seat
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..inputs.files import BadFile, open_regular, os_error_reason
from .cache import FRAME_INTERVAL, Cache, CachedFrame
from .codec import decode, encode
from .log_header import decode_header
from .replay import LogMismatch, log_options, replay_from
from .seat_steps import SeatStep, reviewed_seat, walk_steps
from .session_log import (
    LONGEST_LINE,
    LONGEST_LOG,
    SessionLog,
    SittingResult,
    decode_end,
    decode_steps,
)


class ReplayMark(StrEnum):
    """The kinds of marks. A win is a round that paid more than the bets made in it."""

    ROUND = "round"
    BET = "bet"
    WIN = "win"


class MarkIndex(Struct):
    """The steps at which rounds begin and at which the seat bets and wins, in ascending order."""

    round: list[int] = field(default_factory=list)
    bet: list[int] = field(default_factory=list)
    win: list[int] = field(default_factory=list)

    def of(self, mark: ReplayMark) -> list[int]:
        """Return the steps of one kind."""
        steps: list[int] = getattr(self, mark.value)
        return steps

    def after(self, mark: ReplayMark, step: int) -> int | None:
        """Return the first step of a kind after ``step``; ``None`` if there is none."""
        steps = self.of(mark)
        place = bisect_right(steps, step)
        return steps[place] if place < len(steps) else None

    def before(self, mark: ReplayMark, step: int) -> int | None:
        """Return the last step of a kind before ``step``; ``None`` if there is none."""
        steps = self.of(mark)
        place = bisect_left(steps, step)
        return steps[place - 1] if place else None

    def add(self, step: SeatStep[Any, Any, Any, Any]) -> None:
        """Add the marks of the next step."""
        n = step.played.line.n
        if step.bet:
            self.bet.append(n)
        if step.ended is not None:
            self.round.append(n + 1)
            if step.ended.won > step.ended.wagered:
                self.win.append(n)

    def extend(self, other: MarkIndex) -> None:
        """Add the marks of later steps."""
        for mark in ReplayMark:
            self.of(mark).extend(other.of(mark))


class ReplayMoment(Struct, Generic[S, A, E, T], frozen=True):
    """The table after a step; step 0 is the beginning, before any action.

    ``by`` is the seat that acted (``None``: the croupier). ``state`` and ``events`` contain all
    cards; ``definition.game.view`` and ``hear`` return what a seat may see. ``tally`` is the tally
    of the watched seat, and ``at`` the time of the step in milliseconds since 1970.
    """

    step: int
    at: int
    by: int | None
    action: A | Chance | None
    state: S
    events: tuple[E, ...]
    tally: T


def describe_events(
    definition: GameDefinition[O, S, A, E, T], seat: Seat, moment: ReplayMoment[S, A, E, T]
) -> list[str]:
    """Return the lines that a seat saw at a step."""
    events = (definition.game.hear(moment.state, event, seat) for event in moment.events)
    return [line for event in events for line in definition.words.lines(event, seat)]


_BLOCK = 1 << 20  # bytes read in one step
_FRAMES_PER_SAVE = 20  # frames that are stored together


class Playback(Generic[O, S, A, E, T]):
    """A log that is open for replay; use it as a context manager, or :meth:`close` it.

    ``steps`` is the number of steps that can be shown; if the log is damaged, ``fault`` says where
    it ends. ``log`` contains only the first line. One thread may run :meth:`index` while another
    reads moments. Only :class:`.RecordingReview` analyses choices.
    """

    def __init__(self, definition: GameDefinition[O, S, A, E, T], path: Path, cache: Cache) -> None:
        """Open a log. Raises :class:`BadFile` if it cannot be read or belongs to another game."""
        self.definition, self.path, self._cache = definition, path, cache
        self._lock = RLock()
        self.fault: str | None = None
        self._open()

    def _open(self) -> None:
        try:
            self._file = open_regular(self.path, limit=LONGEST_LOG)
        except OSError as error:
            raise BadFile(self.path, f"cannot be read: {os_error_reason(error)}") from None
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self, *, from_cache: bool = True) -> None:
        raw = b""
        while b"\n" not in raw and len(raw) <= LONGEST_LINE:
            if not (block := self._pread(_BLOCK, len(raw))):
                break
            raw += block
        first, feed, _ = raw.partition(b"\n")
        self.header = decode_header(self.path, first if feed else b"")
        self.log = SessionLog(self.path, self.header, first, (), None, b"", 0, 0)
        self.seat = reviewed_seat(self.header)
        self.start = self.definition.game.start(log_options(self.definition.game, self.log))
        self._hash = hashlib.sha256(first + b"\n")
        tally = self.definition.tally(self.seat)
        at = len(first) + 1
        self._frames = [CachedFrame(0, at, b"", encode(self.start), encode(tally), b"")]
        self._marks, self._tail, self._tail_to = MarkIndex([1]), MarkIndex(), 0
        self._unsaved: list[CachedFrame] = []
        self._base = -1  # the step of the frame from which the segment was replayed
        self._segment: list[SeatStep[S, A, E, T]] = []
        self._rest: Iterator[SeatStep[S, A, E, T]] = iter(())
        self.end: SittingResult | None = None
        if from_cache:
            self._load_frames()
        self._uses_cache = len(self._frames) > 1  # whether some frames come from the cache
        self._counted_bytes, self._lines = self._frames[-1].offset, self._frames[-1].n
        self._count()

    def _load_frames(self) -> None:
        """Load the cached frames that match the bytes of this log."""
        size = os.fstat(self._file).st_size
        for frame in self._cache.frames(self.path):
            last = self._frames[-1]
            after = self._hash.copy()
            try:
                if frame.n != last.n + FRAME_INTERVAL or not last.offset < frame.offset <= size:
                    raise ValueError("a frame is missing")
                after.update(self._pread(frame.offset - last.offset, last.offset))
                if after.digest() != frame.digest:
                    raise ValueError("of another log")
                marks = decode(frame.marks, MarkIndex)
            except ValueError:
                self._cache.drop_frames(self.path, last.n)
                return
            self._hash = after
            self._add(frame, marks)

    def _add(self, frame: CachedFrame, marks: MarkIndex) -> None:
        self._marks.extend(marks)
        self._frames.append(frame)

    def _count(self) -> None:
        """Count the lines that were written since the last count."""
        last, before = b"", self._counted_bytes
        while block := self._pread(_BLOCK, self._counted_bytes):
            end = block.rfind(b"\n") + 1
            if not end:
                break
            self._lines += block.count(b"\n")
            last = block[block.rfind(b"\n", 0, end - 1) + 1 : end - 1]
            self._counted_bytes += end
        if self._counted_bytes > before:
            ended = decode_end(last)
            self.end = ended.end if ended else None
        self.steps = self._lines - (self.end is not None)

    def refresh(self) -> bool:
        """Read the lines that were added since the last call; return whether there are new steps.

        Raises :class:`BadFile` if the log was deleted or replaced.
        """
        with self._lock:
            try:
                there, ours = os.stat(self.path), os.fstat(self._file)
            except OSError:
                raise BadFile(self.path, "it no longer exists") from None
            if not os.path.samestat(there, ours) or ours.st_size < self._counted_bytes:
                raise BadFile(self.path, "it is no longer the log that was opened")
            before = self.steps
            if ours.st_size > self._counted_bytes and self.fault is None:
                self._count()
                self._base = -1
            return self.steps > before

    @property
    def indexed(self) -> int:
        """The step up to which marks and moments are available immediately."""
        return max(self._frames[-1].n, self._tail_to)

    def index(self) -> Generator[int, None, None]:
        """Replay the log to its end; yield the step up to which it is indexed.

        The iterator may be closed at any time; the results so far stay cached. Raises
        :class:`BadFile` if the log changes in the meantime. At a step that breaks the rules, it
        sets ``fault`` and ends.
        """
        try:
            while self.indexed < self.steps:
                with self._lock:
                    if self.indexed < self.steps:  # another thread may have done it
                        self._compute_frame()
                yield self.indexed
                sleep(0.001)  # otherwise a thread that waits for the lock would never get it
        finally:
            self._save()

    def _save(self) -> None:
        if self._unsaved:
            self._cache.keep_frames(self.path, self._unsaved)
            self._unsaved = []

    def _compute_frame(self) -> None:
        """Replay the steps after the last frame; make the next frame if there are enough steps."""
        frame = self._frames[-1]
        marks = MarkIndex()
        state, tally = self._decode_frame(frame)
        try:
            raw = self._lines_of(frame)
            for current in self._walk(frame, state, tally, raw):
                marks.add(current)
                state, tally = current.played.state, current.tally
        except (LogMismatch, BadFile) as fault:
            if not self._drop_cached_frames():
                self._break_at(fault)
                self._tail, self._tail_to = marks, self.steps
            return
        if len(raw) < FRAME_INTERVAL:
            self._tail, self._tail_to = marks, self.steps
            return
        part = b"".join(line + b"\n" for line in raw)
        after = self._hash.copy()  # stored only with the frame; a memory error leaves no trace
        after.update(part)
        new = CachedFrame(
            frame.n + FRAME_INTERVAL,
            frame.offset + len(part),
            after.digest(),
            encode(state),
            encode(tally),
            encode(marks),
        )
        self._add(new, marks)
        self._hash = after
        self._tail = MarkIndex()
        self._keep(new)

    def _keep(self, frame: CachedFrame) -> None:
        self._unsaved.append(frame)
        if len(self._unsaved) >= _FRAMES_PER_SAVE:
            self._save()

    def moment_at(self, step: int) -> ReplayMoment[S, A, E, T]:
        """Return the table after a step, 0 to ``steps``.

        The call takes longer if the step is not :attr:`indexed` yet. Raises ``IndexError`` beyond
        the last step, and :class:`BadFile` if a step before it breaks the rules; then ``steps`` and
        ``fault`` say how far the log can be shown.
        """
        with self._lock:
            if not 0 <= step <= self.steps:
                raise IndexError(f"{self.path} has steps 0 to {self.steps}, not {step}")
            if step == 0:
                tally = self.definition.tally(self.seat)
                return ReplayMoment(0, self.header.at, None, None, self.start, (), tally)
            current = self._step(step)
        played = current.played
        return ReplayMoment(
            step,
            played.line.at,
            played.line.by,
            played.action,
            played.state,
            played.events,
            current.tally,
        )

    def seat_step(self, step: int) -> SeatStep[S, A, E, T]:
        """Return a step as the watched seat saw it; the first step is step 1.

        Raises the errors of :meth:`moment_at`.
        """
        with self._lock:
            if not 1 <= step <= self.steps:
                raise IndexError(f"{self.path} has steps 1 to {self.steps}, not {step}")
            return self._step(step)

    def next_mark(self, mark: ReplayMark, after: int) -> int | None:
        """Return the first step with this mark after a step; ``None`` if there is none.

        Steps that are not :attr:`indexed` yet are replayed first, as far as necessary.
        """
        while True:
            with self._lock:
                step = self._marks.after(mark, after) or self._tail.after(mark, after)
                if step is not None:
                    return step if step <= self.steps else None
                if self.indexed >= self.steps:
                    return None
                self._compute_frame()

    def previous_mark(self, mark: ReplayMark, before: int) -> int | None:
        """Return the last step with this mark before a step; otherwise like :meth:`next_mark`."""
        while True:
            with self._lock:
                if self.indexed >= min(before - 1, self.steps):
                    end = min(before, self.steps + 1)
                    return self._tail.before(mark, end) or self._marks.before(mark, end)
                self._compute_frame()

    def close(self) -> None:
        """Close the file once no thread is using it."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def __enter__(self) -> Playback[O, S, A, E, T]:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _step(self, step: int) -> SeatStep[S, A, E, T]:
        """Return a step from the segment between two frames, replayed as far as necessary."""
        base = (step - 1) // FRAME_INTERVAL * FRAME_INTERVAL
        while self._frames[-1].n < base and step <= self.steps:
            self._compute_frame()
        if step > self.steps:
            raise BadFile(self.path, self.fault or "it is shorter now")
        if self._base != base:
            frame = self._frames[base // FRAME_INTERVAL]
            state, tally = self._decode_frame(frame)
            self._rest = self._walk(frame, state, tally, self._lines_of(frame))
            self._base, self._segment = base, []
        try:
            while len(self._segment) < step - base:
                self._segment.append(next(self._rest))
        except (LogMismatch, BadFile) as fault:
            if self._drop_cached_frames():
                return self._step(step)
            if base + FRAME_INTERVAL <= self._frames[-1].n:  # it was replayed to its end before
                raise self._unusable() from None
            self._break_at(fault)
            raise BadFile(self.path, fault.reason, fault.line) from None
        except MemoryError:
            self._base = -1  # the walk ends here; a later call begins the segment again
            raise
        return self._segment[step - base - 1]

    def _drop_cached_frames(self) -> bool:
        """Start again without cached frames: a bad frame must not make a log look damaged.

        Return whether there were any.
        """
        if not self._uses_cache:
            return False
        self._cache.drop_frames(self.path, 0)
        self._begin(from_cache=False)
        return True

    def _break_at(self, fault: LogMismatch | BadFile) -> None:
        """End the log before the line that cannot be replayed."""
        line = fault.line or self._frames[-1].n + 2
        self.fault = f"line {line}: {fault.reason}"
        self.steps = min(self.steps, line - 2)

    def _decode_frame(self, frame: CachedFrame) -> tuple[S, T]:
        try:
            state: S = decode(frame.state, type(self.start))
            tally: T = decode(frame.tally, type(self.definition.tally(self.seat)))
        except ValueError:
            raise self._unusable() from None
        return state, tally

    def _unusable(self) -> BadFile:
        """Drop all cached frames, and return the error to raise."""
        self._cache.drop_frames(self.path, 0)
        return BadFile(self.path, "the log or its cached data has changed; please open it again")

    def _walk(
        self, frame: CachedFrame, state: S, tally: T, raw: list[bytes]
    ) -> Iterator[SeatStep[S, A, E, T]]:
        lines = decode_steps(self.path, raw, frame.n + 1)
        played = replay_from(self.definition.game, self.log, state, lines)
        return walk_steps(self.definition, self.seat, state, tally, played)

    def _lines_of(self, frame: CachedFrame) -> list[bytes]:
        """Read the lines of the steps from a frame to the next one, or to the last step."""
        count = min(FRAME_INTERVAL, self.steps - frame.n)
        raw = b""
        while raw.count(b"\n") < count:
            block = self._pread(count * 256, frame.offset + len(raw))
            if not block:
                reason = "it has become shorter since it was opened"
                raise BadFile(self.path, reason, frame.n + 2 + raw.count(b"\n"))
            raw += block
            if len(raw) - raw.rfind(b"\n") > LONGEST_LINE:
                reason = f"the line has more than {LONGEST_LINE:,} bytes"
                raise BadFile(self.path, reason, frame.n + 2 + raw.count(b"\n"))
        return raw.split(b"\n", count)[:count]

    def _pread(self, size: int, at: int) -> bytes:
        try:
            return os.pread(self._file, size, at)
        except OSError as error:
            raise BadFile(self.path, f"cannot be read: {error.strerror}") from None
