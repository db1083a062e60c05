r"""Read the client's address from a load balancer: the PROXY protocol, versions 1 and 2.

https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt has the format. The header comes first,
and is believed of nobody but those who are named as balancers.

>>> read_header(b"PROXY TCP4 192.0.2.7 198.51.100.1 56324 22\r\nSSH-2.0-x\r\n")
ProxyHeader(address='192.0.2.7', length=44)
"""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

_LINE, _SIGNATURE = b"PROXY ", b"\r\n\r\n\x00\r\nQUIT\n"
LONGEST_LINE = 107
"""Bytes of a header of version 1, its end among them (section 2.1)."""
LONGEST = 4096
"""Bytes of a header of version 2: the addresses, and what a balancer may add."""
_HEAD = struct.Struct(">12sBBH")
_LOCAL, _FORWARDED = 0x20, 0x21
_TCP4, _TCP6 = 0x11, 0x21
_SIZES = {_TCP4: 12, _TCP6: 36}


class ProxyHeader(NamedTuple):
    """Who is at the other end, if the balancer tells, and the bytes in which that is said."""

    address: str | None
    length: int


def read_header(data: bytes) -> ProxyHeader | None:
    """Read what stands at the beginning; nothing as long as its end has not come.

    Raises ``ValueError`` for what is no such header.
    """
    if data[: len(_LINE)] == _LINE[: len(data)]:
        return _version_1(data)
    if data[: len(_SIGNATURE)] == _SIGNATURE[: len(data)]:
        return _version_2(data)
    raise ValueError("no header of the PROXY protocol")


def _version_1(data: bytes) -> ProxyHeader | None:
    end = data.find(b"\r\n", 0, LONGEST_LINE)
    if end < 0:
        if len(data) >= LONGEST_LINE:
            raise ValueError("a header without an end")
        return None
    match data[:end].decode("ascii").split(" ")[1:]:
        case ["UNKNOWN", *_]:
            return ProxyHeader(None, end + 2)
        case ["TCP4" | "TCP6" as kind, source, _, _, _]:
            address = ip_address(source)
            if address.version == int(kind[-1]):
                return ProxyHeader(str(address), end + 2)
    raise ValueError("a header that says nothing")


def _version_2(data: bytes) -> ProxyHeader | None:
    if len(data) < _HEAD.size:
        return None
    _, command, family, size = _HEAD.unpack_from(data)
    length = _HEAD.size + size
    if command not in (_LOCAL, _FORWARDED) or length > LONGEST:
        raise ValueError("a header of another version")
    if len(data) < length:
        return None
    if command == _LOCAL or family not in _SIZES:  # the balancer looks whether somebody is here
        return ProxyHeader(None, length)
    if size < _SIZES[family]:
        raise ValueError("a header without its addresses")
    kind, width = (IPv4Address, 4) if family == _TCP4 else (IPv6Address, 16)
    return ProxyHeader(str(kind(data[_HEAD.size : _HEAD.size + width])), length)
