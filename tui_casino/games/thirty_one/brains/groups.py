"""Sums over groups of columns, for many rows at once, quicker than by ``np.add.reduceat``.

That takes one turn per group and row, and most groups here have one column or two. So columns are
put in another order: the first ones of all groups side by side, then the second ones, and so on,
the groups with the most columns at the front. Then as many additions of whole blocks are enough as
the largest group has columns. (Sparse matrices know it as the jagged diagonal format.)

Every group is added up in the order of ``reduceat``, so that no sum differs in its last digit.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np

from .newton import Floats, Ints

_MOST = 8
"""Columns of a group that ``reduceat`` adds one by one: all but the first, and then that. Larger
groups are left to it."""


class Groups:
    """Groups of columns that stand together, given by where each begins, which rises.

    :meth:`sums` wants the columns in the order of ``columns``, and gives the sums in that of
    ``order``, which has the numbers of the groups.
    """

    def __init__(self, first: Ints, count: int) -> None:
        sizes = np.diff(first, append=count)
        self.order: Ints = np.argsort(-sizes, kind="stable")
        first, sizes = first[self.order], sizes[self.order]
        large = int((sizes > _MOST).sum())
        ends = np.cumsum(sizes[:large])
        self._large, self._of_large = ends - sizes[:large], int(sizes[:large].sum())
        columns = [np.arange(*ends) for ends in zip(first, (first + sizes)[:large], strict=False)]
        first, sizes = first[large:], sizes[large:]
        blocks = [int((sizes > place).sum()) for place in range(int(sizes.max(initial=0)))]
        columns += [first[:size] + place for place, size in enumerate(blocks)]
        self.columns: Ints = np.concatenate(columns)
        self._blocks = tuple(pairwise(accumulate(blocks, initial=self._of_large)))

    def sums(self, values: Floats) -> Floats:
        """Add up the columns of each group: (rows, groups). The values are not kept."""
        blocks = [values[:, begin:end] for begin, end in self._blocks]
        if len(blocks) > 1:
            first, rest, *others = blocks
            for more in others:
                rest[:, : more.shape[1]] += more
            first[:, : rest.shape[1]] += rest
        if not self._of_large:
            return blocks[0]
        large = np.add.reduceat(values[:, : self._of_large], self._large, axis=1)
        return np.concatenate([large, *blocks[:1]], axis=1)
