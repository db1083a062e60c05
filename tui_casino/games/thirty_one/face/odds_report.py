"""The exact odds of Hit Me, the rules lab, the dealer simulation and a hand, as text and JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import sqrt
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from ....inputs.errors import BadInput
from ....inputs.numbers import count_noun
from ....records.codec import ascii_json
from ..brains import adviser
from ..brains.adviser import ThirtyOnePosition, advise
from ..brains.dealer_simulation import DealerBattle
from ..brains.odds import (
    BUST,
    FINALS,
    Ending,
    PlayerChoice,
    battle_endings,
    battle_return,
    card_total,
    chance_of_31,
    dealer_odds,
    game_ev,
    house_edge,
)
from ..brains.rules_lab import edge_of, lab_rules, read_edges
from ..brains.strategy_chart import UP_CARDS, build_chart, card_name, chart_lines
from ..machine.rules import DEALER_WINS_ON, LIMIT, SAFE_TOTAL, STANDS_AT, Rules

# ---- the odds --------------------------------------------------------------------------------

_SIDES = {
    "basic": (False, False),
    "double": (True, False),
    "split": (False, True),
    "both": (True, True),
}
"""The four variants of the game: doubling and splitting may each be allowed or not."""


def odds_json(rules: Rules) -> str:
    """Return one JSON object: dealer, games, battle, insurance, lab and chart."""
    plays: dict[str, dict[str, Mapping[str, str]]] = {}
    for row in build_chart(rules):
        by_card = {card_name(up_card): play for up_card, play in row.plays.items()}
        plays.setdefault(row.kind, {})[row.name] = by_card
    report = {
        "rules": asdict(rules),
        "dealer": {
            card_name(up_card): _finals(dealer_odds(card_total(up_card), rules))
            for up_card in UP_CARDS
        },
        "ev": {name: float(ev) for name, ev in _games(rules).items()},
        "battle": {name: float(chance) for name, chance in _battle(rules).items()},
        "insurance": {name: float(figure) for name, figure in _insurance(rules).items()},
        "house_edge": float(house_edge(rules)),
        "lab": {name: float(house_edge(changed)) for name, changed in lab_rules()},
        "two_decks": _two_decks(rules),
        "chart": plays,
    }
    return ascii_json(report)


def _two_decks(rules: Rules) -> dict[str, Any]:
    """Return the edge on the first bet from two fresh decks, for these rules and all rule sets."""
    estimate = edge_of(rules)
    return {
        "house_edge": estimate.value if estimate else None,
        "error": estimate.error if estimate else None,
        "lab": {name: read_edges()[changed].value for name, changed in lab_rules()},
        "houses": [
            {"rules": asdict(house), "house_edge": edge.value, "error": edge.error}
            for house, edge in read_edges().items()
        ],
    }


def odds_text(rules: Rules) -> str:
    """Return a page with the dealer's final totals, the strategy chart and each rule's effect."""
    return "\n".join(_page(rules))


def _page(rules: Rules) -> Iterator[str]:
    yield "Hit Me from an infinite shoe"
    yield ""
    yield "The dealer's final total in %; last row: 31 if you stand on 14"
    yield f"{'':<6}" + "".join(f"{card_name(up_card):>7}" for up_card in UP_CARDS)
    columns = [dealer_odds(card_total(up_card), rules) for up_card in UP_CARDS]
    for final in FINALS:
        yield f"{_final(final):<6}" + "".join(f"{_percent(odds[final]):>7}" for odds in columns)
    after_14 = [
        dealer_odds(card_total(up_card), rules, only_31=True)[LIMIT] for up_card in UP_CARDS
    ]
    yield f"{'31/14':<6}" + "".join(f"{_percent(chance):>7}" for chance in after_14)
    yield ""
    yield "Perfect play: H hit, S stand, P split, D double (or hit), d double (or stand)"
    yield from chart_lines(build_chart(rules))
    yield ""
    yield "EV of a bet of 1 with perfect play"
    names = ("no side action", "with doubling", "with splitting", "with both")
    for name, ev in zip(names, _games(rules).values(), strict=True):
        yield f"{name:<34}{float(ev):>+12.6f}"
    win, push, lose = (_percent(chance, 4) for chance in _battle(rules).values())
    yield ""
    yield f"Dealer simulation: the player wins {win}%, pushes {push}%, loses {lose}%"
    chance_31, fair, chance_31_on_14, fair_14 = map(float, _insurance(rules).values())
    yield f"Insurance: an ace ends on 31 in {chance_31:.4%} of all cases, fair odds {fair:.2f}:1;"
    yield f"  if you stand on 14, in {chance_31_on_14:.4%}, fair odds {fair_14:.2f}:1"
    yield ""
    yield from edge_table()
    yield ""
    yield from edge_lines(rules)


_LAB_TITLES: Mapping[str, str] = {
    "the rules as they are": "the usual rules",
    "the dealer draws to a soft 27": "the dealer hits a soft 27",
    "double on two cards only": "double only on two cards",
    "split two of a rank only": "split equal ranks, not K-10",
}


def lab_title(name: str) -> str:
    """Return the title of a rule in the rules lab; JSON output keeps the older names."""
    return _LAB_TITLES.get(name, name)


def edge_table() -> Iterator[str]:
    """Yield the rules lab as text: the house edge with each single option, and the difference."""
    yield f"{'Rules lab':<34}{'house edge':>12}{'change':>11}{'two decks':>12}{'change':>11}"
    usual, of_two = house_edge(Rules()), read_edges()
    for name, rules in lab_rules():
        edge, fresh = house_edge(rules), of_two[rules].value
        yield (
            f"{lab_title(name):<34}{float(edge):>12.4%}{_change_text(float(edge - usual)):>11}"
            f"{fresh:>12.4%}{_change_text(fresh - of_two[Rules()].value):>11}"
        )


def _change_text(change: float) -> str:
    return f"{change:+.4%}" if change else "none"


def edge_lines(rules: Rules) -> Iterator[str]:
    """Yield the house edge from an infinite shoe, and on the first bet from two fresh decks."""
    edge = float(house_edge(rules))
    yield f"Under these rules the house edge is {edge:.4%} from an infinite shoe;"
    if (estimate := edge_of(rules)) is None:
        yield f"  for two decks it is not known with insurance at {rules.insurance}"
    else:
        yield (
            f"  on the first bet from two fresh decks it is {estimate.value:.4%},"
            f" standard error {estimate.error:.4%}"
        )


def _games(rules: Rules) -> Mapping[str, Fraction]:
    return {
        name: game_ev(rules, double=double, split=split) for name, (double, split) in _SIDES.items()
    }


def _battle(rules: Rules) -> Mapping[str, Fraction]:
    shares = {"win": Fraction(0), "push": Fraction(0), "lose": Fraction(0)}
    for ending, chance in battle_endings(rules).items():
        shares[("lose", "push", "win")[battle_return(ending)]] += chance
    return shares


def _insurance(rules: Rules) -> Mapping[str, Fraction]:
    ends, ends_14 = (chance_of_31(rules, on_14=on_14) for on_14 in (False, True))
    return {
        "p31_given_ace": ends,
        "fair_odds": (1 - ends) / ends,
        "p31_given_ace_and_14": ends_14,
        "fair_odds_on_14": (1 - ends_14) / ends_14,
    }


def _finals(odds: Mapping[int, Fraction]) -> dict[str, float]:
    return {_final(final): float(chance) for final, chance in odds.items()}


def _final(final: int) -> str:
    return "bust" if final == BUST else str(final)


def _percent(chance: Fraction, places: int = 2) -> str:
    return f"{float(100 * chance):.{places}f}"


# ---- the dealer simulation -------------------------------------------------------------------

_COUNTED: Mapping[str, Callable[[Ending], bool]] = {
    "wins": lambda end: battle_return(end) == 2,
    "pushes": lambda end: battle_return(end) == 1,
    "losses": lambda end: battle_return(end) == 0,
    "player_27": lambda end: end[0] == STANDS_AT,
    "dealer_27": lambda end: end[1] == STANDS_AT,
    "player_14": lambda end: end[0] == SAFE_TOTAL,
    "player_14_won": lambda end: end[0] == SAFE_TOTAL and battle_return(end) == 2,
    "dealer_14_won": lambda end: end[1] == DEALER_WINS_ON,
    "player_bust": lambda end: end[0] == BUST,
}
GAIN = "EV of a bet of 1"
_WORDS: Mapping[str, str] = {
    "wins": "the player wins",
    "pushes": "pushes",
    "losses": "the dealer wins",
    "player_27": "player's hands of 27",
    "dealer_27": "dealer's hands of 27",
    "player_14": "the player stands on 14",
    "player_14_won": "  and wins",
    "dealer_14_won": "the dealer wins on 14",
    "player_bust": "the player is bust",
    "ev": GAIN,
    "hands_27_share": "27s among all hands",
    "player_14_win_share": "wins among the 14s",
    "wins_on_14_share": "14s among the wins",
}


def battle_report(battle: DealerBattle) -> dict[str, Any]:
    """Return the named figures for JSON: counts, EV, shares, and their standard errors.

    The standard error given for a count is the standard error of its share of the rounds.
    """
    figures = _figures(battle.ends)
    report: dict[str, Any] = {
        "rounds": battle.rounds,
        "decks": "inf" if battle.decks is None else battle.decks,
        "seed": str(battle.seed),
    }
    for name, (share, _) in figures.items():
        report[name] = _count(battle, name) if name in _COUNTED else share
    report["standard_errors"] = {
        name: error / sqrt(battle.rounds) for name, (_, error) in figures.items()
    }
    return report


def _count(battle: DealerBattle, name: str) -> int:
    return sum(n for end, n in battle.ends.items() if _COUNTED[name](end))


class BattleFigure(Struct, frozen=True):
    """A figure of the simulation: its number of rounds, if any, its share and its standard error.

    The error is 0, and not shown, if it cannot be estimated because the rounds do not differ.
    ``exact`` is the exact share for an infinite shoe.
    """

    label: str
    count: int | None
    share: float
    error: float
    exact: float


def battle_figures(battle: DealerBattle, rules: Rules) -> Iterator[BattleFigure]:
    """Yield each figure with its standard error, and the exact figure for an infinite shoe."""
    exact = _figures(battle_endings(rules))
    for name, (share, error) in _figures(battle.ends).items():
        count = _count(battle, name) if name in _COUNTED else None
        yield BattleFigure(_WORDS[name], count, share, error / sqrt(battle.rounds), exact[name][0])


def battle_text(battle: DealerBattle, rules: Rules) -> str:
    """Return a table of each figure, its standard error, and the figure for an infinite shoe."""
    shoe = "an infinite shoe" if battle.decks is None else f"{battle.decks} decks"
    lines = [
        f"Dealer simulation: {count_noun(battle.rounds, 'round')} from {shoe}",
        f"with seed {battle.seed}",
        "",
        f"{'':<27}{'rounds':>15}{'share':>12}{'std. error':>12}{'infinite':>12}",
    ]
    for figure in battle_figures(battle, rules):
        count = "" if figure.count is None else f"{figure.count:,}"
        lines.append(
            f"{figure.label:<27}{count:>15}{figure.share:>12.6f}"
            f"{f'{figure.error:.6f}' if figure.error else '-':>12}{figure.exact:>12.6f}"
        )
    return "\n".join(lines)


def _figures(
    ends: Mapping[Ending, int] | Mapping[Ending, Fraction],
) -> dict[str, tuple[float, float]]:
    """Return each figure, and its standard error times the square root of the rounds.

    ``ends`` are counts or chances.
    """
    total = Fraction(sum(ends.values()))

    def ratio(
        numerator: Callable[[Ending], int], denominator: Callable[[Ending], int]
    ) -> tuple[float, float]:
        """Divide two averages; the ratio's error is computed from its first-order approximation."""
        base = sum(n * denominator(end) for end, n in ends.items())
        if not base:
            return 0.0, 0.0
        share = Fraction(sum(n * numerator(end) for end, n in ends.items())) / base
        square = sum(
            n * (numerator(end) - share * denominator(end)) ** 2 for end, n in ends.items()
        )
        return float(share), sqrt(square / base * (total / base))

    def share(name: str) -> tuple[float, float]:
        return ratio(_COUNTED[name], lambda end: 1)

    return {
        "wins": share("wins"),
        "pushes": share("pushes"),
        "losses": share("losses"),
        "ev": ratio(lambda end: battle_return(end) - 1, lambda end: 1),
        "player_27": share("player_27"),
        "dealer_27": share("dealer_27"),
        "hands_27_share": ratio(lambda end: end.count(STANDS_AT), lambda end: 2 - (None in end)),
        "player_14": share("player_14"),
        "player_14_won": share("player_14_won"),
        "player_14_win_share": ratio(_COUNTED["player_14_won"], _COUNTED["player_14"]),
        "wins_on_14_share": ratio(_COUNTED["player_14_won"], _COUNTED["wins"]),
        "dealer_14_won": share("dealer_14_won"),
        "player_bust": share("player_bust"),
    }


# ---- a hand, given the cards left ------------------------------------------------------------

CARDS: Mapping[str, int] = MappingProxyType(
    {"A": 1, **{str(value): value for value in range(2, 11)}, **dict.fromkeys("TJQK", 10)}
)
"""The names of cards, and their values."""
VALUES = "A 2 3 4 5 6 7 8 9 T"
MOST = 10_000
"""The maximum number of cards of one value that ``--left`` accepts."""
ACE = 1


def parse_position(
    remaining: str | None, hand: str | None, dealer: str | None, rules: Rules
) -> ThirtyOnePosition:
    """Parse a hand, the dealer's card and the cards left.

    Raises :class:`BadInput` unless all three are given, the player has a choice with this hand, and
    there are enough cards for the round.
    """
    if remaining is None or hand is None or dealer is None:
        raise BadInput("--left, --hand and --dealer must be given together")
    counts = _counts(remaining)
    names = hand.upper().split()
    cards = tuple(_value("--hand", name) for name in names)
    dealer_cards = dealer.upper().split()
    if len(dealer_cards) != 1:
        raise BadInput(f"--dealer: {dealer!r} is not one card; give one of {VALUES}")
    is_pair = len(cards) == 2 and cards[0] == cards[1]
    if rules.split_same_rank:
        is_pair = is_pair and names[0].replace("10", "T") == names[1].replace("10", "T")
    position = ThirtyOnePosition(
        cards, _value("--dealer", dealer_cards[0]), counts, 1, rules, pair=is_pair
    )
    if not cards or position.total.points >= LIMIT:
        raise BadInput(f"--hand: {hand!r} leaves no choice; give cards that total less than 31")
    if position.may_run_out:
        raise BadInput(
            f"--left: {sum(counts)} cards may be too few for the round, because the unknown"
            " discards would be shuffled in; give more"
        )
    return position


def _counts(text: str) -> tuple[int, ...]:
    words = text.split()
    if len(words) != 10:
        raise BadInput(f"--left: {len(words)} counts; give ten, for {VALUES}")
    for word in words:
        if not re.fullmatch(r"[0-9]{1,5}", word, re.ASCII) or int(word) > MOST:
            raise BadInput(f"--left: {word!r} is not a number of cards; give 0 to {MOST}")
    return tuple(map(int, words))


def _value(option: str, name: str) -> int:
    if name not in CARDS:
        raise BadInput(f"{option}: {name!r} is not a card; give one of {VALUES}")
    return CARDS[name]


def hand_json(position: ThirtyOnePosition) -> str:
    """Return one JSON object: each choice's EV and standard error in bets, and the insurance."""
    return ascii_json(_choice_report(position))


def _choice_report(position: ThirtyOnePosition) -> dict[str, dict[str, float]]:
    advice = advise(position, exact=True)
    report = {
        choice.value: {"value": advice.values[choice], "error": advice.errors[choice]}
        for choice in (
            PlayerChoice.STAND,
            PlayerChoice.HIT,
            PlayerChoice.DOUBLE,
            PlayerChoice.SPLIT,
        )
        if choice in advice.values
    }
    if position.up_card == ACE:
        chance, odds = (
            adviser.chance_of_31(ACE, position.remaining, position.rules),
            position.rules.insurance,
        )
        insurance_return = (odds.paid + odds.staked) / odds.staked
        report[PlayerChoice.INSURE.value] = {"p31": chance, "value": chance * insurance_return - 1}
    return report


def hand_text(position: ThirtyOnePosition) -> str:
    """Return the figures of :func:`hand_json` as text, best choice first."""
    return "\n".join(_hand_lines(_choice_report(position), position.rules))


def _hand_lines(report: dict[str, dict[str, float]], rules: Rules) -> Iterator[str]:
    insurance = report.pop(PlayerChoice.INSURE.value, None)
    yield f"{'for a bet of 1':<14}{'EV':>10}{'std. error':>13}"
    for name, figures in sorted(report.items(), key=lambda one: -one[1]["value"]):
        error = f"{figures['error']:.4f}" if figures["error"] else "exact"
        yield f"{name:<14}{figures['value']:>+10.4f}{error:>13}"
    if insurance is not None:
        yield f"insurance at {rules.insurance}: EV {insurance['value']:+.4f} per unit staked;"
        yield f"  the dealer ends on 31 with a chance of {insurance['p31']:.4%}"
