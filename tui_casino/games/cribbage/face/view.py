"""The view of cribbage: the board, the other's hand, the play, one's own hand, and the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from ....cards.card import BACK, Card
from ....engine.game import Seat
from ....tui.modals import Page
from ....tui.table.glance import Judged
from ....tui.table.view import PRIMARY, Facts, SitsDown, TableView, Wish, words_bindings
from ....tui.widgets.bars import MessageLine, put
from ....tui.widgets.cards import Fan
from ....tui.widgets.key_bar import VERB
from ....tui.widgets.meters import Meter
from ....tui.widgets.texts import Text
from ..machine.moves import (
    Action,
    CardDealt,
    Count,
    Discard,
    Event,
    GameOver,
    GoSaid,
    HandCounted,
    HandShown,
    Laid,
    Lay,
    Next,
    Part,
    RoundBegun,
    RoundOver,
    Scored,
)
from ..machine.rules import DEALT
from ..machine.scoring import Score
from ..machine.state import FIRST_DEALER, Counting, Form, Options, Phase, State
from .log import log_lines
from .panel import verdict
from .spoken import in_words, name_of
from .tables import java_source
from .tally import Tally
from .widgets.board import Board, Lane
from .widgets.own_hand import OwnHand
from .widgets.play import PlayView
from .words import lines, player

PLACES = tuple(range(1, DEALT + 1))
COUNTING_PACE = 0.6
"""Seconds from one combination to the next when a hand is counted."""
LOG_LINES = 200
"""How many lines of the log are kept."""
EDGES = 4
"""Columns of the message line that are not text."""
_HIDDEN = str(BACK)


class CribbageView(TableView[Options, State, Action, Event, Tally]):
    """The board, the other's hand, the play, one's own hand with starter and crib, and the log.

    ``counted`` is the hand that was counted last, of which so many combinations were ``told_of``.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(n),
                f"place({n})",
                "Card",
                show=n == 1,
                key_display="1-6",
                id=f"place{n}",
                group=VERB,
            )
            for n in PLACES
        ),
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
        super().__init__(facts, seen, tally)
        self._timer: Timer | None = None
        self.set_class(facts.options.form is Form.GAME, "-game")

    def forget(self) -> None:
        """Know of no round."""
        self.said: list[str] = []
        self.log_lines: list[str] = []
        self.lit: frozenset[Card] = frozenset()
        self.counted: tuple[Score, ...] = ()
        self.told_of = 0

    @property
    def me(self) -> Seat | None:
        """The human's seat; nobody's where two computer players are watched."""
        return self.seat if self.facts.players[self.seat] is None else None

    @property
    def near(self) -> Seat:
        """The seat whose cards lie large below: the human's, or the trainer's dealer's."""
        return Seat(FIRST_DEALER) if self.me is None else self.me

    @property
    def far(self) -> Seat:
        """The seat across the table."""
        return Seat(1 - self.near)

    def subtitle(self) -> str:
        """Say what is played."""
        options, origin = self.facts.options, self.facts.origin
        rules = options.rule_set
        if options.form is Form.ROUND:
            seed = f", seed {origin.value}" if origin.kind != "committed" else ""
            return f"one round, {rules.title} rules{seed}"
        games = f", {options.games} games" if options.games > 1 else ""
        name = self.facts.players[self.far]
        other = f", against {name}" if name is not None else ""
        return f"to {rules.target}, {rules.title} rules{games}{other}"

    def compose_table(self) -> ComposeResult:
        """Lay out the board, the other's hand, the play, and one's own hand."""
        options = self.facts.options
        game = options.form is Form.GAME
        rules = options.rule_set
        self.board = Board(rules.target if game else None, rules.skunks[0] if game else None)
        self.log_text, self.other = Text(id="crib-log"), Fan()
        self.name_text, self.verdict_text = Text(id="crib-name"), Text(id="crib-verdict")
        self.middle, self.own = PlayView(), OwnHand()
        self.framed = Vertical(self.board, id="crib-board")
        self.framed.border_title = self._score()
        yield self.framed
        if not game:
            yield self.log_text
        with Horizontal(id="crib-other"):
            yield self.name_text
            yield self.other
            yield self.verdict_text
        yield self.middle
        yield MessageLine()
        yield self.own

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Event) -> None:
        """Take note of what is said, of the log, and of the cards that score."""
        options = self.facts.options
        match event:
            case RoundBegun():
                self.said, self.counted, self.lit = [], (), frozenset()
                if options.form is Form.ROUND:
                    self.log_lines = []
            case Laid() | HandShown():
                self.lit, self.counted = frozenset(), ()
                if options.counting is Counting.TABLE or isinstance(event, Laid):
                    self.said = []  # else what the last hand counted is news still
            case Scored(_, _, _, _, cards, Part.PLAY):
                self.lit = frozenset(cards)
            case HandCounted(_, scores, _):
                self.counted, self.told_of = scores, 0 if self.moves else len(scores)
            case CardDealt():
                return
        self.log_lines += (line for line in log_lines(event) if _HIDDEN not in line)
        del self.log_lines[:-LOG_LINES]
        if _worth_saying(event):
            self.said = [*self.said, *lines(event, self.me)][-3:]

    @property
    def story(self) -> tuple[str, ...]:
        """The log, as far as it is kept."""
        return tuple(self.log_lines)

    def show(self, view: State) -> None:
        """Draw board, hands, play, starter and crib."""
        near, far = self.near, self.far
        if (score := self._score()) != str(self.framed.border_title):
            self.framed.border_title = score
        self.board.show(
            *(
                Lane("YOU" if seat == self.me else f"P{seat}", view.points[seat], view.back[seat])
                for seat in (near, far)
            )
        )
        name = f"{player(far, self.me)}{' deals' if view.dealer == far else ''}"
        put(self.name_text, name)
        theirs = view.hands[far] if view.phase is Phase.DISCARD else view.rest(far)
        over = view.phase in (Phase.SHOW, Phase.REST, Phase.OVER)
        self.other.show(view.hands[far] if over else theirs)
        self._show_play(view)
        self._show_hand(view)
        self._show_verdict()
        whose = "your" if view.dealer == self.me else f"P{view.dealer}'s"
        self.own.show_crib(view, whose)
        if self.log_text.is_attached:
            put(self.log_text, "\n".join(self.log_lines[-max(self.log_text.size.height, 1) :]))

    def _score(self) -> str:
        points = self.seen.points
        scores = (f"{player(seat, self.me)} {points[seat]}" for seat in (self.near, self.far))
        return f" {self.between} ".join(scores).upper()

    def _show_play(self, view: State) -> None:
        """Draw the play, or the hand that is being counted."""
        middle = self.middle
        if not view.shown or view.starter is None:
            middle.play(view, self.lit)
            return
        seat, hand, crib = view.on_show
        whose = "Your" if seat == self.me else f"{player(seat, self.me)}'s"
        caption = f"{whose} {'crib' if crib else 'hand'} with the starter"
        told = self.counted[: self.told_of]
        middle.count(caption, (*hand, view.starter), told, done=self._timer is None)

    def _show_hand(self, view: State) -> None:
        choosing = self.can(Discard) or self.can(Lay)
        self.own.show(view, self.near, self.draft, choosing)

    def drafted(self) -> None:
        """Draw the marks on one's own cards; nothing else has changed."""
        self._show_hand(self.seen)

    def judged(self, judged: Judged[State, Action]) -> None:
        """Say beside the other's hand what the choice cost."""
        self._show_verdict()

    def _show_verdict(self) -> None:
        put(self.verdict_text, verdict(self.journal.last, self.seat))

    # ---- what to do -----------------------------------------------------------------------

    def waits(self, view: State) -> None:
        """Say what happened last and what to do; a hand is counted combination by combination."""
        if self.told_of < len(self.counted) and self._timer is None:
            if not self.moves:
                self.told_of = len(self.counted)
            else:
                self.told_of = 1
                self._timer = self.set_interval(COUNTING_PACE, self._count_on)
        self._say(view)
        self.show(view)

    def _say(self, view: State) -> None:
        if self._timer is not None:
            score = self.counted[self.told_of - 1]
            total = sum(one.points for one in self.counted[: self.told_of])
            verb = "" if score.kind == "fifteen" else "is "
            self.say(f"{name_of(score.kind)} {verb}{in_words(total)}".capitalize())
            return
        parts = [*self.said, self.prompt(view)]
        room = self.message.size.width - EDGES
        while len(parts) > 1 and len(" ".join(parts)) > room:  # what to do comes last, and counts
            del parts[0]
        self.say(" ".join(parts).strip())

    def _count_on(self) -> None:
        """Go to the next combination; after the last one all has been said."""
        if self.told_of == len(self.counted):
            self.finish_motion()
        else:
            self.told_of += 1
            self._say(self.seen)
            self._show_play(self.seen)

    def finish_motion(self) -> bool:
        """End the counting, whose result is shown at once."""
        if self._timer is None:
            return False
        self._timer.stop()
        self._timer = None
        self.told_of = len(self.counted)
        self._say(self.seen)
        self._show_play(self.seen)
        return True

    def prompt(self, view: State) -> str:
        """Say what the phase asks for."""
        match view.phase:
            case Phase.DISCARD:
                whose = "your" if view.dealer == self.seat else "their"
                return f"Which two for {whose} crib?"
            case Phase.PLAY:
                return "Lay a card." if self.can(Lay) else "None of your cards fits."
            case Phase.SHOW if view.options.counting is not Counting.TABLE:
                return "How many points? c 8"
            case Phase.SHOW | Phase.REST:
                return ""
        return ""

    def result(self, view: State) -> str:
        """Say how the round or the game ended."""
        return self.said[-1].rstrip(".") if self.said else ""

    def readings(self, view: State) -> Iterator[Meter]:
        """Give the points of both, and with the trainer the mistakes."""
        for seat, tone in ((self.near, "gold"), (self.far, "")):
            yield Meter(player(seat, self.me), str(view.points[seat]), tone)
        yield from self.mistakes()

    def named(self, action: Action) -> str:
        """Call a deed by its cards."""
        hand = self.seen.hands[self.seat]
        match action:
            case Discard(places):
                return f"Throw {' '.join(hand[place - 1].symbol for place in places)}"
            case Lay(place):
                return f"Lay {hand[place - 1].symbol}"
            case Next():
                return "Next deal" if self.seen.phase is Phase.REST else "Next hand"
            case Count(points):
                return f"Count {points}"
        return "Go"

    def standing(self, view: State) -> str:
        """Give one's cards, and what the play counts."""
        play = view.phase is Phase.PLAY
        held = view.rest(self.seat) if play else view.hands[self.seat]
        cards = " ".join(card.symbol for card in held)
        return f"{cards} at {view.count}" if play else cards

    @property
    def primary_name(self) -> str:
        """After the end one sits down again."""
        return "Next game" if self.facts.options.form is Form.GAME else "Next round"

    @property
    def lead(self) -> str:
        """A card, where one has to be chosen."""
        return PRIMARY if self.usual or self.primary else "place(1)"

    # ---- keys -----------------------------------------------------------------------------

    @property
    def primary(self) -> Wish[Action] | None:
        """After the end one sits down again; else the first thing on offer."""
        return SitsDown(lambda seating: seating) if self.over else None

    def action_place(self, place: int) -> None:
        """Mark a card for the crib, or lay it."""
        if self.can(Discard):
            self.mark(place)
        elif self.can(Lay):
            self.type(f"p {place}")
        else:
            self.act()  # what moves is ended by a click, as by any key

    def pressed(self, place: int, card: Card | None) -> None:
        """Take the card that was clicked on."""
        if card not in (None, BACK):
            self.action_place(place)

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
        self.open(Page("Log", "\n".join(self.log_lines) or "nothing yet"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        if action == "place":
            return True if self.can(Discard) or self.can(Lay) else None
        return super().check_action(action, parameters)


def _worth_saying(event: Event) -> bool:
    match event:
        case Laid() | GoSaid() | HandCounted() | RoundOver() | GameOver() | RoundBegun():
            return True
        case Scored(_, _, _, kind, _, part):
            return part in (Part.PLAY, Part.STARTER) or kind == "muggins"
    return False
