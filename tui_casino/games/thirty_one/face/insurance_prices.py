"""Texts about the fair odds of insurance."""

from __future__ import annotations

from ..brains.odds import chance_of_31
from ..machine.rules import Rules


def fair_prices(rules: Rules) -> tuple[str, str]:
    """Return the fair odds of insurance, and the fair odds for a player who will stand on 14."""
    usual, on_14 = (chance_of_31(rules, on_14=stands) for stands in (False, True))
    fair, fair_14 = (f"{float((1 - chance) / chance):.1f}:1" for chance in (usual, on_14))
    return fair, fair_14


def fair_price(rules: Rules) -> str:
    """Return a text that compares the odds that insurance pays with the fair odds."""
    fair, fair_14 = fair_prices(rules)
    return f"Insurance pays {rules.insurance}; fair odds {fair}, or {fair_14} if you stand on 14"
