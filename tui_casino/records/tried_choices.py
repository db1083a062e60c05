"""The choices that were tried at one step of a session and its branches.

If a session branches off another session, its log refers to the log of that session. A player who
undoes a choice and chooses again leaves a series of such logs. This module compares their choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Generic

from msgspec import Struct

from ..engine.game import A, Deal, E, O, S, Shoe
from ..engine.money import dollars
from ..gamekit.action_grammar import format_command
from ..gamekit.adviser import Mistake
from ..gamekit.definition import GameDefinition
from ..gamekit.tally import T
from ..inputs.files import BadFile
from .cache import Cache
from .log_review import decision_at
from .playback import Playback, describe_events
from .seat_steps import FinishedRound


class Alternative(Struct, Generic[A], frozen=True):
    """A choice, the mistake in it (if any), and how its round ended.

    ``view`` is what the seat saw before the choice. ``round`` is ``None`` if the round was not
    finished. ``lines`` are the last lines of text that the seat saw about the round.
    """

    view: Any
    action: A
    mistake: Mistake[A] | None
    round: FinishedRound | None
    lines: tuple[str, ...]


def find_alternatives(
    definition: GameDefinition[O, S, A, E, T], path: Path, cache: Cache
) -> tuple[int, tuple[Alternative[A], ...]] | None:
    """Return the step at which a log branched off, and the choices made there, oldest first.

    Return ``None`` for a log that is not a branch. The search follows the parent logs until a log
    cannot be read, or branched off at another step. Raises :class:`BadFile` if the log itself
    cannot be read.
    """
    alternatives: list[Alternative[A]] = []
    fork: int | None = None
    visited = set[Path]()
    while path not in visited:  # logs that name each other in a circle are forged
        visited.add(path)
        try:
            with Playback(definition, path, cache) as recording:
                parent = recording.header.parent
                if fork is None:
                    if parent is None:
                        return None
                    fork = parent.step
                if (one := _after(recording, fork)) is not None:
                    alternatives.append(one)
        except BadFile:
            if not alternatives:
                raise
            break
        if parent is None or parent.step != fork:
            break
        path = path.parent / Path(parent.log).name  # always in the same folder
    return (fork or 0), tuple(reversed(alternatives))


def _after(recording: Playback[O, S, A, E, T], step: int) -> Alternative[A] | None:
    """Return the watched seat's first choice after a step, and its outcome."""
    definition, seat, steps = recording.definition, recording.seat, recording.steps
    first = next((n for n in range(step + 1, steps + 1) if recording.moment_at(n).by == seat), None)
    if first is None:
        return None
    fork = recording.moment_at(first - 1)
    view, before, action = (
        definition.game.view(fork.state, seat),
        fork.tally,
        recording.moment_at(first).action,
    )
    assert not isinstance(action, Shoe | Deal | None), "a seat chose"
    lines: list[str] = []
    finished = None
    for n in range(first, steps + 1):
        moment = recording.moment_at(n)
        lines = describe_events(definition, seat, moment) or lines
        tally = moment.tally
        if tally.rounds > before.rounds:
            finished = FinishedRound(tally.wagered - before.wagered, tally.won - before.won)
            break
    decision = decision_at(definition, seat, recording.seat_step(first))
    mistake = decision.mistake if decision else None
    return Alternative(view, action, mistake, finished, tuple(lines))


def format_alternatives(
    definition: GameDefinition[O, S, A, E, T],
    fork: int,
    alternatives: tuple[Alternative[A], ...],
    format_action: Callable[[Any, A], str] | None = None,
) -> Iterator[str]:
    """Yield a comparison of the choices in readable lines.

    ``format_action`` returns the text of an action, given the view before it; the default is the
    command that a player types for the action.
    """
    name = format_action or (lambda view, action: format_command(action, definition.words.verbs))
    yield f"Your choices after step {fork:,}, latest last:"
    wide = max((len(name(one.view, one.action)) for one in alternatives), default=0)
    for number, one in enumerate(alternatives, 1):
        weighed = ""
        if definition.adviser.has_judge:
            weighed = _weighed(one, definition, partial(name, one.view))
        yield f"{number:>3}  {name(one.view, one.action):<{wide}}  {weighed}".rstrip()
        yield from (f"{'':5}{line}" for line in _outcome(one, definition.game.unit))


def _weighed(
    one: Alternative[A], definition: GameDefinition[O, S, A, E, T], name: Callable[[A], str]
) -> str:
    if one.mistake is None:
        return "no mistake"
    cost = f"{definition.format_amount(one.mistake.cost)}{' points' if definition.points else ''}"
    return f"costs {cost} on average; best: {name(one.mistake.best)}"


def _outcome(one: Alternative[A], unit: int) -> Iterator[str]:
    if one.round is None:
        yield "round not finished"
        return
    net = (one.round.won - one.round.wagered) * unit
    if one.round.wagered:
        yield f"{'+' if net > 0 else ''}{dollars(net)}"
    yield from one.lines
