"""The pace at which a live table plays between its player's choices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Generic

from ...engine.game import A, AskSeats, E, NeedCard, NeedShoe, O, S
from ...engine.table import Table

PACE = 0.05
"""Seconds between two steps of the croupier."""
THOUGHT = 0.4
"""Minimum time in seconds that a computer player seems to think, so that the player can follow."""
SLACK = 4
"""The next update waits at least this many times as long as the last one was late."""
MOST = 4
"""The most steps that one update may wait for; with more, a hand would seem to hang."""


class Pacing(Generic[O, S, A, E]):
    """Advances a table at a visible pace; ``moves`` returns whether the player wants motion.

    Each step of the croupier takes a fixed time and gets its own update, as long as the event loop
    keeps up. On a busy machine the loop is late. Then one update shows all steps that are due, and
    the next one waits long enough that its own delay is small in comparison. A deal therefore takes
    hardly longer, in as many updates as there is time for. A player's action always gets its own
    update.
    """

    def __init__(self, table: Table[O, S, A, E], moves: Callable[[], bool]) -> None:
        self.table, self._animates = table, moves
        self._skips = False
        self._resting: asyncio.Future[None] | None = None
        self._thinking: asyncio.Future[object] | None = None
        self._late = 0.0  # seconds by which the last update was late
        self.is_running = False

    def start(self) -> None:
        """Mark the table as running before :meth:`play` starts."""
        self._skips, self.is_running = False, True

    @property
    def pace(self) -> float:
        """Seconds to wait between steps; 0 if the player does not want motion."""
        return PACE if self._animates() and not self._skips else 0.0

    @property
    def thinking_time(self) -> float:
        """Seconds that the acting computer player seems to think; 0 if a human also has to act."""
        match self.table.game.turn(self.table.state):
            case AskSeats(seats) if self.pace and None not in map(self.table.players.get, seats):
                return THOUGHT
        return 0.0

    @property
    def is_spectated(self) -> bool:
        """Whether all players are computers, so that the human only watches."""
        return None not in self.table.players.values()

    @property
    def is_dealing(self) -> bool:
        """Whether cards are being dealt, or a computer player seems to think."""
        if not self.is_running:
            return False
        turn = self.table.game.turn(self.table.state)
        return isinstance(turn, NeedShoe | NeedCard) or self.thinking_time > 0

    def skip_motion(self) -> bool:
        """Skip to the player's turn; return false if nothing moves or all players are computers."""
        if self.is_dealing and self.pace and not self.is_spectated:
            self._skips = True
            _end(self._resting)
            return True
        return False

    async def play(self, thinks: Callable[[], None]) -> None:
        """Play croupier and computers until the table waits for a human.

        ``thinks`` is called when a computer player seems to begin thinking. Cancelling stops the
        table, and a later call continues. Raises
        :class:`~tui_casino.records.session_log.LogWriteError`.
        """
        table, due = self.table, 1
        self.is_running = True
        try:
            while not table.waiting:
                due -= 1
                if isinstance(table.game.turn(table.state), AskSeats):
                    due = 0
                    if thought := self.thinking_time:
                        thinks()
                    await asyncio.gather(self._await_choice(), self._rest(thought))
                table.advance()
                if due < 1 and (pace := self.pace) and not table.waiting:
                    due = await self._next_picture(pace)
        finally:
            self.is_running = False

    async def _next_picture(self, pace: float) -> int:
        """Wait until the next update is due; return how many steps of the croupier it shows."""
        dealt = not isinstance(self.table.game.turn(self.table.state), AskSeats)
        steps = min(1 + int(SLACK * self._late / pace), MOST) if dealt else 1
        due = monotonic() + steps * pace
        await self._rest(steps * pace)
        self._late = max(0.0, monotonic() - due)
        return steps + int(self._late / pace)

    async def _rest(self, seconds: float) -> None:
        """Wait for some seconds, or until the player skips; a timer is cheaper than a task."""
        if not seconds or self._skips:
            return
        loop = asyncio.get_running_loop()
        self._resting = resting = loop.create_future()
        timer = loop.call_later(seconds, _end, resting)
        try:
            await resting
        finally:
            timer.cancel()

    async def _await_choice(self) -> None:
        """Wait on a thread for the choice of a computer player, which may take long.

        A computer player that is interrupted keeps thinking, and the next call waits for the same
        result.
        """
        thinking = self._thinking
        if thinking is None:
            loop = asyncio.get_running_loop()
            thinking = self._thinking = loop.run_in_executor(None, self.table.ask)
        try:
            await asyncio.shield(thinking)
        finally:
            if thinking.done() and thinking is self._thinking:  # maybe a newer one
                self._thinking = None


def _end(resting: asyncio.Future[None] | None) -> None:
    if resting is not None and not resting.done():
        resting.set_result(None)
