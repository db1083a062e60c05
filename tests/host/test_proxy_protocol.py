"""A server behind a balancer reads the client's address, over real connections."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Iterator
from contextlib import closing, suppress
from ipaddress import ip_address
from pathlib import Path

import asyncssh
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.pty_terminal import PATIENCE
from tests.host.loopback_server import Host, connected, host, new_key
from tui_casino.host.gateway.proxy_protocol import LONGEST, LONGEST_LINE, ProxyHeader, read_header
from tui_casino.host.identities import BanTarget, Identities
from tui_casino.records.clock import now

SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
BALANCED = 'grace = 0\nexcepted = []\nconnections = 2\nbalancers = ["127.0.0.8"]\n'


def version_2(source: str, more: bytes = b"", command: int = 0x21) -> bytes:
    address = ip_address(source).packed
    family = 0x11 if len(address) == 4 else 0x21
    body = address * 2 + struct.pack(">HH", 56324, 22) + more
    return SIGNATURE + struct.pack(">BBH", command, family, len(body)) + body


HEADERS = {
    b"PROXY TCP4 192.0.2.7 198.51.100.1 56324 22\r\n": "192.0.2.7",
    b"PROXY TCP6 2001:db8::7 2001:db8::1 56324 22\r\n": "2001:db8::7",
    b"PROXY UNKNOWN\r\n": None,
    b"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n": None,
    version_2("192.0.2.7"): "192.0.2.7",
    version_2("2001:db8::7", b"\x04\x00\x03abc"): "2001:db8::7",
    version_2("192.0.2.7", command=0x20): None,
    SIGNATURE + b"\x21\x00\x00\x00": None,
}


@pytest.mark.parametrize(
    "raw",
    HEADERS,
    ids=[
        "version 1, IPv4",
        "version 1, IPv6",
        "version 1, unknown",
        "version 1, unknown with addresses",
        "version 2, IPv4",
        "version 2, IPv6",
        "version 2, local with addresses",
        "version 2, no addresses",
    ],
)
def test_proxy_header_is_read_only_when_it_is_complete(raw: bytes) -> None:
    assert read_header(raw + b"SSH-2.0-x\r\n") == ProxyHeader(HEADERS[raw], len(raw))
    for cut in range(len(raw)):
        assert read_header(raw[:cut]) is None


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"PROXY TCP4 2001:db8::7 2001:db8::1 5 22\r\n",
        b"PROXY TCP4 somewhere 198.51.100.1 5 22\r\n",
        b"PROXY TCP4 192.0.2.7\r\n",
        b"PROXY \xff\r\n",
        b"PROXY TCP4 " + b"1" * LONGEST_LINE,
        SIGNATURE + b"\x31\x11\x00\x0c" + bytes(12),
        SIGNATURE + b"\x21\x11\x00\x04" + bytes(4),
        SIGNATURE + b"\x21\x11" + struct.pack(">H", LONGEST),
    ],
)
def test_invalid_proxy_header_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"header|codec|address"):
        read_header(raw)


@given(
    st.binary(max_size=60), st.sampled_from((b"", b"PROXY ", SIGNATURE, SIGNATURE + b"\x21\x11"))
)
def test_nonsense_proxy_header_raises_only_value_errors(raw: bytes, begins: bytes) -> None:
    with suppress(ValueError):
        read_header(begins + raw)


@pytest.fixture(scope="module")
def balanced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with host(tmp_path_factory.mktemp("balanced"), config=BALANCED) as started:
        yield started


class Spoken(asyncssh.SSHClient):
    """Says something before all else, as a balancer does."""

    def __init__(self, header: bytes) -> None:
        self._header = header

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        getattr(conn, "_transport").write(self._header)  # noqa: B009


async def version_output(house: Host, said: bytes, source: str = "127.0.0.8") -> str:
    """Send a header to the server, log in, and return what `version` prints."""
    key = new_key()
    place = (source, 0)
    async with connected(house, key, client_factory=lambda: Spoken(said), local_addr=place) as conn:
        return str((await conn.run("version")).stdout)


def addresses(house: Host) -> list[str]:
    (file,) = house.data.audit.glob("*.jsonl")
    lines = map(json.loads, file.read_text().splitlines())
    return [line.get("address") for line in lines if line["what"] == "asks"]


@pytest.mark.prove
async def test_client_address_is_taken_from_the_proxy_header_of_the_balancer(
    balanced: Host,
) -> None:
    for raw in HEADERS:
        assert (await version_output(balanced, raw)).startswith("tui-casino")
    assert addresses(balanced) == [found or "127.0.0.8" for found in HEADERS.values()]


@pytest.mark.prove
async def test_limits_and_bans_behind_a_balancer_apply_to_the_client_address(
    balanced: Host,
) -> None:
    one, other = version_2("198.51.100.1"), version_2("198.51.100.2")
    lines = [
        await asyncio.open_connection("127.0.0.1", balanced.port, local_addr=("127.0.0.8", 0))
        for _ in range(2)
    ]
    for _, writer in lines:
        writer.write(one + b"SSH-2.0-half\r\n")
        await writer.drain()
    await asyncio.sleep(0.1)
    with pytest.raises((OSError, asyncssh.Error)):
        await version_output(balanced, one)
    assert (await version_output(balanced, other)).startswith("tui-casino")
    with closing(Identities(balanced.data.identities)) as book:
        ban = book.ban(BanTarget.ADDRESS, "198.51.100.2", "a flood", now(), None)
        with pytest.raises(asyncssh.DisconnectError, match="a flood"):
            await version_output(balanced, other)
        book.unban([ban.number], now())
    for _, writer in lines:
        writer.close()


@pytest.mark.prove
async def test_proxy_header_is_required_from_balancers_and_refused_from_others(
    balanced: Host,
) -> None:
    with pytest.raises((OSError, asyncssh.Error)):
        await version_output(balanced, version_2("192.0.2.7"), source="127.0.0.9")
    with pytest.raises((OSError, asyncssh.Error)):
        await asyncio.wait_for(version_output(balanced, b""), PATIENCE)
    assert (await version_output(balanced, b"", source="127.0.0.9")).startswith("tui-casino")


def test_balancer_setting_that_is_not_an_address_is_refused(tmp_path: Path) -> None:
    from tui_casino.host.config import read_config
    from tui_casino.inputs.files import BadFile

    (tmp_path / "serve.toml").write_text('balancers = ["home"]\n')
    with pytest.raises(BadFile, match="not an IP address or a network"):
        read_config(tmp_path / "serve.toml")
