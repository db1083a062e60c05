"""A power failure of a server: no money stays at a table, and all sums are right."""

from __future__ import annotations

import asyncio
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.helpers import power_cut
from tests.host.loopback_server import Host, Visitor, accounts, host, new_key, visiting
from tui_casino.records.ledger import OPENING_BALANCE
from tui_casino.records.sqlite_ledger import SqliteLedger

RECORDED = (sys.executable, "-m", "tests.helpers.power_cut", "tui_casino")


async def play(visitor: Visitor, rounds: int) -> None:
    """Play rounds of video poker, and stop with a bet at stake."""
    await visitor.sees("Play video poker")
    visitor.type("1")
    await visitor.sees("Deal for")
    for _ in range(rounds):
        await visitor.commit("Draw")
        await visitor.commit("Deal for")
    await visitor.commit("Draw")


def sums(house: Host, players: list[str]) -> None:
    """See that each purse is what came of all sittings."""
    with closing(SqliteLedger.look_at(house.data.ledger)) as ledger:
        for player in players:
            won = sum(
                (one.cashed_out or 0) - one.bought_in for one in ledger.accounts(player).values()
            )
            assert ledger.balance(player) == OPENING_BALANCE + won


@pytest.mark.prove
async def test_remote_players_can_use_all_their_money_after_a_power_cut(tmp_path: Path) -> None:
    home, keys = tmp_path / "host", [new_key() for _ in range(3)]
    with host(home, program=RECORDED) as house:
        players = [house.add_player(key, f"Ann {n}").id for n, key in enumerate(keys)]

        async def plays(number: int) -> None:
            async with visiting(house, keys[number]) as visitor:
                await play(visitor, number)
                await all_play.wait()
                house.kill() if number == 0 else None

        all_play = asyncio.Barrier(len(keys))
        await asyncio.gather(*(plays(number) for number in range(len(keys))))
    assert power_cut.cut(home / "journal", house.data.players) == len(keys), "each had a hand open"
    with host(home) as house:
        sums(house, players)
        for key in keys:
            async with visiting(house, key) as visitor:
                await visitor.sees("Play video poker")
                assert "cannot be resumed" not in visitor.text
                await play(visitor, 1)
                await visitor.commit("Deal for")
                await visitor.type_until("q\r", "Play video poker")
        sums(house, players)
        assert [waiting for _, waiting in accounts(house, players)] == [{}] * len(players)


async def test_failing_server_disk_is_reported_to_the_player_without_paths(tmp_path: Path) -> None:
    """The list of promises cannot be written, so nothing is dealt; nor can a log be begun."""
    key = new_key()
    with host(tmp_path / "host") as house:
        player = house.add_player(key, "Ann")
        house.data.promises.unlink()
        house.data.promises.mkdir()
        async with visiting(house, key) as visitor:
            await visitor.sees("Play video poker")
            screen = await visitor.type_until("1", "Cannot open this table")
            assert "promises.log" in screen
            assert str(tmp_path).encode() not in visitor.raw
        house.data.promises.rmdir()
        sessions = house.data.player(player.id) / "sessions"
        shutil.rmtree(sessions)
        sessions.write_text("")
        async with visiting(house, key) as visitor:
            await visitor.sees("Play video poker")
            await visitor.type_until("1", "Cannot open this table")
            assert str(tmp_path).encode() not in visitor.raw
            assert "--log-dir" not in visitor.text
