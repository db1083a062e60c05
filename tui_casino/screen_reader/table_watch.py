"""Watching a table with other people by ear."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Event, Thread

from ..house.desk import Desk
from ..house.shared_seat import find_table
from ..house.table_watch import TableWatch
from ..inputs.errors import BadInput
from .table import Waits
from .voice import Voice

WAIT = 1.0
"""Seconds for which one request waits for the end of a round."""


def watch_others(voice: Voice, desk: Desk, wait_notice: Waits, code: str) -> None:
    """Say the rounds of a table with others, each once it is over, until the player types a line.

    If that is impossible, say why.
    """
    tables = desk.house.shared_tables
    try:
        with wait_notice():
            line = find_table(tables, code)
            assert tables is not None, "it has a table"
            watch = TableWatch(tables, line)
            lines = watch.read()
    except (BadInput, OSError) as error:
        voice.say(f"Cannot watch this table: {error}")
        return
    voice.say(f"{watch.title}. Enter ends it.")
    has_ended = Event()

    def follow(lines: Iterable[str]) -> None:
        while not has_ended.is_set():
            for text in filter(None, lines):
                if not has_ended.is_set():
                    voice.say(text)
            if watch.is_over:
                voice.say("Press Enter.")
                return
            try:
                lines = watch.read(WAIT)
            except (BadInput, OSError) as error:
                if not has_ended.is_set():
                    voice.say(f"{error}. Press Enter.")
                return

    reader = Thread(target=follow, args=(lines,), daemon=True)
    reader.start()
    try:
        voice.ask()
    finally:
        has_ended.set()
