"""A hand on the table: a line with its name, total and outcome, and its fan of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from .....cards.card import Hand
from .....engine.money import dollars
from .....tui.widgets.card_art import State as Art
from .....tui.widgets.cards import Fan
from .....tui.widgets.texts import Text
from ...machine.moves import DEALER, RoundOver, Settled
from ...machine.rules import total_of
from ...machine.state import State
from ..words import owner, say_total

Styled: TypeAlias = tuple[str, str]
"""Some text, and its style."""

NAME, TOTAL, QUIET = "bold $gold", "bold $foreground", "$muted"
WORDY = 26
"""Columns that a hand needs to be spoken of in words; with less there are figures."""


class HandView(Vertical):
    """The dealer's hand or one of the player's; a resting one is a row of chips."""

    def __init__(self, place: int) -> None:
        super().__init__(classes="-dealer" if place == DEALER else "")
        self.place = place
        self._name_line, self._fan = Text(classes="hand-name"), Fan()
        self._title: tuple[Styled, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out the title over the cards."""
        yield self._name_line
        yield self._fan

    def show(self, view: State, over: RoundOver | None) -> None:
        """Show the hand as it is, or how it came out."""
        if self.place == DEALER:
            self._show_dealer(view)
            return
        count = len(view.hands)
        self.display = self.place < max(1, count)
        if self.place >= count:
            self._put([("YOU", NAME)], (), Art.NORMAL)
            return
        hand = view.hands[self.place]
        settled = over.hands[self.place] if over else None
        resting = view.active is not None and self.place != view.active
        wordy = self.app.size.width >= WORDY * count
        name = owner(self.place, count).upper() if wordy else str(self.place + 1)
        title = [(name, f"bold {QUIET}" if resting else NAME)]
        art = Art.DIMMED if hand.total.bust else Art.NORMAL
        if settled:
            score = say_total(hand.total) if count == 1 else _score(settled)
            title += [(f"  {score}", TOTAL), self._outcome(settled.back - settled.bet, wordy)]
            art = Art.WINNING if settled.back > settled.bet else art
        else:
            title.append((f"  {say_total(hand.total)}", TOTAL))
            if hand.stood:
                title.append(("  stands", QUIET))
            elif count > 1 and wordy:
                title.append((f"  bet {dollars(hand.bet)}", QUIET))
        self._put(title, hand.cards, art, resting)

    def _show_dealer(self, view: State) -> None:
        title, total = [("DEALER", NAME)], total_of(view.dealer)
        if view.dealer:
            title.append((f"  {say_total(total)}", TOTAL))
        if view.insurance:
            title.append((f"  insured for {dollars(view.insurance)}", QUIET))
        self._put(title, view.dealer, Art.DIMMED if total.bust else Art.NORMAL)

    def _outcome(self, net: int, in_words: bool) -> Styled:
        if not net:
            return "  push", QUIET
        star = "*" if self.app.has_class("-ascii") or self.app.has_class("-cp437") else "★"
        if net > 0:
            return f"  {f'{star} wins ' if in_words else '+'}{dollars(net)}", "bold $good"
        return f"  {'loses ' if in_words else '-'}{dollars(-net)}", "bold $bad"

    def _put(self, title: Sequence[Styled], cards: Hand, art: Art, resting: bool = False) -> None:
        self.set_class(resting, "-resting")
        self._fan.show(cards, [art] * len(cards))
        if tuple(title) != self._title:
            self._title = tuple(title)
            self._name_line.update(Content.assemble(*title), layout=False)


def _score(hand: Settled) -> str:
    """Say what one of several hands was compared with: the dealer may have drawn on for another."""
    total = total_of(hand.cards)
    if total.bust:
        return say_total(total)
    return "on 14" if hand.on_14 else f"{total.points} to {hand.against}"
