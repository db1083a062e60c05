"""The list next to the cards, and the panels of a large screen: strategy, session and bankroll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from .....cards.card import Hand, card_symbols
from .....gamekit.number_formats import percent, signed_count
from .....inputs.numbers import count_noun
from .....tui.draw.card_art import CardSize, card_strips
from .....tui.draw.card_art import CardState as Art
from .....tui.draw.choice_list import ChoiceList
from .....tui.draw.look import LineStyles, Look, line_styles_of, result_tone, style_of
from .....tui.draw.plots import plot
from .....tui.draw.segments import EMPTY_LINE, LineBuilder, join_pieces
from .....tui.terminal.detection import GlyphSet
from .....tui.widgets.line_widget import ContentWidget, LineWidget
from .....tui.widgets.lists import ChoiceListView
from ...brains.adviser import HoldRanking
from ...brains.strategy import LINES, line_of
from ..tally import row_in_words

NARROWEST = 24
"""The smallest width, in columns, that shows the row and the result of any hand.

The column next to the cards can be narrower in a large window that also shows a replay.
"""
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
        if self._last_hands is None or area.width < NARROWEST:
            return
        inks, wide = line_styles_of(look.palette), area.width >= WIDE
        end = area.width - (not self.styles.margin.right)
        yield join_pieces([(" LAST HANDS", inks.gold)], area.width, look.tier)
        if not self._last_hands:
            yield join_pieces([(" none yet", inks.muted)], area.width, look.tier)
        for hand in self._last_hands[: area.height - 1]:
            row = LineBuilder(look.tier)
            row.put(1, row_in_words(hand.row or "nothing"), inks.text if hand.row else inks.muted)
            if wide:
                row.put(25, card_symbols(hand.hand), inks.muted)
            net = signed_count(hand.net)
            row.put_before(end, net, inks.style(result_tone(hand.net, even="text")))
            yield row.strip(area.width)


def hold_name(hand: Hand, positions: tuple[int, ...], room: int = 99) -> str:
    """Name a hold by its cards, without spaces if the name is longer than ``room``."""
    if len(positions) == len(hand):
        return ALL
    cards = [hand[place - 1].symbol for place in positions]
    spaced = " ".join(cards)
    return (spaced if len(spaced) <= room else "".join(cards)) or NOTHING


LAST = 5
"""The number of recent hands listed next to the figures."""
CARDS = 36
"""The column at which a strategy line's cards begin, unless the line's name is longer."""
MISTAKES_SHOWN = 3
"""The number of mistakes shown with their cards."""


class CostlyMistake(Struct, frozen=True):
    """A mistake: the hand, what was held, what was best, and the cost in credits."""

    hand: Hand
    held: tuple[int, ...]
    best: tuple[int, ...]
    cost: float


class SittingFigures(Struct, frozen=True):
    """The session so far; ``returned`` is in %, ``cost`` the credits lost by mistakes."""

    hands: int
    net: int
    returned: str
    choices: int
    mistakes: int
    cost: float
    costliest: tuple[CostlyMistake, ...] = ()


class StrategyLineView(LineWidget):
    """The 34-line strategy's hold for a hand, and the line of the hold marked now."""

    def __init__(self, *, classes: str) -> None:
        super().__init__(classes=classes)
        self._ranking: HoldRanking | None = None
        self._held_places: tuple[int, ...] = ()
        self._trains = False

    def show(
        self, ranking: HoldRanking | None, held_places: tuple[int, ...], *, trains: bool
    ) -> None:
        """Set what is shown; without the trainer the widget is blank."""
        shown_before = self._shown()
        self._ranking, self._held_places, self._trains = ranking, held_places, trains
        if self._shown() != shown_before:
            self.refresh()

    def _shown(self) -> object:
        return (self._ranking, self._held_places) if self._trains else None

    def _draw(self, look: Look, area: Size) -> Iterator[Strip]:
        if not self._trains:
            return
        inks, ranking = line_styles_of(look.palette), self._ranking
        yield EMPTY_LINE
        yield join_pieces([(" 34-LINE STRATEGY", inks.gold)], area.width, look.tier)
        first, second = LineBuilder(look.tier), LineBuilder(look.tier)
        if ranking is not None:
            list_play = ranking.list_play
            _line(
                first, list_play.line, hold_name(ranking.hand, list_play.positions), inks, inks.good
            )
            held_cards = [ranking.hand[place - 1] for place in self._held_places]
            if self._held_places != list_play.positions:
                _line(
                    second,
                    line_of(held_cards),
                    hold_name(ranking.hand, self._held_places),
                    inks,
                    inks.gold,
                )
            elif cost := ranking.hold_at(list_play.positions).cost:
                second.put(5, f"costs {float(cost):.2f} credits more than the best hold", inks.bad)
            else:
                second.put(5, "your hold is the best one", inks.muted)
        yield first.strip(area.width)
        yield second.strip(area.width)


class SittingView(LineWidget):
    """The session's figures; with the trainer also recent hands and the costliest mistakes."""

    def __init__(self, *, classes: str) -> None:
        super().__init__(classes=classes)
        self._figures = SittingFigures(0, 0, "", 0, 0, 0.0)
        self._last_hands: tuple[PlayedHand, ...] = ()
        self._trains = False

    def show(
        self, figures: SittingFigures, last_hands: tuple[PlayedHand, ...], *, trains: bool
    ) -> None:
        shown_before = self._shown()
        self._figures, self._last_hands, self._trains = figures, last_hands[:LAST], trains
        if self._shown() != shown_before:
            self.refresh()

    def _shown(self) -> object:
        return self._figures, self._last_hands, self._trains

    def _draw(self, look: Look, area: Size) -> Iterator[Strip]:
        inks, tier, width = line_styles_of(look.palette), look.tier, area.width
        head = LineBuilder(tier).put(1, "THIS SESSION", inks.gold)
        if self._trains:
            head.put(width // 2 + 1, "LAST HANDS", inks.gold)
        yield head.strip(width)
        for place, (name, figure) in enumerate(self._figure_rows()):
            row = LineBuilder(tier)
            row.put(1, name, inks.muted)
            row.put_before(width // 2 - 3, figure, inks.text)
            if self._trains and place < len(self._last_hands):
                hand = self._last_hands[place]
                row.put(width // 2 + 1, row_in_words(hand.row or "nothing"), inks.muted)
                net = signed_count(hand.net)
                row.put_before(width - 1, net, inks.style(result_tone(hand.net, even="text")))
            yield row.strip(width)
        if self._trains:
            yield EMPTY_LINE
            yield join_pieces([(" COSTLIEST MISTAKES", inks.gold)], width, tier)
            for mistake in self._figures.costliest[:MISTAKES_SHOWN]:
                yield _mistake_strip(mistake, look, width)
                yield EMPTY_LINE

    def _figure_rows(self) -> Iterator[tuple[str, str]]:
        figures = self._figures
        yield "hands", f"{figures.hands:,}"
        yield "net", signed_count(figures.net)
        yield "return", f"{figures.returned}%" if figures.hands else ""
        if self._trains:
            right = figures.choices - figures.mistakes
            yield "best holds", percent(right, 1, of=figures.choices) if figures.choices else ""
            cost = f", {figures.cost:.2f} credits" if figures.mistakes else ""
            is_known = bool(figures.choices or not figures.hands)
            yield "mistakes", f"{figures.mistakes:,}{cost}" if is_known else "…"


def _line(row: LineBuilder, line: int | None, cards: str, inks: LineStyles, ink: Style) -> None:
    row.put_before(3, str(line or ""), inks.muted)
    row.put(5, LINES[line - 1] if line else "no line of the strategy", ink)
    row.put(max(CARDS, row.width + 2), cards, inks.muted)


def _mistake_strip(mistake: CostlyMistake, look: Look, width: int) -> Strip:
    """Draw a mistake: the cards as chips, the cards held, the best hold, and the cost."""
    inks = line_styles_of(look.palette)
    row = LineBuilder(look.tier)
    for card in mistake.hand:
        row.add(" ").join(card_strips(card, CardSize.CHIP, Art.NORMAL, look)[0])
    row.put(row.width + 2, hold_name(mistake.hand, mistake.held, 14), inks.text)
    row.add("  best ", inks.muted).add(hold_name(mistake.hand, mistake.best, 14), inks.good)
    return row.put_before(width - 1, f"{mistake.cost:.2f}", inks.bad).strip(width)


class BankrollPlot(ContentWidget[tuple[int, ...]]):
    """The line chart of the credit after each hand."""

    def __init__(self, *, classes: str) -> None:
        super().__init__((), classes=classes)

    def _draw(self, look: Look, area: Size) -> Iterator[Strip]:
        inks, tier, hands = line_styles_of(look.palette), look.tier, len(self.content) - 1
        head = LineBuilder(tier).put(1, "BANKROLL", inks.gold)
        head.put(11, f"this session, {count_noun(hands, 'hand')}", inks.muted)
        yield head.strip(area.width)
        if hands < 1 or area.height < 4:
            return
        plain, thin = tier is not GlyphSet.UNICODE, style_of(look.palette.gold)
        label = max(len(f"{credit:,}") for credit in self.content)
        for line in plot(self.content, area.width - 2, area.height - 2, plain):
            row = LineBuilder(tier).put(1, line[:label], inks.muted).add(line[label:], thin)
            yield row.strip(area.width)
        foot = LineBuilder(tier).put(2 + label, "hand 1", inks.muted)
        foot.put_before(area.width - 1, f"hand {hands:,}", inks.muted)
        yield foot.strip(area.width)
