"""A seat's conversation with its table: a typed line in, lines of text out.

The console, the debug files and the screen's command line all speak through it.
"""

from __future__ import annotations

from typing import Generic

from ..engine.game import A, E, O, S, Seat
from ..engine.table import Table, Told
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from .reader import Act, Answer, Reading, Refused, Situation, read


class Dialogue(Generic[O, S, A, E, T]):
    """Speaks for one seat, and keeps its tally; without a seat named, for the first human.

    ``prescribed`` words are read as they are written, see :class:`~.reader.Situation`.
    """

    def __init__(
        self,
        table: Table[O, S, A, E],
        parts: Parts[O, S, A, E, T],
        seat: Seat | None = None,
        *,
        prescribed: bool = False,
    ) -> None:
        if seat is None:  # computers alone: listen at the first seat
            humans = [place for place, player in table.players.items() if player is None]
            seat = humans[0] if humans else next(iter(table.players))
        self.table, self.parts, self.seat = table, parts, seat
        self.prescribed = prescribed
        self.tally = parts.tally(seat)
        self._said: list[str] = []
        table.subscribe(seat, self._hear)

    def _hear(self, told: Told[S, E]) -> None:
        for event in told.events:
            self.tally = self.tally.add(event)
            self._said.extend(self.parts.words.lines(event, self.seat))

    def listen(self) -> list[str]:
        """Let the table play on until it waits, and give what was said meanwhile.

        Raises what the table's recorder raises; what was said before that is kept for the next
        call, and the step that was not recorded is played then.
        """
        self.table.run()
        return self.recall()

    def recall(self) -> list[str]:
        """Give what was said since the last time, without playing on."""
        said, self._said = self._said, []
        return said

    def answer(self, line: str) -> list[str]:
        """Do or answer what a line asks, and give what is said to it: nothing if it is empty."""
        if not line.split():
            return []
        return [*self.listen(), *self.reply(line), *self.listen()]

    def reply(self, line: str) -> list[str]:
        """Do or answer what a line of at least a word asks, without playing on.

        Gives the answer or refusal; what an action leads to is heard by :meth:`recall`. A word
        for the house is nothing that a table can do.
        """
        match self.read(line):
            case Act(action):
                self.table.submit(self.seat, action)
            case Answer(_, lines):
                return [*lines]
            case Refused(_, why):
                return [why]
        return []

    def read(self, line: str, *, takes_back: bool = False) -> Reading[A]:
        """Read a line of at least a word at this moment."""
        return read(line, self.situation(takes_back=takes_back))

    def situation(self, *, takes_back: bool = False) -> Situation[O, S, A, E, T]:
        """Give the moment at which a line would be read now."""
        view = self.table.view(self.seat)
        return Situation(self.parts, view, self.seat, self.tally, takes_back, self.prescribed)
