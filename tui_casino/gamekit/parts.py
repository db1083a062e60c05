"""What a game brings to the house: its machine, its words, its tally, its computer players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, TypeAlias

from ..cards.card import Hand
from ..engine.chance import Source
from ..engine.game import A, E, Game, O, Player, S, Seat
from ..engine.offers import is_choice
from .adviser import Adviser, Decision, Mistake, Values, Worth
from .grammar import command_of
from .measure import Measure
from .posing import Posing
from .seating import Hearer
from .tally import T
from .words import Words


def _never(options: object) -> bool:
    return False


def _unsaid(view: object, seat: Seat) -> str:
    return ""


def _unsaid_to_all(view: object) -> str:
    return ""


def _no_log(options: object, players: object, source: object, here: object) -> None:
    return None


def _no_cards(view: object, seat: Seat, action: object) -> None:
    return None


def _always(action: object) -> bool:
    return True


def _usual_measure(options: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Parts(Generic[O, S, A, E, T]):
    """A game with all that every table, log, console and screen needs of it.

    ``players`` are the computer players by name, made anew for each sitting; ``tally`` begins
    the statistics of a seat. ``history`` tells a sitting in readable text, from each state and
    the events that led to it, where a game has more to tell than its lines; ``phh`` tells its
    hands in the poker hand history format. ``takes_back`` tells
    for which options a human may take choices back where no purse is touched, and ``chooses`` which
    actions are choices: the others only go on. ``number_verb`` is
    the verb that a number alone stands for, if there is one. ``points`` says that it is played for
    points, no money; ``waits`` tells for which options such a game waits if it is broken off, and
    ``score`` gives the points of a seat and of the other, from that seat's view. ``measure`` is
    what the course of a sitting with these options is drawn by, if that is neither its money nor
    the points that it is ahead. ``moment`` says to a seat in a few words where a table stands that
    was left: ``hand 14, call 20 into 60``.
    Where several humans share a keyboard, ``secret`` tells of a state whether who is asked has to
    look at cards that the others may not see, ``moment_to_all`` says the moment to all of them, and
    ``hand`` tells a seat what it holds and has to choose from.
    ``keeps`` gives who keeps a log of the game's own in the player's folder, if there is one to be
    kept: from the options, who sits where by their names in the session log, and the source.
    ``prompt`` says to a seat that is asked what it may do, for the console; nothing, where lines
    have said it. ``cards_of`` gives the cards that an action names by their places, from the
    seat's view before it; ``None`` for an action that names none.

    ``adviser`` is what the game knows of its odds; nothing, if it brings none. ``posing`` tells of
    positions that are asked for outside of a sitting, where its choices are judged.
    """

    game: Game[O, S, A, E]
    words: Words[S, A, E, T]
    tally: Callable[[Seat], T]
    players: Mapping[str, Callable[[], Player[S, A]]]
    history: Callable[[Iterable[tuple[S, tuple[E, ...]]]], Iterator[str]] | None = None
    phh: Callable[[Iterable[tuple[S, tuple[E, ...]]]], Iterator[str]] | None = None
    takes_back: Callable[[O], bool] = _never
    chooses: Callable[[A], bool] = _always
    number_verb: str | None = None
    points: bool = False
    waits: Callable[[O], bool] = _never
    moment: Callable[[S, Seat], str] = _unsaid
    moment_to_all: Callable[[S], str] = _unsaid_to_all
    hand: Callable[[S, Seat], str] = _unsaid
    secret: Callable[[S], bool] = _never
    prompt: Callable[[S, Seat], str] = _unsaid
    score: Callable[[S, Seat], tuple[int, int]] | None = None
    measure: Callable[[O], Measure[S] | None] = _usual_measure
    keeps: Callable[[O, Sequence[str], Source, Path | None], Hearer | None] = _no_log
    cards_of: Callable[[S, Seat, A], Hand | None] = _no_cards
    adviser: Adviser[O, S, A, E] = field(default_factory=Adviser)
    posing: Posing[O, S] | None = None

    def spoken(self, view: S, seat: Seat, action: A) -> str:
        """Write an action with cards in place of places: ``x AH 8D``, ``p 9C``, ``b 5``."""
        command, cards = command_of(action, self.words.verbs), self.cards_of(view, seat, action)
        if cards is None:
            return command
        return " ".join([command.partition(" ")[0], *map(str, cards)])

    def decision(
        self, view: S, seat: Seat, action: A, values: Values = Values.NONE
    ) -> Decision[S, A] | None:
        """Weigh an action that a seat chose, given its view before; the only place that does so.

        Returns ``None`` if there was no choice, or if its value is not known. With ``OF_ALL`` the
        alternatives are weighed also, and an action without any returns ``None``. May take long.
        """
        adviser, weighed = self.adviser, tuple[Worth[A], ...]()
        if values is Values.OF_ALL and not (weighed := adviser.alternatives(view, seat, action)):
            return None
        mistake = adviser.mistake(view, seat, action, weighed)
        if mistake is not None:
            if values is Values.OF_MISTAKES:
                weighed = adviser.alternatives(view, seat, action)
            return Decision(seat, view, action, mistake.kind.spot, mistake, weighed)
        spot = adviser.spot(view, seat, action) if self.is_choice(view, seat, action) else None
        if spot is None and not weighed:
            return None
        return Decision(seat, view, action, spot or "", None, weighed)

    def is_choice(self, view: S, seat: Seat, action: A) -> bool:
        """Tell whether a seat that did this could have done something else."""
        return self.chooses(action) and is_choice(self.game.offers(view, seat))

    def measured(self, options: O) -> Measure[S]:
        """Say what the course of a sitting with these options is drawn by."""
        if (own := self.measure(options)) is not None:
            return own
        if self.score is not None:
            return Measure("POINTS AHEAD", self._ahead)
        cents = 100 if self.game.unit == 1 else 1
        return Measure("MONEY", self._fortune, parts=cents, by_rounds=True)

    def _ahead(self, view: S, seat: Seat) -> int:
        assert self.score is not None
        mine, other = self.score(view, seat)
        return mine - other

    def _fortune(self, view: S, seat: Seat) -> int:
        money = self.game.money(view, seat)
        return money.free + money.staked

    def cost(self, mistake: Mistake[A] | Decision[S, A]) -> str:
        """Write what a mistake costs on average: ``0.841`` dollars, or ``6.30 points``."""
        return f"{self.figure(mistake.cost)}{' points' if self.points else ''}"

    def figure(self, amount: Fraction | float) -> str:
        """Write an expected amount of the game's units: ``0.841`` dollars, or ``6.30`` points."""
        return (
            f"{float(amount):.2f}" if self.points else f"{float(amount) * self.game.unit / 100:.3f}"
        )


AnyParts: TypeAlias = Parts[Any, Any, Any, Any, Any]
"""A game that is only known when it runs, such as one of the registry."""
