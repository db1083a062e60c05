"""Replay a log by the rules, rerun it with croupier and players, and verify it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import lru_cache, partial
from typing import Any, Generic

from msgspec import Struct

from ..engine.chance import ChanceSource, make_source
from ..engine.croupier import OutOfCards, make_croupier
from ..engine.event_bus import Recorder
from ..engine.game import (
    A,
    Chance,
    ComputerPlayer,
    Deal,
    E,
    Game,
    IllegalAction,
    O,
    Refusal,
    S,
    Seat,
    Shoe,
    apply_action,
)
from ..engine.seating import SHARED
from ..engine.table import Table
from ..gamekit.action_grammar import format_command
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..inputs.files import BadFile
from ..inputs.numbers import count_noun
from ..inputs.sanitize import plain as plain_text
from .codec import build_named, build_struct, decode, encode, name_and_fields, to_builtins
from .ledger import NO_CHECKPOINT, LogCheckpoint
from .log_header import HUMAN
from .session_log import SessionLog, StepLine, decode_steps, line_hash


class LogMismatch(ValueError):
    """A log differs from the rules or the shuffle; ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, plain_text(reason)
        super().__init__(f"line {line}: {self.reason}")


class ReplayedStep(Struct, Generic[S, A, E], frozen=True):
    """A replayed step: its line, its action, and the resulting state and events.

    In the log of a seat, the action of others is ``None``.
    """

    line: StepLine
    action: A | Chance | None
    state: S
    events: tuple[E, ...]

    @property
    def is_deal(self) -> bool:
        """Whether the croupier dealt a card."""
        return self.line.by is None and self.line.do.get("is") == Deal.__name__


def log_options(game: Game[O, S, A, E], log: SessionLog) -> O:
    """Return the options of a log. Raises :class:`BadFile`."""
    if log.header.game != game.slug:
        raise BadFile(log.path, f"it is a log of {log.header.game}, not of {game.slug}", 1)
    try:
        options = build_struct(log.header.options, game.Options)
        if len(log.header.players) != game.seats(options):
            raise ValueError(f"the table has {game.seats(options)} players")
    except ValueError as error:
        raise BadFile(log.path, f"the options are invalid: {error}", 1) from None
    return options


def step_action(game: Game[O, S, A, E], log: SessionLog, line: StepLine) -> A | Chance:
    """Return the action of a step. Raises :class:`BadFile`."""
    kinds: tuple[type[Any], ...] = (Shoe, Deal) if line.by is None else game.actions
    try:
        do = encode(line.do)
        action: A | Chance = (_named if len(do) <= _SHORT else _named.__wrapped__)(do, kinds)
    except ValueError as error:
        raise BadFile(log.path, f"not an action of {game.slug}: {error}", line.n + 1) from None
    return action


_SHORT = 200  # bytes of an action; longer actions do not occur in the games and are not cached


MOST_EXACT = 1 << 53
"""The largest integer up to which every reader of JSON has all integers exactly."""


@lru_cache(maxsize=4096)
def _named(do: bytes, kinds: tuple[type[Any], ...]) -> Any:
    """Return an action from its JSON; cached, because there are few different actions."""
    return build_named(decode(do, dict), kinds)


def replay_log(game: Game[O, S, A, E], log: SessionLog) -> Iterator[ReplayedStep[S, A, E]]:
    """Replay the log's actions by the rules; neither the seed nor the players are needed.

    Raises :class:`LogMismatch` at a step that the rules refuse or whose events differ, and
    :class:`BadFile` at a line that cannot be read, after yielding the steps before it.
    """
    return replay_from(game, log, game.start(log_options(game, log)), log.steps())


def replay_from(
    game: Game[O, S, A, E], log: SessionLog, state: S, lines: Iterable[StepLine]
) -> Iterator[ReplayedStep[S, A, E]]:
    """Replay these lines of a log from the state before them.

    Raises the errors of :func:`replay_log`.
    """
    if log.header.seat is not None:
        yield from _seen_steps(game, log, state, lines)
        return
    for line in lines:
        action = step_action(game, log, line)
        by = None if line.by is None else Seat(line.by)
        try:
            step = apply_action(game, state, by, action)
        except IllegalAction as refused:
            raise LogMismatch(line.n + 1, f"the rules refuse this step: {refused.reason}") from None
        _check_events(line, step.events)
        state = step.state
        yield ReplayedStep(line, action, state, step.events)


def _seen_steps(
    game: Game[O, S, A, E], log: SessionLog, state: S, lines: Iterable[StepLine]
) -> Iterator[ReplayedStep[S, A, E]]:
    """Yield the steps of a table as a seat saw them; no rules can be applied to hidden cards."""
    plain = to_builtins(state)
    for line in lines:
        try:
            plain |= _checked_integers(line.view or {})
            state = build_struct(plain, type(state))
            events = tuple(build_named(event, game.events) for event in line.ev)
            is_own = line.by is not None and line.by == log.header.seat
            own = build_named(line.do, game.actions) if is_own else None
        except ValueError as error:
            raise BadFile(log.path, f"not a step of {game.slug}: {error}", line.n + 1) from None
        yield ReplayedStep(line, own, state, events)


def _checked_integers(value: Any) -> Any:
    """Return a JSON value if all its integers are exact in JSON; else raise ``ValueError``."""
    if isinstance(value, int) and abs(value) > MOST_EXACT:
        raise ValueError(f"{value} is too large; integers are at most {MOST_EXACT}")
    parts = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list):
        for part in parts:
            _checked_integers(part)
    return value


def _check_events(line: StepLine, events: tuple[object, ...]) -> None:
    if encode(tuple(map(name_and_fields, events))) != encode(line.ev):
        raise LogMismatch(line.n + 1, "by the rules, this step has other events")


def make_table(
    definition: GameDefinition[O, S, A, E, T],
    log: SessionLog,
    source: ChanceSource,
    recorder: Recorder[A, E] | None = None,
) -> Table[O, S, A, E]:
    """Return the table at which a log began. Raises :class:`BadFile`."""
    options = log_options(definition.game, log)
    croupier = make_croupier(log.header.croupier)
    return Table(
        definition.game, options, croupier, source, make_players(definition, log), recorder
    )


def make_players(
    definition: GameDefinition[O, S, A, E, T], log: SessionLog
) -> dict[Seat, ComputerPlayer[S, A] | None]:
    """Return new computer players for a log. Raises :class:`BadFile` for an unknown one."""
    players: dict[Seat, ComputerPlayer[S, A] | None] = {}
    for seat, name in enumerate(log.header.players):
        if name != HUMAN and name not in definition.players:
            names = ", ".join((HUMAN, *definition.players))
            raise BadFile(log.path, f"unknown player {name!r}; the players are {names}", 1)
        players[Seat(seat)] = None if name == HUMAN else definition.players[name]()
    return players


def rerun_log(
    table: Table[O, S, A, E], log: SessionLog, ask_players: bool = True, first: int = 1
) -> None:
    """Play a log again at a new table: croupier and computer players act, humans follow the log.

    Afterwards the table, its croupier and its source are in the state in which the log ends.
    ``ask_players=False`` also takes the computer players' choices from the log. That is faster, and
    correct if the source gives each choice its own random numbers. The log may begin with the step
    ``first``, if the table has played those before it. Raises :class:`LogMismatch` and
    :class:`BadFile`.
    """
    for line in decode_steps(log.path, log.lines, first):
        action = step_action(table.game, log, line)
        by = None if line.by is None else Seat(line.by)
        human = by is not None and table.players.get(by) is None
        try:
            if human and not table.waiting:  # a computer player has to choose first
                raise IllegalAction(Refusal.TURN)
            if by is None or (ask_players and not human):
                actor, answer = table.ask()
                if (actor, answer) != (by, action):
                    raise LogMismatch(line.n + 1, _otherwise(log, action, answer))
            _check_events(line, table.play(by, action))
        except IllegalAction as refused:
            raise LogMismatch(line.n + 1, f"the rules refuse this step: {refused.reason}") from None
        except (OutOfCards, RuntimeError):
            raise LogMismatch(line.n + 1, "the croupier has no cards to deal here") from None


def _otherwise(log: SessionLog, action: object, answer: object) -> str:
    """Say what the log has and what would be correct; hide the cards of an open session."""
    if not log.over:
        return "the log differs here from what was dealt or chosen"
    logged, correct = format_command(action, {}), format_command(answer, {})
    return f"the log has {logged}, but the correct step is {correct}"


class ProofLevel(Enum):
    """How far a log has been proved."""

    AUTHENTIC = "authentic"
    CONSISTENT = "consistent"
    DIFFERS = "differs"


class Verification(Struct, frozen=True):
    """The result of :func:`verify_log`: the proof, the correct steps, and the first wrong line.

    ``checkpoint`` is the ledger's checkpoint that the log was compared with.
    """

    proof: ProofLevel
    steps: int
    shuffle_checked: bool
    line: int | None = None
    reason: str | None = None
    checkpoint: LogCheckpoint | None = None


def verify_log(
    definition: GameDefinition[O, S, A, E, T],
    log: SessionLog,
    checkpoint: LogCheckpoint | None = None,
    source: ChanceSource | None = None,
) -> Verification:
    """Check the hash chain, the rules, the result and, once the seed is revealed, every card.

    ``checkpoint`` comes from the ledger. A log that passes every check is authentic if the
    checkpoint has the hash of its last line, and otherwise only consistent. ``source`` is the
    source of a daily deal, which is also used if the log does not reveal its seed. Raises
    :class:`BadFile` if the log cannot be played at all.
    """
    log_options(definition.game, log)
    is_seen = log.header.seat is not None
    if not is_seen:
        make_players(definition, log)
    faults: list[LogMismatch] = []
    checks: tuple[Callable[[SessionLog], None], ...] = (
        check_chain,
        partial(_check_rules, definition),
        partial(check_checkpoint, checkpoint=checkpoint or NO_CHECKPOINT),
    )
    for check in checks:
        try:
            check(log)
        except LogMismatch as fault:
            faults.append(fault)
    try:
        source = source_of_log(log) or source
        if source is not None and source.spec != log.header.source:
            raise LogMismatch(1, "the seed does not match the commitment")
    except LogMismatch as fault:
        source = None
        faults.append(fault)
    if source is not None and not is_seen:
        table = make_table(definition, log, source)
        try:
            rerun_log(table, log)
        except LogMismatch as fault:
            faults.append(fault)
        except BadFile:
            pass  # the check of the rules has reported this line
    checked = source is not None and not is_seen
    if not faults:
        whole = checkpoint is not None and checkpoint.last is not None
        proof = ProofLevel.AUTHENTIC if whole else ProofLevel.CONSISTENT
        return Verification(proof, len(log.lines), checked, checkpoint=checkpoint)
    first = min(faults, key=lambda fault: fault.line)
    steps = min(max(first.line - 2, 0), len(log.lines))
    return Verification(ProofLevel.DIFFERS, steps, checked, first.line, first.reason, checkpoint)


def source_of_log(log: SessionLog) -> ChanceSource | None:
    """Return the source of a log; ``None`` if its seed is only revealed at the end.

    The log of a daily deal on a server never reveals its seed, because others still play the deal.
    That of a seat at a table with others does so only if it ends with the table.

    Raises :class:`LogMismatch` for a seed that is missing or does not match its commitment.
    """
    seeds = {1: log.header.seed}
    if log.end is not None:
        seeds[len(log.lines) + 2] = log.end.seed
    source = None
    for line, seed in seeds.items():
        try:
            made = make_source(log.header.source, bytes.fromhex(seed) if seed else None)
        except ValueError as error:
            raise LogMismatch(line, str(error)) from None
        if made is None and line > 1 and not (log.header.daily or log.header.table):
            raise LogMismatch(line, "it has ended, but does not reveal its seed")
        source = source or made
    return source


def check_chain(log: SessionLog) -> None:
    """Raise :class:`LogMismatch` at the first line without the hash of the line before."""
    lines = (log.first, *log.lines)
    for number, should, held in log.chain():
        if held != should:
            if lines[number - 2].endswith(b"\r"):
                reason = "it ends with CR LF instead of LF: another program has changed the file"
                raise LogMismatch(number - 1, reason)
            reason = "its hash is not that of the previous line" if held else "it cannot be read"
            raise LogMismatch(number, reason)


def check_checkpoint(log: SessionLog, checkpoint: LogCheckpoint) -> None:
    """Raise :class:`LogMismatch` at the first line that differs from the ledger's checkpoint."""
    if checkpoint.head not in (None, log.head):
        raise LogMismatch(1, "the ledger recorded another first line")
    if checkpoint.mark is not None and checkpoint.steps > 0:
        if len(log.lines) < checkpoint.steps:
            reason = f"it ends here, but the ledger recorded {checkpoint.steps} steps"
            raise LogMismatch(len(log.lines) + 1, reason)
        if line_hash(log.lines[checkpoint.steps - 1]) != checkpoint.mark:
            raise LogMismatch(
                checkpoint.steps + 1, "the ledger recorded another step here or before it"
            )
    if checkpoint.last not in (None, log.hash) and not checkpoint.settled:
        raise LogMismatch(len(log.lines) + 2, "the ledger recorded a different last line")


def _check_rules(definition: GameDefinition[O, S, A, E, T], log: SessionLog) -> None:
    game = definition.game
    state = game.start(log_options(game, log))
    try:
        for played in replay_log(game, log):
            state = played.state
    except BadFile as error:
        raise LogMismatch(error.line or 1, error.reason) from None
    seats = range(len(log.header.players))
    money = [game.money(state, Seat(seat)) for seat in seats]
    if log.end and log.end.money != tuple(m.free + m.staked for m in money):
        raise LogMismatch(len(log.lines) + 2, "the result does not match the play")


def describe_line(log: SessionLog, line: int) -> str:
    """Return the name of a line of a log, counted from 1."""
    if line == 1:
        return "the header"
    return f"step {line - 1}" if line - 1 <= len(log.lines) else "the last line"


def describe_fault(verdict: Verification, log: SessionLog) -> str:
    """Return a text that says what is wrong and where: ``step 7: the rules refuse this step``."""
    return f"{describe_line(log, verdict.line or 1)}: {verdict.reason}"


def describe_shuffle(verdict: Verification, log: SessionLog) -> str:
    """Return a text that says what is known about the shuffle of a log's cards."""
    source = log.header.source
    if not verdict.shuffle_checked:
        if log.header.daily is not None:
            return "the seed is revealed after the day, so the cards could not be checked"
        if log.header.table is not None:
            return "the cards of others are not in it, so the shuffle could not be checked"
        return "the seed is not revealed yet, so the cards could not be checked"
    if log.header.croupier.name == "cards":
        return "the cards were given, not shuffled"
    if source.kind != "committed":
        return "every card follows from a seed that was chosen"
    word = " and the client seed" if source.word else ""
    if log.header.game.endswith(SHARED) and any(b'"entropy":"' in line for line in log.lines):
        word = " and the entropy of the seats"
    return f"every card follows from the committed seed{word}"


def describe_proof(verdict: Verification, log: SessionLog) -> str:
    """Return one line that says how far a log has been proved, or where it is wrong."""
    if verdict.proof is ProofLevel.DIFFERS:
        return f"{verdict.proof.value}: line {verdict.line}: {describe_fault(verdict, log)}"
    follow = "follows" if verdict.steps == 1 else "follow"
    rules = f"{count_noun(verdict.steps, 'step')} {follow} the rules"
    if log.header.seat is not None:
        rules = f"{count_noun(verdict.steps, 'step')} as seen from the seat"
    ledger = describe_checkpoint(verdict.checkpoint)
    if log.header.game.endswith(SHARED):
        ledger = "the ledger has the players' own logs"
    parts = (rules, describe_shuffle(verdict, log), ledger)
    return f"{verdict.proof.value}: {'; '.join(parts)}"


def describe_checkpoint(checkpoint: LogCheckpoint | None) -> str:
    """Return a text that says which lines of a log the ledger confirms."""
    if checkpoint is None:
        return "it has no ledger entry, like all free play"
    step = (
        f"step {checkpoint.steps}" if checkpoint.mark is not None and checkpoint.steps > 0 else None
    )
    lines = (
        "its first line" if checkpoint.head else None,
        "its last line" if checkpoint.last else step,
    )
    text = " and ".join(filter(None, lines))
    return f"the ledger confirms {text}" if text else "the ledger confirms none of its lines"


SEED_MATCHES = "the seed matches the commitment"


def describe_seed(log: SessionLog) -> str | None:
    """Say whether a log's revealed seed matches its commitment; ``None`` if either is missing."""
    origin, seed = log.header.source, log.end.seed if log.end and log.over else None
    if origin.kind != "committed" or log.header.croupier.name != "shuffled" or not seed:
        return None
    try:
        make_source(origin, bytes.fromhex(seed))
    except ValueError as error:
        return f"{error}: {seed}"
    return f"{SEED_MATCHES}: {seed}"


def first_clock_reversal(log: SessionLog) -> int | None:
    """Return the first step whose time is before that of the previous line; this is allowed."""
    before = log.header.at
    for step in log.steps():
        if step.at < before:
            return step.n
        before = step.at
    return None
