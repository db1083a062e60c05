"""The EV of each choice for a hand, given the cards left, as text and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ....inputs.errors import BadInput
from ....records.codec import ascii_json
from ..brains.adviser import ThirtyOnePosition, advise, chance_of_31
from ..brains.odds import PlayerChoice
from ..machine.rules import LIMIT, Rules

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
            chance_of_31(ACE, position.remaining, position.rules),
            position.rules.insurance,
        )
        insurance_return = (odds.paid + odds.staked) / odds.staked
        report[PlayerChoice.INSURE.value] = {"p31": chance, "value": chance * insurance_return - 1}
    return report


def hand_text(position: ThirtyOnePosition) -> str:
    """Return the figures of :func:`hand_json` as text, best choice first."""
    return "\n".join(_lines(_choice_report(position), position.rules))


def _lines(report: dict[str, dict[str, float]], rules: Rules) -> Iterator[str]:
    insurance = report.pop(PlayerChoice.INSURE.value, None)
    yield f"{'for a bet of 1':<14}{'EV':>10}{'std. error':>13}"
    for name, figures in sorted(report.items(), key=lambda one: -one[1]["value"]):
        error = f"{figures['error']:.4f}" if figures["error"] else "exact"
        yield f"{name:<14}{figures['value']:>+10.4f}{error:>13}"
    if insurance is not None:
        yield f"insurance at {rules.insurance}: EV {insurance['value']:+.4f} per unit staked;"
        yield f"  the dealer ends on 31 with a chance of {insurance['p31']:.4%}"
