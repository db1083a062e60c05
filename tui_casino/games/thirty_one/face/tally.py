"""The statistics of Hit Me: wins, ends of hands, results on 14, and the longest runs."""

from __future__ import annotations

from operator import add
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import astuple

from ....engine.game import Seat
from ....engine.money import dollars
from ....gamekit.number_formats import share_text
from ..machine.rules import DEALER_WINS_ON, STANDS_AT, total_of
from ..machine.state import Event, RoundOver, Settled


class RunLengths(Struct, frozen=True):
    """The longest run in some rounds, and the runs at both ends, which may be extended."""

    rounds: int = 0
    first: int = 0
    last: int = 0
    longest: int = 0

    def __add__(self, other: RunLengths) -> RunLengths:
        return RunLengths(
            self.rounds + other.rounds,
            self.first + other.first if self.first == self.rounds else self.first,
            self.last + other.last if other.last == other.rounds else other.last,
            max(self.longest, other.longest, self.last + other.first),
        )


class Tally(Struct, frozen=True):
    """The statistics of finished rounds: both sides' hands, and the money in cents.

    ``wins``, ``pushes``, ``losses``, ``player_27``, ``player_14`` (stood on), ``player_14_won``,
    ``dealer_14_won`` (lost to the dealer's 14) and ``player_bust`` count the player's hands; a
    split round has several. ``dealer_hands`` counts the hands that the dealer played. A run is a
    sequence of rounds that all won money, or all lost money, on the player's hands together.
    Insurance does not count for runs.
    """

    rounds: int = 0
    wins: int = 0
    pushes: int = 0
    losses: int = 0
    player_27: int = 0
    dealer_27: int = 0
    dealer_hands: int = 0
    player_14: int = 0
    player_14_won: int = 0
    dealer_14_won: int = 0
    player_bust: int = 0
    wagered: int = 0
    won: int = 0
    winning: RunLengths = field(default_factory=RunLengths)
    losing: RunLengths = field(default_factory=RunLengths)

    @property
    def hands(self) -> int:
        return self.wins + self.pushes + self.losses

    @property
    def hands_27_share(self) -> float:
        """The share of 27s in all hands that player and dealer played."""
        return _share(self.player_27 + self.dealer_27, self.hands + self.dealer_hands)

    def add(self, event: Event) -> Tally:
        if not isinstance(event, RoundOver):
            return self
        net = sum(hand.back - hand.bet for hand in event.hands)
        played = len(event.dealer) > 1
        round_tally = Tally(
            rounds=1,
            dealer_27=int(total_of(event.dealer).points == STANDS_AT),
            dealer_hands=int(played),
            wagered=event.wagered,
            won=event.won,
            winning=_run(net > 0),
            losing=_run(net < 0),
        )
        for hand in event.hands:
            round_tally += _hand_tally(hand)
        return self + round_tally

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(add, astuple(self), astuple(other)))

    def report(self) -> dict[str, Any]:
        """Return the named figures: counts, shares from 0 to 1, and money in cents."""
        return {
            "rounds": self.rounds,
            "hands": self.hands,
            "wins": self.wins,
            "pushes": self.pushes,
            "losses": self.losses,
            "player_27": self.player_27,
            "dealer_27": self.dealer_27,
            "dealer_hands": self.dealer_hands,
            "hands_27_share": self.hands_27_share,
            "player_14": self.player_14,
            "player_14_won": self.player_14_won,
            "player_14_win_share": _share(self.player_14_won, self.player_14),
            "wins_on_14_share": _share(self.player_14_won, self.wins),
            "dealer_14_won": self.dealer_14_won,
            "player_bust": self.player_bust,
            "wagered": self.wagered,
            "won": self.won,
            "net": self.won - self.wagered,
            "return": _share(self.won, self.wagered),
            "longest_winning_run": self.winning.longest,
            "longest_losing_run": self.losing.longest,
        }


def _run(held: bool) -> RunLengths:
    return RunLengths(1, *[int(held)] * 3)


def _hand_tally(hand: Settled) -> Tally:
    total = total_of(hand.cards)
    won = hand.back > hand.bet
    return Tally(
        wins=int(won),
        pushes=int(hand.back == hand.bet),
        losses=int(hand.back < hand.bet),
        player_27=int(total.points == STANDS_AT),
        player_14=int(hand.on_14),
        player_14_won=int(hand.on_14 and won),
        dealer_14_won=int(hand.against == DEALER_WINS_ON and not hand.on_14 and not total.bust),
        player_bust=int(total.bust),
    )


def _share(part: int, total: int) -> float:
    return part / total if total else 0.0


def begin(seat: Seat) -> Tally:
    """Return an empty tally."""
    return Tally()


class ShareRow(NamedTuple):
    """A count with its name, and the number of hands that its share refers to."""

    name: str
    hands: int
    of: int

    @property
    def share(self) -> str:
        return share_text(self.hands, self.of)


def ending_rows(tally: Tally) -> tuple[ShareRow, ...]:
    """Return how the player's hands ended; a hand may count twice."""
    return (
        ShareRow("You won", tally.wins, tally.hands),
        ShareRow("Push", tally.pushes, tally.hands),
        ShareRow("The dealer won", tally.losses, tally.hands),
        ShareRow("- you went bust", tally.player_bust, tally.hands),
        ShareRow("- lost to dealer 14", tally.dealer_14_won, tally.hands),
    )


def special_rows(tally: Tally) -> tuple[ShareRow, ...]:
    """Return the counts of hands of 14 and 27."""
    all_27 = tally.player_27 + tally.dealer_27
    return (
        ShareRow("You stood on 14", tally.player_14, tally.hands),
        ShareRow("Wins among the 14s", tally.player_14_won, tally.player_14),
        ShareRow("14s among the wins", tally.player_14_won, tally.wins),
        ShareRow("27 (both sides)", all_27, tally.hands + tally.dealer_hands),
    )


def money_rows(tally: Tally) -> tuple[tuple[str, str], ...]:
    """Return the money bet and paid back, and the net result, in dollars."""
    net = tally.won - tally.wagered
    amounts = (("Bet", tally.wagered), ("Paid back", tally.won), ("Net", net))
    return tuple((name, dollars(cents)) for name, cents in amounts)


def table(tally: Tally, credit: int) -> str:
    """Format the counts and their shares, the money in dollars, and the longest runs."""
    counts = (*ending_rows(tally), *special_rows(tally))
    return "\n".join(
        [
            f"{'Rounds':<18}{tally.rounds:>8,}",
            f"{'Hands':<18}{tally.hands:>8,}{'share':>12}",
            _RULE,
            *(f"{row.name:<18}{row.hands:>8,}{row.share:>12}" for row in counts),
            _RULE,
            f"{'Longest winning run':<26}{tally.winning.longest:>12,}",
            f"{'Longest losing run':<26}{tally.losing.longest:>12,}",
            _RULE,
            *(f"{f'{name}, dollars':<20}{amount:>18}" for name, amount in money_rows(tally)),
            f"{'Return':<20}{share_text(tally.won, tally.wagered):>18}",
            f"{'Credit, dollars':<20}{dollars(credit):>18}",
        ]
    )


_RULE = "-" * 38
