"""Share the processor fairly: a session that uses more than its share gets a lower priority.

All sessions start with the same priority. A session may use a little processor time in each second,
and more for each key that the player presses. The priority of a session that has used more, or
that is flooded with input, is lowered. It is restored soon afterwards if the system allows that
(``RLIMIT_NICE``). Otherwise the player's next visit starts with the usual priority, and a session
may use much more before its priority is lowered.
"""

from __future__ import annotations

import os

from ..process_handles import BEHIND, NICE, ProcessHandle

SHARE, TOGETHER = 0.1, 0.5
"""The part of a core that a session may use in the long run, and the part of all cores that all
sessions may use together; keys are not counted in either.
"""
KEY, KEYS = 0.015, 10.0
"""Seconds of processor time that a session may use for a key, and for how many keys per second."""
SIZE = 0.02
"""Seconds that a window size counts for if it arrives too quickly and is not passed on."""
ARRIVAL, BURST = 0.75, 0.25
"""Seconds of processor time that a new session may use, and a quiet session in a burst."""
LASTING_BURST = 5.0
"""The same if the usual priority cannot be restored."""
RECOVERY = 2.0
"""Seconds of quiet after which the usual priority is restored at the latest."""


class CpuShare:
    """Watches one session; ``behind`` says whether it has the lower priority."""

    def __init__(self) -> None:
        self.behind = False
        self._burst, self._budget = BURST, ARRIVAL
        self._updated: float | None = None
        self._used = 0.0

    def update(
        self,
        process: ProcessHandle,
        now: float,
        *,
        visits: int,
        keys: int = 0,
        sizes: int = 0,
        floods: bool = False,
    ) -> None:
        """Count the processor time since the last call, and set the priority.

        ``visits`` is the number of visits to the server. ``keys`` and ``sizes`` count the keys that
        were passed on and the window sizes that were not, since the last call. ``floods`` reports
        other input that was not passed on.
        """
        took = 0.0 if self._updated is None else now - self._updated
        share = min(SHARE, TOGETHER * (os.cpu_count() or 1) / visits)
        used = process.seconds
        # negative after a child has ended, because its time is no longer included
        spent = max(0.0, used - self._used) + SIZE * sizes
        earned = took * share + KEY * min(keys, KEYS * took)
        self._updated, self._used = now, used
        self._budget = min(max(self._burst, self._budget), self._budget + earned - spent)
        at_first = not self.behind and self._burst == BURST
        if self._budget < 0 and at_first and not process.may_return():
            self._burst = LASTING_BURST
            self._budget += LASTING_BURST - BURST
        debt = -RECOVERY * share
        self._budget = debt if floods else max(debt, self._budget)
        if self._budget < 0:
            self.behind = self.behind or process.give_way(BEHIND)
        elif self.behind:
            self.behind = not process.give_way(NICE)
