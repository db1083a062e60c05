"""The view of a game: draw the table for one seat and report the player's requests.

It knows no session, ledger or log; live tables and replays use the same view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, runtime_checkable

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widget import Widget

from ...cards.card import Card
from ...engine.game import A, E, O, S, Seat, SittingOver
from ...engine.money import dollars
from ...engine.offers import Offer, Subset
from ...gamekit.adviser import Decision
from ...gamekit.table_catalog import AnyTableSetup
from ...gamekit.tally import T
from ...structs import replace
from ..widgets.cards import CardRow, CardView
from ..widgets.hint_line import Hint, HintMessage
from ..widgets.key_bar import VERB
from ..widgets.line_widget import BlankColumn, BlankRow
from ..widgets.text_blocks import Meter, Meters, Panel, net_meter
from ..widgets.title_bar import Head, MessageLine, Note
from .listed_view import PRIMARY, ListedView
from .snapshot import SeatTotals, TableInfo, TableSnapshot


class DoActions(Struct, Generic[A], frozen=True):
    """Carry out actions one after the other, until one is refused."""

    actions: tuple[A, ...]


class EnterLine(Struct, frozen=True):
    """Carry out a line as if the player had typed it."""

    line: str


class SitDown(Struct, frozen=True):
    """Leave, and sit down again with a different seating."""

    change: Callable[[AnyTableSetup], AnyTableSetup]


class OpenWindow(Struct, frozen=True):
    """Open a page of text, or a window of the game."""

    window: Screen[Any]


class ViewChanged(Struct, frozen=True):
    """The player changed something else in the view, such as the trainer setting."""


class SelectionChanged(Struct, frozen=True):
    """The player marked or unmarked a value of the offer; the view has already drawn this."""


class TurnPage(Struct, frozen=True):
    """Show the next page of the view."""


class MotionEnded(Struct, frozen=True):
    """The animation of a showdown or a win has ended."""


class ShowRefusal(Struct, frozen=True):
    """Show why something is refused: the word or key, the reason, and what would be accepted."""

    word: str
    reason: str
    hint: str = ""


class ShowMessage(Struct, frozen=True):
    """Show a message of the view instead of the hints."""

    message: HintMessage


class EvaluateChoices(Struct, frozen=True):
    """Evaluate the choices that were postponed while the trainer was off."""


ViewRequest: TypeAlias = (
    DoActions[A]
    | EnterLine
    | SitDown
    | OpenWindow
    | ViewChanged
    | SelectionChanged
    | TurnPage
    | MotionEnded
    | ShowRefusal
    | ShowMessage
    | EvaluateChoices
)


@runtime_checkable
class ViewScreen(Protocol):
    """A screen that handles the requests of its view; other screens ignore them.

    The view calls :meth:`handle` directly. A message would wait in the screen's queue, and keys
    that were pressed after it would be handled first.
    """

    def handle(self, request: Any, /) -> None:
        """Carry out the request."""


GUESS_FIRST = Binding("g", "guess", "Guess first", show=False, id="trainer.guess")
"""The key of :meth:`TableView.action_guess` in games that do not use its letter."""


class TableView(ListedView[O, S, A, E, T], Generic[O, S, A, E, T]):
    """One game's table. A game overrides the methods under "what a game adds".

    ``seen`` is the state as the seat sees it; during :meth:`apply_event`, the state after all
    events. ``selection`` holds the values marked so far for an offer that takes several, such as
    the cards to hold. ``awaited`` is true while the table waits for its players, and ``trains``
    while the trainer is on. ``live`` is false in replays and in practice, where the table's own
    keys do nothing. ``guesses`` is true while the player has to choose without any hint, in
    practice and in a replay that hides the choices. ``rest`` is the seat's money at the end of the
    last round, and ``last_round`` the net result of that round, in the game's units.
    ``farewell`` follows the message of a player who leaves for the menu. ``bottom_line`` is the
    widget under the meters. ``viewer`` is the seat whose cards are shown, or
    ``None`` while everyone at a shared keyboard may look. Each seat has its own ``totals``.

    A binding of the group ``VERB`` appears in the hint line, under the name that
    :meth:`binding_label` returns at the moment. All others appear in the key bar.
    """

    LARGE_METERS: ClassVar[tuple[str, ...]] = ()
    """The meters that are also shown in large digits if there is room."""

    DEFAULT_CSS = """
    TableView { height: 1fr; layout: vertical; }
    TableView > .floor { height: 1fr; }
    TableView .table { width: 1fr; height: 1fr; }
    """
    SCOPED_CSS = False

    def __init__(self, info: TableInfo[O, S, A, E, T], seen: S, tally: T) -> None:
        super().__init__()
        self.info, self.definition, self.seat = info, info.definition, info.seat
        self.seen, self.tally = seen, tally
        self.earlier_tally: T | None = None  # the tally of earlier rounds at the same table
        self.selection: tuple[Any, ...] = ()
        self.viewer: Seat | None = None if info.shared else info.seat
        self.totals_by_seat: dict[Seat, SeatTotals[S, A]] = {}
        self.live = self.guesses = False
        self.farewell = ""
        self.awaited = True
        self._offered: tuple[S | None, tuple[Offer[A], ...]] = (None, ())
        self.rest = self.worth(seen)
        self.last_round: int | None = None
        self.meters = Meters(*self.LARGE_METERS)
        self.panel = Panel(*info.panel, above=self.above_panel()) if info.panel else None
        self.bottom_line: Widget | None = None
        self.prepare_list()
        self.reset()

    # ---- what a game adds -----------------------------------------------------------------

    def compose_table(self) -> ComposeResult:
        """Lay out the table, including a message line."""
        raise NotImplementedError

    def show(self, view: S) -> None:
        """Draw the state as the seat sees it."""
        raise NotImplementedError

    def above_panel(self) -> Widget | None:
        return None

    def apply_event(self, event: E) -> None:
        """Update the view for an event; the new state is shown afterwards."""

    def reset(self) -> None:
        """Clear what events have left in the view, at the start and after a jump in a replay."""

    def subtitle(self) -> str:
        return ""

    @property
    def evaluated_cards(self) -> Widget | None:
        """The widget with the cards that the figures describe; the odds window keeps it visible."""
        return None

    def notes(self) -> tuple[Note, ...]:
        return ()

    def column_heads(self) -> tuple[Head, ...]:
        """Return the headings of columns that begin directly below the title."""
        return ()

    def refused(self, line: str, word: str, reason: str) -> ShowRefusal:
        """Return why a typed line or an action was refused, and what would be accepted."""
        return ShowRefusal(word, reason.removeprefix(f"{word}: "))

    def meter_readings(self, view: S) -> Iterable[Meter]:
        """Return the meters: the credit, and the net of the last round."""
        return (self.credit(view), self.last_net())

    def name_of_action(self, action: A) -> str:
        """Return the current name of an action, with its amount: ``Call 20``.

        It is short, for the hint line and the palette; the default is the action's class name.
        """
        return type(action).__name__

    def meaning(self, action: A) -> str:
        """Describe in more words what an action would do, while the player is typing it."""
        return (name := self.name_of_action(action))[:1].lower() + name[1:]

    def event_lines(self, event: E) -> tuple[str, ...]:
        """Return the lines that describe an event, or nothing if the event needs no description."""
        return self.definition.words.lines(event, self.seat)

    def name_of_seat(self, seat: int) -> str:
        return (self.info.players.get(Seat(seat)) or f"seat {seat}").capitalize()

    def describe_position(self, view: S) -> str:
        """Describe the position in a few symbols: the seat's cards, and the opposing cards."""
        return ""

    @property
    def answers(self) -> tuple[str, ...]:
        """The actions that answer the current question; their hints come before that of Space."""
        return ()

    def prompt(self, view: S) -> str:
        """Return what the player can do now."""
        return ""

    def result(self, view: S) -> str:
        """Return the result of the last round, without a full stop; empty if there was no round."""
        return ""

    def show_prompt(self, view: S) -> None:
        """Show the prompt when the table waits for the player; a game may show more."""
        self.say(self.prompt(view))

    def show_ending(self, reason: str) -> None:
        """Show the last result, and the reason why the session is over."""
        result = self.result(self.seen)
        over = f"{f'{result}. Over' if result else 'The game is over'}: {reason}."
        room = self.message.size.width or self.app.size.width
        fits = len(over) + 2 <= room
        self.say(over if fits else f"Over: {reason}.", "bad")

    def turn_page(self) -> None:
        """Show the next page after the player has read this one."""

    def show_decision(self, decision: Decision[S, A]) -> None:
        """Show the cost of a choice; called in order, but not if the player has chosen again."""

    def before_action(self, action: A) -> None:
        """Take note of an available action before it is carried out or held back."""
        if self.keeps_list:
            self.keep_ranking(action)

    def after_action(self, action: A) -> None:
        """Update the view after an action of this seat."""

    def click_card(self, place: int, card: Card | None) -> None:
        """Handle a click on a card; ``place`` counts the cards of its row from 1."""

    def show_selection(self) -> None:
        """Redraw the view after the selection has changed."""
        self.present(self.seen)

    @property
    def primary(self) -> ViewRequest[A] | None:
        """The request that Space makes, unless it is simply the first offer."""
        return None

    @property
    def primary_name(self) -> str:
        """The name of Space's action, if the game sets :attr:`primary`."""
        return "New session"

    @property
    def openers(self) -> tuple[Hint, ...]:
        """The hints of typed actions, whose keys open the command line and are not bindings."""
        return ()

    @property
    def number_word(self) -> str:
        """The command that a typed number belongs to now; a digit starts this command."""
        return ""

    @property
    def recent_lines(self) -> tuple[str, ...]:
        """The lines that a section of the panel may show, such as a list of events."""
        return ()

    def show_moment(self) -> None:
        """Draw the present frame of a showdown or a win; a game may draw less."""
        self.present(self.seen)
        self.show_prompt(self.seen)

    def motion_ended(self) -> None:
        """Let the screen show the changes that it held back during the animation."""
        self.request(MotionEnded())

    # ---- the viewer -----------------------------------------------------------------------

    def change_seat(self, seat: Seat, eyes: Seat | None) -> None:
        """Show the table for this seat of a shared keyboard; ``eyes`` is the new ``viewer``."""
        self.info = replace(self.info, seat=seat)
        self.seat, self.viewer, self.selection, self._offered = seat, eyes, (), (None, ())

    @property
    def waiting_text(self) -> str:
        """The text of the message line while others choose, instead of their names."""
        return ""

    def name_others(self, names: Mapping[Seat, str]) -> None:
        """Name people elsewhere who play at this table, by seat; nothing is drawn."""
        self.info = replace(self.info, others=names)

    @property
    def totals(self) -> SeatTotals[S, A]:
        return self.totals_by_seat.get(self.seat) or SeatTotals()

    @totals.setter
    def totals(self, journal: SeatTotals[S, A]) -> None:
        self.totals_by_seat[self.seat] = journal

    # ---- layout and meters ----------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the game's own part, the panel next to it, and the meters below."""
        with BlankRow(classes="floor"):
            with BlankColumn(classes="table"):
                yield from self.compose_table()
                if self.usual_list is not None:
                    yield self.usual_list
            if self.panel is not None:
                yield self.panel
        yield self.meters
        if self.bottom_line is not None:
            yield self.bottom_line

    def worth(self, view: S) -> int:
        """Return the seat's money, both free and at stake, in the game's units."""
        money = self.definition.game.money(view, self.info.seat)
        return money.free + money.staked

    def money(self, amount: int) -> str:
        """Format an amount in the game's units as its players write it, without a sign."""
        return dollars(abs(amount)) if self.definition.game.unit == 1 else f"{abs(amount):,}"

    def credit(self, view: S) -> Meter:
        free = self.definition.game.money(view, self.info.seat).free
        return Meter("credit", self.money(free), "gold" if free else "bad")

    def last_net(self) -> Meter:
        """Return the meter of the last round's net result; it stays until the next round ends."""
        return net_meter("last round", self.last_round, self.money(self.last_round or 0))

    def mistakes(self) -> tuple[Meter, ...]:
        """Return the meter of this session's mistakes while the trainer is on."""
        if not self.trains:
            return ()
        count = self.totals.mistakes
        cost = f"cost {self.totals.displayed_cost(self.definition.in_units):.2f}" if count else ""
        return (Meter("mistakes", self.totals.displayed_mistakes, "", cost),)

    def present(self, view: S) -> None:
        """Draw the state as the seat sees it, and its meters."""
        self.begin_analysis(view)
        self.show(view)
        self.show_usual_list()
        self.meters.show(self.meter_readings(view))

    @property
    def ascii_only(self) -> bool:
        """Whether the terminal shows ASCII characters only."""
        return self.app.has_class("-ascii")

    @property
    def separator(self) -> str:
        """The separator between the parts of a line."""
        return " - " if self.ascii_only else " · "

    def say(self, text: str, kind: str = "", shorter: Iterable[str] = ()) -> None:
        """Show a text in the message line; see :meth:`.MessageLine.say`."""
        if self.is_mounted:
            self.message.say(text, kind, shorter)

    def show_offer(self, offer: tuple[str, ...]) -> bool:
        """Show an offer in the message line; return true if it was there already."""
        was_shown = self.message.text == offer[0]
        self.say(offer[0], "", offer[1:])
        return was_shown

    @cached_property
    def message(self) -> MessageLine:
        return self.query_one(MessageLine)

    def snapshot(self) -> TableSnapshot[S, A, T]:
        return TableSnapshot(
            self.seen,
            self.seat,
            self.tally if self.earlier_tally is None else self.earlier_tally + self.tally,
            self.selection,
            self.totals,
            self.recent_lines,
            self.ascii_only,
            self.weighs,
            bool(self.definition.unaided),
        )

    # ---- available actions ----------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the session has ended by the rules of the game."""
        return isinstance(self.definition.game.turn(self.seen), SittingOver)

    @property
    def offers(self) -> tuple[Offer[A], ...]:
        """The actions available to the seat, or an empty tuple while other players act."""
        if not self.awaited:
            return ()
        state, offers = self._offered
        if state is not self.seen:
            offers = self.definition.game.offers(self.seen, self.seat)
            self._offered = self.seen, offers
        return offers

    def is_offered(self, kind: Callable[..., A]) -> bool:
        """Return whether an action of this kind is available now."""
        return any(offer.kind is kind and not offer.barred for offer in self.offers)

    @property
    def default_actions(self) -> tuple[A, ...]:
        """The actions of Space: by default the first offer, with the marked or the usual values."""
        match self.primary:
            case DoActions(actions):
                return actions
            case None:
                actions_made = (self.build_action(offer) for offer in self.offers[:1])
                return tuple(action for action in actions_made if action is not None)
        return ()

    def build_action(self, offer: Offer[A]) -> A | None:
        """Build an offer's action from the marked or the usual values, if they are valid."""
        usual = (self.selection,) if self.open_slot() in offer.domains else (offer.defaults or ())
        if offer.barred or len(usual) != len(offer.domains):
            return None
        return action if offer.contains(action := offer.kind(*usual)) else None

    def binding_label(self, action: str) -> str | None:
        """Return the current name of a binding's action, or ``None`` for the binding's own name.

        An empty name hides the binding, as that of a word that does the same as Space.
        """
        if action == "guess" and self.guesses_first:
            return "Show figures first"
        usual_actions = self.default_actions
        if action == PRIMARY:
            if usual_actions:
                return self.name_of_action(usual_actions[-1])
            return self.primary_name if self.primary else None
        if action.startswith("word("):
            kind = self.definition.words.verbs.get(action[6:-2])
            for offer in self.offers:
                if offer.kind is kind and (offered := self.build_action(offer)) is not None:
                    return "" if (offered,) == usual_actions else self.name_of_action(offered)
        return None

    def digits(self, action: str) -> int | None:
        """Return the last digit that has an effect now, among the digits that share an action.

        ``None`` means all of them.
        """
        return None

    def open_slot(self) -> Subset | None:
        """Return the slot for which the player marks several values, if an offer has one."""
        slots = (slot for offer in self.offers for slot in offer.domains)
        return next((slot for slot in slots if isinstance(slot, Subset)), None)

    def mark(self, value: object) -> bool:
        """Mark or unmark a value of the open slot; return false if the slot lacks this value."""
        slot = self.open_slot()
        if slot is None or value not in slot.values:
            return False
        marked = {*self.selection} ^ {value}
        if len(marked) > max(slot.maximum, len(self.selection)):
            self.refuse(str(value), f"you can mark at most {slot.maximum}")
            return True
        if self.message.is_warning:
            self.show_prompt(self.seen)
        self.selection = tuple(v for v in slot.values if v in marked)
        self.show_selection()
        self.request(SelectionChanged())
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out the keys whose command is not available now."""
        if action == "word" and parameters:
            kind = self.definition.words.verbs.get(str(parameters[0]))
            return True if kind is None or self.is_offered(kind) else None
        if action == "guess":
            return False if not self.definition.adviser.has_judge else True if self.trains else None
        return True

    def action_guess(self) -> None:
        """Hide the trainer's figures until a choice is made, or show them first."""
        self.guesses_first = not self.guesses_first
        self.present(self.seen)
        if self.awaited:
            self.show_prompt(self.seen)
        self.request(ViewChanged())
        self.refresh_bindings()

    def action_word(self, word: str) -> None:
        """Run a command without arguments, by its key."""
        self.type(word)

    def on_card_view_pressed(self, message: CardView.Pressed) -> None:
        """Pass a click on a card to the game, with its place in the row."""
        for row in self.query(CardRow):
            if message.view in row.views:
                self.click_card(row.views.index(message.view) + 1, message.view.card)

    def request(self, request: ViewRequest[A]) -> None:
        """Pass a request to the screen, if the screen handles requests of its view."""
        if self.is_attached and isinstance(screen := self.screen, ViewScreen):
            screen.handle(request)

    def refuse(self, word: str, reason: str, hint: str = "") -> None:
        """Show in the hint line why something is refused, and what would be accepted."""
        self.request(ShowRefusal(word, reason, hint))

    def show_message(self, message: HintMessage) -> None:
        """Show a message instead of the hints, until a key is pressed."""
        self.request(ShowMessage(message))

    def disabled_reason(self, action: str, parameters: tuple[object, ...]) -> str:
        """Return why a greyed-out key is disabled, or nothing if its command gives the reason."""
        if action == "guess":
            off = "the trainer is off: t switches it on."
            return "the advice comes after your choice." if self.guesses else off
        return ""

    def act(self, *actions: A) -> None:
        """Request these actions, one after the other."""
        self.request(DoActions(actions))

    def type(self, line: str) -> None:
        """Request that a line be carried out as if the player had typed it."""
        self.request(EnterLine(line))

    def open(self, window: Screen[Any]) -> None:
        """Request a window of the game, or a page of text."""
        self.request(OpenWindow(window))


def word_bindings(*words: tuple[str, str, bool]) -> Iterator[Binding]:
    """Yield bindings for commands without arguments, given word, action name, and visibility."""
    for word, name, shown in words:
        key = {"$": "dollar_sign"}.get(word, word)
        yield Binding(key, f"word('{word}')", name, show=shown, id=f"word.{word}", group=VERB)
