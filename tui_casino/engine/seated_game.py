"""A game with a fixed number of seats, played by people who come to a table and leave it.

The game begins once all seats are taken. It ends as it does otherwise, or when somebody leaves;
then everybody is paid out, and the table is over.
"""

from __future__ import annotations

from typing import Any, Generic, TypeAlias

from msgspec import Struct

from ..structs import replace
from .game import (
    A,
    AskSeats,
    Chance,
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
from .offers import IntRange, Offer
from .seating import SHARED, Join, Leave, SeatLeft, SeatTaken


class Seated(Struct, Generic[O, S], frozen=True):
    """The money that each seat was taken with (``None``: free), and the game once it has begun.

    ``ended`` is the reason why nobody plays any more.
    """

    options: O
    taken: tuple[int | None, ...]
    play: S | None = None
    ended: str = ""


SeatedEvent: TypeAlias = SeatTaken | SeatLeft


class SeatedGame(Generic[O, S, A, E]):
    """The :class:`~.seating.SharedGame` of a game with a fixed number of seats."""

    def __init__(self, game: Game[O, S, A, E]) -> None:
        self._game = game
        self.slug, self.unit = game.slug + SHARED, game.unit
        self.Options = game.Options
        self.actions: tuple[type[Any], ...] = (Join, Leave, *game.actions)
        self.events: tuple[type[Any], ...] = (*game.events, SeatTaken, SeatLeft)

    def sit(self, options: O, purse: int, /) -> O:
        """Return the options: they are those of the table."""
        return options

    def seats(self, options: O, /) -> int:
        """Return the number of seats."""
        return self._game.seats(options)

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
            return (Offer(Join, (IntRange(stake, stake),)),)
        asked = () if state.play is None else self._game.offers(state.play, seat)
        return (*asked, Offer(Leave))

    def step(
        self, state: Seated[O, S], actor: Seat | None, action: Any | Chance, /
    ) -> Step[Seated[O, S], Any]:
        """Apply an action of a seat, or of the croupier."""
        match action:
            case Join(units):
                assert actor is not None, "somebody sits down"
                taken = _with(state.taken, actor, units)
                begins = None not in taken
                play = self._game.start(state.options) if begins else None
                return Step(replace(state, taken=taken, play=play), (SeatTaken(actor, units),))
            case Leave() if state.play is None:
                assert actor is not None, "somebody leaves"
                paid = SeatLeft(actor, state.taken[actor] or 0)
                return Step(replace(state, taken=_with(state.taken, actor, None)), (paid,))
            case Leave():
                return self._ended(state, (), "somebody has left")
        assert state.play is not None, "it has begun"
        step = self._game.step(state.play, actor, action)
        state = replace(state, play=step.state)
        turn = self._game.turn(step.state)
        if isinstance(turn, SittingOver):
            return self._ended(state, step.events, turn.reason)
        return Step(state, step.events)

    def _ended(
        self, state: Seated[O, S], events: tuple[Any, ...], reason: str
    ) -> Step[Seated[O, S], Any]:
        """Pay everybody out, with what is at stake."""
        seats = [Seat(at) for at, units in enumerate(state.taken) if units is not None]
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
        if state.play is None or isinstance(event, SeatTaken | SeatLeft):
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
        """Return the seats that the game asks; the clock runs for all of them."""
        if state.play is None or state.ended:
            return ()
        turn = self._game.turn(state.play)
        return turn.seats if isinstance(turn, AskSeats) else ()

    def default(self, state: Seated[O, S], seat: Seat, /) -> Any:
        """Return the action of a seat whose clock has run out: that of Space, or the first one."""
        assert state.play is not None, "somebody is awaited"
        view = self._game.view(state.play, seat)
        offer = next(one for one in self._game.offers(view, seat) if one.barred is None)
        return next(offer.all()) if offer.defaults is None else offer.kind(*offer.defaults)

    def seen(self, state: Seated[O, S], events: tuple[Any, ...], seat: Seat, /) -> Step[S, E]:
        """Return a step as a seat sees it: the game, as it is before it begins if need be."""
        play = self._game.start(state.options) if state.play is None else state.play
        heard = tuple(
            self._game.hear(play, event, seat)
            for event in events
            if not isinstance(event, SeatTaken | SeatLeft)
        )
        return Step(self._game.view(play, seat), heard)

    def _stake(self, options: O, seat: Seat) -> int:
        return self._game.money(self._game.start(options), seat).free


def _with(taken: tuple[int | None, ...], seat: Seat, units: int | None) -> tuple[int | None, ...]:
    return (*taken[:seat], units, *taken[seat + 1 :])
