"""Limit a session's processor time: a session that uses much gets a lower priority.

All sessions are equally nice as they begin. One that floods, or has worked for long, is made nicer,
so that it has what the others leave; when it has been quiet for a while it is as the others again,
where the system lets us (``RLIMIT_NICE``), else from its next visit on.
"""

from __future__ import annotations

from ..process_handles import BEHIND, NICE, ProcessHandle

WORK, REST = 5.0, 0.15
"""Seconds of processor time that a session may use at once, and on average in each second."""
QUIET = 10.0
"""Seconds without a flood, and without such work, after which it is as the others again."""


class CpuShare:
    """Watches one session; ``behind`` says whether it stands behind the others."""

    def __init__(self) -> None:
        self.behind = False
        self._budget, self._updated, self._used = WORK, 0.0, 0.0
        self._since = 0.0

    def update(self, process: ProcessHandle, now: float, *, floods: bool) -> None:
        """Look what it used since the last time; ``floods`` says whether too much came for it."""
        used = process.seconds
        # what a child has used is gone with it
        self._budget = min(
            WORK, self._budget + (now - self._updated) * REST - max(0.0, used - self._used)
        )
        self._updated, self._used = now, used
        if floods or self._budget < 0:
            self._since = now
            self.behind = self.behind or process.give_way(BEHIND)
        elif self.behind and now - self._since > QUIET and self._budget > 0:
            self.behind = not process.give_way(NICE)
