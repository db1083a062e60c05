"""A seat's dialogue with its table: it takes a typed line and returns lines of text.

The console, the debug files and the screen's command line all use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Generic

from ..engine.event_bus import TableUpdate
from ..engine.game import A, AskSeats, E, IllegalAction, O, S, Seat, is_asked
from ..engine.table import Table
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..gamekit.words import SEAT_NAMES, with_names
from .table_commands import (
    ActionCommand,
    CommandContext,
    QuestionAnswer,
    ReadCommand,
    RefusedCommand,
    read_command,
)


class Dialogue(Generic[O, S, A, E, T]):
    """The dialogue of one seat, with its tally; by default, the human's seat.

    If several humans share the keyboard, it serves each in turn (:meth:`switch_seat`) and shows
    only what an onlooker may see. ``viewer`` is the seat whose cards are shown, or ``None`` while
    everybody may look; a human who plays alone is always the viewer.

    ``names`` are the names of the humans by seat. ``prescribed`` is explained at
    :class:`~.table_commands.CommandContext`.
    """

    def __init__(
        self,
        table: Table[O, S, A, E],
        definition: GameDefinition[O, S, A, E, T],
        seat: Seat | None = None,
        *,
        prescribed: bool = False,
        names: tuple[str, ...] = (),
    ) -> None:
        humans: tuple[Seat, ...] = ()
        if seat is None:  # with only computer players, listen at the first seat
            humans = table.humans
            seat = humans[0] if humans else next(iter(table.players))
        self.table, self.definition, self.seat = table, definition, seat
        self.shared = len(humans) > 1
        self.viewer = None if self.shared else seat
        self.prescribed, self.names = prescribed, names or SEAT_NAMES
        self.others: Callable[[], Mapping[Seat, str]] = dict  # the names of people elsewhere
        self.refusal: Callable[[], str] = lambda: ""  # why no action is possible now
        self.on_action: Callable[[S, A, int], object] | None = None
        """Called after each action of the seat, with the view before it and its round."""
        self._tallies = {
            one: table.bus.accumulate(one, definition.tally(one), _add)
            for one in (humans if self.shared else (seat,))
        }
        self._lines: list[str] = []
        self._prompt_place: int | None = None  # of a prompt in the lines that is not answered yet
        listener = None if self.shared else seat
        table.bus.subscribe(listener, partial(self._say, listener))

    def _say(self, seat: Seat | None, update: TableUpdate[S, E]) -> None:
        if self._prompt_place is not None and update.actor != seat:
            del self._lines[self._prompt_place]  # it is said again after these events
        self._prompt_place = None
        for event in update.events:
            self._lines.extend(self.definition.words.lines(event, seat))
        if seat is None or not is_asked(self.definition.game.turn(update.state), seat):
            return
        if prompt := self.definition.words.prompt(update.state, seat):
            self._prompt_place = len(self._lines)
            self._lines.append(prompt)

    @property
    def tally(self) -> T:
        """The statistics of the seat."""
        return self._tallies[self.seat].value

    # ---- a shared keyboard ------------------------------------------------------------------

    @property
    def seat_to_act(self) -> Seat | None:
        """The human whose turn it is here, while the table waits for one."""
        match self.table.game.turn(self.table.state):
            case AskSeats(seats) if self.table.waiting:
                return next((seat for seat in seats if seat in self.table.humans), None)
        return None

    @property
    def hidden(self) -> bool:
        """Whether the human to act must look at secret cards, and is not yet the viewer."""
        seat = self.seat_to_act if self.shared else None
        return (
            seat is not None
            and self.definition.hot_seat.secret(self.table.state)
            and self.viewer != seat
        )

    def switch_seat(self, *, looking: bool = False) -> bool:
        """Switch to the human whose turn it is; return whether the seat or the viewer has changed.

        Only cards that everybody may see are shown, unless the player is ``looking`` at their own
        cards now or was the viewer before.
        """
        seat = self.seat_to_act if self.shared else None
        if seat is None:
            return False
        before = self.seat, self.viewer
        still_looking = self.viewer == seat and self.definition.hot_seat.secret(self.table.state)
        self.seat, self.viewer = seat, seat if looking or still_looking else None
        return before != (self.seat, self.viewer)

    def act(self, action: A) -> None:
        """Take an action for the seat. A confirmation is taken for all humans here.

        Raises the errors of :meth:`~tui_casino.engine.table.Table.submit` and of its recorder.
        """
        if self.on_action is None:
            self.table.submit(self.seat, action)
        else:
            seen, number = self.table.view(self.seat), self.tally.rounds + 1
            self.table.submit(self.seat, action)
            self.on_action(seen, action, number)
        done = {self.seat}
        while (
            self.shared
            and not self.definition.choices.deliberate(action)
            and self.seat_to_act not in {None, *done}
        ):
            seat = self.seat_to_act
            assert seat is not None
            if [offer.kind for offer in self.table.game.offers(self.table.state, seat)] != [
                type(action)
            ]:
                break
            self.table.submit(seat, action)
            done.add(seat)

    # ---- lines ------------------------------------------------------------------------------

    def listen(self) -> list[str]:
        """Let the table play until it waits, and return the new lines.

        Raises the errors of the table's recorder. After an error, the lines so far are kept for the
        next call, which also repeats the step that was not recorded.
        """
        self.table.run()
        return self.recall()

    def recall(self) -> list[str]:
        """Return the lines since the last call, without continuing play at the table."""
        lines, self._lines, self._prompt_place = self._lines, [], None
        return self.named(lines)

    def named(self, lines: Iterable[str]) -> list[str]:
        """Return lines with the names of the people at this keyboard or at the table."""
        if self.shared:
            return [with_names(line, self.names) for line in lines]
        if others := self.others():
            usual = self.definition.words.seat_names
            names = [others.get(Seat(seat), name) for seat, name in enumerate(usual)]
            return [with_names(line, names, usual) for line in lines]
        return [*lines]

    def drop_prompt(self) -> None:
        """Forget the prompt that has not been shown yet, because the program answers it itself."""
        if self._prompt_place is not None:
            del self._lines[self._prompt_place]
            self._prompt_place = None

    def answer(self, line: str) -> list[str]:
        """Carry out or answer a line, and return the new lines; ignore an empty line."""
        if not line.split():
            return []
        return [*self.listen(), *self.reply(line), *self.listen()]

    def reply(self, line: str) -> list[str]:
        """Carry out or answer a line of at least one word, without continuing play at the table.

        Returns the answer or the refusal; :meth:`recall` returns the lines of an action. A house
        command does nothing here.
        """
        match self.read(line):
            case ActionCommand(action):
                try:
                    self.act(action)
                except IllegalAction as refused:  # a table with others has continued
                    return [f"{line.split()[0]}: {refused.reason}"]
            case QuestionAnswer(_, lines):
                return [*lines]
            case RefusedCommand(_, reason):
                return [reason]
        return []

    def read(self, line: str, *, may_undo: bool = False) -> ReadCommand[A]:
        """Read a line of at least one word in the current situation."""
        check = partial(self.table.check, self.seat)
        reading = read_command(line, self.situation(may_undo=may_undo), check)
        if isinstance(reading, ActionCommand) and (reason := self.refusal()):
            word = line.split()[0]
            return RefusedCommand(word, f"{word}: {reason}")
        return reading

    def situation(self, *, may_undo: bool = False) -> CommandContext[O, S, A, E, T]:
        """Return the context in which a line would be read now."""
        view = self.table.view(self.viewer)
        return CommandContext(
            self.definition, view, self.seat, self.tally, may_undo, self.prescribed
        )


def _add(tally: T, event: E) -> T:
    return tally.add(event)
