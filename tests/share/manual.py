"""The manual page, section 1, in the macros of man(7)."""

from __future__ import annotations

import re
from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter, _SubParsersAction

from tests.share.tree import children
from tui_casino import __version__
from tui_casino.cli.help_texts import all_names, shown_name
from tui_casino.cli.parser import canonical
from tui_casino.gamekit.registry import GAMES

FILES = (
    ("~/.local/state/tui-casino/", "the balances (ledger.db) and the session logs (sessions/)"),
    ("~/.config/tui-casino/settings.toml", "settings and keys"),
    ("~/.cache/tui-casino/", "a cache; everything in it can be computed again from the logs"),
)
"""The paths on Linux; ``platformdirs`` has others on other systems."""
ENVIRONMENT = (
    ("TUI_CASINO_LOG_DIR", "the folder of the session logs; --log-dir overrides it"),
    (
        "TUI_CASINO_SCREEN_READER",
        "1 turns screen-reader mode on, 0 off; --screen-reader overrides it",
    ),
    ("XDG_STATE_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME", "other folders for the files above"),
    ("TERM, COLORTERM", "what the terminal can show"),
    ("NO_COLOR", "no colours if it is set and not empty; --color overrides it"),
    ("LC_ALL, LC_CTYPE, LANG", "without UTF-8 in the locale only ASCII characters are used"),
)
EXITS = (
    ("0", "success"),
    ("1", "a verification failed"),
    ("2", "bad usage or input"),
    ("70", "an internal error; the program names the file that describes it"),
    ("74", "the output cannot be written"),
)


def manual(root: ArgumentParser, released: str) -> str:
    """Write the page. ``released`` is the date of the version, or empty."""
    table = dict(children(root))
    games = [shown_name(game.slug) for game in GAMES]
    # the options that every game has are listed once
    shared = {key(action) for action in options(root)}
    lines = [
        f'.TH TUI\\-CASINO 1 "{released}" "TUI Casino {__version__}" "User Commands"',
        ".ad l",
        ".nh",
        ".SH NAME",
        r"tui\-casino \- a card\-game arcade for the terminal",
        ".SH SYNOPSIS",
        r".B tui\-casino",
        "[OPTIONS]",
        ".br",
        r".B tui\-casino",
        r"\fICOMMAND\fR [OPTIONS]",
        ".SH DESCRIPTION",
        _plain(root.description or ""),
        ".PP",
        "The games are played on the screen, or with",
        r".B \-\-console",
        "as lines of text. In a game, F1 or ? explains the rules and keys.",
        ".SH OPTIONS",
        "Without a command, and for every game:",
        *_option_lines(options(root)),
        ".SH GAMES",
        "Every game also takes the options above.",
    ]
    for name in games:
        lines += _command(name, table[name], shared)
    lines.append(".SH OTHER COMMANDS")
    for name in (name for name in table if name not in games):
        lines += _command(name, table[name], shared)
    for title, rows in (("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", EXITS)):
        lines.append(f".SH {title}")
        for term, what in rows:
            lines += [".TP", rf"\fB{_plain(term)}\fR", _plain(what)]
    return "\n".join(lines) + "\n"


def _command(name: str, parser: ArgumentParser, known: set[tuple[str, str]]) -> list[str]:
    lines = [rf'.SS "{_plain(name)}{_operands(parser)}"', _plain(parser.description or "")]
    lines += [_plain(f"Other name: {alias}.") for alias in all_names(canonical(name))[1:]]
    own = [action for action in options(parser) if key(action) not in known]
    if len(own) < len(options(parser)) and name not in [shown_name(game.slug) for game in GAMES]:
        lines.append("It also takes the options above.")
    lines += _option_lines(own)
    lines += _examples(parser)
    for below, one in children(parser):
        lines += [".TP", rf"\fB{_plain(f'{name} {below}')}\fR{_operands(one)}"]
        lines.append(_plain(one.description or ""))
        if listed := _option_lines(options(one)):
            lines += [".RS", *listed, ".RE"]
    return lines


def _examples(parser: ArgumentParser) -> list[str]:
    lines = [".PP", "Examples:"] if parser.epilog else []
    for command, effect in examples(parser):
        lines += [".TP", rf"\fB{_plain(command)}\fR", _plain(effect)]
    return lines


def examples(parser: ArgumentParser) -> list[tuple[str, str]]:
    """Return the examples in the help of a command, each with what it does."""
    _, _, text = (parser.epilog or "").partition("examples:\n")
    lines = [line.strip() for line in text.splitlines()]
    return list(zip(lines[::2], lines[1::2], strict=True))


def _operands(parser: ArgumentParser) -> str:
    """Return the operands and subcommands that follow a command's name."""
    words = []
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            words.append(action.metavar or "COMMAND")
        elif not action.option_strings:
            word = str(action.metavar or action.dest).upper()
            words.append(f"[{word}]" if action.nargs == "?" else word)
    return "".join(rf" \fI{_plain(str(word))}\fR" for word in words)


def options(parser: ArgumentParser) -> list[Action]:
    return [
        action
        for action in parser._actions
        if action.help != SUPPRESS and action.dest != "help"
        if not isinstance(action, _SubParsersAction)
        if action.option_strings or action.help
    ]


def _option_lines(actions: list[Action]) -> list[str]:
    lines = []
    for action in actions:
        value = takes(action)
        names = names_of(action) or str(action.metavar or action.dest).upper()
        lines += [".TP", rf"\fB{_plain(names)}\fR" + (rf" \fI{_plain(value)}\fR" if value else "")]
        lines.append(_plain(helped(action)))
    return lines


def key(action: Action) -> tuple[str, str]:
    """Return what distinguishes options that have the same name but different effects."""
    return names_of(action), action.help or ""


def names_of(action: Action) -> str:
    return ", ".join(action.option_strings)


def takes(action: Action) -> str:
    if not action.option_strings or action.nargs == 0:
        return ""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    word = action.metavar or (
        "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
    )
    return f"[{word}]" if action.nargs == "?" else word


def helped(action: Action) -> str:
    return HelpFormatter("")._expand_help(action) if action.help else ""


def _plain(text: str) -> str:
    r"""Escape text for man(7).

    >>> _plain("'--a' costs 5 % \\ …")
    "\\(aq\\-\\-a\\(aq costs 5 % \\e …"
    """
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    text = text.replace("|", r"|\:")  # a long choice may be broken there
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE)
