"""The chance sources of a session: committed, numbered, and Java's generator.

``docs/formats.md`` describes the committed streams exactly enough to check every card.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

from ..inputs.numbers import is_integer

if TYPE_CHECKING:
    from .offers import Dice

SEED_BYTES = 32
SEED_LIMIT = 10**18 - 1
LONGEST_SEED_NUMBER = 20
LONGEST_CLIENT_SEED = 100
CLIENT_SEED_MISPLACED = "a client seed needs a committed seed"
_WORD = 1 << 32


class SourceSpec(Struct, frozen=True):
    """The public part of a source, which the first line of a log contains.

    For ``committed`` sources, the value is the commitment, which is the SHA-256 hash of the seed.
    For ``numbered`` and ``java`` sources, the value is the number that the player gave; nothing is
    secret. ``word`` is the client seed that the player mixed into a committed seed, or empty; logs
    use this name for the field. Raises ``ValueError`` for an invalid client seed.
    """

    kind: Literal["committed", "numbered", "java"]
    value: str
    word: str = ""

    def __post_init__(self) -> None:
        if self.word and self.kind != "committed":
            raise ValueError(CLIENT_SEED_MISPLACED)
        check_client_seed(self.word)


def check_client_seed(client_seed: str) -> None:
    """Check a client seed, which may be empty. Raises ``ValueError`` if it is not usable."""
    if not client_seed.isprintable() or len(client_seed) > LONGEST_CLIENT_SEED:
        raise ValueError(
            f"a client seed must be one line of up to {LONGEST_CLIENT_SEED} characters"
        )


class ChanceSource(Protocol):
    """The source of all random numbers in a session; ``seed`` is revealed when the session ends."""

    @property
    def seed(self) -> bytes | None:
        """The seed, or ``None`` for a source without one; secret until the session ends."""
        ...

    @property
    def spec(self) -> SourceSpec:
        """The part of the source that is public before the session ends."""
        ...

    @property
    def stored_seed(self) -> bytes | None:
        """The bytes from which the ledger can restore the source: the seed, if it is known here.

        If only another process knows the seed, these are the bytes of the commitment.
        """
        ...

    def with_client_seed(self, client_seed: str, /) -> ChanceSource:
        """Return a source into which a player's client seed is mixed.

        Raises ``ValueError`` for an invalid client seed and for a source without a commitment.
        """
        ...

    def dice(self, occasion: str, /) -> Dice:
        """Return the dice for an occasion, such as ``shoe 1`` or ``seat 0 choice 3``."""
        ...


class DiceStream:
    """The dice for one occasion: the 32-bit words of HMAC-SHA256(seed, label | counter)."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._seed, self._label = seed, label.encode()
        self._blocks, self._words = 0, b""

    def _word(self) -> int:
        if not self._words:
            self._words = self.block(self._blocks)
            self._blocks += 1
        word, self._words = self._words[:4], self._words[4:]
        return int.from_bytes(word, "big")

    def block(self, number: int) -> bytes:
        """Return eight words of the stream, from ``8 * number`` on."""
        return hmac.digest(self._seed, self._label + b"|%d" % number, hashlib.sha256)

    def below(self, n: int, /) -> int:
        """Draw a number from 0 to n - 1 without bias; reject a word beyond the last multiple of n.

        Raises ``ValueError`` unless 1 <= n <= 2**32.
        """
        if not 1 <= n <= _WORD:
            raise ValueError(f"cannot draw below {n}")
        limit = _WORD - _WORD % n
        while (word := self._word()) >= limit:
            pass
        return word % n


class CommittedSource:
    """The fair source: a seed from the operating system, committed to before the first card.

    Each occasion has its own stream. So each shoe can be checked separately, and a player's choices
    do not change the next deal. A player's ``client_seed`` is mixed into the seed. The house chose
    its seed before it knew the client seed, so it cannot have chosen the cards. Raises
    ``ValueError`` for an invalid client seed.
    """

    def __init__(self, seed: bytes | None = None, client_seed: str = "") -> None:
        check_client_seed(client_seed)
        self._seed = secrets.token_bytes(SEED_BYTES) if seed is None else seed
        self._client_seed = client_seed
        self._key = _mixed(self._seed, client_seed) if client_seed else self._seed

    @property
    def seed(self) -> bytes:
        """The 32 bytes whose hash is the commitment."""
        return self._seed

    @property
    def spec(self) -> SourceSpec:
        """The commitment (the SHA-256 hash of the seed, in hexadecimal) and the client seed."""
        return SourceSpec("committed", hashlib.sha256(self._seed).hexdigest(), self._client_seed)

    @property
    def stored_seed(self) -> bytes:
        """The seed."""
        return self._seed

    def with_client_seed(self, client_seed: str, /) -> ChanceSource:
        """Return the source with the same seed and another client seed."""
        if self.spec.kind != "committed":
            raise ValueError(CLIENT_SEED_MISPLACED)
        return CommittedSource(self._seed, client_seed)

    def dice(self, occasion: str, /) -> Dice:
        """Return the stream of the occasion."""
        return DiceStream(self._key, occasion)

    def __repr__(self) -> str:  # without the seed, because a repr may end up in a traceback
        return f"{type(self).__name__}({self.spec.kind} {self.spec.value[:16]})"


def _mixed(seed: bytes, client_seed: str) -> bytes:
    """Return the key of all streams: HMAC-SHA256(seed, ``word|`` and the client seed in UTF-8)."""
    return hmac.digest(seed, b"word|" + client_seed.encode(), hashlib.sha256)


class SeededSource(CommittedSource):
    """A repeatable source that is not fair: the seed is the SHA-256 of a number in decimal."""

    def __init__(self, number: int) -> None:
        super().__init__(hashlib.sha256(str(number).encode()).digest())
        self.number = number

    @property
    def spec(self) -> SourceSpec:
        """The specification with the number; there is no commitment."""
        return SourceSpec("numbered", str(self.number))


class JavaRandom:
    """``java.util.Random.nextInt(n)``, as Java's documentation defines it."""

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def _next31(self) -> int:
        self._state = (self._state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self._state >> 17

    def below(self, n: int, /) -> int:
        """Return ``nextInt(n)``; n = 1 also consumes a number. Raises ``ValueError`` if n < 1."""
        if not 1 <= n < 1 << 31:
            raise ValueError(f"cannot draw below {n}")
        word = self._next31()
        if n & (n - 1) == 0:
            return (n * word) >> 31
        while word - word % n + (n - 1) >= 1 << 31:
            word = self._next31()
        return word % n


class JavaRandomSource:
    """A single Java generator for the croupier and all players, in the order of their requests."""

    seed = None
    stored_seed = None

    def __init__(self, seed: int) -> None:
        self.number = seed
        self._random = JavaRandom(seed)

    @property
    def spec(self) -> SourceSpec:
        """The specification with the seed, which is not secret."""
        return SourceSpec("java", str(self.number))

    def with_client_seed(self, client_seed: str, /) -> ChanceSource:
        """Raise ``ValueError``, because this source has no commitment."""
        raise ValueError(CLIENT_SEED_MISPLACED)

    def dice(self, occasion: str, /) -> Dice:
        """Return the generator, which is the same for all occasions."""
        return self._random


def _number(text: str) -> int:
    if not is_integer(text) or len(text) > LONGEST_SEED_NUMBER:
        raise ValueError(f"{text!r} is not a seed number")
    return int(text)


def make_source(spec: SourceSpec, seed: bytes | None = None) -> ChanceSource | None:
    """Restore a source; return ``None`` if its seed is not revealed yet.

    Raises ``ValueError`` if the seed does not match the commitment, or for an invalid number.
    """
    match spec.kind:
        case "numbered":
            return SeededSource(_number(spec.value))
        case "java":
            return JavaRandomSource(_number(spec.value))
        case "committed":
            if seed is None:
                return None
            source = CommittedSource(seed, spec.word)
            if source.spec != spec:
                raise ValueError("the seed does not match the commitment")
            return source
