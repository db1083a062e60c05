"""Summaries of recorded sessions: each log is reviewed once, and the result is cached."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from itertools import accumulate, groupby, islice
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from ..engine.game import A, E, O, S, Seat
from ..gamekit.adviser import (
    ActFrequencies,
    ActionValue,
    Decision,
    Expectation,
    Mistake,
    MistakeKind,
    ValuesScope,
)
from ..gamekit.definition import GameDefinition, Games
from ..gamekit.tally import T
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..inputs.sanitize import plain
from ..structs import replace
from .cache import Cache, CacheWrite, key_of
from .clock import time_played
from .codec import Raw, decode, encode
from .log_catalog import CatalogEntry, SittingStatus, modified_at
from .log_header import HUMAN
from .log_review import LogReview, decision_at
from .replay import LogMismatch, log_options, replay_log
from .result_split import PlaySums, ResultSplit, SplitRounds
from .seat_steps import reviewed_seat, walk_steps
from .session_log import SessionLog, decode_end, read_log

if TYPE_CHECKING:
    from ..gamekit.distributions import ReturnDistribution


class LongestStreaks(Struct, frozen=True):
    """The longest streaks of rounds, or of sessions, that were won or lost.

    A round that pays back exactly the bet neither ends a streak nor makes it longer. ``first`` and
    ``last`` are the lengths of the first and the last streak, negative if it was lost, so that
    streaks of sessions that follow each other can be joined.
    """

    won: int
    lost: int
    first: int
    last: int

    def __add__(self, later: LongestStreaks) -> LongestStreaks:
        """Return the longest streaks of these results and the later ones."""
        if not self.last or not later.first:
            return self if self.last else later
        if (self.last > 0) is not (later.first > 0):
            won, lost = max(self.won, later.won), max(self.lost, later.lost)
            return LongestStreaks(won, lost, self.first, later.last)
        joined = self.last + later.first
        return LongestStreaks(
            max(self.won, later.won, joined),
            max(self.lost, later.lost, -joined),
            self.first if self.won and self.lost else joined,
            later.last if later.won and later.lost else joined,
        )


NO_STREAKS = LongestStreaks(0, 0, 0, 0)


class SittingSummary(Struct, frozen=True):
    """The result of a session for one seat, in cents; ``tally`` is the game's tally as JSON.

    ``score`` is the points of the seat and of the opponent, in a game for points. ``mistakes`` is
    the number of mistakes and ``cost`` their total cost, a fraction as text; before the choices are
    analysed, they are ``None`` and 0. ``best`` and ``worst`` are the net results of the best and
    worst round, or ``None`` without rounds.

    ``course`` contains the running net result after some evenly spaced rounds, at most
    :data:`MOST_CURVE_POINTS` of them, the last of which is the final round; it is empty in games
    for points. ``mean`` and ``variance`` are those of ``won`` by the exact odds, as fractions in
    text, or ``None`` if the game does not know them. ``laws`` are the distributions of the rounds,
    in cents, each with its number of rounds; empty if the game does not know them. ``plays`` are
    the results of all rounds without luck, or ``None`` if they are not known. ``played`` is the
    time played in milliseconds, without the time during which the table waited
    (:func:`.time_played`).
    """

    rounds: int
    wagered: int
    won: int
    best: int | None
    worst: int | None
    run: LongestStreaks
    mistakes: int | None
    cost: str
    mean: str | None
    variance: str | None
    tally: str
    score: tuple[int, int] | None
    course: tuple[int, ...]
    laws: tuple[tuple[tuple[tuple[int, float], ...], int], ...] = ()
    plays: PlaySums | None = None
    played: int = 0

    @property
    def net(self) -> int:
        """The amount won, or lost if it is negative."""
        return self.won - self.wagered

    def cost_in_units(self, unit: int) -> Fraction:
        """Return the cost of all mistakes in the game's units; a unit is ``unit`` cents."""
        return Fraction(self.cost) / unit

    @property
    def expectation(self) -> Expectation | None:
        """The expected return of the bets in cents, and its variance in cents squared."""
        if self.mean is None or self.variance is None:
            return None
        return Expectation(Fraction(self.mean), Fraction(self.variance))

    @property
    def split(self) -> ResultSplit | None:
        """The result split into luck and play; ``None`` if the luck of the rounds is not known."""
        if self.plays is None:
            return None
        return ResultSplit(
            self.plays.net,
            Fraction(self.plays.play),
            None if self.mistakes is None else self.plays.mistakes,
            Fraction(self.plays.cost),
            self.plays.rounds,
            self.plays.fair,
            self.plays.squares,
            self.plays.wagered,
            self.plays.costliest,
            self.score is not None,
        )

    @property
    def luck(self) -> float | None:
        """The return minus the expected return, in standard deviations; ``None`` if not known."""
        known = self.expectation
        if known is None or not known.variance:
            return None
        return float(self.won - known.mean) / sqrt(known.variance)

    @property
    def as_bad(self) -> float | None:
        """The chance of a result this bad or worse; ``None`` as in :func:`chance_of_result`."""
        return chance_of_result(dict(self.laws), self.won)


MOST_CURVE_POINTS = 32
"""The largest number of running net results in a summary."""
MOST_ALTERNATIVES = 5
"""The largest number of stored alternatives to a mistake, besides the choice itself."""
MOST_EXACT_ROUNDS = 10_000
"""With more rounds than this, the normal distribution is used instead of the exact one."""

WrittenDecision: TypeAlias = Decision[str, str]
"""A decision with its choice and the best choice as text, in which cards are letters."""
_Packed: TypeAlias = tuple[
    int, int, int, int, int, str, str, str, str, str, tuple[tuple[str, float, float], ...]
]
"""A mistake in the cache: seat, step, round, time, bet, spot, slip, cost, action, best, values."""


def chance_of_result(distributions: Mapping[ReturnDistribution, int], won: int) -> float | None:
    """Return the chance that rounds with these distributions pay ``won`` cents or less.

    Return ``None`` without rounds, and for more than :data:`MOST_EXACT_ROUNDS`, because the normal
    distribution is then close enough.
    """
    if not 0 < sum(distributions.values()) <= MOST_EXACT_ROUNDS:
        return None
    from ..gamekit.distributions import chance_at_most  # late: numpy

    return chance_at_most(distributions, won)


class ExclusionReason(Enum):
    """The reasons why a session does not count."""

    NOT_ENDED = "not ended"
    DAMAGED = "damaged"
    UNKNOWN = "of an unknown game"
    COMPUTERS = "played by computers alone"
    SHARED = "played by several at one keyboard"
    CONTINUED = "continued in another log after a choice was taken back"


class ReviewedLog(Struct, frozen=True):
    """A log with its summary, or with the reason why it was left out.

    ``fault`` describes the damage of a damaged log.

    With analysed choices, ``mistakes`` lists the mistakes in words; ``spots``, ``acts`` and ``bet``
    are those of :class:`.LogReview`.
    """

    entry: CatalogEntry
    summary: SittingSummary | None = None
    left_out: ExclusionReason | None = None
    fault: str | None = None
    mistakes: tuple[WrittenDecision, ...] = ()
    spots: Mapping[str, int] = field(default_factory=dict)
    acts: ActFrequencies = field(default_factory=dict)
    bet: int = 0


class _Choices(Struct, frozen=True):
    """The choices of a log as they are cached; :func:`_pack` packs the mistakes."""

    mistakes: tuple[_Packed, ...]
    spots: dict[str, int]
    acts: ActFrequencies
    bet: int


class _Cached(Struct, frozen=True):
    """The cached review of a log. Its choices are decoded only on request.

    They are ``null`` until they are analysed.
    """

    summary: SittingSummary
    choices: Raw


class ReviewCancelled(Exception):
    """Raised when the review of a log is no longer needed."""


REVIEW_FAILED = "its game cannot read it"
_BATCH = 100  # reviews stored in one transaction: storing one takes longer than reviewing it


def review_logs(
    entries: Iterable[CatalogEntry],
    games: Games,
    cache: Cache,
    *,
    unfinished: bool = False,
    choices: bool = False,
    still: Callable[[], bool] = lambda: True,
) -> Generator[ReviewedLog, None, None]:
    """Review logs one by one, quickly if they are in the cache. This function never raises.

    Unfinished sessions are left out; with ``unfinished`` they are reviewed up to their last step.
    With ``choices`` the choices are analysed, which may take a long time. The iterator ends early
    when ``still`` returns false. The caller may stop at any time; finished reviews stay in the
    cache.
    """
    cached = cache.reviews()
    unsaved: list[CacheWrite] = []
    try:
        for entry in entries:
            key = (key_of(entry.path), entry.size, entry.touched)
            left_out = _left_out(entry, games)
            if unfinished and left_out in (ExclusionReason.NOT_ENDED, ExclusionReason.CONTINUED):
                left_out = _left_out(replace(entry, ending=SittingStatus.LEFT), games)
            if left_out or entry.game is None:
                yield ReviewedLog(entry, None, left_out, entry.fault)
                continue
            if (hit := _decoded(entry, cached.get(key), choices=choices)) is not None:
                yield hit
                continue
            try:
                definition = games[entry.game]
                summary, review, mistakes = review_log(
                    definition, entry.path, choices=choices, still=still
                )
                now = os.stat(entry.path)
            except ReviewCancelled:
                return
            except Exception as error:  # one bad log must not stop the others
                yield ReviewedLog(entry, None, ExclusionReason.DAMAGED, _reason(error))
                continue
            packed = tuple(map(_pack, mistakes))
            counts = dict(review.spots), review.acts
            weighed = _Choices(packed, *counts, review.bet) if choices else None
            if (now.st_size, modified_at(now)) == key[1:]:
                raw = encode(_Cached(summary, Raw(encode(weighed))))
                unsaved.append((entry.path, entry.size, entry.touched, raw))
            if len(unsaved) >= _BATCH:
                cache.keep_reviews(unsaved)
                unsaved = []
            yield _reviewed(entry, summary, weighed)
    finally:
        if unsaved:
            cache.keep_reviews(unsaved)


def _decoded(entry: CatalogEntry, raw: bytes | None, *, choices: bool) -> ReviewedLog | None:
    """Decode the cached review of a log; ``None`` if it is missing, damaged or lacks choices."""
    try:
        if raw is None:
            return None
        cached = decode(raw, _Cached)
        weighed = decode(bytes(cached.choices), _Choices) if choices else None
        return _reviewed(entry, cached.summary, weighed)
    except ValueError:
        return None  # the caller reviews the log again


def known_mistakes(path: Path, cache: Cache) -> frozenset[int] | None:
    """Return the cached steps of a log's mistakes; ``None`` if they are not known."""
    with suppress(OSError, ValueError):
        now = os.stat(path)
        raw = cache.review(path, now.st_size, modified_at(now))
        choices = decode(bytes(decode(raw, _Cached).choices), _Choices) if raw else None
        return None if choices is None else frozenset(one[1] for one in choices.mistakes)
    return None


def _reviewed(
    entry: CatalogEntry, summary: SittingSummary, weighed: _Choices | None
) -> ReviewedLog:
    if weighed is None:
        return ReviewedLog(entry, summary)
    mistakes = tuple(_unpack(entry, packed) for packed in weighed.mistakes)
    counts = weighed.spots, weighed.acts
    return ReviewedLog(entry, summary, None, None, mistakes, *counts, weighed.bet)


def _pack(decision: WrittenDecision) -> _Packed:
    assert decision.mistake is not None, "only mistakes are stored one by one"
    values = tuple((each.action, float(each.value), each.error) for each in decision.values)
    where = (decision.seat, decision.step, decision.round, decision.at, decision.bet)
    kind, cost = decision.mistake.kind, str(decision.mistake.cost)
    actions = (decision.action, decision.mistake.best)
    return (*where, kind.spot, kind.slip, cost, *actions, values)


def _unpack(entry: CatalogEntry, packed: _Packed) -> WrittenDecision:
    seat, step, number, at, bet, spot, slip, cost, action, best, values = packed
    numerator, _, denominator = cost.partition("/")  # Fraction reads text slowly
    mistake = Mistake(
        Fraction(int(numerator), int(denominator or 1)), best, MistakeKind(spot, slip)
    )
    listed = tuple(ActionValue(*each) for each in values)
    where = (step, number, at, entry.game or "", entry.path, bet)
    return Decision(Seat(seat), "", action, spot, mistake, listed, *where)


def _reason(error: Exception) -> str:
    match error:
        case BadFile():
            return error.reason if error.line is None else f"line {error.line}: {error.reason}"
        case BadInput() | LogMismatch() | OSError():
            return plain(str(error))
    return plain(f"{REVIEW_FAILED}: {type(error).__name__}: {error}")


def _left_out(entry: CatalogEntry, games: Games) -> ExclusionReason | None:
    if entry.fault is not None:
        return ExclusionReason.DAMAGED
    if not entry.finished:
        return ExclusionReason.NOT_ENDED
    if entry.ending is SittingStatus.TAKEN_BACK:
        return ExclusionReason.CONTINUED
    if entry.game not in games:
        return ExclusionReason.UNKNOWN
    return None if HUMAN in entry.players else ExclusionReason.COMPUTERS


def review_log(
    definition: GameDefinition[O, S, A, E, T],
    path: Path,
    *,
    choices: bool = False,
    still: Callable[[], bool] = lambda: True,
) -> tuple[SittingSummary, LogReview[S, A], list[WrittenDecision]]:
    """Replay and review a whole log; return its summary, its review and its mistakes in words.

    If the session branches off another one, the steps copied from that one are not counted, unless
    it only continues the other one after a choice was taken back. With ``choices``, the choices of
    a finished session are analysed. Raises the errors of
    :func:`~tui_casino.records.replay.replay_log`, and :class:`ReviewCancelled` as soon as ``still``
    returns false.
    """
    game, log, adviser = definition.game, read_log(path), definition.adviser
    seat, options = reviewed_seat(log.header), log_options(game, log)
    state, tally = game.start(options), definition.tally(seat)
    analyses, table_bet = choices and log.over, adviser.bet(options)
    weighs = analyses and adviser.has_judge
    review, mistakes = LogReview[S, A](), list[WrittenDecision]()
    expected, known_rounds, distributions = Expectation(), 0, Counter["ReturnDistribution"]()
    steps = replay_log(game, log)
    parent = log.header.parent
    copied = islice(steps, parent.step if parent and not replaces_parent(log) else 0)
    in_round = False
    for taken_over in walk_steps(definition, seat, state, tally, copied):
        state = taken_over.played.state
        in_round = taken_over.ended is None and (in_round or taken_over.played.is_deal)
    plays = SplitRounds(definition, seat, log.header.players, in_round) if analyses else None
    at, played = log.header.at, 0
    for step in walk_steps(definition, seat, state, tally, steps):
        played += time_played(at, step.played.line.at)
        at = step.played.line.at
        state, tally = step.played.state, step.tally
        if weighs and not still():
            raise ReviewCancelled
        decision = decision_at(definition, seat, step, ValuesScope.OF_MISTAKES) if weighs else None
        review.add(definition, seat, step, decision)
        if decision is not None and decision.mistake is not None:
            in_words = _in_words(definition, decision)
            mistakes.append(replace(in_words, bet=table_bet or step.opening_bet))
        mean: Fraction | None = None
        for event in step.played.events:
            if adviser.expect is not None and (rest := adviser.expect(options, event)) is not None:
                expected, known_rounds, mean = expected + rest, known_rounds + 1, rest.mean
            if (
                adviser.distribution is not None
                and (distribution := adviser.distribution(options, event)) is not None
            ):
                distributions[distribution] += 1
        if plays is not None:
            plays.add(step, decision, mean)
    nets = [game.unit * (one.won - one.wagered) for one in review.rounds]
    expected_known = adviser.expect is not None and known_rounds == tally.rounds
    summary = SittingSummary(
        rounds=tally.rounds,
        wagered=game.unit * tally.wagered,
        won=game.unit * tally.won,
        best=max(nets, default=None),
        worst=min(nets, default=None),
        run=longest_streaks(nets),
        mistakes=len(review.mistakes) if weighs else None,
        cost=str(game.unit * review.cost),
        mean=str(game.unit * expected.mean) if expected_known else None,
        variance=str(game.unit**2 * expected.variance) if expected_known else None,
        tally=encode(tally).decode(),
        score=definition.points.score(game.view(state, seat), seat) if definition.points else None,
        course=() if definition.points else bankroll_curve(nets),
        laws=tuple(
            (tuple((game.unit * back, chance) for back, chance in distribution), count)
            for distribution, count in distributions.items()
        ),
        plays=plays.sums if plays is not None else None,
        played=played + (time_played(at, end.at) if (end := decode_end(log.last)) else 0),
    )
    return summary, review, mistakes


def replaces_parent(log: SessionLog) -> bool:
    """Return whether a log continues its parent log because a choice there was taken back.

    The parent log then no longer counts. A later branch off the same log does not replace it.
    """
    if log.header.parent is None:
        return False
    with suppress(BadFile):
        parent = read_log(log.path.parent / Path(log.header.parent.log).name)
        end = decode_end(parent.last)
        return end is not None and not end.end.final and log.header.at <= end.at
    return False


def _in_words(
    definition: GameDefinition[O, S, A, E, T], decision: Decision[S, A]
) -> WrittenDecision:
    """Describe a mistake in words, so that lists of mistakes need neither the game nor the log.

    The result contains only the values of the best alternatives and of the choice itself.
    """
    view, seat, action = decision.view, decision.seat, decision.action

    def words(one: A) -> str:
        return plain(definition.format_action(view, seat, one))

    values = enumerate(decision.values)
    listed = [one for n, one in values if n < MOST_ALTERNATIVES or one.action == action]
    mistake = Mistake(decision.cost, words(decision.best), decision.kind)
    written = tuple(ActionValue(words(one.action), float(one.value), one.error) for one in listed)
    where = (decision.step, decision.round, decision.at)
    return Decision(seat, "", words(action), decision.spot, mistake, written, *where)


def bankroll_curve(nets: Sequence[int]) -> tuple[int, ...]:
    """Return the running net result after some evenly spaced rounds, and after all of them."""
    count, so_far = min(len(nets), MOST_CURVE_POINTS), [*accumulate(nets)]
    return tuple(so_far[round(n * len(nets) / count) - 1] for n in range(1, count + 1))


def longest_streaks(nets: Iterable[int]) -> LongestStreaks:
    """Return the longest streaks of results above 0 and below 0, in the order of play."""
    streaks = NO_STREAKS
    for won, group in groupby(net > 0 for net in nets if net):
        length = sum(1 for _ in group)
        ends = (length, length) if won else (-length, -length)
        streaks += LongestStreaks(length * won, length * (not won), *ends)
    return streaks


def costliest(mistakes: Iterable[WrittenDecision], most: int = 3) -> tuple[WrittenDecision, ...]:
    """Return at most ``most`` mistakes, the costliest first."""
    return tuple(sorted(mistakes, key=lambda mistake: -mistake.cost)[:most])
