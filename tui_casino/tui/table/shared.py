"""A table with other people: the players, their choices, and the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from types import MappingProxyType
from typing import ClassVar

from msgspec import Struct
from rich.cells import chop_cells
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from ...engine.game import A, E, O, S, SittingOver
from ...engine.money import dollars
from ...gamekit.table_catalog import AnyTableSetup
from ...gamekit.tally import T
from ...house.phrases import PHRASES, phrase_text
from ...house.shared_seat import OtherPlayer, SharedSeat
from ...house.shared_tables import CONTINUES, STOPPED, TableNews, TablePhrase
from ...house.sitting import SittingEnding
from ...house.table_clock import clock_text
from ...house.table_commands import NOT_YOUR_TURN
from ...house.table_list import BLOCK, BLOCK_EFFECT, UNBLOCK
from ...house.visit_state import VisitState
from ...records.ledger import LedgerError
from ...structs import replace
from ..draw.look import Look, line_styles_of
from ..draw.segments import LineBuilder, text_width
from ..modals import ChoiceDialog
from ..terminal.detection import GlyphSet
from ..widgets.base_screen import BaseScreen
from ..widgets.command_line import LineSubmitted, MotionSkipped
from ..widgets.hint_line import HintMessage
from ..widgets.key_names import key_name_of_binding, pressed_key_name
from ..widgets.line_widget import ContentWidget
from ..window import ask_over
from .action_text import with_card_signs
from .face import Face
from .listed_view import PRIMARY
from .live import LiveTable
from .seated_table import GAME

TICK = 0.25
"""Seconds between two updates of the clock."""
NAME = 12
"""The columns to which a name in the game's own lines is cut."""
HURRY = 5
"""The seconds from which on the clock is red."""
MARKS = {"seated": "●", "away": "○", "computer": "■"}
PHRASE_SHOWN = 6.0
"""Seconds for which a phrase is shown."""
MUTE = "mute"
NOT_NOW = "does nothing while others choose."
COME_BACK, GIVE_UP = "back", "give-up"
LATER = "come back later: your seat and the game are kept"
FOR_GOOD = "leave for good: your seat is free again"
FOR_GOOD_WITH_OTHERS = "give the game up: it ends for the others as well"
SHOW_NONE, SHOW_AGAIN = "mute: show no phrases", "show the phrases of others again"


class PeopleScene(Struct, frozen=True):
    """The others at the table, and the seconds that a choice may still take.

    They may be those of a time bank (``is_bank``). If it ``is_offer``, a computer plays after them
    instead. The ``phrases`` that some of the others say now are by their names. If the table
    ``is_frozen``, only that is shown. In case of ``trouble``, the reason why the table waits is
    shown instead of the seconds.
    """

    people: tuple[OtherPlayer, ...] = ()
    seconds: int | None = None
    phrases: Mapping[str, str] = MappingProxyType({})
    is_offer: bool = False
    is_bank: bool = False
    is_frozen: bool = False
    trouble: str = ""

    def doing(self, person: OtherPlayer) -> str:
        """Return what a person says or has chosen; computers say nothing."""
        phrase = self.phrases.get(person.name) if person.state != "computer" else None
        return person.doing if phrase is None else f'"{phrase}"'


class PeopleLine(ContentWidget[PeopleScene]):
    """A line with the others at the table; those for whom there is no room are counted: ``+2``.

    Somebody who says something comes first if there is no room otherwise.
    """

    def __init__(self) -> None:
        super().__init__(PeopleScene(), id="people")

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, line = line_styles_of(look.palette), LineBuilder(look.tier)
        if self.content.is_frozen:
            line.put(1, STOPPED, inks.bad)
            yield line.strip(area.width)
            return
        clock = "" if self.content.seconds is None else clock_text(self.content.seconds)
        if self.content.is_offer:
            clock = f"a computer plays in {clock}"
        elif self.content.is_bank:
            clock = f"time bank {clock}"
        clock = self.content.trouble or clock
        room, x, people = area.width - len(clock) - 2, 1, self.content.people
        fitting = self._fitting(people, room)
        if any(one.name in self.content.phrases for one in people[fitting:]):
            people = tuple(sorted(people, key=lambda one: one.name not in self.content.phrases))
            fitting = self._fitting(people, room)
        for person in people[:fitting]:
            who, doing = self._texts(person)
            ink = inks.text if person.state == "seated" else inks.muted
            mark = MARKS[person.state] if look.tier is GlyphSet.UNICODE else "*"
            idle = inks.good if person.state == "seated" else inks.muted
            line.put(x, mark, inks.gold if person.is_asked else idle)
            line.put(x + 2, who, ink)
            line.add(doing, inks.gold)
            x += text_width(who + doing) + 5
        if fitting < len(people):
            line.put(x, f"+{len(people) - fitting}", inks.muted)
        if not self.content.people and self.content.is_offer:
            line.put(1, "Nobody yet; ", inks.muted)
            line.add(clock, inks.gold)
            clock = ""
        elif not self.content.people:
            line.put(1, "Nobody else is here yet.", inks.muted)
        if clock:
            hurries = (self.content.seconds or 0) <= HURRY and not self.content.is_offer
            hurries = hurries or bool(self.content.trouble)
            line.put(area.width - len(clock) - 1, clock, inks.bad if hurries else inks.gold)
        yield line.strip(area.width)

    def _texts(self, person: OtherPlayer) -> tuple[str, str]:
        doing = with_card_signs(self.content.doing(person))
        money = "" if person.cents is None else f" {dollars(person.cents)}"
        return f"{person.name}{money}", f" {doing}" if doing else ""

    def _fitting(self, people: Sequence[OtherPlayer], room: int) -> int:
        """Return how many people have room, with the number of the others behind them."""
        x = 1
        for place, person in enumerate(people):
            x += 2 + text_width("".join(self._texts(person)))
            if x + 5 * (place < len(people) - 1) > room:
                return place
            x += 3
        return len(people)


class TableWithOthers(LiveTable[O, S, A, E, T]):
    """A table at which others play as well; the ``seat`` is this player's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("semicolon", "phrases", "Phrases", id="game.phrases")
    ]

    class Told(Message):
        """The table has news; ``None`` means that nothing more is read."""

        def __init__(self, news: TableNews | None) -> None:
            super().__init__()
            self.news = news

    def __init__(
        self,
        title: str,
        face: Face[O, S, A, E, T],
        seat: SharedSeat[O, S, A, E, T],
        memory: VisitState,
    ) -> None:
        super().__init__(title, face, seat.sitting)
        self.seat, self.people = seat, PeopleLine()
        self._memory = memory
        self._others: tuple[OtherPlayer, ...] = ()
        self._why_closed = ""
        self._phrases: dict[str, tuple[str, float]] = {}  # by name, with the end of its time
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
            self.view.say(self.view.waiting_text or self.seat.waiting_text)
            self.describe()
            if self.seat.feed.is_closed:
                self.call_later(self._continue)
            await self._arrived.wait()

    def on_table_with_others_told(self, message: Told) -> None:
        """Show what the others did, and continue if this seat's time is over."""
        if message.news is None:
            self.notify("The table does not answer.", severity="error")
            return
        self._hear_phrases(message.news.phrases)
        self._show_people()
        self._arrived.set()
        self._continue()

    def await_player(self) -> None:
        """Let the player act, unless the table has continued in the meantime."""
        super().await_player()
        if (shown := self.line.current_message) is not None and shown.text in (
            NOT_NOW,
            NOT_YOUR_TURN,
        ):
            self.line.show_message(None)  # now it does something
        self._show_people()
        self.call_later(self._continue)  # once the worker that calls this has ended

    def _continue(self) -> None:
        """Play what has come, and leave a table that is closed."""
        is_closed = self.seat.feed.is_closed and not self.has_card
        ends_wait = is_closed and self.pacing.waits_for_others  # no further step will come
        if self._has_left or (self.pacing.is_running and not ends_wait):
            return
        if self.has_card:
            if self.seat.was_played:
                self.notify("Your time was over.")
            self.run_table()
        elif (ends_wait or self.table.waiting) and (why := self.seat.end()) and not self._is_over:
            self._why_closed = f"The table is closed: {why}."
            self.leave_for(None)

    async def _confirm_leave(self) -> bool:
        """Ask at a table by correspondence whether the player comes back; at others as usual."""
        if not self.seat.is_slow or self._is_over or self.seat.feed.is_closed:
            return await super()._confirm_leave()
        for_good = FOR_GOOD_WITH_OTHERS if self.seat.others() else FOR_GOOD
        choices = {COME_BACK: LATER, GIVE_UP: for_good}
        choice = await ask_over(self, ChoiceDialog(GAME, choices))
        self.seat.gives_up = choice == GIVE_UP
        return choice is not None

    def _dismiss_with(self, seating: AnyTableSetup | str | None, text: str) -> None:
        """Leave the screen; the next one shows first why the table is closed or frozen."""
        stack = self.app.screen_stack  # a dialog may still be above this screen
        below = stack[stack.index(self) - 1]
        if self.seat.feed.is_frozen:
            text = STOPPED
        elif isinstance(below, BaseScreen) and below.shows_waiting_seats:
            text = "" if self.sitting.ending is SittingEnding.BROKEN_OFF else text
        super()._dismiss_with(seating, f"{self._why_closed} {text}".strip())

    # ---- the others -------------------------------------------------------------------------

    @property
    def _is_over(self) -> bool:
        """Whether the game itself has ended, so that its last state stays on the screen."""
        return isinstance(self.table.game.turn(self.table.state), SittingOver)

    def _show_people(self) -> None:
        """Show the others; their money would tell a coup that is still dealt on the screen."""
        deals = self.pacing.is_running and not self.pacing.waits_for_others
        self._others = (deals and self._others) or self.seat.others()
        now = monotonic()
        phrases = {name: text for name, (text, end) in self._phrases.items() if end > now}
        is_frozen, was_frozen = self.seat.feed.is_frozen, self.people.content.is_frozen
        seat, trouble = self.seat, self.seat.feed.trouble
        clock = seat.seconds_left(), phrases, seat.is_offer, seat.is_in_bank
        self.people.show(PeopleScene(self._others, *clock, is_frozen, trouble))
        if was_frozen and not is_frozen and not self.seat.feed.is_closed:
            self.notify(CONTINUES)
        self._name_seats(self._others)

    def _name_seats(self, people: Iterable[OtherPlayer]) -> None:
        """Name the seats of the others in the view; somebody who has left keeps the name."""
        view = self.view
        names = {
            one.seat: chop_cells(one.short_name, NAME)[0] for one in people if one.seat is not None
        }
        if (others := {**view.info.others, **names}) != view.info.others:
            view.name_others(others)
            self.describe()
            if not self.pacing.is_running:
                view.present(view.seen)

    # ---- phrases ----------------------------------------------------------------------------

    def _hear_phrases(self, phrases: Iterable[TablePhrase]) -> None:
        """Show what others say for some seconds, unless the player has muted them."""
        end = monotonic() + PHRASE_SHOWN
        for one in phrases:
            text = phrase_text(one.phrase)
            if text is not None and not self._memory.is_muted:
                self._phrases[one.name] = text, end

    def _enter(self, request: LineSubmitted | MotionSkipped) -> None:
        """Carry out what the player has entered, but no choice while others choose.

        A choice that was kept until then would be made before the player knows what they did.
        """
        waits = self.pacing.is_dealing and self.pacing.waits_for_others
        match request:
            case MotionSkipped(event) if "phrases" in self._actions_of(event):
                self.action_phrases()
            case MotionSkipped(event) if waits and PRIMARY not in self._actions_of(event):
                self.line.show_message(HintMessage("refused", pressed_key_name(event), NOT_NOW))
            case LineSubmitted(line) if waits:
                if not self._answer_on_screen(line):
                    self._read(line)
            case _:
                super()._enter(request)

    @work(name="action_phrases", group="open")
    async def action_phrases(self) -> None:
        """Say one of the phrases to the others, or mute or block the others."""
        is_muted = self._memory.is_muted
        key = key_name_of_binding(self, "game.phrases")
        try:
            blocked = await asyncio.to_thread(self.seat.feed.blocked)
        except LedgerError:
            blocked = ()
        choices = {str(number): text for number, text in enumerate(PHRASES, 1)}
        choices[MUTE] = SHOW_AGAIN if is_muted else SHOW_NONE
        people = [one.name for one in self.seat.others() if one.state != "computer"]
        choices |= {f"{BLOCK} {name}": f"{BLOCK} {name}" for name in people if name not in blocked}
        choices |= {f"{UNBLOCK} {name}": f"{UNBLOCK} {name}" for name in blocked}
        choice = await ask_over(self, ChoiceDialog("Say to the others", choices))
        if choice is None or not self.is_alive:
            return
        message = HintMessage("told", key)
        try:
            if choice == MUTE:
                self._memory.mute(on=not is_muted)
                self._phrases.clear()
                shows = "shows the phrases of others again." if is_muted else "shows no phrases."
                message = replace(message, text=shows)
            elif not choice.isdecimal():
                verb, _, name = choice.partition(" ")
                await asyncio.to_thread(self.seat.feed.block, name, on=verb == BLOCK)
                self._phrases.pop(name, None)
                effect = BLOCK_EFFECT if verb == BLOCK else ""
                message = replace(message, text=f"{verb}s {name}{effect}.")
            else:
                await asyncio.to_thread(self.seat.feed.say, int(choice))
                message = replace(message, text=f'says "{choices[choice]}" to the others.')
        except LedgerError as error:
            message = HintMessage("refused", key, str(error))
        self._show_people()
        self.line.show_message(message)

    def on_unmount(self) -> None:
        """Stop to read the table."""
        super().on_unmount()
        self.seat.close()
