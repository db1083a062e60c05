"""Share the processor fairly: a session that uses a lot of processor time gets a lower priority.

All sessions start with the same priority. A session that is flooded with input, or has computed for
a long time, gets a lower one. After it has been quiet for a while, its priority is restored if the
system allows that (``RLIMIT_NICE``); otherwise the player's next visit starts with the usual
priority.
"""

from __future__ import annotations

from ..process_handles import BEHIND, NICE, ProcessHandle

WORK, REST = 5.0, 0.15
"""Seconds of processor time that a session may use in a burst, and per second in the long run."""
QUIET = 10.0
"""Seconds of normal use after which the usual priority is restored."""


class CpuShare:
    """Watches one session; ``behind`` says whether it has the lower priority."""

    def __init__(self) -> None:
        self.behind = False
        self._budget, self._updated, self._used = WORK, 0.0, 0.0
        self._since = 0.0

    def update(self, process: ProcessHandle, now: float, *, floods: bool) -> None:
        """Count the processor time since the last call; ``floods`` reports a flood of input."""
        used = process.seconds
        # negative after a child has ended, because its time is no longer included
        self._budget = min(
            WORK, self._budget + (now - self._updated) * REST - max(0.0, used - self._used)
        )
        self._updated, self._used = now, used
        if floods or self._budget < 0:
            self._since = now
            self.behind = self.behind or process.give_way(BEHIND)
        elif self.behind and now - self._since > QUIET and self._budget > 0:
            self.behind = not process.give_way(NICE)
