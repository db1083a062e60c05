"""The part of the cribbage view that follows a round: its events, counts and prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from ....cards.card import Card, card_symbols
from ....engine.game import Seat
from ....engine.offers import Offer
from ....gamekit.adviser import Decision
from ....gamekit.number_formats import rounded_cost
from ....tui.table.action_text import mistake_in_view_words
from ....tui.table.listed_view import PRIMARY
from ....tui.table.snapshot import SeatTotals, TableInfo
from ....tui.table.view import DoActions, SitDown, TableView, TurnPage, ViewRequest
from ....tui.widgets.hint_line import Hint
from ....tui.widgets.text_blocks import Meter
from ....tui.widgets.title_bar import Note
from ..machine import state as m
from ..machine.rules import KEPT
from . import scenes
from .counting import CountPage, ShowProgress
from .pages import CountingStatistics, game_result
from .table_catalog import deal_again
from .table_messages import SeatNames, event_sentences, log_sentences
from .tally import Tally, begin

if TYPE_CHECKING:  # numpy, late
    from .choice_advice import ChoiceAdvice

MAX_LOG_LINES = 200
"""The number of log lines kept."""
MESSAGE_EVENTS = 8
"""The number of recent events that the message line may describe."""
PERFECT = 29
"""The most points of a hand."""
COSTLIEST_SHOWN = 3
"""The number of mistakes listed at the end of a game."""


class RoundView(TableView[m.Options, m.State, m.Action, m.Event, Tally]):
    """Follows a round: its events and log, the hands counted at the show, and the next action.

    ``show_progress`` holds the show of this round. ``live`` is false in a replay, where the table
    does not wait for a player. ``last_count_read`` is true once the player has read the last count
    of a finished game.
    """

    def __init__(
        self,
        facts: TableInfo[m.Options, m.State, m.Action, m.Event, Tally],
        seen: m.State,
        tally: Tally,
    ) -> None:
        self.live = False
        me = facts.seat if facts.players[facts.seat] is None and not facts.shared else None
        self.names = SeatNames.of_players(facts.players, me, facts.names, facts.others)
        super().__init__(facts, seen, tally)

    def reset(self) -> None:
        """Forget the round: its events, log, counts and advice."""
        self.events: list[m.Event] = []
        self.log_lines: list[str] = []
        self.recap: tuple[str, ...] = ()
        self.scoring_cards: frozenset[Card] = frozenset()
        self.show_progress, self.counting = ShowProgress(self.me), CountingStatistics()
        self.analysis.forget()
        self.live = self.last_count_read = False
        journal: SeatTotals[m.State, m.Action] = SeatTotals()
        self._game_start = begin(self.seat), journal
        self._end_reason = ""
        self._celebrated: object = None

    @property
    def choice_advice(self) -> ChoiceAdvice | None:
        """The trainer's advice for the present choice, as soon as it is known."""
        advice: ChoiceAdvice | None = self.analysis.data
        return advice

    def change_seat(self, seat: Seat, eyes: Seat | None) -> None:
        """Show the table to another seat; the player at the screen is called You."""
        super().change_seat(seat, eyes)
        self._name_players(eyes)

    def name_others(self, names: Mapping[Seat, str]) -> None:
        """Name the opponent who plays elsewhere."""
        super().name_others(names)
        self._name_players(self.me)

    def _name_players(self, me: Seat | None) -> None:
        info = self.info
        self.names = SeatNames.of_players(info.players, me, info.names, info.others)

    @property
    def me(self) -> Seat | None:
        """The human's seat; ``None`` with two computer players or two humans."""
        return self.names.me

    @property
    def is_human(self) -> bool:
        return self.info.players[self.seat] is None

    @property
    def near_seat(self) -> Seat:
        """The seat whose cards are shown large at the bottom of the screen.

        That is the seat of the player at the screen. With two humans and open cards it is the seat
        to act; otherwise it is the trainer's dealer.
        """
        if self.me is not None:
            return self.me
        return self.seat if self.is_human and self.info.options.open else Seat(m.FIRST_DEALER)

    def _address_seat(self, prompt: str) -> str:
        """Return the prompt, preceded by the seat's name if two humans share the screen."""
        return prompt if self.me is not None else f"{self.names[self.seat]}: {prompt}"

    @property
    def far_seat(self) -> Seat:
        return Seat(1 - self.near_seat)

    def subtitle(self) -> str:
        """Return the game, its rules, the opponent, and whose crib it is."""
        options, origin = self.info.options, self.info.origin
        rules = options.rule_set
        parts = [f"to {rules.target}", f"{rules.title} rules"]
        if options.form is m.GameForm.ROUND:
            parts = ["one round", f"{rules.title} rules"]
            parts += [f"seed {origin.value}"] if origin.kind != "committed" else []
        elif self.info.shared:
            parts.append("two players")
        elif self.me is not None:
            parts.append(f"against {self.names[self.far_seat]}")
        crib = f"{self.names.possessive(self.seen.dealer)} crib"
        return f"{', '.join(parts)} · {crib}"

    def notes(self) -> tuple[Note, ...]:
        """Return the number of the game in a series, and the game points."""
        options, games_won = self.info.options, self.seen.won
        if options.games == 1:
            return ()
        number = min(self.seen.played + 1, options.games)
        unit = "game" if options.form is m.GameForm.GAME else "round"
        score = (
            f", game points {games_won[self.near_seat]} : {games_won[self.far_seat]}"
            if options.form is m.GameForm.GAME
            else ""
        )
        return ((f"{unit} {number} of {options.games}{score}", ""),)

    # ---- what happens ---------------------------------------------------------------------

    def apply_event(self, event: m.Event) -> None:
        """Add an event to the message, the log, the counts and the scoring cards."""
        options = self.info.options
        if isinstance(event, m.CardDealt):
            return
        if isinstance(event, m.RoundBegun):
            self.recap = scenes.recap(self.show_progress.pages, self.names) or self.recap
            self.events, self.scoring_cards = [], frozenset()
            self.show_progress.clear()
            self.last_count_read = False
            if self.seen.points == (0, 0):
                self._game_start = self.tally, self.totals
            if options.form is m.GameForm.ROUND:
                self.log_lines = []
        match event:
            case m.Laid():
                self.scoring_cards = frozenset()
            case m.Scored(_, _, _, _, cards, m.RoundPart.PLAY):
                self.scoring_cards = frozenset(cards)
        pause = self.live and options.counting is not m.CountingMode.TABLE and self.is_human
        self.show_progress.update(event, self.seen, pause)
        self.events.append(event)
        if isinstance(event, m.Scored):
            self.counting = self.counting.with_points(event, self.me)
        if isinstance(event, m.HandCounted):
            self.counting = self.counting.with_hand(
                event, self.me, self.show_progress.pages[-1].crib
            )
            self.show_progress.rows_shown *= not self.animates_count
        self.log_lines += log_sentences(event, self.names)
        del self.log_lines[:-MAX_LOG_LINES]

    @property
    def animates_count(self) -> bool:
        """Whether the count of a hand is shown one combination at a time."""
        return self.animates and self.info.options.counting is m.CountingMode.TABLE

    @property
    def recent_lines(self) -> tuple[str, ...]:
        return tuple(self.log_lines)

    @property
    def page(self) -> CountPage | None:
        """The page of the show on the screen; ``None`` outside the show."""
        shows = self.seen.phase in (m.Phase.SHOW, m.Phase.REST, m.Phase.OVER)
        return self.show_progress.page if shows and not self.last_count_read else None

    @property
    def game_won(self) -> bool:
        """Whether a player, human or not, has just won a game."""
        return self.seen.winner is not None and self.info.options.form is m.GameForm.GAME

    @property
    def won_by_skunk(self) -> bool:
        over = self.events[-1] if self.events else None
        return isinstance(over, m.GameOver) and over.worth > 1 and over.winner == self.me

    def is_perfect(self, page: CountPage) -> bool:
        """Whether a page shows a hand of 29 points that belongs to the player at this screen."""
        return page.counted and page.total_points == PERFECT and page.seat == self.me

    @property
    def paused(self) -> bool:
        """Whether the table waits until the player has read a count."""
        show = self.show_progress
        if self.game_won:
            return self.live and self.page is not None
        return show.paused and not (show.last and self.seen.phase is m.Phase.REST)

    def turn_count_page(self) -> None:
        """Show the next page of a count; after the last page of a finished game, its result."""
        if self.game_won and self.show_progress.last:
            self.last_count_read = True
        self.show_progress.turn_page()

    def game_result_lines(self) -> tuple[str, ...]:
        """Return the result of the game in lines, or no lines if two humans share the table."""
        if self.me is None:
            return ()
        tally_before, totals_before = self._game_start
        game, table_tally = self.tally.since(tally_before), self.snapshot().tally
        new_mistakes = (one for one in self.totals.costliest if one not in totals_before.costliest)
        ranked = sorted(new_mistakes, key=lambda one: one.cost, reverse=True)
        costliest = (self._mistake_line(one) for one in ranked[:COSTLIEST_SHOWN])
        return tuple(game_result(game, table_tally, self.totals, totals_before, costliest))

    def _mistake_line(self, mistake: Decision[m.State, m.Action]) -> str:
        """Return a mistake in one line: its cost, the action taken and the best action."""
        text = mistake_in_view_words(self, mistake)
        return f"{self.definition.format_cost(text):>6}  {text.action}, best {text.best}"

    # ---- prompts and names ------------------------------------------------------------------

    def prompt(self, view: m.State) -> str:
        """Return what the player has to do now, or why no choice is possible."""
        match view.phase:
            case m.Phase.DISCARD if self.is_human:
                question = self._address_seat(
                    f"Which two for {self.names.possessive(view.dealer)} crib?"
                )
                row = (
                    self.choice_advice
                    and self.choice_advice.ranking
                    and self.choice_advice.ranking.row_of(self.selection)
                )
                if not row:
                    return self._with_advice_note(question)
                cost = (
                    f"costs {rounded_cost(row.ev + row.cost, row.ev):.2f}"
                    if row.cost
                    else "is the best"
                )
                return f"{question} {' '.join(row.names)} {cost}"
            case m.Phase.PLAY if self.is_offered(m.Lay):
                playable = view.playable(self.seat)
                single_choice = f"You can only play {playable[0].symbol}."
                if len(playable) == 1:
                    return self._address_seat(single_choice)
                return self._with_advice_note(self._address_seat("Which card?"))
            case m.Phase.PLAY if self.awaited and self.is_human:
                return self._address_seat("You cannot play any of your cards.")
            case m.Phase.SHOW if (
                self.is_offered(m.Count) and (page := self.show_progress.page) is not None
            ):
                return self._address_seat(f"How many points in your {page.hand_kind}?")
            case m.Phase.SHOW if view.shown == 0:
                return "All cards are played."
        return ""

    def _with_advice_note(self, question: str) -> str:
        """Add the reason why there is no advice to a question, if there is one."""
        note = self.choice_advice.without if self.choice_advice is not None else ""
        return f"{question} {note}".rstrip()

    def result(self, view: m.State) -> str:
        """Return how the round or the game ended."""
        sentences = event_sentences(self.events[-MESSAGE_EVENTS:], self.names)
        return sentences[-1].rstrip(".") if sentences else ""

    def meter_readings(self, view: m.State) -> Iterator[Meter]:
        """Yield both players' points, the average hand and, with the trainer, the mistakes."""
        page = self.page
        points, points_gained = (
            (view.points, (0, 0)) if page is None else (page.points, page.points_gained)
        )
        for seat, tone in ((self.near_seat, "gold"), (self.far_seat, "")):
            gain_text = f"+{points_gained[seat]}" if points_gained[seat] else ""
            yield Meter(self.names[seat], str(points[seat]), tone, gain_text)
        yield from self.mistakes()
        yield from self.counting.meters(self.info.options)

    def name_of_action(self, action: m.Action) -> str:
        """Return the label of an action, including its cards."""
        hand = self.seen.hands[self.seat]
        match action:
            case m.Discard(places):
                return f"Discard {card_symbols(hand[place - 1] for place in places)}"
            case m.Lay(place):
                return f"Play {hand[place - 1].symbol}"
            case m.Next() if self.seen.phase is m.Phase.REST:
                return "Next game" if self.game_won else "Next deal"
            case m.Next():
                return "On to the crib" if self.seen.shown == 2 else "Next hand"
            case m.Count(points):
                return f"Count {points}"
        return "Go"

    @property
    def primary_name(self) -> str:
        """Name the action of Space: turn a page of the count, or play again after the end."""
        if self.paused:
            show = self.show_progress
            if show.last:
                return "See the result" if self.is_over or self.game_won else "Next hand"
            return "On to the crib" if show.pages[show.page_index + 1].crib else "Next hand"
        return "Next game" if self.info.options.form is m.GameForm.GAME else "Next round"

    @property
    def leading_action(self) -> str:
        """The first action in the hint line: a card, or a number while you count."""
        if self.default_actions or self.primary:
            return PRIMARY
        return "word('c')" if self.is_offered(m.Count) else "place(1)"

    @property
    def openers(self) -> tuple[Hint, ...]:
        """Return the hint for typing a count, at tables where players count their own hands."""
        if self.info.options.counting is m.CountingMode.TABLE:
            return ()
        return (Hint("c", "c", "Count", self.is_offered(m.Count), "word('c')"),)

    @property
    def number_word(self) -> str:
        """The command of a typed number: ``c`` while the player has to count a hand."""
        return "c" if self.is_offered(m.Count) else ""

    def binding_label(self, action: str) -> str | None:
        """Return the present label of a key, or an empty text to hide the key.

        After the play, the keys of cards and of go mean nothing until the next deal.
        """
        after_play = self.paused or self.seen.phase in (m.Phase.SHOW, m.Phase.REST, m.Phase.OVER)
        if after_play and action.startswith(("place", "word('g')")):
            return ""
        if action.startswith("place"):
            return "Play" if self.seen.phase is m.Phase.PLAY else "Mark"
        if action.startswith("look"):
            return None if self.weighs else ""
        if action == PRIMARY and not (self.default_actions or self.primary):
            wanted = ((m.Discard, "Discard 2"), (m.Lay, "Play"), (m.Count, "Count"))
            return next((text for kind, text in wanted if self.is_offered(kind)), None)
        return super().binding_label(action)

    def digits(self, action: str) -> int | None:
        """Return the number of digit keys during the play, which is 4; otherwise ``None``."""
        in_play = action.startswith("place") and self.seen.phase is m.Phase.PLAY
        return KEPT if in_play else None

    def disabled_reason(self, action: str, parameters: tuple[object, ...]) -> str:
        if self.paused:
            return "press space to continue first."
        match action:
            case "primary" if self.is_offered(m.Lay):
                hand = self.seen.hands[self.seat]
                return (
                    f"choose first: {scenes.numbered_cards(hand, self.seen.playable(self.seat))}."
                )
            case "primary" if self.is_offered(m.Count):
                return "count first: type the points."
            case "place":
                return "there is no card to choose now."
            case "look":
                return "there are no discards to look through now."
        return super().disabled_reason(action, parameters)

    # ---- offers -----------------------------------------------------------------------------

    @property
    def offers(self) -> tuple[Offer[m.Action], ...]:
        """The actions on offer, or an empty tuple while the player has to read a count."""
        return () if self.paused else super().offers

    @property
    def primary(self) -> ViewRequest[m.Action] | None:
        """The request of Space: turn a page, play the marked card, or start again after the end.

        Otherwise ``None``: Space then does the first action on offer.
        """
        if self.paused:
            return TurnPage()
        if self.selection and self.is_offered(m.Lay):
            return DoActions((m.Lay(self.selection[0]),))
        return SitDown(partial(deal_again, None)) if self.is_over else None
