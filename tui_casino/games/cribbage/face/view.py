"""The view of cribbage: board, discards, play and count, one's own hand, and the other's."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ....engine.game import Seat
from ....gamekit.adviser import Decision
from ....tui.draw.glyphs import capitalize
from ....tui.modals import TextPage as Window
from ....tui.table.background_tasks import BackgroundTasks
from ....tui.table.view import word_bindings
from ....tui.table.view_requests import SitDown, ViewChanged
from ....tui.widgets.key_bar import VERB, digit_bindings
from ....tui.widgets.title_bar import MessageLine
from ..machine.moves import (
    Action,
    Discard,
    Lay,
)
from ..machine.rules import DEALT
from ..machine.state import GameForm, Phase, State
from . import scenes
from .messages import event_sentences, hand_worth_text, short_worth_text
from .panel import verdict
from .round_view import TELLING, RoundView
from .spoken_count import number_in_words, score_name
from .tables import deal_again
from .widgets.far_hand import FarHand
from .widgets.own_hand import OwnHand
from .widgets.upper_table import TextScene, UpperTable

if TYPE_CHECKING:  # numpy, late
    from .choice_advice import ChoiceAdvice

WEIGHING_YOURS = "The trainer weighs your cards"
"""What is said while one waits for advice or odds."""
GAME_OVER = "THIS GAME"
"""The title of what a game came to."""
PLACES = tuple(range(1, DEALT + 1))
COUNTING_PACE = 0.6
"""Seconds from one combination to the next when a hand is counted."""
VAST = (176, 52)
"""Columns and rows of a window with room for a hand of the largest cards."""
EDGES = 4
"""Columns of the message line that are not text."""


class CribbageView(RoundView):
    """The board over the discards, the play or a count; one's own hand; the other's in a row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *digit_bindings(len(PLACES), "place", "Mark", "place"),
        Binding("up", "look(-1)", "Look through", key_display="↑↓", id="look.back", group=VERB),
        Binding("down", "look(1)", "Look on", show=False, id="look.on"),
        *word_bindings(
            ("g", "Go", True),
            ("n", "Next", False),
            ("h", "Cards", False),
            ("s", "Statistics", False),
        ),
        Binding("v", "log", "Log", id="log"),
        Binding("f5", "again", "Same cards", id="again", key_display="F5"),
    ]

    @cached_property
    def asking(self) -> BackgroundTasks:
        """Who works out what the trainer tells before one chooses."""
        return BackgroundTasks(self.screen)

    def compose_table(self) -> ComposeResult:
        """Lay out the board with what lies below it, one's own hand, and the other's."""
        self.upper = UpperTable(scenes.pegs(self.seen, self.info.options, self.names, self.near))
        self.own, self.other = OwnHand(), FarHand()
        self._fit()
        yield self.upper
        yield MessageLine()
        yield self.own
        yield self.other

    def on_resize(self) -> None:
        """Have the largest cards where all six of a hand have room."""
        self._fit()

    def _fit(self) -> None:
        columns, rows = self.app.size
        self.set_class(columns >= VAST[0] and rows >= VAST[1], "-vast")

    # ---- what happens ---------------------------------------------------------------------

    def show(self, view: State) -> None:
        """Draw the board and what lies below it, one's own hand, and the other's."""
        self._show_scene(view)
        self._show_hand(view)
        self._show_other(view)

    def _show_scene(self, view: State) -> None:
        options, page = self.info.options, self.page
        pegs = scenes.pegs(view, options, self.names, self.near, page)
        if page is not None:
            self.upper.show(pegs, scenes.count_scene(page, self.counted.told, self.own.size))
            return
        if self.won and self.live:
            self.upper.show(pegs, TextScene(GAME_OVER, self.end_of_the_game()))
            return
        before = self._known(view)
        whose = self.names.whose(view.dealer)
        quiet = self._quiet(view)
        self.upper.show(pegs, scenes.scene(view, before, self.selection, whose, self.lit, quiet))

    def _quiet(self, view: State) -> TextScene:
        """Give what may be read while no card has been laid."""
        if self.is_offered(Discard) and self.weighs:
            return scenes.WEIGHING
        beside = self.panel is not None and self.panel.display  # the log stands there
        quiet = scenes.text_scene(
            self.info.options, self.recap, () if beside else self.recent_lines
        )
        if not quiet.lines and self.live and self.is_offered(Discard) and not self.info.posed:
            return scenes.discard_hints(view.dealer == self.near)
        return quiet

    def _show_hand(self, view: State) -> None:
        if (page := self.page) is not None:
            whose = f"{capitalize(self.names.whose(page.seat))} {page.what}"
            score = self.names.lane(self.near), page.points[self.near]
            self.own.show(scenes.counted_near_side(page, self.counted.told, whose, score))
            return
        choosing = self.is_offered(Discard) or self.is_offered(Lay)
        crib = f"{self.names.whose(view.dealer)} crib"
        name = self.names.lane(self.near)
        side = scenes.near_side(view, self.near, self.selection, choosing, crib, name)
        self.own.show(replace(side, starter=None, crib=()) if self.other.roomy else side)

    def _show_other(self, view: State) -> None:
        last = self.verdict_now
        said, bad = verdict(last, self.seat), last is not None and last.mistake is not None
        other = scenes.opponent_row(view, self.names, self.far, said, bad, self.page)
        if self.other.roomy and self.page is None:
            whose = f"{self.names.whose(view.dealer)} crib"
            other = replace(
                other, starter=scenes.starter_or_back(view), crib=view.crib, whose=whose
            )
        self.other.show(other)

    def show_selection(self) -> None:
        """Draw the marks on one's own cards, and the row of the discard that they are."""
        self._show_hand(self.seen)
        if self.before is not None:
            self._show_scene(self.seen)
            self._say(self.seen)
        elif self.message.content == WEIGHING_YOURS:  # who marks a card waits for it no more
            self._say(self.seen)

    def show_decision(self, decision: Decision[State, Action]) -> None:
        """Say beside the other's hand what the choice cost."""
        self._show_other(self.seen)
        self.meters.show(self.meter_readings(self.seen))
        if self.won:
            self._show_scene(self.seen)

    # ---- the trainer ----------------------------------------------------------------------

    def _known(self, view: State) -> ChoiceAdvice | None:
        """Give what the trainer tells before a choice; if it is not known yet, have it found."""
        if not self.weighs or not (self.is_offered(Discard) or self.is_offered(Lay)):
            self.before = None
        elif self.before is None or self.before.view is not view:
            self.before = None
            self.asking.run(
                "before",
                partial(_found, view, self.seat),
                self._know,
                lambda: self.is_attached and self.weighs and self.seen is view,
            )
        return self.before

    def _know(self, before: ChoiceAdvice) -> None:
        self.before = before
        self._show_scene(self.seen)
        self._say(self.seen)
        self.refresh_bindings()

    def action_look(self, step: int) -> None:
        """Mark the next or the last of the discards, in the order of their worth."""
        if self.before is None or (ranking := self.before.ranking) is None:
            return
        now = ranking.row_of(self.selection)
        place = ranking.rows.index(now) + step if now else 0
        self.selection = ranking.rows[place % len(ranking.rows)].choices[0]
        self.show_selection()
        self.request(ViewChanged())

    # ---- what to do -----------------------------------------------------------------------

    def show_prompt(self, view: State) -> None:
        """Say what happened last and what to do; a hand is counted combination by combination."""
        self.live = not self.disabled  # a recording cannot be clicked at
        if self.counted.telling and self._timer is None:
            self.counted.told = 1
            self._timer = self.set_interval(COUNTING_PACE, self._count_on)
        self._say(view)
        self.show(view)

    def show_ending(self, why: str) -> None:
        """Say how all ended, once what was counted has been read."""
        self._why = why
        if self.holds:
            return
        told = self.result(self.seen)
        if self.info.options.form is GameForm.ROUND:
            told += ": the round is over"
        won = self.me is not None and self.seen.winner == self.me
        self.say(f"{told}.", "win" if won else "")

    def _say(self, view: State) -> None:
        page = self.page
        if page is not None and self._timer is not None and page.scores:
            row = page.rows[max(0, self.counted.told - 1)]
            verb = "" if row.score.kind == "fifteen" else "is "
            self.say(
                f"{score_name(row.score.kind)} {verb}{number_in_words(row.total)}".capitalize()
            )
        elif page is not None and page.counted:
            ended = f" {self.result(view)}." if self.won else ""
            ways = (
                hand_worth_text(page, self.names) + ended,
                short_worth_text(page, self.names) + ended,
            )
            room = self.message.size.width - EDGES
            told = next((way for way in ways if len(way) <= room), ended.strip() or ways[-1])
            self.say(told, "bad" if page.missed else "")
        else:
            parts = [*event_sentences(self.events[-TELLING:], self.names), self.prompt(view)]
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

    def describe_position(self, view: State) -> str:
        """Give one's cards, and what the play counts."""
        play = view.phase is Phase.PLAY
        held = view.rest(self.seat) if play else view.hands[self.seat]
        cards = " ".join(card.symbol for card in held)
        return f"{cards} at {view.count}" if play else cards

    # ---- keys -----------------------------------------------------------------------------

    def turn_page(self) -> None:
        """Go on behind a count that has been read."""
        self.turn()
        self._say(self.seen)
        self.present(self.seen)
        if self.is_over:
            self.show_ending(self._why)

    def action_place(self, place: int) -> None:
        """Mark a card for the crib, or lay it."""
        if self.is_offered(Discard):
            self.mark(place)
        elif self.is_offered(Lay):
            self._lay(place)
        else:
            self.act()  # what moves is ended by a click, as by any key

    def _lay(self, place: int, at_once: bool = True) -> None:
        """Lay a card, or only mark it, if it can be laid."""
        hand, able = self.seen.hands[self.seat], self.seen.able(self.seat)
        if place <= len(hand) and hand[place - 1] in able:
            if at_once:
                self.act(Lay(place))
            else:
                self.selection = () if self.selection == (place,) else (place,)
                self.show_selection()
                self.request(ViewChanged())
            return
        right = f"{scenes.numbered_cards(hand, able)} can be laid."
        self.refuse(str(place), scenes.lay_refusal(self.seen, self.seat, place), capitalize(right))

    def on_own_hand_pressed(self, message: OwnHand.Pressed) -> None:
        """Mark the card that was clicked on, or take the mark away; in the play twice lays it.

        A double-click at the discard leaves the card marked, whether it was marked before or not.
        """
        if self.page is not None:
            return
        if self.is_offered(Lay):
            self._lay(message.place, at_once=message.twice)
        elif not message.twice or message.place not in self.selection:
            self.action_place(message.place)

    def action_again(self) -> None:
        """Begin anew with the cards of this sitting."""
        origin = self.info.origin
        if origin.kind != "java":
            self.refuse("F5", "a game cannot be redealt.")
            return
        self.request(SitDown(partial(deal_again, int(origin.value))))

    def action_log(self) -> None:
        """Show the log so far."""
        self.open(Window("Log", "\n".join(self.log_lines) or "nothing yet"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what cannot be done now."""
        match action:
            case "place":
                return True if self.is_offered(Discard) or self.is_offered(Lay) else None
            case "look":
                return True if self.before is not None and self.before.ranking else None
        return super().check_action(action, parameters)


def _found(view: State, seat: Seat) -> ChoiceAdvice:
    """Find what the trainer tells; on a thread, where numpy is loaded the first time, too."""
    from .choice_advice import advise_before_choice  # late: numpy

    return advise_before_choice(view, seat)
