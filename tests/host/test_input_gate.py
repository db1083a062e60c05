"""The limits on a visitor's input."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui_casino.host import rate_limits
from tui_casino.host.rate_limits import BURST, LONGEST, RATE, InputGate
from tui_casino.inputs.escape_limiter import LONGEST_PASTE

KEYS: tuple[bytes, ...] = (
    b"a",
    b"\r",
    b"\x1b",
    b"\x1b[A",
    b"\x1bOP",
    b"\x1b[15;2~",
    b"\x1b[97;5u",
    "ö♠".encode(),
)
KEYS += (b"\x1ba", b"\x1b[<0;10;10M", b"\x1b[?2026;2$y", b"\x1bP>|xterm\x1b\\", b"\x1b]11;rgb\x07")


@pytest.mark.parametrize("key", KEYS)
def test_every_key_passes_the_input_gate_unchanged(key: bytes) -> None:
    assert InputGate().feed(key, 0.0) == key


@given(st.lists(st.sampled_from(KEYS), max_size=20), st.data())
def test_input_gate_passes_the_same_keys_however_bytes_are_split(
    keys: list[bytes], data: st.DataObject
) -> None:
    whole, gate, passed = b"".join(keys), InputGate(burst=1000), b""
    rest = whole
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        passed += gate.feed(rest[:size], 0.0)
        rest = rest[size:]
    assert whole.startswith(passed)
    assert len(whole) - len(passed) <= LONGEST, "the end of an unfinished sequence may be held"
    assert InputGate(burst=1000).feed(whole, 0.0) == passed or passed != whole


@pytest.mark.parametrize(
    ("flood", "behind"),
    [
        (b"\x1b[" + b"9" * 200_000 + b"u", b"x"),
        (b"\x1b[" + b"1;" * 200_000 + b"~", b"x"),
        (b"\x1bP" + b"y" * 200_000 + b"\x1b\\", b"x"),
        (b"\x1b]52;c;" + b"y" * 200_000 + b"\x07", b"x"),
        (b"\x1b[" + b"1" * 100, b"\x1b[A"),
    ],
)
def test_too_long_escape_sequence_is_dropped_completely_by_the_input_gate(
    flood: bytes, behind: bytes
) -> None:
    assert InputGate().feed(flood + behind, 0.0) == behind
    gate = InputGate()
    pieces = [flood[at : at + 7] for at in range(0, 700, 7)] + [flood[700:], behind]
    passed = b"".join(gate.feed(piece, 0.0) for piece in pieces if piece)
    assert passed.lstrip(b"\x1b") in (behind, behind.lstrip(b"\x1b"))


@given(st.lists(st.binary(max_size=300), max_size=30))
def test_input_gate_passes_only_short_sequences_within_the_rate(pieces: list[bytes]) -> None:
    gate, passed = InputGate(), b""
    for piece in pieces:
        passed += gate.feed(piece, 0.0)
    assert len(passed) <= BURST * LONGEST + LONGEST_PASTE * BURST / 10
    if b"\x1b[200~" not in passed:
        for sequence in passed.split(b"\x1b["):
            digits = len(sequence) - len(sequence.lstrip(b"0123456789;"))
            assert digits < max(LONGEST, BURST)


FLOODED = (
    *KEYS,
    b"x" * 50,
    b"\x1b[200~paste\x1b[201~",
    b"\x1b[200~",
    b"\x1b[",
    b"\x1b" * 5,
    b"\xc3",
)


@given(st.lists(st.sampled_from(FLOODED), max_size=40), st.integers(1, 90), st.integers(0, 3))
def test_input_gate_drops_a_flood_alike_in_one_piece_or_key_by_key(
    keys: list[bytes], size: int, burst: int
) -> None:
    raw = b"".join(keys)
    with pytest.MonkeyPatch.context() as patch:
        whole, passed = InputGate(burst=burst), b""
        for at in range(0, len(raw), size):
            passed += whole.feed(raw[at : at + size], at / 900)
        patch.setattr(rate_limits, "_FLOOD", re.compile("(?!)"))
        single, expected = InputGate(burst=burst), b""
        for at in range(0, len(raw), size):
            expected += single.feed(raw[at : at + size], at / 900)
    assert (passed, whole.keys) == (expected, single.keys)


def test_input_gate_counts_a_flood_and_drops_a_paste_in_it_completely() -> None:
    gate = InputGate()
    assert gate.feed(b"x" * 100, 0.0) == b"x" * 100
    assert gate.dropped == 0
    assert gate.feed(b"x" * 100 + b"\x1b[200~hold\x1b[201~" + b"\x1b[A" * 9, 0.0) == b"x" * 20
    assert gate.dropped == 2
    assert gate.feed(b"d", 1.0) == b"d"


def test_input_gate_limits_the_rate_of_keys() -> None:
    gate = InputGate()
    assert len(gate.feed(b"x" * 1000, 0.0)) == BURST
    assert gate.feed(b"x", 0.0) == b""
    assert len(gate.feed(b"x" * 1000, 1.0)) == RATE


def test_input_gate_drops_mouse_events_before_keys() -> None:
    gate, moves = InputGate(), b"".join(b"\x1b[<35;%d;7M" % column for column in range(1000))
    assert len(gate.feed(moves, 0.0)) < len(moves) // 10
    assert gate.feed(b"d", 0.0) == b"d"


def test_input_gate_limits_length_rate_and_escape_codes_of_pastes() -> None:
    gate = InputGate()
    begin, end = b"\x1b[200~", b"\x1b[201~"
    passed = gate.feed(begin + b"y" * 50_000, 0.0) + gate.feed(b"y" * 9 + end[:3], 0.0)
    passed += gate.feed(end[3:] + b"k", 0.0)
    assert passed == begin + b"y" * LONGEST_PASTE + end + b"k"
    assert gate.feed(begin + b"a\x1b[1;1;1b" + end, 0.0) == begin + b"a[1;1;1b" + end
    for _ in range(20):
        gate.feed(begin + b"z" + end, 0.0)
    assert gate.feed(begin + b"z" + end, 0.0) == b"", "pastes come at a rate, too"


def test_input_gate_passes_escape_followed_by_a_pause_as_a_key() -> None:
    gate = InputGate()
    assert gate.feed(b"\x1b", 0.0) == b"\x1b"
    assert gate.feed(b"O", 0.5) == b"O"


@pytest.mark.parametrize("broken", [b"\x1b[1", b"\x1bO", b"\x1b[<0;1"])
def test_interrupted_escape_sequence_does_not_delay_the_next_key(broken: bytes) -> None:
    assert InputGate().feed(broken + "é".encode(), 0.0) == broken + "é".encode()
    assert InputGate().feed(broken + b"\x1b[A", 0.0) == broken + b"\x1b[A"
