"""A table with other people: the players, their choices, and the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import count

from msgspec import Struct
from rich.cells import chop_cells
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from ...engine.game import A, E, O, S, SittingOver
from ...engine.money import dollars
from ...gamekit.tally import T
from ...house.shared_seat import OtherPlayer, SharedSeat
from ...house.shared_tables import TableNews
from ..draw.look import Look, line_styles_of
from ..draw.segments import LineBuilder, text_width
from ..terminal.detection import GlyphSet
from ..widgets.line_widget import ContentWidget
from .action_text import with_card_signs
from .face import Face
from .live import LiveTable

TICK = 0.25
"""Seconds between two updates of the clock."""
NAME = 12
"""The columns to which a name in the game's own lines is cut."""
HURRY = 5
"""The seconds from which on the clock is red."""
MARKS = {"seated": "●", "away": "○", "computer": "■"}


class PeopleScene(Struct, frozen=True):
    """The others at the table, and the seconds that a choice may still take."""

    people: tuple[OtherPlayer, ...] = ()
    seconds: int | None = None


class PeopleLine(ContentWidget[PeopleScene]):
    """A line with the others at the table; those for whom there is no room are counted: ``+2``."""

    def __init__(self) -> None:
        super().__init__(PeopleScene(), id="people")

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, line = line_styles_of(look.palette), LineBuilder(look.tier)
        clock = "" if self.content.seconds is None else f"{self.content.seconds} s"
        room, x = area.width - len(clock) - 2, 1
        for left, person in zip(count(len(self.content.people), -1), self.content.people):
            doing = f" {with_card_signs(person.doing)}" if person.doing else ""
            money = "" if person.cents is None else f" {dollars(person.cents)}"
            who = f"{person.name}{money}"
            width = text_width(who + doing)
            if x + 2 + width + 5 * (left > 1) > room:
                line.put(x, f"+{left}", inks.muted)
                break
            ink = inks.text if person.state == "seated" else inks.muted
            mark = MARKS[person.state] if look.tier is GlyphSet.UNICODE else "*"
            line.put(x, mark, inks.good if person.state == "seated" else inks.muted)
            line.put(x + 2, who, ink)
            line.add(doing, inks.gold)
            x += width + 5
        if not self.content.people:
            line.put(1, "Nobody else is here yet.", inks.muted)
        if clock:
            hurries = (self.content.seconds or 0) <= HURRY
            line.put(area.width - len(clock) - 1, clock, inks.bad if hurries else inks.gold)
        yield line.strip(area.width)


class TableWithOthers(LiveTable[O, S, A, E, T]):
    """A table at which others play as well; the ``seat`` is this player's."""

    class Told(Message):
        """The table has news; ``None`` means that nothing more is read."""

        def __init__(self, news: TableNews | None) -> None:
            super().__init__()
            self.news = news

    def __init__(
        self, title: str, face: Face[O, S, A, E, T], seat: SharedSeat[O, S, A, E, T]
    ) -> None:
        super().__init__(title, face, seat.sitting)
        self.seat, self.people = seat, PeopleLine()
        self._arrived = asyncio.Event()
        self.pacing.cards = self
        seat.feed.told = self._hear

    def _hear(self, news: TableNews | None) -> None:
        self.post_message(self.Told(news))  # from the thread that reads the table

    def compose(self) -> ComposeResult:
        """Lay out the line with the others below the title."""
        title, *rest = super().compose()
        yield title
        yield self.people
        yield from rest

    def open_table(self) -> None:
        """Show the table and the others, and begin to read what they do."""
        super().open_table()
        self.set_interval(TICK, self._show_people)
        self._show_people()
        self.seat.feed.start()

    @property
    def welcome(self) -> str:
        """The message to a player who comes back to a seat."""
        return "You are back in your seat." if self.seat.is_continued else ""

    # ---- the cards of the table -------------------------------------------------------------

    @property
    def has_card(self) -> bool:
        """Whether the next step is there."""
        return self.seat.feed.has_next

    async def arrive(self) -> None:
        """Wait for the next step."""
        while not self.has_card:
            self._arrived.clear()
            self.view.say(self.view.waiting_text)
            await self._arrived.wait()

    def on_table_with_others_told(self, message: Told) -> None:
        """Show what the others did, and continue if this seat's time is over."""
        if message.news is None:
            self.notify("The table does not answer.", severity="error")
            return
        self._show_people()
        self._arrived.set()
        self._continue()

    def await_player(self) -> None:
        """Let the player act, unless the table has continued in the meantime."""
        super().await_player()
        self._show_people()
        self.call_later(self._continue)  # once the worker that calls this has ended

    def _continue(self) -> None:
        """Play what has come, and leave a table that is closed."""
        if self._has_left or self.pacing.is_running:
            return
        if self.has_card:
            if self.seat.was_played:
                self.notify("Your time was over.")
            self.run_table()
        elif self.table.waiting and (why := self.seat.end()) and not self._is_over:
            self.view.farewell = f"The table is closed: {why}."
            self.leave_for(None)

    # ---- the others -------------------------------------------------------------------------

    @property
    def _is_over(self) -> bool:
        """Whether the game itself has ended, so that its last state stays on the screen."""
        return isinstance(self.table.game.turn(self.table.state), SittingOver)

    def _show_people(self) -> None:
        """Show the others; their money would tell a coup that is still dealt on the screen."""
        deals = self.pacing.is_running and not self.pacing.waits_for_others
        people = (deals and self.people.content.people) or self.seat.others()
        self.people.show(PeopleScene(people, self.seat.seconds_left()))
        self._name_seats(people)

    def _name_seats(self, people: Iterable[OtherPlayer]) -> None:
        """Name the seats of the others in the view; somebody who has left keeps the name."""
        view = self.view
        names = {one.seat: chop_cells(one.name, NAME)[0] for one in people if one.seat is not None}
        if (others := {**view.info.others, **names}) != view.info.others:
            view.name_others(others)
            self.describe()
            if not self.pacing.is_running:
                view.present(view.seen)

    def on_unmount(self) -> None:
        """Stop to read the table."""
        super().on_unmount()
        self.seat.close()
