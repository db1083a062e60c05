"""Write the document of all keys from the bindings: ``python -m tests.tui.key_list``."""

from __future__ import annotations

from pathlib import Path

from tui_casino.tui.app import Arcade
from tui_casino.tui.settings.keymap import places
from tui_casino.tui.widgets.key_names import key_name

PATH = Path(__file__).parents[2] / "docs" / "keys.md"
HEAD = """\
# Keys

Every action has an id. In F3, Keys you change the keys of an action by pressing them; in
`settings.toml` you write them after its id, several separated by commas:

```toml
[keys]
game.step_back = "u, z"
```

Letters, digits and signs are written as they are; signs also by name: `question_mark`,
`plus`, `minus`, `dollar_sign`. Other names are `space`, `enter`, `escape`, `tab`, `backspace`,
`up`, `down`, `left`, `right`, `home`, `end`, `pageup`, `pagedown`, `insert`, `delete`, `f1` to
`f12`. With the control key only `ctrl+q` and `ctrl+p` work in every terminal. The keys you write
replace the usual ones, so write those too if you want to keep them. Enter and Escape at a
table cannot be changed, and neither can letters that open a typed command.

This list is made from the program: `python -m tests.tui.key_list` writes it again.
"""


def document() -> str:
    """Write the document."""
    lines = [HEAD]
    for place in places(Arcade):
        rows = [
            f"| `{name}` | {keys_shown(keys)} | {words} |" for name, words, keys in place.named()
        ]
        if rows:
            lines += [f"## {place.title}", "", "| id | key | does |", "|---|---|---|", *rows, ""]
    return "\n".join(lines)


def keys_shown(keys: str) -> str:
    """Return the labels of a key as on usual keyboards, for a Markdown table."""
    names = (key_name(key) for key in keys.split(","))
    return " ".join("`\\|`" if name == "|" else f"`{name}`" for name in names)


if __name__ == "__main__":
    PATH.write_text(document(), encoding="utf-8")
