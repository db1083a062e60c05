r"""Read the client's address from a load balancer: the PROXY protocol, versions 1 and 2.

The format is described at https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt. The header
comes first on a connection, and is trusted only if a configured balancer sends it.

>>> read_header(b"PROXY TCP4 192.0.2.7 198.51.100.1 56324 22\r\nSSH-2.0-x\r\n")
ProxyHeader(address='192.0.2.7', length=44)
"""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

_LINE, _SIGNATURE = b"PROXY ", b"\r\n\r\n\x00\r\nQUIT\n"
LONGEST_LINE = 107
"""The maximum number of bytes in a version 1 header, including its line end (section 2.1)."""
LONGEST = 4096
"""The maximum size, in bytes, of a version 2 header: addresses and a balancer's extra fields."""
_HEAD = struct.Struct(">12sBBH")
_LOCAL, _FORWARDED = 0x20, 0x21
_TCP4, _TCP6 = 0x11, 0x21
_SIZES = {_TCP4: 12, _TCP6: 36}


class ProxyHeader(NamedTuple):
    """The client's address, if the balancer sends it, and the length of the header in bytes."""

    address: str | None
    length: int


def read_header(data: bytes) -> ProxyHeader | None:
    """Parse the header at the start of the data; return ``None`` if it is not complete yet.

    Raises ``ValueError`` for data that does not start with a header.
    """
    if data[: len(_LINE)] == _LINE[: len(data)]:
        return _version_1(data)
    if data[: len(_SIGNATURE)] == _SIGNATURE[: len(data)]:
        return _version_2(data)
    raise ValueError("not a PROXY protocol header")


def _version_1(data: bytes) -> ProxyHeader | None:
    end = data.find(b"\r\n", 0, LONGEST_LINE)
    if end < 0:
        if len(data) >= LONGEST_LINE:
            raise ValueError("a header without a line end")
        return None
    match data[:end].decode("ascii").split(" ")[1:]:
        case ["UNKNOWN", *_]:
            return ProxyHeader(None, end + 2)
        case ["TCP4" | "TCP6" as kind, source, _, _, _]:
            address = ip_address(source)
            if address.version == int(kind[-1]):
                return ProxyHeader(str(address), end + 2)
    raise ValueError("a header without usable addresses")


def _version_2(data: bytes) -> ProxyHeader | None:
    if len(data) < _HEAD.size:
        return None
    _, command, family, size = _HEAD.unpack_from(data)
    length = _HEAD.size + size
    if command not in (_LOCAL, _FORWARDED) or length > LONGEST:
        raise ValueError("a header of an unknown version")
    if len(data) < length:
        return None
    if command == _LOCAL or family not in _SIZES:  # a health check by the balancer
        return ProxyHeader(None, length)
    if size < _SIZES[family]:
        raise ValueError("a header without its addresses")
    kind, width = (IPv4Address, 4) if family == _TCP4 else (IPv6Address, 16)
    return ProxyHeader(str(kind(data[_HEAD.size : _HEAD.size + width])), length)
