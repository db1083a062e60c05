"""The settings of a server: addresses, limits and timeouts.

On the command line, or in a TOML file of which every key may be left out::

    ssh = "0.0.0.0:2222"    # where to listen; port 0 takes a free one
    guests = 0              # how many may play without a key at once
    sessions = 200          # how many may play at once, guests among them
    idle = 900              # seconds without a key, after which a visitor is let go
    longest = 43200         # seconds that a visit may take
    grace = 5               # seconds from the warning to the end, when the host closes
    memory = 512            # megabytes that a session may have for itself
    processor = 3600        # seconds of processor time that a session may use
    logs = 512              # megabytes that a player's logs may have; he begins nothing beyond
    connects = 60           # connections a minute from one address
    connections = 20        # connections at once from one address
    logins = 60             # logins a minute of one key
    excepted = ["127.0.0.0/8", "::1"]  # addresses, such as a balancer's, that stand for many
    balancers = []          # addresses of those who say by the PROXY protocol for whom they connect
    retention = 90          # days that the audit log keeps addresses
    metrics = "127.0.0.1:9125"  # where figures can be read; nowhere if it is left out
    database = "postgresql://casino@db.example/casino"  # for several hosts; else files of its own
    web = "127.0.0.1:8080"  # where a page listens; there is none if it is left out
    web_url = "https://casino.example"  # what browsers call it; needed but on loopback
    forwarded = false       # whether proxies among those above say who comes (X-Forwarded-For)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from pathlib import Path

from ..inputs.errors import BadInput
from ..inputs.numbers import is_integer
from ..inputs.toml_files import TomlFile, read_toml, short_repr
from .addresses import parse_network

PORT_LIMIT = 65535
_ORIGIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}))?/?", re.ASCII
)
_RANGES = {
    "guests": (0, 10_000),
    "sessions": (1, 10_000),
    "idle": (10, 86_400),
    "longest": (10, 604_800),
    "grace": (0, 300),
    "memory": (64, 65_536),
    "processor": (10, 604_800),
    "logs": (1, 1_048_576),
    "connects": (1, 100_000),
    "connections": (1, 10_000),
    "logins": (1, 10_000),
    "retention": (1, 3650),
}


@dataclass(frozen=True, slots=True)
class Config:
    """A host's settings, see the module; times are in seconds, sizes in bytes but for ``memory``.

    Those that no file sets are fixed here: how a visitor logs in, and what he may send.
    """

    ssh: str = "0.0.0.0:2222"
    guests: int = 0
    sessions: int = 200
    idle: int = 900
    longest: int = 43_200
    grace: int = 5
    memory: int = 512
    processor: int = 3600
    logs: int = 512
    connects: int = 60
    connections: int = 20
    logins: int = 60
    excepted: tuple[str, ...] = ("127.0.0.0/8", "::1")
    balancers: tuple[str, ...] = ()
    retention: int = 90
    metrics: str | None = None
    database: str | None = field(default=None, repr=False)
    """It may have a password in it."""
    web: str | None = None
    web_url: str | None = None
    """As an Origin is written: no path, nothing at its end."""
    forwarded: bool = False

    login: int = 20
    tries: int = 6
    unauthenticated: int = 50
    strangers: int = 10
    """Of these from one address."""
    keepalive: int = 30
    columns: int = 300
    rows: int = 100
    resizes: int = 20
    """A second, for as long as a window is dragged; whoever goes on has ``sizes`` a second."""
    sizes: int = 4
    dragged: int = 40
    """New sizes that may come as quickly."""
    backlog: int = 64 << 10
    """Bytes that wait for a slow line; what is drawn meanwhile is left out, and painted anew."""
    stalled: int = 30
    """Seconds that a line may be stuck, or a session silent, before it is given up."""
    leaving: int = 10
    """Seconds that a session has to close its tables before it is killed."""


FILE_KEYS = (
    *("ssh", *_RANGES, "excepted", "balancers", "metrics", "database"),
    *("web", "web_url", "forwarded"),
)


def read_config(path: Path) -> Config:
    """Read a file of settings. Raises :class:`~tui_casino.inputs.files.BadFile`."""
    file = read_toml(path, "a host's configuration", FILE_KEYS)
    for key, value in file.values.items():
        match key:
            case "excepted" | "balancers":
                file.values[key] = _networks(file, key, value)
            case "ssh" | "metrics" | "web" | "web_url" | "database":
                try:
                    _CHECKS[key](value if isinstance(value, str) else short_repr(value))
                except BadInput as error:
                    file.refuse(str(error), key)
            case "forwarded":
                if type(value) is not bool:
                    file.refuse(f"forwarded is {short_repr(value)}; it is true or false", key)
            case _:
                low, high = _RANGES[key]
                if type(value) is not int or not low <= value <= high:
                    message = f"it is a whole number from {low} to {high}"
                    file.refuse(f"{key} is {short_repr(value)}; {message}", key)
    known = {one.name for one in fields(Config)}
    return Config(**{key: value for key, value in file.values.items() if key in known})


def _networks(file: TomlFile, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        file.refuse(f"{key} is {short_repr(value)}; it is a list of addresses", key)
    try:
        texts = tuple(one if isinstance(one, str) else short_repr(one) for one in value)
        for one in texts:
            parse_network(one)
        return texts
    except BadInput as error:
        file.refuse(str(error), key)


def parse_database(text: str) -> str:
    """Take the URL of a database. Raises :class:`BadInput`, which does not repeat a password."""
    if not text.startswith(("postgresql://", "postgres://")):
        raise BadInput("a database has a URL like postgresql://casino@db.example/casino")
    return text


def parse_loopback(text: str) -> tuple[str, int]:
    """Read ``ADDR:PORT`` that nobody reaches from outside. Raises :class:`BadInput`."""
    host, port = parse_address(text)
    if not is_loopback(host):
        raise BadInput(f"{text!r} can be reached from outside; metrics stay on 127.0.0.1 or [::1]")
    return host, port


def is_loopback(host: str) -> bool:
    """Tell whether nobody reaches a host's name or address from outside."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def parse_origin(text: str) -> str:
    """Read the URL of a page, and give it as browsers name where a page came from.

    Raises :class:`BadInput`.

    >>> parse_origin("https://Casino.example/"), parse_origin("http://127.0.0.1:8080")
    ('https://casino.example', 'http://127.0.0.1:8080')
    """
    match = _ORIGIN.fullmatch(text.lower())
    if match is None or int(match["port"] or 1) > PORT_LIMIT:
        raise BadInput(f"{text!r} is no URL of a page; give one like https://casino.example")
    usual = {"http": "80", "https": "443"}[match["scheme"]]
    port = "" if match["port"] in (None, usual) else f":{match['port']}"
    return f"{match['scheme']}://{match['host']}{port}"


def web_page_url(config: Config, port: int) -> str:
    """Give the URL of the page that listens at a port. Raises :class:`BadInput` if it is unknown.

    Only on loopback it can be known without being told.
    """
    if config.web_url is not None:
        return parse_origin(config.web_url)
    host = parse_address(config.web or "")[0]
    if not is_loopback(host):
        raise BadInput(f"--web {config.web} needs --web-url, such as https://casino.example")
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def parse_address(text: str) -> tuple[str, int]:
    """Read ``ADDR:PORT``, an IPv6 address in brackets. Raises :class:`BadInput`.

    >>> parse_address("127.0.0.1:2222"), parse_address("[::1]:0")
    (('127.0.0.1', 2222), ('::1', 0))
    """
    host, colon, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        colon = ""
    if not (host and colon and port.isdigit() and is_integer(port) and int(port) <= PORT_LIMIT):
        raise BadInput(f"{text!r} is no address to listen at; give one like 127.0.0.1:2222")
    return host, int(port)


_CHECKS: dict[str, Callable[[str], object]] = {
    "ssh": parse_address,
    "metrics": parse_loopback,
    "web": parse_address,
    "web_url": parse_origin,
    "database": parse_database,
}
