"""What each recorded session comes to: its log is reviewed once, and the summary is cached."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from itertools import accumulate, groupby, islice
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ..engine.game import A, E, O, S, Seat
from ..gamekit.adviser import Decision, Expectation, Kind, Mistake, Values, Worth
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..inputs.plain import plain
from .cache import Cache, Keeping, key_of
from .codec import Raw, decode, encode
from .header import HUMAN
from .log import read
from .replay import Differs, options_of, replay
from .review import Review, decision_at
from .shelf import Ending, Entry, Games, touched
from .walk import seat_of, walk

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
class Summary:
    """A session of one seat, in cents; ``tally`` is the game's own, as JSON.

    ``score`` is the points of the seat and of the opponent, in a game that is played for them.
    ``mistakes`` counts them and ``cost`` is what they cost on average; ``None`` until the choices
    were weighed. ``best`` and ``worst`` are the nets of rounds, ``None`` if there was none.
    ``course`` holds the nets after some of the rounds, :data:`COURSE` at most, evenly spread, the
    last after all of them; a game for points has none. ``mean`` and ``variance`` of ``won`` are
    fractions as text, by the exact odds: ``None`` where the game does not know them. ``laws`` are
    the distributions of its rounds, in cents, each with its number of rounds; empty where they are
    not known.
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
"""How many nets of a session are kept."""
KEPT = 5
"""How many of the best alternatives of a mistake are kept, besides what was done."""
SHORT = 10_000
"""Rounds up to which the exact distribution is asked; beyond it is near the normal curve."""

WrittenDecision: TypeAlias = Decision[str, str]
"""A decision in words: what was done and what was best, with cards by their letters."""
_Packed: TypeAlias = tuple[
    int, int, int, int, str, str, str, str, str, tuple[tuple[str, float, float], ...]
]
"""A mistake as it is cached: seat, step, round, time, spot, slip, cost, action, best, values."""


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
class Reviewed:
    """A log of the shelf with its summary, or why it has none; ``fault`` is where it is damaged.

    If the choices were asked for, ``mistakes`` are those among them, in words; ``spots`` counts all
    choices by where they were made, and ``bet`` is the most at stake at once, as :class:`.Review`
    has them.
    """

    entry: Entry
    summary: Summary | None = None
    left_out: LeftOut | None = None
    fault: str | None = None
    mistakes: tuple[WrittenDecision, ...] = ()
    spots: Mapping[str, int] = field(default_factory=dict)
    bet: int = 0


@dataclass(frozen=True, slots=True)
class _Choices:
    """The choices of a log as they are cached; the mistakes packed by :func:`_packed`."""

    mistakes: tuple[_Packed, ...]
    spots: dict[str, int]
    bet: int


@dataclass(frozen=True, slots=True)
class _Cached:
    """What is cached of a log; its choices are read only if they are asked for.

    They are ``null`` until they were weighed.
    """

    summary: Summary
    choices: Raw


class NoLongerWanted(Exception):
    """Nobody waits any more for what a log comes to."""


UNEXPECTED = "its game does not know what to make of it"
_A_SAVE = 100  # logs that are kept together: to keep one takes longer than to review it


def review_all(
    found: Iterable[Entry],
    games: Games,
    cache: Cache,
    *,
    unfinished: bool = False,
    choices: bool = False,
    still: Callable[[], bool] = lambda: True,
) -> Generator[Reviewed, None, None]:
    """Review logs one by one, quickly where the cache has them; nothing raises.

    Unfinished sessions are left out, unless they are wanted as far as they go. With ``choices``
    those are weighed, too, which may take long: it ends early once ``still`` says no. The iterator
    may be left at any time; what it has reviewed is kept.
    """
    cached = cache.reviews()
    unsaved: list[Keeping] = []
    try:
        for entry in found:
            key = (key_of(entry.path), entry.size, entry.touched)
            left_out = _left_out(entry, games)
            if unfinished and left_out is LeftOut.NOT_ENDED:
                left_out = _left_out(replace(entry, ending=Ending.LEFT), games)
            if left_out or entry.game is None:
                yield Reviewed(entry, None, left_out, entry.fault)
                continue
            if (known := _known(entry, cached.get(key), choices=choices)) is not None:
                yield known
                continue
            try:
                parts = games[entry.game]()
                summary, review, mistakes = review_log(
                    parts, entry.path, choices=choices, still=still
                )
                now = os.stat(entry.path)
            except NoLongerWanted:
                return
            except Exception as error:  # a log must spoil nothing but itself
                yield Reviewed(entry, None, LeftOut.DAMAGED, _why(error))
                continue
            packed = tuple(map(_packed, mistakes))
            told = _Choices(packed, dict(review.spots), review.bet)
            if (now.st_size, touched(now)) == key[1:]:
                raw = encode(_Cached(summary, Raw(encode(told if choices else None))))
                unsaved.append((entry.path, entry.size, entry.touched, raw))
            if len(unsaved) >= _A_SAVE:
                cache.keep_reviews(unsaved)
                unsaved = []
            yield _reviewed(entry, summary, told if choices else None)
    finally:
        if unsaved:
            cache.keep_reviews(unsaved)


def _known(entry: Entry, raw: bytes | None, *, choices: bool) -> Reviewed | None:
    """Read what is cached of a log; ``None`` if that is not enough, or cannot be read."""
    try:
        if raw is None:
            return None
        cached = decode(raw, _Cached)
        told = decode(bytes(cached.choices), _Choices) if choices else None
        return _reviewed(entry, cached.summary, told)
    except ValueError:
        return None  # it is reviewed again


def known_mistakes(path: Path, cache: Cache) -> frozenset[int] | None:
    """Return the steps of a log's mistakes as they are cached; ``None`` if that is not known."""
    with suppress(OSError, ValueError):
        now = os.stat(path)
        raw = cache.review(path, now.st_size, touched(now))
        choices = decode(bytes(decode(raw, _Cached).choices), _Choices) if raw else None
        return None if choices is None else frozenset(one[1] for one in choices.mistakes)
    return None


def _reviewed(entry: Entry, summary: Summary, told: _Choices | None) -> Reviewed:
    if told is None:
        return Reviewed(entry, summary)
    mistakes = tuple(_unpacked(entry, one) for one in told.mistakes)
    return Reviewed(entry, summary, None, None, mistakes, told.spots, told.bet)


def _packed(one: WrittenDecision) -> _Packed:
    assert one.mistake is not None, "only mistakes are kept one by one"
    values = tuple((each.action, float(each.value), each.error) for each in one.values)
    kind, cost = one.mistake.kind, str(one.mistake.cost)
    told = (one.action, one.mistake.best)
    return (one.seat, one.step, one.round, one.at, kind.spot, kind.slip, cost, *told, values)


def _unpacked(entry: Entry, packed: _Packed) -> WrittenDecision:
    seat, step, number, at, spot, slip, cost, action, best, values = packed
    above, _, below = cost.partition("/")  # a text is read by an expression, slowly
    mistake = Mistake(Fraction(int(above), int(below or 1)), best, Kind(spot, slip))
    listed = tuple(Worth(*each) for each in values)
    where = (step, number, at, entry.game or "", entry.path)
    return Decision(Seat(seat), "", action, spot, mistake, listed, *where)


def _why(error: Exception) -> str:
    match error:
        case BadFile():
            return error.why if error.line is None else f"line {error.line}: {error.why}"
        case BadInput() | Differs() | OSError():
            return plain(str(error))
    return plain(f"{UNEXPECTED}: {type(error).__name__}: {error}")


def _left_out(entry: Entry, games: Games) -> LeftOut | None:
    if entry.fault is not None:
        return LeftOut.DAMAGED
    if not entry.finished:
        return LeftOut.NOT_ENDED
    if entry.game not in games:
        return LeftOut.UNKNOWN
    return None if HUMAN in entry.players else LeftOut.COMPUTERS


def review_log(
    parts: Parts[O, S, A, E, T],
    path: Path,
    *,
    choices: bool = False,
    still: Callable[[], bool] = lambda: True,
) -> tuple[Summary, Review[S, A], list[WrittenDecision]]:
    """Replay and review a whole log; the mistakes also in words.

    Steps that a session took over from the one that it goes on from count there, not here. The
    ``choices`` of a session that is over are weighed by the game's judge. Raises as
    :func:`~tui_casino.records.replay.replay`, and :class:`NoLongerWanted` if ``still`` says so
    meanwhile.
    """
    game, log, adviser = parts.game, read(path), parts.adviser
    seat, options = seat_of(log.header), options_of(game, log)
    state, tally = game.start(options), parts.tally(seat)
    weighs = choices and log.over and adviser.judges
    review, mistakes = Review[S, A](), list[WrittenDecision]()
    expected, known_rounds, laws = Expectation(), 0, Counter["Law"]()
    steps = replay(game, log)
    for taken_over in islice(steps, log.header.parent.step if log.header.parent else 0):
        state = taken_over.state
    for step in walk(parts, seat, state, tally, steps):
        state, tally = step.played.state, step.tally
        if weighs and not still():
            raise NoLongerWanted
        decision = decision_at(parts, seat, step, Values.OF_MISTAKES) if weighs else None
        review.add(parts, seat, step, decision)
        if decision is not None and decision.mistake is not None:
            mistakes.append(_written(parts, decision))
        for event in step.played.events:
            if adviser.expect is not None and (more := adviser.expect(options, event)) is not None:
                expected, known_rounds = expected + more, known_rounds + 1
            if adviser.law is not None and (law := adviser.law(options, event)) is not None:
                laws[law] += 1
    nets = [game.unit * (one.won - one.wagered) for one in review.rounds]
    known = adviser.expect is not None and known_rounds == tally.rounds
    summary = Summary(
        rounds=tally.rounds,
        wagered=game.unit * tally.wagered,
        won=game.unit * tally.won,
        best=max(nets, default=None),
        worst=min(nets, default=None),
        run=longest(nets),
        mistakes=len(review.mistakes) if weighs else None,
        cost=str(game.unit * review.cost),
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
    return summary, review, mistakes


def _written(parts: Parts[O, S, A, E, T], decision: Decision[S, A]) -> WrittenDecision:
    """Put a mistake into words that name cards: a list of mistakes needs no game and no log.

    It has the best alternatives, and what was done among them.
    """
    view, seat, action = decision.view, decision.seat, decision.action

    def said(one: A) -> str:
        return plain(parts.spoken(view, seat, one))

    values = enumerate(decision.values)
    listed = [one for n, one in values if n < KEPT or one.action == action]
    mistake = Mistake(decision.cost, said(decision.best), decision.kind)
    written = tuple(Worth(said(one.action), float(one.value), one.error) for one in listed)
    where = (decision.step, decision.round, decision.at)
    return Decision(seat, "", said(action), decision.spot, mistake, written, *where)


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
