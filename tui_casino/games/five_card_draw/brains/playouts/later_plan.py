"""The plan for a player's later choices, after a choice that is played out.

In each spot the plan has the lowest strengths with which to stay in, and with which to bet or
raise. They are the best ones on average over all hands against the computer players of a mixed
table. The spots are numbered by :meth:`.playout.Playout.spots`.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

from .....cards.memo import memoize
from .acts import Strengths

PATH = Path(__file__).parents[2] / "data" / "later_plan.zz"
SPOTS = 6 * 5 * 5 * 5 * 2 * 2
"""The number of spots."""


@memoize()
def later_plan() -> Strengths:
    """Return the shipped plan, in shape (spots, 2); it is 0 in spots that were never reached."""
    return unpack_plan(PATH.read_bytes())


def unpack_plan(data: bytes) -> Strengths:
    """Return the plan of a file."""
    return np.frombuffer(zlib.decompress(data), "<u2").reshape(SPOTS, 2)


def pack_plan(plan: Strengths) -> bytes:
    """Return a plan as the contents of its file."""
    return zlib.compress(plan.astype("<u2").tobytes(), 9)
