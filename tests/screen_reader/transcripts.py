"""Transcripts of whole visits in screen-reader mode: the typed lines and the printed lines.

In a transcript, typed lines begin with ``> ``. ``python -m tests.screen_reader.transcripts`` plays
the given games, or all games, again and writes their transcripts. Read every changed file before
you commit it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from tui_casino import __version__
from tui_casino.engine.chance import CommittedSource
from tui_casino.house.house import House
from tui_casino.house.settings import Settings
from tui_casino.house.visit_state import VisitState
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader.visit import begin_visit
from tui_casino.structs import replace

FOLDER = Path(__file__).parents[2] / "docs" / "screen-reader"
SEEDS = {"cribbage": 55510}
"""The numbered shuffles of visits in free play, by game; other visits play for money."""


def clock() -> int:
    return 1_767_225_600_000  # the first moment of 2026


def transcript(slug: str) -> Path:
    return FOLDER / f"{slug}.txt"


def typed_in(text: str) -> list[str]:
    """Return the typed lines of a transcript."""
    return [line[2:] for line in text.splitlines() if line.startswith("> ") or line == ">"]


def visited(
    typed: Iterable[str],
    folder: Path,
    settings: Settings | None = None,
    seed: int | None = None,
    game: str | None = None,
) -> list[str]:
    """Visit the house, or the table of a game, and type these lines; return all lines."""
    said: list[str] = []
    folder.mkdir(exist_ok=True)
    numbers = count(1)

    def lines() -> Iterator[str]:
        for line in typed:
            said.append(f"> {line}".rstrip())
            yield line

    with closing(SqliteLedger(folder / "ledger.db")) as ledger:
        house = House(folder / "logs", ledger, "player", clock=clock, name="Ann")
        begin_visit(
            replace(house, ledger=None) if seed is not None else house,
            lines(),
            said.append,
            settings or Settings(),
            folder / "settings.toml",
            "--screen-reader",
            memory=VisitState(folder / "visits.json"),
            wait_notice=nullcontext,
            new_source=lambda: CommittedSource(bytes([next(numbers)]) * 32),
            seed=seed,
        ).run(game)
    return said


def played(slug: str) -> str:
    """Play the visit of a transcript again; return the new transcript."""
    with TemporaryDirectory() as folder:
        typed = typed_in(transcript(slug).read_text())
        lines = visited(typed, Path(folder), seed=SEEDS.get(slug))
    return "\n".join(lines).replace(f"TUI Casino {__version__}", "TUI Casino VERSION") + "\n"


def main(*slugs: str) -> None:
    """Write the transcripts of these games, or of all games."""
    for slug in slugs or sorted(path.stem for path in FOLDER.glob("*.txt")):
        transcript(slug).write_text(played(slug))


if __name__ == "__main__":
    main(*sys.argv[1:])
