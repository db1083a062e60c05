"""Explain a discard by the combinations it breaks and the averages of hand and crib."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction

from msgspec import Struct

from ....cards.card import Card, Hand, Rank, card_symbols
from ....engine.game import Seat
from ....gamekit.adviser import Decision, Figure, FigureColumn, Reason
from ....inputs.numbers import list_words
from ..machine.rules import points_of, show_scores
from ..machine.scoring import FIFTEEN, Score, total_of, value_of
from ..machine.state import Action, Discard, State
from .adviser import weigh_discards
from .discards import DiscardValue

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_DIGITS = "0123456789"
MOST_NAMED = 3
"""The maximum number of lost combinations that a sentence mentions."""
NAMED_FIFTEENS = 2
"""The maximum number of fifteens that are listed by their ranks."""
SHOWN = 0.005
"""The smallest difference that is visible with two decimals."""


class _Option(Struct, frozen=True):
    """A discard: its cards, the four kept, and their average points.

    ``scores`` holds the combinations of the four kept cards without a starter. ``hand`` is their
    average with a starter, and ``crib`` the average of the crib for its owner.
    """

    discard: Hand
    kept: Hand
    scores: tuple[Score, ...]
    hand: Fraction
    crib: Fraction
    ev: Fraction

    @property
    def sure(self) -> int:
        """The points of the four cards without a starter."""
        return points_of(self.scores)

    @property
    def cuts(self) -> Fraction:
        """The points that a starter adds on average."""
        return self.hand - self.sure


def discard_reason(decision: Decision[State, Action], rival: Action | None = None) -> Reason | None:
    """Return the reason for a discard; ``None`` if all discards have the same EV.

    A right discard is compared with ``rival``, or with the next best.
    """
    view, seat = decision.view, decision.seat
    options = [_option(one, view, seat) for one in weigh_discards(view, seat)]
    if not options:
        return None
    chosen, best = (_find(options, view, seat, one) for one in (decision.action, decision.best))
    if decision.mistake is None:
        lower = [one for one in options if one.ev < chosen.ev]
        if not lower:
            return None
        named = [] if rival is None else [_find(options, view, seat, rival)]
        best, other = chosen, next((one for one in named if one in lower), lower[0])
        place = ", the next best," if other == lower[0] else ""
    else:
        other, place = chosen, ""
    own_crib = seat == view.dealer
    cause = [_cause(best, other, own_crib, decision.mistake is None, place)]
    crib = "your crib" if own_crib else "their crib"
    cause.append(
        f"After {card_symbols(other.discard)} your hand averages {float(other.hand):.2f} points "
        f"with the starter and {crib} {float(other.crib):.2f}; after {card_symbols(best.discard)} "
        f"they average {float(best.hand):.2f} and {float(best.crib):.2f}."
    )
    figures: list[Figure] = [
        ("hand", other.hand),
        ("crib", other.crib),
        ("best hand", best.hand),
        ("best crib", best.crib),
    ]
    rule = next(_rules(options, best, other, own_crib), "")
    return Reason(tuple(cause), rule, tuple(figures))


def discard_columns(view: State, seat: Seat) -> tuple[FigureColumn[Action], ...]:
    """Return the cards that each discard keeps, the average of the hand, and that of the crib."""
    hand = view.hands[seat]
    options = {
        Discard(tuple(sorted(hand.index(card) + 1 for card in one.discard))): _option(
            one, view, seat
        )
        for one in weigh_discards(view, seat)
    }
    return (
        FigureColumn("keep", {one: card_symbols(option.kept) for one, option in options.items()}),
        FigureColumn("hand", {one: f"{float(option.hand):.2f}" for one, option in options.items()}),
        FigureColumn("crib", {one: f"{float(option.crib):.2f}" for one, option in options.items()}),
    )


def _option(value: DiscardValue, view: State, seat: Seat) -> _Option:
    kept = tuple(card for card in view.hands[seat] if card not in value.discard)
    scores = show_scores(kept, None, view.options.rule_set)
    hand, crib = Fraction(*value.hand), Fraction(*value.crib)
    return _Option(value.discard, kept, scores, hand, crib, value.ev)


def _find(options: Sequence[_Option], view: State, seat: Seat, action: Action) -> _Option:
    assert isinstance(action, Discard)
    cards = {view.hands[seat][place - 1] for place in action.places}
    return next(one for one in options if set(one.discard) == cards)


# ---- the cause -----------------------------------------------------------------------------------


def _cause(best: _Option, other: _Option, own_crib: bool, is_right: bool, place: str) -> str:
    """Return the first sentence: the combinations that the other discard breaks, or the crib.

    ``place`` is the place of the other discard in the list in words, or "".
    """
    lost, kept = lost_scores(best, other), lost_scores(other, best)
    subject = f"Discarding {card_symbols(other.discard)}{place}"
    if is_right:
        subject += " would"
    verb: Callable[[str], str] = (lambda word: word) if is_right else _third_person
    crib_loss = (best.crib - other.crib) * (1 if own_crib else -1)
    hand_loss = best.hand - other.hand
    parts = []
    if lost and best.sure > other.sure and hand_loss > SHOWN:
        if kept:
            parts.append(f"{verb('keep')} {name_scores(kept, best)} but")
        names = name_scores(lost, other)
        together = all(set(score.cards) <= set(other.discard) for score in lost)
        parts.append(
            f"{verb('take')} {names} out of your hand" if together else f"{verb('break')} {names}"
        )
        if crib_loss > hand_loss:
            parts[-1] += ","
            parts += ["and", _crib_clause(best, other, own_crib, verb)]
    elif crib_loss >= hand_loss:
        parts.append(_crib_clause(best, other, own_crib, verb))
    else:
        parts.append(f"{verb('keep')} a hand that fewer starters improve")
    return f"{subject} {' '.join(parts)}."


def _crib_clause(best: _Option, other: _Option, own_crib: bool, verb: Callable[[str], str]) -> str:
    """Return a clause that says how the other discard affects the crib."""
    better_gift, gift = _gift(best.discard), _gift(other.discard)
    if own_crib:
        if better_gift and not gift:
            return f"{'not' if verb('') == '' else 'does not'} give your crib {better_gift}"
        return f"{verb('give')} your crib {_shown_gap(best.crib, other.crib)} points less"
    if gift and not better_gift:
        return f"{verb('put')} {gift} in their crib"
    return f"{verb('give')} their crib {_shown_gap(other.crib, best.crib)} points more"


def _shown_gap(more: Fraction, less: Fraction) -> str:
    """Return the difference of two averages as it follows from their two decimals."""
    return f"{float(round(more, 2) - round(less, 2)):.2f}"


def _third_person(verb: str) -> str:
    return f"{verb}s"


def lost_scores(better: _Option, other: _Option) -> tuple[Score, ...]:
    """Return the combinations of the better four cards that the other four do not have.

    Combinations of the same ranks count as the same, unless they are flushes. A pair or a run is
    not lost if the other cards have a larger one that includes it.
    """
    kept = Counter(map(_pattern, other.scores))
    lost = []
    for score in better.scores:
        pattern = _pattern(score)
        if kept[pattern]:
            kept[pattern] -= 1
        elif not any(_is_part(score, larger) for larger in other.scores):
            lost.append(score)
    return tuple(lost)


def _is_part(score: Score, larger: Score) -> bool:
    """Return whether the ranks of a pair or a run are part of a larger one."""
    kinds = score.kind.rstrip(_DIGITS), larger.kind.rstrip(_DIGITS)
    if kinds not in (("pair", "pair"), ("run", "run")):
        return False
    ranks, others = (Counter(card.rank for card in one.cards) for one in (score, larger))
    return ranks < others


def _pattern(score: Score) -> tuple[object, ...]:
    if score.kind.startswith("flush"):
        return (score.kind, score.cards[0].suit)
    return (score.kind, *sorted(card.rank for card in score.cards))


def name_scores(scores: Sequence[Score], other: _Option) -> str:
    """List the combinations that the other four cards lack, the most valuable first.

    The names are like ``the run 5-6-7 and two fifteens``.
    """
    groups: dict[object, list[Score]] = {}
    for score in scores:
        kind = score.kind if not score.kind.startswith("pair") else score.cards
        groups.setdefault(kind, []).append(score)
    ranked = sorted(groups.values(), key=lambda group: -points_of(group))
    kept = set(map(_pattern, other.scores))
    return list_words([_group_name(group, kept) for group in ranked[:MOST_NAMED]])


def _group_name(group: Sequence[Score], kept: AbstractSet[object]) -> str:
    """Name combinations of one kind; say "second" if an equal one is still ``kept``."""
    score = group[0]
    article = "a second" if _pattern(score) in kept else "the"
    if score.kind == "fifteen":
        if len(group) == 1:
            return f"{article} fifteen {_ranks(score.cards)}"
        count, patterns = len(group), sorted({_ranks(one.cards) for one in group})
        details = f" ({' and '.join(patterns)})" if count <= NAMED_FIFTEENS else ""
        return f"{NUMBERS[count]} fifteens{details}"
    if score.kind.startswith("run"):
        cards = sorted({card for one in group for card in one.cards})
        names = {1: f"{article} run", 2: "the double run"}
        return f"{names.get(len(group), 'the runs')} {_ranks(cards)}"
    if score.kind.startswith("pair"):
        alike, ranks = len(score.cards), score.cards[0].rank.plural
        return f"the pair of {ranks}" if alike == 2 else f"the {NUMBERS[alike]} {ranks}"
    if score.kind.startswith("flush"):
        return f"the flush in {score.cards[0].suit.name.lower()}"
    return "a combination"


def _ranks(cards: Sequence[Card]) -> str:
    return "-".join(card.rank.pip for card in sorted(cards))


def _gift(discard: Hand) -> str:
    """Name what two discards bring to a crib by themselves, such as ``a fifteen``, if anything."""
    one, two = discard
    if one.rank is two.rank:
        return f"a pair of {one.rank.plural}"
    if value_of(one) + value_of(two) == FIFTEEN:
        return "a fifteen"
    if Rank.FIVE in (one.rank, two.rank):
        return "a five"
    if abs(one.rank - two.rank) == 1:
        return "two cards in a row"
    return ""


# ---- the rules of thumb --------------------------------------------------------------------------


def _rules(
    options: Sequence[_Option], best: _Option, other: _Option, own_crib: bool
) -> Iterator[str]:
    """Yield rules that the best discard obeys and the other one breaks, the most useful first."""
    mine, theirs = best.discard, other.discard
    if not own_crib:
        if _is_pair(theirs) and not _is_pair(mine):
            yield "Do not put a pair in their crib."
        if _has_five(theirs) and not _has_five(mine):
            yield "Do not put a five in their crib."
        if total_of(theirs) == FIFTEEN != total_of(mine):
            yield "Do not put a fifteen in their crib."
    runs = [score for score in lost_scores(best, other) if score.kind.startswith("run")]
    longest = max((_longest_run(one) for one in options), default=0)
    if runs and best.sure > other.sure and _longest_run(best) == longest:
        is_double = sum(one.kind.startswith("run") for one in best.scores) > 1
        yield f"Keep a {'double run' if is_double else 'run of three or more'} together."
    if own_crib and _splits_pair(other) and not _splits_pair(best):
        yield "Keep a pair together, in your hand or in your own crib."
    is_better = best.hand > other.hand and best.sure > other.sure
    if is_better and best.sure == max(one.sure for one in options):
        yield "Keep the four cards that score most before the starter."
    if not own_crib and _distance(theirs) < 3 <= _distance(mine):
        yield "Give their crib cards that are far apart."
    is_richest = other.crib < best.crib == max(one.crib for one in options)
    if own_crib and is_richest and abs(best.hand - other.hand) < 1:
        yield "Between similar hands, feed your own crib."
    if not own_crib and _is_higher_ten(mine, theirs) and best.crib < other.crib:
        yield "Give their crib the higher of two ten-cards: it makes fewer runs."
    if best.sure == other.sure and best.cuts > other.cuts + Fraction(1, 10):
        yield "If two hands score the same, keep the one that the starter improves more."


def _is_higher_ten(mine: Hand, theirs: Hand) -> bool:
    """Return whether two discards differ only in a ten-card, and the first has a queen or king.

    A 10 and a jack are part of equally many runs.
    """
    added, missing = {*mine} - {*theirs}, {*theirs} - {*mine}
    return any(
        len(added) == 1 and value_of(one) == value_of(two) and one.rank > max(two.rank, Rank.JACK)
        for one in added
        for two in missing
    )


def _is_pair(discard: Hand) -> bool:
    return discard[0].rank is discard[1].rank


def _has_five(discard: Hand) -> bool:
    return any(card.rank is Rank.FIVE for card in discard)


def _splits_pair(option: _Option) -> bool:
    """Return whether a discard splits a pair between the hand and the crib."""
    return not {card.rank for card in option.kept}.isdisjoint(card.rank for card in option.discard)


def _longest_run(option: _Option) -> int:
    return max((len(one.cards) for one in option.scores if one.kind.startswith("run")), default=0)


def _distance(discard: Hand) -> int:
    return abs(discard[0].rank - discard[1].rank)
