"""Limit a session's processor time: a session that uses much gets a lower priority.

All sessions start with the same priority. A session that floods, or has worked for long, gets a
lower one. After it has been quiet for a while its priority is restored if the system allows that
(``RLIMIT_NICE``); otherwise its next visit starts with the usual one.
"""

from __future__ import annotations

from ..process_handles import BEHIND, NICE, ProcessHandle

WORK, REST = 5.0, 0.15
"""Seconds of processor time that a session may use at once, and per second on average."""
QUIET = 10.0
"""Seconds without a flood or such work after which the usual priority is restored."""


class CpuShare:
    """Watches one session; ``behind`` says whether it has the lower priority."""

    def __init__(self) -> None:
        self.behind = False
        self._budget, self._updated, self._used = WORK, 0.0, 0.0
        self._since = 0.0

    def update(self, process: ProcessHandle, now: float, *, floods: bool) -> None:
        """Count the processor time since the last call; ``floods`` reports a flood of input."""
        used = process.seconds
        # negative after a child has ended: its time is no longer counted
        self._budget = min(
            WORK, self._budget + (now - self._updated) * REST - max(0.0, used - self._used)
        )
        self._updated, self._used = now, used
        if floods or self._budget < 0:
            self._since = now
            self.behind = self.behind or process.give_way(BEHIND)
        elif self.behind and now - self._since > QUIET and self._budget > 0:
            self.behind = not process.give_way(NICE)
