"""Two people who find each other in the room of tables over SSH."""

from __future__ import annotations

from tests.host.loopback_server import Host, at_terminal, connected, new_key, visiting
from tests.host.test_playing_with_others import named


async def test_two_people_find_each_other_in_the_room_of_tables(house: Host) -> None:
    keys = {name: new_key() for name in ("Carla", "Dan")}
    for name, key in keys.items():
        async with connected(house, key) as conn, at_terminal(conn) as visitor:
            await named(visitor, name)
            await visitor.sees("balance 1,000.00")
    async with visiting(house, keys["Carla"]) as carla, visiting(house, keys["Dan"]) as dan:
        await dan.sees("j  Tables")
        await dan.type_until("j", "No table is open now.")
        await carla.sees("j  Tables")
        await carla.type_until("j", "No table is open now.")
        await carla.type_until("n", "which game?")
        await carla.type_until("1", "How many seats?")
        await carla.type_until("2", "Who may sit down?")
        await carla.type_until("1", "BACCARAT")
        await dan.sees("1 of 2  Carla")  # his list follows without a key
        await dan.type_until(" ", "● Carla 400.00")
        await carla.sees("● Dan 400.00")


async def test_your_move_is_in_the_menu_and_in_the_list_of_tables(house: Host) -> None:
    keys = {name: new_key() for name in ("Gwen", "Hans")}
    for name, key in keys.items():
        async with connected(house, key) as conn, at_terminal(conn) as visitor:
            await named(visitor, name)
            await visitor.sees("balance 1,000.00")
    async with connected(house, keys["Gwen"]) as conn:
        made = str((await conn.run("table new cribbage --pace day --open")).stdout)
        code = made.split()[0]
    for key in keys.values():  # one after the other: nobody waits there for somebody
        async with visiting(house, key, command=f"table {code}") as visitor:
            await visitor.sees("CRIBBAGE")
            await visitor.type_until("\x1b", "come back later")
            await visitor.type_until("1", "j  Tables")
    async with connected(house, keys["Gwen"]) as conn:
        said = str((await conn.run("table")).stdout)
        (line,) = (one for one in said.splitlines() if one.startswith(code))
    about = "Cribbage: Gwen, Hans; 0 free seats; a day for each move; your move"
    assert line == f"{code}  {about}"
    async with connected(house, keys["Hans"]) as conn:
        said = str((await conn.run("table")).stdout)
        (line,) = (one for one in said.splitlines() if one.startswith(code))
    assert line.endswith("; a day for each move")
    async with visiting(house, keys["Gwen"]) as gwen:
        await gwen.sees("Your move: cribbage with Hans, 23 h 59 min left (j)")


async def test_watcher_sees_a_coup_once_it_is_over(house: Host) -> None:
    keys = {name: new_key() for name in ("Iris", "Jack", "Kim")}
    for name, key in keys.items():
        async with connected(house, key) as conn, at_terminal(conn) as visitor:
            await named(visitor, name)
            await visitor.sees("balance 1,000.00")
    async with connected(house, keys["Iris"]) as conn:
        code = str((await conn.run("table new baccarat --seats 2")).stdout).split()[0]
    watches = f"table {code} --watch"
    by_ear = {"TERM": "dumb"}
    async with visiting(house, keys["Iris"], command=f"table {code}") as iris:
        await iris.sees(f"BACCARAT · {code}")
        async with (
            visiting(house, keys["Jack"], command=watches) as jack,
            visiting(house, keys["Kim"], command=watches, environ=by_ear) as ear,
        ):
            await jack.sees("Waiting for the round to end.")
            await ear.sees("Waiting for the round to end.")
            iris.type("1")
            iris.type(" ")
            seen = await jack.sees("Iris bets 5 on Player, and")
            heard = await ear.sees("Iris bets 5 on Player, and")
            assert "watching, one round late" in seen + heard
            await jack.type_until("\x1b", "balance 1,000.00")
            await ear.type_until("\r", "Menu")
