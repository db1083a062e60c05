"""The tables at which several people play, as a session sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from ..records.ledger import OpenSitting
from ..records.shared_tables import PaidSeat

FROZEN = "the operator has stopped this table for a while"
"""Why nobody can act or sit down at a frozen table."""
STOPPED = "The operator has stopped this table for a while. Your money stays here."
CONTINUES = "The table continues."
"""The messages to those who sit at a table that is frozen, and at one that is thawed."""


class TableSeat(Struct, frozen=True):
    """A seat: the player's name, the state of the seat, its money in cents, its choice in words.

    The state is seated, away, free, or computer: a computer plays there until somebody sits down,
    or to the end if it ``stays``. The table waits for a seat that ``is_asked``.
    """

    name: str
    state: str
    cents: int
    doing: str = ""
    stays: bool = False
    is_asked: bool = False

    @property
    def is_free(self) -> bool:
        """Whether a player may take the seat."""
        return self.state == "free" or (self.state == "computer" and not self.stays)


class TableLine(Struct, frozen=True):
    """A table in a list of tables; ``options`` are JSON, and ``commitment`` is that of its seed.

    Its state is open, frozen or closed.
    ``own`` is the seat of the player who asks, if they sit there; ``is_own`` if they made it. Each
    choice may take ``seconds``. If that player is asked at a table by correspondence,
    ``asked_until`` is the time until which a choice is waited for.
    """

    code: str
    game: str
    state: str
    rows: int
    seats: tuple[TableSeat, ...]
    options: bytes
    commitment: str
    own: int | None = None
    is_own: bool = False
    seconds: int = 0
    asked_until: int | None = None


class TableEvent(Struct, frozen=True):
    """A step at a table as one seat sees it: its row, and who acted (``None``: the croupier).

    The ``action`` (only its kind, unless it ``is_own``: the seat's player has chosen it, not the
    clock), the seat's view of the ``state`` after it, and the ``events`` that it hears are JSON as
    in logs.
    """

    number: int
    actor: int | None
    action: bytes
    state: bytes
    events: bytes
    is_own: bool = False


class OwnSeat(Struct, frozen=True):
    """A player's seat: the row at which they sat down, and the session that has the money."""

    seat: int
    row: int
    sitting: OpenSitting


class TablePhrase(Struct, frozen=True):
    """A phrase that another player says: the name, and the number of the phrase.

    ``at`` is the time in milliseconds since 1970; no two phrases at a table have the same.
    """

    at: int
    name: str
    phrase: int


class TableNews(Struct, frozen=True):
    """The news of a table: the number of its rows, and the steps that were asked for.

    ``seat`` is the player's own, ``due`` the time until which a choice is waited for; if it
    ``is_offer``, the table waits for players, and then a computer takes a free seat. ``seed`` is
    revealed once the table is closed, and ``why`` says the reason. The ``phrases`` are those of
    other players in the last seconds. The last ``bank`` milliseconds before ``due`` are from the
    time bank of the player who is asked. If the table ``is_frozen``, nobody can act there.
    """

    rows: int
    seat: int | None
    due: int | None
    updates: tuple[TableEvent, ...]
    seats: tuple[TableSeat, ...]
    seed: bytes | None = None
    why: str = ""
    phrases: tuple[TablePhrase, ...] = ()
    is_frozen: bool = False
    is_offer: bool = False
    bank: int = 0


class WatchedRounds(Struct, frozen=True):
    """The rounds that are over at a table, in lines for somebody who watches it.

    ``after`` is the row up to which they go, from which the next ones continue. If the table
    ``is_frozen``, it waits; if it is over, ``why`` says the reason, and no lines follow.
    """

    lines: tuple[str, ...]
    after: int
    is_frozen: bool = False
    why: str = ""


class SharedTablesClient(Protocol):
    """The server's tables, as one player may use them.

    All methods may raise :class:`~tui_casino.records.ledger.LedgerError`. :meth:`read` may be
    called while another call is running.
    """

    def list(self) -> Sequence[TableLine]:
        """Return a line about each open table that the player sees, the oldest first."""
        ...

    def make(self, game: str, options: dict[str, str], *, is_listed: bool) -> str:
        """Make a table, and return its code; everybody sees a table that ``is_listed``."""
        ...

    def find(self, code: str, /) -> TableLine | None:
        """Return a line about an open table; ``None`` if there is none with this code."""
        ...

    def join(self, code: str, seat: int, sitting: OpenSitting, entropy: str = "", /) -> None:
        """Take a free seat with the buy-in of a session, and with entropy for the shuffles."""
        ...

    def seat(self, code: str, /) -> OwnSeat | None:
        """Return the player's seat, if the player sits there."""
        ...

    def act(
        self, code: str, action: dict[str, Any], after: int | None, last_hash: str | None = None, /
    ) -> int | None:
        """Play an action of the player's seat, given by its name and fields.

        Return the number of its row. If the croupier or the clock of the seat has acted since row
        ``after``, return ``None``, and nothing is done.
        """
        ...

    def mark(self, code: str, steps: int, mark: str, /) -> None:
        """Store which line of the player's own log ended a round, and its hash."""
        ...

    def read(self, code: str, first: int, wait: float, heard: int = 0, /) -> TableNews:
        """Return what happened from row ``first`` on, and the phrases after time ``heard``.

        If there is nothing, wait for it, in seconds.
        """
        ...

    def watch(self, code: str, after: int, wait: float, /) -> WatchedRounds:
        """Return the lines about the rounds that are over, after a row; 0 begins with the last one.

        If there are none, wait for the end of a round, in seconds.
        """
        ...

    def say(self, code: str, phrase: int, /) -> None:
        """Say a phrase, given by its number, to those who sit at the table."""
        ...

    def block(self, code: str, name: str, /, *, on: bool) -> None:
        """Block somebody who sits at a table, given by name, or no longer block them.

        Their phrases do not reach the player, and the player's tables do not admit them. The tables
        of each are not listed for the other. To end that, the code may be empty.
        """
        ...

    def paid(self) -> Sequence[PaidSeat]:
        """Return the player's seats that were paid out while the player was away."""
        ...

    def read_stay(self, code: str, sitting: str, first: int, /) -> TableNews:
        """Return what happened at such a seat from row ``first`` on."""
        ...

    def end_log(self, sitting: str, last_hash: str, /) -> None:
        """Store the hash of the last line of the log of such a seat."""
        ...

    def blocked(self) -> Sequence[str]:
        """Return the names of those whom the player blocks."""
        ...
