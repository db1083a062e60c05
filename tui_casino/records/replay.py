"""A log played again: replayed by the rules alone, rerun with croupier and players, verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from typing import Any, Generic

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
from ..engine.table import Table
from ..gamekit.action_grammar import format_command
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..inputs.files import BadFile
from ..inputs.sanitize import plain
from .codec import build_dataclass, build_named, decode, encode, name_and_fields
from .ledger import NO_CHECKPOINT, LogCheckpoint
from .log_header import HUMAN
from .session_log import SessionLog, StepLine, line_hash


class LogMismatch(ValueError):
    """A log says something else than the rules or the shuffle; ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, plain(reason)
        super().__init__(f"line {line}: {self.reason}")


@dataclass(frozen=True, slots=True)
class ReplayedStep(Generic[S, A, E]):
    """A step replayed: its line, the action, and the state and events that came of it."""

    line: StepLine
    action: A | Chance
    state: S
    events: tuple[E, ...]


def log_options(game: Game[O, S, A, E], log: SessionLog) -> O:
    """Read the options of a log. Raises :class:`BadFile`."""
    if log.header.game != game.slug:
        raise BadFile(log.path, f"it is a log of {log.header.game}, not of {game.slug}", 1)
    try:
        options = build_dataclass(log.header.options, game.Options)
        if len(log.header.players) != game.seats(options):
            raise ValueError(f"{game.seats(options)} players sit here")
    except ValueError as error:
        raise BadFile(log.path, f"the options cannot be used: {error}", 1) from None
    return options


def step_action(game: Game[O, S, A, E], log: SessionLog, line: StepLine) -> A | Chance:
    """Read the action of a step. Raises :class:`BadFile`."""
    kinds: tuple[type[Any], ...] = (Shoe, Deal) if line.by is None else game.actions
    try:
        do = encode(line.do)
        action: A | Chance = (_named if len(do) <= _SHORT else _named.__wrapped__)(do, kinds)
    except ValueError as error:
        raise BadFile(log.path, f"not an action of {game.slug}: {error}", line.n + 1) from None
    return action


_SHORT = 200  # bytes of an action: the games have no longer ones, and no longer one is kept


@lru_cache(maxsize=4096)
def _named(do: bytes, kinds: tuple[type[Any], ...]) -> Any:
    """Make an action from its JSON: there are few, and they come again and again."""
    return build_named(decode(do, dict), kinds)


def replay_log(game: Game[O, S, A, E], log: SessionLog) -> Iterator[ReplayedStep[S, A, E]]:
    """Play the log's actions by the rules, which needs no seed and no players.

    Raises :class:`LogMismatch` where the rules refuse an action or tell other events, and
    :class:`BadFile` where a line cannot be read; what came before has been given by then.
    """
    return replay_from(game, log, game.start(log_options(game, log)), log.steps())


def replay_from(
    game: Game[O, S, A, E], log: SessionLog, state: S, lines: Iterable[StepLine]
) -> Iterator[ReplayedStep[S, A, E]]:
    """Play these lines of a log on, from the state before them. Raises as :func:`replay_log`."""
    for line in lines:
        action = step_action(game, log, line)
        by = None if line.by is None else Seat(line.by)
        try:
            step = apply_action(game, state, by, action)
        except IllegalAction as refused:
            raise LogMismatch(line.n + 1, f"the rules refuse this step: {refused.why}") from None
        _check_events(line, step.events)
        state = step.state
        yield ReplayedStep(line, action, state, step.events)


def _check_events(line: StepLine, events: tuple[object, ...]) -> None:
    if encode(tuple(map(name_and_fields, events))) != encode(line.ev):
        raise LogMismatch(line.n + 1, "by the rules, something else happens here")


def make_table(
    definition: GameDefinition[O, S, A, E, T],
    log: SessionLog,
    source: ChanceSource,
    recorder: Recorder[A, E] | None = None,
) -> Table[O, S, A, E]:
    """Set up the table at which a log began. Raises :class:`BadFile`."""
    options = log_options(definition.game, log)
    croupier = make_croupier(log.header.croupier)
    return Table(
        definition.game, options, croupier, source, make_players(definition, log), recorder
    )


def make_players(
    definition: GameDefinition[O, S, A, E, T], log: SessionLog
) -> dict[Seat, ComputerPlayer[S, A] | None]:
    """Make the computer players of a log anew. Raises :class:`BadFile` for one nobody knows."""
    players: dict[Seat, ComputerPlayer[S, A] | None] = {}
    for seat, name in enumerate(log.header.players):
        if name != HUMAN and name not in definition.players:
            known = ", ".join((HUMAN, *definition.players))
            raise BadFile(log.path, f"no player is called {name!r}; there are {known}", 1)
        players[Seat(seat)] = None if name == HUMAN else definition.players[name]()
    return players


def rerun_log(table: Table[O, S, A, E], log: SessionLog, ask_players: bool = True) -> None:
    """Play a log again at a new table: croupier and computer players are asked, humans read.

    Leaves the table, its croupier and its source where the log ends. ``ask_players=False`` takes
    the computer players' choices from the log too: right where the source gives each choice
    chance of its own, and quicker. Raises :class:`LogMismatch` and :class:`BadFile`.
    """
    for line in log.steps():
        action = step_action(table.game, log, line)
        by = None if line.by is None else Seat(line.by)
        human = by is not None and table.players.get(by) is None
        try:
            if human and not table.waiting:  # asked beside a computer, who chooses first
                raise IllegalAction(Refusal.TURN)
            if by is None or (ask_players and not human):
                actor, said = table.ask()
                if (actor, said) != (by, action):
                    raise LogMismatch(line.n + 1, _otherwise(log, action, said))
            _check_events(line, table.play(by, action))
        except IllegalAction as refused:
            raise LogMismatch(line.n + 1, f"the rules refuse this step: {refused.why}") from None
        except (OutOfCards, RuntimeError):
            raise LogMismatch(line.n + 1, "the croupier has nothing to deal here") from None


def _otherwise(log: SessionLog, action: object, said: object) -> str:
    """Say what the log has and what would be right; no cards of a sitting that is not over."""
    if not log.over:
        return "the log has something else here than was dealt or chosen"
    return f"the log has {format_command(action, {})}, but it would be {format_command(said, {})}"


class ProofLevel(Enum):
    """What a log has been shown to be."""

    AUTHENTIC = "authentic"
    CONSISTENT = "consistent"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Verification:
    """What :func:`verify_log` found: the proof, the steps that hold, the first line that does not.

    ``known`` is what the ledger knows of the log, and has been held against it.
    """

    proof: ProofLevel
    steps: int
    shuffle_checked: bool
    line: int | None = None
    why: str | None = None
    known: LogCheckpoint | None = None


def verify_log(
    definition: GameDefinition[O, S, A, E, T], log: SessionLog, known: LogCheckpoint | None = None
) -> Verification:
    """Check a log's chain, rules, result and, once the seed is revealed, every card.

    ``known`` is what the ledger knows of it: with the hash of its last line a log that holds is
    authentic, without it consistent. Raises :class:`BadFile` if the log cannot be played at all.
    """
    log_options(definition.game, log)
    make_players(definition, log)
    faults: list[LogMismatch] = []
    source: ChanceSource | None = None
    checks: tuple[Callable[[SessionLog], None], ...] = (
        check_chain,
        partial(_check_rules, definition),
        partial(check_checkpoint, known=known or NO_CHECKPOINT),
    )
    for check in checks:
        try:
            check(log)
        except LogMismatch as fault:
            faults.append(fault)
    try:
        source = source_of_log(log)
    except LogMismatch as fault:
        faults.append(fault)
    if source is not None:
        table = make_table(definition, log, source)
        try:
            rerun_log(table, log)
        except LogMismatch as fault:
            faults.append(fault)
        except BadFile:
            pass  # a line that cannot be read: the check of the rules has said so
    if not faults:
        whole = known is not None and known.last is not None
        proof = ProofLevel.AUTHENTIC if whole else ProofLevel.CONSISTENT
        return Verification(proof, len(log.lines), source is not None, known=known)
    first = min(faults, key=lambda fault: fault.line)
    steps = min(max(first.line - 2, 0), len(log.lines))
    return Verification(
        ProofLevel.DIFFERS, steps, source is not None, first.line, first.reason, known
    )


def source_of_log(log: SessionLog) -> ChanceSource | None:
    """Make the source of a log again; ``None`` where its seed is to be told at its end only.

    Raises :class:`LogMismatch` for a seed that is not the one committed to, or missing.
    """
    told = {1: log.header.seed}
    if log.end is not None:
        told[len(log.lines) + 2] = log.end.seed
    source = None
    for line, seed in told.items():
        try:
            made = make_source(log.header.source, bytes.fromhex(seed) if seed else None)
        except ValueError as error:
            raise LogMismatch(line, str(error)) from None
        if made is None and line > 1:
            raise LogMismatch(line, "it has ended, but does not reveal its seed")
        source = source or made
    return source


def check_chain(log: SessionLog) -> None:
    """Raise :class:`LogMismatch` at the first line without the hash of the line before."""
    for number, should, held in log.chain():
        if held != should:
            why = "its hash is not that of the line before" if held else "it cannot be read"
            raise LogMismatch(number, why)


def check_checkpoint(log: SessionLog, known: LogCheckpoint) -> None:
    """Raise :class:`LogMismatch` at the first line that is not the one that the ledger knows."""
    if known.head not in (None, log.head):
        raise LogMismatch(1, "the ledger knows another first line")
    if known.mark is not None and known.steps > 0:
        if len(log.lines) < known.steps:
            why = f"it ends here, but the ledger knows {known.steps} steps"
            raise LogMismatch(len(log.lines) + 1, why)
        if line_hash(log.lines[known.steps - 1]) != known.mark:
            raise LogMismatch(known.steps + 1, "the ledger knows another step here, or before it")
    if known.last not in (None, log.hash) and not known.settled:
        raise LogMismatch(len(log.lines) + 2, "the ledger knows another end of this log")


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
        raise LogMismatch(len(log.lines) + 2, "the result is not what was played")
