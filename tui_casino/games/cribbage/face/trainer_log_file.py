"""The trainer's log file: one line per event, without white space, and written immediately."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from ....engine.chance import ChanceSource, SourceSpec
from ....gamekit.table_setup import EventListener
from ....inputs.files import BadFile, UserPath, open_regular, os_error_reason
from ..machine.moves import (
    Discarded,
    Event,
    HandDealt,
    HandShown,
    Laid,
    RoundPart,
    Scored,
    StarterTurned,
)
from ..machine.scoring import bracketed
from ..machine.state import GameForm, Options
from .properties import class_of

LOG_NAME = "cribbage.log"


def head_lines(origin: SourceSpec, players: Sequence[str]) -> tuple[str, ...]:
    """Return the lines before the deal: the seed, unless it is secret, and the players' classes.

    ``players`` are named as in session logs.
    """
    seed = () if origin.kind == "committed" else (f"seed,{origin.value}",)
    return (*seed, *(f"{class_of(name)},P{seat}" for seat, name in enumerate(players)))


def log_lines(event: Event) -> tuple[str, ...]:
    """Return the lines of an event, or an empty tuple if the event is not logged."""
    match event:
        case HandDealt(seat, hand):
            return (f"deal,P{seat},{bracketed(hand)}",)
        case Discarded(seat, cards, _):
            return (f"discard,P{seat},{bracketed(cards)}",)
        case StarterTurned(card):
            return (f"starter,{card}",)
        case Laid(seat, count, card):
            return (f"play,P{seat},{count},{card}",)
        case HandShown(seat, starter, hand, _):
            return (f"show,P{seat},{starter}+{bracketed(hand)}",)
        case Scored(seat, total, points, kind, cards, part):
            scored = f"score,P{seat},{total},{points},{kind}"
            return (scored if part is RoundPart.PLAY else f"{scored},{bracketed(cards)}",)
    return ()


class TrainerLogFile:
    """A log that is written line by line, so that it can be read during the round.

    :meth:`begin` or the first event replaces the file of an earlier run. Lines that could not be
    written are kept, and written with the next line. Raises
    :class:`~tui_casino.inputs.files.BadFile` if a line cannot be written.
    """

    def __init__(self, path: PathLike[str], head: Iterable[str]) -> None:
        self.path = path
        self._waiting, self._flags = [*head], os.O_CREAT | os.O_TRUNC

    def begin(self) -> None:
        """Create the file, or empty it; the head is written with the first event.

        A seed in the head reveals all cards, so the head waits until the deal may be known.
        """
        self._write(())

    def __call__(self, event: Event) -> None:
        """Write the line of an event."""
        if lines := log_lines(event):
            self._waiting += lines
            self._write(self._waiting)
            self._waiting = []

    def _write(self, lines: Iterable[str]) -> None:
        try:
            file = open_regular(self.path, os.O_WRONLY | self._flags, 0o666)
            with os.fdopen(file, "w", encoding="utf-8", newline="\n") as text:
                text.writelines(f"{line}\n" for line in lines)
        except OSError as error:
            reason = f"the log cannot be written: {os_error_reason(error)}"
            raise BadFile(self.path, reason) from None
        self._flags = os.O_CREAT | os.O_APPEND


def trainer_log(
    options: Options, players: Sequence[str], source: ChanceSource, cwd: Path | None
) -> EventListener | None:
    """Return the listener that writes the log of a trainer's round into the folder ``cwd``.

    Returns ``None`` for a game to 121, which has a log only with ``--log``.
    """
    if cwd is None or options.form is not GameForm.ROUND:
        return None
    return TrainerLogFile(UserPath(LOG_NAME, cwd), head_lines(source.spec, players))
