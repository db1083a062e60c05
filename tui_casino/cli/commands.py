"""The commands that are not games, one row each: parser, help, completions and manual."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from ..gamekit.registry import GAMES, listing_of
from ..inputs.errors import BadInput
from .parser import PROGRAM, CommandParser, add_house_options, parser_of


class CommandModule(Protocol):
    """The file of a command, with the command's name."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the command."""
        ...

    def run(self, args: Namespace) -> int:
        """Run the command; return the exit code. Raises :class:`~..inputs.errors.BadInput`."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, what its own help says of it, and its line in the help of the program.

    ``usage`` is its name with operands as that line shows it; ``line`` may have several lines.
    """

    name: str
    usage: str
    line: str
    description: str

    def run(self, arguments: list[str], process: Namespace) -> int:
        """Parse the arguments and run the command. Raises :class:`~..inputs.errors.BadInput`."""
        module: CommandModule = import_module(f".{self.name}", __package__)
        parser = parser_of(self.name, self.description)
        parser.set_defaults(fail=parser.error)
        module.add_arguments(parser)
        return module.run(parser.parse_args(arguments, process))


class UnixCommand(Command):
    """A command of the server, whose module imports what Windows does not have."""

    def run(self, arguments: list[str], process: Namespace) -> int:
        """Parse the arguments and run the command."""
        if sys.platform == "win32":
            raise BadInput(f"{self.name} needs a Unix: Linux, macOS or a BSD")
        return super().run(arguments, process)


class OddsCommand(Command):
    """``odds``: each game has arguments of its own."""

    def run(self, arguments: list[str], process: Namespace) -> int:
        """Find the game, and print its odds."""
        games = "\n".join(f"  {game.slug:<18}{game.odds}" for game in GAMES)
        epilog = f"games:\n{games}\n\nOptions of a game: {PROGRAM} odds video-poker --help"
        parser = parser_of(self.name, self.description, epilog, RawDescriptionHelpFormatter)
        slugs = [game.slug for game in GAMES]
        parser.add_argument("game", metavar="GAME", choices=slugs, help="one of the games below")
        if not arguments or arguments[0].startswith("-"):
            parser.parse_args(arguments)  # reports what is missing
        listing = listing_of(parser.parse_args(arguments[:1]).game)
        command = listing.command()
        parser = parser_of(f"{self.name} {listing.slug}", f"Print {listing.odds}.")
        command.add_odds_arguments(parser)
        return command.odds(parser.parse_args(arguments[1:], process))


COMMANDS: tuple[Command, ...] = (
    Command(
        "logs",
        "logs [FOLDER]",
        "list recorded sessions, or remove old ones",
        "List recorded sessions, newest first; with --prune, remove old ones.",
    ),
    Command(
        "stats",
        "stats",
        "totals by game and overall, and how lucky you were",
        "Totals of recorded sessions, with practice listed separately.",
    ),
    Command(
        "mistakes",
        "mistakes",
        "your mistakes in all sessions, the dearest first",
        "Your mistakes in all finished sessions, the dearest first.",
    ),
    Command(
        "practise",
        "practise",
        "your mistakes put to you again, and drills",
        "Your own mistakes, the dearest first: the table as it stood, and what each "
        "choice is worth once you have chosen. Drills are dealt where your mistakes cost most.",
    ),
    Command(
        "leaks",
        "leaks",
        "what each kind of mistake costs you in 100 rounds",
        "What each kind of mistake costs you in 100 rounds, the dearest first.",
    ),
    OddsCommand(
        "odds", "odds GAME", "print the exact odds of a game", "Print the exact odds of a game."
    ),
    Command(
        "replay",
        "replay FILE",
        "print a recorded session, step by step",
        "Print a recorded session.",
    ),
    Command(
        "verify",
        "verify FILE",
        "check a recorded session, or a folder of them",
        "Check recorded sessions: rules, cards and chain.",
    ),
    UnixCommand(
        "serve",
        "serve",
        "let people in over SSH, each with his own purse",
        "Let people in over SSH. A key is who one is: each has a purse, records and "
        "settings of his own. Runs until it is told to end (SIGTERM).",
    ),
    UnixCommand(
        "admin",
        "admin",
        "players, bans, money and backups of such a house",
        "What the operator of a host can do, whether it runs just now or not.",
    ),
    Command(
        "ledger",
        "ledger rebuild",
        "restore the purses from the logs if the ledger is lost;\n"
        "ledger settle pays out sessions whose logs are lost",
        "The book of purses and sessions.",
    ),
)
"""In the order of the help."""


def overview_parser() -> CommandParser:
    """Return the parser of the program without a command, whose help lists games and commands."""
    games = "\n".join(f"  {game.slug:<18}{game.line}" for game in GAMES)
    commands = "\n".join(
        f"  {command.usage:<18}{command.line}".replace("\n", f"\n{'':20}") for command in COMMANDS
    )
    parser = CommandParser(
        prog=PROGRAM,
        formatter_class=RawDescriptionHelpFormatter,
        usage=f"{PROGRAM} [COMMAND] [OPTIONS]",
        description="A card-game arcade for the terminal: exact odds, provable shuffles, "
        "sessions that replay. Play money only. Without a command it opens the menu.",
        epilog=f"""\
games:
{games}

records and figures:
{commands}

Help on a command: {PROGRAM} video-poker --help""",
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version and exit")
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="with --version: all that the report of a fault needs",
    )
    add_house_options(parser)
    return parser
