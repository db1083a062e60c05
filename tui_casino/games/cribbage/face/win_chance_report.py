"""The chance to win at each score, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ....records.codec import encode
from ..brains.win_chances import TARGET, WinChances, shipped_win_chances

Score: TypeAlias = tuple[int, int, bool]
"""Your points, your opponent's points, and whether you deal next."""

STEP = 10
"""The distance between listed scores: 0, 10, 20, and so on."""
_SCORES = range(0, TARGET, STEP)


def chances_as_json(score: Score | None = None) -> str:
    """Return the chances as one JSON object; ``dealer 10-0``: the dealer has 10, the pone 0."""
    every = (
        [score] if score else [(a, b, d) for d in (True, False) for a in _SCORES for b in _SCORES]
    )
    figures = shipped_win_chances()
    return encode({_name(*one): round(figures.chance(*one), 5) for one in every}).decode()


def _name(score: int, other: int, dealer: bool) -> str:
    return f"{'dealer' if dealer else 'pone'} {score}-{other}"


def one_chance_as_text(score: Score) -> str:
    """Return the chance to win at one score as a line of text."""
    figures = shipped_win_chances()
    return f"{_name(*score)}: {figures.chance(*score):.2%} ± {figures.error:.2%}"


def chances_as_text() -> str:
    """Return a table of the dealer's chances by both scores."""
    return "\n".join(_page(shipped_win_chances()))


def _page(figures: WinChances) -> Iterator[str]:
    yield "Cribbage, acc rules: the dealer's chance to win, in %"
    yield ""
    yield "Dealer has" + "".join(f"{score:>6}" for score in _SCORES) + "   pone (non-dealer) has"
    for dealer in _SCORES:
        shares = (figures.chance(dealer, pone, True) for pone in _SCORES)
        yield f"{dealer:>10}" + "".join(f"{100 * share:>6.1f}" for share in shares)
    yield ""
    yield f"From {figures.deals:,} deals, each with all forty starters. The standard errors are"
    yield f"at most {figures.error:.2%}."
