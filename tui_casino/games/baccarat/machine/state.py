"""The options and the state of a baccarat table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ....cards.card import Card, whole_packs
from ....engine.game import Seat
from .rules import CENTS, COUP_CARDS, DECKS, KNOWN_SHOE, NO_BETS, NO_CARDS, SPOTS, Bets, Coup, Hand

PLAYER = Seat(0)

SMALLEST_BET = CENTS * min(spot.min_bet for spot in SPOTS)


@dataclass(frozen=True, slots=True)
class Options:
    """The credit in cents, the shoe, and how the Banker bet is paid.

    ``decks`` 0 is the course's known shoe, which is neither burnt nor cut. ``cut_card`` is how
    many cards lie behind it; with 0 there is none. Raises ``ValueError`` for what no table has.
    """

    credit: int = 1000 * CENTS
    decks: int = DECKS[0]
    commission: bool = True
    burn: bool = True
    cut_card: int = 14

    def __post_init__(self) -> None:
        if self.credit < 0:
            raise ValueError(f"a credit is not negative, like {self.credit}")
        if self.decks not in (0, *DECKS):
            known = ", ".join(map(str, DECKS))
            raise ValueError(f"a shoe has {known} decks, or 0 for the known shoe, not {self.decks}")
        if self.cut_card != 0 and not 2 * COUP_CARDS <= self.cut_card <= 26:
            raise ValueError(f"a cut card lies 12 to 26 cards from the end, not {self.cut_card}")

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of a shoe."""
        return whole_packs(self.decks) if self.decks else KNOWN_SHOE


class Phase(Enum):
    """What happens at the table."""

    SHUFFLE = "shuffle"
    BURN = "burn"
    BET = "bet"
    COUP = "coup"


@dataclass(frozen=True, slots=True)
class State:
    """The table at one moment; a finished coup's hands stay until the next.

    ``credit`` is in cents and still has the ``bets`` (credits) that lie open; those of a coup in
    play have left it. ``unseen`` counts by rank the cards of the shoe that have not been shown,
    burnt ones among them; of these the ``burn_card`` was shown, and ``burning`` are still to burn.
    ``coups_left`` counts down once the cut card is out.
    """

    options: Options
    credit: int
    phase: Phase = Phase.SHUFFLE
    stock: int = 0
    unseen: tuple[int, ...] = ()
    burn_card: Card | None = None
    burning: int = 0
    coups_left: int | None = None
    bets: Bets = NO_BETS
    last: Bets = NO_BETS
    player: Hand = NO_CARDS
    banker: Hand = NO_CARDS
    coups: tuple[Coup, ...] = ()

    @property
    def free(self) -> int:
        """What can be bet besides the chips that lie open, in cents."""
        return self.credit - (CENTS * sum(self.bets) if self.phase is not Phase.COUP else 0)

    @property
    def finished(self) -> bool:
        """Whether the shoe has no further coup."""
        return self.coups_left == 0 or not contains_at_least(self, COUP_CARDS)


def contains_at_least(state: State, cards: int) -> bool:
    """Tell whether so many cards are in the shoe."""
    return state.stock >= cards
