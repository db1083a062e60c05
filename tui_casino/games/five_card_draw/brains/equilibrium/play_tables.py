"""The shipped tables for play: the classes of dealt hands, their buckets, and the cards seen.

Rating every discard of every hand takes half a second and 70 MB, and sampling the cards seen takes
longer. So the results are stored next to the blueprint, in a NumPy archive.
"""

from __future__ import annotations

import zlib
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from .....cards.memo import memoize
from .....inputs.errors import BadInput

PATH = Path(__file__).parents[2] / "data" / "play_tables.npz"


class PlayTables(NamedTuple):
    """The tables of n classes of hands, b buckets, r sets of ranks, and f classes of final hands.

    ``class_of_strength`` is the class of each final hand's strength; 0 is the weakest class, and
    index 0 is unused.

    ``numbers`` holds the deal number that represents each class, ascending; ``masks`` the hold mask
    of each class for each number of cards drawn, in shape (5, n); ``bucket`` the bucket of each
    class, and ``deals`` its number of deals. ``by_strength`` lists the buckets in the order of
    their best chance, and ``rank_sets`` the number of cards of each rank in shape (r, 13).

    ``pair_buckets``, ``pair_sets`` and ``pair_shares`` list the pairs of a bucket and a set of
    ranks that occur, and the share of the set in the bucket. ``seen`` says how often a player with
    a final hand has seen 0 to 4 cards of each rank, by number of cards drawn: (5, f, 13, 5).
    ``small_sets`` is the result of :func:`.cards.draw_odds.count_small_sets` for the final classes.
    """

    class_of_strength: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.int32]
    masks: npt.NDArray[np.uint8]
    bucket: npt.NDArray[np.int32]
    deals: npt.NDArray[np.int64]
    by_strength: npt.NDArray[np.int64]
    rank_sets: npt.NDArray[np.uint8]
    pair_buckets: npt.NDArray[np.int64]
    pair_sets: npt.NDArray[np.int64]
    pair_shares: npt.NDArray[np.float32]
    seen: npt.NDArray[np.float64]
    small_sets: npt.NDArray[np.int32]


_WIDE = {
    "class_of_strength": np.int32,
    "bucket": np.int32,
    "deals": np.int64,
    "by_strength": np.int64,
    "pair_buckets": np.int64,
    "pair_sets": np.int64,
}


@memoize()
def play_tables(path: Path = PATH) -> PlayTables:
    """Read the tables. Raises ``BadInput`` for another kind of file, and ``OSError``."""
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays = {name: file[name] for name in PlayTables._fields}
    except (BadZipFile, KeyError, ValueError, EOFError, zlib.error) as fault:
        message = f"{path}: not a file of tables for play ({fault}); run `make equilibrium`"
        raise BadInput(message) from None
    return PlayTables(**arrays | {name: arrays[name].astype(kind) for name, kind in _WIDE.items()})
