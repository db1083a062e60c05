"""IP addresses and networks of clients."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from ..inputs.errors import BadInput

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address
HOUSEHOLD = 64
"""The length, in bits, of the IPv6 prefix of a household or a machine."""


def parse_network(text: str) -> Network:
    """Parse an address, or a network such as ``10.0.0.0/8``. Raises :class:`BadInput`.

    >>> parse_network("192.0.2.7"), parse_network("2001:db8::/32")
    (IPv4Network('192.0.2.7/32'), IPv6Network('2001:db8::/32'))
    """
    try:
        return ip_network(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is not an IP address or a network: {error}") from None


def parse_ip(text: str) -> Address | None:
    """Parse a peer address as sockets report it; return ``None`` if it is not an IP address.

    An IPv4 address that is mapped to IPv6 is returned as IPv4.

    >>> parse_ip("::ffff:192.0.2.7"), parse_ip("fe80::1%eth0"), parse_ip("")
    (IPv4Address('192.0.2.7'), IPv6Address('fe80::1'), None)
    """
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_within(address: Address | None, networks: Iterable[Network]) -> bool:
    """Return whether an address is in one of these networks."""
    return address is not None and any(address in one for one in networks)


def household(address: Address | None) -> str:
    """Return the key for limits: an IPv4 address, or the first half of an IPv6 address.

    >>> household(parse_ip("2001:db8::1")) == household(parse_ip("2001:db8::2"))
    True
    """
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, HOUSEHOLD), strict=False))
    return str(address)
