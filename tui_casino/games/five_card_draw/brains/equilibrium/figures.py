"""What is known of a solution, worked out anew from its policies."""

from __future__ import annotations

import numpy as np

from .blueprint import Figures, Pair
from .matches import value
from .model import Model
from .passes import Place, Policies, reach
from .response import measure
from .tree import DEALER, FIRST, SMALL_BET
from .true_deals import by_class, by_own_cards

LEARNED, DEALT = 3_000_000, 600_000
"""True deals to learn from, and to measure on."""
VALUED, VALUED_SEED = 10_000_000, 11
"""True deals to measure the first seat's value on."""


def figures(models: tuple[Model, Model], found: Pair) -> Figures:
    """Measure the policies of both models. Takes about four minutes, mostly for true deals."""
    model, policies = models[0], found[0]
    kernel, packs = (measure(*each) for each in zip(models, found, strict=True))
    bound = max(by_own_cards(model, policies, DEALT), by_class(model, policies, LEARNED, DEALT))
    fold, call, more = shares(model, policies, DEALER, "b")
    dealt = value(policies, VALUED, VALUED_SEED)
    return Figures(
        value=SMALL_BET * kernel.value,
        true_value=dealt.credits,
        true_value_error=dealt.error,
        exploitability_mb=kernel.exploitability,
        true_mb=bound.mb,
        true_error_mb=bound.error,
        opens=shares(model, policies, FIRST, "")[1],
        bets_after_check=shares(model, policies, DEALER, "k")[1],
        facing_bet=(fold, call, more),
        packs_value=SMALL_BET * packs.value,
        packs_exploitability_mb=packs.exploitability,
    )


def shares(model: Model, policies: Policies, seat: int, name: str) -> tuple[float, ...]:
    """Give how often a seat chooses each act of the first round where it comes to a decision."""
    own, other = (reach(model, one, policies[one]).opening[name] for one in (seat, 1 - seat))
    met = own * other.sum() if model.meet is None else own * (other @ model.meet)
    chosen = (policies[seat][Place("opening", name)] * met).sum(axis=1, dtype=np.float64)
    return tuple((chosen / chosen.sum()).tolist())
