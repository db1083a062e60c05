"""The view of cribbage: board, discards, play and count, one's own hand, and the other's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer

from ....cards.card import BACK, Card
from ....engine.game import Seat
from ....engine.offers import Offer
from ....tui.modals import Page as Window
from ....tui.table.asking import Asking
from ....tui.table.glance import Judged
from ....tui.table.view import (
    PRIMARY,
    Changes,
    Facts,
    SitsDown,
    TableView,
    Turns,
    Wish,
    words_bindings,
)
from ....tui.widgets.bars import MessageLine, Note, capital
from ....tui.widgets.hints import Hint
from ....tui.widgets.key_bar import VERB
from ....tui.widgets.meters import Meter
from ..machine.moves import (
    Action,
    CardDealt,
    Count,
    Discard,
    Event,
    HandCounted,
    Laid,
    Lay,
    Next,
    Part,
    RoundBegun,
    Scored,
)
from ..machine.rules import DEALT
from ..machine.state import FIRST_DEALER, Counting, Form, Options, Phase, State
from . import scenes
from .counts import Counts
from .log import log_lines
from .names import Names
from .pages import Page
from .panel import verdict
from .show import Show
from .spoken import in_words, name_of
from .tables import java_source
from .tally import Tally
from .telling import about, sentences
from .widgets.far import FarHand
from .widgets.own_hand import OwnHand
from .widgets.upper import Upper

if TYPE_CHECKING:  # numpy, late
    from .told_before import Before

PLACES = tuple(range(1, DEALT + 1))
COUNTING_PACE = 0.6
"""Seconds from one combination to the next when a hand is counted."""
LOG_LINES = 200
"""How many lines of the log are kept."""
EDGES = 4
"""Columns of the message line that are not text."""
TELLING = 8
"""Events that the message may still tell of."""
_HIDDEN = str(BACK)


class CribbageView(TableView[Options, State, Action, Event, Tally]):
    """The board over the discards, the play or a count; one's own hand; the other's in a row.

    ``counted`` is the show of this round. ``before`` is what the trainer tells of the present
    choice, with the state that it was worked out for.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(n),
                f"place({n})",
                "Mark",
                show=n == 1,
                key_display="1-6",
                id=f"place{n}",
                group=VERB,
            )
            for n in PLACES
        ),
        Binding("up", "look(-1)", "Look through", key_display="↑↓", id="look.back", group=VERB),
        Binding("down", "look(1)", "Look on", show=False, id="look.on"),
        *words_bindings(
            ("g", "Go", True),
            ("n", "Next", False),
            ("h", "Cards", False),
            ("s", "Statistics", False),
        ),
        Binding("v", "log", "Log", id="log"),
        Binding("f5", "again", "Same cards", id="again", key_display="F5"),
    ]

    def __init__(
        self, facts: Facts[Options, State, Action, Event, Tally], seen: State, tally: Tally
    ) -> None:
        self._timer: Timer | None = None
        self._live = False
        me = facts.seat if facts.players[facts.seat] is None else None
        self.names = Names.at(facts.players, me)
        super().__init__(facts, seen, tally)

    def forget(self) -> None:
        """Know of no round."""
        self.heard: list[Event] = []
        self.log_lines: list[str] = []
        self.recap: tuple[str, ...] = ()
        self.lit: frozenset[Card] = frozenset()
        self.counted, self.counts = Show(self.me), Counts()
        self.before: Before | None = None
        self._live = False
        self._why = ""

    @cached_property
    def asking(self) -> Asking:
        """Who works out what the trainer tells before one chooses."""
        return Asking(self.screen)

    @property
    def me(self) -> Seat | None:
        """The human's seat; nobody's where two computer players are watched."""
        return self.names.me

    @property
    def near(self) -> Seat:
        """The seat whose cards lie large below: the human's, or the trainer's dealer's."""
        return Seat(FIRST_DEALER) if self.me is None else self.me

    @property
    def far(self) -> Seat:
        """The seat across the table."""
        return Seat(1 - self.near)

    def subtitle(self) -> str:
        """Say what is played, and whose the crib is."""
        options, origin = self.facts.options, self.facts.origin
        rules = options.rule_set
        parts = [f"to {rules.target}", f"{rules.title} rules"]
        if options.form is Form.ROUND:
            parts = ["one round", f"{rules.title} rules"]
            parts += [f"seed {origin.value}"] if origin.kind != "committed" else []
        elif self.me is not None:
            parts.append(f"against {self.names[self.far]}")
        crib = f"{self.names.whose(self.seen.dealer)} crib"
        return f"{', '.join(parts)} · {crib}"

    def notes(self) -> tuple[Note, ...]:
        """Say how a series stands."""
        options, won = self.facts.options, self.seen.won
        if options.games == 1:
            return ()
        number = min(self.seen.played + 1, options.games)
        what = "game" if options.form is Form.GAME else "round"
        score = f", {won[self.near]} : {won[self.far]}" if options.form is Form.GAME else ""
        return ((f"{what} {number} of {options.games}{score}", ""),)

    def compose_table(self) -> ComposeResult:
        """Lay out the board with what lies below it, one's own hand, and the other's."""
        self.upper = Upper(scenes.pegs(self.seen, self.facts.options, self.names, self.near))
        self.own, self.other = OwnHand(), FarHand()
        yield self.upper
        yield MessageLine()
        yield self.own
        yield self.other

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Event) -> None:
        """Take note of what is said, of the log, and of the cards that score."""
        options = self.facts.options
        if isinstance(event, CardDealt):
            return
        if isinstance(event, RoundBegun):
            self.recap = scenes.recap(self.counted.pages, self.names) or self.recap
            self.heard, self.lit = [], frozenset()
            self.counted.clear()
            if options.form is Form.ROUND:
                self.log_lines = []
        match event:
            case Laid():
                self.lit = frozenset()
            case Scored(_, _, _, _, cards, Part.PLAY):
                self.lit = frozenset(cards)
        holds = self._live and options.counting is not Counting.TABLE and self.me is not None
        self.counted.hear(event, self.seen, holds)
        self.heard.append(event)
        if isinstance(event, HandCounted):
            self.counts = self.counts.with_hand(event, self.me, self.counted.pages[-1].crib)
            self.counted.told *= not self._tells_on
        self.log_lines += (line for line in log_lines(event) if _HIDDEN not in line)
        del self.log_lines[:-LOG_LINES]

    @property
    def _tells_on(self) -> bool:
        """Whether a hand is counted before the player's eyes, combination by combination."""
        return self.moves and self.facts.options.counting is Counting.TABLE

    @property
    def story(self) -> tuple[str, ...]:
        """The log, as far as it is kept."""
        return tuple(self.log_lines)

    @property
    def _page(self) -> Page | None:
        """The page of the show, while that lasts."""
        shows = self.seen.phase in (Phase.SHOW, Phase.REST, Phase.OVER)
        return self.counted.page if shows else None

    def show(self, view: State) -> None:
        """Draw the board and what lies below it, one's own hand, and the other's."""
        self._show_scene(view)
        self._show_hand(view)
        self._show_other(view)

    def _show_scene(self, view: State) -> None:
        options, page = self.facts.options, self._page
        pegs = scenes.pegs(view, options, self.names, self.near, page)
        if page is not None:
            self.upper.show(pegs, scenes.counted(page, self.counted.told, self.own.size))
            return
        before = self._known(view)
        quiet = scenes.quiet(view, options, self.recap, self.story)
        whose = self.names.whose(view.dealer)
        self.upper.show(pegs, scenes.scene(view, before, self.draft, whose, self.lit, quiet))

    def _show_hand(self, view: State) -> None:
        if (page := self._page) is not None:
            whose = f"{capital(self.names.whose(page.seat))} {page.what}"
            self.own.show(scenes.counted_side(page, self.counted.told, whose))
            return
        choosing = self.can(Discard) or self.can(Lay)
        crib = f"{self.names.whose(view.dealer)} crib"
        self.own.show(scenes.side(view, self.near, self.draft, choosing, crib))

    def _show_other(self, view: State) -> None:
        said = verdict(self.journal.last, self.seat)
        self.other.show(scenes.other(view, self.names, self.far, said, self._mistaken))

    @property
    def _mistaken(self) -> bool:
        return self.journal.last is not None and self.journal.last.mistake is not None

    def drafted(self) -> None:
        """Draw the marks on one's own cards, and the row of the discard that they are."""
        self._show_hand(self.seen)
        if self.before is not None:
            self._show_scene(self.seen)
            self._say(self.seen)

    def judged(self, judged: Judged[State, Action]) -> None:
        """Say beside the other's hand what the choice cost."""
        self._show_other(self.seen)
        self.meters.read(self.readings(self.seen))

    # ---- the trainer ----------------------------------------------------------------------

    def _known(self, view: State) -> Before | None:
        """Give what the trainer tells before a choice; if it is not known yet, have it found."""
        from .told_before import told_before

        if not self.weighs or not (self.can(Discard) or self.can(Lay)):
            self.before = None
        elif self.before is None or self.before.view is not view:
            self.before = None
            self.asking.ask(
                "before",
                partial(told_before, view, self.seat),
                self._know,
                lambda: self.is_attached and self.weighs and self.seen is view,
            )
        return self.before

    def _know(self, before: Before) -> None:
        self.before = before
        self._show_scene(self.seen)
        self._say(self.seen)
        self.refresh_bindings()

    def action_look(self, step: int) -> None:
        """Mark the next or the last of the discards, in the order of their worth."""
        if self.before is None or (ranking := self.before.ranking) is None:
            return
        now = ranking.row_of(self.draft)
        place = ranking.rows.index(now) + step if now else 0
        self.draft = ranking.rows[place % len(ranking.rows)].choices[0]
        self.drafted()
        self.wish(Changes())

    # ---- what to do -----------------------------------------------------------------------

    def waits(self, view: State) -> None:
        """Say what happened last and what to do; a hand is counted combination by combination."""
        self._live = not self.disabled  # a recording cannot be clicked at
        if self.counted.telling and self._timer is None:
            self.counted.told = 1
            self._timer = self.set_interval(COUNTING_PACE, self._count_on)
        self._say(view)
        self.show(view)

    def ends(self, why: str) -> None:
        """Say how all ended, once what was counted has been read."""
        self._why = why
        if not self._holds:
            super().ends(why)

    @property
    def _holds(self) -> bool:
        """Whether a count is to be read before anything else is shown."""
        show = self.counted
        return show.held and not (show.last and self.seen.phase is Phase.REST)

    def _say(self, view: State) -> None:
        page = self._page
        if page is not None and self._timer is not None and page.scores:
            row = page.rows[max(0, self.counted.told - 1)]
            verb = "" if row.score.kind == "fifteen" else "is "
            self.say(f"{name_of(row.score.kind)} {verb}{in_words(row.total)}".capitalize())
        elif page is not None and page.counted:
            self.say(about(page, self.names), "bad" if page.missed else "")
        else:
            parts = [*sentences(self.heard[-TELLING:], self.names), self.prompt(view)]
            room = self.message.size.width - EDGES
            while len(parts) > 1 and len(" ".join(parts)) > room:  # what to do comes last
                del parts[0]
            self.say(" ".join(parts).strip())

    def _count_on(self) -> None:
        """Go to the next combination; after the last one all has been said."""
        if not self.counted.telling:
            self.finish_motion()
            return
        self.counted.told += 1
        self._say(self.seen)
        self._show_scene(self.seen)
        self._show_hand(self.seen)

    def finish_motion(self) -> bool:
        """End the counting, whose result is shown at once."""
        if self._timer is None:
            return False
        self._timer.stop()
        self._timer = None
        if (page := self.counted.page) is not None:
            self.counted.told = len(page.scores)
        self._say(self.seen)
        self.show(self.seen)
        return True

    def prompt(self, view: State) -> str:
        """Say what the phase asks for."""
        match view.phase:
            case Phase.DISCARD if self.me is not None:
                asked = f"Which two for {self.names.whose(view.dealer)} crib?"
                row = self.before and self.before.ranking and self.before.ranking.row_of(self.draft)
                if not row:
                    return asked
                cost = f"costs {float(row.cost):.2f}" if row.cost else "is the best"
                return f"{asked} {' '.join(row.names)} {cost}"
            case Phase.PLAY if self.can(Lay):
                return "Which card?" if not self.usual else f"Only {self._forced} can be laid."
            case Phase.PLAY if self.awaited and self.me is not None:
                return "None of your cards fits."
            case Phase.SHOW if self.can(Count) and (page := self.counted.page) is not None:
                return f"How many points in your {page.what}?"
            case Phase.SHOW if view.shown == 0:
                return "All cards are laid."
        return ""

    @property
    def _forced(self) -> str:
        return self.seen.able(self.seat)[0].symbol

    def result(self, view: State) -> str:
        """Say how the round or the game ended."""
        told = sentences(self.heard[-TELLING:], self.names)
        return told[-1].rstrip(".") if told else ""

    def readings(self, view: State) -> Iterator[Meter]:
        """Give the points of both, what a count brought, and with the trainer the mistakes."""
        page = self._page
        points, gained = (view.points, (0, 0)) if page is None else (page.points, page.gained)
        for seat, tone in ((self.near, "gold"), (self.far, "")):
            more = f"+{gained[seat]}" if gained[seat] else ""
            yield Meter(self.names[seat], str(points[seat]), tone, more)
        yield from self.mistakes()
        yield from self.counts.meters(self.facts.options)

    def named(self, action: Action) -> str:
        """Call a deed by its cards."""
        hand = self.seen.hands[self.seat]
        match action:
            case Discard(places):
                return f"Throw {' '.join(hand[place - 1].symbol for place in places)}"
            case Lay(place):
                return f"Lay {hand[place - 1].symbol}"
            case Next() if self.seen.phase is Phase.REST:
                return "Next deal"
            case Next():
                return "On to the crib" if self.seen.shown == 2 else "Next hand"
            case Count(points):
                return f"Count {points}"
        return "Go"

    @property
    def primary_name(self) -> str:
        """Name what comes after a page; after the end one sits down again."""
        if self._holds:
            show = self.counted
            if show.last:
                return "Go on"
            return "On to the crib" if show.pages[show.at + 1].crib else "Next hand"
        return "Next game" if self.facts.options.form is Form.GAME else "Next round"

    @property
    def lead(self) -> str:
        """A card or a number, where one has to be chosen."""
        if self.usual or self.primary:
            return PRIMARY
        return "word('c')" if self.can(Count) else "place(1)"

    @property
    def openers(self) -> tuple[Hint, ...]:
        """Where players count themselves, a number is typed."""
        if self.facts.options.counting is Counting.TABLE:
            return ()
        return (Hint("c", "c", "Count", self.can(Count), "word('c')"),)

    def called(self, action: str) -> str | None:
        """Call the digits by what they choose; the arrows only look where there is a list."""
        if action.startswith("place"):
            return "Lay" if self.seen.phase is Phase.PLAY else "Mark"
        if action.startswith("look"):
            return None if self.weighs else ""
        return super().called(action)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Say what is wanting."""
        if self._holds:
            return "first read on: space."
        match action:
            case "primary" if self.can(Lay):
                hand = self.seen.hands[self.seat]
                return f"first choose: {scenes.numbered(hand, self.seen.able(self.seat))}."
            case "primary" if self.can(Count):
                return "first count: c and a number."
            case "place":
                return "no card to choose now."
            case "look":
                return "there are no discards to look through now."
        return ""

    # ---- keys -----------------------------------------------------------------------------

    @property
    def offers(self) -> tuple[Offer[Action], ...]:
        """What may be done, once a count has been read."""
        return () if self._holds else super().offers

    @property
    def primary(self) -> Wish[Action] | None:
        """First a count is read; after the end one sits down again; else the first on offer."""
        if self._holds:
            return Turns()
        return SitsDown(lambda seating: seating) if self.over else None

    def turn_page(self) -> None:
        """Go on behind a count that has been read."""
        self.counted.turn()
        self._say(self.seen)
        self.present(self.seen)
        if self.over:
            self.ends(self._why)

    def action_place(self, place: int) -> None:
        """Mark a card for the crib, or lay it."""
        if self.can(Discard):
            self.mark(place)
        elif self.can(Lay):
            self._lay(place)
        else:
            self.act()  # what moves is ended by a click, as by any key

    def _lay(self, place: int) -> None:
        hand, able = self.seen.hands[self.seat], self.seen.able(self.seat)
        if place <= len(hand) and hand[place - 1] in able:
            self.act(Lay(place))
            return
        right = f"{scenes.numbered(hand, able)} can be laid."
        self.refuse(str(place), scenes.why_no_lay(self.seen, self.seat, place), capital(right))

    def on_own_hand_pressed(self, message: OwnHand.Pressed) -> None:
        """Take the card that was clicked on."""
        if self._page is None:
            self.action_place(message.place)

    def action_again(self) -> None:
        """Begin anew with the cards of this sitting."""
        origin = self.facts.origin
        if origin.kind != "java":
            self.refuse("F5", "the cards of a game cannot be had again.")
            return
        seed = int(origin.value)
        self.wish(
            SitsDown(
                lambda seating: replace(seating, source=lambda chosen: java_source(None, seed))
            )
        )

    def action_log(self) -> None:
        """Show the log so far."""
        self.open(Window("Log", "\n".join(self.log_lines) or "nothing yet"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        match action:
            case "place":
                return True if self.can(Discard) or self.can(Lay) else None
            case "look":
                return True if self.before is not None and self.before.ranking else None
        return super().check_action(action, parameters)
