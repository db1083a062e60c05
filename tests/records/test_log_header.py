"""The header names the players: the owner of a log, and invalid headers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command_runner import run
from tests.helpers.ledger_sessions import (
    Lines,
    chained,
    clock,
    lines_of,
    play_on,
    play_round_out,
    write,
)
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import DEFINITIONS
from tui_casino.games import five_card_draw, video_poker
from tui_casino.games.cribbage.face.table_catalog import TABLES
from tui_casino.house.house import WaitingSession
from tui_casino.house.lobby import AnySitting, sit_down
from tui_casino.house.own_sessions import own_logs
from tui_casino.house.sitting import House, SittingEnding, begin_sitting, branch_sitting
from tui_casino.house.unfinished_games import UnfinishedGames
from tui_casino.inputs.files import BadFile
from tui_casino.records.log_catalog import filter_logs, list_logs, make_entry
from tui_casino.records.log_header import LOG_FORMAT, LONGEST_NAME, Identity, encode_header
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.structs import replace

GAME_OF_CRIBBAGE = TABLES.setup("greedy")
NAMES = ("", " ", "x" * (LONGEST_NAME + 1), "a\nb", "\x1b[2J", "\u202e", "\ud800")


def house_of(folder: Path, player: str, name: str | None = None, **other: Any) -> House:
    return House(folder / "logs", None, player, clock=clock, name=name, **other)


def sit(house: House) -> AnySitting:
    """Sit down with computers at five-card draw."""
    definition = five_card_draw.DEFINITION
    players = {Seat(0): "exact", Seat(1): None, Seat(2): "tight", Seat(3): "tight"}
    source = CommittedSource(b"s" * 32)
    return begin_sitting(
        house, definition, definition.game.Options(), ShuffledShoe(), source, players
    )


def finished_log(house: House) -> Path:
    sitting = sit(house)
    play_on(sitting, 30)
    sitting.leave()
    return sitting.log.path


def cashed_out(house: House) -> Path:
    sitting = sit(house)
    play_on(sitting, 30)
    play_round_out(sitting)
    assert sitting.leave() is SittingEnding.CASHED_OUT
    return sitting.log.path


# ---- in the header ----------------------------------------------------------------------------


@pytest.mark.parametrize("ledger", [True, False], ids=["for money", "free play"])
def test_log_header_names_the_player_at_each_seat(ledger: bool, tmp_path: Path) -> None:
    house = house_of(tmp_path, "a1", "Ann")
    path = finished_log(replace(house, ledger=SqliteLedger(None)) if ledger else house)
    assert lines_of(path)[0]["format"] == LOG_FORMAT
    assert lines_of(path)[0]["who"] == [None, {"id": "a1", "name": "Ann"}, None, None]
    header = read_log(path).header
    assert header.who == (None, Identity("a1", "Ann"), None, None)
    assert encode_header(header) == path.read_bytes().splitlines()[0]


def test_player_without_a_display_name_is_shown_by_id(tmp_path: Path) -> None:
    assert house_of(tmp_path, "ann").identity == Identity("ann", "ann")
    assert house_of(tmp_path, "ann", "Ann").identity == Identity("ann", "Ann")


def test_log_of_computer_players_has_no_owner(tmp_path: Path) -> None:
    definition = video_poker.DEFINITION
    players = {Seat(0): next(iter(definition.players))}
    source = CommittedSource(b"s" * 32)
    house = house_of(tmp_path, "ann")
    sitting = begin_sitting(
        house, definition, definition.game.Options(), ShuffledShoe(), source, players
    )
    sitting.leave()
    assert read_log(sitting.log.path).header.who == (None,)
    assert make_entry(sitting.log.path, DEFINITIONS, {}).owners == ()


def test_header_of_a_branch_names_the_player_who_continues(tmp_path: Path) -> None:
    path = finished_log(house_of(tmp_path, "a1", "Ann"))
    bob = branch_sitting(house_of(tmp_path, "b2", "Bob"), five_card_draw.DEFINITION, path, 12)
    play_on(bob, 30)
    bob.leave()
    assert read_log(bob.log.path).header.who == (None, Identity("b2", "Bob"), None, None)
    assert read_log(path).header.who == (None, Identity("a1", "Ann"), None, None)


@pytest.mark.parametrize("name", NAMES)
def test_log_header_with_an_invalid_player_name_is_refused(name: str) -> None:
    for one in ((name, "Ann"), ("ann", name)):
        with pytest.raises(ValueError, match="one line of 1 to 40 characters"):
            Identity(*one)
    assert Identity("a" * LONGEST_NAME, "Glück 👍").name == "Glück 👍"


# ---- what is refused --------------------------------------------------------------------------


def somebody(**other: object) -> dict[str, object]:
    return {"id": "a1", "name": "Ann", **other}


REFUSED: dict[str, tuple[object, str]] = {
    "no entries": ([], "it names 0 players, but the table has 4"),
    "too few entries": ([None, somebody()], "it names 2 players, but the table has 4"),
    "too many entries": ([None, somebody(), None, None, None], "it names 5 players"),
    "human player without an entry": ([None] * 4, "does not name the human player in seat 1"),
    "computer with an entry": (
        [somebody(), somebody(), None, None],
        "it names a player for seat 0, where a computer plays",
    ),
    "not a list": ("ann", "Expected `array`"),
    "name instead of an object": ([None, "ann", None, None], "Expected `object | null`"),
    "missing id": ([None, {"name": "Ann"}, None, None], "missing required field `id`"),
    "number as a name": ([None, somebody(name=5), None, None], "Expected `str`"),
    "empty id": ([None, somebody(id=""), None, None], "1 to 40 characters"),
    "long name": ([None, somebody(name="x" * 41), None, None], "1 to 40 characters"),
    "name with a line break": ([None, somebody(name="a\nb"), None, None], "1 to 40 characters"),
}


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> Lines:
    lines = lines_of(path)
    change(lines[0])
    write(path, chained(lines))
    return lines


@pytest.mark.parametrize("name", REFUSED)
def test_invalid_player_fields_in_a_header_are_refused(name: str, tmp_path: Path) -> None:
    who, why = REFUSED[name]
    path = finished_log(house_of(tmp_path, "a1"))
    changed(path, lambda header: header.update(who=who))
    with pytest.raises(BadFile) as refused:
        read_log(path)
    assert str(refused.value).startswith(f"{path}:1: not the first line of a log: ")
    assert why in str(refused.value)
    found = make_entry(path, DEFINITIONS, {})
    assert (found.fault, found.owners) == (refused.value.reason, ())


def test_player_names_are_required_in_format_4_and_refused_before(tmp_path: Path) -> None:
    path = finished_log(house_of(tmp_path, "a1"))
    raw = path.read_bytes()
    changed(path, lambda header: header.pop("who"))
    with pytest.raises(BadFile, match="it names 0 players"):
        read_log(path)
    path.write_bytes(raw)
    changed(path, lambda header: header.update(format=3))
    with pytest.raises(BadFile, match="format 3 cannot name players"):
        read_log(path)


# ---- whose a log is ---------------------------------------------------------------------------


def of_ann_bob_and_nobody(folder: Path) -> dict[str, Path]:
    ledger = SqliteLedger(folder / "ledger.db")
    logs = {
        "ann's practice": finished_log(house_of(folder, "ann")),
        "bob's practice": finished_log(house_of(folder, "bob")),
        "ann's money": cashed_out(replace(house_of(folder, "ann"), ledger=ledger)),
        "nobody's": finished_log(house_of(folder, "ann")),
    }

    def forget(header: dict[str, Any]) -> None:
        del header["who"]
        header["format"] = 3

    changed(logs["nobody's"], forget)
    return logs


def test_free_play_log_belongs_to_the_player_in_its_header(tmp_path: Path) -> None:
    logs = of_ann_bob_and_nobody(tmp_path)
    accounts = SqliteLedger(tmp_path / "ledger.db").accounts()
    found = {one.path: one for one in list_logs(tmp_path / "logs", DEFINITIONS, accounts)}
    whose = {name: (found[path].player, found[path].owners) for name, path in logs.items()}
    assert whose == {
        "ann's practice": (None, ("ann",)),
        "bob's practice": (None, ("bob",)),
        "ann's money": ("ann", ("ann",)),
        "nobody's": (None, ()),
    }
    of_ann = {logs["ann's practice"], logs["ann's money"]}
    assert {one.path for one in filter_logs(found.values(), player="ann")} == of_ann
    house = house_of(tmp_path, "ann")
    assert {one.path for one in own_logs(house, accounts)} == {*of_ann, logs["nobody's"]}
    house = house_of(tmp_path, "carl")
    assert {one.path for one in own_logs(house, accounts)} == {logs["nobody's"]}


def test_players_in_the_header_and_in_the_ledger_both_own_a_log(tmp_path: Path) -> None:
    """Who says of himself that he played it sees it; so does whose money it was."""
    ledger = SqliteLedger(tmp_path / "ledger.db")
    path = cashed_out(replace(house_of(tmp_path, "ann"), ledger=ledger))
    changed(path, lambda header: header["who"][1].update(id="bob"))
    found = make_entry(path, DEFINITIONS, SqliteLedger(tmp_path / "ledger.db").accounts())
    assert (found.player, found.owners) == ("ann", ("bob", "ann"))
    assert found.is_owned_by("ann")


def test_statistics_of_a_player_include_free_play() -> None:
    for player in ("ann", "bob", "bob"):
        play = ["video-poker", "--console", "--seed", "3", "--player", player]
        assert run(play, "b 5\nd\nh\nq\n").code == 0
    for player, sittings in (("ann", 1), ("bob", 2), ("carl", 0)):
        said = run(["stats", "--json", "--player", player]).out
        assert f'"practice":{{"overall":{{"sittings":{sittings},' in said


def test_unfinished_game_is_offered_only_to_its_own_player(tmp_path: Path) -> None:
    """Of the player's own, or of nobody's, the newest; another's is passed over."""
    definition, times = DEFINITIONS["cribbage"], iter(range(clock(), 2 * clock(), 1_000))

    def game_of(player: str) -> AnySitting:
        house = House(tmp_path / "logs", None, player, clock=lambda: next(times))
        sitting = sit_down(house, definition, GAME_OF_CRIBBAGE, CommittedSource(b"s" * 32))
        play_on(sitting, 20)
        sitting.log.close()
        return sitting

    def left_off(name: str) -> list[Path]:
        found = UnfinishedGames().find(house_of(tmp_path, name), DEFINITIONS)
        assert found == tuple(WaitingSession("cribbage", one.log) for one in found)
        return [one.log for one in found]

    anns, bobs = game_of("ann").log.path, game_of("bob").log.path
    for player, waits in (("ann", [anns]), ("bob", [bobs]), ("carl", [])):
        assert left_off(player) == waits
    newer = game_of("ann").log.path
    assert left_off("ann") == [newer, anns], "one game does not hide another"
    lines = lines_of(newer)
    del lines[0]["who"]
    write(newer, chained([{**lines[0], "format": 3}, *lines[1:]]))
    assert left_off("carl") == [newer]


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 5},
        {"format": 5, "seat": 0},
        {"format": 5, "table": "K7QX"},
        {"format": 4, "table": "K7QX"},
        {"format": 4, "seat": 0},
        {"format": 5, "seat": 0, "table": "K7QX"},
        {"format": 5, "seat": 1, "table": "K7QX", "daily": "2026-11-28"},
    ],
)
def test_only_the_log_of_a_seat_has_seat_and_table_and_no_daily_deal(
    changes: dict[str, Any], tmp_path: Path
) -> None:
    path = finished_log(house_of(tmp_path, "ann"))
    changed(path, lambda header: header.update(changes))
    with pytest.raises(BadFile, match="not the first line of a log"):
        read_log(path)
