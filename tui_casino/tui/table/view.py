"""The view of a game: a widget that draws what a seat sees, and tells what its player wants.

It knows no sitting, no ledger and no log; live tables and recordings hold the same view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget

from ...cards.card import Card
from ...engine.chance import SourceSpec
from ...engine.croupier import CroupierSpec
from ...engine.game import A, E, O, S, Seat, SittingOver
from ...engine.money import dollars
from ...engine.offers import Offer, Subset
from ...gamekit.adviser import Decision
from ...gamekit.definition import GameDefinition
from ...gamekit.tally import T
from ..widgets.cards import CardRow, CardView
from ..widgets.hint_strips import Hint, HintMessage
from ..widgets.key_bar import VERB
from ..widgets.meters import Meter, Meters, net_meter
from ..widgets.panel import Panel
from ..widgets.title_bar import Head, MessageLine, Note
from .snapshot import SeatTotals, TableSnapshot
from .view_requests import (
    DoActions,
    EnterLine,
    OpenWindow,
    SelectionChanged,
    ShowMessage,
    ShowRefusal,
    ViewRequest,
    ViewScreen,
)

PRIMARY = "screen.primary"
"""The action of Space."""


@dataclass(frozen=True, slots=True)
class TableInfo(Generic[O, S, A, E, T]):
    """What a view is told of its table once: the game, the options, who sits where, the cards.

    ``players`` are the computer players' names by seat, ``None`` for humans; ``panel`` the titles
    of what stands in the panel beside the table, ``here`` the player's own folder, if he has one.
    ``shared`` tells that several humans play at this keyboard, ``seat`` being one of them,
    ``posed`` that nothing is played: one chooses once, and nothing is to be told before.
    """

    definition: GameDefinition[O, S, A, E, T]
    options: O
    seat: Seat
    players: Mapping[Seat, str | None]
    origin: SourceSpec
    croupier: CroupierSpec
    panel: tuple[str, ...] = ()
    here: Path | None = None
    shared: bool = False
    posed: bool = False


class TableView(Widget, Generic[O, S, A, E, T]):
    """One game's table. A game overrides what stands under "what a game adds".

    ``seen`` is the state as the seat sees it, while something is told as it was then. ``draft``
    are the values marked so far for the offer of several values that is open now, such as the
    cards to hold. ``moves`` tells whether things may move, ``awaited`` whether the table waits for
    its players, ``weighs`` whether the trainer is on: whether the player wants to be told before
    acting. ``live`` is false at recordings and in practice, where the table's own keys do nothing.
    ``rest`` is the seat's money when a round ended last, ``last_round`` what that round
    brought, in the game's units; ``last_line`` stands under the meters.
    ``eyes`` are those that look: the seat's, or ``None`` while all who share the keyboard may look;
    each of them has a ``journal`` of his own.

    A binding of the group ``VERB`` is a deed: it stands in the hint line, by the name that
    :meth:`called` gives what it would do now. All others stand in the footer.
    """

    LARGE_METERS: ClassVar[tuple[str, ...]] = ()
    """The meters that are large digits, too, where there is room."""

    DEFAULT_CSS = """
    TableView { height: 1fr; layout: vertical; }
    TableView > .floor { height: 1fr; }
    TableView .table { width: 1fr; height: 1fr; }
    """
    SCOPED_CSS = False

    def __init__(self, facts: TableInfo[O, S, A, E, T], seen: S, tally: T) -> None:
        super().__init__()
        self.facts, self.definition, self.seat = facts, facts.definition, facts.seat
        self.seen, self.tally = seen, tally
        self.earlier: T | None = None  # the tally of the rounds before, at the same table
        self.draft: tuple[Any, ...] = ()
        self.eyes: Seat | None = None if facts.shared else facts.seat
        self.journals: dict[Seat, SeatTotals[S, A]] = {}
        self.moves = self.weighs = self.live = False
        self.awaited = True
        self._offered: tuple[S | None, tuple[Offer[A], ...]] = (None, ())
        self.rest = self.worth(seen)
        self.last_round: int | None = None
        self.meters = Meters(*self.LARGE_METERS)
        self.panel = Panel(*facts.panel, above=self.above_panel()) if facts.panel else None
        self.last_line: Widget | None = None
        self.forget()

    # ---- what a game adds -----------------------------------------------------------------

    def compose_table(self) -> ComposeResult:
        """Lay out the table, with a message line somewhere."""
        raise NotImplementedError

    def show(self, view: S) -> None:
        """Draw the state as the seat sees it."""
        raise NotImplementedError

    def above_panel(self) -> Widget | None:
        """Make a widget that stands above the texts of the side panel."""
        return None

    def told(self, event: E) -> None:
        """Take note of something that happened; the new state is shown after it."""

    def forget(self) -> None:
        """Be as if nothing had been told yet: so all begins, and so a recording is leafed in."""

    def subtitle(self) -> str:
        """Say what stands beside the game's name in the title."""
        return ""

    @property
    def weighed(self) -> Widget | None:
        """The cards that the figures are about: a page of these leaves them to be seen."""
        return None

    def notes(self) -> tuple[Note, ...]:
        """Say what stands at the right of the title, beside what every table has there."""
        return ()

    def heads(self) -> tuple[Head, ...]:
        """Give the heads of columns that begin right below the title."""
        return ()

    def refused(self, line: str, word: str, why: str) -> ShowRefusal:
        """Say why a typed line, or an action by its word, was refused, and what would be right."""
        return ShowRefusal(word, why.removeprefix(f"{word}: "))

    def readings(self, view: S) -> Iterable[Meter]:
        """Give the meters: the money at this table, and what the last round brought."""
        return (self.credit(view), self.last_net())

    def named(self, action: A) -> str:
        """Return the name of an action at this moment, with its sum: ``Call 20``.

        Short, for the hint line and the palette. By default it is the name of the action's class.
        """
        return type(action).__name__

    def meaning(self, action: A) -> str:
        """Say what an action would do, in more words, while it is typed."""
        name = self.named(action)
        return name[:1].lower() + name[1:]

    def heard(self, event: E) -> tuple[str, ...]:
        """Say what happened as this table does; nothing if it is not worth a line."""
        return self.definition.words.lines(event, self.seat)

    def name_of_seat(self, seat: int) -> str:
        """Name another seat."""
        return (self.facts.players.get(Seat(seat)) or f"seat {seat}").capitalize()

    def standing(self, view: S) -> str:
        """Say from what the seat has to choose, in a few signs: its cards, and what they face."""
        return ""

    @property
    def lead(self) -> str:
        """The action of the binding that leads the hint line, where space does nothing now."""
        return PRIMARY

    @property
    def answers(self) -> tuple[str, ...]:
        """The actions of the bindings that answer what is asked now, and stand before Space."""
        return ()

    def prompt(self, view: S) -> str:
        """Say what the player can do now."""
        return ""

    def result(self, view: S) -> str:
        """Say how the last round ended, without a full stop; nothing if there was none."""
        return ""

    def waits(self, view: S) -> None:
        """Say what to do when the player is asked; a game may say more."""
        self.say(self.prompt(view))

    def ends(self, why: str) -> None:
        """Say how the last round ended, and why nothing more is played here."""
        result = self.result(self.seen)
        over = f"{f'{result}. Over' if result else 'The game is over'}: {why}."
        room = self.message.size.width or self.app.size.width
        fits = len(over) + 2 <= room
        self.say(over if fits else f"Over: {why}.", "bad")

    def turn_page(self) -> None:
        """Show what comes after that which the player has read."""

    def judged(self, decision: Decision[S, A]) -> None:
        """Show the cost of a choice. Called in the order of choices; skips overtaken ones."""

    def warning(self, action: A) -> Callable[[], str | None] | None:
        """Give what works out, off the loop, what speaks against an action that is on offer.

        It says so, and the action is held back this once; ``None`` where there is nothing to ask.
        """
        return None

    def done(self, action: A) -> None:
        """Take note of an action of this seat that was done."""

    def pressed(self, place: int, card: Card | None) -> None:
        """Do what a click on a card means, by its place in its row, counted from 1."""

    def drafted(self) -> None:
        """Draw the marks of the draft, which have changed."""
        self.present(self.seen)

    @property
    def primary(self) -> ViewRequest[A] | None:
        """What Space wants, where that is not simply the first offer."""
        return None

    @property
    def primary_name(self) -> str:
        """What Space does, where :attr:`primary` is a wish of the game's own."""
        return "Sit down again"

    @property
    def openers(self) -> tuple[Hint, ...]:
        """The deeds whose words are typed: their keys open the line, and are no bindings."""
        return ()

    @property
    def number_word(self) -> str:
        """The command that a typed number belongs to now: a digit opens the line with it."""
        return ""

    @property
    def story(self) -> tuple[str, ...]:
        """Lines that a section of the panel may show, such as a log."""
        return ()

    def finish_motion(self) -> bool:
        """End what moves by itself within the view; true if something did."""
        return False

    # ---- who looks ------------------------------------------------------------------------

    def sits(self, seat: Seat, eyes: Seat | None) -> None:
        """Speak for this seat of those that share the keyboard, and be looked at by these eyes."""
        self.facts = replace(self.facts, seat=seat)
        self.seat, self.eyes, self.draft, self._offered = seat, eyes, (), (None, ())

    @property
    def journal(self) -> SeatTotals[S, A]:
        """What the rounds and choices of the seat have come to."""
        return self.journals.get(self.seat) or SeatTotals()

    @journal.setter
    def journal(self, journal: SeatTotals[S, A]) -> None:
        self.journals[self.seat] = journal

    # ---- what it has ----------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the game's own part, and the panel beside it, over the meters."""
        with Horizontal(classes="floor"):
            with Vertical(classes="table"):
                yield from self.compose_table()
            if self.panel is not None:
                yield self.panel
        yield self.meters
        if self.last_line is not None:
            yield self.last_line

    def worth(self, view: S) -> int:
        """Give the seat's money, free and staked, in the game's units."""
        money = self.definition.game.money(view, self.facts.seat)
        return money.free + money.staked

    def money(self, amount: int) -> str:
        """Write an amount in the game's units as its players do, without a sign."""
        return dollars(abs(amount)) if self.definition.game.unit == 1 else f"{abs(amount):,}"

    def credit(self, view: S) -> Meter:
        """Give the meter of the money at hand."""
        free = self.definition.game.money(view, self.facts.seat).free
        return Meter("credit", self.money(free), "gold" if free else "bad")

    def last_net(self) -> Meter:
        """Give the meter of what the last round brought; it stays until the next one ends."""
        return net_meter("last round", self.last_round, self.money(self.last_round or 0))

    def mistakes(self) -> tuple[Meter, ...]:
        """Give the meter of the mistakes of this sitting, while the trainer is on."""
        made, cost = self.journal.mistakes, self.journal.cost
        if not self.weighs:
            return ()
        cents = self.definition.game.unit == 1 and not self.definition.points
        spent = float(cost) / (100 if cents else 1)
        return (Meter("mistakes", str(made), "", f"cost {spent:.2f}" if made else ""),)

    def present(self, view: S) -> None:
        """Draw the state as the seat sees it, and its meters."""
        self.show(view)
        self.meters.read(self.readings(view))

    @property
    def ascii_only(self) -> bool:
        """Whether the terminal has plain characters only."""
        return self.app.has_class("-ascii")

    @property
    def between(self) -> str:
        """What stands between the parts of a line."""
        return " - " if self.ascii_only else " · "

    def say(self, text: str, kind: str = "") -> None:
        """Put a line into the message line; ``kind`` is ``win``, ``bad`` or nothing."""
        if self.is_mounted:
            self.message.say(text, kind)

    @cached_property
    def message(self) -> MessageLine:
        """The message line."""
        return self.query_one(MessageLine)

    def glance(self) -> TableSnapshot[S, A, T]:
        """Give the whole situation as a value."""
        return TableSnapshot(
            self.seen,
            self.seat,
            self.tally if self.earlier is None else self.earlier + self.tally,
            self.draft,
            self.journal,
            self.story,
            self.ascii_only,
            self.weighs,
        )

    # ---- what may be done -----------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the sitting has come to its own end."""
        return isinstance(self.definition.game.turn(self.seen), SittingOver)

    @property
    def offers(self) -> tuple[Offer[A], ...]:
        """What the seat may do; nothing while the table plays on."""
        if not self.awaited:
            return ()
        state, offers = self._offered
        if state is not self.seen:
            offers = self.definition.game.offers(self.seen, self.seat)
            self._offered = self.seen, offers
        return offers

    def can(self, kind: Callable[..., A]) -> bool:
        """Tell whether an action of this kind can be done now."""
        return any(offer.kind is kind and not offer.barred for offer in self.offers)

    @property
    def usual(self) -> tuple[A, ...]:
        """What Space does now: the first thing on offer, as marked, or as usual."""
        match self.primary:
            case DoActions(actions):
                return actions
            case None:
                made = (self.made(offer) for offer in self.offers[:1])
                return tuple(action for action in made if action is not None)
        return ()

    def made(self, offer: Offer[A]) -> A | None:
        """Make the action of an offer with the values marked, or the usual ones, if it is whole."""
        usual = (self.draft,) if self.open_slot() in offer.domains else (offer.defaults or ())
        if offer.barred or len(usual) != len(offer.domains):
            return None
        return action if offer.contains(action := offer.kind(*usual)) else None

    def called(self, action: str) -> str | None:
        """Say what the action of a binding is called now, if not by the binding's own name.

        Nothing at all for a deed that has no place here.
        """
        if action == PRIMARY:
            if deeds := self.usual:
                return self.named(deeds[-1])
            return self.primary_name if self.primary else None
        if action.startswith("word("):
            kind = self.definition.words.verbs.get(action[6:-2])
            for offer in self.offers:
                if offer.kind is kind and (deed := self.made(offer)) is not None:
                    return self.named(deed)
        return None

    def digits(self, action: str) -> int | None:
        """Say up to which digit those that share an action do something now, if not up to all."""
        return None

    def open_slot(self) -> Subset | None:
        """Give the slot whose several values are being marked."""
        slots = (slot for offer in self.offers for slot in offer.domains)
        return next((slot for slot in slots if isinstance(slot, Subset)), None)

    def mark(self, value: object) -> bool:
        """Mark a value of the open slot, or take the mark away; false if there is none."""
        slot = self.open_slot()
        if slot is None or value not in slot.values:
            return False
        marked = {*self.draft} ^ {value}
        if len(marked) > max(slot.maximum, len(self.draft)):
            self.refuse(str(value), f"no more than {slot.maximum} here")
            return True
        if self.message.refuses:
            self.waits(self.seen)
        self.draft = tuple(v for v in slot.values if v in marked)
        self.drafted()
        self.request(SelectionChanged())
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the keys whose command is not on offer now."""
        if action == "word" and parameters:
            kind = self.definition.words.verbs.get(str(parameters[0]))
            return True if kind is None or self.can(kind) else None
        return True

    def action_word(self, word: str) -> None:
        """Do a command that needs no words, by its key."""
        self.type(word)

    def on_card_view_pressed(self, message: CardView.Pressed) -> None:
        """Tell the game which place of which row was clicked on."""
        for row in self.query(CardRow):
            if message.view in row.views:
                self.pressed(row.views.index(message.view) + 1, message.view.card)

    def request(self, request: ViewRequest[A]) -> None:
        """Have the screen do what the player wants, if it is one at which somebody plays."""
        if self.is_attached and isinstance(screen := self.screen, ViewScreen):
            screen.handle(request)

    def refuse(self, word: str, why: str, right: str = "") -> None:
        """Say in the hint line why something cannot be done, and what would be right."""
        self.request(ShowRefusal(word, why, right))

    def tell(self, said: HintMessage) -> None:
        """Say something in place of the hints, until a key is pressed."""
        self.request(ShowMessage(said))

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Say why the action of a greyed key cannot be done now; nothing where a word says it."""
        return ""

    def act(self, *actions: A) -> None:
        """Want to do this, and this after it."""
        self.request(DoActions(actions))

    def type(self, line: str) -> None:
        """Want what a typed line says."""
        self.request(EnterLine(line))

    def open(self, window: Screen[Any]) -> None:
        """Want to see a window of the game's own, or a page of text."""
        self.request(OpenWindow(window))


def word_bindings(*words: tuple[str, str, bool]) -> Iterator[Binding]:
    """Give bindings for a game's words that act at once: word, what it is called, shown."""
    for word, description, shown in words:
        key = {"$": "dollar_sign"}.get(word, word)
        yield Binding(
            key, f"word('{word}')", description, show=shown, id=f"word.{word}", group=VERB
        )
