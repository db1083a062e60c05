"""The statistics of baccarat: outcomes of coups, and the money bet and won on each spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from ....engine.game import Seat
from ....engine.money import dollars
from ....gamekit.number_formats import share_text
from ..machine.rules import CENTS, NO_BETS, SPOTS, Bets, BetSpot, CoupOutcome, bets_of, coup_of
from ..machine.state import CoupOver, Event


class Tally(Struct, frozen=True):
    """The number of coups with each outcome, and the money on each spot.

    For each spot, ``bets`` is the number of bets, ``stakes`` the credits bet, and ``paid`` the
    cents returned, including the stakes of winning bets.
    """

    banker: int = 0
    player: int = 0
    tie: int = 0
    naturals: int = 0
    player_pairs: int = 0
    banker_pairs: int = 0
    bets: Bets = NO_BETS
    stakes: Bets = NO_BETS
    paid: Bets = NO_BETS

    @property
    def rounds(self) -> int:
        """The number of finished coups, with or without bets."""
        return self.banker + self.player + self.tie

    @property
    def wagered(self) -> int:
        """The sum of all bets, in cents."""
        return CENTS * sum(self.stakes)

    @property
    def won(self) -> int:
        """All money returned, in cents."""
        return sum(self.paid)

    def add(self, event: Event) -> Tally:
        """Return the tally with this event counted; only finished coups change it."""
        if not isinstance(event, CoupOver):
            return self
        coup = coup_of(event.player, event.banker)
        return self + Tally(
            banker=int(coup.outcome is CoupOutcome.BANKER),
            player=int(coup.outcome is CoupOutcome.PLAYER),
            tie=int(coup.outcome is CoupOutcome.TIE),
            naturals=int(coup.natural),
            player_pairs=int(coup.player_pair),
            banker_pairs=int(coup.banker_pair),
            bets=bets_of(int(credits > 0) for credits in event.bets),
            stakes=event.bets,
            paid=event.paid,
        )

    def __add__(self, other: Tally) -> Tally:
        def both(name: str) -> Bets:
            pairs = zip(getattr(self, name), getattr(other, name), strict=True)
            return bets_of(mine + its for mine, its in pairs)

        return Tally(
            self.banker + other.banker,
            self.player + other.player,
            self.tie + other.tie,
            self.naturals + other.naturals,
            self.player_pairs + other.player_pairs,
            self.banker_pairs + other.banker_pairs,
            both("bets"),
            both("stakes"),
            both("paid"),
        )

    def report(self) -> dict[str, Any]:
        """Return coups, outcomes, and for each spot the bets, and the cents bet and returned."""
        return {
            "rounds": self.rounds,
            "wagered": self.wagered,
            "won": self.won,
            "outcomes": {
                "banker": self.banker,
                "player": self.player,
                "tie": self.tie,
                "naturals": self.naturals,
                "player_pairs": self.player_pairs,
                "banker_pairs": self.banker_pairs,
            },
            "bets": {
                spot.name.lower(): {"bets": bets, "wagered": CENTS * staked, "won": returned}
                for spot, bets, staked, returned in self.by_spot()
            },
        }

    def endings(self) -> tuple[tuple[str, int], ...]:
        """Return the names and counts of outcomes, naturals and pairs; a coup may count twice."""
        return (
            ("Banker", self.banker),
            ("Player", self.player),
            ("Tie", self.tie),
            ("Natural", self.naturals),
            ("Player pair", self.player_pairs),
            ("Banker pair", self.banker_pairs),
        )

    def by_spot(self) -> Iterator[tuple[BetSpot, int, int, int]]:
        """Yield each spot with its number of bets, the credits bet, and the cents returned."""
        return zip(SPOTS, self.bets, self.stakes, self.paid, strict=True)


def begin(seat: Seat) -> Tally:
    """Return an empty tally for a seat."""
    return Tally()


def table(tally: Tally, credit: int, format_net: Callable[[int], str] = dollars) -> str:
    """Return a table of the outcomes, and of each spot's bets and results in credits."""
    lines = [f"{'Outcome':<14}{'coups':>8}{'share':>10}", _RULE]
    lines += [outcome_line(name, count, tally) for name, count in tally.endings()]
    lines += [_RULE, f"{'Bet':<12}{'bets':>5}{'staked':>9}{'returned':>13}{'net':>13}", _RULE]
    for spot, bets, staked, returned in tally.by_spot():
        net = returned - CENTS * staked
        lines.append(
            f"{spot.label:<12}{bets:>5,}{staked:>9,}{dollars(returned):>13}{format_net(net):>13}"
        )
    wagered, won = tally.wagered, tally.won
    lines += [
        _RULE,
        f"{'Total':<17}{wagered // CENTS:>9,}{dollars(won):>13}{format_net(won - wagered):>13}",
        f"{'Credit':<39}{dollars(credit):>13}",
    ]
    return "\n".join(lines)


def outcome_line(name: str, count: int, tally: Tally) -> str:
    """Return the line of an outcome, with its share of the coups."""
    return f"{name:<14}{count:>8,}{share_text(count, tally.rounds):>10}"


_RULE = "-" * 52
