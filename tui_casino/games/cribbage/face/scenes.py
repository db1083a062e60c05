"""What a moment looks like: values for the widgets, made from what the view knows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from textual.geometry import Size

from ....cards.card import BACK, Card, Hand
from ....tui.draw.card_art import State as Art
from ....tui.draw.glyphs import capital
from ..machine.rules import DEALT
from ..machine.scoring import value_of
from ..machine.state import Form, Options, Phase, State
from .names import Names
from .pages import Page
from .spoken import aloud
from .widgets.board import Lane, Pegs
from .widgets.far import Other
from .widgets.own_hand import Side
from .widgets.places import counted_places
from .widgets.play import Laying
from .widgets.upper import Choosing, Counted, Quiet, Scene

if TYPE_CHECKING:  # numpy, late
    from .told_before import Before


KEEP = "Keep what scores together. The trainer (t) weighs all fifteen discards."
THOUGHTS = {
    True: ("The crib is yours: fives, pairs and fifteens belong there.", KEEP),
    False: ("The crib is the other's: give it no five, no pair, no fifteen.", KEEP),
}
"""What to think of, by whether the crib is one's own."""
WEIGHING = Quiet("FIFTEEN DISCARDS", ("The trainer is weighing them.",))


def pegs(view: State, options: Options, names: Names, near: int, page: Page | None = None) -> Pegs:
    """Give the pegs of both, one's own first; those of a page that is read, as they were then."""
    rules, game = options.rule_set, options.form is Form.GAME
    points, back = (view.points, view.back) if page is None else (page.points, page.back)
    own, other = (
        Lane(names.scored(seat), names.lane(seat), points[seat], back[seat])
        for seat in (near, 1 - near)
    )
    target, skunk = (rules.target, rules.skunks[0]) if game else (None, None)
    return Pegs((own, other), target, skunk)


def recap(pages: Sequence[Page], names: Names) -> tuple[str, ...]:
    """Tell in a line each what the hands of a round were worth."""
    told = (
        f"{capital(names.whose(page.seat))} {page.what} {page.worth}: {aloud(page.scores)}"
        for page in pages
        if page.counted
    )
    return tuple(told)


def quiet(options: Options, last: Sequence[str], log: Sequence[str]) -> Quiet:
    """Give what may be read before the play: the last deal, or the log of the only one."""
    if options.form is Form.ROUND:
        return Quiet("LOG", tuple(log)) if log else Quiet()
    return Quiet("LAST DEAL", tuple(last)) if last else Quiet()


def thoughts(own: bool) -> Quiet:
    """Give what to think of before a discard, into one's ``own`` crib or the other's."""
    return Quiet("TWO CARDS FOR THE CRIB", THOUGHTS[own])


def scene(
    view: State,
    before: Before | None,
    marked: tuple[int, ...],
    whose: str,
    lit: Collection[Card],
    otherwise: Quiet,
) -> Scene:
    """Give the discards that the trainer weighs, the play, or what may be read."""
    if before is not None and before.ranking is not None:
        return Choosing(before.ranking, marked, whose)
    if view.phase is not Phase.PLAY and not view.laid:
        return otherwise
    cards = tuple(placed.card for placed in view.laid)
    states = tuple(
        Art.DIMMED if n < view.begun else Art.WINNING if card in lit else Art.NORMAL
        for n, card in enumerate(cards)
    )
    caption = f"count {view.count} of 31" if view.phase is Phase.PLAY else ""
    return Laying(cards, states, caption, before.weights if before is not None else ())


def counted(page: Page, told: int, size: Size) -> Counted:
    """Give a page of the show, its columns under those of the cards of a side of this size."""
    return Counted(page, told, counted_places(size.width, size.height - 1).hand)


def counted_side(page: Page, told: int, whose: str, score: tuple[str, int]) -> Side:
    """Give the cards that are counted: lit are those of the last combination, or all that score."""
    rows = page.rows[:told]
    last = rows if told == len(page.rows) else rows[-1:]
    lit = {card for row in last for card in row.score.cards}
    states = tuple(Art.WINNING if card in lit else Art.NORMAL for card in page.cards)
    labels = (*[""] * len(page.hand), "starter")
    return Side(page.cards, states, labels, counted=whose, score=score)


def pack(view: State) -> Card | None:
    """Give the starter, or a back while it is not turned up; none before the deal."""
    return view.starter or (BACK if view.hands[0] else None)


def side(
    view: State, seat: int, marked: Collection[int], choosing: bool, whose: str, name: str
) -> Side:
    """Give a seat's cards and points, the marked ones, and numbers where it may choose."""
    hand, playing = view.hands[seat], view.phase is Phase.PLAY
    six = len(hand) == DEALT
    able = view.able(seat) if playing else hand
    cards, states, labels = [], [], []
    for place, card in enumerate(hand, 1):
        out = choosing and place in marked
        cards.append(None if playing and card not in view.rest(seat) else card)
        states.append(Art.HELD if out else Art.NORMAL if card in able else Art.DIMMED)
        goes = " CRIB " if six else " LAY "
        labels.append(goes if out else str(place) if choosing and card in able else "")
    return Side(
        tuple(cards),
        tuple(states),
        tuple(labels),
        pack(view),
        view.crib,
        whose,
        score=(name, view.points[seat]),
    )


def other(view: State, names: Names, seat: int, remark: str, bad: bool, page: Page | None) -> Other:
    """Give the other's name, points and cards: those not laid yet; after the play, all of them."""
    shows = view.phase in (Phase.SHOW, Phase.REST, Phase.OVER)
    cards = view.hands[seat] if shows or view.phase is Phase.DISCARD else view.rest(seat)
    points = (view if page is None else page).points[seat]
    about = "deals" if view.dealer == seat else ""
    return Other(names.scored(seat), about, points, tuple(cards), remark, bad)


def numbered(hand: Hand, able: Hand) -> str:
    """Name cards with their places in a hand: ``1 A♦, 3 10♦``."""
    return ", ".join(f"{n} {card.symbol}" for n, card in enumerate(hand, 1) if card in able)


def why_no_lay(view: State, seat: int, place: int) -> str:
    """Say why the card at a place of a hand cannot be laid."""
    hand = view.hands[seat]
    if place > len(hand):
        return "there is no such card."
    card = hand[place - 1]
    if card not in view.rest(seat):
        return f"{card.symbol} has been laid."
    return f"{card.symbol} would make {view.count + value_of(card)}."
