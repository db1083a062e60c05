"""The table joins the seats, croupier, chance source and game, and runs the only game loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from .chance import ChanceSource
from .croupier import Croupier
from .event_bus import EventBus, Recorder, TableUpdate
from .game import (
    A,
    AskSeats,
    Chance,
    ComputerPlayer,
    E,
    Game,
    IllegalAction,
    NeedCard,
    NeedShoe,
    O,
    Refusal,
    S,
    Seat,
    Shoe,
    SittingOver,
    check_legal,
)
from .offers import Dice
from .seating import Join, SeatEntropy


class Table(Generic[O, S, A, E]):
    """A game in play.

    If a player is ``None``, the seat belongs to a human; the table waits for the human's actions,
    which are passed to :meth:`submit`. If several seats are asked at the same time, the computers
    among them choose first, in the order of their seats. Each step is published on the ``bus``. If
    the recorder refuses a step, it has not happened, and can be tried again with the same card.

    The entropy of those who sit at a table with others is the client seed of each shuffle. If it
    has changed when a round begins, the rest of the shoe is shuffled again.
    """

    def __init__(
        self,
        game: Game[O, S, A, E],
        options: O,
        croupier: Croupier,
        source: ChanceSource,
        players: Mapping[Seat, ComputerPlayer[S, A] | None],
        recorder: Recorder[A, E] | None = None,
    ) -> None:
        self.game, self.options = game, options
        self.croupier, self.source, self.players = croupier, source, dict(players)
        self.bus = EventBus(game, recorder)
        self.state: S = game.start(options)
        self._shoes = self._cards = 0  # shoes made, cards dealt from the present shoe
        self._is_shared = any(kind is Join for kind in game.actions)
        self._entropy, self._mixed = SeatEntropy(), ""  # the client seed of the last shuffle
        self._choices = dict.fromkeys(self.players, 0)
        self._answer: tuple[Seat | None, A | Chance] | None = None  # chosen but not yet played
        self._checked: tuple[Seat | None, A | Chance] | None = None  # legal in the present state

    @property
    def humans(self) -> tuple[Seat, ...]:
        """The seats at which humans play."""
        return tuple(seat for seat, player in self.players.items() if player is None)

    def view(self, viewer: Seat | None) -> S:
        """Return the present state as a seat may see it; ``None`` is a watcher."""
        return self.game.view(self.state, viewer)

    @property
    def waiting(self) -> bool:
        """Whether the table waits for a human, or the session is over."""
        match self.game.turn(self.state):
            case AskSeats(seats):
                return self._first_computer(seats) is None
            case SittingOver():
                return True
            case _:
                return False

    def ask(self) -> tuple[Seat | None, A | Chance]:
        """Return the next action of the croupier or a computer player, without playing it.

        Until the action is played, repeated calls return the same action. A computer player may
        take a long time to choose, so screens call this method on another thread. Raises
        ``RuntimeError`` while the table waits for a human.
        """
        if self._answer is None:
            match self.game.turn(self.state):
                case NeedShoe() as need:
                    dice = self._shuffling_dice(f"shoe {self._shoes + 1}")
                    self._answer = None, self.croupier.shoe(need, dice)
                case NeedCard(begins):
                    occasion = f"shoe {self._shoes} card {self._cards + 1}"
                    if begins and self._client_seed != self._mixed:
                        self.croupier.shuffle_rest(self._shuffling_dice(occasion))
                    self._answer = None, self.croupier.card(self.source.dice(occasion))
                case AskSeats(seats) if (computer := self._first_computer(seats)) is not None:
                    seat, player = computer
                    view = self.view(seat)
                    dice = self.source.dice(f"seat {seat} choice {self._choices[seat] + 1}")
                    action = player.choose(view, seat, self.game.offers(view, seat), dice)
                    self._answer = seat, action
                case turn:
                    raise RuntimeError(f"nobody to ask: {turn}")
        return self._answer

    @property
    def _client_seed(self) -> str:
        """The client seed of a shuffle from the entropy of the seats that are taken now."""
        return self._entropy.client_seed if self.source.spec.kind == "committed" else ""

    def _shuffling_dice(self, occasion: str) -> Dice:
        self._mixed, source = self._client_seed, self.source
        if self._mixed:
            source = source.with_client_seed(self._mixed)
        return source.dice(occasion)

    def _first_computer(self, seats: tuple[Seat, ...]) -> tuple[Seat, ComputerPlayer[S, A]] | None:
        for seat in seats:
            player = self.players[seat]
            if player is not None:
                return seat, player
        return None

    def advance(self) -> bool:
        """Play one step of the croupier or a computer player; return false if the table waits."""
        if self.waiting:
            return False
        self.play(*self.ask())
        return True

    def run(self) -> None:
        """Play steps until the table waits."""
        while self.advance():
            pass

    def submit(self, seat: Seat, action: A) -> None:
        """Play a human's action. Raises :class:`IllegalAction` without changing anything.

        An action is refused unless the table is waiting. So if a human and a computer player must
        both choose, the human's action is refused until the computer player has chosen.
        """
        if not self.waiting or self.players.get(seat, seat) is not None:
            raise IllegalAction(Refusal.TURN)
        self.play(seat, action)

    def check(self, actor: Seat | None, action: A | Chance) -> None:
        """Check that an action is legal now, so that :meth:`play` need not check it again.

        Raises :class:`IllegalAction`.
        """
        if self._checked is None or self._checked[0] != actor or self._checked[1] is not action:
            check_legal(self.game, self.state, actor, action)
            self._checked = actor, action

    def play(self, actor: Seat | None, action: A | Chance) -> tuple[E, ...]:
        """Check, record, apply and publish a step; return its events.

        Raises :class:`IllegalAction`, or whatever the recorder raises; in both cases nothing has
        changed. Raises ``RuntimeError`` if a subscriber plays a step at the table that it listens
        to.
        """
        self.check(actor, action)
        step = self.game.step(self.state, actor, action)
        self.bus.record(actor, action, step.events)
        self.state, self._answer, self._checked = step.state, None, None
        self._count(actor, action)
        if self._is_shared:
            self._entropy = self._entropy.after(actor, action, step.events)
        self.bus.publish(TableUpdate(actor, step.state, step.events))
        return step.events

    def _count(self, actor: Seat | None, action: A | Chance) -> None:
        if actor is not None:
            self._choices[actor] += 1
        elif isinstance(action, Shoe):
            self._shoes, self._cards = self._shoes + 1, 0
        else:
            self._cards += 1
