"""Measure a step without a screen: the log line, the view, the events, the tally and the trainer.

    python tests/bench/bench_steps.py [--short]

Print a Markdown table. The human's seat plays a session of each game at random. Its log is
written as it happens. Before each choice the view and the offers are requested. After it the
trainer analyses the choice, if it can do so at once. Times are processor time of all threads in the
fastest fifth of the session, so other work on the machine has little effect.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import process_time_ns

from tests.bench.measure import chosen, heading
from tests.helpers.random_play import Wild
from tui_casino.engine.chance import DiceStream, SeededSource
from tui_casino.engine.game import Seat, SittingOver
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.sitting import PRACTICE, House, begin_sitting

FULL, SHORT = 5_000, 300
DEFINITION = 5
TO_REACH = 0.3
"""The target in milliseconds per step."""


def main(steps: int) -> None:
    """Print the table."""
    print(heading())
    print("| a step without a screen | steps | ms | target | met |")
    print("|---|---:|---:|---:|---|")
    for listing in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            count, cost = played(listing, Path(folder), steps)
        kept = "yes" if cost <= TO_REACH else "**no**"
        print(f"| {listing.slug} | {count:,} | {cost:.3f} | {TO_REACH} | {kept} |")


def played(listing: GameListing, folder: Path, steps: int) -> tuple[int, float]:
    """Play steps in sessions of their own; return their number and the milliseconds per step."""
    costs, done = list[float](), 0
    for part in range(DEFINITION):
        count, cost = sat(listing, folder / str(part), steps // DEFINITION, part)
        costs.append(cost / count)
        done += count
    return done, min(costs)


def sat(listing: GameListing, folder: Path, steps: int, seed: int) -> tuple[int, float]:
    """Play sessions until there are enough steps; return their number and the milliseconds."""
    definition = listing.definition()
    seating = listing.tables().setup()
    count, cost, wild, sitting_number = 0, 0, Wild(), 0
    while count < steps:
        sitting_number += 1
        house = House(folder / str(sitting_number), None, "bench")
        options = definition.game.sit(seating.options, PRACTICE // definition.game.unit)
        source = SeededSource(1_000 * seed + sitting_number)
        with begin_sitting(
            house, definition, options, seating.croupier, source, seating.players
        ) as sitting:
            table, seat = sitting.table, sitting.dialogue.seat
            judge = (
                definition.adviser.judge if definition.game.slug == "video-poker" else None
            )  # the only fast judge
            dice = DiceStream(seed.to_bytes(32), "bench")
            while count < steps:
                before, start = sitting.log.steps, process_time_ns()
                table.run()
                if isinstance(definition.game.turn(table.state), SittingOver):
                    break
                view = table.view(Seat(seat))
                offers = definition.game.offers(view, seat)
                if all(offer.barred for offer in offers):
                    break
                action = wild.choose(view, seat, offers, dice)
                table.submit(seat, action)
                if judge is not None:
                    judge(view, seat, action)
                cost += process_time_ns() - start
                count += sitting.log.steps - before
                sitting.dialogue.recall()
    return count, cost / 1e6


if __name__ == "__main__":
    main(chosen(__doc__, FULL, SHORT))
