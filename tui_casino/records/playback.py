"""Random access to a recorded session: any step, and the next or previous mark.

A log can only be played forward. So frames are kept beside it, one every :data:`FRAME_INTERVAL`
steps: the state and the tally there, the place in the file, and the hash of all before that place.
A step is found by playing on from the frame before it. Frames prove nothing: what they lead to is
checked against the log's own events, and those that do not belong to the log's bytes are dropped.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from threading import RLock
from time import sleep
from typing import Generic

from ..engine.game import A, E, O, S
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..inputs.files import BadFile, open_regular, os_error_reason
from .cache import FRAME_INTERVAL, Cache, CachedFrame
from .codec import decode, encode
from .log_header import decode_header
from .replay import LogMismatch, log_options, replay_from
from .replay_marks import MarkIndex, ReplayMark
from .replay_moment import ReplayMoment
from .seat_steps import SeatStep, reviewed_seat, walk_steps
from .session_log import (
    LONGEST_LINE,
    LONGEST_LOG,
    SessionLog,
    SittingResult,
    decode_end,
    decode_steps,
)

_BLOCK = 1 << 20  # bytes read at once
_A_SAVE = 20  # frames that are kept together


class Playback(Generic[O, S, A, E, T]):
    """A log that is open for replay; use it as a context, or :meth:`close` it.

    ``steps`` counts those that can be shown, ``fault`` says why there are no more, if the log is
    damaged; ``log`` is its first line alone. One thread may work on :meth:`index` while another
    asks for moments. Only :class:`.RecordingReview` weighs choices.
    """

    def __init__(self, definition: GameDefinition[O, S, A, E, T], path: Path, cache: Cache) -> None:
        """Open a log. Raises :class:`BadFile` if it cannot be read or is none of the game."""
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

    def _begin(self, *, from_kept: bool = True) -> None:
        raw = b""
        while b"\n" not in raw and len(raw) <= LONGEST_LINE:
            if not (more := self._pread(_BLOCK, len(raw))):
                break
            raw += more
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
        self._base = -1  # the frame's step from which the segment was played so far
        self._segment: list[SeatStep[S, A, E, T]] = []
        self._rest: Iterator[SeatStep[S, A, E, T]] = iter(())
        self.end: SittingResult | None = None
        if from_kept:
            self._take_frames()
        self._believes = len(self._frames) > 1  # frames that were not made here
        self._whole, self._lines = self._frames[-1].offset, self._frames[-1].n
        self._count()

    def _take_frames(self) -> None:
        """Take those kept frames that belong to the bytes of this log."""
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
        """Count the lines that have been written since the last count."""
        last, before = b"", self._whole
        while block := self._pread(_BLOCK, self._whole):
            end = block.rfind(b"\n") + 1
            if not end:
                break
            self._lines += block.count(b"\n")
            last = block[block.rfind(b"\n", 0, end - 1) + 1 : end - 1]
            self._whole += end
        if self._whole > before:
            ended = decode_end(last)
            self.end = ended.end if ended else None
        self.steps = self._lines - (self.end is not None)

    def refresh(self) -> bool:
        """Take in what has been written since, and tell whether there is more.

        Raises :class:`BadFile` if the log is gone, or is another one now.
        """
        with self._lock:
            try:
                there, ours = os.stat(self.path), os.fstat(self._file)
            except OSError:
                raise BadFile(self.path, "it is no longer there") from None
            if not os.path.samestat(there, ours) or ours.st_size < self._whole:
                raise BadFile(self.path, "it is no longer the log that was opened")
            before = self.steps
            if ours.st_size > self._whole and self.fault is None:
                self._count()
                self._base = -1
            return self.steps > before

    @property
    def indexed(self) -> int:
        """Up to which step all is known: marks are found and moments shown at once."""
        return max(self._frames[-1].n, self._tail_to)

    def index(self) -> Generator[int, None, None]:
        """Work the log out to its end, and tell again and again up to which step that is done.

        The iterator may be left at any time; what it has found is kept. Raises :class:`BadFile`
        if the log changes meanwhile; where it breaks its game the work ends, see ``fault``.
        """
        try:
            while self.indexed < self.steps:
                with self._lock:
                    if self.indexed < self.steps:  # still
                        self._work_out()
                yield self.indexed
                sleep(0.001)  # else who waits for the lock would never get it
        finally:
            self._save()

    def _save(self) -> None:
        if self._unsaved:
            self._cache.keep_frames(self.path, self._unsaved)
            self._unsaved = []

    def _work_out(self) -> None:
        """Play the steps behind the last frame; make the next frame, if there are so many."""
        frame = self._frames[-1]
        marks = MarkIndex()
        state, tally = self._at_frame(frame)
        try:
            raw = self._lines_of(frame)
            for current in self._walk(frame, state, tally, raw):
                marks.add(current)
                state, tally = current.played.state, current.tally
        except (LogMismatch, BadFile) as fault:
            if not self._doubts():
                self._break_at(fault)
                self._tail, self._tail_to = marks, self.steps
            return
        if len(raw) < FRAME_INTERVAL:
            self._tail, self._tail_to = marks, self.steps
            return
        part = b"".join(line + b"\n" for line in raw)
        after = self._hash.copy()  # kept only with the frame: without memory none is made
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
        if len(self._unsaved) >= _A_SAVE:
            self._save()

    def at(self, step: int) -> ReplayMoment[S, A, E, T]:
        """Show the table after a step, 0 to ``steps``.

        At once if it is :attr:`indexed`, else after the steps before it have been worked out.
        Raises ``IndexError`` beyond the last step, and :class:`BadFile` where the log breaks off
        its game; then ``steps`` and ``fault`` tell how far it can be shown.
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
        """Return a step, from 1, from the side of the watched seat. Raises as :meth:`at`."""
        with self._lock:
            if not 1 <= step <= self.steps:
                raise IndexError(f"{self.path} has steps 1 to {self.steps}, not {step}")
            return self._step(step)

    def next(self, mark: ReplayMark, after: int) -> int | None:
        """Return the first step with this mark after a step; ``None`` if there is none.

        Steps that are not :attr:`indexed` yet are worked out first, as far as necessary.
        """
        while True:
            with self._lock:
                found = self._marks.after(mark, after) or self._tail.after(mark, after)
                if found is not None:
                    return found if found <= self.steps else None
                if self.indexed >= self.steps:
                    return None
                self._work_out()

    def previous(self, mark: ReplayMark, before: int) -> int | None:
        """Return the last step with this mark before a step; otherwise like :meth:`next`."""
        while True:
            with self._lock:
                if self.indexed >= min(before - 1, self.steps):
                    end = min(before, self.steps + 1)
                    return self._tail.before(mark, end) or self._marks.before(mark, end)
                self._work_out()

    def close(self) -> None:
        """Let the file go, once no thread is at it."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def __enter__(self) -> Playback[O, S, A, E, T]:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _step(self, step: int) -> SeatStep[S, A, E, T]:
        """Return a step from the segment between two frames, played as far as necessary."""
        base = (step - 1) // FRAME_INTERVAL * FRAME_INTERVAL
        while self._frames[-1].n < base and step <= self.steps:
            self._work_out()
        if step > self.steps:
            raise BadFile(self.path, self.fault or "it is shorter now")
        if self._base != base:
            frame = self._frames[base // FRAME_INTERVAL]
            state, tally = self._at_frame(frame)
            self._rest = self._walk(frame, state, tally, self._lines_of(frame))
            self._base, self._segment = base, []
        try:
            while len(self._segment) < step - base:
                self._segment.append(next(self._rest))
        except (LogMismatch, BadFile) as fault:
            if self._doubts():
                return self._step(step)
            if base + FRAME_INTERVAL <= self._frames[-1].n:  # it has been played to its end before
                raise self._unusable() from None
            self._break_at(fault)
            raise BadFile(self.path, fault.reason, fault.line) from None
        except MemoryError:
            self._base = -1  # the walk ends here; a later call begins the segment again
            raise
        return self._segment[step - base - 1]

    def _doubts(self) -> bool:
        """Begin anew without any frame that was kept: only the log itself can damage a log.

        Tells whether there was any.
        """
        if not self._believes:
            return False
        self._cache.drop_frames(self.path, 0)
        self._begin(from_kept=False)
        return True

    def _break_at(self, fault: LogMismatch | BadFile) -> None:
        """Let the log end before the line that cannot be played."""
        line = fault.line or self._frames[-1].n + 2
        self.fault = f"line {line}: {fault.reason}"
        self.steps = min(self.steps, line - 2)

    def _at_frame(self, frame: CachedFrame) -> tuple[S, T]:
        try:
            state: S = decode(frame.state, type(self.start))
            tally: T = decode(frame.tally, type(self.definition.tally(self.seat)))
        except ValueError:
            raise self._unusable() from None
        return state, tally

    def _unusable(self) -> BadFile:
        """Drop all that is kept; what to say of it."""
        self._cache.drop_frames(self.path, 0)
        return BadFile(self.path, "it has changed, or what is kept of it; please open it again")

    def _walk(
        self, frame: CachedFrame, state: S, tally: T, raw: list[bytes]
    ) -> Iterator[SeatStep[S, A, E, T]]:
        lines = decode_steps(self.path, raw, frame.n + 1)
        played = replay_from(self.definition.game, self.log, state, lines)
        return walk_steps(self.definition, self.seat, state, tally, played)

    def _lines_of(self, frame: CachedFrame) -> list[bytes]:
        """Read the lines of the steps from a frame to the next one, or to the last step."""
        wanted = min(FRAME_INTERVAL, self.steps - frame.n)
        raw = b""
        while raw.count(b"\n") < wanted:
            more = self._pread(wanted * 256, frame.offset + len(raw))
            if not more:
                why = "it has got shorter since it was opened"
                raise BadFile(self.path, why, frame.n + 2 + raw.count(b"\n"))
            raw += more
            if len(raw) - raw.rfind(b"\n") > LONGEST_LINE:
                why = f"the line has more than {LONGEST_LINE:,} bytes"
                raise BadFile(self.path, why, frame.n + 2 + raw.count(b"\n"))
        return raw.split(b"\n", wanted)[:wanted]

    def _pread(self, size: int, at: int) -> bytes:
        try:
            return os.pread(self._file, size, at)
        except OSError as error:
            raise BadFile(self.path, f"cannot be read: {error.strerror}") from None
