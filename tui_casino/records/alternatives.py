"""What was tried at one and the same moment: a choice, those before it, and what came of each.

A sitting that goes on from a step of another names it. Who steps back and chooses otherwise, once
or often, leaves such logs behind; here they are laid side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from ..engine.game import A, Deal, E, O, S, Shoe
from ..engine.money import dollars
from ..gamekit.adviser import Mistake
from ..gamekit.grammar import command_of
from ..gamekit.parts import Parts
from ..gamekit.tally import T
from ..inputs.files import BadFile
from .cache import Cache
from .moment import heard
from .playback import Playback
from .watch import Round


@dataclass(frozen=True, slots=True)
class Alternative(Generic[A]):
    """A choice, how it was weighed, and how its round ended.

    ``round`` is ``None`` if it was not played out, ``said`` what the seat heard last of it.
    """

    action: A
    mistake: Mistake[A] | None
    round: Round | None
    said: tuple[str, ...]


def alternatives(
    parts: Parts[O, S, A, E, T], path: Path, cache: Cache
) -> tuple[int, tuple[Alternative[A], ...]] | None:
    """Give the step after which a log goes its own way, and all choices made there, this one last.

    ``None`` for a log that goes on from no other. A log that is no longer there ends the row.
    Raises :class:`BadFile` if this one cannot be read.
    """
    found: list[Alternative[A]] = []
    fork: int | None = None
    seen = set[Path]()
    while path not in seen:  # logs that name each other in a circle were made up
        seen.add(path)
        try:
            with Playback(parts, path, cache) as recording:
                parent = recording.header.parent
                if fork is None:
                    if parent is None:
                        return None
                    fork = parent.step
                if (one := _after(recording, fork)) is not None:
                    found.append(one)
        except BadFile:
            if not found:
                raise
            break
        if parent is None or parent.step != fork:
            break
        path = path.parent / Path(parent.log).name  # a neighbour, whatever was written there
    return (fork or 0), tuple(reversed(found))


def _after(recording: Playback[O, S, A, E, T], step: int) -> Alternative[A] | None:
    """Give the watched seat's first choice after a step, and what came of it."""
    parts, seat, steps = recording.parts, recording.seat, recording.steps
    first = next((n for n in range(step + 1, steps + 1) if recording.at(n).by == seat), None)
    if first is None:
        return None
    before, action = recording.at(first - 1).tally, recording.at(first).action
    assert not isinstance(action, Shoe | Deal | None), "a seat chose"
    said: list[str] = []
    ended = None
    for n in range(first, steps + 1):
        moment = recording.at(n)
        said = heard(parts, seat, moment) or said
        tally = moment.tally
        if tally.rounds > before.rounds:
            ended = Round(tally.wagered - before.wagered, tally.won - before.won)
            break
    return Alternative(action, recording.mistake(first), ended, tuple(said))


def told(parts: Parts[O, S, A, E, T], fork: int, made: tuple[Alternative[A], ...]) -> Iterator[str]:
    """Lay the choices side by side, in readable lines."""
    verbs = parts.words.verbs
    yield f"Your choices after step {fork:,}, the last one now:"
    wide = max((len(command_of(one.action, verbs)) for one in made), default=0)
    for number, one in enumerate(made, 1):
        weighed = _weighed(one, parts) if parts.adviser.judge is not None else ""
        yield f"{number:>3}  {command_of(one.action, verbs):<{wide}}  {weighed}".rstrip()
        yield from (f"{'':5}{line}" for line in _outcome(one, parts.game.unit))


def _weighed(one: Alternative[A], parts: Parts[O, S, A, E, T]) -> str:
    if one.mistake is None:
        return "no mistake"
    better = command_of(one.mistake.better, parts.words.verbs)
    return f"costs {parts.cost(one.mistake)} on average, best {better}"


def _outcome(one: Alternative[A], unit: int) -> Iterator[str]:
    if one.round is None:
        yield "not played out"
        return
    net = (one.round.won - one.round.wagered) * unit
    if one.round.wagered:
        yield f"{'+' if net > 0 else ''}{dollars(net)}"
    yield from one.said
