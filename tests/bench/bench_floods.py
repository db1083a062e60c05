"""Measure how a flood from the terminal affects memory and the exit of the program.

    python tests/bench/bench_floods.py [--short]

Print a Markdown table. The program is at a table on a pseudo-terminal, receives a flood for at
most two seconds, and then loses its terminal. The memory is the increase of the largest resident
size.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter

from tests.bench.measure import chosen, heading
from tests.helpers.input_floods import FLOODS, at_a_table, flood, peak


def main() -> None:
    """Print a row for each flood."""
    names = chosen(__doc__, [*FLOODS], ["digits", "mouse"])
    print(heading("textual"))
    print("| flood | bytes | memory, MB | exit after disconnect, s |")
    print("|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as home, at_a_table(Path(home)) as terminal:
            before = peak(terminal)
            flood(terminal, FLOODS[name])
            more = peak(terminal) - before
            terminal.hang_up()
            begun = perf_counter()
            terminal.ended()
            took = perf_counter() - begun
        print(f"| {name} | {len(FLOODS[name]):,} | {more / 1000:+.1f} | {took:.2f} |")


if __name__ == "__main__":
    main()
