"""Cribbage on the screen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Static

from ....cards.card import BACK, Card
from ....engine.game import Over, Seat
from ....tui.modals import Choice, Page
from ....tui.table.screen import words_bindings
from ....tui.widgets.bars import MessageLine, put
from ....tui.widgets.cards import CardRow, CardView, Fan
from ....tui.widgets.panel import Panel
from ....tui.windows import ask_over, open_over
from ..brains.players import PLAYERS
from ..machine.moves import (
    CardDealt,
    Discard,
    Event,
    GameOver,
    GoSaid,
    HandCounted,
    HandShown,
    Laid,
    Lay,
    Part,
    RoundBegun,
    RoundOver,
    Scored,
)
from ..machine.rules import DEALT
from ..machine.scoring import Score
from ..machine.state import FIRST_DEALER, Counting, Form, Phase, State
from .log import log_lines
from .spoken import in_words, name_of
from .tables import TABLES, java_source, seating_of
from .tally import Tally
from .widgets.board import Board, Lane
from .widgets.coaches import Coaches
from .widgets.own_hand import OwnHand
from .widgets.play import PlayView
from .words import lines, player

PLACES = tuple(range(1, DEALT + 1))
COUNTING_PACE = 0.6
"""Seconds from one combination to the next when a hand is counted."""
LOG_LINES = 200
RULES = {"acc": "ACC", "trainer": "trainer's"}
"""How the title names the rule sets."""
EDGES = 4
"""Columns of the message line that are not text."""
_HIDDEN = str(BACK)
KEYS = """\
  space    go on, or give the two marked cards to the crib
  1 to 6   mark a card for the crib, or lay it in the play; or click
  o        the coaches: what each choice is worth
  v        the log so far
  F4       another table: the trainer, a game, against whom
  F5       the same cards again from the first one
           (space after the end: again where a seed was given, else new)"""


class CribbageScreen(Coaches):
    """The board, the other's hand, the play, one's own hand with starter and crib, and the log."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "primary", "Go on", id="game.primary"),
        *(
            Binding(str(n), f"place({n})", "Card", show=n == 1, key_display="1-6", id=f"place{n}")
            for n in PLACES
        ),
        *words_bindings(
            ("g", "Go", False),
            ("n", "Next", False),
            ("h", "Cards", False),
            ("a", "Advice", True),
            ("s", "Statistics", False),
        ),
        Binding("o", "coach", "Coach", show=False, id="coach"),
        Binding("v", "log", "Log", show=False, id="log"),
        Binding("f4", "tables", "Table", show=True, id="tables", key_display="F4"),
        Binding("f5", "again", "The same round", show=False, id="again", key_display="F5"),
    ]

    def __init__(self, title: str, sitting: Any) -> None:
        super().__init__(title, sitting)
        self._timer: Timer | None = None

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
        return self.seat if self.table.players[self.seat] is None else None

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
        options = self.view.options
        if options.form is Form.ROUND:
            origin = self.table.source.origin
            seed = f", seed {origin.value}" if origin.kind != "committed" else ""
            return f"one round, {RULES[options.rules]} rules{seed}"
        games = f", {options.games} games" if options.games > 1 else ""
        made = type(self.table.players[self.far])
        other = next((f", against {name}" for name, one in PLAYERS.items() if one is made), "")
        return f"to {options.rule_set.target}, {RULES[options.rules]} rules{games}{other}"

    # ---- layout ---------------------------------------------------------------------------

    def compose_table(self) -> ComposeResult:
        """Lay out the board, the other's hand, the play, and one's own hand."""
        options = self.view.options
        game = options.form is Form.GAME
        rules = options.rule_set
        with Horizontal(id="crib-floor"):
            with Vertical(id="crib-table", classes="-game" if game else ""):
                with Vertical(id="crib-board") as board:
                    board.border_title = self._score()
                    yield Board(rules.target if game else None, rules.skunks[0] if game else None)
                if not game:
                    yield Static(id="crib-log", markup=False)
                with Horizontal(id="crib-other"):
                    yield Static(id="crib-name", markup=False)
                    yield Fan()
                    yield Static(id="crib-verdict", markup=False)
                yield PlayView()
                yield MessageLine()
                yield OwnHand()
            yield Panel("coach", "session", "log")

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Any) -> None:
        """Take note of what is said, of the log, and of the cards that score."""
        match event:
            case RoundBegun():
                self.said, self.counted, self.lit = [], (), frozenset()
                if self.view.options.form is Form.ROUND:
                    self.log_lines = []
            case Laid() | HandShown():
                self.lit, self.counted = frozenset(), ()
                if self.view.options.counting is Counting.TABLE or isinstance(event, Laid):
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

    def show(self, view: State) -> None:
        """Draw board, hands, play, starter and crib."""
        near, far = self.near, self.far
        self.query_one("#crib-board").border_title = self._score()
        self.query_one(Board).show(
            *(
                Lane("YOU" if seat == self.me else f"P{seat}", view.points[seat], view.back[seat])
                for seat in (near, far)
            )
        )
        name = f"{player(far, self.me)}{' deals' if view.dealer == far else ''}"
        put(self.query_one("#crib-name", Static), name)
        theirs = view.hands[far] if view.phase is Phase.DISCARD else view.rest(far)
        over = view.phase in (Phase.SHOW, Phase.REST, Phase.OVER)
        self.query_one("#crib-other Fan", Fan).show(view.hands[far] if over else theirs)
        self._show_play(view)
        self._show_hand(view)
        whose = "your" if view.dealer == self.me else f"P{view.dealer}'s"
        self.query_one(OwnHand).show_crib(view, whose)
        for log in self.query("#crib-log").results(Static):
            put(log, "\n".join(self.log_lines[-max(log.size.height, 1) :]))
        room = self.query_one("#panel-log", Static).size.height or LOG_LINES
        self.query_one(Panel).put("log", "\n".join(self.log_lines[-room:]))

    def _score(self) -> str:
        points = self.view.points
        dot = "-" if self.app.has_class("-ascii") else "·"
        scores = (f"{player(seat, self.me)} {points[seat]}" for seat in (self.near, self.far))
        return f"  {dot}  ".join(scores).upper()

    def _show_play(self, view: State) -> None:
        """Draw the play, or the hand that is being counted."""
        middle = self.query_one(PlayView)
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
        self.query_one(OwnHand).show(view, self.near, self.draft, choosing)

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
        self.refresh_panel()

    def _say(self, view: State) -> None:
        if self._timer is not None:
            score = self.counted[self.told_of - 1]
            total = sum(one.points for one in self.counted[: self.told_of])
            verb = "" if score.kind == "fifteen" else "is "
            self.say(f"{name_of(score.kind)} {verb}{in_words(total)}".capitalize())
            return
        parts = [*self.said, self.prompt(view)]
        room = self.query_one(MessageLine).size.width - EDGES
        while len(parts) > 1 and len(" ".join(parts)) > room:  # what to do comes last, and counts
            del parts[0]
        self.say(" ".join(parts).strip())

    def _count_on(self) -> None:
        """Go to the next combination; after the last one all has been said."""
        if self.told_of == len(self.counted):
            self._end_counting()
        else:
            self.told_of += 1
            self._say(self.view)
            self._show_play(self.view)

    def _end_counting(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self.told_of = len(self.counted)
            self._say(self.view)
            self._show_play(self.view)

    def _finish_motion(self) -> bool:
        """Let any key end the counting, too."""
        if self._timer is not None:
            self._end_counting()
            return True
        return super()._finish_motion()

    def prompt(self, view: State) -> str:
        """Say what the phase asks for."""
        match view.phase:
            case Phase.DISCARD:
                whose = "your" if view.dealer == self.seat else "their"
                return f"Mark two cards for {whose} crib, then space."
            case Phase.PLAY:
                return "Lay a card." if self.can(Lay) else "Space says go."
            case Phase.SHOW if view.options.counting is not Counting.TABLE:
                return "How many points? c 8"
            case Phase.SHOW | Phase.REST:
                return "Space goes on."
        return ""

    def result(self, view: State) -> str:
        """Say how the round or the game ended."""
        return self.said[-1].rstrip(".") if self.said else ""

    def action_place(self, place: int) -> None:
        """Mark a card for the crib, or lay it."""
        if self._finish_motion():
            return
        if self.can(Lay):
            self.do(f"p {place}")
        elif self.mark(place):
            self._show_hand(self.view)

    def on_card_view_pressed(self, message: CardView.Pressed) -> None:
        """Take the card that was clicked on."""
        for row in self.query(CardRow):
            if message.view in row.views and message.view.card not in (None, BACK):
                self.action_place(PLACES[row.views.index(message.view)])

    def action_primary(self) -> None:
        """Do the first thing on offer; after the end sit down again."""
        over = isinstance(self.table.game.turn(self.table.state), Over)
        if over and not self._gone and not self._finish_motion():
            self.leave_for(self.seating)
        else:
            super().action_primary()

    def action_again(self) -> None:
        """Begin anew with the cards of this sitting."""
        origin = self.table.source.origin
        if self.seating is None or origin.kind != "java":
            self.say("The cards of a game cannot be had again.")
        elif not self._finish_motion():
            seed = int(origin.value)
            self.leave_for(replace(self.seating, chance=lambda chosen: java_source(None, seed)))

    @work
    async def action_tables(self) -> None:
        """Leave for another table."""
        titles = {name: title for name, (title, _) in TABLES.items()}
        chosen = await ask_over(self, Choice("Table", titles))
        if chosen is not None:
            self.leave_for(seating_of(TABLES[chosen][1]))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        if action == "place":
            return True if self.can(Discard) or self.can(Lay) else None
        return super().check_action(action, parameters)

    def keys_help(self) -> str:
        """Say what the keys do."""
        return KEYS

    def answered(self, word: str, lines: list[str]) -> None:
        """Show statistics on their own page."""
        if word == "s":
            self.action_statistics()
        else:
            super().answered(word, lines)

    def action_statistics(self) -> None:
        """Open the statistics."""
        tally = self.dialogue.tally
        assert isinstance(tally, Tally)
        open_over(self, Page("Statistics", "\n".join(self.dialogue.ask("s"))))

    def action_log(self) -> None:
        """Show the log so far."""
        open_over(self, Page("Log", "\n".join(self.log_lines) or "nothing yet"))

    def on_resize(self) -> None:
        """Fill the panel when it comes into sight, and the log as far as there is room."""
        self.call_after_refresh(self._show_again)
        self.refresh_panel()

    def _show_again(self) -> None:
        self.show(self.view)


def _worth_saying(event: Event) -> bool:
    match event:
        case Laid() | GoSaid() | HandCounted() | RoundOver() | GameOver() | RoundBegun():
            return True
        case Scored(_, _, _, kind, _, part):
            return part in (Part.PLAY, Part.STARTER) or kind == "muggins"
    return False


SCREEN = CribbageScreen
