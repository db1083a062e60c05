"""Five-card draw on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from ....cards.poker import Category, rank_hand
from ....engine.game import Seat
from ....gamekit.seating import Seating
from ....tui.modals import Choice, Page
from ....tui.table.screen import GameScreen, words_bindings
from ....tui.widgets.bars import MessageLine
from ....tui.widgets.card_art import State as Art
from ....tui.widgets.cards import CardRow, CardView
from ....tui.widgets.meters import Meters
from ....tui.widgets.panel import PANEL_WIDTH, Panel
from ....tui.widgets.plots import sparkline
from ....tui.windows import ask_over, open_over
from ..brains.players import MIXED, NAMES, Opponent, seats_of
from ..machine.moves import Acted, Discard, Discarded, HandBegun, HandOver, HandShown, Raise
from ..machine.rules import HAND_CARDS, MOST_OPPONENTS, POSITIONS
from ..machine.state import HUMAN, Options, Phase, Stakes, State
from .tally import Tally
from .widgets.seats import SeatView
from .words import lines, who_wins

if TYPE_CHECKING:
    from ..brains.coach import Coaching

TALK = 40
"""How many lines of the table's talk are kept."""
KEYS = """\
  space    the next thing to do: deal, check or call, draw
  1 to 5   mark a card to discard, or leave it
  o        what the marked discard makes of the hand, how often it wins
  F2       statistics
  F4       another table: stakes, opponents"""
TABLES = {
    f"{stakes.value}-{opponents}": f"{title}, {opponents} opponent{'s' if opponents > 1 else ''}"
    for stakes, title in (
        (Stakes.ANTE, "An ante of 5"),
        (Stakes.LIMIT, "Fixed limit 10 and 20"),
        (Stakes.NOTHING, "For nothing"),
    )
    for opponents in range(1, MOST_OPPONENTS + 1)
}
BETS = ("k", "b", "c", "r", "f")
TITLES = {
    Stakes.NOTHING: "for nothing",
    Stakes.ANTE: "ante 5",
    Stakes.LIMIT: "ante 5, fixed limit 10 and 20",
}
METERS = {
    Stakes.NOTHING: ("hands", "won"),
    Stakes.ANTE: ("stack", "pot", "win"),
    Stakes.LIMIT: ("stack", "pot", "to call", "win"),
}


class FiveCardDrawScreen(GameScreen):
    """Opponents across the table, one's own hand large, the pot, and the table's talk."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "primary", "Go on", id="game.primary"),
        *(
            Binding(str(n), f"position({n})", "Mark", show=n == 1, key_display="1-5", id=f"mark{n}")
            for n in POSITIONS
        ),
        *words_bindings(
            ("b", "Bet", False),
            ("r", "Raise", True),
            ("f", "Fold", True),
            ("k", "Check", False),
            ("c", "Call", False),
            ("d", "Deal", False),
            ("a", "Advice", False),
            ("s", "Statistics", False),
            ("$", "Stack", False),
        ),
        Binding("o", "odds", "Odds", show=False, id="odds"),
        Binding("f4", "tables", "Another table", show=False, id="tables", key_display="F4"),
    ]

    def __init__(self, title: str, sitting: Any) -> None:
        super().__init__(title, sitting)
        self._told: tuple[State, Coaching | None] | None = None

    def forget(self) -> None:
        """Know of no hand."""
        self.acts: dict[int, str] = {}
        self.over: HandOver | None = None
        self.named: dict[int, str] = {}
        self.said: list[str] = []
        self.bankroll: list[int] = [self.view.stacks[HUMAN]]

    def subtitle(self) -> str:
        """Say what is played for."""
        return TITLES[self.view.options.stakes]

    def compose_table(self) -> ComposeResult:
        """Lay out the opponents over the pot and the talk, and one's own hand below."""
        with Horizontal(id="draw-floor"):
            with Vertical(id="draw-table"):
                with Horizontal(id="draw-seats"):
                    for seat in self.view.options.seats[1:]:
                        player = self.table.players[Seat(seat)]
                        level = player.level if isinstance(player, Opponent) else "human"
                        yield SeatView(seat, f"{seat} {NAMES[seat]}", level)
                yield Static(id="draw-talk", markup=False)
                yield MessageLine()
                yield CardRow(HAND_CARDS, labelled=True)
                yield Meters(*METERS[self.view.options.stakes])
            yield Panel("your hand", "session", "bankroll")

    # ---- what happens ---------------------------------------------------------------------

    def told(self, event: Any) -> None:
        """Take note of deeds, and of how the hand ended."""
        match event:
            case HandBegun():
                self.acts, self.named, self.over = {}, {}, None
            case Acted(seat, act, chips):
                self.acts[seat] = f"{act} {chips}" if chips else act
            case Discarded(seat):
                self.acts.pop(seat, None)
            case HandShown(seat, _, name):
                self.named[seat] = name
            case HandOver():
                self.over = event
                self.bankroll.append(self.view.stacks[HUMAN])
        self.said += lines(event, self.seat, NAMES)
        del self.said[:-TALK]

    def show(self, view: State) -> None:
        """Draw seats, pot, talk, cards and meters."""
        for seat_view in self.query(SeatView):
            seat = seat_view.seat
            seat_view.show(view, self.acts.get(seat, ""), self.named.get(seat, ""))
        board = self.query_one("#draw-talk", Static)
        talk = "\n".join(self.said[-max(board.size.height, 1) :])
        if str(board.content) != talk:
            board.update(talk, layout=False)
        self.query_one(Meters).read(*self._figures(view))
        self._show_cards(view)

    def _figures(self, view: State) -> Iterator[str]:
        over = self.over if view.phase is Phase.REST else None
        tally = self.dialogue.tally
        assert isinstance(tally, Tally)
        figures = {
            "hands": view.played,
            "stack": view.stacks[HUMAN],
            "won": tally.won_hands,
            "pot": sum(over.put_in) if over else view.pot,
            "to call": view.betting.owes(HUMAN) if view.betting and HUMAN in view.alive else 0,
            "win": over.won[HUMAN] if over else 0,
        }
        deals = {"stack": " D" * (view.dealer == HUMAN)}
        return (f"{figures[name]:,}{deals.get(name, '')}" for name in METERS[view.options.stakes])

    def _show_cards(self, view: State) -> None:
        hand = view.hands[HUMAN]
        choosing = self.open_offer() is not None
        won = view.phase is Phase.REST and HUMAN in view.winners
        folded = HUMAN in view.folded
        states, labels = [], []
        for place in range(1, len(hand) + 1):
            out = choosing and place in self.draft
            states.append(Art.DIMMED if out or folded else Art.WINNING if won else Art.NORMAL)
            labels.append("OUT" if out else f"[{place}]" if choosing else "WIN" if won else "")
        self.query_one(CardRow).show(hand, states, labels)

    def waits(self, view: State) -> None:
        """Say how the hand ended, or what there is to do."""
        over = self.over
        if view.phase is Phase.REST and over is not None:
            mine = HUMAN in over.winners
            self.say(f"{self._ending(over)}. Space deals.", "win" if mine else "")
        else:
            self.say(self.prompt(view))
        self._refresh_panel()

    def result(self, view: State) -> str:
        """Say how the last hand ended."""
        return self._ending(self.over) if self.over else ""

    def _ending(self, over: HandOver) -> str:
        held = self.named.get(over.winners[0])
        whole = who_wins(over.winners, self.seat, NAMES)
        return f"{whole} with {held}" if held else f"{whole}: all others folded"

    def prompt(self, view: State) -> str:
        """Say what the phase asks for."""
        match view.phase:
            case Phase.REST:
                return "Space deals"
            case Phase.DRAW:
                return f"You have {rank_hand(view.hands[HUMAN]).name}. Discard which? Space draws"
        betting = view.betting
        owes = betting.owes(HUMAN) if betting else 0
        if not owes:
            return "k checks, b bets"
        raises = ", r raises" if self.can(Raise) else ""
        return f"{owes} to call: c calls{raises}, f folds"

    # ---- keys -----------------------------------------------------------------------------

    def action_position(self, place: int) -> None:
        """Mark a card to discard, or take the mark away."""
        if self.mark(place):
            self._show_cards(self.view)
            self._refresh_panel()

    def on_card_view_pressed(self, message: CardView.Pressed) -> None:
        """Mark the card that was clicked on."""
        views = self.query_one(CardRow).views
        if message.view in views:
            self.action_position(POSITIONS[views.index(message.view)])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        if action == "position":
            return True if self.can(Discard) else None
        if parameters and parameters[0] in BETS and self.view.options.stakes is not Stakes.LIMIT:
            return False  # there is no betting at this table: no key for it
        return super().check_action(action, parameters)

    def do(self, line: str) -> None:
        """Do what a line says; advice is worked out off the screen's thread."""
        if line.split() == ["a"]:
            self._advise()
        else:
            super().do(line)

    @work(thread=True, exclusive=True, group="advice")
    def _advise(self) -> None:
        self._weighed(self.view)
        self.app.call_from_thread(super().do, "a")

    def keys_help(self) -> str:
        """Say what the keys do."""
        return KEYS

    def answered(self, word: str, lines: list[str]) -> None:
        """Show statistics on their own screen."""
        if word == "s":
            self.action_statistics()
        else:
            super().answered(word, lines)

    def action_statistics(self) -> None:
        """Open the statistics."""
        from .statistics import FiveCardDrawStatistics

        assert isinstance(self.dialogue.tally, Tally)
        open_over(self, FiveCardDrawStatistics(self.dialogue.tally, self.view, self.bankroll))

    @work
    async def action_tables(self) -> None:
        """Cash out here and sit down at another table."""
        if self.sitting.staked:
            self.say("First finish this hand.", "bad")
            return
        chosen = await ask_over(self, Choice("Table", TABLES))
        if chosen is not None:
            stakes, opponents = chosen.split("-")
            options = Options(opponents=int(opponents), stakes=Stakes(stakes))
            self.leave_for(Seating(options, players=seats_of(options.opponents, MIXED)))

    # ---- figures --------------------------------------------------------------------------

    @work(thread=True, exclusive=True, group="odds")
    def _refresh_panel(self) -> None:
        """Write the panel, off the screen's thread: the first figures take a moment to make."""
        if not self.query_one(Panel).display:
            return
        view: State = self.view
        draft = self.draft
        told = self._coached(view)
        self.app.call_from_thread(self._write_panel, view, draft, told)

    def _coached(self, view: State) -> Coaching | None:
        from ..brains.coach import coach  # numpy, late

        if self._told is None or self._told[0] != view:
            self._told = view, coach(view, HUMAN)
        return self._told[1]

    def _write_panel(self, view: State, draft: tuple[int, ...], told: Coaching | None) -> None:
        if self._gone or view != self.view:
            return
        panel = self.query_one(Panel)
        hand = view.hands[HUMAN]
        name = rank_hand(hand).name if len(hand) == HAND_CARDS else ""
        panel.put("your hand", coaching_text(told, draft) if told else name)
        tally = self.dialogue.tally
        assert isinstance(tally, Tally)
        panel.put("session", session_text(tally))
        panel.put("bankroll", sparkline(self.bankroll, PANEL_WIDTH, self.app.has_class("-ascii")))

    @work(thread=True, exclusive=True, group="odds-page")
    def action_odds(self) -> None:
        """Show the figures of the panel on a page, where it has no room."""
        view: State = self.view
        draft = self.draft
        told = self._weighed(view)
        self.app.call_from_thread(self._open_odds, view, draft, told)

    def _weighed(self, view: State) -> Coaching | None:
        self.app.call_from_thread(self.say, "The coach weighs your hand")  # at first for a second
        return self._coached(view)

    def _open_odds(self, view: State, draft: tuple[int, ...], told: Coaching | None) -> None:
        if self._gone or view != self.view:
            return
        if told is None:
            self.say("There is no hand to weigh now.")
        else:
            self.waits(view)
            open_over(self, Page("Your hand", coaching_text(told, draft)))

    def on_resize(self) -> None:
        """Fill the panel when it comes into sight, and show as much talk as there is room for."""
        self.call_after_refresh(self._show_again)  # the board has its new height by then
        self._refresh_panel()

    def _show_again(self) -> None:
        self.show(self.view)


def coaching_text(told: Coaching, draft: tuple[int, ...]) -> str:
    """Give the hand in words, and of the marked discard the categories and the chance to win."""
    lines = [rank_hand(told.hand).name]
    chances, win = told.chances.get(draft), told.wins.get(draft)
    if chances is None or win is None:
        return f"{lines[0]}\nMay not be discarded"
    for category in reversed(Category):
        if chances.count(category):
            share = 100 * float(chances.chance(category))
            lines.append(f"{category.words:<16}{share:>8.3f} %")
    lines.append(f"wins {100 * win.chance:.1f} %, error {100 * win.error:.1f}")
    if len(told.wins) > 1:
        best = told.wins[told.best].chance
        lines.append(f"best: {' '.join(map(str, told.best)) or 'stand pat'}, {100 * best:.1f} %")
    return "\n".join(lines)


def session_text(tally: Tally) -> str:
    """Say how the session goes."""
    return "\n".join(
        (
            f"hands    {tally.rounds:>10,}",
            f"won      {tally.won_hands:>10,}",
            f"net      {tally.won - tally.wagered:>+10,}",
        )
    )


SCREEN = FiveCardDrawScreen
