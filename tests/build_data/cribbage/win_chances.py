"""Build the chances to win that `win_chances` reads, for two players with the same policy.

`bulk_play` describes the policy. Each deal is played once and counted with all forty possible
starters; only the dealt cards are random. A game can end in the middle of a count, so the order of
scoring matters: his heels, the play card by card, the pone's hand, the dealer's hand, and the crib.
Tables indexed by two scores are enough to represent this order.

In every deal at least one player scores. So the chance at a score can be computed from the chances
at higher scores: from the points of one deal, in the order in which they are scored, and from the
chance at the score after that deal, when the other player deals. The counts and the chances are
shipped in one file. This command creates the file again:

    python -m tests.build_data.cribbage.win_chances > tui_casino/games/cribbage/data/winning.json

It takes a minute or two on one core, and less with ``--jobs`` or ``--cluster``; the workers of a
cluster must be able to import this checkout. The result is the same everywhere; ``--check``
compares it with the shipped file.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from functools import partial, reduce
from math import sqrt
from operator import add

import numpy as np
from numpy.random import BitGenerator

from tui_casino.cards.card import PACK
from tui_casino.engine.monte_carlo import ReportProgress, seeded_generator
from tui_casino.engine.parallel import ONE_JOB, Workers, map_blocks
from tui_casino.gamekit.simulation_runner import (
    add_worker_options,
    progress_bar,
    workers_from_options,
)
from tui_casino.games.cribbage.brains.bulk_play import (
    Events,
    PlayedDeals,
    play_deals,
    points_by_starter,
)
from tui_casino.games.cribbage.brains.win_chances import (
    FILE,
    SIZE,
    TABLES,
    TARGET,
    UNIT,
    DealOutcomes,
    Floats,
    Integers,
    WinChances,
    trim_table,
)
from tui_casino.games.cribbage.machine.rules import ACC, RuleSet, points_of, starter_scores
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.sanitize import printable

BLOCK = 1 << 14
"""The number of deals played together."""
BLOCKS = 24
SEED = 121
SAME = "the shipped file is up to date\n"
CHANGED = "the shipped file differs from the newly calculated figures\n"


def play_block(seed: int, number: int, deals: int = BLOCK, rules: RuleSet = ACC) -> PlayedDeals:
    """Deal and play the deals of a block; the same seed and number give the same deals."""
    return play_deals(shuffled(seeded_generator(seed).jumped(number), deals), rules)


def shuffled(bits: BitGenerator, packs: int) -> Integers:
    """Return shuffled packs, in shape (packs, 52)."""
    cards = np.broadcast_to(np.arange(len(PACK)), (packs, len(PACK)))
    shuffled: Integers = np.random.Generator(bits).permuted(cards, axis=1)
    return shuffled


def count_outcomes(deals: PlayedDeals, rules: RuleSet = ACC) -> DealOutcomes:
    """Count the outcomes of these deals, each of them with every possible starter."""
    heels = np.array([points_of(starter_scores(card, rules)) for card in PACK])[deals.undealt]
    pone_pegged = np.where(deals.events > 0, deals.events, 0).sum(axis=0)[:, None]
    dealer_pegged = np.where(deals.events < 0, -deals.events, 0).sum(axis=0)[:, None] + heels
    pone = pone_pegged + points_by_starter(deals.pone, deals.undealt, rules)
    dealer = dealer_pegged + points_by_starter(deals.dealer, deals.undealt, rules)
    crib = dealer + points_by_starter(deals.crib, deals.undealt, rules, crib=True)
    reaches = _reaches(deals.events, heels)
    return DealOutcomes(
        *reaches,
        _tabled(dealer_pegged, pone_pegged),
        _tabled(dealer_pegged, pone),
        _tabled(dealer, pone_pegged),
        _tabled(crib, pone),
    )


def _tabled(first: Integers, second: Integers, weights: Integers | None = None) -> Integers:
    places = (first * SIZE + second).ravel()
    counts = np.bincount(places, weights, minlength=SIZE * SIZE)
    return counts.reshape(SIZE, SIZE).astype(np.int64)


def _reaches(events: Events, heels: Integers) -> tuple[Integers, Integers]:
    """Return the tables ``dealer_reaches`` and ``pone_reaches`` for the points of the play.

    Cases are grouped by the points of his heels, which the dealer scores first.
    """
    tables = np.zeros((2, SIZE, SIZE), np.int64)
    for worth in np.unique(heels).tolist():
        starter_counts = (heels == worth).sum(axis=1)
        tables[0, 1 : worth + 1, 0] += starter_counts.sum()
        score = np.zeros((2, len(starter_counts)), np.int64)  # the dealer, then the pone
        score[0] += worth
        for event in events.astype(np.int64):
            for player, points in ((0, -event), (1, event)):
                for points_reached in range(1, int(points.max()) + 1):
                    one = points >= points_reached
                    tables[player] += _tabled(
                        score[player, one] + points_reached,
                        score[1 - player, one],
                        starter_counts[one],
                    )
                score[player] += np.maximum(points, 0)
    return tables[0], tables[1]


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
