"""The rules of cribbage that the adviser knows: those of the shipped rule sets, with any points.

A rule set with another rule is scored and played like any other, but has no adviser, because the
tables of `show_points` and `play_policy` depend on what these rules look at.
"""

from __future__ import annotations

from ..machine import scoring
from ..machine.rules import RuleSet

RANK_RULES: tuple[type, ...] = (scoring.Fifteens, scoring.Runs, scoring.Pairs)
"""The rules of the show that depend on the ranks of the five cards."""
SUIT_AND_JACK_RULES: tuple[type, ...] = (scoring.Flush, scoring.NobsJack)
"""The rules of the show that depend on the suits, and on which cards are jacks."""
PLAY_RULES: tuple[type, ...] = (
    scoring.TotalReached,
    scoring.PlayRun,
    scoring.PlayPair,
    scoring.LastCard,
)
"""The rules of the play, which depend on the ranks of the cards."""


def unknown_rule(rules: RuleSet) -> object | None:
    """Return the first rule that the adviser does not know, or ``None``.

    A rule is known by its exact class, because a subclass may depend on anything.
    """
    known = (
        (rules.show, RANK_RULES + SUIT_AND_JACK_RULES),
        ((*rules.play, *rules.last), PLAY_RULES),
    )
    return next((rule for of, types in known for rule in of if type(rule) not in types), None)


def check_known(rules: RuleSet) -> None:
    """Raise ``ValueError`` for a rule set with a rule that the adviser does not know."""
    if (rule := unknown_rule(rules)) is not None:
        name = type(rule).__name__
        raise ValueError(f"the adviser does not know {name}, a rule of the {rules.title} rules")
