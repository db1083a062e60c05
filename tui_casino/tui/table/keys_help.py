"""The help page of a table: current keys, rules, commands, and the source of the shuffle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest

from textual.binding import ActiveBinding

from ...engine.game import A, E, O, S
from ...gamekit.tally import T
from ...gamekit.unaided import without_entries
from ...house.sitting import Sitting
from ...inputs.sanitize import plain
from ..widgets.key_bar import OUT, VERB, footer_place
from ..widgets.key_names import key_name
from .listed_view import PRIMARY

COMMAND_LINE_KEYS = (
    (":", "begins a command"),
    ("Up Down", "earlier commands"),
    ("Enter", "runs the command"),
)
"""Keys of the command line that are not bindings."""
WHY_HELP = """\
  why    explain your last choice: what it costs, the best choice, and
         the reasons"""
"""The help of the command that every table on the screen has."""
LEAST = 25
"""The minimum width of an entry in columns."""


def help_text(sitting: Sitting[O, S, A, E, T], seen: S, keys: str, key_notes: str) -> str:
    """Explain a table: its keys, the rules in short, every command, and the source of its cards.

    ``key_notes`` is the game's own explanation of its keys.
    """
    origin = sitting.table.source.spec
    word = f"\nYour client seed is mixed in: {origin.word}" if origin.word else ""
    shuffle = {
        "committed": f"The commitment to this shuffle:\n{plain(origin.value)}{word}",
        "numbered": f"The shuffle uses seed {plain(origin.value)}; this is free play.",
    }.get(origin.kind, "")
    definition = sitting.definition
    commands = definition.words.help(seen) + f"\n\n{WHY_HELP}" * (not definition.unaided)
    final = f"You cannot undo a choice here: {final}." if (final := sitting.why_final) else ""
    return "\n\n".join(filter(None, (keys, commands, key_notes, final, shuffle)))


def key_notes(notes: str, off: Iterable[ActiveBinding]) -> str:
    """Return the game's own explanation of its keys without those that are ``off``."""
    keys = [one.binding.key for one in off]
    return without_entries(notes, [*keys, *map(key_name, keys)])


def keys_text(
    active: Iterable[ActiveBinding], called: Callable[[str], str | None], width: int
) -> str:
    """List keys in as many columns as fit: actions, other keys, other screens, the key to leave.

    ``called`` returns the current name of a binding's action, or ``None`` for the binding's own.
    """
    entries = [*dict.fromkeys((*_entries(active, called), *COMMAND_LINE_KEYS))]
    columns = max(1, (width + 2) // (LEAST + 2))
    rows = -(-len(entries) // columns)
    parts = [entries[start : start + rows] for start in range(0, len(entries), rows)]
    cells = [_cells(part) for part in parts]
    rooms = _rooms([max(map(len, column)) for column in cells], width)
    cut = [[cell[:room] for cell in column] for column, room in zip(cells, rooms, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:<{room}}" for cell, room in zip(line, rooms, strict=True)).rstrip()
        for line in zip_longest(*cut, fillvalue="")
    )


def _rooms(needed: list[int], width: int) -> list[int]:
    """Return equal column widths, or the widths needed if only these leave room for every word."""
    columns = len(needed)
    equal = (width - 2 * (columns - 1)) // columns
    unequal = max(needed) > equal and sum(needed) + 2 * (columns - 1) <= width
    return needed if unequal else [equal] * columns


def _cells(entries: list[tuple[str, str]]) -> list[str]:
    key_width = max(len(keys) for keys, _ in entries)
    return [f"{keys:<{key_width}}  {words}" for keys, words in entries]


def _entries(
    active: Iterable[ActiveBinding], called: Callable[[str], str | None]
) -> Iterator[tuple[str, str]]:
    keys: dict[str, list[str]] = {}
    held: dict[str, ActiveBinding] = {}
    for one in active:
        if one.binding.id and one.binding.description:
            keys.setdefault(one.binding.action, []).append(key_name(one.binding.key))
            held.setdefault(one.binding.action, one)
    merged: dict[str, list[str]] = {}
    for action, one in sorted(held.items(), key=lambda item: _order(item[1])):
        names, display = keys[action], one.binding.key_display
        shown = names if display is None or display in names else [display]
        merged.setdefault(called(action) or one.binding.description, []).extend(shown)
    for words, shown in merged.items():
        yield " ".join(dict.fromkeys(shown)), words


def _order(active: ActiveBinding) -> tuple[int, int]:
    binding = active.binding
    if binding.action == PRIMARY:
        return -1, 0
    if binding.group == VERB:
        return 0, not binding.show
    return (3, 0) if binding.group == OUT else (2, footer_place(active)) if binding.show else (1, 0)
