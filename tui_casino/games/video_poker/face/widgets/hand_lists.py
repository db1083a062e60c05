"""The list next to the cards: the trainer's list of holds, or the most recent hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from textual.geometry import Size
from textual.strip import Strip

from .....cards.card import Hand, card_symbols
from .....tui.draw.choice_list import ChoiceList
from .....tui.draw.look import Look, line_styles_of, result_tone
from .....tui.draw.segments import LineBuilder, join_pieces
from .....tui.draw.text import signed_count
from .....tui.widgets.lists import ChoiceListView
from ..tally import row_in_words

WIDE = 45
"""The smallest width, in columns, that also shows the cards of a hand."""
ALL, NOTHING = "all five", "none"


class PlayedHand(NamedTuple):
    """A finished hand: its final cards, the row that paid it, and its net result in credits."""

    hand: Hand
    row: str | None
    net: int


class HoldListView(ChoiceListView):
    """The trainer's list of holds; without it, the most recent hands."""

    def __init__(self, *, classes: str) -> None:
        super().__init__(classes=classes)
        self._last_hands: tuple[PlayedHand, ...] | None = ()

    def show_hands(
        self, choices: ChoiceList | None, last_hands: tuple[PlayedHand, ...] | None
    ) -> None:
        """Show the list of holds, or the hands with the last first.

        In practice, which has no earlier hands, ``last_hands`` is ``None`` and nothing is listed.
        """
        if choices is None and last_hands != self._last_hands:
            self.refresh()
        self._last_hands = last_hands
        self.show(choices)

    def _shown(self) -> object:
        return self.choices or self._last_hands

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        if area.height < 2:
            return ()
        return super()._draw(look, area) if self.choices else self._draw_hands(look, area)

    def _draw_hands(self, look: Look, area: Size) -> Iterator[Strip]:
        if self._last_hands is None:
            return
        inks, wide = line_styles_of(look.palette), area.width >= WIDE
        yield join_pieces([(" LAST HANDS", inks.gold)], area.width, look.tier)
        if not self._last_hands:
            yield join_pieces([(" none yet", inks.muted)], area.width, look.tier)
        for hand in self._last_hands[: area.height - 1]:
            row = LineBuilder(look.tier)
            row.put(1, row_in_words(hand.row or "nothing"), inks.text if hand.row else inks.muted)
            if wide:
                row.put(25, card_symbols(hand.hand), inks.muted)
            net = signed_count(hand.net)
            row.put_before(area.width - 1, net, inks.style(result_tone(hand.net, even="text")))
            yield row.strip(area.width)


def hold_name(hand: Hand, positions: tuple[int, ...], room: int = 99) -> str:
    """Name a hold by its cards, without spaces if the name is longer than ``room``."""
    if len(positions) == len(hand):
        return ALL
    cards = [hand[place - 1].symbol for place in positions]
    spaced = " ".join(cards)
    return (spaced if len(spaced) <= room else "".join(cards)) or NOTHING
