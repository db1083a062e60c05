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
