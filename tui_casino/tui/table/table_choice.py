"""Let the player choose another table and its options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from textual.screen import Screen

from ...engine.game import O
from ...gamekit.table_catalog import NO_FILE, AnyTableSetup, NamedTable, TableCatalog
from ...inputs.errors import BadInput
from ...inputs.files import UserPath
from ..window import ask_over
from .lazy import modals


def _listed(tables: TableCatalog[O], present: str | None) -> Mapping[str, str]:
    """Map each table's name to its line: title, note, and a mark for the current table."""
    titles, offers = tables.titles, {n: table.note for n, table in tables.choices.items()}
    wide = max(map(len, offers.values()))
    room = max(map(len, titles.values())) if wide else 0
    listed = {}
    for name, title in titles.items():
        parts = [f"{title:<{room}}", *([f"{offers[name]:>{wide}}"] if wide else [])]
        parts += ["current"] if name == present else []
        listed[name] = "   ".join(parts).rstrip()
    return listed


def _variants(table: NamedTable[O]) -> Iterable[NamedTable[O]]:
    """Return the variants of a table that needs no file."""
    if table.file_request is not None:
        return ()
    return (table,) if table.variants is None else table.variants.choices.values()


async def choose_table(
    screen: Screen[Any],
    tables: TableCatalog[O],
    now: O,
    folder: Path | None,
    sits_at: Callable[[AnyTableSetup], bool],
    chosen: str | None = None,
) -> AnyTableSetup | None:
    """Let the player choose a table, its variant, and its file; return ``None`` if cancelled.

    File names are relative to ``folder``. ``sits_at`` returns whether a table is the current one,
    which is selected when the list opens. If a table was already ``chosen`` by name, only its file
    is asked for.

    Raises :class:`BadInput` for a file that cannot be used, or if there is no folder.
    """
    if chosen is None:
        tried = ((name, _variants(table)) for name, table in tables.choices.items())
        present = next(
            (
                name
                for name, variants in tried
                if any(sits_at(variant.setup(now, NO_FILE)) for variant in variants)
            ),
            None,
        )
        chosen = await ask_over(
            screen, modals.ChoiceDialog(tables.title, _listed(tables, present), present)
        )
    if chosen is None:
        return None
    table = tables.choices[chosen]
    if table.variants is not None:
        return await choose_table(screen, table.variants, now, folder, sits_at)
    if table.file_request is None:
        return table.setup(now, NO_FILE)
    if folder is None:
        raise BadInput("there is no folder to read a file from")
    typed = await ask_over(
        screen, modals.InputDialog(table.file_request.title, table.file_request.text)
    )
    return table.setup(now, UserPath(typed, folder)) if typed else None
