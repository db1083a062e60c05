"""``tui-casino serve``: run a server for players over SSH and the web."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from ..host.config import (
    Config,
    parse_address,
    parse_database,
    parse_loopback,
    parse_origin,
    read_config,
)
from ..host.data_folder import DataFolder
from ..host.processes import ServiceNotifier
from ..host.supervisor import supervise
from ..inputs.numbers import parse_number
from ..structs import replace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--data", metavar="DIR", required=True, help="the data folder")
    parser.add_argument(
        "--ssh", metavar="ADDR:PORT", help="SSH address; port 0 takes any free port"
    )
    parser.add_argument(
        "--web", metavar="ADDR:PORT", help="address of the web client (default: none)"
    )
    parser.add_argument("--web-url", metavar="URL", help="public URL of the web client: https://…")
    parser.add_argument(
        "--guests", metavar="N", help="the most guests who may play at the same time (default: 0)"
    )
    parser.add_argument(
        "--metrics", metavar="ADDR:PORT", help="address of the Prometheus metrics, on loopback"
    )
    parser.add_argument(
        "--database", metavar="URL", help="a PostgreSQL database that servers share: postgresql://…"
    )
    parser.add_argument("--config", metavar="FILE", help="a TOML file with settings")
    parser.add_argument(
        "--as-root", action="store_true", help="allow the server to run as root, as in a container"
    )


def run(args: Namespace) -> int:
    """Serve until SIGTERM or SIGINT; return the exit code. Raises :class:`BadInput`."""
    config = Config() if args.config is None else read_config(args.cwd / args.config)
    if args.ssh is not None:
        parse_address(args.ssh)
        config = replace(config, ssh=args.ssh)
    if args.web is not None:
        parse_address(args.web)
        config = replace(config, web=args.web)
    if args.web_url is not None:
        config = replace(config, web_url=parse_origin(args.web_url))
    if args.metrics is not None:
        parse_loopback(args.metrics)
        config = replace(config, metrics=args.metrics)
    if args.database is not None:
        config = replace(config, database=parse_database(args.database))
    if args.guests is not None:
        config = replace(config, guests=parse_number("--guests", args.guests, 0, 10_000))
    data = DataFolder((args.cwd / Path(args.data)).absolute())
    warn = partial(print, file=sys.stderr, flush=True)
    say, notifier = (
        partial(print, flush=True),
        ServiceNotifier(args.environ.get("NOTIFY_SOCKET", "")),
    )
    return supervise(config, data, say, warn, notifier, as_root=args.as_root)
