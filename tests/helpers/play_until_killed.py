"""Play a game at random, as the console does, until killed.

    python -m tests.helpers.play_until_killed GAME SEED

The ledger and the logs are in the player's own folders. An interrupted session is resumed first.
After each session another one begins, so a kill can happen at any moment of a session.
"""

from __future__ import annotations

import os
import random
import sys

from tests.helpers.ledger_sessions import ME, seating_at, step
from tui_casino.gamekit.registry import listing_of
from tui_casino.house.lobby import AnySitting, new_source, resume, review_open_sittings, sit_down
from tui_casino.house.paths import ledger_file, log_folder
from tui_casino.house.sitting import House
from tui_casino.records.sqlite_ledger import SqliteLedger


def main(slug: str, seed: str) -> None:
    """Play sessions of this game; the seed decides all choices."""
    dice = random.Random(seed)
    listing = listing_of(slug)
    definition, seating = listing.definition(), seating_at(listing)
    ledger = None if seating.practice else SqliteLedger(ledger_file())
    house = House(log_folder(None, os.environ), ledger, ME)
    print("begun", flush=True)

    def played(sitting: AnySitting) -> bool:
        print("step", flush=True)
        return step(sitting)

    waiting = review_open_sittings(house, {slug: definition}).waiting if house.can_resume else ()
    for entry in waiting:
        if sitting := resume(house, definition, entry):
            while sitting.staked and played(sitting):
                pass
            sitting.leave()
    while True:
        sitting = sit_down(house, definition, seating, new_source(None), borrow=True)
        for _ in range(dice.randrange(120)):
            if not played(sitting):
                break
        while sitting.staked and played(sitting):
            pass
        sitting.leave()


if __name__ == "__main__":
    main(*sys.argv[1:])
