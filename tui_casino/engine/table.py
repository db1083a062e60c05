"""The table: seats, croupier, source and game, and the only loop that drives a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from .chance import Source
from .croupier import Croupier
from .game import (
    A,
    Ask,
    Chance,
    E,
    Game,
    IllegalAction,
    NeedCard,
    NeedShoe,
    O,
    Over,
    Player,
    Refusal,
    S,
    Seat,
    Shoe,
    apply,
)


@dataclass(frozen=True, slots=True)
class Told(Generic[S, E]):
    """What one step tells a subscriber: who acted (``None``: the croupier), and then what."""

    actor: Seat | None
    state: S
    events: tuple[E, ...]


Subscriber = Callable[[Told[S, E]], None]
Recorder = Callable[[Seat | None, A | Chance, tuple[E, ...]], None]


class Table(Generic[O, S, A, E]):
    """A game in play.

    A player of ``None`` is a human, whose actions come by :meth:`submit`; the table waits for
    them. Where several seats are asked at once, the computers among them choose first, in the
    order of their seats. ``record`` is called with each step before anybody is told of it; if it
    raises, the step has not happened and may be tried again, the same card included.
    """

    def __init__(
        self,
        game: Game[O, S, A, E],
        options: O,
        croupier: Croupier,
        source: Source,
        players: Mapping[Seat, Player[S, A] | None],
        record: Recorder[A, E] | None = None,
    ) -> None:
        self.game, self.options = game, options
        self.croupier, self.source, self.players = croupier, source, dict(players)
        self.record = record
        self.state: S = game.start(options)
        self.faults: list[Exception] = []
        self._subscribers: list[Subscriber[S, E]] = []
        self._shoes = self._cards = 0  # shoes made, cards dealt from the present one
        self._choices = dict.fromkeys(self.players, 0)
        self._answer: tuple[Seat | None, A | Chance] | None = None  # given, not yet played
        self._telling = False

    def subscribe(self, viewer: Seat | None, subscriber: Subscriber[S, E]) -> Callable[[], None]:
        """Tell a subscriber of each step as a seat may know it; ``None`` is a watcher.

        Gives back a function that ends the subscription.
        """
        return self.overhear(lambda told: subscriber(self.heard(told, viewer)))

    def overhear(self, subscriber: Subscriber[S, E]) -> Callable[[], None]:
        """Tell a subscriber of each step as the house knows it, all cards open.

        Gives back a function that ends the subscription.
        """
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def view(self, viewer: Seat | None) -> S:
        """Give the present state as a seat may see it; ``None`` is a watcher."""
        return self.game.view(self.state, viewer)

    @property
    def waiting(self) -> bool:
        """Whether nothing moves but by a human, or at all: the sitting may be over."""
        match self.game.turn(self.state):
            case Ask(seats):
                return self._first_computer(seats) is None
            case Over():
                return True
            case _:
                return False

    @property
    def cards_dealt(self) -> int:
        """How many cards have been dealt from the present shoe."""
        return self._cards

    def ask(self) -> tuple[Seat | None, A | Chance]:
        """Ask whose turn it is what to do, without doing it; asked again, the answer is the same.

        May be slow where a player thinks: call it off the screen's own thread if need be. Raises
        ``RuntimeError`` while the table waits for a human.
        """
        if self._answer is None:
            match self.game.turn(self.state):
                case NeedShoe() as need:
                    dice = self.source.dice(f"shoe {self._shoes + 1}")
                    self._answer = None, self.croupier.shoe(need, dice)
                case NeedCard():
                    dice = self.source.dice(f"shoe {self._shoes} card {self._cards + 1}")
                    self._answer = None, self.croupier.card(dice)
                case Ask(seats) if (computer := self._first_computer(seats)) is not None:
                    seat, player = computer
                    view = self.view(seat)
                    dice = self.source.dice(f"seat {seat} choice {self._choices[seat] + 1}")
                    action = player.choose(view, seat, self.game.offers(view, seat), dice)
                    self._answer = seat, action
                case turn:
                    raise RuntimeError(f"nobody to ask: {turn}")
        return self._answer

    def _first_computer(self, seats: tuple[Seat, ...]) -> tuple[Seat, Player[S, A]] | None:
        for seat in seats:
            player = self.players[seat]
            if player is not None:
                return seat, player
        return None

    def advance(self) -> bool:
        """Play one step of croupier or computer player; false if the table waits."""
        if self.waiting:
            return False
        self.play(*self.ask())
        return True

    def run(self) -> None:
        """Play on until the table waits."""
        while self.advance():
            pass

    def submit(self, seat: Seat, action: A) -> None:
        """Play a human's action. Raises :class:`IllegalAction`, nothing changed.

        While the table does not wait it is refused, also if the human is asked beside a computer.
        """
        if not self.waiting or self.players.get(seat, seat) is not None:
            raise IllegalAction(Refusal.TURN)
        self.play(seat, action)

    def play(self, actor: Seat | None, action: A | Chance) -> tuple[E, ...]:
        """Do a step: guard, record, then tell; give the events.

        Raises :class:`IllegalAction`, or whatever ``record`` raises; in both cases nothing has
        happened. Raises ``RuntimeError`` for a subscriber that drives the table it listens to.
        """
        if self._telling:
            raise RuntimeError("a subscriber may not drive its table")
        step = apply(self.game, self.state, actor, action)
        if self.record is not None:
            self.record(actor, action, step.events)
        self.state, self._answer = step.state, None
        self._count(actor, action)
        self._tell(actor, step.events)
        return step.events

    def _count(self, actor: Seat | None, action: A | Chance) -> None:
        if actor is not None:
            self._choices[actor] += 1
        elif isinstance(action, Shoe):
            self._shoes, self._cards = self._shoes + 1, 0
        else:
            self._cards += 1

    def _tell(self, actor: Seat | None, events: tuple[E, ...]) -> None:
        told = Told(actor, self.state, events)
        self._telling = True
        try:
            for subscriber in tuple(self._subscribers):
                try:
                    subscriber(told)
                except Exception as fault:  # stops neither the game nor the others
                    self.on_fault(fault)
        finally:
            self._telling = False

    def heard(self, told: Told[S, E], viewer: Seat | None) -> Told[S, E]:
        """Give what the house was told as a seat may know it; ``None`` is a watcher."""
        events = tuple(self.game.hear(told.state, event, viewer) for event in told.events)
        return Told(told.actor, self.game.view(told.state, viewer), events)

    def on_fault(self, fault: Exception) -> None:
        """Remember what a subscriber raised; a program may show it when the moment is right."""
        self.faults.append(fault)
