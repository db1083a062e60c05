"""What each recorded sitting comes to: its log replayed once, and the outcome kept in the cache."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from itertools import accumulate, groupby, islice
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..engine.game import A, Deal, E, O, S, Seat, Shoe
from ..gamekit.adviser import Expectation
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..inputs.plain import plain
from .cache import Cache, key_of
from .codec import decode, encode
from .header import HUMAN
from .log import read
from .replay import Differs, Played, options_of, replay
from .shelf import Ending, Entry, Games, touched
from .slips import Choices, Slip, cost_of, slip_of, spot_of
from .watch import judged, seat_of, watch

if TYPE_CHECKING:
    from ..gamekit.laws import Law


@dataclass(frozen=True, slots=True)
class Run:
    """The most rounds, or sittings, that were won and lost one after the other.

    One that brings back just what was bet neither ends a run nor counts in it.
    """

    won: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Fold:
    """A sitting of one seat, in cents; ``tally`` is the game's own, as JSON.

    ``score`` are the points of the seat and of the other, of a game that is played for them.
    ``mistakes`` and what they cost are those of its slips, and ``None`` until they were weighed.
    ``best`` and ``worst`` are the nets of its rounds, ``None`` if there was none. ``course`` are
    its nets after some of its rounds, :data:`COURSE` at most, evenly spread, the last after all of
    them; a game for points has none. The fractions,
    as text, are what its ``mistakes`` cost on average, and mean and variance of ``won`` by the
    exact odds: ``None`` where the game does not know them. ``laws`` are those of its rounds, in
    cents, each with how many there were; nothing where they are not known.
    """

    rounds: int
    wagered: int
    won: int
    best: int | None
    worst: int | None
    run: Run
    mistakes: int | None
    cost: str
    mean: str | None
    variance: str | None
    tally: str
    score: tuple[int, int] | None
    course: tuple[int, ...]
    laws: tuple[tuple[tuple[tuple[int, float], ...], int], ...] = ()

    @property
    def net(self) -> int:
        """What was won or lost."""
        return self.won - self.wagered

    def cost_in_units(self, unit: int) -> Fraction:
        """Give what its mistakes cost on average, in units of so many cents."""
        return Fraction(self.cost) / unit

    @property
    def expectation(self) -> Expectation | None:
        """What its bets could expect, in cents and their squares."""
        if self.mean is None or self.variance is None:
            return None
        return Expectation(Fraction(self.mean), Fraction(self.variance))

    @property
    def luck(self) -> float | None:
        """How many standard deviations more came back than expected; ``None`` if not known."""
        known = self.expectation
        if known is None or not known.variance:
            return None
        return float(self.won - known.mean) / sqrt(known.variance)

    @property
    def as_bad(self) -> float | None:
        """How likely so little comes back, or less; ``None`` as :func:`chance_of`."""
        return chance_of(dict(self.laws), self.won)


COURSE = 32
"""So many nets of a sitting are kept."""
SHORT = 10_000
"""Rounds of which the exact law is asked; that of more is near the normal curve."""


def chance_of(laws: Mapping[Law, int], won: int) -> float | None:
    """Give how likely rounds of these laws bring back so little, or less.

    ``None`` where there are none, or so many that the normal curve will do.
    """
    if not 0 < sum(laws.values()) <= SHORT:
        return None
    from ..gamekit.laws import no_more_than  # numpy, late

    return no_more_than(laws, won)


class LeftOut(Enum):
    """Why a sitting does not count."""

    NOT_ENDED = "not ended"
    DAMAGED = "damaged"
    UNKNOWN = "of an unknown game"
    COMPUTERS = "played by computers alone"
    SHARED = "played by several at one keyboard"


@dataclass(frozen=True, slots=True)
class Folded:
    """A log of the shelf with its fold, or why it has none; ``fault`` is where it is damaged.

    ``slips`` are its mistakes one by one, if they were asked for, ``spots`` count all choices by
    where they were made, and ``bet`` is the most at stake at once, all as in :class:`Choices`.
    """

    entry: Entry
    fold: Fold | None = None
    left_out: LeftOut | None = None
    fault: str | None = None
    slips: tuple[Slip, ...] = ()
    spots: Mapping[str, int] = field(default_factory=dict)
    bet: int = 0


K = TypeVar("K")


class NoLongerWanted(Exception):
    """What a log comes to is not waited for any more."""


UNEXPECTED = "its game does not know what to make of it"
_A_SAVE = 100  # folds that are kept together: to keep one takes longer than to fold it


def fold_all(
    found: Iterable[Entry],
    games: Games,
    cache: Cache,
    *,
    unfinished: bool = False,
    slips: bool = False,
    still: Callable[[], bool] = lambda: True,
) -> Generator[Folded, None, None]:
    """Fold sittings one by one, quickly where the cache has them; nothing raises.

    Those that have not ended are left out, unless the ``unfinished`` are wanted as far as they
    go. ``slips`` has their choices weighed, too, which may take long: it ends early once ``still``
    says no. The iterator may be left at any time; what it has folded is kept.
    """
    kept, kept_slips = cache.folds(), cache.slips() if slips else {}
    unsaved = _Unsaved(cache)
    try:
        for entry in found:
            key = (key_of(entry.path), entry.size, entry.touched)
            left_out = _left_out(entry, games)
            if unfinished and left_out is LeftOut.NOT_ENDED:
                left_out = _left_out(replace(entry, ending=Ending.LEFT), games)
            if left_out or entry.game is None:
                yield Folded(entry, None, left_out, entry.fault)
                continue
            fold, known = _kept(kept.get(key), Fold), _kept(kept_slips.get(key), Choices)
            if fold is None or (slips and known is None):
                try:
                    known = Choices() if slips else None
                    fold = fold_log(games[entry.game](), entry.path, known, still)
                    now = os.stat(entry.path)
                except NoLongerWanted:
                    return
                except Exception as error:  # a log must spoil nothing but itself
                    yield Folded(entry, None, LeftOut.DAMAGED, _why(error))
                    continue
                if (now.st_size, touched(now)) == key[1:]:
                    unsaved.add(entry, fold, known)
            told = known if slips and known else Choices()
            yield Folded(entry, fold, None, None, tuple(told.slips), told.spots, told.bet)
    finally:
        unsaved.keep()


class _Unsaved:
    """What was folded and is not kept yet."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._folds: list[tuple[Path, int, int, bytes]] = []
        self._slips: list[tuple[Path, int, int, bytes]] = []

    def add(self, entry: Entry, fold: Fold, choices: Choices | None) -> None:
        """Add a log's; now and then all are kept."""
        stamp = entry.path, entry.size, entry.touched
        self._folds.append((*stamp, encode(fold)))
        if choices is not None:
            self._slips.append((*stamp, encode(choices)))
        if len(self._folds) >= _A_SAVE:
            self.keep()

    def keep(self) -> None:
        """Keep what there is."""
        if self._folds:
            self._cache.keep_folds(self._folds)
            self._cache.keep_slips(self._slips)
            self._folds, self._slips = [], []


def _why(error: Exception) -> str:
    match error:
        case BadFile():
            return error.why if error.line is None else f"line {error.line}: {error.why}"
        case BadInput() | Differs() | OSError():
            return plain(str(error))
    return plain(f"{UNEXPECTED}: {type(error).__name__}: {error}")


def _kept(raw: bytes | None, kind: type[K]) -> K | None:
    try:
        return None if raw is None else decode(raw, kind)
    except ValueError:
        return None  # it is folded anew


def _left_out(entry: Entry, games: Games) -> LeftOut | None:
    if entry.fault is not None:
        return LeftOut.DAMAGED
    if not entry.finished:
        return LeftOut.NOT_ENDED
    if entry.game not in games:
        return LeftOut.UNKNOWN
    return None if HUMAN in entry.players else LeftOut.COMPUTERS


def fold_log(
    parts: Parts[O, S, A, E, T],
    path: Path,
    choices: Choices | None = None,
    still: Callable[[], bool] = lambda: True,
) -> Fold:
    """Replay a log whole. Raises as :func:`~tui_casino.records.replay.replay`.

    What a sitting took over from the one that it goes on from counts there, not once more here.
    The ``choices`` of one that is over are added to these, one by one, as the game's own judge
    weighs them, and mistakes counted; without them nothing is weighed. Raises
    :class:`NoLongerWanted` if ``still`` says so meanwhile.
    """
    game, log = parts.game, read(path)
    seat, options = seat_of(log.header), options_of(game, log)
    state, tally = game.start(options), parts.tally(seat)
    nets: list[int] = []
    weighed = choices if choices is not None and log.over and parts.adviser.judge else None
    expected, rounds, laws = Expectation(), 0, Counter["Law"]()
    steps = replay(game, log)
    for before in islice(steps, log.header.parent.step if log.header.parent else 0):
        state = before.state
    for seen in watch(parts, seat, state, tally, steps):
        if seen.round is not None:
            nets.append(game.unit * (seen.round.won - seen.round.wagered))
        if weighed is not None:
            if not still():
                raise NoLongerWanted
            _weigh(weighed, parts, seat, state, tally, seen.played)
        if parts.adviser.expect is not None:
            for event in seen.played.events:
                if (more := parts.adviser.expect(options, event)) is not None:
                    expected, rounds = expected + more, rounds + 1
        if parts.adviser.law is not None:
            known_laws = (parts.adviser.law(options, event) for event in seen.played.events)
            laws.update(law for law in known_laws if law is not None)
        state, tally = seen.played.state, seen.tally
        if weighed is not None:
            weighed.bet = max(weighed.bet, game.money(state, seat).staked)
    known = parts.adviser.expect is not None and rounds == tally.rounds
    return Fold(
        rounds=tally.rounds,
        wagered=game.unit * tally.wagered,
        won=game.unit * tally.won,
        best=max(nets, default=None),
        worst=min(nets, default=None),
        run=longest(nets),
        mistakes=None if weighed is None else len(weighed.slips),
        cost=str(game.unit * cost_of(weighed.slips if weighed else ())),
        mean=str(game.unit * expected.mean) if known else None,
        variance=str(game.unit**2 * expected.variance) if known else None,
        tally=encode(tally).decode(),
        score=parts.score(game.view(state, seat), seat) if parts.score else None,
        course=() if parts.score else course_of(nets),
        laws=tuple(
            (tuple((game.unit * back, chance) for back, chance in law), count)
            for law, count in laws.items()
        ),
    )


def _weigh(
    choices: Choices,
    parts: Parts[O, S, A, E, T],
    seat: Seat,
    state: S,
    tally: T,
    played: Played[S, A, E],
) -> None:
    """Add the choice of a step, if it is one, from the state and the seat's tally before it."""
    chosen, line = played.action, played.line
    if isinstance(chosen, Shoe | Deal) or line.by != seat:
        return
    seen, number = parts.game.view(state, seat), tally.rounds + 1
    mistake = judged(parts.adviser.judge, parts, seat, state, played)
    if mistake is not None:
        slip = slip_of(parts, seat, seen, chosen, mistake, step=line.n, round=number, at=line.at)
        choices.add(slip.spot, slip)
    elif (spot := spot_of(parts, seat, seen, chosen)) is not None:
        choices.add(spot, None)


def course_of(nets: Sequence[int]) -> tuple[int, ...]:
    """Give what rounds had brought together after some of them, evenly spread, and after all."""
    count, so_far = min(len(nets), COURSE), [*accumulate(nets)]
    return tuple(so_far[round(n * len(nets) / count) - 1] for n in range(1, count + 1))


def longest(nets: Iterable[int]) -> Run:
    """Give the longest runs among what was won (above 0) and lost (below) in this order."""
    runs = dict.fromkeys((True, False), 0)
    for won, group in groupby(net > 0 for net in nets if net):
        runs[won] = max(runs[won], sum(1 for _ in group))
    return Run(runs[True], runs[False])
