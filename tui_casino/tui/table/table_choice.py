"""Let the player choose another table, and how to sit there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from textual.screen import Screen

from ...engine.game import O
from ...gamekit.table_setup import AnyTableSetup
from ...gamekit.tables import NO_FILE, NamedTable, TableCatalog
from ...inputs.errors import BadInput
from ...inputs.files import UserPath
from ..modal_windows import ask_over
from ..modals import ChoiceDialog, InputDialog


def _listed(tables: TableCatalog[O], present: str | None) -> Mapping[str, str]:
    """Give what is listed of each table by its name: title, what it offers, and where one sits."""
    titles, offers = tables.titles, {n: table.note for n, table in tables.choices.items()}
    room = max(map(len, titles.values()))
    wide = max(map(len, offers.values()))
    listed = {}
    for name, title in titles.items():
        parts = [f"{title:<{room}}", *([f"{offers[name]:>{wide}}"] if wide else [])]
        parts += ["here"] if name == present else []
        listed[name] = "   ".join(parts).rstrip()
    return listed


def _variants(table: NamedTable[O]) -> Iterable[NamedTable[O]]:
    """Give the ways to sit at a table that asks for nothing else."""
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
    """Have a table chosen, the way to sit there, and the file that it wants; else ``None``.

    A file is looked for from the folder ``folder``.

    ``sits_at`` tells whether a table is the present one, on which the list opens.

    One that was ``chosen`` already, by name, is only asked for its file.

    Raises :class:`BadInput` for a file that cannot be used, or where there is no folder.
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
            screen, ChoiceDialog(tables.title, _listed(tables, present), present)
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
    typed = await ask_over(screen, InputDialog(table.file_request.title, table.file_request.text))
    return table.setup(now, UserPath(typed, folder)) if typed else None
