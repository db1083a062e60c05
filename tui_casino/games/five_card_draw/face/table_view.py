"""The view of five-card draw: the opponents around a table, the pot, and the player's hand."""

from __future__ import annotations

from collections.abc import Iterator
from operator import sub
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from ....cards.card import BACK, Card, card_symbols
from ....cards.poker import rank_hand
from ....engine.game import Seat, is_asked
from ....gamekit.lazy_import import LazyModule
from ....gamekit.number_formats import percent
from ....inputs.numbers import list_words
from ....records.log_header import HUMAN, OTHER
from ....structs import replace
from ....tui.draw.canvas import TableRow
from ....tui.draw.card_art import CardState as Art
from ....tui.table.background_tasks import BackgroundTasks
from ....tui.table.lazy import modals
from ....tui.table.listed_view import ChoiceRanking
from ....tui.table.pacing import THOUGHT
from ....tui.table.snapshot import ChartPage
from ....tui.table.view import GUESS_FIRST, TableView, word_bindings
from ....tui.widgets.cards import CardRow
from ....tui.widgets.key_bar import digit_bindings
from ....tui.widgets.line_widget import BlankRow
from ....tui.widgets.lists import ChoiceListView
from ....tui.widgets.text_blocks import Meter
from ....tui.widgets.title_bar import MessageLine
from ....tui.window import window_columns
from ..brains.levels import is_hidden, level_of
from ..brains.players import names_at
from ..brains.pot_odds import pot_odds_of
from ..machine import game
from ..machine import state as m
from ..machine.rules import HAND_CARDS, POSITIONS
from . import table_messages as messages
from . import words
from .advice import DrawTrainerData, betting_question, rank_choices, short_advice, weigh_position
from .tally import Tally
from .widgets.poker_table import (
    LINE_WIDTH,
    HandNotes,
    OpponentSeat,
    PokerTable,
    PokerTableScene,
    SeatBet,
    bet_before,
)
from .words import full_hand_name

if TYPE_CHECKING:
    from . import gto_chart_page  # late: needs numpy
else:
    gto_chart_page = LazyModule(".gto_chart_page", __package__)

ROOMY = 100
"""The minimum width at which the price line also shows the EV of the best action."""
BETS = ("k", "b", "c", "r", "f")
WAITING = "Waiting for the others."
NOT_DEALT_IN = "You are not in this hand."


def dealer_of(view: m.State) -> int:
    """Return the dealer of the hand on the table; at the showdown the next one is known already."""
    is_over = view.phase is m.Phase.REST and bool(view.dealt_in)
    return view.dealt_in[-1] if is_over else view.dealer


class FiveCardDrawView(TableView[m.Options, m.State, m.Action, m.Event, Tally]):
    """A table with the opponents around it, the player's cards large, and notes on both sides."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *word_bindings(
            ("r", "Raise", True),
            ("f", "Fold", True),
            ("k", "Check", True),
            ("b", "Bet", True),
            ("c", "Call", False),
        ),
        *digit_bindings(len(POSITIONS), "position", "Discard", "mark"),
        *word_bindings(("d", "Deal", False), ("s", "Statistics", False)),
        Binding("C", "chart", "GTO chart", show=False, id="chart.open"),
        GUESS_FIRST,
    ]

    lingers = keeps_list = True
    panel_list: ChoiceListView | None = None

    def reset(self) -> None:
        self.bets: dict[int, SeatBet] = {}
        self.last_result: m.HandOver | None = None
        self.shown_hands: dict[int, str] = {}
        self.new_cards: tuple[Card, ...] = ()
        self.lines: list[str] = []
        self._last_prompt = ""
        self.analysis.forget()
        self.kept_ranking = None

    def subtitle(self) -> str:
        """Return the stakes, the number of the hand, and the phase."""
        view = self.seen
        hand = f"hand {view.played}" if view.played else ""
        parts = (
            messages.TITLES[self.info.options.stakes],
            hand,
            messages.MOMENTS.get(view.phase, ""),
        )
        return self.separator.join(filter(None, parts)) if self.is_attached else parts[0]

    def above_panel(self) -> Widget:
        self.panel_list = ChoiceListView(id="draw-list")
        return self.panel_list

    def compose_table(self) -> ComposeResult:
        """Lay out the table above the message, and below it the player's cards between notes."""
        self._tasks = BackgroundTasks(self)
        self.poker_table, self.card_row = PokerTable(), CardRow(HAND_CARDS, labelled=True)
        self.left_notes = HandNotes(id="draw-left")
        self.right_list = ChoiceListView(id="draw-right")
        yield self.poker_table
        yield MessageLine()
        with BlankRow(id="draw-hand"):
            yield self.left_notes
            yield self.card_row
            yield self.right_list

    # ---- events ---------------------------------------------------------------------------

    def apply_event(self, event: m.Event) -> None:
        """Record actions, and how the hand ended."""
        match event:
            case m.HandBegun(seats, ante):
                self.reset()
                if self.seat not in seats:
                    self.say(NOT_DEALT_IN)
                self.lines = [f"ante {ante} each"] if ante else []
                if self.at_course:
                    self.say(" ".join(words.deal_lines(event, self.seat)))
            case m.HandHeld() | m.DrawAsked():
                self.bets = {}
            case m.Acted(seat, act, chips):
                previous = self.bets.get(seat)
                laid = SeatBet(messages.ACTS[act], chips + (previous.chips if previous else 0))
                self.bets[seat] = laid
                figure = laid.chips if act == "raise" else chips
                phrase = messages.action_phrase(seat, self.seat, laid.act, self.names)
                self._add_line(f"{phrase}{f' {figure:,}' if figure else ''}")
            case m.Discarded(seat) if self.at_course and seat != self.seat:
                self._add_line(*self.event_lines(event))
            case m.Discarded(seat, cards):
                self._add_line(messages.discard_phrase(seat, self.seat, cards, self.names))
            case m.CardDealt(self.seat, card) if self.seen.drawn[self.seat]:
                self.new_cards += (card,)
                draw_text = f"  get {card_symbols(self.new_cards)}"
                self.lines[len(self.lines) - (len(self.new_cards) > 1) :] = [draw_text]
            case m.HandShown(seat, hand, name):
                self.shown_hands[seat] = name = full_hand_name(hand) if self.at_course else name
                self.lines.append(
                    f"{messages.action_phrase(seat, self.seat, 'shows', self.names)} {name}"
                )
            case m.HandOver():
                self.last_result = event
                self.lines.append(messages.winner_phrase(event, self.seat, self.names))
                self.farewell = words.THANKS if self.at_course else ""

    def _add_line(self, line: str) -> None:
        self.lines.append(line)
        self.say(line)

    @property
    def at_course(self) -> bool:
        """Whether this is the classic table, which uses the course's names of hands."""
        return self.info.options.stakes is m.Stakes.NOTHING

    @property
    def names(self) -> tuple[str, ...]:
        usual, others = names_at(self.info.options), self.info.others
        return tuple(others.get(Seat(seat), name) for seat, name in enumerate(usual))

    @property
    def recent_lines(self) -> tuple[str, ...]:
        """The players' actions in this hand so far, one per line."""
        hidden = len(self.shown_hands) - len(self._revealed) + 1 if self.is_revealing else 0
        return tuple(self.lines[: len(self.lines) - hidden])

    def reveal_rests(self) -> tuple[float, ...]:
        """Return a rest after the last action, and after each hand that is shown."""
        return (THOUGHT,) * (len(self.shown_hands) + 1) if self.shown_hands else ()

    @property
    def _revealed(self) -> tuple[int, ...]:
        """The seats that have shown their hands so far."""
        shown = tuple(self.shown_hands)
        return shown[: self.frames.frame] if self.is_revealing else shown

    def _before_payment(self, view: m.State, over: m.HandOver) -> m.State:
        """Return the state during the showdown: the pot is not paid, and some hands are hidden."""
        hands = (
            hand if seat == self.seat or seat in self._revealed else (BACK,) * len(hand)
            for seat, hand in enumerate(view.hands)
        )
        return replace(
            view,
            phase=m.Phase.CLOSING,
            hands=tuple(hands),
            stacks=tuple(map(sub, view.stacks, over.won)),
            put_in=over.put_in,
            winners=(),
        )

    def present(self, view: m.State) -> None:
        """Draw the state and its meters; hold the result back during the showdown."""
        over = self.last_result if self.is_revealing else None
        super().present(view if over is None else self._before_payment(view, over))

    def show_prompt(self, view: m.State) -> None:
        """Show the result of the hand, or the next choice; in a showdown, the last hand shown."""
        if self.is_revealing:
            self.say(self.recent_lines[-1])
        elif view.phase is m.Phase.REST and self.last_result is not None:
            won = self.seat in self.last_result.winners
            message = f"{self.result(view)}."
            comment = self._comment(view, self.last_result)
            shorter = message, f"{message.partition(' with ')[0].rstrip('.')}."
            if comment:
                message += f"  {comment}"
            self.say(message, self.win.kind if won else "", shorter)
        else:
            texts: tuple[str, ...] = (self.prompt(view),)
            if self.at_course and view.phase is m.Phase.DRAW:
                texts = words.draw_prompts(view.hands[self.seat], self.seat, *texts)
            self._last_prompt = texts[0]
            self.say(texts[0], "", texts[1:])

    def _comment(self, view: m.State, over: m.HandOver) -> str:
        """Return an opponent's remark about a hand; other people speak for themselves."""
        return "" if self._with_others else messages.banter(view, self.seat, over)

    @property
    def waiting_text(self) -> str:
        """The text of the message line while others choose, instead of their names."""
        between = self.seen.phase in (m.Phase.REST, m.Phase.SHUFFLE)
        out = not between and self.seat not in self.seen.alive
        return self.prompt(self.seen) if out else super().waiting_text

    @property
    def _with_others(self) -> bool:
        return any(map(self._is_person, self.info.options.seats))

    def _is_person(self, seat: int) -> bool:
        """Whether a seat belongs to other people, and may be free."""
        return self.info.players[Seat(seat)] == OTHER

    def result(self, view: m.State) -> str:
        """Describe how the last hand ended."""
        if self.last_result is None:
            return ""
        over = replace(self.last_result, won=tuple(map(self.win.counted, self.last_result.won)))
        held = self.shown_hands.get(over.winners[0], "")
        return messages.outcome_phrase(over, self.seat, held, self.names)

    def prompt(self, view: m.State) -> str:
        """Describe the player's next choice, with the price of a call and the chance it needs.

        In a window that is too small for the trainer's list, describe the best choice instead.
        """
        match view.phase:
            case m.Phase.REST:
                return "Deal the next hand?" if view.played else "Deal the first hand?"
            case m.Phase.SHUFFLE:  # others are not ready yet
                return WAITING
            case _ if self.seat in view.folded:  # a key may ask while others still play
                return "You have folded."
            case _ if self.seat not in view.dealt_in:
                return NOT_DEALT_IN
            case _ if self.trainer_data is not None and self._hides_notes:
                return short_advice(view, self.seat, self.trainer_data, self.selection)
            case m.Phase.DRAW:
                hand = view.hands[self.seat]
                hand_name = full_hand_name(hand) if self.at_course else rank_hand(hand).name
                return f"You have {hand_name}. Discard which cards?"
        if self.guesses and (price := pot_odds_of(view, self.seat)) is not None:
            acts = [self.name_of_action(one.kind()) for one in self.offers if not one.barred]
            acts = [act[:1].lower() + act[1:] for act in acts]
            question = f"{list_words(acts, 'or')}?".capitalize()
            return f"{question} The pot is {price.pot:,}: you need {percent(price.need, 0)}"
        if self.definition.unaided and (price := pot_odds_of(view, self.seat)) is not None:
            return f"{messages.action_label(m.Call(), view, self.seat)} into {price.pot:,}?"
        is_roomy = self.is_attached and self.size.width >= ROOMY
        return betting_question(view, self.seat, self.trainer_data, is_roomy=is_roomy)

    @property
    def _hides_notes(self) -> bool:
        small = self.is_attached and {"-small", "-tiny"} & self.screen.classes
        return bool(small) and not self.guesses

    # ---- drawing --------------------------------------------------------------------------

    def show(self, view: m.State) -> None:
        """Show the table, the cards and the notes for a state."""
        self.poker_table.show(self._scene(view))
        self._show_cards(view)
        self._show_notes(view)
        asks = self._last_prompt and self.message.text == self._last_prompt
        if asks and self._with_others and not is_asked(game.turn(view), self.seat):
            self.say(WAITING)  # the time was over, or others begin without this seat

    def _scene(self, view: m.State) -> PokerTableScene:
        staked, seat = view.options.stakes is not m.Stakes.NOTHING, self.seat
        return PokerTableScene(
            tuple(self._opponent(view, other) for other in view.options.seats if other != seat),
            view.pot if staked else None,
            view.put_in[seat],
            sum(map(len, view.thrown)),
            view.thrown[seat],
            staked and dealer_of(view) == seat,
        )

    def _opponent(self, view: m.State, seat: int) -> OpponentSeat:
        is_over, folded = view.phase is m.Phase.REST, seat in view.folded
        shows = is_over or (self.is_revealing and seat in self._revealed)
        staked = view.options.stakes is not m.Stakes.NOTHING
        is_winner = is_over and seat in view.winners
        drawn, stack = view.drawn[seat], view.stacks[seat]
        no_chips = "all in" if seat in view.alive and not is_over else "no chips"
        bet = self.bets.get(seat) or bet_before(view, seat) if view.betting is not None else None
        if is_winner and self.last_result is not None and self.last_result.won[seat]:
            bet = SeatBet("wins", self.last_result.won[seat])
        if not (stack or seat in view.dealt_in) and self._is_person(seat):
            return OpponentSeat("", "", money="free seat")
        if is_over and seat in view.dealt_in and not view.hands[seat]:  # somebody else played it
            return OpponentSeat(self.names[seat], self._style_of(seat), money=f"{stack:,}")
        return OpponentSeat(
            self.names[seat],
            self._style_of(seat),
            () if folded else view.hands[seat],
            Art.WINNING if is_winner else Art.NORMAL,
            "" if not staked else f"{stack:,}" if stack else no_chips,
            "" if drawn is None else f"drew {drawn}" if drawn else "stood pat",
            None if folded else bet,
            self.shown_hands.get(seat, "") if shows else "",
            folded,
            is_winner,
            staked and dealer_of(view) == seat,
        )

    def _style_of(self, seat: int) -> str:
        """Return the level and style of an opponent, or an empty text if they are hidden."""
        player = self.info.players[Seat(seat)] or HUMAN
        return "" if is_hidden(player) or player == OTHER else level_of(player)

    def _show_cards(self, view: m.State) -> None:
        hand = view.hands[self.seat]
        choosing = self.open_slot() is not None
        won = view.phase is m.Phase.REST and self.seat in view.winners
        folded, drawn = self.seat in view.folded, view.drawn[self.seat] is not None
        states, labels = [], []
        for place, card in enumerate(hand, 1):
            discarded = choosing and place in self.selection
            state = self.win.card_state(place - 1) if won else Art.NORMAL
            states.append(Art.DIMMED if discarded or folded else state)
            if choosing:
                labels.append("discard" if discarded else f"[{place}]")
            else:
                label = (
                    " new " if card in self.new_cards else "kept" if self.knows_draw(view) else ""
                )
                labels.append("" if folded else "WIN" if won else label if drawn else "")
        self.card_row.show(hand, states, labels)

    def knows_draw(self, view: m.State) -> bool:
        """Whether the screen has seen which cards were drawn; in practice it has not."""
        return len(self.new_cards) == view.drawn[self.seat]

    def _show_notes(self, view: m.State) -> None:
        hand = view.hands[self.seat]
        is_full = len(hand) == HAND_CARDS
        name = (
            rank_hand(hand).name.removeprefix("a ") if is_full and len({*hand}) == len(hand) else ""
        )
        hand_title = full_hand_name(hand) if name and self.at_course else name
        lines = wrap(hand_title, LINE_WIDTH) if hand_title else ()
        self.left_notes.show("YOUR HAND", (TableRow(((line, "strong"),)) for line in lines))
        choices = self.choice_list
        self.right_list.show(choices)
        if self.panel_list is not None:
            self.panel_list.show_fitted(choices)

    def rank_choices(self) -> ChoiceRanking[m.Action] | None:
        """Return the bets or discards with their EVs, or with their chances to win."""
        if (data := self.trainer_data) is None:
            return None
        acts = [act for offer in self.offers if (act := self.build_action(offer)) is not None]
        return rank_choices(self.seen, self.seat, acts, data, self.definition.words.verbs)

    def show_selection(self) -> None:
        """Redraw the marks on the player's cards and the advice; nothing else has changed."""
        self._show_cards(self.seen)
        self._show_notes(self.seen)
        if self._hides_notes and self.message.text == self._last_prompt:
            self.show_prompt(self.seen)

    def meter_readings(self, view: m.State) -> Iterator[Meter]:
        """Yield the player's credit, the pot, and the price of a call."""
        if view.options.stakes is m.Stakes.NOTHING:
            yield Meter("hands", str(view.played))
            yield Meter("won", str(self.tally.won_hands), "gold")
            return
        yield self.credit(view)
        yield Meter("pot", f"{view.pot:,}")
        if view.options.stakes is m.Stakes.LIMIT:
            price = pot_odds_of(view, self.seat)
            yield Meter("to call", f"{price.call if price else 0:,}")
        if not self.is_revealing:
            yield self.last_net()

    def analysed_position(self, view: m.State) -> m.State | None:
        """Return the view of a bet or a draw."""
        playing = view.phase in messages.MOMENTS and self.weighs and not self.is_revealing
        return view if playing and self.offers else None

    def analyse(self, position: m.State) -> DrawTrainerData | None:
        return weigh_position(position, self.seat)

    @property
    def trainer_data(self) -> DrawTrainerData | None:
        """The trainer's data for the position, as soon as they are known."""
        data: DrawTrainerData | None = self.analysis.data
        return data

    def begin_analysis(self, view: m.State) -> None:
        known = self.trainer_data is not None
        super().begin_analysis(view)
        if known and self.trainer_data is None:
            self.analysis_ended()  # the question shall not show the figures of another position

    def analysis_ended(self) -> None:
        asks = self.message.text == self._last_prompt
        self._show_notes(self.seen)
        self.refresh_bindings()
        if asks:
            self.show_prompt(self.seen)

    def name_of_action(self, action: m.Action) -> str:
        return messages.action_label(action, self.seen, self.seat)

    def meaning(self, action: m.Action) -> str:
        """Describe an action; for a discard, name the cards."""
        match action:
            case m.Discard(positions) if positions:
                hand = self.seen.hands[self.seat]
                signs = card_symbols([hand[place - 1] for place in positions])
                return f"discard {signs}, {super().meaning(action)}"
        return super().meaning(action)

    def event_lines(self, event: m.Event) -> tuple[str, ...]:
        """Describe an event, with the names of the players."""
        lines = words.course_lines if self.at_course else words.lines
        return lines(event, self.seat, self.names) if self.info.others else lines(event, self.seat)

    def name_of_seat(self, seat: int) -> str:
        return self.names[seat]

    def describe_position(self, view: m.State) -> str:
        return card_symbols(view.hands[self.seat])

    def action_position(self, place: int) -> None:
        self.mark(place)

    def action_chart(self) -> None:
        """Show the GTO chart of the current choice in a window that leaves the cards visible.

        The key is never greyed out: its letter would then open the command line, as a call.
        """
        if not self.weighs:
            off = "the trainer is off: t switches it on."
            if self.definition.unaided:
                off = f"{self.definition.unaided}."
            self.refuse("C", "no chart before you choose." if self.guesses else off)
            return
        snapshot = self.snapshot()
        columns = window_columns(self.app.size.width, aside=True)
        self._tasks.run(
            "chart",
            lambda: gto_chart_page.chart_page(snapshot, columns),
            self._show_chart,
            lambda: self.is_attached and self.seen == snapshot.view,
        )

    def _show_chart(self, page: ChartPage) -> None:
        if page.text:
            self.open(modals.OddsWindow(page.title, page.text, self.card_row, "chart"))
        else:
            self.refuse("C", page.title)

    def click_card(self, place: int, card: Card | None) -> None:
        """Mark or unmark the card that was clicked."""
        self.action_position(place)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "position":
            return True if self.is_offered(m.Discard) else None
        if parameters and parameters[0] in BETS and self.info.options.stakes is not m.Stakes.LIMIT:
            return False  # hide the keys for bets at tables without betting
        return super().check_action(action, parameters)

    def disabled_reason(self, action: str, parameters: tuple[object, ...]) -> str:
        """Explain why a discard or a bet is not possible now."""
        if action == "position":
            return "you can discard only at the draw."
        word = str(parameters[0]) if parameters else ""
        if word not in BETS or not self.awaited:
            return super().disabled_reason(action, parameters)
        return messages.bet_refusal(self.seen, self.offers, self.definition.words.verbs[word])
