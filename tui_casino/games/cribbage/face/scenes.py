"""What a moment looks like: values for the widgets, made from what the view knows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from textual.geometry import Size

from ....cards.card import BACK, Card, Hand
from ....tui.draw.card_art import CardState as Art
from ....tui.draw.glyphs import capitalize
from ..machine.rules import DEALT
from ..machine.scoring import value_of
from ..machine.state import GameForm, Options, Phase, State
from .count_pages import CountPage
from .seat_names import SeatNames
from .spoken_count import count_aloud
from .widgets.board import BoardPegs, PegLane
from .widgets.far_hand import OpponentRow
from .widgets.hand_layout import lay_out_counted_hand
from .widgets.own_hand import NearSide
from .widgets.play import PlayScene
from .widgets.upper_table import CountScene, DiscardScene, TextScene, UpperScene

if TYPE_CHECKING:  # numpy, late
    from .choice_advice import ChoiceAdvice


KEEP = "Keep what scores together. The trainer (t) weighs all fifteen discards."
THOUGHTS = {
    True: ("The crib is yours: fives, pairs and fifteens belong there.", KEEP),
    False: ("The crib is the other's: give it no five, no pair, no fifteen.", KEEP),
}
"""What to think of, by whether the crib is one's own."""
WEIGHING = TextScene("FIFTEEN DISCARDS", ("The trainer is weighing them.",))


def pegs(
    view: State, options: Options, names: SeatNames, near: int, page: CountPage | None = None
) -> BoardPegs:
    """Give the pegs of both, one's own first; those of a page that is read, as they were then."""
    rules, game = options.rule_set, options.form is GameForm.GAME
    points, back = (view.points, view.back) if page is None else (page.points, page.back)
    own, other = (
        PegLane(names.scored(seat), names.lane(seat), points[seat], back[seat])
        for seat in (near, 1 - near)
    )
    target, skunk = (rules.target, rules.skunks[0]) if game else (None, None)
    return BoardPegs((own, other), target, skunk)


def recap(pages: Sequence[CountPage], names: SeatNames) -> tuple[str, ...]:
    """Tell in a line each what the hands of a round were worth."""
    told = (
        f"{capitalize(names.whose(page.seat))} {page.what} {page.worth}: {count_aloud(page.scores)}"
        for page in pages
        if page.counted
    )
    return tuple(told)


def text_scene(options: Options, last: Sequence[str], log: Sequence[str]) -> TextScene:
    """Give what may be read before the play: the last deal, or the log of the only one."""
    if options.form is GameForm.ROUND:
        return TextScene("LOG", tuple(log)) if log else TextScene()
    return TextScene("LAST DEAL", tuple(last)) if last else TextScene()


def discard_hints(own: bool) -> TextScene:
    """Give what to think of before a discard, into one's ``own`` crib or the other's."""
    return TextScene("TWO CARDS FOR THE CRIB", THOUGHTS[own])


def scene(
    view: State,
    before: ChoiceAdvice | None,
    marked: tuple[int, ...],
    whose: str,
    lit: Collection[Card],
    otherwise: TextScene,
) -> UpperScene:
    """Give the discards that the trainer weighs, the play, or what may be read."""
    if before is not None and before.ranking is not None:
        return DiscardScene(before.ranking, marked, whose)
    if view.phase is not Phase.PLAY and not view.laid:
        return otherwise
    cards = tuple(placed.card for placed in view.laid)
    states = tuple(
        Art.DIMMED if n < view.begun else Art.WINNING if card in lit else Art.NORMAL
        for n, card in enumerate(cards)
    )
    caption = f"count {view.count} of 31" if view.phase is Phase.PLAY else ""
    return PlayScene(cards, states, caption, before.weights if before is not None else ())


def count_scene(page: CountPage, told: int, size: Size) -> CountScene:
    """Give a page of the show, its columns under those of the cards of a side of this size."""
    return CountScene(page, told, lay_out_counted_hand(size.width, size.height - 1).hand)


def counted_near_side(page: CountPage, told: int, whose: str, score: tuple[str, int]) -> NearSide:
    """Give the cards that are counted: lit are those of the last combination, or all that score."""
    rows = page.rows[:told]
    last = rows if told == len(page.rows) else rows[-1:]
    lit = {card for row in last for card in row.score.cards}
    states = tuple(Art.WINNING if card in lit else Art.NORMAL for card in page.cards)
    labels = (*[""] * len(page.hand), "starter")
    return NearSide(page.cards, states, labels, counted=whose, score=score)


def starter_or_back(view: State) -> Card | None:
    """Give the starter, or a back while it is not turned up; none before the deal."""
    return view.starter or (BACK if view.hands[0] else None)


def near_side(
    view: State, seat: int, marked: Collection[int], choosing: bool, whose: str, name: str
) -> NearSide:
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
    return NearSide(
        tuple(cards),
        tuple(states),
        tuple(labels),
        starter_or_back(view),
        view.crib,
        whose,
        score=(name, view.points[seat]),
    )


def opponent_row(
    view: State, names: SeatNames, seat: int, remark: str, bad: bool, page: CountPage | None
) -> OpponentRow:
    """Give the other's name, points and cards: those not laid yet; after the play, all of them."""
    shows = view.phase in (Phase.SHOW, Phase.REST, Phase.OVER)
    cards = view.hands[seat] if shows or view.phase is Phase.DISCARD else view.rest(seat)
    points = (view if page is None else page).points[seat]
    about = "deals" if view.dealer == seat else ""
    return OpponentRow(names.scored(seat), about, points, tuple(cards), remark, bad)


def numbered_cards(hand: Hand, able: Hand) -> str:
    """Name cards with their places in a hand: ``1 A♦, 3 10♦``."""
    return ", ".join(f"{n} {card.symbol}" for n, card in enumerate(hand, 1) if card in able)


def lay_refusal(view: State, seat: int, place: int) -> str:
    """Say why the card at a place of a hand cannot be laid."""
    hand = view.hands[seat]
    if place > len(hand):
        return "there is no such card."
    card = hand[place - 1]
    if card not in view.rest(seat):
        return f"{card.symbol} has been laid."
    return f"{card.symbol} would make {view.count + value_of(card)}."
