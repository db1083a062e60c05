"""Cribbage's statistics: rounds, points by source, games and skunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from ....engine.game import Seat
from ....records.summaries import WrittenDecision
from ..brains.lazy import mistake_kinds
from ..brains.show_points import PLAYED
from ..machine.state import Event, GameOver, HandShown, RoundOver, RoundPart, Scored


class Tally(Struct, frozen=True):
    """Finished rounds and games of a seat, and its points.

    ``pegged`` counts the points from the play and from a jack turned up as starter. ``against``
    counts all points of the opponent. ``skunks`` counts the games won by a skunk or double skunk,
    and ``skunked`` the games lost that way. ``shown`` is the number of hands that the seat has
    counted, and ``own`` the number of its cribs.
    """

    seat: int
    rounds: int = 0
    pegged: int = 0
    hands: int = 0
    cribs: int = 0
    against: int = 0
    games: int = 0
    games_won: int = 0
    skunks: int = 0
    skunked: int = 0
    shown: int = 0
    own: int = 0

    @property
    def wagered(self) -> int:
        """Return 0: cribbage is played for points only."""
        return 0

    @property
    def won(self) -> int:
        """Return 0: cribbage is played for points only."""
        return 0

    def add(self, event: Event) -> Tally:
        match event:
            case HandShown(self.seat, _, _, crib):
                return self + Tally(self.seat, shown=int(not crib), own=int(crib))
            case Scored(self.seat, _, points, _, _, RoundPart.HAND):
                return self + Tally(self.seat, hands=points)
            case Scored(self.seat, _, points, _, _, RoundPart.CRIB):
                return self + Tally(self.seat, cribs=points)
            case Scored(self.seat, _, points, _, _, _):
                return self + Tally(self.seat, pegged=points)
            case Scored(_, _, points, _, _, _):
                return self + Tally(self.seat, against=points)
            case RoundOver():
                return self + Tally(self.seat, rounds=1)
            case GameOver(winner, _, worth):
                mine, skunk = winner == self.seat, worth > 1
                return self + Tally(
                    self.seat,
                    games=1,
                    games_won=int(mine),
                    skunks=int(mine and skunk),
                    skunked=int(skunk and not mine),
                )
        return self

    def __add__(self, other: Tally) -> Tally:
        _, *counts = Tally.__struct_fields__
        return Tally(self.seat, *(getattr(self, name) + getattr(other, name) for name in counts))

    def since(self, earlier: Tally) -> Tally:
        """Return the difference from an earlier tally of the same seat."""
        _, *counts = Tally.__struct_fields__
        return Tally(self.seat, *(getattr(self, name) - getattr(earlier, name) for name in counts))

    def report(self) -> dict[str, Any]:
        """Return rounds, games, points by source, and the averages per hand, crib and round."""
        return {
            "rounds": self.rounds,
            "points": {"pegged": self.pegged, "hands": self.hands, "cribs": self.cribs},
            "against": self.against,
            "average": {
                "hand": _average(self.hands, self.shown),
                "crib": _average(self.cribs, self.own),
                "pegged": _average(self.pegged, self.rounds),
            },
            "games": {
                "played": self.games,
                "won": self.games_won,
                "skunks": self.skunks,
                "skunked": self.skunked,
            },
        }


def _average(points: int, count: int) -> float | None:
    return round(points / count, 2) if count else None


def begin(seat: Seat) -> Tally:
    """Return the empty statistics of a seat."""
    return Tally(seat)


def table(tally: Tally) -> str:
    """Return a table of points with their averages per round, and of games."""
    rule = "-" * 40

    def points(name: str, count: int) -> str:
        average = f"{count / tally.rounds:.2f}" if tally.rounds else "-"
        return f"{name:<20}{count:>10,}{average:>10}"

    return "\n".join(
        (
            f"{'Rounds':<20}{tally.rounds:>10,}{'average':>10}",
            rule,
            points("Points pegged", tally.pegged),
            points("Points in hands", tally.hands),
            points("Points in cribs", tally.cribs),
            points("Points in total", tally.pegged + tally.hands + tally.cribs),
            points("Opponent's points", tally.against),
            rule,
            f"{'Games':<20}{tally.games:>10,}",
            f"{'Won':<20}{tally.games_won:>10,}",
            f"{'Won by a skunk':<20}{tally.skunks:>10,}",
            f"{'Lost by a skunk':<20}{tally.skunked:>10,}",
            *((rule, "The last score of a game counts in full.") * (tally.games > 0)),
        )
    )


def averages(tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield the average hand, crib and pegging of a round in points, with par."""
    parts = (
        ("hand", tally.hands, tally.shown, PLAYED["hand"]),
        ("crib", tally.cribs, tally.own, PLAYED["crib"]),
    )
    for name, points, count, par in parts:
        if count:
            yield f"average {name}", f"{points / count:.1f}, par {par:.1f}"
    if tally.rounds:
        yield "pegged per round", f"{tally.pegged / tally.rounds:.1f}"


def result_rows(
    tally: Tally, mistakes: Sequence[WrittenDecision], choices_weighed: bool
) -> Iterator[tuple[str, str]]:
    """Yield the rows of a finished session, with the points given away if choices were analysed."""
    yield from averages(tally)
    if tally.skunks or tally.skunked:
        yield "skunks", f"{tally.skunks} won, {tally.skunked} lost"
    if choices_weighed:
        cribs = mistake_kinds.OWN, mistake_kinds.OTHERS
        discard_cost = sum(one.cost for one in mistakes if one.spot in cribs)
        play_cost = sum(one.cost for one in mistakes if one.spot not in cribs)
        yield "given away in discards", f"{float(discard_cost):.2f} points"
        yield "given away in the play", f"{float(play_cost):.2f} points"
