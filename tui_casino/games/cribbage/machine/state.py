"""The options and the state of a cribbage table, its actions and events, and what a seat sees."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from ....cards.card import BACK, Card, Hand
from ....engine.game import Seat
from ....engine.seating import NOBODY
from ....inputs.numbers import list_words
from ....structs import replace
from .rules import HANDS, RULE_SETS, RuleSet, may_lay
from .scoring import Score, total_of

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


COMPUTERS = ("random", "greedy", "expert")
"""The levels of computers at tables with others; the others need more memory."""


class TableOptions(Options, frozen=True):
    """The options of a table with others: the level of the ``computer`` for a free seat as well.

    Raises ``ValueError`` for an unknown level.
    """

    computer: str = NOBODY

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.computer not in (NOBODY, *COMPUTERS):
            levels = list_words(COMPUTERS, "and")
            raise ValueError(f"no level is called {self.computer}; the levels are {levels}")


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


class Discard(Struct, frozen=True):
    """Discard the two cards at these places of the hand (from 1, ascending) to the crib."""

    places: tuple[int, ...]


class Lay(Struct, frozen=True):
    """Play the card at this place (from 1) of the four kept cards."""

    place: int


class Go(Struct, frozen=True):
    """Say go: the seat has cards left, but may play none of them."""


class Count(Struct, frozen=True):
    """Claim the points of the hand that is shown."""

    points: int


class Next(Struct, frozen=True):
    """Continue with the next hand of the show, or with the next deal."""


Action: TypeAlias = Discard | Lay | Go | Count | Next
actions: tuple[type[Action], ...] = (Discard, Lay, Go, Count, Next)


class RoundPart(Enum):
    """The part of the round in which points are scored."""

    STARTER = "starter"
    PLAY = "play"
    HAND = "hand"
    CRIB = "crib"


class RoundBegun(Struct, frozen=True):
    """A round begins: the pack is ready, and this seat deals."""

    dealer: int


class CardDealt(Struct, frozen=True):
    """A card was dealt to a seat."""

    seat: int
    card: Card


class HandDealt(Struct, frozen=True):
    """A seat has its six cards, ascending."""

    seat: int
    hand: Hand


class Discarded(Struct, frozen=True):
    """A seat has discarded two cards to the crib and kept four; both tuples are ascending."""

    seat: int
    cards: Hand
    kept: Hand


class StarterTurned(Struct, frozen=True):
    """The starter was turned up."""

    card: Card


class Laid(Struct, frozen=True):
    """A seat has played a card, which brings the segment to this count."""

    seat: int
    count: int
    card: Card


class GoSaid(Struct, frozen=True):
    """A seat has said go."""

    seat: int


class HandShown(Struct, frozen=True):
    """A hand of four cards, ascending, is shown on the table, to be counted with the starter."""

    seat: int
    starter: Card
    hand: Hand
    crib: bool


class HandCounted(Struct, frozen=True):
    """The hand that was shown has been counted: its scores, and the points that its owner claimed.

    ``said`` is ``None`` if the table counts.
    """

    seat: int
    scores: tuple[Score, ...]
    said: int | None


class Scored(Struct, frozen=True):
    """A seat has scored these points, which bring its score to this total."""

    seat: int
    total: int
    points: int
    kind: str
    cards: Hand
    part: RoundPart


class RoundOver(Struct, frozen=True):
    """The round is over, with these points for each seat."""

    points: tuple[int, int]


class GameOver(Struct, frozen=True):
    """A seat has won the game; ``worth`` is 1, or 2 with a skunk, or 3 with a double skunk."""

    winner: int
    points: tuple[int, int]
    worth: int


Event: TypeAlias = (
    RoundBegun
    | CardDealt
    | HandDealt
    | Discarded
    | StarterTurned
    | Laid
    | GoSaid
    | HandShown
    | HandCounted
    | Scored
    | RoundOver
    | GameOver
)
events: tuple[type[Event], ...] = (
    RoundBegun,
    CardDealt,
    HandDealt,
    Discarded,
    StarterTurned,
    Laid,
    GoSaid,
    HandShown,
    HandCounted,
    Scored,
    RoundOver,
    GameOver,
)


def view(state: State, seat: Seat | None) -> State:
    """Hide the other player's cards until they are played or shown, unless all are open.

    The other player's hand becomes the cards played, in the order of play, followed by backs: the
    place of a card in the sorted hand would reveal something about its neighbours.
    """
    if state.options.open:
        return state
    hands, discards = state.hands, state.discards
    for other in SEATS:
        if other == seat:
            continue
        if state.shown < (1 if other == state.pone else 2):
            played = tuple(placed.card for placed in state.laid if placed.seat == other)
            hands = pair_with(hands, other, played + _backs(len(hands[other]) - len(played)))
        if state.shown < HANDS:
            discards = pair_with(discards, other, _backs(len(discards[other])))
    return replace(state, hands=hands, discards=discards)


def _backs(count: int) -> Hand:
    return (BACK,) * count


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    """Hide the cards that the other player is dealt or discards."""
    if state.options.open:
        return event
    match event:
        case CardDealt(other, _) if other != seat:
            return CardDealt(other, BACK)
        case HandDealt(other, hand) if other != seat:
            return HandDealt(other, _backs(len(hand)))
        case Discarded(other, cards, kept_cards) if other != seat:
            return Discarded(other, _backs(len(cards)), _backs(len(kept_cards)))
    return event
