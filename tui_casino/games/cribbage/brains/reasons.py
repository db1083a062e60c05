"""The reason for a verdict in cribbage, for cards here and for discards in `discard_reasons`.

A card is explained by its score now and by what the opponent can score next. The comparison is
between the chosen cards and the best ones; if the best cards were chosen, they are compared with
the next best. The adviser computes the averages. An opponent is assumed to hold any unseen cards
that agree with the play, all equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from types import MappingProxyType

from msgspec import Struct

from ....cards.card import Card, Hand, card_symbols
from ....engine.game import Seat
from ....gamekit.adviser import Decision, Figure, FigureColumn, Reason
from ....gamekit.number_formats import whole_percent
from ....inputs.numbers import list_words
from ..machine.rules import RuleSet, may_lay, play_scores, points_of
from ..machine.scoring import FIFTEEN, MOST, Score, total_of, value_of
from ..machine.state import Action, Discard, Lay, State
from .adviser import weigh_lays
from .discard_reasons import NUMBERS, SHOWN, discard_columns, discard_reason
from .pegging import PeggingAdvice, PeggingPosition

TEN = 10
BELOW_FIVE = 5
TEN_COUNTS = (FIFTEEN - TEN, MOST - TEN)
"""The counts from which a card of value 10 scores."""
VISIBLE_GO = 0.05
"""The smallest difference between chances of a go that is mentioned."""
VISIBLE_POINTS = 0.05
"""The smallest difference between points of the next card that is mentioned."""
MOST_ANSWERS = 2
"""The maximum number of answers that a sentence mentions."""
_NOUNS: Mapping[str, str] = MappingProxyType(
    {
        "fifteen": "fifteen",
        "thirtyone": "31",
        "pair2": "a pair",
        "pair3": "three of a kind",
        "pair4": "four of a kind",
    }
)


class Answer(Struct, frozen=True):
    """Cards with which the opponent would score next, with the same first ``kind`` of score."""

    name: str
    kind: str

    @property
    def text(self) -> str:
        """The answer in words: ``a ten-card makes 31``."""
        if self.kind == "pair2":
            return f"{self.name} pairs it"
        return f"{self.name} makes {_noun(self.kind)}"


class LaidCard(Struct, frozen=True):
    """A card that may be played: its EV, its scores now, and the opponent's ``answers``.

    ``kept`` are the cards that stay in the hand.
    ``won`` are the points that the player wins in the rest of the play on average. ``count`` is the
    count after the card, and ``chance`` the chance that the opponent holds a card that scores next.
    ``expected`` is the average score of the opponent's best answer, ``go`` the chance that the
    opponent can play no card, and ``follow_up`` the average score of the player's best next card if
    the opponent answers with any unseen card that may be played.
    """

    card: Card
    kept: Hand
    ev: float
    won: float
    scores: tuple[Score, ...]
    count: int
    answers: tuple[Answer, ...]
    chance: float
    expected: float
    go: float
    follow_up: float

    @property
    def lost(self) -> float:
        """The points that the opponent wins in the rest of the play on average."""
        return self.won - self.ev

    @property
    def points(self) -> int:
        """The points that the card scores now."""
        return points_of(self.scores)

    @property
    def scores_text(self) -> str:
        """The points now and their reason: ``scores 2 for fifteen``."""
        if not self.points:
            return "scores nothing"
        return f"scores {self.points} for {list_words([_noun(one.kind) for one in self.scores])}"


def pegging_reason(decision: Decision[State, Action], rival: Action | None = None) -> Reason | None:
    """Return the reason for a card played; ``None`` if all possible cards are equal.

    A right card is compared with ``rival``, or with the next best.
    """
    view, seat = decision.view, decision.seat
    cards = laid_cards(view, seat)
    if len(cards) < 2:
        return None
    chosen, best = (_find(cards, view, seat, one) for one in (decision.action, decision.best))
    if decision.mistake is None:
        top = cards[0]
        if chosen.ev < top.ev:
            return _as_good(chosen, top)
        lower = [one for one in cards if one.ev < chosen.ev]
        if not lower:
            return None
        named = [] if rival is None else [_find(cards, view, seat, rival)]
        other = next((one for one in named if one in lower), lower[0])
    else:
        other = chosen
    figures: list[Figure] = []
    cause = tuple(f"{_capital(one)}." for one in _facts(best, other, view.options.open, figures))
    rule = next(_rules(cards, best, other, view), "")
    return Reason(cause, rule, tuple(figures))


def _as_good(chosen: LaidCard, top: LaidCard) -> Reason:
    """Return the reason for a card that is not significantly worse than the best."""
    gap = top.ev - chosen.ev
    text = "less than 0.01" if gap < SHOWN else f"{gap:.2f}"
    return Reason(
        (
            f"Playing {chosen.card.symbol} is as good as any: it averages {text} points less than "
            f"{top.card.symbol} in a sample of hands, which may be chance.",
        ),
        figures=(("gap", gap),),
    )


def laid_cards(view: State, seat: Seat) -> tuple[LaidCard, ...]:
    """Return all cards that a seat may play, the best first."""
    position = PeggingPosition.from_view(view, seat)
    return tuple(_laid(one, position, view) for one in weigh_lays(view, seat))


def pegging_columns(view: State, seat: Seat) -> tuple[FigureColumn[Action], ...]:
    """Return the average points that each player scores after each card in the rest of the play."""
    hand = view.hands[seat]
    cards = {Lay(hand.index(one.card) + 1): one for one in weigh_lays(view, seat)}
    return (
        FigureColumn("you", {lay: f"{one.won:.2f}" for lay, one in cards.items()}),
        FigureColumn("they", {lay: f"{one.won - one.ev:.2f}" for lay, one in cards.items()}),
    )


def _find(cards: Sequence[LaidCard], view: State, seat: Seat, action: Action) -> LaidCard:
    assert isinstance(action, Lay)
    card = view.hands[seat][action.place - 1]
    return next(one for one in cards if one.card == card)


def _laid(advice: PeggingAdvice, position: PeggingPosition, view: State) -> LaidCard:
    """Return a card with all cards with which the opponent could score right after it."""
    rules, card = view.options.rule_set, advice.card
    segment = (*position.segment, card)
    count, scores = total_of(segment), play_scores(segment, rules)
    replies: dict[Card, tuple[Score, ...]] = {}
    if not position.go and count < MOST and position.opponent_cards:
        for reply in position.unseen:
            if may_lay(reply, segment) and (gained := play_scores((*segment, reply), rules)):
                replies[reply] = gained
    points = {reply: points_of(gained) for reply, gained in replies.items()}
    unseen, held = len(position.unseen), position.opponent_cards

    def chance_of(least: int) -> float:
        scoring = sum(gained >= least for gained in points.values())
        return 1 - comb(unseen - scoring, held) / comb(unseen, held)

    expected = sum(chance_of(least) for least in range(1, max(points.values(), default=0) + 1))
    chance = chance_of(1) if points else 0.0
    answers = tuple(_answers(replies))
    playable = [reply for reply in position.unseen if may_lay(reply, segment)]
    go = comb(unseen - len(playable), held) / comb(unseen, held) if held else 1.0
    return LaidCard(
        card,
        tuple(one for one in position.hand if one != card),
        advice.ev,
        advice.won,
        scores,
        count,
        answers,
        chance,
        expected,
        1.0 if position.go else go,
        _follow_up(position, segment, () if position.go or not held else playable, rules),
    )


def _follow_up(
    position: PeggingPosition, segment: Hand, replies: Sequence[Card], rules: RuleSet
) -> float:
    """Return the average score of the best next card after these replies, all equally likely."""
    rest = [card for card in position.hand if card not in segment]
    total = 0
    for reply in replies:
        longer = (*segment, reply)
        nexts = (
            points_of(play_scores((*longer, own), rules)) for own in rest if may_lay(own, longer)
        )
        total += max(nexts, default=0)
    return total / len(replies) if replies else 0.0


def _answers(replies: Mapping[Card, tuple[Score, ...]]) -> Iterator[Answer]:
    """Group the cards that score by their first score, the group with the most points first."""
    groups: dict[str, list[Card]] = {}
    for reply, scores in replies.items():
        groups.setdefault(scores[0].kind, []).append(reply)

    def weight(kind: str) -> int:
        return sum(points_of(replies[reply]) for reply in groups[kind])

    for kind in sorted(groups, key=weight, reverse=True):
        yield Answer(_cards_name(groups[kind]), kind)


def _cards_name(cards: Hand | list[Card]) -> str:
    """Describe cards by their ranks: ``a ten-card``, ``an ace or a 6``."""
    ranks = sorted({card.rank for card in cards})
    tens = [rank for rank in ranks if value_of(next(c for c in cards if c.rank is rank)) == TEN]
    names = [
        f"{'an' if rank in (1, 8) else 'a'} {rank.word.lower()}"
        for rank in ranks
        if len(tens) < 4 or rank not in tens
    ]
    names += ["a ten-card"] * (len(tens) == 4)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _noun(kind: str) -> str:
    if kind.startswith("run"):
        return f"a run of {NUMBERS[int(kind[3:])]}"
    return _NOUNS.get(kind, kind)


# ---- the cause -----------------------------------------------------------------------------------


def _facts(best: LaidCard, other: LaidCard, is_open: bool, figures: list[Figure]) -> Iterator[str]:
    """Yield the arguments for the best card: its points now, then the answers, then the EV.

    The opponent's cards count as hidden, even if they are ``is_open``.
    """
    scores_more = best.points > other.points
    is_safer = best.chance < other.chance - SHOWN
    best_name, other_name = best.card.symbol, other.card.symbol
    hidden = "a hidden hand" if is_open else "your opponent"
    if scores_more:
        figures += [("points", other.points), ("best points", best.points)]
        yield f"{best_name} {best.scores_text}, {other_name} {other.scores_text}"
    if is_safer:
        figures += [("answer", other.chance), ("best answer", best.chance)]
        answers = " or ".join(answer.text for answer in other.answers[:MOST_ANSWERS])
        leaves = f"{other_name} leaves {other.count}, where {answers}"
        chances = (
            f"{hidden} can score next {whole_percent(other.chance)} of the time, "
            f"after {best_name} only {whole_percent(best.chance)}"
        )
        if scores_more:
            yield f"{leaves}; {chances}"
        else:
            yield leaves
            yield chances
    is_clear = best.points - best.expected > other.points - other.expected
    if is_clear and (scores_more or is_safer):
        return
    figures += [
        *(("won", other.won), ("lost", other.lost)),
        *(("best won", best.won), ("best lost", best.lost)),
    ]
    opponent = "the opponent" if is_open else "your opponent"
    values = (
        f"after {other_name} you score {other.won:.2f} points and {opponent} {other.lost:.2f} "
        f"on average; after {best_name} it is {best.won:.2f} and {best.lost:.2f}"
    )
    if scores_more or is_safer:
        yield f"in the rest of the play {values}"
        return
    yield _later_reason(best, other, hidden, figures)
    yield values


def _later_reason(best: LaidCard, other: LaidCard, hidden: str, figures: list[Figure]) -> str:
    """Say why a card brings less later: the goes, the next card, or the cards that are kept."""
    best_name, other_name = best.card.symbol, other.card.symbol
    if best.go - other.go >= VISIBLE_GO:
        figures += [("go", other.go), ("best go", best.go)]
        return (
            f"{best_name} makes {best.count}, where {hidden} must say go "
            f"{whole_percent(best.go)} of the time; after {other_name} it is "
            f"{whole_percent(other.go)}"
        )
    if best.follow_up - other.follow_up >= VISIBLE_POINTS:
        figures += [("follow-up", other.follow_up), ("best follow-up", best.follow_up)]
        return (
            f"{best_name} prepares your next card: after any answer it scores "
            f"{best.follow_up:.2f} points on average, after {other_name} {other.follow_up:.2f}"
        )
    if best.won - other.won >= other.lost - best.lost:
        what = "you score more"
    else:
        what = f"{hidden} scores less"
    return (
        f"if you keep {card_symbols(best.kept)} instead of {card_symbols(other.kept)}, {what} later"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---- the rules of thumb --------------------------------------------------------------------------


def _rules(
    cards: Sequence[LaidCard], best: LaidCard, other: LaidCard, view: State
) -> Iterator[str]:
    """Yield rules that the best card obeys and the other one breaks, the most useful first."""
    if best.points > other.points and best.points == max(one.points for one in cards):
        yield "If a card scores now, take the points."
    if best.chance >= other.chance:
        if view.segment and value_of(other.card) < min(BELOW_FIVE, value_of(best.card)):
            yield "Save your low cards for the end of a count."
        return
    if other.count in TEN_COUNTS and best.count not in TEN_COUNTS:
        yield "Do not leave 5 or 21: every ten-card scores on it."
    if not view.segment and value_of(best.card) < BELOW_FIVE <= value_of(other.card):
        yield "Lead a card below 5: no card makes fifteen on it."
    if best.count != other.count and best.chance == min(one.chance for one in cards):
        yield "Leave a count on which the fewest cards score."


def columns(decision: Decision[State, Action]) -> tuple[FigureColumn[Action], ...]:
    """Return the figures of all choices.

    For discards: the cards kept, the average hand with the starter, and the average crib. For cards
    played: the average points that each player scores in the rest of the play.
    """
    view, seat = decision.view, decision.seat
    match decision.action:
        case Discard():
            return discard_columns(view, seat)
        case Lay():
            return pegging_columns(view, seat)
    return ()


def reason(decision: Decision[State, Action], rival: Action | None = None) -> Reason | None:
    """Explain the cost of a choice, or why it is right; return ``None`` if there is no choice.

    A right choice is compared with ``rival``, or with the next best.
    """
    match decision.action, decision.best:
        case Discard(), Discard():
            return discard_reason(decision, rival)
        case Lay(), Lay():
            return pegging_reason(decision, rival)
    return None
