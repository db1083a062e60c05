"""The sandbox of a session's process: it sees only the program and its player's folder.

It has two parts, which a process can put on itself for ever without privileges. Landlock
(https://docs.kernel.org/userspace-api/landlock.html) limits it to some files. Linux has Landlock
since 5.13, and newer versions restrict more. The filter of ``seccomp.py`` limits it to some system
calls.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from . import seccomp
from .process_limits import no_new_privileges

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system call numbers, the same on every machine
_ASK_VERSION, _BENEATH = 1, 1
_RULESET = struct.Struct("=QQQ")  # rights of files, of the network, and scopes
_RULE = struct.Struct("=Qi")

_WRITE, _READ, _LIST = 1 << 1, 1 << 2, 1 << 3
_REMOVE_FOLDER, _REMOVE, _MAKE_FOLDER, _MAKE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_LOOK = _READ | _LIST
_CHANGE = _WRITE | _REMOVE_FOLDER | _REMOVE | _MAKE_FOLDER | _MAKE | _REFER | _TRUNCATE
_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""The number of file rights that a version knows; from version 5 on there is one more."""
_TCP = 0b11  # to listen, to connect
_BEYOND = 0b11  # sockets without a path, signals

SYSTEM = (
    *("/usr", "/lib", "/lib64", "/etc/localtime", "/etc/ld.so.cache"),
    *("/proc/self", "/sys/devices/system/cpu", "/dev/urandom"),
)
"""Libraries, time zones, and files about the process itself and the machine's processors."""
VERSION_OF_SIGNALS = 6
"""The version of Landlock from which a session cannot signal other processes of the user."""


class Sandbox(NamedTuple):
    """The sandbox of a session: the version of Landlock, 0 without it, and the call filter."""

    landlock: int
    seccomp: bool

    @property
    def lacks(self) -> str:
        """A text about missing parts for the operator; empty if there are none."""
        lacks = []
        if self.landlock == 0:
            lacks.append("without Landlock they can open every file of this user")
        elif self.landlock < VERSION_OF_SIGNALS:
            lacks.append(f"Landlock version {self.landlock} restricts less than that of Linux 6.12")
        if not self.seccomp:
            lacks.append("there is no system call filter")
        return " and ".join(lacks)


def probe_sandbox() -> Sandbox:
    """Enter the sandbox in a child that ends at once; return what worked.

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
    """Confine this process, which has one thread, to the player's ``folder``; return what worked.

    It may write there, and read the files of the program. It can open no other file or connection,
    and cannot start or inspect processes. It must have given up new privileges before.
    """
    temporary = folder / "tmp"
    temporary.mkdir(mode=0o700, exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    known = landlock_version()
    landlock = known if known and _keep_to(folder, known) else 0
    # the filter comes last, because it refuses the calls of Landlock
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
    """Return the folders of the program and its libraries, but none that contains the data folder.

    ``python -m`` adds the folder in which the server was started to the module path.
    """
    package = Path(__file__).parents[2]
    paths = (sysconfig.get_path("stdlib"), os.path.join(sys.base_prefix, "lib"), *SYSTEM)
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
