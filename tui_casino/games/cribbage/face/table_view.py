"""The view of cribbage: board, discards, play and count, your hand and the opponent's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ....cards.card import card_symbols
from ....gamekit.adviser import Decision
from ....structs import replace
from ....tui.draw.text import capitalize
from ....tui.modals import TextPage as Window
from ....tui.table.listed_view import ChoiceRanking
from ....tui.table.view import EvaluateChoices, SitDown, ViewChanged, word_bindings
from ....tui.widgets.key_bar import VERB, digit_bindings
from ....tui.widgets.title_bar import MessageLine
from ..machine.rules import DEALT
from ..machine.state import Action, Discard, GameForm, Lay, Phase, State
from . import scenes
from .counting import number_in_words, score_name
from .round_view import MESSAGE_EVENTS, RoundView
from .table_catalog import deal_again
from .table_messages import event_sentences, hand_worth_text, short_worth_text
from .widgets.board_and_play import TextScene, UpperTable
from .widgets.far_hand import FarHand
from .widgets.own_hand import OwnHand

if TYPE_CHECKING:  # numpy, late
    from .choice_advice import ChoiceAdvice

WEIGHING_MESSAGE = "The trainer is comparing your choices"
"""The message while advice or odds are being calculated."""
GAME_RESULT_TITLE = "THIS GAME"
"""The title above the result of a game."""
PLACES = tuple(range(1, DEALT + 1))
COUNTING_PACE = 0.6
"""The seconds between two combinations when a hand is counted."""
CARD_ROOM = {"-huge": (153, 43), "-vast": (189, 52)}
"""The columns and rows of a window that has room for a hand of 15 by 12 or of the largest cards."""
PERFECT_TEXT = "Twenty-nine, the highest hand: one deal in 216,580."
"""Jack and three fives of four suits are 4 * C(47, 2) of C(52, 6) hands; 1 of 46 starters fits."""


class CribbageView(RoundView):
    """The board, below it the discards, play or count, your hand and the opponent's row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *digit_bindings(len(PLACES), "place", "Mark", "place"),
        Binding("up", "look(-1)", "Look through", key_display="↑↓", id="look.back", group=VERB),
        Binding("down", "look(1)", "Next discard", show=False, id="look.on"),
        *word_bindings(
            ("g", "Go", True),
            ("n", "Next", False),
            ("h", "Cards", False),
            ("s", "Statistics", False),
        ),
        Binding("v", "log", "Log", id="log"),
        Binding("G", "guess", "Guess first", show=False, id="trainer.guess"),
        Binding("f5", "again", "Same cards", id="again", key_display="F5"),
    ]

    def compose_table(self) -> ComposeResult:
        """Lay out the board with the scene below it, your hand and the opponent's."""
        self.upper = UpperTable(
            scenes.pegs(self.seen, self.info.options, self.names, self.near_seat)
        )
        self.own, self.other = OwnHand(), FarHand()
        self._fit()
        yield self.upper
        yield MessageLine()
        yield self.own
        yield self.other

    def on_resize(self) -> None:
        """Use the largest cards if all six cards of a hand fit."""
        self._fit()

    def _fit(self) -> None:
        columns, rows = self.app.size
        for name, room in CARD_ROOM.items():
            self.set_class(columns >= room[0] and rows >= room[1], name)

    # ---- display --------------------------------------------------------------------------

    def show(self, view: State) -> None:
        """Draw the board with the scene below it, your hand and the opponent's."""
        self._show_scene(view)
        self._show_hand(view)
        self._show_other(view)

    def _show_scene(self, view: State) -> None:
        options, page = self.info.options, self.page
        pegs = scenes.pegs(view, options, self.names, self.near_seat, page)
        if page is not None:
            self.upper.show(
                pegs, scenes.count_scene(page, self.show_progress.rows_shown, self.own.size)
            )
            return
        if self.game_won and self.live:
            if self.totals.postponed:
                self.request(EvaluateChoices())
            if self.won_by_skunk:
                self._celebrate_once(view.points)
            self.upper.show(pegs, TextScene(GAME_RESULT_TITLE, self.game_result_lines()))
            return
        self.upper.show(
            pegs, scenes.scene(view, self.choice_list, self.scoring_cards, self._quiet(view))
        )

    def _quiet(self, view: State) -> TextScene:
        """Return the text that is shown before the first card is played."""
        log_in_panel = self.panel is not None and self.panel.display  # the log is shown there
        quiet = scenes.text_scene(
            self.info.options, self.recap, () if log_in_panel else self.recent_lines
        )
        if not quiet.lines and self.live and self.is_offered(Discard) and not self.guesses:
            hints = not self.definition.unaided
            return scenes.discard_hints(view.dealer == self.near_seat, hints=hints)
        return quiet

    def _show_hand(self, view: State) -> None:
        if (page := self.page) is not None:
            hand_label = f"{capitalize(self.names.possessive(page.seat))} {page.hand_kind}"
            score = self.names.lane_label(self.near_seat), page.points[self.near_seat]
            self.own.show(
                scenes.counted_near_side(page, self.show_progress.rows_shown, hand_label, score)
            )
            return
        may_choose = self.is_offered(Discard) or self.is_offered(Lay)
        crib = f"{self.names.possessive(view.dealer)} crib"
        name = self.names.lane_label(self.near_seat)
        side = scenes.near_side(view, self.near_seat, self.selection, may_choose, crib, name)
        side = replace(side, roomy=self.other.roomy)
        self.own.show(replace(side, starter=None, crib=()) if self._pack_is_far(view) else side)

    def _pack_is_far(self, view: State) -> bool:
        """Return whether starter and crib are next to the opponent's hand, because it deals."""
        return view.dealer == self.far_seat and self.other.has_room_for_pack

    def _show_other(self, view: State) -> None:
        other = scenes.opponent_row(view, self.names, self.far_seat, self.page)
        if self._pack_is_far(view) and self.page is None:
            crib_label = f"{self.names.possessive(view.dealer)} crib"
            other = replace(
                other, starter=scenes.starter_or_back(view), crib=view.crib, crib_label=crib_label
            )
        self.other.show(other)

    def show_selection(self) -> None:
        """Draw the marks on your cards, and highlight the discard that they make."""
        self._show_hand(self.seen)
        if self.choice_advice is not None:
            self._show_scene(self.seen)
            self._say(self.seen)
        elif self.message.text == WEIGHING_MESSAGE:  # marking a card ends the wait
            self._say(self.seen)

    def show_decision(self, decision: Decision[State, Action]) -> None:
        """Show the number and the cost of all mistakes."""
        self.meters.show(self.meter_readings(self.seen))
        if self.game_won:
            self._show_scene(self.seen)

    # ---- the trainer ----------------------------------------------------------------------

    def analysed_position(self, view: State) -> State | None:
        """Return the view of a choice of discards or of a card to play."""
        has_choice = self.is_offered(Discard) or self.is_offered(Lay)
        return view if self.weighs and has_choice else None

    def analyse(self, position: State) -> ChoiceAdvice:
        """Compare the choices; this loads numpy the first time."""
        from .choice_advice import advise_before_choice  # late: numpy

        return advise_before_choice(position, self.seat)

    def rank_choices(self) -> ChoiceRanking[Action] | None:
        """Return the discards or the cards to play, and the details of the marked discard."""
        advice = self.choice_advice
        if advice is None or advice.choices is None or advice.ranking is None:
            return None if advice is None else advice.choices
        row = advice.ranking.row_of(self.selection)
        return replace(advice.choices, details=scenes.discard_details(row, advice.ranking))

    def analysis_ended(self) -> None:
        self._show_scene(self.seen)
        self._say(self.seen)
        self.refresh_bindings()

    def action_look(self, step: int) -> None:
        """Mark the next or the previous discard, in the order of their EV."""
        if self.choice_advice is None or (ranking := self.choice_advice.ranking) is None:
            return
        current = ranking.row_of(self.selection)
        place = ranking.rows.index(current) + step if current else 0
        self.selection = ranking.rows[place % len(ranking.rows)].choices[0]
        self.show_selection()
        self.request(ViewChanged())

    # ---- messages -------------------------------------------------------------------------

    def show_prompt(self, view: State) -> None:
        """Say what happened and what to do; begin to show a count combination by combination."""
        self.live = not self.disabled  # a recording does not react to clicks
        page = self.show_progress.page
        if page and self.show_progress.has_hidden_rows and not self.frames.is_running:
            self.show_progress.rows_shown = 1
            self.frames.start((COUNTING_PACE * self.tempo,) * len(page.scores))
        self._say(view)
        self.show(view)

    def show_ending(self, why: str) -> None:
        """Say how the game ended, once the player has read the last count."""
        self._end_reason = why
        if self.paused:
            return
        text = self.result(self.seen)
        if self.info.options.form is GameForm.ROUND:
            text += ": the round is over"
        human_won = self.me is not None and self.seen.winner == self.me
        kind = self._win_kind(is_great=self.won_by_skunk)
        self.say(f"{text}.", kind if human_won else "")

    def _say(self, view: State) -> None:
        page = self.page
        if page is not None and self.frames.is_running and page.scores and not self.celebrates:
            row = page.rows[max(0, self.show_progress.rows_shown - 1)]
            verb = "" if row.score.kind == "fifteen" else "is "
            self.say(
                f"{score_name(row.score.kind)} {verb}{number_in_words(row.total)}".capitalize()
            )
        elif page is not None and page.counted:
            game_end = f" {self.result(view)}." if self.game_won else ""
            perfect = (PERFECT_TEXT + game_end,) if self.is_perfect(page) else ()
            texts = (
                *perfect,
                hand_worth_text(page, self.names) + game_end,
                short_worth_text(page, self.names) + game_end,
            )
            kind = self._win_kind(is_great=True) if self.is_perfect(page) else ""
            kind = "bad" if page.missed else kind
            self.say(texts[0], kind, (*texts[1:], *filter(None, (game_end.strip(),))))
        else:
            parts = [*event_sentences(self.events[-MESSAGE_EVENTS:], self.names), self.prompt(view)]
            first, *others = (" ".join(parts[start:]).strip() for start in range(len(parts)))
            self.say(first, "", others)  # the prompt, which is last, is always shown

    def _win_kind(self, *, is_great: bool) -> str:
        return "great win" if is_great and self.animates else "win"

    def show_moment(self) -> None:
        """Show the next combination of a count, or the whole count after the last one."""
        if (page := self.show_progress.page) is not None:
            self.show_progress.rows_shown = min(1 + self.frames.frame, len(page.scores))
        self._say(self.seen)
        if self.frames.is_running:
            self._show_scene(self.seen)
            self._show_hand(self.seen)
        else:
            self.show(self.seen)

    def motion_ended(self) -> None:
        """Celebrate a hand of 29 points once it is counted."""
        if self.page is not None and self.is_perfect(self.page):
            self._celebrate_once(self.page.cards)

    def _celebrate_once(self, moment: tuple[object, ...]) -> None:
        """Celebrate a moment, identified by its cards or points, if this has not been done."""
        if moment != self._celebrated:
            self._celebrated = moment
            self.celebrate()

    def finish_motion(self) -> bool:
        """Show the whole count immediately; return true if the key does no more."""
        counting = not self.celebrates
        return self.frames.finish() and counting

    def describe_position(self, view: State) -> str:
        """Return your cards with suit symbols, and during the play also the count."""
        play = view.phase is Phase.PLAY
        cards_left = view.unplayed(self.seat) if play else view.hands[self.seat]
        cards = card_symbols(cards_left)
        return f"{cards} at {view.count}" if play else cards

    # ---- keys -----------------------------------------------------------------------------

    def turn_page(self) -> None:
        """Go to the next page of a count when the player has read the current one."""
        self.turn_count_page()
        self._say(self.seen)
        self.present(self.seen)
        if self.is_over:
            self.show_ending(self._end_reason)

    def action_place(self, place: int) -> None:
        """Mark a card for the crib, or play it."""
        if self.is_offered(Discard):
            self.mark(place)
        elif self.is_offered(Lay):
            self._play_card(place)
        else:
            self.act()  # a click ends an animation, as any key does

    def _play_card(self, place: int, at_once: bool = True) -> None:
        """Play a card, or only mark it; refuse a card that cannot be played."""
        hand, playable = self.seen.hands[self.seat], self.seen.playable(self.seat)
        if place <= len(hand) and hand[place - 1] in playable:
            if at_once:
                self.selection = (place,)  # Space plays it after a warning
                self.act(Lay(place))
            else:
                self.selection = () if self.selection == (place,) else (place,)
                self.show_selection()
                self.request(ViewChanged())
            return
        right = f"you can play {scenes.numbered_cards(hand, playable)}."
        self.refuse(str(place), scenes.lay_refusal(self.seen, self.seat, place), capitalize(right))

    def on_own_hand_pressed(self, message: OwnHand.Pressed) -> None:
        """Mark or unmark the card that was clicked; during the play a double-click plays it.

        While discards are chosen, a double-click leaves the card marked, whether or not it was
        marked before.
        """
        if self.page is not None:
            return
        if self.is_offered(Lay):
            self._play_card(message.place, at_once=message.twice)
        elif not message.twice or message.place not in self.selection:
            self.action_place(message.place)

    def action_again(self) -> None:
        origin = self.info.origin
        if origin.kind != "java":
            self.refuse("F5", "only a round of the trainer can be dealt again.")
            return
        self.request(SitDown(partial(deal_again, int(origin.value))))

    def action_log(self) -> None:
        self.open(Window("Log", "\n".join(self.log_lines) or "nothing yet"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "place":
                return True if self.is_offered(Discard) or self.is_offered(Lay) else None
            case "look":
                return (
                    True if self.choice_advice is not None and self.choice_advice.ranking else None
                )
        return super().check_action(action, parameters)
