"""The argument parser class, and the options that several commands share."""

from __future__ import annotations

import re
from argparse import ArgumentParser, BooleanOptionalAction, HelpFormatter
from typing import NoReturn

from ..gamekit.registry import GAMES
from ..inputs.errors import BadInput
from ..inputs.sanitize import plain

PROGRAM = "tui-casino"

_REWORDED = (
    (r"unrecognized arguments: (.*)", r"\1: no such option or argument"),
    (r"the following arguments are required: (.*)", r"\1 is missing"),
    (r"argument ([^:]+): (.*)", r"\1: \2"),
    (r"(.*)invalid choice: (.*) \(choose from (.*)\)", r"\1\2 is not one of \3"),
    (r"(.*)not allowed with argument (.*)", r"\1not together with \2"),
    (r"(.*)expected one argument", r"\1needs a value"),
    (r"(.*)expected (\w+) arguments", r"\1needs \2 values"),
    (r"(.*)ignored explicit argument (.*)", r"\1takes no value, not \2"),
)
"""The messages of argparse, and the same in our words."""


class CommandParser(ArgumentParser):
    """Reports bad usage as every other bad input."""

    def error(self, message: str) -> NoReturn:
        """Raise `BadInput` with the message in our words, and where to find help."""
        for pattern, words in _REWORDED:
            message = re.sub(f"^{pattern}$", words, message, flags=re.DOTALL)
        problem, among, choices = message.partition(" is not one of ")
        message = f"{problem}{among}{choices.replace(chr(39), '')}"  # quoted by some versions alone
        raise BadInput(plain(f"{message}; see {self.prog} --help"))


def parser_of(
    command: str,
    description: str,
    epilog: str | None = None,
    form: type[HelpFormatter] = HelpFormatter,
) -> CommandParser:
    """Return the parser of a command, whose options are typed whole."""
    return CommandParser(
        prog=f"{PROGRAM} {command}",
        description=description,
        epilog=epilog,
        formatter_class=form,
        allow_abbrev=False,
    )


def add_game_option(parser: ArgumentParser) -> None:
    """Add ``--game``."""
    parser.add_argument("--game", choices=[game.slug for game in GAMES], help="only this game")


def add_player_options(parser: ArgumentParser) -> None:
    """Add the options that say whose recorded sessions are read."""
    parser.add_argument("--player", metavar="NAME", help="only this player")
    parser.add_argument("--log-dir", metavar="DIR", help="the folder of the logs")


def add_house_options(parser: ArgumentParser) -> None:
    """Add the options of everything that opens a table."""
    house = parser.add_argument_group("the house")
    house.add_argument("--seed", metavar="N", help="use shuffle number N, for practice: no purse")
    house.add_argument(
        "--word",
        metavar="TEXT",
        nargs="?",
        const="",
        help="mix a word of your own into the shuffle; without TEXT you are asked",
    )
    house.add_argument("--player", metavar="NAME", help="whose purse to play with")
    house.add_argument("--guest", action="store_true", help="play with a purse that is not kept")
    house.add_argument("--buy-in", metavar="N", help="bring at most N dollars or credits")
    house.add_argument("--log-dir", metavar="DIR", help="keep the logs in this folder")
    house.add_argument("--record", metavar="FILE", help="record the terminal as an asciicast v3")
    house.add_argument(
        "--screen-reader",
        action=BooleanOptionalAction,
        help="play line by line: the menu, every table, records, settings",
    )
    screen = parser.add_argument_group("the screen")
    screen.add_argument("--ascii", action="store_true", help="draw with plain characters only")
    screen.add_argument("--no-color", action="store_true", help="use no colours")
    screen.add_argument("--color", action="store_true", help="force full colour")
    screen.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")
