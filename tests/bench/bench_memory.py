"""Measure whether memory grows with keys, with closed tables, and in a long session.

    python tests/bench/bench_memory.py [--short]

Print Markdown tables. The program runs on a pseudo-terminal without motion. On a signal, its
process counts objects of the garbage collector (after a collection), live screens and resident
memory: once when the process is warm, after it has cached the pictures of cards, and again at the
end. The types that grew most are named.

The session without a screen is played in this process and takes the first offer each time.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.measure import chosen, heading
from tests.bench.pty_program import Program, Window, running, surroundings
from tests.bench.rounds import Seated
from tests.bench.witness import COMMAND, Census, census, request_census
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.gamekit.definition import GameDefinition
from tui_casino.gamekit.registry import GAMES
from tui_casino.house.sitting import House, begin_sitting

WINDOW = Window(100, 30)
CREDIT, SEED = 1_000_000, 5
QUIET = 0.01
"""Seconds without output or work before the next key is pressed; there is no motion here."""
ROUND = " 12 "
"""Deal, hold two cards, draw."""
MORE = 0.02
"""The largest growth of objects and memory, relative to the warm process."""
NAMED = 8


class Sizes(NamedTuple):
    """The amount of work before and after the first count: keys, tables, steps of the session.

    ``after`` is the number of idle seconds before the objects of closed tables are counted.
    """

    keys: tuple[int, int]
    tables: tuple[int, int]
    steps: tuple[int, int]
    after: float


FULL = Sizes(keys=(10_000, 10_000), tables=(250, 250), steps=(10_000, 90_000), after=20)
SHORT = Sizes(keys=(100, 500), tables=(10, 10), steps=(500, 1_500), after=1)


class Grown(NamedTuple):
    """The counts of a process when it was warm, and at the end."""

    warm: Census
    end: Census


def main(sizes: Sizes) -> None:
    """Print the tables. Raises ``AssertionError`` if the keys had another effect than expected."""
    print(heading("textual"))
    report(f"{sum(sizes.keys):,} keys of video poker", sizes.keys[0], keys(sizes))
    report(f"{sum(sizes.tables):,} tables opened and left", sizes.tables[0], tables(sizes))
    grown, log = sitting(sizes)
    report(f"a session of {sum(sizes.steps):,} steps, no screen", sizes.steps[0], grown)
    print(f"The log has {log / 1e6:.1f} MB.")


# ---- what is measured ----------------------------------------------------------------------------


@contextmanager
def witnessed(*arguments: str) -> Iterator[tuple[Program, Path, Path]]:
    """Run the program with its counter; yield it, its logs' folder, and the counter's file."""
    with tempfile.TemporaryDirectory() as home:
        logs, file = Path(home) / "logs", Path(home) / "witness"
        environ = surroundings(Path(home), WINDOW) | {"TEXTUAL_ANIMATIONS": "none"}
        environ["TUI_CASINO_LOG_DIR"] = str(logs)
        command = (*COMMAND, str(file), *arguments, "--seed", str(SEED))
        with running(command, environ, WINDOW) as program:
            yield program, logs, file


def keys(sizes: Sizes) -> Grown:
    """Play video poker."""
    with witnessed("video-poker", "--buy-in", str(CREDIT)) as (program, logs, file):
        program.shown("F1")
        strokes, counts = cycle(ROUND), []
        for count in sizes.keys:
            for key in islice(strokes, count):
                program.press(key, QUIET)
            counts.append(request_census(program.pid, file))
        played = Seated(program, logs).moment.done.count("Hold")
        assert played == sum(sizes.keys) // len(ROUND), f"{played} rounds"
        return Grown(*counts)


def tables(sizes: Sizes) -> Grown:
    """Open one table after the other, and leave it."""
    with witnessed() as (program, logs, file):
        program.shown("TUI CASINO")
        numbers, counts = cycle(range(1, len(GAMES) + 1)), []
        for count in sizes.tables:
            for number in islice(numbers, count):
                visit(program, str(number), logs)
            program.idle(sizes.after)  # the notice about the end refers to the table
            counts.append(request_census(program.pid, file))
        return Grown(*counts)


def visit(program: Program, key: str, logs: Path) -> None:
    """Open a table and leave it; a session without a bet leaves no log."""
    program.press(key, 5 * QUIET, lambda: any(logs.glob("*.jsonl")))
    program.press("\x1b", 5 * QUIET, lambda: not any(logs.glob("*.jsonl")))


def sitting(sizes: Sizes) -> tuple[Grown, int]:
    """Play a session of video poker at an ordinary table; also return the bytes of its log."""
    definition: GameDefinition[Any, Any, Any, Any, Any] = GAMES[0].definition()
    options, me = definition.game.sit(definition.game.Options(), CREDIT), Seat(0)
    source = SeededSource(SEED)
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder), None, "bench")
        with begin_sitting(
            house, definition, options, ShuffledShoe(), source, {me: None}
        ) as played:
            counts = []
            for count in sizes.steps:
                for _ in range(count):
                    if not played.table.advance():
                        first = definition.game.offers(played.table.state, me)[0]
                        played.table.submit(me, first.kind(*(first.defaults or ())))
                        played.dialogue.recall()  # as a player reads the messages
                counts.append(census())
            return Grown(*counts), played.log.path.stat().st_size


# ---- what is told --------------------------------------------------------------------------------


def report(what: str, warm: int, grown: Grown) -> None:
    """Print the growth, and the types with the largest growth."""
    before, after = grown
    more = (after.objects - before.objects) / before.objects
    print(f"| {what} | after {warm:,} | at the end | more | target | met |")
    print("|---|---:|---:|---:|---:|---|")
    print(f"| objects | {before.objects:,} | {after.objects:,} | {more:+.1%} ", end="")
    print(f"| {MORE:+.0%} | {_kept(more <= MORE)} |")
    screens = after.screens - before.screens
    print(f"| live screens | {before.screens} | {after.screens} | {screens:+} ", end="")
    print(f"| +0 | {_kept(screens <= 0)} |")
    megabytes = [one.resident / 1e6 for one in grown]
    print(f"| resident memory, MB | {megabytes[0]:.1f} | {megabytes[1]:.1f} ", end="")
    larger = megabytes[1] / megabytes[0] - 1
    print(f"| {larger:+.1%} | {MORE:+.0%} | {_kept(larger <= MORE)} |\n")
    types = Counter(after.types)
    types.subtract(before.types)
    most = [f"`{name}` {count:+,}" for name, count in types.most_common(NAMED) if count > 0]
    print(f"What grew most: {', '.join(most) or 'nothing'}.\n")


def _kept(is_so: bool) -> str:
    return "yes" if is_so else "**no**"


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
