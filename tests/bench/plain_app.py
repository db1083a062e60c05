"""A plain Textual app for comparison: a list, then five cards, an input line and a footer."""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static

COMMAND = (sys.executable, "-c", "from tests.bench.plain_app import Plain; Plain().run()")
"""How the app is run: it is imported, so its bytecode is cached like that of any package."""
HALL = "PLAIN HALL"
"""The first text that the app shows."""


class Card(Static):
    """A card: a box with its name in the corners."""

    def show(self, name: str) -> None:
        self.update(f"{name}\n\n   {name[-1]}\n\n     {name}")


class Table(Screen[None]):
    """Five cards with an input line below."""

    BINDINGS = [  # noqa: RUF012 - as in Textual's tutorial
        Binding("space", "draw", "Draw", priority=True),
        *(Binding(str(n), f"hold({n})", "Hold", show=n == 1, priority=True) for n in range(1, 6)),
    ]
    CSS = """
    Table Horizontal { height: 1fr; align: center middle; }
    Card { width: 9; height: 7; border: round white; background: white; color: black; }
    Card.held { border: heavy orange; }
    """
    drawn = 0

    def compose(self) -> ComposeResult:
        yield Static("PLAIN TABLE")
        with Horizontal():
            for number in range(5):
                yield Card(id=f"card{number + 1}")
        yield Input()
        yield Footer()

    def on_mount(self) -> None:
        self.action_draw()

    def action_draw(self) -> None:
        for card in self.query(Card):
            self.drawn += 1
            card.remove_class("held")
            card.show("23456789TJQKA"[self.drawn % 13] + "♣♦♥♠"[self.drawn % 4])

    def action_hold(self, number: int) -> None:
        self.query_one(f"#card{number}").toggle_class("held")


class Plain(App[None]):
    """A list of games, and the table."""

    def compose(self) -> ComposeResult:
        yield Static(HALL)
        yield OptionList(*(f"Game {number}" for number in range(1, 6)))
        yield Footer()

    def on_option_list_option_selected(self) -> None:
        self.push_screen(Table())
