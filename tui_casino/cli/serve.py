"""``tui-casino serve``: serve the arcade over SSH."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
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
from ..host.supervisor import supervise
from ..inputs.arguments import parse_number


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--data", metavar="DIR", required=True, help="the folder of all it keeps")
    parser.add_argument("--ssh", metavar="ADDR:PORT", help="where to listen; port 0 takes any")
    parser.add_argument("--web", metavar="ADDR:PORT", help="where a page listens, too")
    parser.add_argument("--web-url", metavar="URL", help="what browsers call it: https://…")
    parser.add_argument("--guests", metavar="N", help="how many may play without a key at once")
    parser.add_argument(
        "--metrics", metavar="ADDR:PORT", help="where figures are told, on loopback"
    )
    parser.add_argument(
        "--database", metavar="URL", help="a PostgreSQL of several hosts: postgresql://…"
    )
    parser.add_argument("--config", metavar="FILE", help="a TOML file of settings")
    parser.add_argument(
        "--as-root", action="store_true", help="serve although this is root, as in a container"
    )


def run(args: Namespace) -> int:
    """Serve until the process is told to end; give the exit code. Raises :class:`BadInput`."""
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
    return supervise(config, data, partial(print, flush=True), warn, as_root=args.as_root)
