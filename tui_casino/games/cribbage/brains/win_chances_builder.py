"""Build the chances to win that `win_chances` reads, for two players with the same policy.

In every deal at least one player scores. So the chance at a score can be computed from the chances
at higher scores: from the points of one deal, in the order in which they are scored, and from the
chance at the score after that deal, when the other player deals. The counts of `deal_outcomes` and
the chances are shipped in one file. This command creates the file again:

    python -m tui_casino.games.cribbage.brains.win_chances_builder >
    tui_casino/games/cribbage/data/winning.json

It takes a minute or two on one core, and less with ``--jobs`` or ``--cluster``. The result is the
same everywhere; ``--check`` compares it with the shipped file.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from functools import partial, reduce
from math import sqrt
from operator import add

import numpy as np

from ....engine.monte_carlo import ReportProgress
from ....engine.parallel import ONE_JOB, Workers, map_blocks
from ....gamekit.progress_bar import progress_bar
from ....gamekit.worker_options import add_worker_options, workers_from_options
from ....inputs.errors import BadInput
from ....inputs.sanitize import printable
from .deal_outcomes import BLOCK, count_outcomes, play_block
from .win_chances import (
    FILE,
    TABLES,
    TARGET,
    UNIT,
    DealOutcomes,
    Floats,
    Integers,
    WinChances,
    trim_table,
)

BLOCKS = 24
SEED = 121
SAME = "the shipped file is up to date\n"
CHANGED = "the shipped file differs from the newly calculated figures\n"


def solve_win_chances(outcomes: DealOutcomes) -> Floats:
    """Return the dealer's chance to win by the dealer's score and the pone's, 0 to 120 each."""
    # The dealer can win in the play, before the pone does; or with the hand or the crib, if neither
    # the dealer with the play nor the pone with play and hand has won before.
    reached = np.pad(outcomes.dealer_reaches, ((0, 0), (1, 0))).cumsum(axis=1)
    counting = _below(outcomes.pone_shown) - _below(outcomes.all_shown)
    at_once = (reached + counting[:-1]) / outcomes.cases
    end_frequencies = outcomes.all_shown / outcomes.cases
    win = np.zeros((TARGET, TARGET))
    for total in range(2 * TARGET - 2, -1, -1):
        for dealer in range(max(0, total - TARGET + 1), min(total, TARGET - 1) + 1):
            pone = total - dealer
            short = TARGET - dealer, TARGET - pone
            later = end_frequencies[: short[0], : short[1]] * (1 - win[pone:, dealer:].T)
            win[dealer, pone] = at_once[short] + later.sum()
    return win


def _below(table: Integers) -> Integers:
    """Return for each row and column the sum of all entries in earlier rows and columns."""
    return np.pad(table, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)


def estimate_win_chances(
    seed: int = SEED,
    blocks: int = BLOCKS,
    workers: Workers = ONE_JOB,
    progress: ReportProgress | None = None,
) -> WinChances:
    """Play the deals and calculate the chances; estimate the error from the separate blocks.

    ``progress`` is called with the number of blocks played. Raises the errors of
    :func:`~tui_casino.engine.parallel.map_blocks`.
    """
    block_outcomes: list[DealOutcomes] = []
    for block in map_blocks(partial(_block_outcomes, seed), blocks, workers):
        block_outcomes.append(block)
        if progress:
            progress(len(block_outcomes))
    outcomes = reduce(add, block_outcomes)
    spread = np.std([solve_win_chances(block) for block in block_outcomes], axis=0, ddof=1)
    return WinChances(
        solve_win_chances(outcomes), outcomes, blocks * BLOCK, float(spread.max()) / sqrt(blocks)
    )


def _block_outcomes(seed: int, number: int) -> DealOutcomes:
    return count_outcomes(play_block(seed, number))


def as_json(winning: WinChances) -> str:
    """Return the figures in the format of the shipped file, one row per line."""
    counts = {name: _rows(trim_table(getattr(winning.outcomes, name))) for name in TABLES}
    tables = ",\n".join(f'    "{name}": {rows}' for name, rows in counts.items())
    win = _rows(np.rint(winning.chances * UNIT).astype(np.int64))
    head = f'  "deals": {winning.deals},\n  "error": {winning.error:.6f}'
    return f'{{\n{head},\n  "counts": {{\n{tables}\n  }},\n  "win": {win}\n}}\n'


def _rows(table: Integers) -> str:
    lines = (",".join(map(str, row)) for row in table.tolist())
    return "[\n" + ",\n".join(f"[{line}]" for line in lines) + "]"


def main(*arguments: str) -> int:
    """Print the figures, or with ``--check`` compare them with the file; return 0 if equal."""
    parser = ArgumentParser(prog="winning", description="calculate the chances to win at cribbage")
    parser.add_argument("--check", action="store_true", help="compare them with the shipped file")
    add_worker_options(parser, "the deals", "1")
    args = parser.parse_args(arguments)
    try:
        with progress_bar("blocks", BLOCKS, sys.stderr) as progress:
            text = as_json(
                estimate_win_chances(workers=workers_from_options(args, usual=1), progress=progress)
            )
    except BadInput as error:
        message = f"{printable(str(error))}\n"
        sys.stderr.write(message)
        return 2
    if not args.check:
        sys.stdout.write(text)
        return 0
    same = text == FILE.read_text(encoding="utf-8")
    message = SAME if same else CHANGED
    sys.stderr.write(message)
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
