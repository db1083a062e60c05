"""The limit table for two as solved, as text and as JSON."""

from __future__ import annotations

from ....records.codec import ascii_json
from ..brains.equilibrium.blueprint import Figures, read_head

_CREDITS, _MB, _SHARE = 4, 2, 4
"""Decimals that are told."""


def as_json() -> str:
    """Give one JSON object: values in credits a hand, shares of 1, the rest in mb."""
    known = read_head().figures
    fold, call, more = (round(share, _SHARE) for share in known.facing_bet)
    return ascii_json(
        {
            "value": round(known.value, _CREDITS),
            "model": "kernel",
            "exploitability_mb": round(known.exploitability_mb, _MB),
            "true_mb_at_least": round(known.true_mb, _MB),
            "true_mb_error": round(known.true_error_mb, _MB),
            "opens": round(known.opens, _SHARE),
            "after_check": {"bets": round(known.bets_after_check, _SHARE)},
            "facing_bet": {"fold": fold, "call": call, "raise": more},
            "two_decks": {
                "value": round(known.packs_value, _CREDITS),
                "exploitability_mb": round(known.packs_exploitability_mb, _MB),
            },
        }
    )


def as_text() -> str:
    """Give a page: what the seats are worth, how they open, and how much can be won of them."""
    head = read_head()
    known = head.figures
    return "\n".join(
        [
            "Five-card draw, fixed limit for two: near equilibrium",
            "",
            f"The first seat {_won(known.value)} credits a hand.",
            "",
            *_table(known),
            "",
            "What a best response wins of it, in mb a hand (100 mb are a credit):",
            f"  in its model of card removal   {known.exploitability_mb:.{_MB}f}",
            f"  on true deals at least         {known.true_mb:.{_MB}f}"
            f"  (standard error {known.true_error_mb:.{_MB}f})",
            "",
            "With two packs, so that no card is missing from the other's hand:",
            f"  the first seat {_won(known.packs_value)} credits,"
            f" a best response wins {known.packs_exploitability_mb:.{_MB}f} mb",
        ]
    )


def _won(value: float) -> str:
    return f"{'wins' if value > 0 else 'loses'} {abs(value):.{_CREDITS}f}"


def _table(known: Figures) -> list[str]:
    fold, call, more = known.facing_bet
    rows = (
        ("The first seat opens", known.opens),
        ("The dealer bets after a check", known.bets_after_check),
        ("The dealer folds to a bet", fold),
        ("The dealer calls it", call),
        ("The dealer raises it", more),
    )
    return [f"{words:<32}{share:>7.2%}" for words, share in rows]
