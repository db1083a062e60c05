"""Why a bet or a discard is a mistake, or why it is right: the price, the chances, the GTO level.

The figures are those of the advisers: exact counts for the categories after a draw, and the EVs,
chances and frequencies of `limit_adviser` or `adviser`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from ....cards.card import Hand, Rank, format_cards
from ....cards.poker import HandCategory, rank_hand
from ....engine.game import Seat
from ....gamekit.adviser import Decision
from ....gamekit.lazy_import import LazyModule
from ....gamekit.number_formats import percent, rough_percent
from ....gamekit.reason import Figure, FigureColumn, Reason
from ..machine.betting import last_acts
from ..machine.moves import Action, Bet, Call, Check, Discard, Fold, Raise
from ..machine.rules import HAND_CARDS, Positions, kept_cards
from ..machine.state import Stakes, State
from .ev_basis import EvBasis
from .lazy import adviser, odds
from .mistake_kinds import ALL_BUT_ONE
from .players import NAMES

if TYPE_CHECKING:
    from . import limit_adviser
    from .limit_choices import LimitAdvice
else:
    limit_adviser = LazyModule(".limit_adviser", __package__)

VERBS: Mapping[type, str] = MappingProxyType(
    {Check: "checks", Bet: "bets", Fold: "folds", Call: "calls", Raise: "raises"}
)
LATER_BETS = 1.0
"""The smallest effect on the EV of a call, in credits, for which later bets are mentioned."""
SURE_ERRORS = 2
"""EVs are called different only if they differ by at least this many standard errors."""
OFTEN = 0.1
"""A choice that the GTO level makes at least this often needs a word if its EV is lower."""
VISIBLE_GAP = Fraction(2, 100)
"""Chances that differ by less than this are not mentioned, because other reasons matter more."""

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


def reason(decision: Decision[State, Action]) -> Reason | None:
    """Return why a choice loses to the best one, or what makes it the best.

    Return ``None`` for actions that are never judged, and for hands that contain a card twice.
    """
    view, seat, action = decision.view, decision.seat, decision.action
    if seat not in view.alive or len({*view.hands[seat]}) < HAND_CARDS:
        return None
    if isinstance(action, Discard) and isinstance(decision.best, Discard):
        return _discard_reason(view, seat, action.positions, decision)
    return _betting_reason(view, seat, decision) if type(action) in VERBS else None


def columns(decision: Decision[State, Action]) -> tuple[FigureColumn[Action], ...]:
    """Return how often the GTO level makes each choice, or how often each discard wins.

    The GTO level has no frequencies outside the solution. The ante table has only chances to win.
    """
    view, seat = decision.view, decision.seat
    if seat not in view.alive or len({*view.hands[seat]}) < HAND_CARDS:
        return ()
    advice = limit_adviser.advise_limit(view, seat)
    if advice is not None:
        if advice.basis is not EvBasis.SOLUTION:
            return ()
        shares = {one.action: rough_percent(one.frequency) for one in advice.choices}
        return (FigureColumn("GTO", shares),)
    sampled = adviser.advise(view, seat)
    if sampled is None or len(sampled.wins) < 2:
        return ()
    wins: dict[Action, str] = {
        Discard(one): rough_percent(win.chance) for one, win in sampled.wins.items()
    }
    return (FigureColumn("wins", wins),)


# ---- bets ------------------------------------------------------------------------------------


def _betting_reason(view: State, seat: Seat, decision: Decision[State, Action]) -> Reason | None:
    advice = limit_adviser.advise_limit(view, seat)
    if advice is None:
        return None
    cause: list[str] = []
    figures: list[Figure] = []
    cause += _opponents_did(view, seat)
    win, price = advice.win_chance, advice.pot_odds
    figures.append(("win chance", win))
    if price is None:
        cause.append(f"You win {rough_percent(win)} of the time if nobody bets again.")
    else:
        figures += [("pot odds", price.need), ("call", Fraction(price.call))]
        needed, won = _compared(price.need, win)
        cause.append(
            f"A call costs {price.call} to win {price.pot}, so it must win {needed} of the time; "
            f"you win {won} if nobody bets again."
        )
        if later := _later_bets(advice, figures):
            cause.append(later)
    if response := _responses(view, seat, decision, win, figures):
        cause.append(response)
    if frequencies := _frequencies(advice, figures):
        cause.append(frequencies)
    rule = _betting_rule(advice, decision, figures)
    if not rule and (values := _values(advice, decision, figures)):
        cause.append(values)
    return Reason(tuple(cause), rule, tuple(figures))


def _opponents_did(view: State, seat: Seat) -> Iterator[str]:
    """Say how many cards the opponents drew, and what the last one to act before the seat did."""
    if drawn := _opponents_drew(view, seat):
        yield drawn
    if view.betting is None:
        return
    acts, alone = last_acts(view.betting, view.alive, view.stacks), len(view.alive) == 2
    for other in view.alive:
        act = acts.get(other, "")
        if other == seat or (act == "call" and not alone):
            continue
        name = "Your opponent" if alone else NAMES[other]
        amount = view.betting.bets[other]
        if act in ("bet", "raise"):
            yield f"{name} {'bets' if act == 'bet' else 'raises to'} {amount}."
        elif act == "check" and alone:
            yield f"{name} checked."


def _responses(
    view: State, seat: Seat, decision: Decision[State, Action], win: float, figures: list[Figure]
) -> str:
    """Say how the GTO level responds to the best or the chosen action, if that explains the EVs.

    With a weak hand, compare how often it folds with the share that a bluff needs. After the draw,
    say how often you beat the hands that stay in after a bet, or that bet after a check.
    """
    betting = view.betting
    if betting is None:
        return ""
    for action in dict.fromkeys((decision.best, decision.action)):
        if isinstance(action, Check) or win >= 0.5:
            continue
        if (response := limit_adviser.response_to(view, seat, action)) is None:
            continue
        risk = min(betting.owes(seat) + betting.size, view.stacks[seat])
        need = Fraction(risk, risk + view.pot)
        is_best = action == decision.best
        if (response.share > need) != is_best:
            continue
        figures += [("folds", response.share), ("folds needed", need)]
        often, needed = _compared(response.share, need)
        if is_best:
            return (
                f"The {_word(action)} is a bluff: it wins because the GTO level folds to it "
                f"{often} of the time, and {needed} is enough."
            )
        return (
            f"As a bluff the {_word(action)} fails: the GTO level folds to it {often} of the time, "
            f"and it needs {needed}."
        )
    return _bet_sentence(view, seat, decision, figures)


def _bet_sentence(
    view: State, seat: Seat, decision: Decision[State, Action], figures: list[Figure]
) -> str:
    """Say what a bet or a check meets: folds, and the chance to beat the other hands."""
    acts = decision.best, decision.action
    bet = next((one for one in acts if isinstance(one, Bet | Raise)), None)
    if bet is None or (answer := limit_adviser.response_to(view, seat, bet)) is None:
        return ""
    figures.append(("folds", answer.share))
    folds = f"the GTO level folds {rough_percent(answer.share)} of the time"
    if answer.wins is None:
        return f"If you {_word(bet)}, {folds} and you win the pot immediately."
    figures.append(("wins if called", answer.wins))
    sentence = (
        f"If you {_word(bet)}, {folds}, and you win {rough_percent(answer.wins)} against the hands "
        "that stay in."
    )
    bluffs = limit_adviser.response_to(view, seat, Check()) if Check() in acts else None
    if bluffs is None or bluffs.wins is None:
        return sentence
    figures += [("bets", bluffs.share), ("wins against bets", bluffs.wins)]
    may_raise = isinstance(decision.best, Check) and bluffs.wins >= 0.5
    return (
        f"{sentence} If you check, it bets {rough_percent(bluffs.share)} of the time, and you win "
        f"{rough_percent(bluffs.wins)} against those hands"
        f"{'; then you may raise' if may_raise else ''}."
    )


def _compared(one: float | Fraction, two: float | Fraction) -> tuple[str, str]:
    """Format two chances; if they look equal, with the decimals that show which is higher."""
    rough = rough_percent(one), rough_percent(two)
    return rough if rough[0] != rough[1] else (percent(one), percent(two))


def _word(action: Action) -> str:
    return "bet" if isinstance(action, Bet) else "raise"


def _opponents_drew(view: State, seat: Seat) -> str:
    """Say how many cards the opponents in the hand drew; "" before any of them has drawn."""
    counts = [view.drawn[other] for other in view.alive if other != seat]
    drawn = [count for count in counts if count is not None]
    if not drawn:
        return ""
    if len(counts) == 1:
        return f"Your opponent {_drew(drawn[0])}."
    return f"One opponent {', another '.join(map(_drew, drawn))}."


def _drew(count: int) -> str:
    if not count:
        return "stood pat"
    return "drew one card" if count == 1 else f"drew {count} cards"


def _later_bets(advice: LimitAdvice, figures: list[Figure]) -> str:
    """Say how later bets change the EV of a call, if they change it much."""
    choice, price = advice.choice_for(Call()), advice.pot_odds
    if choice is None or price is None or advice.basis is not EvBasis.SOLUTION:
        return ""
    showdown = advice.win_chance * (price.pot + price.call) - price.call
    later = choice.value - showdown
    if abs(later) < max(LATER_BETS, SURE_ERRORS * advice.error):
        return ""
    figures += [("call without later bets", showdown), ("call", choice.value)]
    change = "improve" if later > 0 else "lower"
    return (
        f"Without later bets the EV of a call would be {_signed(showdown)}; "
        f"the later bets of the GTO level {change} it to {_signed(choice.value)}."
    )


def _signed(credits: float) -> str:
    """Format an EV with its sign, as on the screen."""
    return f"{'−' if credits < -0.005 else '+'}{abs(credits):.2f}"


def _frequencies(advice: LimitAdvice, figures: list[Figure]) -> str:
    """Say how often the GTO level makes each choice; "" if the solution does not cover the hand."""
    if advice.basis is not EvBasis.SOLUTION:
        return ""
    ranked = sorted(advice.choices, key=lambda one: -one.frequency)
    shown = [one for one in ranked if one.frequency >= 0.005]
    figures += [(f"frequency of {type(one.action).__name__}", one.frequency) for one in ranked]
    if len(shown) == 1:
        return f"The GTO level always {VERBS[type(shown[0].action)]} here."
    shares = [round(100 * one.frequency) for one in shown]
    shares[0] += 100 - sum(shares)  # rounded shares may not add up to 100%
    texts = [
        f"{VERBS[type(one.action)]} {share}%" for one, share in zip(shown, shares, strict=True)
    ]
    return f"The GTO level {', '.join(texts[:-1])} and {texts[-1]} of the time here."


def _betting_rule(
    advice: LimitAdvice, decision: Decision[State, Action], figures: list[Figure]
) -> str:
    best = advice.best
    usual = max((one for one in advice.choices if one != best), key=lambda one: one.frequency)
    if advice.basis is EvBasis.SOLUTION and usual.frequency >= OFTEN:
        figures.append(("standard error", advice.error))
        gap = best.value - usual.value
        if gap > SURE_ERRORS * advice.error:
            figures.append(("gap", gap))
            return (
                f"Follow the EV here: {_noun(best.action)} is {gap:.2f} credits better than "
                f"{_noun(usual.action)}, more than twice the standard error. The frequencies are "
                "averages over similar hands."
            )
        if usual.frequency > best.frequency:
            return (
                f"The EVs of {_noun(best.action)} and {_noun(usual.action)} differ by less than "
                "twice their standard error: follow the frequency."
            )
    price, win = advice.pot_odds, advice.win_chance
    if price is not None:
        if isinstance(best.action, Fold) and win < price.need:
            return "Fold when you win less often than the price of the call needs."
        if isinstance(best.action, Raise) and isinstance(decision.action, Call) and win > 0.5:
            return "Raise when you win more than half of the time: a call wins too little."
        if not isinstance(best.action, Fold) and win >= price.need:
            return "Stay in when you win more often than the price of the call needs."
        return ""
    if isinstance(best.action, Bet) and win > 0.5:
        return "Bet when you win more than half of the time."
    if isinstance(best.action, Check) and win < 0.5:
        return "Check when you win less than half of the time."
    return ""


def _values(advice: LimitAdvice, decision: Decision[State, Action], figures: list[Figure]) -> str:
    """Compare the EVs of the best and the chosen action, or of the next best one."""
    others = [one for one in advice.choices if one.action != decision.best]
    if decision.action != decision.best:
        others = [one for one in others if one.action == decision.action]
    if not others or (best := advice.choice_for(decision.best)) is None:
        return ""
    other = max(others, key=lambda one: one.value)
    if other.value > best.value:
        return ""
    figures += [("EV", best.value), ("EV otherwise", other.value)]
    return (
        f"All in all, {_noun(best.action)} has an EV of {_signed(best.value)} and "
        f"{_noun(other.action)} {_signed(other.value)}."
    )


def _noun(action: Action) -> str:
    return {Check: "a check", Bet: "a bet", Fold: "a fold", Call: "a call", Raise: "a raise"}[
        type(action)
    ]


# ---- discards --------------------------------------------------------------------------------


def _discard_reason(
    view: State, seat: Seat, chosen: Positions, decision: Decision[State, Action]
) -> Reason | None:
    assert isinstance(decision.best, Discard)
    hand, best = view.hands[seat], decision.best.positions
    was_right = chosen == best
    if was_right:
        own = decision.value or 0  # a discard within the error of the best is also right
        lower = (one.action for one in decision.values if one.value < own)
        others = [one for one in lower if isinstance(one, Discard)]
        if not others:
            return None
        chosen = others[0].positions
    cause: list[str] = []
    figures: list[Figure] = []
    if drawn := _opponents_drew(view, seat):
        cause.append(drawn)
    if broken := _broken(hand, chosen, best):
        verb = "This breaks" if not was_right else f"{_discarding(hand, chosen)} would break"
        cause.append(f"{verb} {broken}.")
    cause += _improvement(hand, chosen, best, was_right, figures)
    at_limit = view.options.stakes is Stakes.LIMIT  # its EVs are not those of the sample below
    advice = None if at_limit else adviser.advise(view, seat)
    if advice is not None and best in advice.wins and chosen in advice.wins:
        good, bad = advice.wins[best], advice.wins[chosen]
        if good.chance - bad.chance > SURE_ERRORS * bad.error_behind_best:
            figures += [("win chance", good.chance), ("win chance otherwise", bad.chance)]
            cause.append(
                f"{_discarding(hand, best)} wins {rough_percent(good.chance)} of showdowns, "
                f"{_other(hand, chosen, was_right)} {rough_percent(bad.chance)}."
            )
    if at_limit and not best and (bluff := _pat_bluff(view, seat, figures)):
        cause.append(bluff)
    values = {one.action: one.value for one in decision.values}
    good_ev, bad_ev = (values.get(Discard(each)) for each in (best, chosen))
    if not figures and good_ev is not None and bad_ev is not None:
        figures += [("EV", good_ev), ("EV otherwise", bad_ev)]
        later = ", later bets included" if at_limit else ""
        other = _other(hand, chosen, was_right)
        start = "Both discards improve about equally often, but"
        if min(gap for gap, _, _ in _gaps(hand, chosen, best).values()) <= -VISIBLE_GAP:
            start = f"{_capital(other)} improves more often, but"
        ev, other_ev = _signed(float(good_ev)), _signed(float(bad_ev))
        if ev == other_ev:
            best_name = _discarding(hand, best)
            cause.append(f"{best_name} and {other} have almost the same EV, {ev}{later}.")
        else:
            cause.append(
                f"{start} {_lower(_discarding(hand, best))} has an EV of {ev}, "
                f"{other} {other_ev}{later}."
            )
    return Reason(tuple(cause), _discard_rule(hand, best), tuple(figures)) if cause else None


def _pat_bluff(view: State, seat: Seat, figures: list[Figure]) -> str:
    """Say how much more standing pat with a weak hand brings than its showdowns, if it is more."""
    advice = limit_adviser.advise_limit(view, seat)
    if advice is None or rank_hand(view.hands[seat]).category >= HandCategory.STRAIGHT:
        return ""
    showdowns, value = advice.win_chance * view.pot, advice.best.value
    if value - showdowns <= SURE_ERRORS * advice.error:
        return ""
    figures += [("pat wins", advice.win_chance), ("showdowns", showdowns), ("pat EV", value)]
    return (
        f"Standing pat is a bluff here: your hand wins only {rough_percent(advice.win_chance)} of "
        f"showdowns, which is worth {showdowns:.2f}, but the bets after the draw raise its EV to "
        f"{_signed(value)}."
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
    gap, first, second = gaps[category]
    if gap < VISIBLE_GAP:
        return []
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
        f"{_discarding(hand, best)} makes {name} or better {rough_percent(first)} of the time, "
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


def _discarding(hand: Hand, discards: Positions) -> str:
    if not discards:
        return "Standing pat"
    return f"Discarding {format_cards([hand[place - 1] for place in discards])}"


def _other(hand: Hand, discards: Positions, was_right: bool) -> str:
    if not was_right:
        return "your choice"
    return _lower(_discarding(hand, discards))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


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
