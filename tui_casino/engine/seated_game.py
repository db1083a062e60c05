"""A game with a fixed number of seats, played by people who come to a table and leave it.

The game begins once all seats are taken. If the options name a level for a ``computer``, computers
take the free seats once somebody has waited long enough, and stay. The game ends as it does
otherwise, or when somebody leaves; then everybody is paid out, and the table is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Generic, TypeAlias

from msgspec import Struct

from ..structs import replace
from .game import (
    A,
    AskSeats,
    Chance,
    ComputerPlayer,
    E,
    Game,
    O,
    S,
    Seat,
    SittingOver,
    Step,
    Turn,
    is_asked,
)
from .money import Money
from .offers import Offer
from .seating import (
    NOBODY,
    SHARED,
    ComputerJoin,
    ComputerJoined,
    ComputerTurn,
    Join,
    Leave,
    SeatLeft,
    SeatTaken,
    join_offer,
)


class Seated(Struct, Generic[O, S], frozen=True):
    """The money that each seat was taken with (``None``: free), and the game once it has begun.

    ``ended`` is the reason why nobody plays any more. ``computers`` are the seats that they took.
    """

    options: O
    taken: tuple[int | None, ...]
    play: S | None = None
    ended: str = ""
    computers: tuple[Seat, ...] = ()


SeatedEvent: TypeAlias = SeatTaken | SeatLeft | ComputerJoined


class SeatedGame(Generic[O, S, A, E]):
    """The :class:`~.seating.SharedGame` of a game with a fixed number of seats.

    The ``options`` of the table are those of the game, and there may be a ``computer`` as well: the
    level of the computers that take free seats.
    """

    def __init__(self, game: Game[Any, S, A, E], options: type[O]) -> None:
        self._game = game
        self.slug, self.unit = game.slug + SHARED, game.unit
        self.Options = options
        self.actions: tuple[type[Any], ...] = (Join, Leave, ComputerJoin, *game.actions)
        self.events: tuple[type[Any], ...] = (*game.events, SeatTaken, SeatLeft, ComputerJoined)

    def game_options(self, options: O) -> Any:
        """Return the options of the game at a table with these options."""
        names = self._game.Options.__struct_fields__
        return self._game.Options(**{name: getattr(options, name) for name in names})

    def sit(self, options: O, purse: int, /) -> O:
        """Return the options: they are those of the table."""
        return options

    def seats(self, options: O, /) -> int:
        """Return the number of seats."""
        return self._game.seats(self.game_options(options))

    def start(self, options: O, /) -> Seated[O, S]:
        """Return the table with free seats."""
        return Seated(options, (None,) * self.seats(options))

    def turn(self, state: Seated[O, S], /) -> Turn:
        """Return whose turn it is; everybody may leave while somebody is asked."""
        if state.ended:
            return SittingOver(state.ended)
        everybody = AskSeats(tuple(map(Seat, range(len(state.taken)))))
        if state.play is None:
            return everybody
        turn = self._game.turn(state.play)
        return everybody if isinstance(turn, AskSeats) else turn

    def offers(self, state: Seated[O, S], seat: Seat, /) -> tuple[Offer[Any], ...]:
        """Return what a seat may do: join, leave, and what the game asks of it."""
        if not is_asked(self.turn(state), seat):
            return ()
        if state.taken[seat] is None:
            stake = self._stake(state.options, seat)
            waits = [Offer(ComputerJoin)] * self._awaits_computer(state)
            return (join_offer(stake, stake), *waits)
        asked = () if state.play is None else self._game.offers(state.play, seat)
        return (*asked, Offer(Leave))

    def step(
        self, state: Seated[O, S], actor: Seat | None, action: Any | Chance, /
    ) -> Step[Seated[O, S], Any]:
        """Apply an action of a seat, or of the croupier."""
        match action:
            case Join(units):
                assert actor is not None, "somebody sits down"
                return Step(self._taken(state, actor, units), (SeatTaken(actor, units),))
            case ComputerJoin():
                assert actor is not None, "a computer sits down"
                units = self._stake(state.options, actor)
                taken = self._taken(state, actor, units)
                joined = ComputerJoined(actor, units)
                return Step(replace(taken, computers=(*state.computers, actor)), (joined,))
            case Leave() if state.play is None:
                assert actor is not None, "somebody leaves"
                paid = SeatLeft(actor, state.taken[actor] or 0)
                return Step(self._left(state, actor), (paid,))
            case Leave():
                return self._ended(state, (), "somebody has left")
        assert state.play is not None, "it has begun"
        step = self._game.step(state.play, actor, action)
        state = replace(state, play=step.state)
        turn = self._game.turn(step.state)
        if isinstance(turn, SittingOver):
            return self._ended(state, step.events, turn.reason)
        return Step(state, step.events)

    def _taken(self, state: Seated[O, S], seat: Seat, units: int) -> Seated[O, S]:
        """Return the state with a seat taken; if it was the last one, the game begins."""
        taken = _with(state.taken, seat, units)
        begins = None not in taken
        play = self._game.start(self.game_options(state.options)) if begins else None
        return replace(state, taken=taken, play=play)

    def _left(self, state: Seated[O, S], seat: Seat) -> Seated[O, S]:
        """Return the state with a free seat; no computer waits where nobody does."""
        taken = _with(state.taken, seat, None)
        if self._people(replace(state, taken=taken)):
            return replace(state, taken=taken)
        return replace(state, taken=(None,) * len(taken), computers=())

    def _people(self, state: Seated[O, S]) -> list[Seat]:
        """Return the seats that people have taken."""
        seats = (Seat(at) for at, units in enumerate(state.taken) if units is not None)
        return [seat for seat in seats if seat not in state.computers]

    def _ended(
        self, state: Seated[O, S], events: tuple[Any, ...], reason: str
    ) -> Step[Seated[O, S], Any]:
        """Pay everybody out, with what is at stake; computers take theirs with them."""
        seats = self._people(state)
        money = [self.money(state, seat) for seat in seats]
        paid = [SeatLeft(at, one.free + one.staked) for at, one in zip(seats, money, strict=True)]
        nobody = (None,) * len(state.taken)
        return Step(replace(state, taken=nobody, ended=reason), (*events, *paid))

    def view(self, state: Seated[O, S], seat: Seat | None, /) -> Seated[O, S]:
        """Return the state as a seat may see it."""
        play = None if state.play is None else self._game.view(state.play, seat)
        return replace(state, play=play)

    def hear(self, state: Seated[O, S], event: Any, seat: Seat | None, /) -> Any:
        """Return an event as a seat may see it."""
        if state.play is None or isinstance(event, SeatedEvent):
            return event
        return self._game.hear(state.play, event, seat)

    def money(self, state: Seated[O, S], seat: Seat, /) -> Money:
        """Return a seat's money."""
        units = state.taken[seat]
        if units is None or state.play is None:
            return Money(units or 0)
        return self._game.money(state.play, seat)

    # ---- seats and clocks -------------------------------------------------------------------

    def awaited(self, state: Seated[O, S], /) -> tuple[Seat, ...]:
        """Return the seats of people that the game asks; the clock runs for all of them.

        Before it begins, return the free seats that computers will take.
        """
        if state.play is None:
            free = (Seat(at) for at, units in enumerate(state.taken) if units is None)
            return tuple(free) if self._awaits_computer(state) else ()
        return tuple(seat for seat in self._asked(state) if seat not in state.computers)

    def _asked(self, state: Seated[O, S]) -> tuple[Seat, ...]:
        if state.play is None or state.ended:
            return ()
        turn = self._game.turn(state.play)
        return turn.seats if isinstance(turn, AskSeats) else ()

    def _awaits_computer(self, state: Seated[O, S]) -> bool:
        """Return whether somebody waits for others, and a computer may come instead."""
        can_wait = state.play is None and not state.ended and bool(self._people(state))
        return can_wait and self.level(state.options) != NOBODY

    @staticmethod
    def level(options: Any) -> str:
        """Return the level of the computers that take free seats."""
        return getattr(options, "computer", NOBODY)

    def computer_turn(
        self, players: Mapping[str, Callable[[], ComputerPlayer[S, A]]], state: Seated[O, S]
    ) -> ComputerTurn[A] | None:
        """Return the turn of a computer, one of the ``players``, which sees what its seat may see.

        Return ``None`` if no computer is asked.
        """
        seat = next((one for one in self._asked(state) if one in state.computers), None)
        if seat is None or state.play is None:
            return None
        view = self._game.view(state.play, seat)
        chosen = players[self.level(state.options)]()
        return ComputerTurn(seat, partial(chosen.choose, view, seat, self._game.offers(view, seat)))

    def computer_name(self, state: Seated[O, S], seat: Seat) -> str:
        """Return the name of the computer in a seat; empty if there is none."""
        return f"Computer, {self.level(state.options)}" if seat in state.computers else ""

    def default(self, state: Seated[O, S], seat: Seat, /) -> Any:
        """Return the action of a seat whose clock has run out: that of Space, or the first one.

        A computer takes a seat that is still free.
        """
        if state.play is None:
            return ComputerJoin()
        view = self._game.view(state.play, seat)
        offer = next(one for one in self._game.offers(view, seat) if one.barred is None)
        return next(offer.all()) if offer.defaults is None else offer.kind(*offer.defaults)

    def seen(self, state: Seated[O, S], events: tuple[Any, ...], seat: Seat, /) -> Step[S, E]:
        """Return a step as a seat sees it: the game, as it is before it begins if need be."""
        play = state.play
        if play is None:
            play = self._game.start(self.game_options(state.options))
        heard = tuple(
            self._game.hear(play, event, seat)
            for event in events
            if not isinstance(event, SeatedEvent)
        )
        return Step(self._game.view(play, seat), heard)

    def _stake(self, options: O, seat: Seat) -> int:
        return self._game.money(self._game.start(self.game_options(options)), seat).free


def _with(taken: tuple[int | None, ...], seat: Seat, units: int | None) -> tuple[int | None, ...]:
    return (*taken[:seat], units, *taken[seat + 1 :])
