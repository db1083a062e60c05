"""One parser for the whole command line, with the parser of each command below its root.

A command makes its parser when it is called, so other commands need not be loaded. This module
asks each command for its help and keeps its parser.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from unittest.mock import patch

import shtab

from tui_casino.cli import main
from tui_casino.cli.commands import grouped_commands
from tui_casino.cli.help_texts import all_names, shown_name
from tui_casino.cli.parser import PROGRAM, CommandParser
from tui_casino.daily.deal import FIRST_DAY, deals_of
from tui_casino.gamekit.registry import DEFINITIONS, GAMES

SLUGS = [game.slug for game in GAMES]
_PATHS = {"DIR": shtab.DIRECTORY, "FOLDER": shtab.DIRECTORY, "FILE": shtab.FILE}
"""How operands of these names are completed; one that may be either is completed as a file."""


def parser_of(*words: str) -> ArgumentParser:
    """Return the parser that answers these words and ``--help``."""
    found: list[ArgumentParser] = []
    with (
        patch.object(CommandParser, "print_help", lambda parser, file=None: found.append(parser)),
        patch.object(CommandParser, "exit", side_effect=SystemExit),
    ):
        try:
            main([*words, "--help"])
        except SystemExit:
            [parser] = found
            return parser
    raise AssertionError(f"{' '.join(words)} --help said nothing")


def names() -> list[str]:
    """Return the commands as the help shows them and in its order, the games first."""
    return [shown_name(name) for group in grouped_commands().values() for name in group]


def tree(*, aliases: bool = False) -> ArgumentParser:
    """Return all parsers below one root, with ``aliases`` under every name of a command.

    The action of a path says how it is completed. A game that is a value has the same names; the
    daily deal has only the games that are dealt.
    """
    root = parser_of()
    under = root.add_subparsers(metavar="COMMAND")
    for command in (name for group in grouped_commands().values() for name in group):
        for name in all_names(command) if aliases else [shown_name(command)]:
            _hang(under, name, _odds(aliases) if command == "odds" else parser_of(command))
    dealt = {deal.slug for deal in deals_of(FIRST_DAY, DEFINITIONS)}
    for parser in parsers(root):
        games = [slug for slug in SLUGS if slug in dealt or not parser.prog.endswith(" daily")]
        for action in parser._actions:
            if not isinstance(action, _SubParsersAction) and action.choices == SLUGS:
                action.choices = [
                    name
                    for slug in games
                    for name in (all_names(slug) if aliases else [shown_name(slug)])
                ]
            words = re.findall("[A-Z]+", str(action.metavar))
            for word, kind in _PATHS.items():
                if word in words:
                    action.complete = kind  # type: ignore[attr-defined]
    return root


def _odds(aliases: bool) -> ArgumentParser:
    """Return the parser of ``odds``, with those of the games below it."""
    text = parser_of("odds")
    odds = ArgumentParser(prog=f"{PROGRAM} odds", description=text.description, epilog=text.epilog)
    games = odds.add_subparsers(metavar="GAME")
    for game in GAMES:
        for name in all_names(game.slug) if aliases else [shown_name(game.slug)]:
            _hang(games, name, parser_of("odds", game.slug))
    return odds


def parsers(root: ArgumentParser) -> Iterator[ArgumentParser]:
    """Yield a parser and all parsers below it."""
    yield root
    for _, parser in children(root):
        yield from parsers(parser)


def children(parser: ArgumentParser) -> list[tuple[str, ArgumentParser]]:
    """Return the subcommands of a parser with their names."""
    return [
        child
        for action in parser._actions
        if isinstance(action, _SubParsersAction)
        for child in action.choices.items()
    ]


def _hang(under: _SubParsersAction[ArgumentParser], name: str, parser: ArgumentParser) -> None:
    text = parser.description or ""
    under.add_parser(
        name,
        parents=[parser],
        add_help=False,
        prog=parser.prog,
        help=text.removesuffix(".").partition(". ")[0],
        description=text,
        epilog=parser.epilog,
    )
