"""Write the manual page and the completions from the commands: ``python -m tests.share.write``."""

from __future__ import annotations

import re
from pathlib import Path

import shtab

from tests.share.manual import manual
from tests.share.tree import tree
from tui_casino import __version__

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "packaging" / "share"
"""The wheel installs it as ``share``."""
SHELLS = {
    "bash": "bash-completion/completions/tui-casino",
    "zsh": "zsh/site-functions/_tui-casino",
    "fish": "fish/vendor_completions.d/tui-casino.fish",
}
MANUAL = "man/man1/tui-casino.1"


UNQUOTED = {
    f"compgen {option} -- $1  # {what}": f"""\
local word=${{1#[\\'\\"]}} # an open quote
  [[ $word = "$1" ]] && word=${{word//\\\\/}}
  compgen {option} -- "$word" # {what}"""
    for option, what in (("-f", "files"), ("-d", "recurse into subdirs"))
}
"""Maps commands of shtab for bash to those that also complete quoted names with spaces."""


def shared_texts() -> dict[str, str]:
    """Return the texts of the files by their paths."""
    root = tree(aliases=True)
    files = {path: shtab.complete(root, shell) for shell, path in SHELLS.items()}
    for command, better in UNQUOTED.items():
        assert files[SHELLS["bash"]].count(command) == 1, command
        files[SHELLS["bash"]] = files[SHELLS["bash"]].replace(command, better)
    return {MANUAL: manual(tree(), released()), **files}


def released() -> str:
    """Return the date of this version in the change log; empty before its release."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(__version__)} \((.*)\)$", changes, re.MULTILINE)
    return found[1] if found else ""


if __name__ == "__main__":
    for name, text in shared_texts().items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
