"""Write the document of the command line from the parsers: ``python -m tests.cli.command_list``."""

from __future__ import annotations

import re
from argparse import ArgumentParser, _SubParsersAction
from pathlib import Path

from tests.share.manual import examples, helped, key, names_of, options, takes
from tests.share.tree import children, tree
from tui_casino.cli.commands import grouped_commands
from tui_casino.cli.help_texts import all_names, help_of, shown_name
from tui_casino.cli.parser import PROGRAM

PATH = Path(__file__).parents[2] / "docs" / "cli.md"
HEAD = """\
# Command line

`tui-casino` without a command opens the menu. Each command below also has its own help:
`tui-casino odds --help` and `tui-casino help odds` print the same text. The manual page
`man tui-casino` has the same contents as this page.

Options must be typed in full. `--ascii` and `--color WHEN` work before and after every command.
The exit code is 0 for success, 1 if a verification failed, 2 for bad usage or input, 70 for an
internal error, and 74 if the output cannot be written.

This page is made from the program: `python -m tests.cli.command_list` writes it again.
"""
INTRO = (
    "`tui-casino` without a command has the same options. `--version` and `--verbose` are its own."
)


def document() -> str:
    """Write the document."""
    root = tree()
    parsers = dict(children(root))
    shared = {key(action) for action in options(root)}
    lines = [HEAD, "## Commands", ""]
    for title, names in grouped_commands().items():
        lines += [f"{title.capitalize()}:", ""]
        for name in names:
            shown = shown_name(name)
            lines.append(f"- [`{shown}`](#{PROGRAM}-{shown}) – {help_of(name).line}")
        lines.append("")
    lines += ["## Options of every game", "", INTRO, "", *_options(root, set()), ""]
    for names in grouped_commands().values():
        for name in names:
            lines += _section(f"{PROGRAM} {shown_name(name)}", parsers[shown_name(name)], shared, 2)
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(
    command: str, parser: ArgumentParser, shared: set[tuple[str, str]], level: int
) -> list[str]:
    lines = [f"{'#' * level} {command}", "", _coded(parser.description or ""), ""]
    if aliases := all_names(command.split()[-1])[1:] if level == 2 else ():
        lines += [f"Other names: {', '.join(f'`{alias}`' for alias in aliases)}.", ""]
    lines += ["```text", f"usage: {' '.join((command, *_operands(parser, shared)))}", "```", ""]
    if own := _options(parser, shared):
        lines += [*own, ""]
    if shared & {key(action) for action in options(parser)}:
        lines += ["It also takes the [options of every game](#options-of-every-game).", ""]
    lines += ["```sh", *(f"{typed}  # {effect}" for typed, effect in examples(parser)), "```", ""]
    for name, below in children(parser):
        lines += _section(f"{command} {name}", below, shared, level + 1)
    return lines


def _operands(parser: ArgumentParser, shared: set[tuple[str, str]]) -> list[str]:
    """Return the part after the command's name in its usage line."""
    words = ["[OPTIONS]"] if any(action.option_strings for action in options(parser)) else []
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            words.append(f"{action.metavar} ...")
        elif not action.option_strings:
            word = str(action.metavar or action.dest).upper()
            words.append(f"[{word}]" if action.nargs == "?" else word)
        elif action.required:
            words.append(f"{names_of(action)} {takes(action)}")
    return words


def _options(parser: ArgumentParser, shared: set[tuple[str, str]]) -> list[str]:
    """Return a list of the options that are not among the shared ones."""
    own = [action for action in options(parser) if key(action) not in shared]
    lines = []
    for action in own:
        names = names_of(action) or str(action.metavar or action.dest).upper()
        lines.append(f"- `{f'{names} {takes(action)}'.strip()}` – {_coded(helped(action))}")
    return lines


def _coded(text: str) -> str:
    """Put backticks around the options in a text.

    >>> _coded("with --ruin: 34-line, -d")
    'with `--ruin`: 34-line, `-d`'
    """
    return re.sub(r"(?<![\w-])--?[a-z][a-z-]*", r"`\g<0>`", text)


if __name__ == "__main__":
    PATH.write_text(document(), encoding="utf-8")
