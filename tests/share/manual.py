"""The manual page, section 1, in the macros of man(7)."""

from __future__ import annotations

import re
from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter, _SubParsersAction

from tests.share.tree import children
from tui_casino import __version__
from tui_casino.gamekit.registry import GAMES

FILES = (
    ("~/.local/state/tui-casino/", "the purses (ledger.db) and the session logs (sessions/)"),
    ("~/.config/tui-casino/settings.toml", "settings and keys"),
    ("~/.cache/tui-casino/", "what can be worked out again from the logs"),
)
"""On Linux; ``platformdirs`` has others elsewhere."""
ENVIRONMENT = (
    ("TUI_CASINO_LOG_DIR", "the folder of the session logs; --log-dir beats it"),
    ("TUI_CASINO_SCREEN_READER", "1 plays line by line, 0 on the screen; --screen-reader beats it"),
    ("XDG_STATE_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME", "other folders for the files above"),
    ("TERM, COLORTERM", "what the terminal can show"),
    ("NO_COLOR", "if it is set, and not empty: no colours"),
    ("LC_ALL, LC_CTYPE, LANG", "a locale without UTF-8 gets plain characters only"),
)
EXITS = (
    ("0", "done"),
    ("1", "a verification failed"),
    ("2", "bad usage or input"),
    ("70", "an error of the program's own; what happened is written to a file, which is named"),
    ("74", "the output cannot be written"),
)


def manual(root: ArgumentParser, released: str) -> str:
    """Write the page. ``released`` is the day of the version, or empty."""
    table = dict(children(root))
    games = [game.slug for game in GAMES]
    # what each game takes besides its own: told once
    shared = {_key(action) for action in _options(root)}
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
        "It is play money only.",
        ".PP",
        "The games are played on the screen, or with",
        r".B \-\-console",
        "line by line. Within a game F1 or ? explains it.",
        ".SH OPTIONS",
        "Without a command, and for every game:",
        *_told(_options(root)),
        ".SH GAMES",
        "They take the options above, too.",
    ]
    for name in games:
        lines += _command(name, table[name], shared)
    lines.append(".SH OTHER COMMANDS")
    for name in sorted(table.keys() - set(games)):
        lines += _command(name, table[name], shared)
    for title, rows in (("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", EXITS)):
        lines.append(f".SH {title}")
        for term, what in rows:
            lines += [".TP", rf"\fB{_plain(term)}\fR", _plain(what)]
    return "\n".join(lines) + "\n"


def _command(name: str, parser: ArgumentParser, known: set[tuple[str, str]]) -> list[str]:
    lines = [rf'.SS "{_plain(name)}{_operands(parser)}"', _plain(parser.description or "")]
    own = [action for action in _options(parser) if _key(action) not in known]
    if len(own) < len(_options(parser)) and name not in (game.slug for game in GAMES):
        lines.append("It takes the options above, too.")
    lines += _told(own)
    for below, one in children(parser):
        lines += [".TP", rf"\fB{_plain(f'{name} {below}')}\fR{_operands(one)}"]
        lines.append(_plain(one.description or ""))
        if options := _told(_options(one)):
            lines += [".RS", *options, ".RE"]
    return lines


def _operands(parser: ArgumentParser) -> str:
    """Give what follows a command's name, in its place."""
    words = []
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            words.append(action.metavar or "COMMAND")
        elif not action.option_strings:
            word = str(action.metavar or action.dest).upper()
            words.append(f"[{word}]" if action.nargs == "?" else word)
    return "".join(rf" \fI{_plain(str(word))}\fR" for word in words)


def _options(parser: ArgumentParser) -> list[Action]:
    return [
        action
        for action in parser._actions
        if action.help != SUPPRESS and action.dest != "help"
        if not isinstance(action, _SubParsersAction)
        if action.option_strings or action.help
    ]


def _told(actions: list[Action]) -> list[str]:
    lines = []
    for action in actions:
        takes = _takes(action)
        names = _names(action) or str(action.metavar or action.dest).upper()
        lines += [".TP", rf"\fB{_plain(names)}\fR" + (rf" \fI{_plain(takes)}\fR" if takes else "")]
        lines.append(_plain(_help(action)))
    return lines


def _key(action: Action) -> tuple[str, str]:
    """Tell an option from another of its name that does something else."""
    return _names(action), action.help or ""


def _names(action: Action) -> str:
    return ", ".join(action.option_strings)


def _takes(action: Action) -> str:
    if not action.option_strings or action.nargs == 0:
        return ""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    word = action.metavar or (
        "|".join(map(str, action.choices)) if action.choices else action.dest.upper()
    )
    return f"[{word}]" if action.nargs == "?" else word


def _help(action: Action) -> str:
    return HelpFormatter("")._expand_help(action) if action.help else ""


def _plain(text: str) -> str:
    r"""Write text so that it shows as it is.

    >>> _plain("'--a' costs 5 % \\ …")
    "\\(aq\\-\\-a\\(aq costs 5 % \\e …"
    """
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    text = text.replace("|", r"|\:")  # a long choice may be broken there
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE)
