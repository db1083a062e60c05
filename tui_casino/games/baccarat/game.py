"""Punto banco at a casino's table: chips on the spots, a coup by fixed rules, a shoe that ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from ...cards import BACK, RANKS, Card, packs
from ...core import (
    Ask,
    Chance,
    Deal,
    Money,
    NeedCard,
    NeedShoe,
    Offer,
    OneOf,
    Over,
    Seat,
    Shoe,
    Step,
    Turn,
    Whole,
)
from .rules import (
    CENTS,
    COUP_CARDS,
    DECKS,
    KNOWN_SHOE,
    NO_BETS,
    NO_CARDS,
    SPOTS,
    Bets,
    Coup,
    Hand,
    Outcome,
    Side,
    Spot,
    bets_of,
    burns,
    coup_of,
    next_to_receive,
    paid,
)

slug = "baccarat"
unit = 1  # cents, for the commission
PLAYER = Seat(0)

SMALLEST_BET = CENTS * min(spot.least for spot in SPOTS)


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
        return packs(self.decks) if self.decks else KNOWN_SHOE


@dataclass(frozen=True, slots=True)
class Bet:
    """Put so many credits on a spot, on top of what lies there."""

    credits: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class Clear:
    """Take back all bets."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Put down the bets of the last coup that had any, in place of what lies there."""


@dataclass(frozen=True, slots=True)
class Play:
    """Have a coup dealt, with or without bets; where a shoe is finished, have the next one made."""


Action: TypeAlias = Bet | Clear | Repeat | Play
actions: tuple[type[Action], ...] = (Bet, Clear, Repeat, Play)


@dataclass(frozen=True, slots=True)
class ShoeBegun:
    """A shoe lies ready."""

    cards: int


@dataclass(frozen=True, slots=True)
class BurnCard:
    """The first card of a shoe, face up; so many more are burnt after it."""

    card: Card
    burns: int


@dataclass(frozen=True, slots=True)
class Burnt:
    """A card that nobody sees left the shoe."""

    card: Card


@dataclass(frozen=True, slots=True)
class BetsLaid:
    """What lies on the spots now, in credits."""

    bets: Bets


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cut card came out: this coup and one more finish the shoe."""


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card came to the player or the banker."""

    side: Side
    card: Card


@dataclass(frozen=True, slots=True)
class InitialDeal:
    """Both have two cards."""

    player: Hand
    banker: Hand


@dataclass(frozen=True, slots=True)
class AfterDraw:
    """Neither had a natural; third cards have been drawn or refused."""

    player: Hand
    banker: Hand


@dataclass(frozen=True, slots=True)
class CoupOver:
    """A coup is over: the hands, what lay on the spots in credits, and in cents what each brought.

    ``paid`` counts bets that come back; ``credit`` is what there is now, in cents.
    """

    player: Hand
    banker: Hand
    outcome: Outcome
    bets: Bets
    paid: Bets
    credit: int


@dataclass(frozen=True, slots=True)
class ShoeFinished:
    """No further coup is played from this shoe."""

    coups: int


Event: TypeAlias = (
    ShoeBegun
    | BurnCard
    | Burnt
    | BetsLaid
    | CutCard
    | CardDealt
    | InitialDeal
    | AfterDraw
    | CoupOver
    | ShoeFinished
)
events: tuple[type[Event], ...] = (
    ShoeBegun,
    BurnCard,
    Burnt,
    BetsLaid,
    CutCard,
    CardDealt,
    InitialDeal,
    AfterDraw,
    CoupOver,
    ShoeFinished,
)


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


def sit(options: Options, purse: int) -> Options:
    """Bring the whole purse."""
    return replace(options, credit=purse)


def seats(options: Options) -> int:
    """One player bets; player and banker are hands, not people."""
    return 1


def start(options: Options) -> State:
    """Begin with the options' credit and no shoe yet."""
    return State(options, options.credit)


def turn(state: State) -> Turn:
    """Make a shoe and burn, then let the player bet and ask for coups."""
    if state.phase in (Phase.BURN, Phase.COUP):
        return NeedCard()
    if state.credit < SMALLEST_BET:
        return Over("out of credit")
    if state.phase is Phase.SHUFFLE:
        return NeedShoe(state.options.pack)
    if state.finished and not state.options.decks:
        return Over("the known shoe is finished")
    if state.finished and not state.coups:
        return Over("not enough cards in the shoe")
    return Ask(PLAYER)


def offers(state: State) -> tuple[Offer[Action], ...]:
    """Deal, bet on each spot within its limits and the credit, repeat, clear."""
    if not isinstance(turn(state), Ask):
        return ()
    over = "the shoe is finished; d begins the next" if state.finished else None
    lays = any(state.bets)
    repeats = over
    if not over and not any(state.last):
        repeats = "there are no bets to repeat"
    elif not over and CENTS * sum(state.last) > state.credit:
        repeats = "beyond your credit"
    return (
        Offer(Play),
        *(offer for spot in SPOTS for offer in _bet_offers(state, spot, over)),
        Offer(Repeat, barred=repeats),
        Offer(Clear, barred=None if lays else "there are no bets to clear"),
    )


def _bet_offers(state: State, spot: Spot, over: str | None) -> list[Offer[Action]]:
    lies = state.bets[SPOTS.index(spot)]
    low, high = 1 if lies else spot.least, spot.most - lies
    can = state.free // CENTS
    where = OneOf((spot,))
    if low > high:
        full = f"{spot.most} is the most on {spot.words}"
        return [Offer(Bet, (Whole(1, spot.most), where), barred=over or full)]
    if over or can < low:
        return [Offer(Bet, (Whole(low, high), where), barred=over or "beyond your credit")]
    fine: Offer[Action] = Offer(Bet, (Whole(low, min(high, can)), where))
    if can >= high:
        return [fine]
    return [fine, Offer(Bet, (Whole(can + 1, high), where), barred="beyond your credit")]


def step(state: State, action: Action | Chance) -> Step[State, Event]:
    """Do what was offered, or take what the croupier gave."""
    match action:
        case Shoe(stock):
            return _shoe(state, stock)
        case Deal(card) if state.phase is Phase.BURN:
            return _burn(state, card)
        case Deal(card):
            return _deal(state, card)
        case Bet(credits, spot):
            place = SPOTS.index(spot)
            more = (lies + credits * (here == place) for here, lies in enumerate(state.bets))
            return _lay(state, bets_of(more))
        case Clear():
            return _lay(state, NO_BETS)
        case Repeat():
            return _lay(state, state.last)
        case Play() if state.finished:
            return Step(replace(state, phase=Phase.SHUFFLE, player=NO_CARDS, banker=NO_CARDS))
        case Play():
            staked = replace(
                state,
                phase=Phase.COUP,
                credit=state.free,
                last=state.bets if any(state.bets) else state.last,
                player=NO_CARDS,
                banker=NO_CARDS,
            )
            return Step(staked)


def _lay(state: State, bets: Bets) -> Step[State, Event]:
    return Step(replace(state, bets=bets), (BetsLaid(bets),))


def _shoe(state: State, stock: int) -> Step[State, Event]:
    counts = Counter(card.rank for card in state.options.pack)
    burn = state.options.burn and state.options.decks > 0 and stock > 0
    state = replace(
        state,
        stock=stock,
        phase=Phase.BURN if burn else Phase.BET,
        unseen=tuple(counts[rank] for rank in RANKS),
        burn_card=None,
        coups_left=None,
        coups=(),
    )
    return Step(state, (ShoeBegun(stock),))


def _shown(state: State, card: Card) -> State:
    """Take a card from the shoe face up."""
    unseen = tuple(
        count - (rank is card.rank) for rank, count in zip(RANKS, state.unseen, strict=True)
    )
    return replace(state, stock=state.stock - 1, unseen=unseen)


def _burn(state: State, card: Card) -> Step[State, Event]:
    event: Event
    if state.burn_card is None:
        state = replace(_shown(state, card), burn_card=card)
        more = min(burns(card), state.stock)
        event = BurnCard(card, more)
    else:
        state = replace(state, stock=state.stock - 1)
        more = state.burning - 1
        event = Burnt(card)
    phase = Phase.BURN if more else Phase.BET
    return Step(replace(state, burning=more, phase=phase), (event,))


def _deal(state: State, card: Card) -> Step[State, Event]:
    said: list[Event] = []
    options = state.options
    cut = options.decks and options.cut_card and state.coups_left is None
    if cut and state.stock <= options.cut_card:
        state = replace(state, coups_left=2)  # this one and one more
        said.append(CutCard())
    side = next_to_receive(state.player, state.banker)
    assert side is not None, "a coup that is over asks for no card"
    state = _shown(state, card)
    if side is Side.PLAYER:
        state = replace(state, player=state.player.receive(card))
    else:
        state = replace(state, banker=state.banker.receive(card))
    said.append(CardDealt(side, card))
    player, banker = state.player, state.banker
    if len(player) == len(banker) == 2:
        said.append(InitialDeal(player, banker))
    if next_to_receive(player, banker) is not None:
        return Step(state, tuple(said))
    natural = coup_of(player, banker).natural
    if not natural:
        said.append(AfterDraw(player, banker))
    return _pay(state, said)


def _pay(state: State, said: list[Event]) -> Step[State, Event]:
    coup = coup_of(state.player, state.banker)
    back = [
        paid(spot, credits, coup, state.options.commission)
        for spot, credits in zip(SPOTS, state.bets, strict=True)
    ]
    credit = state.credit + sum(back)
    over = CoupOver(state.player, state.banker, coup.outcome, state.bets, bets_of(back), credit)
    left = None if state.coups_left is None else state.coups_left - 1
    state = replace(
        state,
        phase=Phase.BET,
        credit=credit,
        bets=NO_BETS,
        coups=(*state.coups, coup),
        coups_left=left,
    )
    if state.finished:
        return Step(state, (*said, over, ShoeFinished(len(state.coups))))
    return Step(state, (*said, over))


def view(state: State, seat: Seat) -> State:
    """Show all: burnt cards are in no state."""
    return state


def hear(state: State, event: Event, seat: Seat) -> Event:
    """Tell all but what burnt cards were."""
    return Burnt(BACK) if isinstance(event, Burnt) else event


def money(state: State, seat: Seat) -> Money:
    """Give the credit, chips that lie open included, and the bets of a coup in play."""
    return Money(state.credit, CENTS * sum(state.bets) if state.phase is Phase.COUP else 0)
