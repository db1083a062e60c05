"""All that can be typed after the program's name, as one parser: each command's own, under a root.

A command makes its parser when it is called, so that no other has to be loaded; here each is asked
for its help, and its parser is kept.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from unittest.mock import patch

import shtab

from tui_casino.cli import main
from tui_casino.cli.commands import COMMANDS
from tui_casino.cli.parser import PROGRAM, CommandParser
from tui_casino.gamekit.registry import GAMES

_PATHS = {"DIR": shtab.DIRECTORY, "FOLDER": shtab.DIRECTORY, "FILE": shtab.FILE}
"""What completes an operand of this name; where either will do, a file."""


def parser_of(*words: str) -> ArgumentParser:
    """Give the parser that answers these words and ``--help``."""
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
    """Give the commands in the order of the help: the games first."""
    return [*(game.slug for game in GAMES), *sorted(command.name for command in COMMANDS)]


def tree() -> ArgumentParser:
    """Give them all under one root. A path's action has what completes it."""
    root = parser_of()
    under = root.add_subparsers(metavar="COMMAND")
    for name in names():
        if name == "odds":
            odds = ArgumentParser(prog=f"{PROGRAM} odds", description=parser_of(name).description)
            games = odds.add_subparsers(metavar="GAME")
            for game in GAMES:
                _hang(games, game.slug, parser_of("odds", game.slug), f"the odds of {game.title}")
            _hang(under, name, odds)
        else:
            _hang(under, name, parser_of(name))
    for parser in parsers(root):
        for action in parser._actions:
            words = re.findall("[A-Z]+", str(action.metavar))
            for word, kind in _PATHS.items():
                if word in words:
                    action.complete = kind  # type: ignore[attr-defined]
    return root


def parsers(root: ArgumentParser) -> Iterator[ArgumentParser]:
    """Give a parser and all that are under it."""
    yield root
    for _, parser in children(root):
        yield from parsers(parser)


def children(parser: ArgumentParser) -> list[tuple[str, ArgumentParser]]:
    """Give the commands of a parser by their names."""
    return [
        child
        for action in parser._actions
        if isinstance(action, _SubParsersAction)
        for child in action.choices.items()
    ]


def _hang(
    under: _SubParsersAction[ArgumentParser], name: str, parser: ArgumentParser, line: str = ""
) -> None:
    what = parser.description or line
    line = what.removesuffix(".").partition(". ")[0]
    under.add_parser(
        name, parents=[parser], add_help=False, prog=parser.prog, help=line, description=what
    )
