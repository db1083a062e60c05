"""Build the scenes that the widgets draw, from the state and from the view's data."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from textual.geometry import Size

from ....cards.card import BACK, Card, Hand
from ....gamekit.number_formats import MINUS, with_minus_signs
from ....tui.draw.canvas import TonedLine
from ....tui.draw.card_art import CardState as Art
from ....tui.draw.choice_list import ChoiceList
from ....tui.draw.text import capitalize
from ..machine.rules import DEALT
from ..machine.scoring import value_of
from ..machine.state import GameForm, Options, Phase, State
from .counting import CountPage, count_aloud
from .table_messages import SeatNames
from .widgets.board import BoardPegs, PegLane
from .widgets.board_and_play import CountScene, TextScene, UpperScene
from .widgets.far_hand import OpponentRow
from .widgets.own_hand import NearSide, lay_out_counted_hand
from .widgets.play import PlayScene

if TYPE_CHECKING:  # numpy, late
    from .choice_advice import DiscardRanking, RankedDiscard

KEEP_HINT = "Keep cards that score together."
DISCARD_HINTS = {
    True: ("The crib is yours: put fives, pairs and fifteens there.", KEEP_HINT),
    False: ("The crib is your opponent's: give it no five, pair or fifteen.", KEEP_HINT),
}
"""Hints before a discard; the key is true if the crib is your own."""
WHOSE_CRIB = {True: "The crib is yours.", False: "The crib is your opponent's."}


def pegs(
    view: State, options: Options, names: SeatNames, near_seat: int, page: CountPage | None = None
) -> BoardPegs:
    """Return both players' pegs, near player first; with a page, as of the count of its hand."""
    rules, game = options.rule_set, options.form is GameForm.GAME
    points, back_pegs = (view.points, view.back) if page is None else (page.points, page.back_pegs)
    own, other = (
        PegLane(names.score_label(seat), names.lane_label(seat), points[seat], back_pegs[seat])
        for seat in (near_seat, 1 - near_seat)
    )
    target, skunk = (rules.target, rules.skunks[0]) if game else (None, None)
    return BoardPegs((own, other), target, skunk)


def recap(pages: Sequence[CountPage], names: SeatNames) -> tuple[str, ...]:
    """Return the points of each counted hand of a round, one line per hand."""
    sentences = (
        f"{capitalize(names.possessive(page.seat))} {page.hand_kind} {_points(page, names)}: "
        f"{count_aloud(page.scores)}"
        for page in pages
        if page.counted
    )
    return tuple(sentences)


def _points(page: CountPage, names: SeatNames) -> str:
    """Return the points of a counted hand, and where those went that its owner missed."""
    if not page.missed:
        return f"{page.total_points}"
    taken = f", {page.muggins} to {names.recipient(1 - page.seat)}" if page.muggins else ""
    return f"{page.total_points - page.missed} of {page.total_points}{taken}"


def text_scene(options: Options, last: Sequence[str], log: Sequence[str]) -> TextScene:
    """Return the text shown before the play: the last deal, or the log of a single round."""
    if options.form is GameForm.ROUND:
        return TextScene("LOG", tuple(log)) if log else TextScene()
    return TextScene("LAST DEAL", tuple(last)) if last else TextScene()


def discard_hints(own: bool, *, hints: bool = True) -> TextScene:
    """Return whose crib it is before a discard, your ``own`` or the opponent's, with hints."""
    lines = DISCARD_HINTS[own] if hints else (WHOSE_CRIB[own],)
    return TextScene("TWO CARDS FOR THE CRIB", lines)


def scene(
    view: State,
    choices: ChoiceList | None,
    scoring_cards: Collection[Card],
    text_scene: TextScene,
) -> UpperScene:
    """Return the scene: the trainer's list of discards, the cards of the play, or the text."""
    if choices is not None and view.phase is Phase.DISCARD and (choices.rows or choices.frame):
        return choices
    if view.phase is not Phase.PLAY and not view.laid:
        return text_scene
    cards = tuple(placed.card for placed in view.laid)
    states = tuple(
        Art.DIMMED if n < view.begun else Art.WINNING if card in scoring_cards else Art.NORMAL
        for n, card in enumerate(cards)
    )
    caption = f"count {view.count} of 31" if view.phase is Phase.PLAY else ""
    return PlayScene(cards, states, caption, choices)


def count_scene(page: CountPage, rows_shown: int, size: Size) -> CountScene:
    """Return a page of the show, aligned with the cards of a hand of this size."""
    return CountScene(page, rows_shown, lay_out_counted_hand(size.width, size.height - 1).hand)


def counted_near_side(
    page: CountPage, rows_shown: int, hand_label: str, score: tuple[str, int]
) -> NearSide:
    """Return the counted hand with the last combination highlighted or, at the end, all of them."""
    rows = page.rows[:rows_shown]
    last = rows if rows_shown == len(page.rows) else rows[-1:]
    highlighted = {card for row in last for card in row.score.cards}
    states = tuple(Art.WINNING if card in highlighted else Art.NORMAL for card in page.cards)
    labels = (*[""] * len(page.hand), "starter")
    return NearSide(page.cards, states, labels, hand_label=hand_label, score=score)


def starter_or_back(view: State) -> Card | None:
    """Return the starter, a back before it is turned up, or ``None`` before the deal."""
    return view.starter or (BACK if view.hands[0] else None)


def near_side(
    view: State,
    seat: int,
    marked_places: Collection[int],
    may_choose: bool,
    crib_label: str,
    name: str,
) -> NearSide:
    """Return a seat's cards and points with marks, and numbers if it may choose."""
    hand, playing = view.hands[seat], view.phase is Phase.PLAY
    six = len(hand) == DEALT
    playable = view.playable(seat) if playing else hand
    cards, states, labels = [], [], []
    for place, card in enumerate(hand, 1):
        is_marked = may_choose and place in marked_places
        cards.append(None if playing and card not in view.unplayed(seat) else card)
        states.append(Art.HELD if is_marked else Art.NORMAL if card in playable else Art.DIMMED)
        marked_label = " CRIB " if six else " PLAY "
        labels.append(
            marked_label if is_marked else str(place) if may_choose and card in playable else ""
        )
    return NearSide(
        tuple(cards),
        tuple(states),
        tuple(labels),
        starter_or_back(view),
        view.crib,
        crib_label,
        score=(name, view.points[seat]),
    )


def opponent_row(view: State, names: SeatNames, seat: int, page: CountPage | None) -> OpponentRow:
    """Return the opponent's row: the unplayed cards, or all of them after the play."""
    shows = view.phase in (Phase.SHOW, Phase.REST, Phase.OVER)
    cards = view.hands[seat] if shows or view.phase is Phase.DISCARD else view.unplayed(seat)
    points = (view if page is None else page).points[seat]
    role = "deals" if view.dealer == seat else ""
    return OpponentRow(names.score_label(seat), role, points, tuple(cards))


def numbered_cards(hand: Hand, playable: Hand) -> str:
    """Return cards with their places in a hand, such as ``1 A♦, 3 10♦``."""
    return ", ".join(f"{n} {card.symbol}" for n, card in enumerate(hand, 1) if card in playable)


def lay_refusal(view: State, seat: int, place: int) -> str:
    """Return why the card at a place of a hand cannot be played."""
    hand = view.hands[seat]
    if place > len(hand):
        return "there is no such card."
    card = hand[place - 1]
    if card not in view.unplayed(seat):
        return f"{card.symbol} has been played."
    return f"{card.symbol} would make the count {view.count + value_of(card)}."


def discard_details(row: RankedDiscard | None, ranking: DiscardRanking) -> tuple[TonedLine, ...]:
    """Return parts of a line about the marked discard, or about the hand if none is marked."""
    par = (_signed(ranking.par, 1), "strong")
    if row is None:
        return ((("up and down: browse", "muted"),), (("; average EV of all hands ", "muted"), par))
    sign = "+" if ranking.dealer else MINUS
    figures: TonedLine = (
        ("space ", "gold"),
        (" ".join(row.names), "strong"),
        (" hand ", "muted"),
        (f"{float(row.hand):.2f}", "strong"),
        (f" {sign} crib ", "muted"),
        (f"{float(row.crib):.2f}", "strong"),
    )
    return (
        figures,
        ((", par ", "muted"), par),
        _starters(" · best starters ", row.best, "good"),
        _starters(" · worst ", row.worst, "bad"),
    )


def _starters(label: str, names: Sequence[str], tone: str) -> TonedLine:
    return ((label, "muted"), (" ".join(names), tone))


def _signed(points: float, digits: int = 2) -> str:
    return with_minus_signs(f"{points:.{digits}f}")
