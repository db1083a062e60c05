"""Five-card draw for two to four people; computers may play the seats that nobody takes.

The hands are those of the game for one person. People take and leave seats between hands. A hand
begins once everybody at the table is ready or lets it go by. If somebody sits down during a hand,
they play from the next one on.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ....engine.game import (
    AskSeats,
    Chance,
    Deal,
    NeedCard,
    NeedShoe,
    Seat,
    Shoe,
    Step,
    Turn,
    is_asked,
)
from ....engine.money import Money
from ....engine.offers import Offer
from ....engine.seating import (
    NOBODY,
    READY,
    SHARED,
    SITS_OUT,
    Join,
    Leave,
    SeatLeft,
    SeatReady,
    SeatSitsOut,
    SeatTaken,
    SitOut,
    join_offer,
)
from ....inputs.numbers import list_words
from ....structs import replace
from . import game
from . import state as m
from .rules import MOST_OPPONENTS

MOST_SEATS = MOST_OPPONENTS + 1
"""The number of seats at a full table."""
COMPUTERS = ("algorithm", "tight", "exact", "novice", "casual", "regular", "strong")
"""The levels of computers at shared tables; the others need large tables in memory."""
_MOST_CREDIT = 1 << 53


class Options(Struct, frozen=True):
    """The seats, the stakes, and the level of the ``computers`` in free seats.

    Raises ``ValueError`` for an impossible number of seats, without stakes, and for an unknown
    level.
    """

    seats: int = MOST_SEATS
    stakes: m.Stakes = m.Stakes.LIMIT
    computers: str = NOBODY

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= MOST_SEATS:
            raise ValueError(f"a table has 2 to {MOST_SEATS} seats, not {self.seats}")
        if self.stakes is m.Stakes.NOTHING:
            raise ValueError("a table with others has stakes: ante or limit")
        if self.has_computers and self.computers not in COMPUTERS:
            levels = list_words(COMPUTERS, "and")
            raise ValueError(f"no level is called {self.computers}; the levels are {levels}")

    @property
    def has_computers(self) -> bool:
        """Whether computers play the free seats."""
        return self.computers != NOBODY


class Person(Struct, frozen=True):
    """Somebody at the table, who is ready for the next hand or lets hands go by.

    Somebody who ``plays`` was dealt into the hand on the table. A person who sat down during a hand
    ``arrives`` after it, with this credit.
    """

    is_ready: bool = False
    sits_out: bool = False
    plays: bool = False
    arrives: int | None = None


class State(Struct, frozen=True):
    """The hand with all seats, the people by seat, and in words what each seat did last.

    A seat without a person is a computer's, if the table has computers; otherwise it has no chips.
    """

    options: Options
    play: m.State
    people: tuple[Person | None, ...]
    acts: tuple[str, ...]


Action: TypeAlias = Join | Leave | SitOut | m.Action
actions: tuple[type[Action], ...] = (Join, Leave, SitOut, *m.actions)


Event: TypeAlias = m.Event | SeatTaken | SeatLeft | SeatReady | SeatSitsOut
events: tuple[type[Event], ...] = (*m.events, SeatTaken, SeatLeft, SeatReady, SeatSitsOut)
_SEATING = (SeatTaken, SeatLeft, SeatReady, SeatSitsOut)

slug = game.slug + SHARED
unit = game.unit


def sit(options: Options, purse: int) -> Options:
    """Return the options: everybody brings their own money when they join."""
    return options


def options_for_one(options: Options) -> m.Options:
    """Return the options of the game for one person with as many players and these stakes."""
    return m.Options(options.seats - 1, options.stakes, m.STACK, are_even=True)


def seats(options: Options) -> int:
    """Return the number of seats."""
    return options.seats


def start(options: Options) -> State:
    """Return the state before the first hand, without people."""
    play = game.start(options_for_one(options))
    nobody = (None,) * options.seats
    stacks = (_stack_without_person(options),) * options.seats
    return State(options, replace(play, stacks=stacks), nobody, ("",) * options.seats)


def _stack_without_person(options: Options) -> int:
    return m.STACK if options.has_computers else 0


# ---- whose turn it is ----------------------------------------------------------------------------


def turn(state: State) -> Turn:
    """Return what has to happen next: a shoe, a card, or choices of the seats.

    All seats are asked, because somebody may join, and those who do not play may leave.
    """
    match game.turn(state.play):
        case NeedCard() | NeedShoe() as need:
            return need
    return AskSeats(tuple(map(Seat, range(state.options.seats))))


def offers(state: State, seat: Seat) -> tuple[Offer[Action], ...]:
    """Return the legal actions: join or leave, begin a hand or sit it out, and play it."""
    if not isinstance(turn(state), AskSeats):
        return ()
    person, found = state.people[seat], list[Offer[Action]]()
    if _is_between(state):
        if person is not None and _may_begin(state):
            found += [Offer(m.Play)] * (not person.is_ready)
            found += [Offer(SitOut)] * (not person.sits_out)
    elif is_asked(game.turn(state.play), seat):
        found += game.offers(state.play, seat)
    if person is None:
        ante = state.play.options.betting.ante
        limited = state.options.stakes is m.Stakes.LIMIT
        found.append(join_offer(ante, m.STACK if limited else _MOST_CREDIT))
    elif _is_between(state) or not _is_dealt_in(state, seat):
        found.append(Offer(Leave))
    return (*found,)


def computer_seat(state: State) -> Seat | None:
    """Return the computer's seat whose turn it is, if there is one."""
    asked = game.turn(state.play)
    if _is_between(state) or not isinstance(asked, AskSeats):
        return None
    (seat,) = asked.seats
    return None if _is_dealt_in(state, seat) else seat


def _is_between(state: State) -> bool:
    return state.play.phase is m.Phase.REST


def _is_dealt_in(state: State, seat: Seat) -> bool:
    """Return whether the person in a seat plays the hand on the table."""
    person = state.people[seat]
    return person is not None and person.plays


def _may_begin(state: State) -> bool:
    """Return whether at least two seats could be dealt in, if nobody sat out."""
    return len(game.can_play(replace(state.play, away=()))) > 1


# ---- steps ---------------------------------------------------------------------------------------


def step(state: State, actor: Seat | None, action: Action | Chance) -> Step[State, Event]:
    """Apply an action of a seat, or a shoe or card from the croupier."""
    if isinstance(action, Shoe | Deal):
        return _played(state, actor, action)
    assert actor is not None, "only the croupier acts without a seat"
    person = state.people[actor]
    match action:
        case Join(credit):
            return _join(state, actor, credit)
    if not isinstance(action, Leave | SitOut | m.Play):
        return _played(state, actor, action)
    assert person is not None, "the seat is free"
    told: Event
    match action:
        case Leave():
            state, told = _leave(state, actor)
        case SitOut():
            state = _with(state, actor, replace(person, sits_out=True, is_ready=False))
            told = SeatSitsOut(actor)
        case m.Play():
            state = _with(state, actor, replace(person, sits_out=False, is_ready=True))
            told = SeatReady(actor)
    return Step(_begun(state), (told,))


def _join(state: State, seat: Seat, credit: int) -> Step[State, Event]:
    if _is_between(state):
        state = _with(state, seat, Person(), credit)
    else:
        state = _with(state, seat, Person(arrives=credit))
    return Step(state, (SeatTaken(seat, credit),))


def _leave(state: State, seat: Seat) -> tuple[State, SeatLeft]:
    person = state.people[seat]
    assert person is not None, "the seat is free"
    if person.arrives is not None:
        return _with(state, seat, None), SeatLeft(seat, person.arrives)
    rest = SeatLeft(seat, state.play.stacks[seat])
    return _with(state, seat, None, _stack_without_person(state.options)), rest


def _with(state: State, seat: Seat, person: Person | None, stack: int | None = None) -> State:
    """Return the state with another person in a seat, and another stack if it is given."""
    people = (*state.people[:seat], person, *state.people[seat + 1 :])
    if stack is None:
        return replace(state, people=people)
    play = replace(state.play, stacks=_with_stack(state.play, seat, stack))
    if person is not None or state.options.has_computers:
        play = _without_cards(play, seat)
    return replace(state, people=people, play=play)


def _without_cards(play: m.State, seat: Seat) -> m.State:
    """Return the table without a seat's cards of the last hand: somebody else sits there now."""
    if not play.hands:
        return play
    return replace(
        play,
        hands=(*play.hands[:seat], (), *play.hands[seat + 1 :]),
        open=tuple(one for one in play.open if one != seat),
        winners=tuple(one for one in play.winners if one != seat),
    )


def _with_stack(play: m.State, seat: Seat, stack: int) -> tuple[int, ...]:
    return (*play.stacks[:seat], stack, *play.stacks[seat + 1 :])


def _begun(state: State) -> State:
    """Begin the next hand if somebody is ready, and nobody is waited for."""
    present = [person for person in state.people if person is not None]
    ready = any(person.is_ready for person in present)
    if (
        not _is_between(state)
        or not ready
        or not all(one.is_ready or one.sits_out for one in present)
    ):
        return state
    away = tuple(
        seat for seat, person in enumerate(state.people) if person is not None and person.sits_out
    )
    play = replace(state.play, away=away)
    playing = game.can_play(play)
    if len(playing) < 2:
        return state
    dealer = play.dealer if play.dealer in playing else playing[0]
    play = game.step(replace(play, dealer=dealer), m.HUMAN, m.Play()).state
    return replace(state, play=play)


def _played(state: State, actor: Seat | None, action: m.Action | Chance) -> Step[State, Event]:
    """Play a step of the hand; after the hand, pay out those who cannot pay the next ante."""
    played = game.step(state.play, actor, action)
    acts = [*state.acts]
    for event in played.events:
        match event:
            case m.HandBegun(playing):
                acts = [""] * len(acts)
                state = _dealt(state, playing)
            case m.Acted(seat, act):
                acts[seat] = "folded" if act == "fold" else f"{act}s"
            case m.Discarded(seat, cards):
                acts[seat] = f"draws {len(cards)}" if cards else "stands pat"
            case m.HandOver(won=won):
                acts = [
                    f"wins {credits}" if credits else act if act == "folded" else ""
                    for act, credits in zip(acts, won, strict=True)
                ]
    state = replace(state, play=played.state, acts=(*acts,))
    if not any(isinstance(event, m.HandOver) for event in played.events):
        return Step(state, played.events)
    state, left = _settled(state)
    return Step(state, (*played.events, *left))


def _dealt(state: State, playing: tuple[int, ...]) -> State:
    people = (
        person and replace(person, is_ready=False, plays=seat in playing)
        for seat, person in enumerate(state.people)
    )
    return replace(state, people=(*people,))


def _settled(state: State) -> tuple[State, tuple[SeatLeft, ...]]:
    """Give a seat to those who arrive, pay out who cannot pay the ante, and replace computers."""
    left, ante = list[SeatLeft](), state.play.options.betting.ante
    for place, person in enumerate(state.people):
        seat = Seat(place)
        if person is not None and person.arrives is not None:
            state = _with(state, seat, Person(), person.arrives)
        elif state.play.stacks[seat] >= ante:
            continue
        elif person is None:
            state = _with(state, seat, None, _stack_without_person(state.options))
        else:
            state, rest = _leave(state, seat)
            left.append(rest)
    return state, (*left,)


# ---- what a seat sees ----------------------------------------------------------------------------


def view(state: State, seat: Seat | None) -> State:
    """Return the state with the cards that a seat may see."""
    return replace(state, play=game.view(state.play, _viewer(state, seat)))


def hear(state: State, event: Event, seat: Seat | None) -> Event:
    """Return the event with the cards that a seat may see."""
    if isinstance(event, SeatTaken | SeatLeft | SeatReady | SeatSitsOut):
        return event
    return game.hear(state.play, event, _viewer(state, seat))


def _viewer(state: State, seat: Seat | None) -> Seat | None:
    """Return a seat that has its own cards on the table; otherwise its person only watches."""
    if seat is None or state.people[seat] is None or _is_dealt_in(state, seat):
        return seat
    return None


def seen(state: State, events: tuple[Event, ...], seat: Seat) -> Step[m.State, m.Event]:
    """Return a step as the game for one person shows it to a seat.

    A seat that is ready, or has nobody to play with, sees a table that is about to be shuffled. If
    somebody else plays or played the hand in this seat, its person sees nothing of that hand.
    """
    person = state.people[seat]
    left = (event for event in events if isinstance(event, SeatLeft) and event.seat == seat)
    rest = next((event.credit for event in left), None)
    hand_events = tuple(event for event in events if not isinstance(event, _SEATING))
    shown, viewer = state.play, _viewer(state, seat)
    others_hand = person is not None and not person.plays and seat in shown.dealt_in
    if others_hand or (rest is not None and not hand_events):
        shown, hand_events = _without_hand(shown), ()
    credit = money(state, seat).free if rest is None else rest
    shown = replace(game.view(shown, viewer), stacks=_with_stack(shown, seat, credit))
    if _is_between(state):
        waits = person is not None and (person.is_ready or not _may_begin(state))
        phase = m.Phase.SHUFFLE if waits else m.Phase.REST
        shown = replace(shown, phase=phase, starters=(seat,), away=())
    return Step(shown, tuple(game.hear(state.play, event, viewer) for event in hand_events))


def _without_hand(play: m.State) -> m.State:
    """Return a table that is about to be shuffled, with the stacks of this one."""
    empty = replace(game.start(play.options), phase=m.Phase.SHUFFLE)
    return replace(empty, stacks=play.stacks, dealer=play.dealer, played=play.played)


# ---- money and clocks ----------------------------------------------------------------------------


def money(state: State, seat: Seat) -> Money:
    """Return a seat's credit, and its chips in the pot."""
    person = state.people[seat]
    if person is not None and person.arrives is not None:
        return Money(person.arrives)
    return game.money(state.play, seat)


def awaited(state: State) -> tuple[Seat, ...]:
    """Return the seats for whose choice the others wait.

    Between hands this begins once somebody is ready.
    """
    if not _is_between(state):
        asked = game.turn(state.play)
        seats = asked.seats if isinstance(asked, AskSeats) else ()
        return tuple(seat for seat in seats if _is_dealt_in(state, seat))
    people = [(Seat(at), one) for at, one in enumerate(state.people) if one is not None]
    if not _may_begin(state) or not any(person.is_ready for _, person in people):
        return ()
    return tuple(seat for seat, one in people if not one.is_ready and not one.sits_out)


def default(state: State, seat: Seat) -> Action:
    """Return the action of a seat whose time is over: sit out, stand pat, check, or else fold."""
    if _is_between(state):
        return SitOut()
    if state.play.phase is m.Phase.DRAW:
        return m.Discard(())
    assert state.play.betting is not None, "a bet is awaited"
    return m.Fold() if state.play.betting.opened else m.Check()


def doing(state: State, seat: Seat) -> str:
    """Return in a few words what a seat has chosen: ``ready``, ``raises``, ``draws 2``."""
    person = state.people[seat]
    if person is not None and person.sits_out:
        return SITS_OUT
    if person is not None and person.is_ready:
        return READY
    if person is not None and not person.plays:
        return ""
    return state.acts[seat]
