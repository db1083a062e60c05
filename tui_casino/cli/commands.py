"""A table of the commands that are not games, and the help for the program."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import NamedTuple, Protocol

from ..gamekit.registry import GAMES, listing_of
from ..inputs.errors import BadInput
from .console import ascii_stream
from .help_texts import RELATED, all_names, help_of, shown_name
from .parser import (
    PROGRAM,
    CommandParser,
    HelpLayout,
    add_house_options,
    add_text_options,
    canonical,
    examples_of,
    nearest,
    options_last,
    parser_of,
)


class CommandModule(Protocol):
    """A module that implements the command of the same name."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the command."""
        ...

    def run(self, args: Namespace) -> int:
        """Run the command; return the exit code. Raises :class:`~..inputs.errors.BadInput`."""
        ...


class Command(NamedTuple):
    """A command, and the group in which the program's help lists it."""

    name: str
    group: str

    def run(self, arguments: list[str], process: Namespace) -> int:
        """Parse the arguments and run the command. Raises :class:`~..inputs.errors.BadInput`."""
        module: CommandModule = import_module(f".{self.name}", __package__)
        parser = parser_of(self.name)
        parser.set_defaults(fail=parser.error)
        module.add_arguments(parser)
        add_text_options(parser)
        return module.run(self.printing(parser.parse_args(arguments, process)))

    def printing(self, args: Namespace) -> Namespace:
        """Adapt standard output: with ``--ascii``, or tables if a screen reader is in use."""
        args = print_plainly(args)
        if self.name in REPORTS and not getattr(args, "json", False):
            from ..screen_reader.spoken_tables import spoken_stream  # late: the help needs neither
            from .screen_reader import reads_aloud

            if reads_aloud(args.environ):
                args.stdout = sys.stdout = spoken_stream(sys.stdout)
        return args


class OddsCommand(Command):
    """The command ``odds``, which has different arguments for each game."""

    def run(self, arguments: list[str], process: Namespace) -> int:
        """Find the game, and print its odds."""
        parser = parser_of(self.name)
        games = [(shown_name(game.slug), help_of(f"odds {game.slug}").line) for game in GAMES]
        options = f"The options of a game: {PROGRAM} help odds video-poker"
        parser.epilog = "\n".join((*_rows("games", games), options, "", examples_of(self.name)))
        slugs = [game.slug for game in GAMES]
        parser.add_argument(
            "game", metavar="GAME", type=canonical, choices=slugs, help="one of the games below"
        )
        add_text_options(parser)
        arguments = options_last(arguments, parser)
        if not arguments or arguments[0].startswith("-"):
            parser.parse_args(arguments)  # prints the help, or reports that the game is missing
        listing = listing_of(parser.parse_args(arguments[:1]).game)
        command = listing.command()
        parser = parser_of(f"{self.name} {listing.slug}")
        command.add_odds_arguments(parser)
        add_text_options(parser)
        return command.odds(self.printing(parser.parse_args(arguments[1:], process)))


class HelpCommand(Command):
    """The command ``help``, with which the program prints the help of another command."""

    def run(self, arguments: list[str], process: Namespace) -> int:
        """Print the help of ``help``; other code handles all other requests."""
        parser = parser_of(self.name)
        parser.add_argument("command", metavar="COMMAND", nargs="?", help="a command, or odds GAME")
        parser.parse_args(arguments, process)
        return 0


REPORTS = ("mistakes", "leaks", "odds", "logs", "stats")
"""The commands that print tables and ask nothing."""
PLAY, STUDY, RECORDS, SERVER, HELP = "play", "study", "records", "server", "help"
COMMANDS: tuple[Command, ...] = (
    Command("daily", PLAY),
    Command("practise", STUDY),
    Command("mistakes", STUDY),
    Command("leaks", STUDY),
    OddsCommand("odds", STUDY),
    Command("logs", RECORDS),
    Command("stats", RECORDS),
    Command("replay", RECORDS),
    Command("verify", RECORDS),
    Command("ledger", RECORDS),
    Command("serve", SERVER),
    Command("admin", SERVER),
    HelpCommand("help", HELP),
)
"""All commands except the games, in the order in which the help lists them."""


def grouped_commands() -> dict[str, list[str]]:
    """Return the names of all games and commands, grouped as in the help."""
    groups: dict[str, list[str]] = {"play": [game.slug for game in GAMES]}
    for command in COMMANDS:
        groups.setdefault(command.group, []).append(command.name)
    return groups


def overview_parser() -> CommandParser:
    """Return the parser for the program without a command; its help lists games and commands."""
    lines: list[str] = []
    for title, names in grouped_commands().items():
        rows = [(", ".join(all_names(name)), help_of(name).line) for name in names]
        lines += [*_rows(title, rows), ""]
    parser = CommandParser(
        prog=PROGRAM,
        formatter_class=HelpLayout,
        usage=f"{PROGRAM} [OPTIONS] [COMMAND ...]",
        description=help_of("").description,
        epilog="\n".join((*lines, examples_of(""))),
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version and exit")
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="with --version: print all information that a bug report needs",
    )
    add_house_options(parser)
    return parser


def _rows(title: str, rows: list[tuple[str, str]]) -> list[str]:
    return [f"{title}:", *(f"  {name:<20}{line}" for name, line in rows)]


def unknown_command(word: str) -> BadInput:
    """Return the error for an unknown command; it suggests commands that may have been meant.

    >>> str(unknown_command("blackjack"))
    'blackjack: no such command. Did you mean hit-me? All commands: tui-casino help'
    """
    meant = RELATED.get(word.casefold().replace("_", "-"), ())
    if not meant:
        names = [name for group in grouped_commands().values() for name in group]
        shown = {alias: shown_name(name) for name in names for alias in all_names(name)}
        name = nearest(word, shown)
        meant = () if name is None else (shown[name],)
    hint = f" Did you mean {' or '.join(meant)}?" if meant else ""
    return BadInput(f"{word or repr(word)}: no such command.{hint} All commands: {PROGRAM} help")


def print_plainly(args: Namespace) -> Namespace:
    """With ``--ascii``, make standard output replace all characters outside ASCII."""
    if getattr(args, "ascii", False):
        args.stdout = sys.stdout = ascii_stream(sys.stdout)
    return args
