"""The names of players at shared tables, their phrases, and the blocks between them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from time import monotonic

from msgspec import Struct

from ...house.phrases import PHRASES, phrase_text
from ...house.shared_tables import TablePhrase
from ...inputs.errors import BadInput
from ...records.shared_tables import SharedTables
from ...structs import replace
from .table_answers import TableRefusal

NAME_SECONDS = 10
"""The time for which the names of players are not read again."""
PHRASE_SECONDS = 3
"""The time in which a player can say one phrase."""
MOST_BLOCKED = 100
"""The maximum number of players whom one player blocks."""
HEARD_SECONDS, MOST_HEARD = 30, 20
"""The time for which a table keeps a phrase, and the maximum number that it keeps."""


class SpokenPhrase(Struct, frozen=True):
    """A phrase that a player, given by the id, has said at a table."""

    at: int
    player: str
    phrase: int


class TableTalk:
    """The phrases and blocks of all players, who are given by their ids.

    ``names`` returns the names that they show. ``blocks`` has each player who blocks another one,
    with that one.
    """

    def __init__(self, tables: SharedTables, names: Callable[[], Mapping[str, str]]) -> None:
        self._tables, self._names = tables, names
        self._known: Mapping[str, str] = {}
        self._read_at = 0.0  # when they were read
        self._spoken: defaultdict[str, deque[SpokenPhrase]] = defaultdict(
            partial(deque, maxlen=MOST_HEARD)
        )
        self._spoke_at: dict[str, int] = {}  # by player
        self.blocks = set[tuple[str, str]]()

    def name_of(self, player: str) -> str:
        """Return the name that a player shows; a new one is shown after some seconds.

        Somebody who is not registered is called by the id.
        """
        is_known = player in self._known
        if not is_known or monotonic() - self._read_at >= NAME_SECONDS:
            try:
                self._known = {**self._known, player: player, **self._names()}
            except BadInput:
                if not is_known:
                    raise
            self._read_at = monotonic()
        return self._known[player]

    def say(self, code: str, player: str, phrase: int, now: int) -> SpokenPhrase:
        """Let a player say a phrase at a table. Raises :class:`TableRefusal`."""
        check_phrase(phrase)
        before = self._spoke_at.get(player)
        if before is not None and 0 <= now - before < 1000 * PHRASE_SECONDS:
            raise TableRefusal(f"you can say one phrase in {PHRASE_SECONDS} seconds")
        self._spoke_at[player] = now
        return self._add(code, SpokenPhrase(now, player, phrase))

    def take_over(self, code: str, said: SpokenPhrase) -> bool:
        """Add what was said at another server; return whether it is new."""
        if said in self._spoken.get(code, ()):
            return False
        self._add(code, said)
        return True

    def _add(self, code: str, said: SpokenPhrase) -> SpokenPhrase:
        spoken = self._spoken[code]
        at = max(said.at, spoken[-1].at + 1) if spoken else said.at
        spoken.append(replace(said, at=at))
        return spoken[-1]

    def heard(self, code: str, player: str, after: int, now: int) -> tuple[TablePhrase, ...]:
        """Return what others have said at a table after a time, if that is not long ago."""
        after = max(after, now - 1000 * HEARD_SECONDS)
        return tuple(
            TablePhrase(one.at, self.name_of(one.player), one.phrase)
            for one in (*self._spoken.get(code, ()),)
            if one.at > after and one.player != player and (player, one.player) not in self.blocks
        )

    def forget(self, code: str) -> None:
        """Forget what was said at a table that is closed."""
        self._spoken.pop(code, None)

    # ---- on the ledger's thread -----------------------------------------------------------

    def block(self, player: str, name: str, code: str, here: Iterable[str]) -> None:
        """Let a player block one of those who are ``here`` at a table, given by name.

        Raises :class:`TableRefusal`.
        """
        other = next((one for one in here if one != player and self.name_of(one) == name), None)
        if other is None:
            raise TableRefusal(f"nobody called {name} sits at the table {code}")
        if len(self._blocked_by(player)) >= MOST_BLOCKED:
            raise TableRefusal(f"you block {MOST_BLOCKED} players already")
        self._tables.block(player, other, on=True)
        self.blocks.add((player, other))

    def unblock(self, player: str, name: str) -> None:
        """Let a player no longer block somebody, given by name. Raises :class:`TableRefusal`."""
        blocked = self._blocked_by(player)
        other = next((one for one in blocked if self.name_of(one) == name), None)
        if other is None:
            raise TableRefusal(f"nobody called {name} is blocked")
        self._tables.block(player, other, on=False)
        self.blocks.discard((player, other))

    def blocked(self, player: str) -> tuple[str, ...]:
        """Return the names of those whom a player blocks."""
        return tuple(sorted(map(self.name_of, self._blocked_by(player))))

    def _blocked_by(self, player: str) -> list[str]:
        return [other for who, other in self.blocks if who == player]


def check_phrase(phrase: int) -> None:
    """Raise :class:`TableRefusal` if there is no phrase of this number."""
    if phrase_text(phrase) is None:
        raise TableRefusal(f"there is no phrase {phrase}; there are 1 to {len(PHRASES)}")
