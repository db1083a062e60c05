"""Hostile texts that could control a terminal or a screen, for every field of every format.

Everything is drawn from a ``random.Random`` that the caller seeds, so a failure can be repeated.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tests.helpers.command_runner import Ran

FEIGNED = "feigned: authentic"
"""The text that a hostile text tries to put at the beginning of a line."""

SEQUENCES = (
    *("\x1b[2J", "\x1b[31;5m", "\x1b[6n", "\x1b]0;owned\x07", "\x1b]8;;http://x\x1b\\", "\x1bc"),
    *("\x1bP0;1|17/ab\x1b\\", "\x1b[?1049h", "\x1b[10;10H", "\x9b31m", "\x9d0;owned\x9c", "\x90q"),
)
SIGNS = (
    *("\x00", "\x07", "\x08", "\t", "\r", "\x0b", "\x0c", "\x0e", "\x1b", "\x7f", "\x85", "\x9b"),
    *("\u061c", "\u200b", "\u200d", "\u200e", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069"),
    *("\ufeff", "\u2028", "\u2029", "\xa0", "\xad", "\ue000", "\U000e0041", "\U000e0001", "\uffff"),
)
LONE = ("\ud800", "\udcff", "\udc9b")
MARKUP = (
    *("[/foo]", "[/]", "[", "[[", "\\[", "[bold", "[link=http://x]y[/link]", "[@click=app.quit]y"),
    *("[@click=screen.dismiss('a')]y[/]", "[red on blue]", "[$nothing]", "[on]", ":smile:", "{0}"),
)
LINES = (f"\n{FEIGNED}", f"\r\n{FEIGNED}", f"\r{FEIGNED}", f"\n\n{FEIGNED}\n", f"\x85{FEIGNED}")
LONG = ("x" * 3_000, "\x1b[2J" * 500, "\u202e" * 2_000, "[b]" * 1_000, "é" * 2_000, "👍" * 1_000)


def text(random: Random, *, lone: bool = True) -> str:
    """Draw a text; without ``lone``, it has no lone surrogates, so UTF-8 can encode it."""
    kinds: Sequence[Sequence[str]] = (SEQUENCES, SIGNS, MARKUP, LINES, SEQUENCES, SIGNS)
    parts = [random.choice(random.choice(kinds)) for _ in range(random.choice((1, 1, 2, 3)))]
    if lone and random.random() < 0.1:
        parts.append(random.choice(LONE))
    if random.random() < 0.02:
        parts.append(random.choice(LONG))
    if random.random() < 0.5:
        parts.insert(random.randrange(len(parts) + 1), random.choice(("a", "human", "1", "S")))
    return "".join(parts)


def word(random: Random) -> str:
    """Draw a text without white space, for use as one word."""
    return "".join(text(random, lone=False).split()) or "x"


def planted(random: Random, document: Any, poison: str) -> Any:
    """Replace a value or a key of JSON by a text, or put the text before or after it."""
    places = [place for place in _places(document) if place]
    return _put(random, document, random.choice(places), poison) if places else poison


def as_json(random: Random, document: Any) -> bytes:
    """Write JSON; other characters than ASCII are escaped or left unchanged."""
    raw = json.dumps(document, ensure_ascii=random.random() < 0.5, separators=(",", ":"))
    return raw.encode("utf-8", "surrogatepass")


def _places(value: Any) -> Iterator[tuple[Any, ...]]:
    yield ()
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from ((key, *rest) for rest in _places(part))


def _put(random: Random, value: Any, place: tuple[Any, ...], poison: str) -> Any:
    if not place:
        if not isinstance(value, str):
            return poison
        return random.choice((poison, value + poison, poison + value))
    key, *rest = place
    changed = value.copy()
    if not rest and isinstance(changed, dict) and random.random() < 0.1:
        changed[poison] = changed.pop(key)
    else:
        changed[key] = _put(random, value[key], tuple(rest), poison)
    return changed


def check_harmless(ran: Ran) -> None:
    """Check that the command ends clearly and prints only printable lines of its own."""
    assert ran.code in (0, 1, 2), ran.err
    check_text(ran.out)
    check_text(ran.err)


def check_text(said: str) -> None:
    """Check that all lines are printable, and that no hostile text begins a line."""
    for line in said.split("\n"):
        assert line.isprintable(), f"not plain text: {line!r}"
        assert not line.startswith(FEIGNED), f"feigned: {said!r}"


def check_line(said: str) -> None:
    """Check that a message is one line of a readable length."""
    assert said.isprintable(), f"not plain text: {said!r}"
    assert len(said) < 4_000, f"{len(said)} characters: {said[:100]!r}"
