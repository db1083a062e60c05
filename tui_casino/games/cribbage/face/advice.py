"""The trainer's advice for a position: a table of all choices, or a line with the best ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ....cards.card import Card, format_cards
from ....engine.game import Seat
from ..brains.lazy import adviser
from ..machine.state import State

if TYPE_CHECKING:
    from ..brains.discards import DiscardValue
    from ..brains.pegging import PeggingAdvice

NAMED_CHOICES = 3
"""The number of choices that the one-line advice lists."""


def signs(cards: tuple[Card, ...]) -> str:
    """Format cards with suit symbols, as on the screen."""
    return " ".join(card.symbol for card in cards)


def no_adviser(view: State) -> str:
    """Return the sentence that replaces advice under rules without an adviser."""
    return f"The trainer does not know the {view.options.rule_set.title} rules."


def advice(view: State, seat: Seat) -> tuple[str, ...]:
    """Return a table of a seat's choices; return nothing unless it must discard or play a card."""
    if adviser.is_without_advice(view, seat):
        return (no_adviser(view),)
    if discards := adviser.weigh_discards(view, seat):
        win = adviser.discard_win_chances(view, seat)
        head = f"{'discard':<8}{'hand':>7}{'crib':>7}{'EV':>8}{'cost':>7}{_win_head(win)}"
        rows = (_discard_line(one, discards[0]) + _win(win.get(one.discard)) for one in discards)
        return (head, *rows, *_win_chance_note(win, discards[0].discard, signs))
    if cards := adviser.weigh_lays(view, seat, to_win=True):
        win = _by_card(cards)
        head = f"{'play':<8}{'EV':>8}{'error':>7}{'cost':>7}{_win_head(win)}"
        method = "from a sample of hands" if any(one.error for one in cards) else "over all hands"
        note = f"Rest of the play: your points minus your opponent's, {method}."
        rows_of_cards = (_lay_line(one, cards[0]) + _win(one.win) for one in cards)
        return (head, *rows_of_cards, "", note, *_win_chance_note(win, (cards[0].card,), signs))
    return ()


def in_a_line(
    view: State, seat: Seat, named: Callable[[tuple[Card, ...]], str] = format_cards
) -> str | None:
    """Return the best choices in one line; ``None`` if the seat has nothing to choose."""
    if adviser.is_without_advice(view, seat):
        return no_adviser(view)
    if discards := adviser.weigh_discards(view, seat):
        win, best = adviser.discard_win_chances(view, seat), discards[0].discard
        choices = [f"{named(one.discard)} {float(one.ev):+.2f}" for one in discards[:NAMED_CHOICES]]
        heading = "Best discards, EV in points"
    elif cards := adviser.weigh_lays(view, seat, to_win=True):
        win, best = _by_card(cards), (cards[0].card,)
        choices = [f"{named((one.card,))} {_estimate(one)}" for one in cards]
        heading = "Best cards to play, EV in points over the rest of the play"
    else:
        return None
    return ". ".join([f"{heading}: {', '.join(choices)}", *_win_chance_note(win, best, named)])


def _by_card(cards: Sequence[PeggingAdvice]) -> dict[tuple[Card, ...], float]:
    return {(one.card,): one.win for one in cards if one.win is not None}


def _win_chance_note(
    win: Mapping[tuple[Card, ...], float],
    best: tuple[Card, ...],
    named: Callable[[tuple[Card, ...]], str],
) -> Iterator[str]:
    """Yield how often the choice with the best EV wins, and any choice that wins more often."""
    if not win:
        return
    often = max(win, key=win.__getitem__)
    if win[often] == win[best]:
        yield f"{named(best)} also wins the game most often: {win[best]:.1%}"
    else:
        rates = f"{win[often]:.1%}, {named(best)} {win[best]:.1%}"
        yield f"{named(often)} wins the game more often: {rates}"


def _win_head(win: object) -> str:
    return f"{'win':>8}" if win else ""


def _win(chance: float | None) -> str:
    return "" if chance is None else f"{chance:>8.1%}"


def _estimate(one: PeggingAdvice) -> str:
    return f"{one.ev:+.2f} ± {one.error:.2f}" if one.error else f"{one.ev:+.2f}"


def _discard_line(one: DiscardValue, best: DiscardValue) -> str:
    hand, crib = one.hand[0] / one.hand[1], one.crib[0] / one.crib[1]
    sign = "+" if one.dealer else "-"
    worth = f"{hand:>7.2f}{f'{sign}{crib:.2f}':>7}{float(one.ev):>8.2f}"
    return f"{signs(one.discard):<8}{worth}{_cost(best.ev, one.ev)}"


def _lay_line(one: PeggingAdvice, best: PeggingAdvice) -> str:
    error = f"{one.error:.2f}" if one.error else "exact"
    return f"{one.card.symbol:<8}{one.ev:>+8.2f}{error:>7}{_cost(best.ev, one.ev)}"


def _cost(best: Fraction | float, ev: Fraction | float) -> str:
    return f"{float(best - ev):>7.2f}" if ev < best else f"{'best':>7}"
