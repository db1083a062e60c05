"""Set the resource limits of a session's process."""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import signal
import sys
from contextlib import suppress

from ..process_handles import NICE

FILES = 128
FILE_SIZE = 256 << 20
"""The maximum number of bytes in a file that a session writes."""
OOM_SCORE = 500
"""The addition to this process's badness score when memory runs out, in thousandths."""
_NO_NEW_PRIVILEGES = 38  # PR_SET_NO_NEW_PRIVS of <linux/prctl.h>
_MEGABYTE = 1 << 20


def limit_process(memory: int, processor: int) -> None:
    """Limit this process: ``memory`` in megabytes and ``processor`` in seconds.

    Memory and processor time that this process has used so far, for example before it was forked,
    are not counted. The limits cannot be raised again, and child processes cannot gain privileges.
    """
    os.nice(NICE)
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + processor
    _limit(resource.RLIMIT_CPU, seconds, seconds + 5)
    _limit(resource.RLIMIT_DATA, _data_in_use() + memory * _MEGABYTE)
    _limit(resource.RLIMIT_NOFILE, FILES)
    _limit(resource.RLIMIT_FSIZE, FILE_SIZE)
    _limit(resource.RLIMIT_CORE, 0)
    _die_first()
    no_new_privileges()


def _die_first() -> None:
    """When memory runs out, make the system kill sessions before the cage or the gateway."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="utf-8") as score:
        score.write(str(OOM_SCORE))


def no_new_privileges() -> None:
    """Permanently forbid this process and its children to gain privileges."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def detach_process() -> None:
    """Detach from the terminal, the streams and the signals of the parent process."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)
    gc.enable()


def _limit(kind: int, soft: int, hard: int | None = None) -> None:
    _, hard_limit = resource.getrlimit(kind)
    hard = soft if hard is None else hard
    if hard_limit != resource.RLIM_INFINITY:
        soft, hard = min(soft, hard_limit), min(hard, hard_limit)
    with suppress(OSError, ValueError):  # not every system has every limit
        resource.setrlimit(kind, (soft, hard))


def _data_in_use() -> int:
    """Return how many bytes of data this process uses; 0 if the system does not report that."""
    with suppress(OSError, ValueError), open("/proc/self/status", encoding="utf-8") as status:
        for line in status:
            if line.startswith("VmData:"):
                return int(line.split()[1]) << 10
    return 0
