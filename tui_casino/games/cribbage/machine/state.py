"""The options and the state of a round of cribbage."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ....cards.card import Card, Hand
from .rules import RULE_SETS, RuleSet, may_lay
from .scoring import total_of

SEATS = (0, 1)
FIRST_DEALER = 1
MOST_GAMES = 99


class GameForm(Enum):
    """The form of play: one round for points, or a game to the target."""

    ROUND = "round"
    GAME = "game"


class CountingMode(Enum):
    """How hands are counted at the show: by the table, by the players, or with muggins.

    With muggins the players count, and the opponent scores the points that a player has missed.
    """

    TABLE = "table"
    SELF = "self"
    MUGGINS = "muggins"


class Options(Struct, frozen=True):
    """The name of the rule set, the form of play, who counts, and whether cards are open.

    ``games`` is the number of rounds or games in the session. With ``open``, all cards are face up.
    Raises ``ValueError`` for invalid options.
    """

    rules: str = "acc"
    form: GameForm = GameForm.GAME
    games: int = 1
    counting: CountingMode = CountingMode.TABLE
    open: bool = False

    def __post_init__(self) -> None:
        if self.rules not in RULE_SETS:
            raise ValueError(f"unknown rules {self.rules!r}; choose from {', '.join(RULE_SETS)}")
        if not 1 <= self.games <= MOST_GAMES:
            raise ValueError(f"the number of games is 1 to {MOST_GAMES}, not {self.games}")

    @property
    def rule_set(self) -> RuleSet:
        """The scoring rules and the target."""
        return RULE_SETS[self.rules]


TRAINING = Options(rules="trainer", form=GameForm.ROUND, open=True)
"""The trainer: one round, all cards face up."""


class Phase(Enum):
    """The phase of the round."""

    SHUFFLE = "shuffle"
    DEAL = "deal"
    DISCARD = "discard"
    STARTER = "starter"
    PLAY = "play"
    SHOW = "show"
    REST = "rest"
    OVER = "over"
    SHORT = "short"


class Placed(Struct, frozen=True):
    """A card of the play, and the seat that played it."""

    seat: int
    card: Card


class State(Struct, frozen=True):
    """The state of a round; each pair has an entry per seat.

    ``hands`` hold six cards each, and later the four that were kept, ascending. ``laid`` holds all
    cards played; the present segment begins at ``begun``. ``go`` is true if go was said in it, and
    ``player`` plays next. ``waiting`` holds the seats that must discard, or confirm the next step.
    ``shown`` is the number of hands shown so far: the pone's, the dealer's, then the crib. ``back``
    holds the back pegs: the points before the last score. ``won`` holds the game points, and
    ``played`` is the number of games or rounds finished.
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
        """The seat that does not deal; it is dealt the first card, plays first and counts first."""
        return 1 - self.dealer

    @property
    def crib(self) -> Hand:
        """The discards of both players, ascending."""
        return tuple(sorted(self.discards[0] + self.discards[1]))

    @property
    def segment(self) -> Hand:
        """The cards of the present segment, in the order played."""
        return tuple(placed.card for placed in self.laid[self.begun :])

    @property
    def count(self) -> int:
        """The count of the present segment."""
        return total_of(self.segment)

    @property
    def on_show(self) -> tuple[int, Hand, bool]:
        """The owner of the hand shown last, the hand's cards, and whether the hand is the crib."""
        if self.shown == 1:
            return self.pone, self.hands[self.pone], False
        if self.shown == 2:
            return self.dealer, self.hands[self.dealer], False
        return self.dealer, self.crib, True

    def unplayed(self, seat: int) -> Hand:
        """Return the cards that a seat has not played yet."""
        played = {placed.card for placed in self.laid}
        return tuple(card for card in self.hands[seat] if card not in played)

    def playable(self, seat: int) -> Hand:
        """Return the cards that a seat may play now, ascending."""
        segment = self.segment
        return tuple(card for card in self.unplayed(seat) if may_lay(card, segment))


def pair_with(pair: tuple[Hand, Hand], seat: int, hand: Hand) -> tuple[Hand, Hand]:
    """Return the pair of hands with a new hand at a seat."""
    return (hand, pair[1]) if seat == 0 else (pair[0], hand)
