"""Why a discard loses to the best one, or what makes it the best.

The chances of categories after a draw are exact. Chances to win and EVs are those of the advisers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from ....cards.card import Card, Hand, Rank
from ....cards.poker import HandCategory, ace_high, rank_hand, sort_for_display
from ....engine.game import Seat
from ....gamekit.adviser import SURE_ERRORS, ActionValue, Decision, Figure, Reason, gap_error
from ....gamekit.lazy_import import LazyModule
from ....gamekit.number_formats import percent, rough_percent
from ....inputs.numbers import list_words
from ..machine.rules import Positions, kept_cards
from ..machine.state import Action, Discard, Stakes, State
from .lazy import adviser, odds
from .mistakes import ALL_BUT_ONE
from .players import names_at
from .pot_odds import EvBasis

if TYPE_CHECKING:
    from . import limit_adviser
    from .limit_choices import LimitAdvice, LimitChoice
else:
    limit_adviser = LazyModule(".limit_adviser", __package__)

NEVER = 0.0005
"""A choice that the GTO level makes less often than this is never made."""
OFTEN = 0.1
"""If the GTO level makes a choice at least this often, its lower EV needs an explanation."""
MOST = Fraction(4, 5)
"""A category that makes up this share of a difference is named instead of a lower one."""
VISIBLE_GAP = Fraction(2, 100)
"""Chances that differ by less than this are not mentioned, because other reasons matter more."""
VISIBLE_WINS = 0.005
"""The smallest difference between two chances to win a showdown that is mentioned."""

SELDOM = 0.1
"""Drawing one card to a hand that wins less often than this is a bluff."""

_COUNTED: Mapping[HandCategory, str] = MappingProxyType(
    {
        HandCategory.ONE_PAIR: "a pair",
        HandCategory.TWO_PAIR: "two pair",
        HandCategory.THREE_OF_A_KIND: "three of a kind",
        HandCategory.STRAIGHT: "a straight",
        HandCategory.FLUSH: "a flush",
        HandCategory.FULL_HOUSE: "a full house",
        HandCategory.FOUR_OF_A_KIND: "four of a kind",
    }
)


def discard_reason(
    view: State,
    seat: Seat,
    chosen: Positions,
    decision: Decision[State, Action],
    rival: Action | None,
) -> Reason | None:
    """Return why a discard loses to the best one, or why it beats ``rival`` or the next best."""
    hand = view.hands[seat]
    ranked = [one.action.positions for one in decision.values if isinstance(one.action, Discard)]
    best = ranked[0] if ranked else chosen
    was_right = chosen == best
    if was_right:
        own = decision.value or 0
        lower = [one for one in decision.values if one.value < own]
        lower = [one for one in lower if one.action == rival] or lower
        if not lower or not isinstance(lower[0].action, Discard):
            return None
        chosen = lower[0].action.positions
    cause: list[str] = []
    figures: list[Figure] = []
    if broken := _broken(hand, chosen, best):
        verb = "Your discard breaks" if not was_right else f"{_keeping(hand, chosen)} would break"
        cause.append(f"{verb} {broken}.")
    cause += _improvement(hand, chosen, best, was_right, figures)
    if not figures and (higher := _higher_cards(hand, best, chosen)):
        cause.append(higher)
    at_limit = view.options.stakes is Stakes.LIMIT
    if (wins := _showdown_chances(view, seat, best, chosen)) is not None:
        figures += [("win chance", wins[0]), ("win chance otherwise", wins[1])]
        cause.append(
            f"{_keeping(hand, best)} wins {rough_percent(wins[0])} of showdowns, "
            f"{_other(hand, chosen, was_right)} {rough_percent(wins[1])}."
        )
    if at_limit and len(best) <= 1 and (bluff := _draw_bluff(view, seat, best, figures)):
        cause.append(bluff)
    if at_limit and (few := _few_cards(view, seat, best, chosen, figures)):
        cause.append(few)
    values = {one.action: one for one in decision.values}
    good, bad = (values.get(Discard(each)) for each in (best, chosen))
    if good is None or bad is None:
        return Reason(tuple(cause), _discard_rule(hand, best), tuple(figures)) if cause else None
    if at_limit and not cause:
        cause += _later_bets(view, seat, (best, chosen), (good, bad), figures)
    figures += [("EV", good.value), ("EV otherwise", bad.value)]
    cause.append(
        f"EVs: {signed(float(good.value))} for {_lower(_keeping(hand, best))}, "
        f"{signed(float(bad.value))} for {_other(hand, chosen, was_right)}"
        f"{', later bets included' * at_limit}."
    )
    is_close = good.value - bad.value <= SURE_ERRORS * gap_error(good, bad)
    advice = limit_adviser.advise_limit(view, seat)
    choice = advice.choice_for(decision.action) if advice else None
    if advice is not None and choice is not None and advice.has_frequencies:
        is_mistake = decision.mistake is not None
        if not was_right and bool(choice.frequency or is_mistake) and is_mistake == is_close:
            cause.append(usual_sentence(advice, choice, figures))
    return Reason(tuple(cause), "" if is_close else _discard_rule(hand, best), tuple(figures))


def usual_sentence(advice: LimitAdvice, choice: LimitChoice, figures: list[Figure]) -> str:
    """Say how often the GTO level makes a choice whose EV is lower, perhaps only by an error."""
    figures.append(("frequency", choice.frequency))
    often = f"makes your choice {rough_percent(choice.frequency)} of the time here"
    if choice.frequency < NEVER:
        often = "never makes your choice here"
    if advice.best.value - choice.value > SURE_ERRORS * advice.error or choice.frequency >= OFTEN:
        return f"The GTO level {often}."
    margin = SURE_ERRORS * advice.error
    return f"The cost is within the margin of error of {margin:.2f}, but the GTO level {often}."


def _later_bets(
    view: State,
    seat: Seat,
    discards: tuple[Positions, Positions],
    values: tuple[ActionValue[Action], ActionValue[Action]],
    figures: list[Figure],
) -> Iterator[str]:
    """Split the EVs of two discards into the showdowns without later bets, and the later bets."""
    wins = [limit_adviser.showdown_chance(view, seat, one) for one in discards]
    if wins[0] is None or wins[1] is None:
        return
    good, bad = (one.value - win * view.pot for one, win in zip(values, wins, strict=True) if win)
    hand = view.hands[seat]
    figures += [("later bets", good), ("later bets otherwise", bad)]
    yield (
        f"{_keeping(hand, discards[0])} wins {percent(wins[0], 1)} of showdowns and gets "
        f"{signed(good)} from the bets after the draw; {_lower(_keeping(hand, discards[1]))} "
        f"wins {percent(wins[1], 1)} and gets {signed(bad)}."
    )


def _showdown_chances(
    view: State, seat: Seat, best: Positions, chosen: Positions
) -> tuple[float, float] | None:
    """Return how often the two discards win; ``None`` if the best one does not clearly win more."""
    if view.options.stakes is Stakes.LIMIT:
        good, bad = (limit_adviser.showdown_chance(view, seat, one) for one in (best, chosen))
        if good is None or bad is None or good - bad < VISIBLE_WINS:
            return None
        return good, bad
    advice = adviser.advise(view, seat)
    if advice is None or best not in advice.wins or chosen not in advice.wins:
        return None
    one, two = advice.wins[best], advice.wins[chosen]
    is_sure = one.chance - two.chance > SURE_ERRORS * two.error_behind_best
    return (one.chance, two.chance) if is_sure else None


def _higher_cards(hand: Hand, best: Positions, chosen: Positions) -> str:
    """Name the cards that the two discards keep, if the best one keeps higher unpaired cards."""
    kept, other = kept_cards(hand, best), kept_cards(hand, chosen)
    ranks, other_ranks = (
        sorted((ace_high(one.rank) for one in each), reverse=True) for each in (kept, other)
    )
    unpaired = len({*ranks}) == len({*other_ranks}) == len(ranks) == len(other_ranks)
    if not unpaired or not best or ranks == other_ranks:
        return ""
    if any(one < two for one, two in zip(ranks, other_ranks, strict=True)):
        return ""
    return f"{_joined(kept)} {'are' if len(kept) > 1 else 'is'} higher than {_joined(other)}."


def _joined(cards: Sequence[Card]) -> str:
    """Name cards, highest first: ``AS``, ``KD and QC``."""
    return list_words([*map(str, sort_for_display(cards))])


def _few_cards(
    view: State, seat: Seat, best: Positions, chosen: Positions, figures: list[Figure]
) -> str:
    """Say how computer players respond to a draw of at most one card, if the discards differ so.

    If that draw is the best one and no bluff, say how much more it brings than its showdowns.
    """
    advice = limit_adviser.advise_limit(view, seat)
    if advice is None or advice.basis is not EvBasis.PLAYED_OUT:
        return ""
    if (len(best) <= 1) == (len(chosen) <= 1):
        return ""
    response = "Computer players bet and call less against a player who drew at most one card"
    showdowns, value = advice.win_chance * view.pot, advice.best.value
    is_told = any(name == "showdowns" for name, _ in figures)
    if len(best) > 1 or is_told or value - showdowns <= SURE_ERRORS * advice.error:
        return f"{response}."
    figures += [("showdowns", showdowns), ("EV with later bets", value)]
    return (
        f"{response}: showdowns alone bring {signed(showdowns)}, "
        f"and the bets and folds after the draw raise the EV to {signed(value)}."
    )


def _draw_bluff(view: State, seat: Seat, best: Positions, figures: list[Figure]) -> str:
    """Say how much more drawing no card, or one, with a weak hand brings than its showdowns."""
    advice = limit_adviser.advise_limit(view, seat)
    if advice is None or rank_hand(view.hands[seat]).category >= HandCategory.STRAIGHT:
        return ""
    showdowns, value = advice.win_chance * view.pot, advice.best.value
    if value - showdowns <= SURE_ERRORS * advice.error or (best and advice.win_chance > SELDOM):
        return ""
    figures += [("pat wins", advice.win_chance), ("showdowns", showdowns), ("pat EV", value)]
    folders, raises = "an opponent who folds", "raises"
    if len(view.alive) > 2:
        folders, raises = "opponents who fold", "raise"
    name, wins = "Drawing one card" if best else "Standing pat", rough_percent(advice.win_chance)
    return (
        f"{name} is a bluff here: your hand wins {wins} of showdowns, "
        f"but {folders} to your bets {raises} its EV to {signed(value)}."
    )


def _broken(hand: Hand, chosen: Positions, best: Positions) -> str:
    """Name the combination that the best discard keeps and the other one breaks, or return ""."""
    kept, wanted = kept_cards(hand, chosen), kept_cards(hand, best)
    for rank, count in sorted(Counter(card.rank for card in wanted).items()):
        if count > 1 and sum(card.rank is rank for card in kept) < count:
            names = {2: "the pair of", 3: "the three", 4: "the four"}
            return f"{names[count]} {rank.name.lower()}{'es' if rank is Rank.SIX else 's'}"
    category = rank_hand(hand).category
    if not best and chosen and category in (HandCategory.STRAIGHT, HandCategory.FLUSH):
        return f"the {category.words}"
    four_suited = len(wanted) == ALL_BUT_ONE and len({card.suit for card in wanted}) == 1
    return "the four cards to a flush" if four_suited and not {*wanted} <= {*kept} else ""


def _improvement(
    hand: Hand, chosen: Positions, best: Positions, was_right: bool, figures: list[Figure]
) -> list[str]:
    """Compare how often the two discards reach the category in which they differ most."""
    gaps = _gaps(hand, chosen, best)
    category = max(gaps, key=lambda each: gaps[each])
    if gaps[category][0] < VISIBLE_GAP:
        return []
    largest = MOST * gaps[category][0]  # a flush is named if few of the hands are straights
    category = max(each for each in gaps if gaps[each][0] >= largest)
    _, first, second = gaps[category]
    is_made = first == 1
    if is_made:  # the highest category that is certain says the most
        category = max(each for each in _COUNTED if gaps[each][1] == 1)
        _, first, second = gaps[category]
    name = _COUNTED[category]
    figures += [(f"{name} or better", first), (f"{name} or better otherwise", second)]
    if is_made:
        other = f"{_other(hand, chosen, was_right)} ends with {name} or better only"
        return [f"You already have {name}; {other} {rough_percent(second)} of the time."]
    return [
        f"{_keeping(hand, best)} makes {name} or better {rough_percent(first)} of the time, "
        f"{_other(hand, chosen, was_right)} {rough_percent(second)}."
    ]


def _gaps(
    hand: Hand, chosen: Positions, best: Positions
) -> Mapping[HandCategory, tuple[Fraction, Fraction, Fraction]]:
    """Return how much more often the best discard reaches each category, and both chances."""
    counts = odds.after_each_discard(hand)
    good, bad = (
        {each: Fraction(sum(one.counts[each:]), one.total) for each in _COUNTED}
        for one in (counts[best], counts[chosen])
    )
    return {each: (good[each] - bad[each], good[each], bad[each]) for each in _COUNTED}


def _keeping(hand: Hand, discards: Positions) -> str:
    """Name a discard by the cards that it keeps."""
    if not discards:
        return "Standing pat"
    if len(discards) == len(hand):
        return "Keeping nothing"
    only = "only " if len(discards) == len(hand) - 1 else ""
    return f"Keeping {only}{_joined(kept_cards(hand, discards))}"


def _other(hand: Hand, discards: Positions, was_right: bool) -> str:
    if not was_right:
        return "your choice"
    return _lower(_keeping(hand, discards))


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _discard_rule(hand: Hand, best: Positions) -> str:
    """Return the rule of thumb that the best discard follows, or ""."""
    kept = kept_cards(hand, best)
    ranks = sorted(Counter(card.rank for card in kept).values(), reverse=True)
    category = rank_hand(hand).category
    if not best:
        strong = category >= HandCategory.STRAIGHT
        return "Stand pat with a straight or better." if strong else ""
    if len(kept) == ALL_BUT_ONE and len({card.suit for card in kept}) == 1:
        return "With four cards to a flush and no better hand, draw one card."
    return {
        (2,): "Keep the pair and draw three cards.",
        (3,): "With three of a kind, keep no other card and draw two.",
        (2, 2): "With two pair, draw one card.",
    }.get(tuple(ranks), "")


def opponents_drew(view: State, seat: Seat) -> str:
    """Say how many cards the opponents in the hand drew; "" before any of them has drawn.

    A single opponent is not named: "drew 3 cards".
    """
    others = [other for other in view.alive if other != seat]
    drawn = [(other, count) for other in others if (count := view.drawn[other]) is not None]
    if not drawn:
        return ""
    if len(others) == 1:
        return _drew(drawn[0][1])
    if len(drawn) == len(others) and len({count for _, count in drawn}) == 1:
        return f"{'Both' if len(drawn) == 2 else 'All'} opponents {_drew(drawn[0][1])}."
    names = names_at(view.options)
    return f"{list_words([f'{names[other]} {_drew(count)}' for other, count in drawn])}."


def _drew(count: int) -> str:
    if not count:
        return "stood pat"
    return "drew one card" if count == 1 else f"drew {count} cards"


def signed(credits: float) -> str:
    """Format an EV with its sign, as on the screen."""
    if abs(credits) < 0.005:
        return "0"
    return f"{'−' if credits < 0 else '+'}{abs(credits):.2f}"
