"""Every game's sittings leave logs that read, replay, rerun and verify, however they are cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import by_game, by_game_first, first_of
from tests.helpers.random_play import AnyTable, fair_table, play, seed_of, with_wild
from tui_casino import __version__
from tui_casino.engine.chance import CommittedSource, DiceStream
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import GameListing
from tui_casino.inputs.files import BadFile
from tui_casino.records.codec import encode, to_builtins
from tui_casino.records.ledger import LogCheckpoint
from tui_casino.records.log_header import HUMAN, LogHeader, encode_header
from tui_casino.records.replay import (
    LogMismatch,
    ProofLevel,
    make_table,
    replay_log,
    rerun_log,
    verify_log,
)
from tui_casino.records.session_log import LogWriter, SessionLog, SittingResult, read_log

SHORT, LONG = 9, 250


@pytest.fixture
def definition(listing: GameListing) -> AnyDefinition:
    return with_wild(listing.definition())


def clock() -> int:
    return 1_700_000_000_000


def header_of(table: AnyTable) -> LogHeader:
    return LogHeader(
        format=1,
        game=table.game.slug,
        options=to_builtins(table.options),
        players=tuple(HUMAN if p is None else "wild" for p in table.players.values()),
        croupier=table.croupier.kind,
        source=table.source.spec,
        program=f"tui-casino {__version__}",
        at=clock(),
    )


def record(
    definition: AnyDefinition,
    path: Path,
    seed: bytes,
    steps: int,
    humans: tuple[int, ...],
    end: bool = True,
) -> AnyTable:
    """Play a number of steps with a log, and end it."""
    table = fair_table(definition, seed, humans)
    log = LogWriter.begin(path, header_of(table), clock)
    table.bus.recorder = log.step
    play(table, seed, steps)
    if end:
        money = [definition.game.money(table.state, seat) for seat in table.players]
        log.end(SittingResult("left", tuple(m.free + m.staked for m in money), seed.hex()))
    log.close()
    return table


def sittings(definition: AnyDefinition) -> list[tuple[int, ...]]:
    """Only computers, or a human at the first seat."""
    return [(), (0,)]


@by_game
@pytest.mark.parametrize("number", first_of(range(3)), ids=labelled("session {}"))
def test_recorded_session_is_read_back_replayed_and_verified(
    definition: AnyDefinition, number: int, tmp_path: Path
) -> None:
    for humans in sittings(definition):
        path, seed = tmp_path / f"{len(humans)}.jsonl", seed_of(number)
        table = record(definition, path, seed, LONG, humans)
        log = read_log(path)
        raw = path.read_bytes().splitlines()
        assert [encode(step) for step in log.steps()] == raw[1:-1]
        assert encode_header(log.header) == raw[0]
        assert log.torn == 0
        *_, last = replay_log(definition.game, log)
        assert last.state == table.state
        again = fair_table(definition, seed, humans)
        rerun_log(again, log)
        assert again.state == table.state
        assert verify_log(definition, log).proof is ProofLevel.CONSISTENT
        assert verify_log(definition, log).shuffle_checked
        assert (
            verify_log(definition, log, LogCheckpoint(last=log.hash)).proof is ProofLevel.AUTHENTIC
        )
        assert verify_log(definition, log, LogCheckpoint(last="0" * 64)).proof is ProofLevel.DIFFERS
        with pytest.raises(LogMismatch):
            rerun_log(fair_table(definition, seed_of(99), humans), log)


def check_cut(
    definition: AnyDefinition, path: Path, whole: bytes, cut: int, states: list[Any]
) -> None:
    path.unlink()  # some file systems write an emptied file to the disk
    path.write_bytes(whole[:cut])
    lines = whole[:cut].count(b"\n")
    if not lines:
        with pytest.raises(BadFile, match="no complete first line"):
            read_log(path)
        return
    log = read_log(path)
    ended = lines == whole.count(b"\n")
    assert len(log.lines) == lines - 1 - ended
    assert log.torn == cut - (whole[:cut].rfind(b"\n") + 1)
    assert log.whole + log.torn == cut
    assert (log.end is not None) is ended
    if cut == log.whole:  # with its torn tail the same steps would be played again
        state = definition.game.start(fair_table(definition, b"").options)
        for played in replay_log(definition.game, log):
            state = played.state
        assert state == states[len(log.lines)]


def states_of(definition: AnyDefinition, log: SessionLog) -> list[Any]:
    first = definition.game.start(fair_table(definition, b"").options)
    return [first, *(played.state for played in replay_log(definition.game, log))]


@by_game_first("video-poker", "cribbage")
def test_short_log_cut_at_any_byte_is_read_or_refused(
    definition: AnyDefinition, tmp_path: Path
) -> None:
    path = tmp_path / "short.jsonl"
    record(definition, path, seed_of(1), SHORT, ())
    whole = path.read_bytes()
    states = states_of(definition, read_log(path))
    for cut in range(len(whole) + 1):
        check_cut(definition, path, whole, cut, states)


@by_game
def test_long_log_cut_at_sampled_bytes_is_read_or_refused(
    definition: AnyDefinition, tmp_path: Path
) -> None:
    path = tmp_path / "long.jsonl"
    record(definition, path, seed_of(2), LONG, ())
    whole = path.read_bytes()
    states = states_of(definition, read_log(path))
    dice = DiceStream(b"cuts", "long")
    for _ in range(40):
        check_cut(definition, path, whole, dice.below(len(whole) + 1), states)
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    for end in ends[::20]:
        check_cut(definition, path, whole, end, states)


@by_game
@pytest.mark.parametrize("number", first_of(range(2)), ids=labelled("session {}"))
def test_session_resumed_from_a_log_cut_anywhere_writes_the_same_bytes(
    definition: AnyDefinition, number: int, tmp_path: Path
) -> None:
    for humans in sittings(definition):
        path, seed = tmp_path / f"whole{len(humans)}.jsonl", seed_of(number)
        whole = record(definition, path, seed, 120, humans, end=False)
        raw = path.read_bytes()
        first = raw.index(b"\n") + 1
        dice = DiceStream(b"cuts", "broken")
        for _ in range(25):
            cut = first + dice.below(len(raw) - first + 1)
            path.write_bytes(raw[:cut])
            log, found = LogWriter.resume(path, clock)
            table = make_table(definition, found, CommittedSource(seed))
            rerun_log(table, found)
            table.bus.recorder = log.step
            play(table, seed, 120 - log.steps)
            log.close()
            assert path.read_bytes() == raw
            assert table.state == whole.state


def tampered(raw: bytes) -> list[tuple[str, bytes, int]]:
    """Give logs with one thing changed each, and the first line, from 1, that can show it."""
    lines = raw.splitlines()
    shoe = next(i for i, line in enumerate(lines) if b'"is":"Shoe"' in line)
    deals = [i for i, line in enumerate(lines) if b'"is":"Deal"' in line]
    deal, second = deals[0], deals[1]
    card = json.loads(lines[deal])["do"]["card"]
    other = next(c for c in ("2C", "3C") if c != card)
    found: list[tuple[str, list[bytes], int]] = []

    def change(name: str, at: int, new: list[bytes], first: int) -> None:
        found.append((name, [*lines[:at], *new, *lines[at + 1 :]], first))

    change("card", deal, [lines[deal].replace(card.encode(), other.encode())], deal + 1)
    change("stock", shoe, [lines[shoe].replace(b'"stock":', b'"stock":1')], shoe + 1)
    change("removed", deal, [], deal + 1)
    change("added", deal, [lines[deal], lines[deal]], deal + 2)
    change("time", deal, [lines[deal].replace(b'"at":1', b'"at":2')], deal + 2)
    swapped = [*lines[:deal], lines[second], *lines[deal + 1 : second], lines[deal]]
    found.append(("reordered", [*swapped, *lines[second + 1 :]], deal + 1))
    seed = json.loads(lines[-1])["end"]["seed"]
    change("seed", len(lines) - 1, [lines[-1].replace(seed.encode(), b"00" * 32)], len(lines))
    change("nonsense", deal, [b"nonsense"], deal + 1)
    change("blank", deal, [b""], deal + 1)
    return [(name, b"\n".join(new) + b"\n", first) for name, new, first in found]


@by_game
def test_tampered_log_is_detected_at_its_line(definition: AnyDefinition, tmp_path: Path) -> None:
    path = tmp_path / "good.jsonl"
    record(definition, path, seed_of(3), 60, ())
    for name, raw, first in tampered(path.read_bytes()):
        bad = tmp_path / f"{name}.jsonl"
        bad.write_bytes(raw)
        verdict = verify_log(definition, read_log(bad))
        assert verdict.proof is ProofLevel.DIFFERS, name
        assert verdict.line == first, (name, verdict)
        assert verdict.reason


@by_game
def test_changed_cards_with_new_hashes_are_detected_by_the_shuffle(
    definition: AnyDefinition, tmp_path: Path
) -> None:
    """An attacker who knows the format changes the cards and computes all hashes again."""
    path = tmp_path / "forged.jsonl"
    seed = seed_of(4)
    table = fair_table(definition, seed)
    table.croupier = OtherShoe()
    log = LogWriter.begin(path, header_of(table), clock)
    table.bus.recorder = log.step
    play(table, seed, 60)
    money = [definition.game.money(table.state, seat) for seat in table.players]
    log.end(SittingResult("left", tuple(m.free + m.staked for m in money), seed.hex()))
    log.close()
    verdict = verify_log(definition, read_log(path))
    assert verdict.proof is ProofLevel.DIFFERS
    assert verdict.reason
    assert "the correct step is" in verdict.reason


class OtherShoe(ShuffledShoe):
    """Shuffles, and then cuts the pack where it likes."""

    def shoe(self, need: Any, dice: Any, /) -> Any:
        made = super().shoe(need, dice)
        self._shoe = [*self._shoe[7:], *self._shoe[:7]]
        return made


@by_game
def test_log_with_an_unknown_player_or_game_is_refused(
    definition: AnyDefinition, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    record(definition, path, seed_of(5), 10, ())
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b'"wild"', b'"nobody"'))
    with pytest.raises(BadFile, match="nobody"):
        make_table(definition, read_log(path), CommittedSource(b""))
    path.write_bytes(raw.replace(f'"game":"{definition.game.slug}"'.encode(), b'"game":"whist"'))
    with pytest.raises(BadFile, match="whist"):
        list(replay_log(definition.game, read_log(path)))
