"""Server settings: addresses, limits and timeouts.

They are given on the command line, or in a TOML file in which every key is optional::

    ssh = "0.0.0.0:2222"    # listening address; port 0 takes a free one
    guests = 0              # most guests (players without a key) at once
    sessions = 200          # most visits at once, including guests
    idle = 900              # seconds without input after which a visit ends
    longest = 43200         # seconds after which a visit ends
    grace = 5               # seconds from the warning to the shutdown
    memory = 512            # megabytes of memory for each session
    processor = 3600        # seconds of processor time for each session
    logs = 512              # megabytes of logs per player; above that no new session begins
    connects = 60           # connections per minute from one address
    connections = 20        # connections at once from one address
    logins = 60             # logins per minute with one key
    excepted = ["127.0.0.0/8", "::1"]  # addresses without limits, such as a proxy
    balancers = []          # load balancers that use the PROXY protocol
    retention = 90          # days for which the audit log keeps addresses
    metrics = "127.0.0.1:9125"  # address of the metrics; default: none
    database = "postgresql://casino@db.example/casino"  # shared by several servers; default: files
    web = "127.0.0.1:8080"  # address of the web client; default: none
    web_url = "https://casino.example"  # its public URL; required unless on loopback
    forwarded = false       # whether to trust X-Forwarded-For from ``excepted``
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

from msgspec import Struct

from ..inputs.errors import BadInput
from ..inputs.files import TomlFile, read_toml, short_repr
from ..inputs.numbers import is_integer
from ..structs import repr_without
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


class Config(Struct, frozen=True):
    """Server settings, which the module describes.

    Times are in seconds, ``memory`` and ``logs`` in megabytes, other sizes in bytes. The settings
    after ``forwarded`` cannot be set in a file: they limit logins and input.
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
    database: str | None = None
    """The URL may contain a password."""
    web: str | None = None
    web_url: str | None = None
    """The URL has no path and no slash at the end, as in an Origin header."""
    forwarded: bool = False

    login: int = 20
    tries: int = 6
    unauthenticated: int = 50
    strangers: int = 10
    """The maximum number of unauthenticated connections from one address."""
    keepalive: int = 30
    columns: int = 300
    rows: int = 100
    resizes: int = 20
    """The rate, per second, of the first ``dragged`` window sizes while a window is dragged; the
    rate of the others is ``sizes``.
    """
    sizes: int = 4
    dragged: int = 40
    """The number of window sizes that may arrive at the rate ``resizes``."""
    backlog: int = 64 << 10
    """The maximum number of unsent bytes on a connection.

    Further output is dropped, and the screen is repainted later.
    """
    stalled: int = 30
    """Seconds that a connection may be stuck, or a session silent, before the visit ends."""
    leaving: int = 10
    """Seconds that a session has for closing its tables before it is killed."""

    def __repr__(self) -> str:
        return repr_without(self, "database")


FILE_KEYS = (
    *("ssh", *_RANGES, "excepted", "balancers", "metrics", "database"),
    *("web", "web_url", "forwarded"),
)


def read_config(path: Path) -> Config:
    """Read a settings file. Raises :class:`~tui_casino.inputs.files.BadFile`."""
    file = read_toml(path, "a server's configuration", FILE_KEYS)
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
                    file.refuse(f"forwarded is {short_repr(value)}; it must be true or false", key)
            case _:
                low, high = _RANGES[key]
                if type(value) is not int or not low <= value <= high:
                    message = f"it must be a whole number from {low} to {high}"
                    file.refuse(f"{key} is {short_repr(value)}; {message}", key)
    return Config(
        **{key: value for key, value in file.values.items() if key in Config.__struct_fields__}
    )


def _networks(file: TomlFile, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        file.refuse(f"{key} is {short_repr(value)}; it must be a list of addresses", key)
    try:
        texts = tuple(one if isinstance(one, str) else short_repr(one) for one in value)
        for one in texts:
            parse_network(one)
        return texts
    except BadInput as error:
        file.refuse(str(error), key)


def parse_database(text: str) -> str:
    """Validate a database URL. Raises :class:`BadInput`, which never repeats the password."""
    if not text.startswith(("postgresql://", "postgres://")):
        raise BadInput("--database: give a URL like postgresql://casino@db.example/casino")
    return text


def parse_loopback(text: str) -> tuple[str, int]:
    """Parse ``ADDR:PORT`` with a loopback address. Raises :class:`BadInput`."""
    host, port = parse_address(text)
    if not is_loopback(host):
        raise BadInput(
            f"{text!r} can be reached from outside; give 127.0.0.1 or [::1] for the metrics"
        )
    return host, port


def is_loopback(host: str) -> bool:
    """Return whether a host name or address can only be reached from this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def parse_origin(text: str) -> str:
    """Return the URL of the web client in the form of an Origin header. Raises :class:`BadInput`.

    >>> parse_origin("https://Casino.example/"), parse_origin("http://127.0.0.1:8080")
    ('https://casino.example', 'http://127.0.0.1:8080')
    """
    match = _ORIGIN.fullmatch(text.lower())
    if match is None or int(match["port"] or 1) > PORT_LIMIT:
        raise BadInput(
            f"{text!r} is not the URL of a web client; give one like https://casino.example"
        )
    usual = {"http": "80", "https": "443"}[match["scheme"]]
    port = "" if match["port"] in (None, usual) else f":{match['port']}"
    return f"{match['scheme']}://{match['host']}{port}"


def web_page_url(config: Config, port: int) -> str:
    """Return the URL of the web client that listens on a port. Raises :class:`BadInput`.

    If ``web_url`` is not set, only a loopback URL is known.
    """
    if config.web_url is not None:
        return parse_origin(config.web_url)
    host = parse_address(config.web or "")[0]
    if not is_loopback(host):
        raise BadInput(f"--web {config.web} needs --web-url, such as https://casino.example")
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def parse_address(text: str) -> tuple[str, int]:
    """Parse ``ADDR:PORT``; an IPv6 address is in brackets. Raises :class:`BadInput`.

    >>> parse_address("127.0.0.1:2222"), parse_address("[::1]:0")
    (('127.0.0.1', 2222), ('::1', 0))
    """
    host, colon, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        colon = ""
    if not (host and colon and port.isdigit() and is_integer(port) and int(port) <= PORT_LIMIT):
        raise BadInput(f"{text!r} is not a listening address; give one like 127.0.0.1:2222")
    return host, int(port)


_CHECKS: dict[str, Callable[[str], object]] = {
    "ssh": parse_address,
    "metrics": parse_loopback,
    "web": parse_address,
    "web_url": parse_origin,
    "database": parse_database,
}
