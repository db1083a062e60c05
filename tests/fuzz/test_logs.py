"""Logs that are broken in every way: told again, verified, and taken up with the money in them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.fuzz import generators
from tests.fuzz.test_console import seating_of
from tests.helpers.command_runner import check_file, output, repeatable
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import by_game, by_game_first, first_of
from tests.helpers.random_play import advance, seed_of
from tui_casino.cards.card import PACK
from tui_casino.engine.chance import CommittedSource, JavaRandomSource, SeededSource
from tui_casino.engine.croupier import FixedShoe, JavaCroupier, ShuffledShoe
from tui_casino.engine.money import Money
from tui_casino.gamekit.registry import GameListing
from tui_casino.house.resumption import resume_from_ledger
from tui_casino.house.sitting import House, Sitting, begin_sitting
from tui_casino.inputs.errors import BadInput
from tui_casino.records.log_header import SEAT_FORMAT
from tui_casino.records.replay import log_options, replay_log
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

STEPS = 50


@cache
def recorded(listing: GameListing) -> tuple[bytes, ...]:
    """Give logs: of humans and computers, of every croupier and source, ended and broken off."""
    definition, seating = listing.definition(), seating_of(listing)
    computers = {seat: next(iter(definition.players)) for seat in seating.players}
    tables: list[tuple[Any, Any, Any]] = [
        (ShuffledShoe(), CommittedSource(seed_of(1)), seating.players),
        (ShuffledShoe(), CommittedSource(seed_of(2)), computers),
        (JavaCroupier(), JavaRandomSource(3), computers),
        (FixedShoe(PACK * 3), SeededSource(4), seating.players),
    ]
    logs = []
    with TemporaryDirectory() as folder:
        house = House(Path(folder), None, "somebody", clock=lambda: 1_700_000_000_000)
        for croupier, source, players in tables:
            sitting = begin_sitting(house, definition, seating.options, croupier, source, players)
            for _ in range(STEPS):
                advance(sitting.table, seed_of(5))
            if players is not computers or croupier.kind.name == "java":
                sitting.leave()
            sitting.log.close()
            logs.append(sitting.log.path.read_bytes())
    return tuple(logs)


def chained(lines: list[bytes]) -> bytes:
    """Write lines as a log whose chain holds, where there is one."""
    raw, before = bytearray(), b""
    for line in lines:
        after = hashlib.sha256(before).hexdigest().encode()
        before = re.sub(rb'"prev":"[^"]*"', b'"prev":"' + after + b'"', line)
        raw += before + b"\n"
    return bytes(raw)


def broken(random: Random, logs: tuple[bytes, ...]) -> bytes:
    whole = random.choice(logs)
    match random.randrange(6):
        case 0:
            return generators.mutated(random, whole, random.choice(logs))
        case 1:
            return generators.digit_changed(random, whole)
        case 2 if random.random() < 0.2:
            return generators.noise(random)
    lines = whole.splitlines()
    at = random.choice((0, 0, 0, len(lines) - 1, random.randrange(len(lines))))
    lines[at] = generators.as_line(generators.value_changed(random, json.loads(lines[at])))
    return chained(lines) if random.random() < 0.7 else b"\n".join([*lines, b""])


def commands(path: Path) -> list[list[str]]:
    told = (["replay", str(path), *form] for form in ((), ("--json",), ("--states",)))
    return [*told, ["verify", str(path)]]


@by_game
@pytest.mark.parametrize(
    "seeds",
    first_of([range(20), range(20, 150), range(1_000, 1_600), range(2_000, 2_600)]),
    ids=str,
)
def test_commands_read_or_refuse_randomly_broken_logs_without_a_crash(
    listing: GameListing, seeds: range, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    for seed in seeds:
        raw = broken(Random(f"log {listing.slug} {seed}"), recorded(listing))
        check_file(path, raw, *commands(path), seed=seed)


HEADERS: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "a time in the far future": (("at",), 10**15),
    "a time long ago": (("at",), -(10**15)),
    "a time beyond 64 bits": (("at",), 10**30),
    "a time of thousands of digits": (("at",), generators.HUGE),
    "format 0": (("format",), 0),
    "a negative format": (("format",), -1),
    "a newer format": (("format",), SEAT_FORMAT + 1),
    "a huge format": (("format",), 10**400),
    "a long name": (("game",), "x" * 5_000),
    "a name of two lines": (("game",), "a\nb"),
    "an option of two lines": (("options", "a\nb"), 1),
    "an option with an escape sequence": (("options", "\x1b[2J"), 1),
    "a long option": (("options", "x" * 5_000), 1),
    "no players": (("players",), []),
    "many players": (("players",), ["human"] * 10_000),
    "an unknown player": (("players", 0), "nobody"),
    "a player of two lines": (("players", 0), "a\nb"),
    "a long player": (("players", 0), "x" * 5_000),
    "a croupier without cards": (("croupier",), {"name": "cards", "cards": []}),
    "face-down cards": (("croupier",), {"name": "cards", "cards": ["??"] * 100}),
    "a card with an escape sequence": (("croupier",), {"name": "cards", "cards": ["\x1b[2J"]}),
    "a huge number": (("source",), {"kind": "numbered", "value": "9" * 5_000}),
    "text as a number": (("source",), {"kind": "java", "value": "x\ny"}),
    "digits of another script": (("source",), {"kind": "java", "value": "٣"}),
    "no names of players": (("who",), []),
    "many names of players": (("who",), [{"id": "a", "name": "b"}] * 10_000),
    "a name with an escape sequence": (("who", 0), {"id": "a", "name": "\x1b[2J"}),
    "an id of two lines": (("who", 0), {"id": "a\nb", "name": "b"}),
    "a long id": (("who", 0), {"id": "x" * 5_000, "name": "b"}),
    "a long commitment": (("source",), {"kind": "committed", "value": "0" * 5_000}),
}


@by_game_first("cribbage")
@pytest.mark.parametrize("name", HEADERS)
def test_commands_read_or_refuse_a_strange_header_without_a_crash(
    listing: GameListing, name: str, tmp_path: Path
) -> None:
    path, (place, value) = tmp_path / "log.jsonl", HEADERS[name]
    for log in recorded(listing):
        first, *rest = log.splitlines()
        header = json.loads(first)
        within = header
        for key in place[:-1]:
            within = within[key]
        within[place[-1]] = value
        ran = check_file(path, chained([generators.as_line(header), *rest]), *commands(path))
        if place == ("format",):
            assert [one.code for one in ran] == [2, 2, 2, 2], "a format that there is not"


def _deep(depth: int, what: str) -> bytes:
    return b"[" * depth + b"]" * depth if what == "list" else b'{"a":' * depth + b"0" + b"}" * depth


@by_game_first("thirty-one")
@pytest.mark.parametrize("what", ["list", "dict"])
@pytest.mark.parametrize("depth", [300, 900, 970, 1_000, 20_000], ids=labelled("depth {}"))
def test_commands_survive_a_log_with_deeply_nested_json(
    listing: GameListing, depth: int, what: str, tmp_path: Path
) -> None:
    path, deep = tmp_path / "log.jsonl", _deep(depth, what)
    first, second, *rest = recorded(listing)[0].splitlines()
    for line in (
        b'{"n":1,"by":null,"do":{"is":' + deep + b'},"ev":[],"at":0,"prev":""}',
        b'{"n":1,"by":null,"do":{"is":"Shoe","stock":' + deep + b'},"ev":[],"at":0,"prev":""}',
        b'{"n":1,"by":null,"do":{"is":"Shoe","stock":52},"ev":[{"a":'
        + deep
        + b'}],"at":0,"prev":""}',
        b'{"x":' + deep + b"," + second[1:],
    ):
        check_file(path, chained([first, line, *rest]), *commands(path))
    for at in (b'"options":{', b'"source":{', b"{"):
        header = first.replace(at, at + b'"x":' + deep + b",", 1)
        check_file(path, chained([header, second, *rest]), *commands(path))


@by_game
@pytest.mark.parametrize("seat", [-1, 99, 10**30], ids=labelled("seat {}"))
def test_log_with_steps_by_a_seat_that_does_not_exist_fails_every_command(
    listing: GameListing, seat: int, tmp_path: Path
) -> None:
    """Nobody sits there, so the log breaks the rules, be its seed revealed or not."""
    path = tmp_path / "log.jsonl"
    for log in recorded(listing):
        for lines in (log.splitlines(), log.splitlines()[:-1]):
            raw = chained([re.sub(rb'"by":[0-9]+', b'"by":%d' % seat, line) for line in lines])
            for ran in check_file(path, raw, *commands(path)):
                assert ran.code != 0, ran.out[-300:]


@by_game
def test_verify_fails_for_a_log_with_an_unknown_player(
    listing: GameListing, tmp_path: Path
) -> None:
    """Without the player a shuffle cannot be checked, so it does not count as checked."""
    path = tmp_path / "log.jsonl"
    for log in recorded(listing):
        first, *rest = log.splitlines()
        header = json.loads(first)
        header["players"][0] = "nobody"
        raw = chained([generators.as_line(header), *rest])
        for ran in check_file(path, raw, ["verify", str(path)]):
            assert ran.code != 0, ran.out


@by_game
@pytest.mark.parametrize("text", ["\x1b[2J", "a\nverify: authentic", "\u202e", "\x9b2J"], ids=repr)
def test_texts_of_a_log_cannot_control_the_terminal_or_imitate_the_program(
    listing: GameListing, text: str, tmp_path: Path
) -> None:
    """A log from somebody else can neither move the cursor nor feign lines of the program."""
    path, (first, *rest, last) = tmp_path / "log.jsonl", recorded(listing)[0].splitlines()
    header, end = json.loads(first), json.loads(last)
    header["players"][0] = header["program"] = end["end"]["why"] = text
    for raw in (
        chained([first, *rest, generators.as_line(end)]),
        chained([generators.as_line(header), *rest, last]),
    ):
        for ran in check_file(path, raw, ["replay", str(path)], ["verify", str(path)]):
            assert text not in ran.out + ran.err


def check_resuming_a_broken_log(
    listing: GameListing, folder: Path, change: Callable[[Random, bytes], bytes], seed: int
) -> None:
    """Check that resuming a session with a broken log, or refusing to, loses no money or byte."""
    random, definition, seating = Random(f"open {seed}"), listing.definition(), seating_of(listing)
    ledger = SqliteLedger(None)
    house = House(folder / str(seed), ledger, "somebody", clock=lambda: 1_700_000_000_000)
    source = CommittedSource(random.randbytes(32))
    sitting = begin_sitting(
        house, definition, seating.options, seating.croupier, source, seating.players
    )
    steps = random.randrange(3, STEPS)
    while sitting.log.steps < steps or (not sitting.staked and sitting.log.steps < 5 * STEPS):
        if not advance(sitting.table, seed_of(seed)):
            break
    sitting.close()  # the ledger knows every finished round
    [entry] = ledger.open_sittings("somebody")
    purse, whole = ledger.balance("somebody"), entry.log.read_bytes()
    raw = change(random, whole)
    entry.log.write_bytes(raw)
    with repeatable(seed=seed, raw=raw, whole=whole):
        found: Any = None
        why = ""
        try:
            found = resume_from_ledger(house, ledger, definition, entry)
        except BadInput as refused:
            why = str(refused)
        if why:
            assert str(entry.log) in why, why
            assert len(why.splitlines()) == 1, why
            assert ledger.open_sittings("somebody") == [entry], "refused, but settled"
            assert ledger.balance("somebody") == purse, "refused, but paid"
            assert entry.log.read_bytes() == raw, "refused, but changed"
            return
        acted = has_human_action(sitting, folder, raw)
        states = states_of(listing, folder, whole)
        told = states_of(listing, folder, raw)
        assert told == states[: len(told)], "another session than the one that was played"
        if isinstance(found, Sitting):
            found.close()
            assert raw.startswith(entry.log.read_bytes())
            assert found.table.state == told[-1]
            assert ledger.balance("somebody") == purse
        else:
            money = _money(sitting, told[-1])
            cents = definition.game.unit * sum(m.free + m.staked for m in money)
            assert ledger.balance("somebody") == purse + cents
            assert ledger.open_sittings("somebody") == []
            if _has_played(sitting, told, acted):
                assert states_of(listing, folder, entry.log.read_bytes()) == told
            else:
                assert cents == entry.bought_in
                assert not entry.log.exists(), "no human played, but the log is kept"
    ledger.close()


def _money(sitting: Sitting[Any, Any, Any, Any, Any], state: Any) -> list[Money]:
    return [sitting.definition.game.money(state, seat) for seat in sitting.table.humans]


def _has_played(sitting: Sitting[Any, Any, Any, Any, Any], states: list[Any], acted: bool) -> bool:
    """Return whether a human has bet; in a game for points, whether a human has acted."""
    if sitting.for_points:
        return acted
    return any(money.staked for state in states for money in _money(sitting, state))


def has_human_action(sitting: Sitting[Any, Any, Any, Any, Any], folder: Path, raw: bytes) -> bool:
    path = folder / "raw.jsonl"
    path.write_bytes(raw)
    return any(line.by in sitting.table.humans for line in read_log(path).steps())


def states_of(listing: GameListing, folder: Path, raw: bytes) -> list[Any]:
    path, game = folder / "told.jsonl", listing.definition().game
    path.write_bytes(raw)
    log = read_log(path)
    first = game.start(log_options(game, log))
    return [first, *(played.state for played in replay_log(game, log))]


def a_byte_of_an_earlier_line(random: Random, whole: bytes) -> bytes:
    """Change a byte before the last line: the chain can tell."""
    raw = bytearray(whole)
    end = whole.rstrip(b"\n").rfind(b"\n")
    at = random.choice([at for at in range(end) if raw[at] != ord("\n")])
    value = random.choice(b"0123456789") if chr(raw[at]).isdigit() else random.randrange(256)
    raw[at] = value if value != ord("\n") else ord("x")
    return bytes(raw)


def a_digit_of_an_earlier_line(random: Random, whole: bytes) -> bytes:
    """Change a number before the last line, and tear off a line after it."""
    end = whole.rstrip(b"\n").rfind(b"\n")
    return generators.digit_changed(random, whole[:end]) + whole[end:] + b'{"n":'


def the_header(random: Random, whole: bytes) -> bytes:
    first, rest = whole.split(b"\n", 1)
    changed = generators.as_line(generators.value_changed(random, json.loads(first)))
    return changed + b"\n" + rest


CHANGES: dict[str, Callable[[Random, bytes], bytes]] = {
    "changed-byte": a_byte_of_an_earlier_line,
    "changed-header": the_header,
    "cut-off": lambda random, whole: whole[: random.randrange(len(whole))],
    "noise-at-the-end": lambda random, whole: whole + generators.noise(random).replace(b"\n", b" "),
    "changed-digit": a_digit_of_an_earlier_line,
}
by_change = pytest.mark.parametrize("change", CHANGES)


@by_game_first("video-poker", "five-card-draw")
@by_change
@pytest.mark.parametrize(
    "seeds", first_of([range(12), range(12, 40), range(1_000, 1_200)]), ids=str
)
def test_open_sessions_with_broken_logs_keep_their_money(
    listing: GameListing, change: str, seeds: range, tmp_path: Path
) -> None:
    for seed in seeds:
        check_resuming_a_broken_log(listing, tmp_path, CHANGES[change], seed)


@by_game
def test_ledgers_are_rebuilt_from_broken_logs(listing: GameListing, tmp_path: Path) -> None:
    """Valid logs are counted; each invalid log is left out and reported in a line."""
    logs = recorded(listing)
    for seed in range(12):
        random = Random(f"rebuild {seed}")
        folder = tmp_path / str(seed)
        folder.mkdir()
        for number in range(4):
            (folder / f"{number}.jsonl").write_bytes(for_money(broken(random, logs)))
        with repeatable(seed=seed):
            out = output("ledger", "rebuild", "--log-dir", str(folder), typed="n\n").out
            (counts,) = re.findall(r"(\d+) known, (\d+) new, (\d+) of free .* (\d+) left", out)
            assert sum(map(int, counts)) == 4, "each log is counted once"
            assert out.isprintable() or all(line.isprintable() for line in out.splitlines())


def for_money(raw: bytes) -> bytes:
    """Leave the seed out of the first line, as if it had been played with a purse."""
    return re.sub(rb',"seed":"[0-9a-f]*"(?=[^\n]*"who")', b"", raw, count=1)
