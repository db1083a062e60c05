"""The commands that sum up recorded sittings: what may be asked of them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..gamekit.registry import GAMES
from . import Parser, parser_of


def logs(door: Namespace, arguments: list[str]) -> int:
    """List the logs of a folder, or remove some."""
    from .logs import list_logs

    parser = parser_of(
        "logs", "List recorded sessions, newest first; with --prune, remove old ones."
    )
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", help="the folder (default: where yours are kept)"
    )
    parser.add_argument("--game", choices=[game.slug for game in GAMES], help="only this game")
    parser.add_argument("--json", action="store_true", help="print one JSON object a session")
    pruning = parser.add_argument_group(
        "removing", "Sessions that are open or in play are never removed."
    )
    pruning.add_argument(
        "--prune", action="store_true", help="remove logs, chosen by one of the next two"
    )
    limits = pruning.add_mutually_exclusive_group()
    limits.add_argument(
        "--older-than", metavar="AGE", help="those that began longer ago, such as 90d"
    )
    limits.add_argument(
        "--larger-than",
        metavar="SIZE",
        help="the oldest, until the rest is below SIZE, such as 500MB",
    )
    pruning.add_argument("--yes", action="store_true", help="do not ask first")
    return list_logs(parser.parse_args(arguments, door))


def stats(door: Namespace, arguments: list[str]) -> int:
    """Sum up sittings."""
    from .stats import show_statistics

    parser = parser_of("stats", "Totals of recorded sessions, with practice listed separately.")
    parser.add_argument("--game", choices=[game.slug for game in GAMES], help="only this game")
    parser.add_argument(
        "--since", metavar="DATE", help="sessions since this day, such as 2026-01-31"
    )
    parser.add_argument("--player", metavar="NAME", help="only this player")
    parser.add_argument("--log-dir", metavar="DIR", help="the folder of the logs")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    parser.add_argument("--export", metavar="FILE", help="write them to a .csv or .json file")
    return show_statistics(parser.parse_args(arguments, door))


def mistakes(door: Namespace, arguments: list[str]) -> int:
    """List one's mistakes."""
    from .teacher import show_mistakes

    parser = parser_of("mistakes", "Your mistakes in all finished sessions, the dearest first.")
    _choose(parser)
    parser.add_argument("--kind", metavar="TEXT", help="only kinds with this text in their name")
    parser.add_argument("--limit", metavar="N", help="only so many")
    parser.add_argument("--json", action="store_true", help="print them as a list in JSON")
    return show_mistakes(parser.parse_args(arguments, door))


def leaks(door: Namespace, arguments: list[str]) -> int:
    """Tell what kinds of mistakes cost."""
    from .teacher import show_leaks

    parser = parser_of(
        "leaks", "What each kind of mistake costs you in 100 rounds, the dearest first."
    )
    _choose(parser)
    parser.add_argument("--json", action="store_true", help="print them as a list in JSON")
    return show_leaks(parser.parse_args(arguments, door))


def _choose(parser: Parser) -> None:
    parser.add_argument("--game", choices=[game.slug for game in GAMES], help="only this game")
    parser.add_argument("--player", metavar="NAME", help="only this player")
    parser.add_argument("--log-dir", metavar="DIR", help="the folder of the logs")


COMMANDS: Mapping[str, Callable[[Namespace, list[str]], int]] = MappingProxyType(
    {"leaks": leaks, "logs": logs, "mistakes": mistakes, "stats": stats}
)
"""By their names."""
