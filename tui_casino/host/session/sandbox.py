"""The sandbox of a session's process, which sees only the program and its player's folder.

The sandbox has two parts. A process can impose both on itself, permanently and without privileges.
Landlock (https://docs.kernel.org/userspace-api/landlock.html) limits which files the process can
use. Linux has had Landlock since 5.13, and newer versions restrict more. The filter in
``seccomp.py`` limits which system calls it can make. Resource limits also apply.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import signal
import struct
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..processes import NICE
from . import seccomp

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


_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system call numbers, the same on every machine
_ASK_VERSION, _BENEATH = 1, 1
_RULESET = struct.Struct("=QQQ")  # file rights, network rights, and scopes
_RULE = struct.Struct("=Qi")

_WRITE, _READ, _LIST = 1 << 1, 1 << 2, 1 << 3
_REMOVE_FOLDER, _REMOVE, _MAKE_FOLDER, _MAKE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_LOOK = _READ | _LIST
_CHANGE = _WRITE | _REMOVE_FOLDER | _REMOVE | _MAKE_FOLDER | _MAKE | _REFER | _TRUNCATE
_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""The number of file rights in each Landlock version; from version 5 on there is one more."""
_TCP = 0b11  # to listen, to connect
_BEYOND = 0b11  # sockets without a path, signals

SYSTEM = (
    *("/usr", "/lib", "/lib64", "/etc/localtime", "/etc/ld.so.cache"),
    *("/proc/self", "/sys/devices/system/cpu", "/dev/urandom"),
)
"""The paths of libraries, time zones, and information about the process and the processors."""
VERSION_OF_SIGNALS = 6
"""The first version of Landlock that keeps a session from signalling the user's other processes."""


class Sandbox(NamedTuple):
    """The sandbox of a session: the version of Landlock (0 without it), and the call filter."""

    landlock: int
    seccomp: bool

    @property
    def lacks(self) -> str:
        """A text that tells the operator which parts are missing, or nothing if none are."""
        lacks = []
        if self.landlock == 0:
            lacks.append("without Landlock they can open every file of this user")
        elif self.landlock < VERSION_OF_SIGNALS:
            lacks.append(f"Landlock version {self.landlock} restricts less than in Linux 6.12")
        if not self.seccomp:
            lacks.append("there is no system call filter")
        return " and ".join(lacks)


def probe_sandbox() -> Sandbox:
    """Enter the sandbox in a child that ends immediately; return which parts worked.

    This process must not have threads yet.
    """
    if sys.platform != "linux":
        return Sandbox(0, seccomp=False)
    with tempfile.TemporaryDirectory() as folder:
        child = os.fork()
        if child == 0:
            code = 0
            with suppress(BaseException):
                no_new_privileges()
                held = enter_sandbox(Path(folder).resolve())
                code = held.landlock << 1 | held.seccomp
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return Sandbox(max(code, 0) >> 1, seccomp=bool(max(code, 0) & 1))


def landlock_version() -> int:
    """Return the version of Landlock on this machine; 0 without it."""
    if sys.platform != "linux":
        return 0
    version = _call(_CREATE, None, 0, _ASK_VERSION)
    return max(version, 0)


def enter_sandbox(folder: Path) -> Sandbox:
    """Confine this single-threaded process to the player's ``folder``; return which parts worked.

    The process may write to this folder, and read the program's files. It cannot open any other
    file or connection, and cannot start or inspect other processes. Call :func:`.no_new_privileges`
    first.
    """
    temporary = folder / "tmp"
    temporary.mkdir(mode=0o700, exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    known = landlock_version()
    landlock = known if known and _keep_to(folder, known) else 0
    # the filter comes last, because it refuses Landlock's own calls
    return Sandbox(landlock, seccomp.install_filter())


def _keep_to(folder: Path, known: int) -> bool:
    files = (1 << _BITS.get(known, 16)) - 1
    network = _TCP if known >= 4 else 0
    beyond = _BEYOND if known >= VERSION_OF_SIGNALS else 0
    size = 8 if known < 4 else 16 if known < VERSION_OF_SIGNALS else 24
    ruleset = _call(_CREATE, _RULESET.pack(files, network, beyond)[:size], size, 0)
    if ruleset < 0:
        return False
    try:
        for path, rights in (
            *((path, _LOOK) for path in _program(folder)),
            (folder, _LOOK | _CHANGE),
            (Path(os.devnull), _READ | _WRITE | _TRUNCATE),
        ):
            _allow(ruleset, path, rights & files)
        return _call(_RESTRICT, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _program(folder: Path) -> Iterable[Path]:
    """Return the folders of the program and its libraries, except any that contain the data folder.

    With ``python -m``, the module path includes the folder in which the server was started.
    """
    package = Path(__file__).parents[2]
    paths = (os.path.dirname(os.__file__), os.path.join(sys.base_prefix, "lib"), *SYSTEM)
    places = {Path(place) for place in (*sys.path, *paths) if os.path.isabs(place)}
    return {package, *(place for place in places if not folder.is_relative_to(place.resolve()))}


def _allow(ruleset: int, path: Path, rights: int) -> None:
    with suppress(OSError):  # not every system has all of these paths
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not path.is_dir():
                rights &= _READ | _WRITE | _TRUNCATE
            _call(_ADD, ruleset, _BENEATH, _RULE.pack(rights, place), 0)
        finally:
            os.close(place)


def _call(number: int, *arguments: int | bytes | None) -> int:
    made = [
        ctypes.c_long(one) if isinstance(one, int) else ctypes.c_char_p(one) for one in arguments
    ]
    return int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *made))
