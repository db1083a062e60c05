"""The pace at which a live table plays between its player's choices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, Protocol

from ...engine.game import A, AskSeats, E, O, S
from ...engine.table import Table

if TYPE_CHECKING:  # most tables are not those of a daily deal
    from ...daily.session import DailySession

PACE = 0.05
"""Seconds between two steps of the croupier."""
WATCHED = 0.4
"""Seconds before a card that the player waits to see, such as a card of the dealer's hand."""
THOUGHT = 0.4
"""The minimum seconds for which a computer player seems to think, so that play can be followed.

The last action before the player's turn can be read for as long, if the prompt would replace it.
"""
SLACK = 4
"""The minimum delay of the next update, as a multiple of how late the last update was."""
MOST = 4
"""The maximum number of steps in one update; with more steps, a deal would seem to hang."""


class Paced(Protocol):
    """The pace that a table asks for; see :class:`~tui_casino.tui.table.paced_view.PacedView`."""

    tempo: float

    @property
    def is_revealing(self) -> bool:
        """Whether the end of the round is not completely shown yet."""

    @property
    def lingers(self) -> bool:
        """Whether the last action before the player's turn stays readable for a moment."""

    def watches_next_card(self, state: Any, /) -> bool:
        """Return whether the next card is dealt slowly."""


class CardGate(Protocol):
    """The cards of a table with others, which arrive when everybody is ready."""

    @property
    def has_card(self) -> bool:
        """Whether the croupier's next step is there."""

    async def arrive(self) -> None:
        """Wait until it is."""


class Pacing(Generic[O, S, A, E]):
    """Advances a table at a visible pace, which its view sets.

    Each step of the croupier takes a fixed time and gets its own screen update, as long as the
    event loop keeps up. If the loop is late because the machine is busy, one update shows all steps
    that are due. The next update then waits longer, so that its own lateness matters less. A deal
    therefore takes hardly any longer; it only has fewer updates. A player's action always gets its
    own update. In a daily deal, the ``attempt`` makes the steps that are not choices. At a table
    with others, the croupier's steps come through the gate ``cards``.
    """

    cards: CardGate | None = None

    def __init__(
        self, table: Table[O, S, A, E], view: Paced, attempt: DailySession | None = None
    ) -> None:
        self.table, self._view, self._attempt = table, view, attempt
        self._skips = self._waited = False
        self._resting: asyncio.Future[None] | None = None
        self._thinking: asyncio.Future[object] | None = None
        self._late = 0.0  # seconds by which the last update was late
        self.is_running = False
        self.is_lingering = False
        self._acted_at: float | None = None  # when a computer player acted last

    def start(self) -> None:
        """Mark the table as running before :meth:`play` starts."""
        self._skips, self._waited, self.is_running = False, False, True

    @property
    def ended_by_itself(self) -> bool:
        """Whether the player's turn came after a wait that no key of the player ended."""
        return self._waited and not self._skips

    @property
    def pace(self) -> float:
        """Seconds to wait before the next step; 0 if motion is turned off or skipped."""
        if self._skips:
            return 0.0
        watched = self._view.watches_next_card(self.table.state)
        return self._view.tempo * (WATCHED if watched else PACE)

    @property
    def _watches(self) -> bool:
        """Whether the player waits to see the next card."""
        return self._view.watches_next_card(self.table.state) and self.pace > 0

    @property
    def thinking_time(self) -> float:
        """How many seconds the computer player seems to think; 0 if a human also has to act."""
        match self.table.game.turn(self.table.state):
            case AskSeats(seats) if self.pace and None not in map(self.table.players.get, seats):
                return self._view.tempo * THOUGHT
        return 0.0

    @property
    def lingers(self) -> bool:
        """Whether the last action of a computer player stays readable before the player's turn."""
        acted = self._acted_at is not None
        return self._view.lingers and acted and self.table.waiting and self.pace > 0

    @property
    def is_turn(self) -> bool:
        attempt = self._attempt
        steps = attempt is not None and (attempt.over or attempt.forced_action is not None)
        return self.table.waiting and not (self.lingers or steps)

    @property
    def waits_for_others(self) -> bool:
        """Whether the next card comes only once the others at the table are ready."""
        return self.cards is not None and not self.cards.has_card

    @property
    def is_reading(self) -> bool:
        """Whether any key only continues a daily deal after the end of a round or a count."""
        return self.is_lingering and self._attempt is not None

    @property
    def is_spectated(self) -> bool:
        """Whether all players are computers, so that the human only watches."""
        return None not in self.table.players.values()

    @property
    def is_dealing(self) -> bool:
        """Whether cards are dealt or computer players act, until a human's turn."""
        return self.is_running and not self.is_spectated

    @property
    def is_thinking(self) -> bool:
        """Whether computer players act, rather than the croupier."""
        return self.is_dealing and isinstance(self.table.game.turn(self.table.state), AskSeats)

    def skip_motion(self) -> bool:
        """Skip to the player's turn; return false if that turn has come."""
        if self.is_dealing:
            self._skips = True
            _end(self._resting)
        return self.is_dealing

    async def play(self, waits: Callable[[], None]) -> None:
        """Let the croupier and the computer players act until the table waits for a human.

        ``waits`` is called when the player begins to wait, for the thought of a computer player or
        for the first watched card. Cancelling stops the table, and a later call continues. Raises
        :class:`~tui_casino.records.session_log.LogWriteError`.
        """
        await self._play_on(waits)
        while (attempt := self._attempt) is not None:
            action = attempt.forced_action
            if action is None and not attempt.over:
                return
            only_continues = action and not attempt.deal.game.choices.deliberate(action)
            if attempt.round_ended or only_continues:
                await self._let_read(waits)
                attempt.begin_next()
            if attempt.over:
                return
            attempt.play_forced()
            await self._play_on(waits)

    async def _let_read(self, waits: Callable[[], None]) -> None:
        """Leave the end of a round or a count on the screen until the player presses a key.

        Otherwise a late key would act on cards that were not on the screen when it was pressed.
        """
        self._skips, self.is_running, self.is_lingering = False, True, True
        try:
            waits()
            while self._view.is_revealing:
                await asyncio.sleep(PACE)
            await self._rest(None)
        finally:
            self.is_running = self.is_lingering = False

    async def _play_on(self, waits: Callable[[], None]) -> None:
        table, due = self.table, 1
        self.is_running = True
        try:
            if watches := self._watches:
                waits()
                await self._rest(self.pace)
            while not (table.waiting or (self._attempt is not None and self._attempt.over)):
                due -= 1
                if self.cards is not None and not self.cards.has_card:
                    waits()
                    await self.cards.arrive()
                if isinstance(table.game.turn(table.state), AskSeats):
                    due = 0
                    if thought := self.thinking_time:
                        waits()
                    await asyncio.gather(self._await_choice(), self._rest(thought))
                if not table.waiting and table.ask()[0] is not None:
                    self._acted_at = monotonic()
                table.advance()
                if self._watches > watches:
                    watches = True
                    waits()
                if due < 1 and (pace := self.pace) and not table.waiting:
                    due = await self._next_picture(pace)
            if self.lingers and self._acted_at is not None:
                self.is_lingering = True
                end = self._acted_at + self._view.tempo * THOUGHT
                await self._rest(max(0.0, end - monotonic()))
        finally:
            self.is_running = self.is_lingering = False
            self._acted_at = None

    async def _next_picture(self, pace: float) -> int:
        """Wait until the next update is due; return how many steps of the croupier it shows."""
        dealt = not isinstance(self.table.game.turn(self.table.state), AskSeats)
        steps = min(1 + int(SLACK * self._late / pace), MOST) if dealt else 1
        due = monotonic() + steps * pace
        await self._rest(steps * pace)
        self._late = max(0.0, monotonic() - due)
        return steps + int(self._late / pace)

    async def _rest(self, seconds: float | None) -> None:
        """Wait for some seconds, or until the player skips; with ``None``, only until then."""
        if seconds == 0 or self._skips:
            return
        self._waited = True
        loop = asyncio.get_running_loop()
        self._resting = resting = loop.create_future()
        # a timer is cheaper than a task
        timer = None if seconds is None else loop.call_later(seconds, _end, resting)
        try:
            await resting
        finally:
            if timer is not None:
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
            if thinking.done() and thinking is self._thinking:  # this may be a newer one
                self._thinking = None


def _end(resting: asyncio.Future[None] | None) -> None:
    if resting is not None and not resting.done():
        resting.set_result(None)
