"""The trainer's log: a line for each thing that counts, without white space, as it happens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike

from ....engine.chance import Origin
from ....inputs.files import BadFile
from ..machine.moves import (
    Discarded,
    Event,
    HandDealt,
    HandShown,
    Laid,
    Part,
    Scored,
    StarterTurned,
)
from ..machine.scoring import bracketed

LOG_NAME = "cribbage.log"


def head_lines(origin: Origin, players: Sequence[str]) -> tuple[str, ...]:
    """Give the lines before the deal: the seed, unless it is secret, and the players' classes."""
    seed = () if origin.kind == "committed" else (f"seed,{origin.value}",)
    return (*seed, *(f"{name},P{seat}" for seat, name in enumerate(players)))


def log_lines(event: Event) -> tuple[str, ...]:
    """Give the line of an event; nothing for one that is not logged."""
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
            return (scored if part is Part.PLAY else f"{scored},{bracketed(cards)}",)
    return ()


class LogFile:
    """A log written anew, line by line, so that it can be read while the round goes on.

    Raises :class:`~tui_casino.inputs.files.BadFile` whenever the file cannot be written.
    """

    def __init__(self, path: PathLike[str], head: Iterable[str]) -> None:
        self.path = path
        self._write(head, "w")

    def __call__(self, event: Event) -> None:
        """Write an event's line."""
        lines = log_lines(event)
        if lines:
            self._write(lines, "a")

    def _write(self, lines: Iterable[str], mode: str) -> None:
        try:
            with open(self.path, mode, encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in lines)
        except (OSError, ValueError) as error:  # ValueError: a null byte in the path
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise BadFile(self.path, f"the log cannot be written: {why}") from None
