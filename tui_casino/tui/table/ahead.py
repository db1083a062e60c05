"""What a player types and presses while the table plays on: done in its order once that waits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual import events

from ..widgets.hints import Said
from ..widgets.key_names import key_pressed
from .playing import AnyPlaying


class Ahead:
    """Keeps lines and digits that come too early.

    ``finish`` ends what moves, ``do`` does a line, ``press`` presses a key once more, and ``tell``
    says in the hint line what became of another key.
    """

    def __init__(
        self,
        playing: AnyPlaying,
        finish: Callable[[], bool],
        do: Callable[[str], None],
        press: Callable[[str], None],
        tell: Callable[[Said], None],
    ) -> None:
        self._playing, self._finish, self._do = playing, finish, do
        self._press, self._tell = press, tell
        self._kept: list[Callable[[], None]] = []

    def line(self, line: str) -> None:
        """Do what a line says, when the cards that are on their way lie there."""
        if self._playing.dealing:
            self._finish()
            self.keep(line)
        else:
            self._do(line)

    def keep(self, line: str) -> None:
        """Do a line when the table waits."""
        self._kept.append(partial(self.line, line))

    def hurried(self, event: events.Key) -> None:
        """Take a key that has ended what moved: a digit does what it says, too, once it can.

        It puts down, marks or lays what can be seen already. All others have only hurried.
        """
        if not (event.character or "").isdecimal():
            self._tell(Said("told", key_pressed(event), "has only hurried the table."))
        elif self._playing.on:
            self._kept.append(partial(self._press, event.key))
        else:
            self._press(event.key)

    def catch_up(self) -> None:
        """Do what came too early."""
        kept, self._kept = self._kept, []
        for do in kept:
            do()
