"""The drawing rules that a finished coup followed, in sentences."""

from __future__ import annotations

from ..machine.rules import CAPACITY, HITS_UP_TO, Hand, is_natural, must_hit, value_of


def drawing_reasons(player: Hand, banker: Hand) -> tuple[str, ...]:
    """Say in one sentence for each side which rule gave or refused its third card.

    A natural is one sentence for both. Takes the hands of a coup that is over.
    """
    ours, theirs = (Hand(cards=hand.cards[:2]) for hand in (player, banker))
    for name, hand in (("player", ours), ("banker", theirs)):
        if is_natural(hand):
            return (f"The {name} has a natural {value_of(hand)}, so no third card is drawn.",)
    return _player_reason(ours), _banker_reason(theirs, player)


def _player_reason(two: Hand) -> str:
    value = value_of(two)
    if must_hit(two):
        return f"The player draws on {value}: on 0 to 5 it must."
    return f"The player stands on {value}: on 6 or 7 it must."


def _banker_reason(two: Hand, player: Hand) -> str:
    value, third = value_of(two), player.get(CAPACITY - 1)
    if third is None:
        verb, rule = ("draws", "0 to 5") if must_hit(two) else ("stands", "6 or 7")
        return f"The banker {verb} on {value}: when the player stands, it {verb} on {rule}."
    highest = HITS_UP_TO[value_of(third)]
    verb = "draws" if must_hit(third, two) else "stands"
    return (
        f"The banker {verb} on {value}: against a third card of {value_of(third)} "
        f"it draws on 0 to {highest}."
    )
