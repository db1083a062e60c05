"""Sentences that explain why each side drew or stood in a finished coup."""

from __future__ import annotations

from ..machine.rules import CAPACITY, HITS_UP_TO, Hand, is_natural, must_hit, value_of


def drawing_reasons(player: Hand, banker: Hand) -> tuple[str, ...]:
    """Return one sentence per side about the rule for its third card, or one about a natural.

    The hands are those of a finished coup.
    """
    ours, theirs = (Hand(cards=hand.cards[:2]) for hand in (player, banker))
    for name, hand in (("player", ours), ("banker", theirs)):
        if is_natural(hand):
            return (f"The {name} has a natural {value_of(hand)}, so no third card is drawn.",)
    return _player_reason(ours), _banker_reason(theirs, player)


def _player_reason(two: Hand) -> str:
    value = value_of(two)
    if must_hit(two):
        return f"The player draws on {value}: it must draw on 0 to 5."
    return f"The player stands on {value}: it must stand on 6 or 7."


def _banker_reason(two: Hand, player: Hand) -> str:
    value, third = value_of(two), player.get(CAPACITY - 1)
    if third is None:
        verb, rule = ("draws", "0 to 5") if must_hit(two) else ("stands", "6 or 7")
        return f"The banker {verb} on {value}: if the player stands, it {verb} on {rule}."
    highest = HITS_UP_TO[value_of(third)]
    verb = "draws" if must_hit(third, two) else "stands"
    return (
        f"The banker {verb} on {value}: against a third card of {value_of(third)} "
        f"it draws on 0 to {highest}."
    )
