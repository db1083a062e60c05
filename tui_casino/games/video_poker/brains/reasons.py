"""Why a hold is a mistake, or why it is the best: the rows from which it gains or loses EV."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ....cards.card import format_cards
from ....gamekit.adviser import Decision, Figure, FigureColumn, Reason
from ....gamekit.number_formats import rough_percent
from ..machine.game import Action, Hold, Phase, State
from ..machine.rules import row_of
from .adviser import hand_odds_of
from .hand_odds import PayoutDistribution
from .strategy import LINES, advise, line_of

LIST_TABLE = "double-bonus-10-7"
"""The pay table for which the 34-line strategy was made."""

MATTERS = 4
"""A row is mentioned if it accounts for at least one part in this many of the EV given up."""

_WITH_ARTICLE = frozenset({"ROYAL FLUSH", "STRAIGHT FLUSH", "FULL HOUSE", "FLUSH", "STRAIGHT"})


def reason(decision: Decision[State, Action], rival: Action | None = None) -> Reason | None:
    """Return why a hold loses to the best one, or why the best one beats a rival.

    Without a ``rival``, the best hold is compared with the next best.

    Return ``None`` for other actions, for hands with repeated cards, and for a best hold whose
    ``values`` are not known.
    """
    view, action, best = decision.view, decision.action, decision.best
    if view.phase is not Phase.HOLD or not (isinstance(action, Hold) and isinstance(best, Hold)):
        return None
    other = action
    if action == best:
        ranked = (rival, *(one.action for one in decision.values))
        other = next((one for one in ranked if isinstance(one, Hold) and one != best), action)
        if other == best:
            return None
    try:
        return _compare(view, best, other, decision.cost if other == action else None)
    except ValueError:  # a card file may repeat cards
        return None


def columns(decision: Decision[State, Action]) -> tuple[FigureColumn[Action], ...]:
    """Return how often each hold pays anything, or nothing if there is no choice."""
    view = decision.view
    if view.phase is not Phase.HOLD or len({*view.hand}) < len(view.hand):
        return ()
    exact = hand_odds_of(view.options.paytable, view.coins)
    holds = (one.action for one in decision.values if isinstance(one.action, Hold))
    return (
        FigureColumn(
            "pays",
            {
                hold: rough_percent(_pay_chance(exact.outcomes(view.hand, hold.positions)))
                for hold in holds
            },
        ),
    )


def _pay_chance(outcomes: PayoutDistribution) -> Fraction:
    pairs = zip(outcomes.counts, outcomes.pays, strict=True)
    return Fraction(sum(count for count, pay in pairs if pay), outcomes.total)


def row_phrase(name: str) -> str:
    """Return a row's name as it is written in a sentence, like ``a full house``."""
    ranks, _, kicker = name.removeprefix("FOUR ").replace("-", " to ").partition(" WITH ")
    if ranks == name:
        text = name.lower()
    else:
        text = f"four of a kind ({ranks})" if " to " in ranks else f"four {ranks.lower()}"
        text += f" with a kicker ({kicker})" if kicker else ""
    return f"a {text}" if name in _WITH_ARTICLE else text


def _compare(view: State, best: Hold, other: Hold, cost: Fraction | None) -> Reason:
    """Compare the best hold with the one chosen at a cost, or with the second best."""
    was_chosen = cost is not None
    exact = hand_odds_of(view.options.paytable, view.coins)
    good = exact.outcomes(view.hand, best.positions)
    bad = exact.outcomes(view.hand, other.positions)
    other_name = "your hold" if was_chosen else _hold_name(view, other)
    cause: list[str] = []
    figures: list[Figure] = []

    made, sure = row_of(view.options.paytable, view.hand, view.coins), ""
    if made is not None:
        pay = made.pay(view.coins)
        name = row_phrase(made.name)
        sure_best, sure_other = _surely_pays(good, pay), _surely_pays(bad, pay)
        if sure_best != sure_other:
            cause.append(_broken(name, pay, sure_best, was_chosen, _cards(view, best)))
            figures.append((f"pay of {made.name}", Fraction(pay)))
        if sure_best and not sure_other:  # the chance of exactly this row would say too little
            sure, pays = made.name, _pay_chance(bad)
            figures.append(("pays otherwise", pays))
            often = f"pays {rough_percent(pays)} of the time"
            cause.append(f"{_capital(_hold_name(view, best))} always pays; {other_name} {often}.")

    extra = set(other.positions) - set(best.positions)
    if set(best.positions) < set(other.positions) and len(extra) == 1:
        card = view.hand[extra.pop() - 1]
        cause.append(f"Holding the {card} as well leaves one card fewer to draw.")

    differences = sorted(_differences(good, bad), key=lambda one: one[1])
    gained = [one for one in differences if one[1] > 0 and good.rows[one[0]] != sure][-1:-3:-1]
    total = sum((credits for _, credits in differences if credits > 0), Fraction(0))
    if len(gained) == 2 and gained[1][1] * MATTERS < total:
        del gained[1]  # too little to matter
    parts: list[str] = []
    for index, _ in gained:
        chances = _chance(good, index), _chance(bad, index)
        figures += _figures(good.rows[index], *chances)
        than = f"{other_name} {_often(chances[1])}"
        parts.append(
            f"{row_phrase(good.rows[index])} {rough_percent(chances[0])} of the time, "
            f"{than if not parts else f'against {rough_percent(chances[1])}'}"
        )
    if parts:
        ends = any(made and good.rows[index] == made.name for index, _ in gained)
        verb = "ends with" if ends else "makes"
        text = f"; it {verb} ".join(parts)
        cause.append(f"{_capital(_hold_name(view, best))} {verb} {text}.")

    index, lost = differences[0]
    if cost is not None and lost * MATTERS < -total:
        chances = _chance(bad, index), _chance(good, index)
        figures += _figures(good.rows[index], *chances)
        figures.append((f"credits from {good.rows[index]}", -lost))
        cause.append(
            f"Your hold makes {row_phrase(good.rows[index])} more often "
            f"({rough_percent(chances[0])} against {rough_percent(chances[1])}), but this gains "
            f"only {_credits(-lost)} on average, and the other rows lose "
            f"{_credits(cost - lost)}."
        )
        figures.append(("credits from the other rows", sum(each for _, each in differences) - lost))
    return Reason(tuple(cause), _rule(view, best, other), tuple(figures))


def _broken(name: str, pay: int, best_keeps: bool, was_chosen: bool, held: str) -> str:
    credits = "1 credit" if pay == 1 else f"{pay:,} credits"
    if not best_keeps:
        return f"Your cards already made {name}, which pays {credits}; it is right to break it."
    if was_chosen:
        return f"You broke {name}, which already paid {credits}."
    return f"Your cards already make {name}, which pays {credits}: keep it."


def _surely_pays(outcomes: PayoutDistribution, pay: int) -> bool:
    """Return whether every possible draw pays at least this many credits."""
    pairs = zip(outcomes.counts, outcomes.pays, strict=True)
    return all(paid >= pay for count, paid in pairs if count)


def _differences(
    good: PayoutDistribution, bad: PayoutDistribution
) -> Iterator[tuple[int, Fraction]]:
    """Yield each row's index, and how many more credits of EV it brings with the better hold."""
    for index, pay in enumerate(good.pays):
        if pay:
            yield index, pay * (_chance(good, index) - _chance(bad, index))


def _chance(outcomes: PayoutDistribution, index: int) -> Fraction:
    return Fraction(outcomes.counts[index], outcomes.total)


def _figures(row: str, first: Fraction, second: Fraction) -> tuple[Figure, Figure]:
    return (f"chance of {row}", first), (f"chance of {row} otherwise", second)


def _often(chance: Fraction) -> str:
    return rough_percent(chance) if chance else "never"


def _credits(amount: Fraction | float) -> str:
    return f"{float(amount):.2f} credits"


def _rule(view: State, best: Hold, other: Hold) -> str:
    """Say how the 34-line strategy orders the two holds, if it also makes the best hold."""
    if view.options.paytable.name != LIST_TABLE:
        return ""
    advice = advise(view.hand)
    if advice.positions != best.positions:
        return ""
    line = line_of([view.hand[place - 1] for place in other.positions])
    if line is None:
        none = (
            f"no line of the 34-line strategy {_hold_name(view, other).replace('holding', 'holds')}"
        )
        best_line = f"The best hold is {_line_name(advice.line)} (line {advice.line})"
        return f"{best_line}; {none}."
    if line <= advice.line:
        return ""
    lines = f"lines {advice.line} and {line} of the 34-line strategy"
    return f"{_line_name(advice.line)} comes before {_line_name(line)} ({lines})."


def _line_name(line: int) -> str:
    """Return the name of a line in a sentence; the last line holds nothing."""
    return "drawing five new cards" if line == len(LINES) else f'"{LINES[line - 1]}"'


def _hold_name(view: State, hold: Hold) -> str:
    if len(hold.positions) == len(view.hand):
        return "holding all five"
    cards = _cards(view, hold)
    return f"holding {cards}" if cards else "drawing five new cards"


def _cards(view: State, hold: Hold) -> str:
    return format_cards([view.hand[place - 1] for place in hold.positions])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
