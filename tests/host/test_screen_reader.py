"""Screen-reader mode over SSH: with a terminal or without, by a command or by the setting."""

from __future__ import annotations

import asyncio
import re
from typing import cast

import pytest

from tests.helpers.command_runner import output
from tests.host.loopback_server import Host, connected, new_key, until, visiting
from tui_casino.host.session.screen_reader import LinkInput, OutputBuffer, run_screen_reader
from tui_casino.host.session_protocol import GatewayLink
from tui_casino.inputs.sanitize import LONGEST_LINE
from tui_casino.records.promises import check_promises, read_promises
from tui_casino.records.session_log import read_log
from tui_casino.screen_reader.menu import ScreenReaderVisit


def test_typed_lines_are_read_and_echoed_at_a_raw_terminal() -> None:
    shown: list[str] = []
    typed = LinkInput(shown.append, echo=True)
    typed.feed(b"b 6\x7f5\x1b[A\r")
    typed.feed(b"\nd\n\xe2\x99")
    typed.feed(b"\xa0\r\n\r\n")
    assert [next(typed) for _ in range(4)] == ["b 5", "d", "♠", ""]
    assert "".join(shown) == "b 6\b \b5\r\nd\r\n♠\r\n\r\n"


def test_too_long_remote_lines_are_cut_for_a_refusal_and_all_are_cleaned() -> None:
    typed = LinkInput(lambda text: None, echo=False)
    typed.feed(b"x" * 10_000 + b"\r\n\xff\xfe\x00\x1b[2J\x1b]b 5\x07\n" + b"\n" * 10_000)
    assert [len(next(typed)) for _ in range(2)] == [LONGEST_LINE + 1, 5]
    typed.feed(b"cut off")
    typed.end()
    assert {*typed} == {""}, "what was typed and not entered is not done"


@pytest.mark.parametrize("leaves", [b"\x03", b"\x04"])
def test_remote_input_ends_for_good_after_ctrl_c_or_ctrl_d(leaves: bytes) -> None:
    typed = LinkInput(lambda text: None, echo=True)
    typed.feed(b"b 5\rab" + leaves)
    assert [*typed] == ["b 5"]
    assert [*typed] == []


class Sent:
    """A link that only counts its frames."""

    def __init__(self) -> None:
        self.frames = list[bytes]()

    def output(self, data: bytes) -> None:
        self.frames.append(data)


class ClosedLink(Sent):
    """A link whose other end is closed."""

    async def read(self) -> None:
        return None


class FailedVisit:
    """A visit in which the end of some iterator is not noticed."""

    def run(self) -> None:
        next(iter(()))


async def test_visit_that_stops_by_mistake_is_an_error_and_does_not_hang() -> None:
    link, visit = cast(GatewayLink, ClosedLink()), cast(ScreenReaderVisit, FailedVisit())
    with pytest.raises(RuntimeError, match="iterator"):
        await run_screen_reader(link, lambda typed, say: visit, lambda typed: None, echo=False)


async def test_output_lines_written_together_are_sent_in_one_frame() -> None:
    sent = Sent()
    out = OutputBuffer(cast(GatewayLink, sent))
    lines = [f"line {number}\n" for number in range(1000)]
    for line in lines:
        out.add(line)
    await asyncio.sleep(0)
    assert sent.frames == ["".join(lines).encode()]
    await asyncio.to_thread(out.add, "of another thread\n")
    await asyncio.sleep(0)
    assert sent.frames[1:] == [b"of another thread\n"]


async def test_dumb_terminal_gets_screen_reader_mode(house: Host) -> None:
    key = new_key()
    house.add_player(key, "Dora")
    async with visiting(house, key, environ={"TERM": "dumb"}) as visitor:
        await visitor.sees("screen-reader mode, turned on by TERM=dumb.")
        await visitor.sees("Menu:")
        assert b"\x1b" not in visitor.raw
        visitor.type("q\r")
        await visitor.output()


@pytest.mark.prove
async def test_hand_drill_and_statistics_work_over_ssh_without_a_terminal(house: Host) -> None:
    key = new_key()
    player = house.add_player(key, "Ann")
    typed = "1\n1\nb 5\nd\nwhere am i\n"
    async with connected(house, key) as conn:
        done = await conn.run("reader", input=typed)
    assert isinstance(done.stdout, str)
    output = done.stdout.splitlines()
    assert output[0].endswith("screen-reader mode, turned on by ssh HOST reader.")
    assert "Your bet stays on the table: start the game again to resume." in output
    assert output[-1] == "Goodbye."
    assert not re.findall("[\x00-\x09\x0b-\x1f]", done.stdout)
    async with connected(house, key) as conn:  # it waits, as on the screen
        practised = "practice\ndrills of\nvideo\n\nh\nq\nb\nstatistics\nb\nq\n"
        second = await conn.run("reader", input=f"1\n1\nh 1 2 3 4 5\nq\n{practised}")
    assert isinstance(second.stdout, str)
    hand = next(line for line in output if line.startswith("Your cards: "))
    cards = re.sub(r"\d\) ", "", hand.removeprefix("Your cards: "))
    for shown in (hand, f"Your final hand: {cards}"):
        assert second.stdout.splitlines().count(shown) == 1
    assert "You cash out" in second.stdout
    assert "1 answered, " in second.stdout
    assert re.search(r"Video poker, for money: (even after|.* in) 1 session", second.stdout)
    assert (house.data.player(player.id) / "answers.jsonl").exists()


@pytest.mark.prove
async def test_screen_reader_setting_applies_at_a_terminal_and_the_bet_survives_a_cut(
    house: Host,
) -> None:
    key = new_key()
    player = house.add_player(key, "Bea")
    folder = house.data.player(player.id)
    (folder / "settings.toml").write_text("screen_reader = true\n")
    async with visiting(house, key) as visitor:
        await visitor.sees("by your settings.")
        await visitor.type_until("1\r1\rb 6\x7f5\rd\r", "You bet 5 credits")
        await visitor.sees("Your cards: ")
        assert b"\x1b" not in visitor.raw
    await until(lambda: not house.sessions)
    async with visiting(house, key) as visitor:
        await visitor.sees("waiting: bet 5")
        visitor.type("q\r")
        assert "Goodbye." in await visitor.output()
        assert b"\x1b" not in visitor.raw


@pytest.mark.prove
async def test_new_player_gives_a_name_without_a_terminal(house: Host) -> None:
    async with connected(house, new_key()) as conn:
        process = await conn.create_process("reader")
        process.stdin.write("Zoe\n")
        output = await process.stdout.readuntil("Menu:")
        assert "Zoe: your balance is 1,000." in output
        process.stdin.write("q\n")
        assert "Goodbye." in await process.stdout.read()


async def test_commitment_is_published_before_the_client_seed(house: Host) -> None:
    key = new_key()
    player = house.add_player(key, "Word")
    async with connected(house, key) as conn:
        typed = "your word\nabracadabra\n1\n1\nb 5\nd\nh\nq\nq\n"
        done = await conn.run("reader", input=typed)
    (path,) = (house.data.player(player.id) / "sessions").glob("*.jsonl")
    log = read_log(path)
    assert log.header.source.word == "abracadabra"
    assert f"The commitment to the next shuffle is {log.header.source.value[:12]}..." in str(
        done.stdout
    )
    promises = [
        one
        for one in read_promises(house.data.promises)
        if one.commitment == log.header.source.value
    ]
    assert [one.shown for one in promises] == [True, False]
    check = check_promises(log, read_promises(house.data.promises))
    assert (check.fault, check.shown, check.begun) == ("", *promises)
    async with connected(house, key) as conn:  # nothing is shown first: nothing is published
        await conn.run("reader", input="1\n1\nb 5\nd\nh\nq\nq\n")
    assert sum(one.shown for one in read_promises(house.data.promises)) == 1
    out = output("verify", str(path), "--promises", str(house.data.promises)).out
    assert f"; entry {promises[0].n} has the commitment from before the client seed" in out


async def test_remote_session_says_if_limits_cannot_be_read_and_refuses_bets(house: Host) -> None:
    key = new_key()
    folder = house.data.player(house.add_player(key, "Limits").id)
    (folder / "settings.toml").write_text("theme = midnight\nloss_limit = 5\n")
    async with connected(house, key) as conn:
        done = await conn.run("reader", input="1\n1\nb 5\nq\nq\n")
    shown = str(done.stdout)
    assert "settings.toml:1:9: is not TOML" in shown
    assert "no new rounds: your limits cannot be read" in shown
    assert str(house.data.root) not in shown
