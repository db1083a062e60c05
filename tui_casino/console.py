"""Any game line by line on standard input and output: for screen readers, pipes and scripts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from .core import Over
from .dialogue import Dialogue
from .sitting import Left, Sitting

HELP_WORDS = ("?", "help")
LEAVE_WORDS = ("q", "quit")
_HOUSE_HELP = """\
  ?      this help
  q      leave the table and cash out"""

Say = Callable[[str], None]


def play(sitting: Sitting, lines: Iterable[str], say: Say, warn: Say) -> Left | None:  # type: ignore[type-arg]
    """Play a sitting until it is over, or the lines end, or the player leaves.

    ``say`` takes a line of the game, ``warn`` one about the program. Gives how the sitting was
    left, ``None`` if its last line could not be written: then it is open still.
    """
    seat = next((s for s, player in sitting.table.players.items() if player is None), None)
    if seat is None:
        seat = next(iter(sitting.table.players))  # computers alone: listen at the first seat
    dialogue = Dialogue(sitting.table, sitting.parts, seat)
    rest = iter(lines)
    while True:
        try:
            _tell(dialogue.listen(), say)
            if _over(sitting):
                break
            line = next(rest, None)
            if line is None or (line.split() and line.split()[0] in LEAVE_WORDS):
                break
            if line.split() and line.split()[0] in HELP_WORDS:
                say(f"{sitting.parts.words.help}\n{_HOUSE_HELP}")
            else:
                _tell(dialogue.answer(line), say)
        except OSError as error:
            warn(
                f"the log cannot be written: {error.strerror}; nothing has been played, make room "
                "and press Enter to go on, or leave with q"
            )
            line = next(rest, None)
            if line is None or (line.split() and line.split()[0] in LEAVE_WORDS):
                break
    try:
        left = sitting.leave()
    except OSError as error:
        warn(f"the log cannot be written: {error.strerror}; your money waits in the sitting")
        return None
    return left


def _tell(lines: Iterable[str], say: Say) -> None:
    for line in lines:
        say(line)


def _over(sitting: Sitting) -> bool:  # type: ignore[type-arg]
    return isinstance(sitting.table.game.turn(sitting.table.state), Over)


def typed(prompt: str) -> Iterator[str]:
    """Give what is typed, with a prompt and line editing on a terminal, until the input ends."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    import readline  # noqa: F401 - input() edits lines and recalls them once it is loaded

    while True:
        try:
            yield input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()
            return
