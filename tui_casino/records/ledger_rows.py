"""The rows of a ledger in SQL; damage may make nonsense of any value, which is then refused."""

from __future__ import annotations

from .ledger import Booked, Known

PLAYED = "(mark is not null or head is null or cashed <> bought)"
"""The condition for finished sittings in which a bet was decided. Those without a ``head`` were
begun by older programs, which noted no rounds."""


def row_of(booked: Booked) -> tuple[object, ...]:
    """Give a sitting as a row, in the order of the table's columns."""
    b, known = booked, booked.known
    return (
        *(b.id, b.player, b.game, b.log, b.seed, b.opened, b.bought, b.closed, b.cashed),
        *(known.last, known.head, known.steps, known.mark, b.held),
    )


def booked_of(
    name: object,
    player: object,
    game: object,
    log: object,
    seed: object,
    opened: object,
    bought: object,
    closed: object,
    cashed: object,
    held: object,
    *known: object,
) -> Booked:
    """Make a sitting of a row. Raises ``ValueError``, as all of these."""
    return Booked(
        *(text_of(name), text_of(player), text_of(game), text_of(log)),
        *(seed_of(seed), whole_of(opened), cents_of(bought)),
        None if closed is None else whole_of(closed),
        maybe_cents(cashed),
        known_of(*known),
        maybe_cents(held),
    )


def known_of(head: object, steps: object, mark: object, last: object) -> Known:
    """Make what is known of a log."""
    return Known(_hash_of(head), cents_of(steps), _hash_of(mark), _hash_of(last))


def text_of(value: object) -> str:
    """Read a name: SQLite gives what a damaged file has there, bytes or nothing as well."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _hash_of(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("a hash is no text")
    return value


def maybe_cents(value: object) -> int | None:
    """Read an amount that may be missing."""
    return None if value is None else cents_of(value)


def cents_of(value: object) -> int:
    """Read an amount: a whole number that is not negative."""
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not an amount in cents")
    return value


def whole_of(value: object) -> int:
    """Read a whole number."""
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def seed_of(value: object) -> bytes | None:
    """Read a seed, if there is one still."""
    if value is not None and not isinstance(value, bytes):
        raise ValueError("a seed is no bytes")
    return value
