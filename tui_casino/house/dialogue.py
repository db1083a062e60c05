"""A seat's conversation with its table: a typed line in, lines of text out.

The console, the debug files and the screen's command line all speak through it.
"""

from __future__ import annotations

from typing import Generic

from ..engine.game import A, E, IllegalAction, O, Refusal, S, Seat
from ..engine.table import Table, Told
from ..gamekit.grammar import parse
from ..gamekit.parts import Parts
from ..gamekit.words import Question
from ..inputs.numbers import is_whole


class Dialogue(Generic[O, S, A, E]):
    """Speaks for one seat, and keeps its tally; without a seat named, for the first human."""

    def __init__(
        self, table: Table[O, S, A, E], parts: Parts[O, S, A, E], seat: Seat | None = None
    ) -> None:
        if seat is None:  # computers alone: listen at the first seat
            humans = [place for place, player in table.players.items() if player is None]
            seat = humans[0] if humans else next(iter(table.players))
        self.table, self.parts, self.seat = table, parts, seat
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

        Gives the answer or refusal; what an action leads to is heard by :meth:`recall`.
        """
        word = line.split()[0]
        if is_whole(word) and self.parts.number_verb is not None:
            word = self.parts.number_verb
            line = f"{word} {line}"
        try:
            if word in self.parts.words.questions:
                return self.ask(line)
            offers = self.table.game.offers(self.table.view(self.seat), self.seat)
            self.table.submit(self.seat, parse(line, self.parts.words.verbs, offers))
        except IllegalAction as refused:
            return [self.parts.words.refusal(word, refused, self.table.view(self.seat))]
        return []

    def ask(self, line: str) -> list[str]:
        """Answer a question. Raises :class:`IllegalAction` if it is none now."""
        word, *rest = line.split()
        answer = self.parts.words.questions.get(word)
        if answer is None or rest:
            raise IllegalAction(Refusal.WORDS)
        said = answer(Question(self.table.view(self.seat), self.seat, self.tally))
        if said is None:
            raise IllegalAction(Refusal.MOMENT)
        return said.split("\n")
