"""A ``tui-casino`` at whose tables of five-card draw the clocks are short, and so are absences.

python -m tests.host.short_clocks serve ...
"""

from __future__ import annotations

import sys

from tui_casino.games import five_card_draw
from tui_casino.host.cage import table_desk
from tui_casino.structs import replace

PROGRAM = (sys.executable, "-m", "tests.host.short_clocks")
SECONDS, BANK, AWAY = 3, 2, 6
"""The seconds for a choice, in the time bank, and until the seat of one who is gone is paid out."""


if __name__ == "__main__":
    from tui_casino.cli import main

    draw = five_card_draw.DEFINITION
    assert draw.shared is not None
    shared = replace(draw.shared, seconds=SECONDS, bank=BANK)
    five_card_draw.DEFINITION = replace(draw, shared=shared)
    table_desk.AWAY_SECONDS = AWAY
    sys.exit(main(sys.argv[1:]))
