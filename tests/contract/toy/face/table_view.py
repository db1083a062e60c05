"""The view of the toy game: two cards and a line."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from tui_casino.tui.table.view import TableView, word_bindings
from tui_casino.tui.widgets.cards import CardRow
from tui_casino.tui.widgets.title_bar import MessageLine

from ..machine.game import SEATS, Action, Event, Options, Shown, State
from .tally import Tally


class ToyView(TableView[Options, State, Action, Event, Tally]):
    """The cards of both seats, and a line of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *word_bindings(("d", "Deal", True), ("k", "Keep", True), ("s", "Statistics", False))
    ]

    def compose_table(self) -> ComposeResult:
        """Place the cards above the line."""
        yield CardRow(len(SEATS))
        yield MessageLine()

    def reset(self) -> None:
        """Start without a finished round."""
        self.last: Shown | None = None

    def apply_event(self, event: Event) -> None:
        """Store the result of a round."""
        if isinstance(event, Shown):
            self.last = event

    def show(self, view: State) -> None:
        """Show the cards."""
        self.query_one(CardRow).show(view.cards)

    def result(self, view: State) -> str:
        """Show the result of the last round."""
        return "" if self.last is None else f"You win {self.last.won[self.seat]}"

    def prompt(self, view: State) -> str:
        """Show the possible actions."""
        if view.staked:
            return "Keep or change?"
        return ". ".join(filter(None, (self.result(view), "Space deals")))
