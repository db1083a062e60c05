"""The options and the state of a round of cribbage."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ....cards.card import Card, Hand
from .rules import RULE_SETS, RuleSet, may_lay
from .scoring import total_of

SEATS = (0, 1)
FIRST_DEALER = 1
MOST_GAMES = 99


class GameForm(Enum):
    """What is played: one round for its points, or a game to the target."""

    ROUND = "round"
    GAME = "game"


class CountingMode(Enum):
    """Who counts at the show: the table, the players, or the players with muggins.

    With muggins the other scores what a player has missed.
    """

    TABLE = "table"
    SELF = "self"
    MUGGINS = "muggins"


@dataclass(frozen=True, slots=True)
class Options:
    """The rule set by its name, what is played and how often, who counts, and what is seen.

    ``games``: so many rounds or games, then it is over. ``open``: all cards lie face up.
    Raises ``ValueError`` for what nobody plays.
    """

    rules: str = "acc"
    form: GameForm = GameForm.GAME
    games: int = 1
    counting: CountingMode = CountingMode.TABLE
    open: bool = False

    def __post_init__(self) -> None:
        if self.rules not in RULE_SETS:
            raise ValueError(f"there are no rules {self.rules!r}; there are {', '.join(RULE_SETS)}")
        if not 1 <= self.games <= MOST_GAMES:
            raise ValueError(f"1 to {MOST_GAMES} games are played, not {self.games}")

    @property
    def rule_set(self) -> RuleSet:
        """What scores, and how much wins."""
        return RULE_SETS[self.rules]


TRAINING = Options(rules="trainer", form=GameForm.ROUND, open=True)
"""The trainer: one round, all cards face up."""


class Phase(Enum):
    """How far the round is."""

    SHUFFLE = "shuffle"
    DEAL = "deal"
    DISCARD = "discard"
    STARTER = "starter"
    PLAY = "play"
    SHOW = "show"
    REST = "rest"
    OVER = "over"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class Placed:
    """A card of the play, and who laid it."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class State:
    """A round at one moment; pairs are by seat.

    ``hands`` hold six cards, then the four that were kept, ascending. ``laid`` are all cards of
    the play, the present segment beginning at ``begun``; ``go`` tells that it was said in it, and
    ``player`` lays next. ``waiting`` are the seats to discard, or to be ready for what comes
    next. So many hands have been ``shown``: pone's, the dealer's, the crib. ``back`` are the back
    pegs: the points before the last score. ``won`` is what the games won
    count by the rules, and ``played`` how many games or rounds were.
    """

    options: Options
    phase: Phase = Phase.SHUFFLE
    dealer: int = FIRST_DEALER
    played: int = 0
    won: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)
    back: tuple[int, int] = (0, 0)
    hands: tuple[Hand, Hand] = ((), ())
    discards: tuple[Hand, Hand] = ((), ())
    starter: Card | None = None
    laid: tuple[Placed, ...] = ()
    begun: int = 0
    player: int = 0
    go: bool = False
    waiting: tuple[int, ...] = ()
    shown: int = 0
    winner: int | None = None

    @property
    def pone(self) -> int:
        """The seat that does not deal: it is dealt to first, lays first and counts first."""
        return 1 - self.dealer

    @property
    def crib(self) -> Hand:
        """What was discarded, ascending."""
        return tuple(sorted(self.discards[0] + self.discards[1]))

    @property
    def segment(self) -> Hand:
        """The cards of the present segment, in the order laid."""
        return tuple(placed.card for placed in self.laid[self.begun :])

    @property
    def count(self) -> int:
        """What the present segment counts."""
        return total_of(self.segment)

    @property
    def on_show(self) -> tuple[int, Hand, bool]:
        """Whose hand was shown last, its cards, and whether it is the crib."""
        if self.shown == 1:
            return self.pone, self.hands[self.pone], False
        if self.shown == 2:
            return self.dealer, self.hands[self.dealer], False
        return self.dealer, self.crib, True

    def unplayed(self, seat: int) -> Hand:
        """Give the cards that a seat has not laid yet."""
        played = {placed.card for placed in self.laid}
        return tuple(card for card in self.hands[seat] if card not in played)

    def playable(self, seat: int) -> Hand:
        """Give the cards that a seat may lay now, ascending."""
        segment = self.segment
        return tuple(card for card in self.unplayed(seat) if may_lay(card, segment))


def pair_with(pair: tuple[Hand, Hand], seat: int, hand: Hand) -> tuple[Hand, Hand]:
    """Give the pair of hands with another one at a seat."""
    return (hand, pair[1]) if seat == 0 else (pair[0], hand)
