"""Windows that every live table opens: its help, and the choice of another table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.screen import Screen

from ...engine.game import A, E, O, S
from ...gamekit.seating import AnySeating
from ...gamekit.tables import UNASKED, Tables
from ...gamekit.tally import T
from ...house.sitting import Sitting
from ...inputs.errors import BadInput
from ...inputs.files import GivenPath
from ..modals import Choice, Line
from ..windows import ask_over


def help_text(sitting: Sitting[O, S, A, E, T], seen: S, keys: str, more: str) -> str:
    """Explain a table: its keys, then the rules in short, every word, and whence its cards come.

    ``more`` is what the game has to say of its keys.
    """
    origin = sitting.table.source.origin
    word = f"\nYour word is mixed in: {origin.word}" if origin.word else ""
    shuffle = {
        "committed": f"The shuffle is committed to:\n{origin.value}{word}",
        "numbered": f"The shuffle is that of seed {origin.value}, for practice.",
    }.get(origin.kind, "")
    return "\n\n".join(filter(None, (keys, sitting.parts.words.help(seen), more, shuffle)))


async def choose_table(
    screen: Screen[Any], tables: Tables[O], now: O, here: Path | None, chosen: str | None = None
) -> AnySeating | None:
    """Have a table chosen, and the file that it wants, from the folder ``here``; else ``None``.

    One that was ``chosen`` already, by name, is only asked for its file.

    Raises :class:`BadInput` for a file that cannot be used, or where there is no folder.
    """
    if chosen is None:
        chosen = await ask_over(screen, Choice(tables.title, tables.titles))
    if chosen is None:
        return None
    table = tables.choices[chosen]
    if table.asks is None:
        return table.sit(now, UNASKED)
    if here is None:
        raise BadInput("no folder is known to read a file from")
    typed = await ask_over(screen, Line(table.asks.title, table.asks.text))
    return table.sit(now, GivenPath(typed, here)) if typed else None
