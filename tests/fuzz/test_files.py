"""Files that are broken in every way, as card file, command file, pay table and ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct

from tests.fuzz import generators
from tests.fuzz.test_debug_mode import cut
from tests.helpers.command_runner import check, check_file, repeatable, run
from tests.helpers.quick_cases import first_of
from tui_casino.games.video_poker.machine import paytables
from tui_casino.house.paths import ledger_file
from tui_casino.inputs.sanitize import printable

EXAMPLE = Path(__file__).parents[1] / "data" / "video_poker" / "course-example"
COMMANDS, CARDS = EXAMPLE / "cmd-file.txt", EXAMPLE / "card-file.txt"
DECK = Path(__file__).parents[1] / "data" / "thirty_one" / "deck.txt"
HASTY = 0.05
"""Seconds: some damage looks to SQLite as if another program were writing; don't wait for it."""
QUESTION = "borrow 1,000.00? [y/N] "
"""Stands before the error in its line if a player with an empty purse declines the loan."""
TABLES = tuple(sorted((Path(paytables.__file__).parents[1] / "data").glob("*.toml")))


class Kind(Struct, frozen=True):
    """A file that a player gives: good ones, and the commands that take one."""

    good: tuple[Path, ...]
    commands: Callable[[str], list[list[str]]]


def debug(commands: str = str(COMMANDS), cards: str = str(CARDS), table: str = "") -> list[str]:
    paytable = ["--paytable", table] if table else []
    return ["video-poker", "-d", "1000", commands, cards, *paytable]


KINDS = {
    "cards": Kind((CARDS,), lambda path: [debug(cards=path)]),
    "commands": Kind((COMMANDS,), lambda path: [debug(commands=path)]),
    "deck": Kind((DECK,), lambda path: [["thirty-one", "--console", "--deck", path]]),
    "paytable": Kind(TABLES, lambda path: [debug(table=path)]),
}
by_kind = pytest.mark.parametrize("kind", KINDS)


def broken(random: Random, good: tuple[Path, ...]) -> bytes:
    if random.random() < 0.15:
        return generators.noise(random)
    whole, other = random.choice(good).read_bytes(), random.choice(good).read_bytes()
    if random.random() < 0.2 and any(byte in whole for byte in b"0123456789"):
        return generators.digit_changed(random, whole)
    return generators.mutated(random, whole, other)


def check_broken(kind: str, seed: int, path: Path) -> None:
    raw = broken(Random(f"{kind} {seed}"), KINDS[kind].good)
    ran, *_ = check_file(path, raw, *KINDS[kind].commands(str(path)), seed=seed)
    if kind == "paytable" and ran.code == 0:
        typed = ["video-poker", "--console", "--seed", "1", "--log-dir", str(path.parent)]
        assert run([*typed, "--paytable", str(path)], "b 5\nd\nh 1\ns\n").code == 0
    if kind == "commands" and ran.code == 0:
        commands = cut(raw.decode("utf-8-sig").split())
        echoes = [line for line in ran.out.split("\n") if line.startswith("-cmd ")]
        assert echoes == [printable(f"-cmd {' '.join(command)}") for command in commands]


@by_kind
@pytest.mark.parametrize("seeds", first_of([range(200), range(1_000, 2_500)]), ids=str)
def test_commands_read_or_refuse_randomly_broken_files_without_a_crash(
    kind: str, seeds: range, tmp_path: Path
) -> None:
    for seed in seeds:
        check_broken(kind, seed, tmp_path / "broken")


@by_kind
@pytest.mark.parametrize(
    "raw",
    [b"x" * 5_000, b"x" * 9_900 + b" = 1", b"[" * 9_000, b"a." * 4_500 + b"a = 1", b"\x00" * 9_000],
    ids=["a long word", "a long key", "nested", "dotted", "zeros"],
)
def test_error_about_a_long_value_is_one_line(kind: str, raw: bytes, tmp_path: Path) -> None:
    """However long what is wrong is, the error is a line that can be read."""
    path = tmp_path / "long"
    check_file(path, raw, *KINDS[kind].commands(str(path)))


@by_kind
def test_path_that_is_not_a_file_is_refused(kind: str, tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path, tmp_path / ("x" * 1_000), tmp_path / "a" / "b"):
        for command in KINDS[kind].commands(str(path)):
            ran = run(command)
            check(ran, path)
            assert ran.code == 2


NAMES = ("a\nb", "a\x1b[2J", "\x9b", "\u202e", "\udcff", "👍", "a" * 200, " ", "-", "'", "%s")
by_name = pytest.mark.parametrize("name", NAMES, ids=ascii)


@by_name
def test_strange_file_names_are_shown_as_text(name: str, tmp_path: Path) -> None:
    """The name of a file is anything; an error still is one line, with the name as text."""
    path = tmp_path / name
    shown = name if name.isprintable() else ascii(name)[1:-1].replace("\\udc", "\\x")
    logs = ["--log-dir", str(tmp_path / "logs")]
    assert run(["video-poker", "--console", *logs], "b 5\nd\nh\n").code == 0
    [log] = (tmp_path / "logs").glob("*.jsonl")
    table = ["video-poker", "--console", *logs, "--paytable", str(path)]
    good = {CARDS: debug(cards=str(path)), COMMANDS: debug(commands=str(path)), TABLES[0]: table}
    for other, command in {**good, log: ["verify", str(path)]}.items():
        path.write_bytes(other.read_bytes())
        assert run(command).code == 0, command
        path.write_bytes(b"\xff\n")
        refused = run(command)
        assert refused.code == 2, command
        assert len(refused.err.splitlines()) == 1, refused.err
        assert shown in refused.err or ascii(name)[1:-1] in refused.err, refused.err


@by_name
def test_strange_player_names_are_accepted_or_refused(name: str, tmp_path: Path) -> None:
    play = ["video-poker", "--console", "--log-dir", str(tmp_path), f"--player={name}"]
    ran = run(play, "b 5\nd\nh\n")
    assert ran.code in (0, 2), ran.err
    assert ran.code == 0 or len(ran.err.splitlines()) == 1, ran.err


def play_for_a_ledger(folder: Path) -> tuple[Path, bytes, list[list[str]]]:
    """Give a ledger with a finished and an open sitting, its bytes, and commands that open it."""
    logs = folder / "logs"
    play = ["video-poker", "--console", "--log-dir", str(logs), "--player"]
    assert run([*play, "one"], "b 5\nd\nh\nq\n").code == 0
    verify = ["verify", str(next(logs.glob("*.jsonl")))]
    assert run(verify).out.startswith("authentic: ")
    assert run([*play, "two"], "b 5\nd\n").code == 0
    path = ledger_file()
    settle = ["ledger", "settle", "--yes"]
    return path, path.read_bytes(), [verify, [*play, "one"], [*play, "two"], settle]


def check_ledger(path: Path, raw: bytes, commands: list[list[str]], **given: object) -> None:
    for command in commands:
        with repeatable(command=command, **given):
            for beside in path.parent.glob(f"{path.name}-*"):
                beside.unlink()
            path.write_bytes(raw)
            ran = run(command, "b 5\nd\nh\nq\n", HASTY)
            assert ran.code in (0, 1, 2), ran.err
            if ran.code == 2:  # a warning may have told of an open sitting before
                *_, error = ran.err.splitlines()
                assert ran.err.count("tui-casino: ") == 1, ran.err
                if not error.startswith(QUESTION):  # declined: not an error of the ledger
                    assert error.startswith("tui-casino: "), error
                    assert str(path) in error, error
                # refused before play began, and before an earlier sitting was settled
                if not ran.out and "was cashed out" not in ran.err:
                    assert path.read_bytes() == raw, "refused, but changed"


def check_rebuilt(path: Path, raw: bytes, logs: Path) -> None:
    """Whatever the ledger was, it is in order when it has been made again, or stays as it is."""
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    path.write_bytes(raw)
    rebuild = ["ledger", "rebuild", "--yes", "--log-dir", str(logs)]
    ran = run(rebuild, patience=HASTY)
    assert ran.code in (0, 2), ran
    if ran.code == 2:
        assert path.read_bytes() == raw, "refused, but changed"
        assert str(path) in ran.err, ran.err
        return
    again = run(rebuild, patience=HASTY)
    assert "nothing to change" in again.out, (ran, again)
    for kept in path.parent.glob(f"{path.name}.kept-*"):
        kept.unlink()


@pytest.mark.parametrize("seeds", first_of([range(30), range(1_000, 1_300)]), ids=str)
def test_commands_read_or_refuse_randomly_broken_ledgers_without_a_crash(
    seeds: range, tmp_path: Path
) -> None:
    path, raw, commands = play_for_a_ledger(tmp_path)
    for seed in seeds:
        random = Random(f"ledger {seed}")
        broken = bytearray(raw)
        luck = random.random()
        if luck < 0.2:
            broken = bytearray(generators.noise(random))
        elif luck < 0.4:
            broken = bytearray(generators.mutated(random, raw))
        else:  # SQLite's pages are mostly empty: look for the bytes that say something
            places = [at for at, byte in enumerate(raw) if byte]
            for at in random.choices(places, k=random.choice((1, 1, 3))):
                broken[at] ^= 1 << random.randrange(8)
        check_ledger(path, bytes(broken), commands, seed=seed)
        if seed % 4 == 0:
            with repeatable(seed=seed):
                check_rebuilt(path, bytes(broken), Path(commands[0][1]).parent)


@pytest.mark.parametrize(
    "change",
    [
        *("update purse set cents = 'x'", "update purse set cents = x'00'"),
        *("update purse set cents = 1.5", "update purse set cents = 9223372036854775807"),
        *("update purse set cents = -5", "update purse set cents = 1e300", "delete from purse"),
        *("drop table purse", "drop table sitting", "drop table marker", "delete from sitting"),
        *("pragma user_version = 99", "pragma user_version = -1", "pragma user_version = 0"),
        *(
            "update sitting set log = x'ff'",
            "update sitting set log = ''",
            "update sitting set log = 5",
        ),
        *("update sitting set log = '/'", "update sitting set log = cast(x'ff' as text)"),
        *("update sitting set seed = 'text'", "update sitting set seed = 5"),
        *("update sitting set seed = null", "update sitting set seed = x''"),
        *("update sitting set bought = 'x'", "update sitting set bought = x'00'"),
        *("update sitting set bought = 9223372036854775807", "update sitting set game = 5"),
        *("update sitting set game = x'00'", "update sitting set game = ''"),
        *(
            "update sitting set hash = x'00'",
            "update sitting set hash = 5",
            "drop index sitting_by_player",
        ),
        *("update sitting set closed = 'x'", "update sitting set opened = 'x'"),
        *("update sitting set closed = null", "alter table purse rename cents to dollars"),
        *("update sitting set head = 'x'", "update sitting set head = x'00'"),
        *("update sitting set head = null", "update sitting set steps = -1"),
        *("update sitting set steps = 99, mark = 'x'", "update sitting set steps = 'x'"),
        *("update sitting set mark = 5", "update sitting set held = -5"),
        *("alter table sitting drop column head", "update marker set cents = 'x'"),
        "insert into marker values ('one', 1, 9223372036854775807)",
    ],
)
def test_commands_read_or_refuse_odd_values_in_the_ledger_without_a_crash(
    change: str, tmp_path: Path
) -> None:
    path, _, commands = play_for_a_ledger(tmp_path)
    with sqlite3.connect(path) as db:
        db.execute("pragma ignore_check_constraints = on")
        with suppress(sqlite3.IntegrityError):  # what the strict tables refuse cannot come about
            db.execute(change)
        db.commit()
        db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    raw = path.read_bytes()
    check_ledger(path, raw, commands, change=change)
    check_rebuilt(path, raw, Path(commands[0][1]).parent)
