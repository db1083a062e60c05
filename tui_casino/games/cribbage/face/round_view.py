"""What the view of cribbage knows of a round, and what it calls all that can be done in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.timer import Timer

from ....cards.card import BACK, Card
from ....engine.game import Seat
from ....engine.offers import Offer
from ....gamekit.adviser import Decision
from ....tui.table.action_text import mistake_in_view_words
from ....tui.table.snapshot import SeatTotals
from ....tui.table.view import PRIMARY, TableInfo, TableView
from ....tui.table.view_requests import DoActions, SitDown, TurnPage, ViewRequest
from ....tui.widgets.hint_strips import Hint
from ....tui.widgets.meters import Meter
from ....tui.widgets.title_bar import Note
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
    RoundBegun,
    RoundPart,
    Scored,
)
from ..machine.rules import KEPT
from ..machine.state import FIRST_DEALER, CountingMode, GameForm, Options, Phase, State
from . import scenes
from .count_pages import CountPage
from .game_result import game_result
from .hand_counts import HandCounts
from .messages import event_sentences
from .seat_names import SeatNames
from .show_progress import ShowProgress
from .tables import deal_again
from .tally import Tally, begin
from .trainer_log_file import log_lines

if TYPE_CHECKING:  # numpy, late
    from .choice_advice import ChoiceAdvice

LOG_LINES = 200
"""How many lines of the log are kept."""
TELLING = 8
"""Events that the message may still tell of."""
DEAREST = 3
"""Mistakes that are named at the end of a game."""
_HIDDEN = str(BACK)


class RoundView(TableView[Options, State, Action, Event, Tally]):
    """Follows a round: what was heard and logged, which hands were counted, what comes next.

    ``counted`` is the show of this round. ``before`` is what the trainer tells of the present
    choice, if it does. ``live`` tells that somebody plays here: in a recording nothing waits.
    ``read`` says that the last count of a game that is over has been read.
    """

    def __init__(
        self, facts: TableInfo[Options, State, Action, Event, Tally], seen: State, tally: Tally
    ) -> None:
        self._timer: Timer | None = None
        self.live = False
        me = facts.seat if facts.players[facts.seat] is None and not facts.shared else None
        self.names = SeatNames.at(facts.players, me)
        super().__init__(facts, seen, tally)

    def reset(self) -> None:
        """Know of no round."""
        self.events: list[Event] = []
        self.log_lines: list[str] = []
        self.recap: tuple[str, ...] = ()
        self.lit: frozenset[Card] = frozenset()
        self.counted, self.counts = ShowProgress(self.me), HandCounts()
        self.before: ChoiceAdvice | None = None
        self.live = self.read = False
        journal: SeatTotals[State, Action] = SeatTotals()
        self._began = begin(self.seat), journal
        self._why = ""
        self._of_before = self.totals.last

    def change_seat(self, seat: Seat, eyes: Seat | None) -> None:
        """Speak for one of two players; who looks is called You."""
        super().change_seat(seat, eyes)
        self.names = SeatNames.at(self.info.players, eyes)

    @property
    def me(self) -> Seat | None:
        """The human's seat; nobody's where two computer players are watched, or two humans look."""
        return self.names.me

    @property
    def plays(self) -> bool:
        """Whether a human plays here."""
        return self.info.players[self.seat] is None

    @property
    def near(self) -> Seat:
        """The seat whose cards lie large below: that of who looks, or the trainer's dealer's.

        Where two humans look at open cards it is that of whose turn it is.
        """
        if self.me is not None:
            return self.me
        return self.seat if self.plays and self.info.options.open else Seat(FIRST_DEALER)

    def _asked(self, prompt: str) -> str:
        """Say who is asked, where two humans look."""
        return prompt if self.me is not None else f"{self.names[self.seat]}: {prompt}"

    @property
    def far(self) -> Seat:
        """The seat across the table."""
        return Seat(1 - self.near)

    def subtitle(self) -> str:
        """Say what is played, and whose the crib is."""
        options, origin = self.info.options, self.info.origin
        rules = options.rule_set
        parts = [f"to {rules.target}", f"{rules.title} rules"]
        if options.form is GameForm.ROUND:
            parts = ["one round", f"{rules.title} rules"]
            parts += [f"seed {origin.value}"] if origin.kind != "committed" else []
        elif self.info.shared:
            parts.append("two players")
        elif self.me is not None:
            parts.append(f"against {self.names[self.far]}")
        crib = f"{self.names.whose(self.seen.dealer)} crib"
        return f"{', '.join(parts)} · {crib}"

    def notes(self) -> tuple[Note, ...]:
        """Say how a series stands."""
        options, won = self.info.options, self.seen.won
        if options.games == 1:
            return ()
        number = min(self.seen.played + 1, options.games)
        what = "game" if options.form is GameForm.GAME else "round"
        score = (
            f", game points {won[self.near]} : {won[self.far]}"
            if options.form is GameForm.GAME
            else ""
        )
        return ((f"{what} {number} of {options.games}{score}", ""),)

    # ---- what happens ---------------------------------------------------------------------

    def apply_event(self, event: Event) -> None:
        """Take note of what is said, of the log, and of the cards that score."""
        options = self.info.options
        if isinstance(event, CardDealt):
            return
        if isinstance(event, RoundBegun):
            self.recap = scenes.recap(self.counted.pages, self.names) or self.recap
            self.events, self.lit, self._of_before = [], frozenset(), self.totals.last
            self.counted.clear()
            self.read = False
            if self.seen.points == (0, 0):
                self._began = self.tally, self.totals
            if options.form is GameForm.ROUND:
                self.log_lines = []
        match event:
            case Laid():
                self.lit = frozenset()
            case Scored(_, _, _, _, cards, RoundPart.PLAY):
                self.lit = frozenset(cards)
        holds = self.live and options.counting is not CountingMode.TABLE and self.plays
        self.counted.hear(event, self.seen, holds)
        self.events.append(event)
        if isinstance(event, Scored):
            self.counts = self.counts.with_points(event, self.me)
        if isinstance(event, HandCounted):
            self.counts = self.counts.with_hand(event, self.me, self.counted.pages[-1].crib)
            self.counted.told *= not self.tells_on
        self.log_lines += (line for line in log_lines(event) if _HIDDEN not in line)
        del self.log_lines[:-LOG_LINES]

    @property
    def verdict_now(self) -> Decision[State, Action] | None:
        """The last choice that was weighed, if it was one of this deal."""
        last = self.totals.last
        return None if last is self._of_before else last

    @property
    def tells_on(self) -> bool:
        """Whether a hand is counted before the player's eyes, combination by combination."""
        return self.animates and self.info.options.counting is CountingMode.TABLE

    @property
    def recent_lines(self) -> tuple[str, ...]:
        """The log, as far as it is kept."""
        return tuple(self.log_lines)

    @property
    def page(self) -> CountPage | None:
        """The page of the show, while that lasts."""
        shows = self.seen.phase in (Phase.SHOW, Phase.REST, Phase.OVER)
        return self.counted.page if shows and not self.read else None

    @property
    def won(self) -> bool:
        """Whether a game has just been won, by whom ever."""
        return self.seen.winner is not None and self.info.options.form is GameForm.GAME

    @property
    def holds(self) -> bool:
        """Whether a count is to be read before anything else is shown."""
        show = self.counted
        if self.won:
            return self.live and self.page is not None
        return show.held and not (show.last and self.seen.phase is Phase.REST)

    def turn(self) -> None:
        """Go on behind a count that has been read; behind the last one is how a game ended."""
        if self.won and self.counted.last:
            self.read = True
        self.counted.turn()

    def end_of_the_game(self) -> tuple[str, ...]:
        """Tell what the game came to for who looks; nothing to two who share the table."""
        if self.me is None:
            return ()
        before, began = self._began
        game, here = self.tally.since(before), self.snapshot().tally
        new = (one for one in self.totals.costliest if one not in began.costliest)
        ranked = sorted(new, key=lambda one: one.cost, reverse=True)
        dearest = (self._said(one) for one in ranked[:DEAREST])
        return tuple(game_result(game, here, self.totals, began, dearest))

    def _said(self, mistake: Decision[State, Action]) -> str:
        """Say a mistake in a line: what it cost, what was done, and what was best."""
        said = mistake_in_view_words(self, mistake)
        return f"{self.definition.figure(said.cost):>6}  {said.action}, best {said.best}"

    # ---- what it is called ------------------------------------------------------------------

    def prompt(self, view: State) -> str:
        """Say what the phase asks for."""
        match view.phase:
            case Phase.DISCARD if self.plays:
                asked = self._asked(f"Which two for {self.names.whose(view.dealer)} crib?")
                row = (
                    self.before
                    and self.before.ranking
                    and self.before.ranking.row_of(self.selection)
                )
                if not row:
                    return asked
                cost = f"costs {float(row.cost):.2f}" if row.cost else "is the best"
                return f"{asked} {' '.join(row.names)} {cost}"
            case Phase.PLAY if self.is_offered(Lay):
                able = view.able(self.seat)
                only = f"Only {able[0].symbol} can be laid."
                return self._asked(only if len(able) == 1 else "Which card?")
            case Phase.PLAY if self.awaited and self.plays:
                return self._asked("None of your cards fits.")
            case Phase.SHOW if self.is_offered(Count) and (page := self.counted.page) is not None:
                return self._asked(f"How many points in your {page.what}?")
            case Phase.SHOW if view.shown == 0:
                return "All cards are laid."
        return ""

    def result(self, view: State) -> str:
        """Say how the round or the game ended."""
        told = event_sentences(self.events[-TELLING:], self.names)
        return told[-1].rstrip(".") if told else ""

    def meter_readings(self, view: State) -> Iterator[Meter]:
        """Give the points of both, what a count brought, and with the trainer the mistakes."""
        page = self.page
        points, gained = (view.points, (0, 0)) if page is None else (page.points, page.gained)
        for seat, tone in ((self.near, "gold"), (self.far, "")):
            more = f"+{gained[seat]}" if gained[seat] else ""
            yield Meter(self.names[seat], str(points[seat]), tone, more)
        yield from self.mistakes()
        yield from self.counts.meters(self.info.options)

    def name_of_action(self, action: Action) -> str:
        """Call a deed by its cards."""
        hand = self.seen.hands[self.seat]
        match action:
            case Discard(places):
                return f"Throw {' '.join(hand[place - 1].symbol for place in places)}"
            case Lay(place):
                return f"Lay {hand[place - 1].symbol}"
            case Next() if self.seen.phase is Phase.REST:
                return "Next game" if self.won else "Next deal"
            case Next():
                return "On to the crib" if self.seen.shown == 2 else "Next hand"
            case Count(points):
                return f"Count {points}"
        return "Go"

    @property
    def primary_name(self) -> str:
        """Name what comes after a page; after the end one sits down again."""
        if self.holds:
            show = self.counted
            if show.last:
                return "See how it ended" if self.is_over or self.won else "Next hand"
            return "On to the crib" if show.pages[show.at + 1].crib else "Next hand"
        return "Next game" if self.info.options.form is GameForm.GAME else "Next round"

    @property
    def leading_action(self) -> str:
        """A card or a number, where one has to be chosen."""
        if self.default_actions or self.primary:
            return PRIMARY
        return "word('c')" if self.is_offered(Count) else "place(1)"

    @property
    def openers(self) -> tuple[Hint, ...]:
        """Where players count themselves, a number is typed."""
        if self.info.options.counting is CountingMode.TABLE:
            return ()
        return (Hint("c", "c", "Count", self.is_offered(Count), "word('c')"),)

    @property
    def number_word(self) -> str:
        """A number is the points that the player counts."""
        return "c" if self.is_offered(Count) else ""

    def binding_label(self, action: str) -> str | None:
        """Call the digits by what they choose; the arrows only look where there is a list."""
        if action.startswith("place"):
            return "Lay" if self.seen.phase is Phase.PLAY else "Mark"
        if action.startswith("look"):
            return None if self.weighs else ""
        if action == PRIMARY and not (self.default_actions or self.primary):
            wanted = ((Discard, "Throw 2"), (Lay, "Lay"), (Count, "Count"))
            return next((words for kind, words in wanted if self.is_offered(kind)), None)
        return super().binding_label(action)

    def digits(self, action: str) -> int | None:
        """Count the cards of one's hand, once two are in the crib."""
        played = action.startswith("place") and self.seen.phase is Phase.PLAY
        return KEPT if played else None

    def disabled_reason(self, action: str, parameters: tuple[object, ...]) -> str:
        """Say what is wanting."""
        if self.holds:
            return "first read on: space."
        match action:
            case "primary" if self.is_offered(Lay):
                hand = self.seen.hands[self.seat]
                return f"first choose: {scenes.numbered_cards(hand, self.seen.able(self.seat))}."
            case "primary" if self.is_offered(Count):
                return "first count: type the points."
            case "place":
                return "no card to choose now."
            case "look":
                return "there are no discards to look through now."
        return ""

    # ---- what may be done -------------------------------------------------------------------

    @property
    def offers(self) -> tuple[Offer[Action], ...]:
        """What may be done, once a count has been read."""
        return () if self.holds else super().offers

    @property
    def primary(self) -> ViewRequest[Action] | None:
        """First a count is read, a card that is marked is laid; after the end one sits down again.

        Else it is the first on offer.
        """
        if self.holds:
            return TurnPage()
        if self.selection and self.is_offered(Lay):
            return DoActions((Lay(self.selection[0]),))
        return SitDown(partial(deal_again, None)) if self.is_over else None
