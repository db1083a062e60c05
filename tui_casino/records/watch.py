"""A replay as one seat lives it: its tally, its bets, its rounds, and where it chose badly."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic

from ..engine.game import A, Deal, E, O, S, Seat, Shoe
from ..gamekit.adviser import Mistake
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from .header import HUMAN, Header
from .replay import Played


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over, in the game's units."""

    wagered: int
    won: int


@dataclass(frozen=True, slots=True)
class Watched(Generic[S, A, E, T]):
    """A step, the seat's tally after it, and what it was to the seat.

    ``bet`` says that the seat has more at stake than before, ``round`` that one has ended.
    """

    played: Played[S, A, E]
    tally: T
    bet: bool
    round: Round | None


class Mark(StrEnum):
    """What can be looked for. A win is a round that brought back more than was bet on it."""

    ROUND = "round"
    BET = "bet"
    WIN = "win"
    MISTAKE = "mistake"


@dataclass(slots=True)
class Marks:
    """The steps at which rounds begin, the seat bets, wins and chooses badly; each rising.

    Mistakes are known only if the choices were ``judged``.
    """

    round: list[int] = field(default_factory=list)
    bet: list[int] = field(default_factory=list)
    win: list[int] = field(default_factory=list)
    mistake: list[int] = field(default_factory=list)
    judged: bool = True

    def of(self, mark: Mark) -> list[int]:
        """Give the steps of one kind."""
        steps: list[int] = getattr(self, mark.value)
        return steps

    def after(self, mark: Mark, step: int) -> int | None:
        """Give the first step of a kind after another; ``None`` if there is none."""
        steps = self.of(mark)
        place = bisect_right(steps, step)
        return steps[place] if place < len(steps) else None

    def before(self, mark: Mark, step: int) -> int | None:
        """Give the last step of a kind before another; ``None`` if there is none."""
        steps = self.of(mark)
        place = bisect_left(steps, step)
        return steps[place - 1] if place else None

    def add(self, seen: Watched[Any, Any, Any, Any], mistake: bool) -> None:
        """Mark a step."""
        step = seen.played.line.n
        if seen.bet:
            self.bet.append(step)
        if seen.round is not None:
            self.round.append(step + 1)
            if seen.round.won > seen.round.wagered:
                self.win.append(step)
        if mistake:
            self.mistake.append(step)

    def extend(self, more: Marks) -> None:
        """Add those of later steps."""
        for mark in Mark:
            self.of(mark).extend(more.of(mark))


def seat_of(header: Header) -> Seat:
    """Give the seat that a log is watched from: the first human's, or else the first."""
    return Seat(header.players.index(HUMAN) if HUMAN in header.players else 0)


def watch(
    parts: Parts[O, S, A, E, T],
    seat: Seat,
    state: S,
    tally: T,
    steps: Iterable[Played[S, A, E]],
) -> Iterator[Watched[S, A, E, T]]:
    """Follow steps from the state and the seat's tally before them."""
    game = parts.game
    staked = game.money(state, seat).staked
    for played in steps:
        before = tally
        for event in played.events:
            tally = tally.add(game.hear(played.state, event, seat))
        now = game.money(played.state, seat).staked
        ended = tally is not before and tally.rounds > before.rounds
        over = Round(tally.wagered - before.wagered, tally.won - before.won) if ended else None
        yield Watched(played, tally, now > staked, over)
        staked = now


def judged(
    judge: Callable[[S, Seat, A], Mistake[A] | None] | None,
    parts: Parts[O, S, A, E, T],
    seat: Seat,
    before: S,
    played: Played[S, A, E],
) -> Mistake[A] | None:
    """Have one of a game's judges weigh a step, if it is the seat's: see :class:`Adviser`."""
    if judge is None or played.line.by != seat or isinstance(played.action, Shoe | Deal):
        return None
    return judge(parts.game.view(before, seat), seat, played.action)
