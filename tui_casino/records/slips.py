"""Mistakes of a recorded sitting, as they are kept: what was done, what was best, what it cost.

The cost is what the game's judge says, asked at that moment as everywhere else. What stands here
is words and figures alone, so that a list of all mistakes needs no game and no log.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from ..engine.game import A, E, O, S, Seat
from ..engine.offers import is_choice
from ..gamekit.adviser import Kind, Mistake
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from ..inputs.plain import plain

KEPT = 5
"""So many of the alternatives are kept, the best ones, and what was done."""
UNNAMED = Kind("a choice", "not the best")
"""The kind of all mistakes of a game that names none."""


@dataclass(frozen=True, slots=True)
class Valued:
    """An alternative in words that name cards, its worth in the game's units, and its error."""

    words: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake: at which step, in which round (from 1), when (milliseconds since 1970).

    ``cost`` is a fraction of the game's units, as text; ``spot`` and ``slip`` are its kind.
    """

    step: int
    round: int
    at: int
    spot: str
    slip: str
    cost: str
    choice: str
    best: str
    values: tuple[Valued, ...]

    @property
    def units(self) -> Fraction:
        """What it costs on average, in the game's units."""
        above, _, below = self.cost.partition("/")  # a text is read by an expression, slowly
        return Fraction(int(above), int(below or 1))


@dataclass(slots=True)
class Choices:
    """The choices of a log as its game's judge found them.

    ``slips`` are the mistakes among them; ``spots`` count all choices by where they were made, as
    :class:`Kind` names that. Where there was but one thing to do nothing was chosen. ``bet`` is the
    most that was at stake at once, in the game's units, also in rounds that were void.
    """

    slips: list[Slip] = field(default_factory=list)
    spots: dict[str, int] = field(default_factory=dict)
    bet: int = 0

    def add(self, spot: str, slip: Slip | None) -> None:
        """Take in another choice."""
        self.spots[spot] = self.spots.get(spot, 0) + 1
        if slip is not None:
            self.slips.append(slip)


def spot_of(parts: Parts[O, S, A, E, T], seat: Seat, seen: S, action: A) -> str | None:
    """Tell where a good choice was made; ``None`` where there was nothing to choose."""
    if not is_choice(parts.game.offers(seen, seat)):
        return None
    if parts.adviser.kind is None:
        return UNNAMED.spot if parts.chooses(action) else None
    try:
        return parts.adviser.kind(seen, seat, action, action).spot
    except (TypeError, ValueError):  # what nobody weighs, such as a bet before the deal
        return None


def cost_of(slips: Iterable[Slip]) -> Fraction:
    """Sum up what mistakes cost, in the game's units."""
    return sum((slip.units for slip in slips), Fraction(0))


def slip_of(
    parts: Parts[O, S, A, E, T],
    seat: Seat,
    seen: S,
    action: A,
    mistake: Mistake[A],
    *,
    step: int,
    round: int,
    at: int,
) -> Slip:
    """Put a mistake into words, from what the seat saw before it."""
    adviser, better = parts.adviser, mistake.better
    kind = UNNAMED if adviser.kind is None else adviser.kind(seen, seat, action, better)
    worths = adviser.alternatives(seen, seat, action)
    listed = [one for n, one in enumerate(worths) if n < KEPT or one.action == action]

    def said(one: A) -> str:
        return plain(parts.spoken(seen, seat, one))

    return Slip(
        step,
        round,
        at,
        kind.spot,
        kind.slip,
        str(mistake.cost),
        said(action),
        said(better),
        tuple(Valued(said(one.action), float(one.value), one.error) for one in listed),
    )
