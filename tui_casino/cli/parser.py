"""The argument parser class, its error messages, and the options that several commands share."""

from __future__ import annotations

import re
import sys
from argparse import (
    SUPPRESS,
    Action,
    ArgumentParser,
    BooleanOptionalAction,
    HelpFormatter,
    Namespace,
    _SubParsersAction,
)
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

from ..gamekit.registry import GAMES
from ..inputs.errors import BadInput
from ..inputs.numbers import list_words
from ..inputs.sanitize import plain, printable
from .help_texts import ALIASES, help_of, shown_name

PROGRAM = "tui-casino"
WHEN = ("never", "auto", "always")
"""The values of ``--color``."""

_REWORDED = (
    (r"argument ([^:]+): (.*)", r"\1: \2"),
    (r"(.*)not allowed with argument (.*)", r"\1cannot be combined with \2"),
    (r"one of the arguments (.*) is required", r"give one of \1"),
    (r"(.*)expected (\w+) arguments", r"\1needs \2 values"),
    (r"(.*)ignored explicit argument (.*)", r"\1takes no value, not \2"),
)
"""Patterns for argparse's messages, and the texts that replace them."""


class HelpLayout(HelpFormatter):
    """A help formatter that wraps descriptions, but does not change texts with several lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


class CommandParser(ArgumentParser):
    """A parser that reports bad usage like every other bad input."""

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a message; ``argparse`` itself would ignore that the output is full."""
        print(message, end="", file=file or sys.stderr)

    def error(self, message: str) -> NoReturn:
        """Raise `BadInput`, which says what is wrong, what is accepted, and where to find help."""
        explained = self._explain(message)
        see = " See" if explained.endswith("?") else "; see"
        raise BadInput(plain(f"{explained}{see} {self.prog} --help"))

    def _explain(self, message: str) -> str:
        if found := re.fullmatch(r"unrecognized arguments: (.*)", message, re.DOTALL):
            return self._unknown(found[1])
        if found := re.fullmatch(r"the following arguments are required: (.*)", message):
            name = found[1].split(", ")[0]
            return f"{name} is missing{self._accepted(name)}"
        if found := re.fullmatch(r"argument (\S+).*: expected one argument", message):
            name = found[1].rstrip(":,").split("/")[0]
            return f"{name} needs a value{self._accepted(name)}"
        for pattern, words in _REWORDED:
            message = re.sub(f"^{pattern}$", words, message, flags=re.DOTALL)
        choice = re.fullmatch(
            r"(.*)invalid choice: (.*?)(?:, maybe .*)? \(choose from (.*)\)", message
        )
        if choice is None:
            return message
        choices = [shown_name(name) for name in choice[3].replace("'", "").split(", ")]
        hint = did_you_mean(choice[2].strip("'\""), choices)
        return f"{choice[1]}{choice[2]} is not one of {list_words(choices, 'or')}{hint}"

    def _unknown(self, words: str) -> str:
        """Return the error message for the first unrecognized argument."""
        if not words.startswith("-"):
            return f"{words}: this argument is one too many"
        name = words.split(" ")[0].partition("=")[0]
        bare = [option.removeprefix("--") for option in options_of(self)]  # all begin alike
        match = nearest(name.lstrip("-"), bare, 0.7)
        return f"{name}: no such option{f'; did you mean --{match}?' if match else ''}"

    def _accepted(self, name: str) -> str:
        """Describe the values that an argument accepts, using its choices or its help."""
        for action in self._actions:
            if name in (*action.option_strings, action.metavar, action.dest):
                if action.choices is not None:
                    choices = list_words((shown_name(str(one)) for one in action.choices), "or")
                    return f"; give one of {choices}"
                value = f", {action.metavar}" if action.option_strings and action.metavar else ""
                return f"{value}: {action.help}" if action.help else value
        return ""


def options_of(parser: ArgumentParser) -> Iterator[str]:
    """Yield the long names of the options of a parser and of its subcommands."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for below in action.choices.values():
                yield from options_of(below)
        elif action.help != SUPPRESS:
            yield from (name for name in action.option_strings if name.startswith("--"))


def nearest(word: str, names: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the name most similar to a mistyped word, or ``None`` if none is similar enough.

    ``cutoff`` is the required similarity, as in `difflib`.
    """
    from difflib import get_close_matches  # late: only after an error

    near = get_close_matches(word.casefold().replace("_", "-"), list(names), 1, cutoff)
    return near[0] if near else None


def did_you_mean(word: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return ``; did you mean ...?`` with the most similar name, or "" if none is similar."""
    name = nearest(word, names, cutoff)
    return "" if name is None else f"; did you mean {name}?"


def parser_of(command: str) -> CommandParser:
    """Return a parser for a command such as ``odds cribbage``, to which options can be added.

    The parser does not accept abbreviated options.
    """
    parser = CommandParser(
        prog=f"{PROGRAM} {shown_name(command)}", formatter_class=HelpLayout, allow_abbrev=False
    )
    parser.description, parser.epilog = help_of(command).description, examples_of(command)
    return parser


def add_subcommand(commands: _SubParsersAction[ArgumentParser], command: str) -> ArgumentParser:
    """Add a parser for a command such as ``admin ban`` to its parent command."""
    text = help_of(command)
    return commands.add_parser(
        command.split()[-1],
        help=text.line,
        description=text.description,
        epilog=examples_of(command),
        formatter_class=HelpLayout,
        allow_abbrev=False,
    )


def examples_of(command: str) -> str:
    """Return the examples for a command in the form that its help prints."""
    lines = ["examples:"]
    for arguments, effect in help_of(command).examples:
        lines += [f"  {f'{PROGRAM} {arguments}'.rstrip()}", f"      {effect}"]
    return "\n".join(lines)


# ---- options before the command ------------------------------------------------------------------


def options_last(arguments: Sequence[str], parser: ArgumentParser) -> list[str]:
    """Move options from before the first operand to after it: ``--ascii odds`` to ``odds --ascii``.

    If an option is unknown, the arguments are not changed, because the parser's own error message
    explains the mistake best.
    """
    known: dict[str, Action] = parser._option_string_actions
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        name, has_value, _ = arguments[at].partition("=")
        if name not in known:
            return list(arguments)
        at += 1
        takes = known[name].nargs
        if not has_value and (takes is None or (takes == "?" and name != "--color")):
            at += 1
    if at >= len(arguments):
        return list(arguments)
    return [arguments[at], *arguments[:at], *arguments[at + 1 :]]


def join_colour(arguments: Sequence[str]) -> list[str]:
    """Write ``--color WHEN`` as one argument, and ``--color`` without WHEN as ``always``.

    Otherwise argparse would take the command or the SEED that follows ``--color`` for its value.

    >>> join_colour(["--color", "never", "odds"]), join_colour(["--color", "55510"])
    (['--color=never', 'odds'], ['--color=always', '55510'])
    """
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--color":
            joined.pop()
            joined += [f"--color={argument}"] if argument in WHEN else ["--color=always", argument]
        else:
            joined.append(argument)
    return [*joined[:-1], "--color=always"] if joined[-1:] == ["--color"] else joined


# ---- shared options ------------------------------------------------------------------------------


def canonical(word: str) -> str:
    """Return the name that scripts use for a command or game: ``thirty-one`` for ``hit-me``."""
    return ALIASES.get(word, word)


def add_game_option(parser: ArgumentParser) -> None:
    """Add ``--game``."""
    parser.add_argument(
        "--game",
        metavar="GAME",
        type=canonical,
        choices=[game.slug for game in GAMES],
        help="only this game",
    )


def add_player_options(parser: ArgumentParser) -> None:
    """Add the options that select the player whose recorded sessions are read."""
    parser.add_argument("--player", metavar="NAME", help="only this player")
    parser.add_argument("--log-dir", metavar="DIR", help="the folder of the logs")


def filter_words(args: Namespace) -> str:
    """Return the filters that were given, after a space, to follow "sessions"; "" without any."""
    game, player, since = args.game, args.player, getattr(args, "since", None)
    words = (
        f" at {shown_name(game)}" if game else "",
        f" of {printable(player)}" if player else "",
        f" since {since}" if since else "",
    )
    return "".join(words)


def add_house_options(parser: ArgumentParser) -> None:
    """Add the options of every command that opens a table."""
    house = parser.add_argument_group("player, money and shuffle")
    house.add_argument("--seed", metavar="N", help="use shuffle number N, in free play")
    house.add_argument(
        "--word",
        metavar="TEXT",
        nargs="?",
        const="",
        help="mix your own client seed into the shuffle; without TEXT you are asked for it",
    )
    house.add_argument("--player", metavar="NAME", help="the player whose balance is used")
    house.add_argument("--guest", action="store_true", help="play with a balance that is not kept")
    house.add_argument("--buy-in", metavar="N", help="buy in for at most N credits")
    house.add_argument("--log-dir", metavar="DIR", help="keep the logs in this folder")
    house.add_argument(
        "--record", metavar="FILE", help="record the terminal to FILE, an asciicast (version 3)"
    )
    house.add_argument(
        "--screen-reader",
        action=BooleanOptionalAction,
        help="screen-reader mode: the whole casino as lines of text",
    )
    screen = parser.add_argument_group("screen")
    screen.add_argument("--ascii", action="store_true", help="use ASCII characters only")
    screen.add_argument(
        "--color",
        metavar="WHEN",
        nargs="?",
        const="always",
        default="auto",
        choices=WHEN,
        help="use colours always (the default for WHEN), auto or never (without this option: auto)",
    )
    screen.add_argument(
        "--no-color", dest="color", action="store_const", const="never", help="like --color never"
    )
    screen.add_argument("--no-mouse", action="store_true", help="do not use the mouse")


def add_text_options(parser: ArgumentParser) -> None:
    """Add ``--ascii`` and ``--color`` to a command that prints text, and to its subcommands.

    The help for these commands does not list them, because the commands print no colours.
    """
    if "--ascii" in parser._option_string_actions:
        return
    parser.add_argument("--ascii", action="store_true", default=SUPPRESS, help=SUPPRESS)
    parser.add_argument("--color", nargs="?", choices=WHEN, default=SUPPRESS, help=SUPPRESS)
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for below in action.choices.values():
                add_text_options(below)
