"""The sandbox of a session's process: it sees the program and its player's folder only.

It has two parts, and a process puts both on itself for ever without any privileges. Landlock
(https://docs.kernel.org/userspace-api/landlock.html) keeps it to some files; Linux has it since
5.13, and each newer version fences in more. The filter of ``seccomp.py`` keeps it to some calls.
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

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the calls, on every machine
_ASK_VERSION, _BENEATH = 1, 1
_RULESET = struct.Struct("=QQQ")  # of files, of the network, beyond the fence
_RULE = struct.Struct("=Qi")

_WRITE, _READ, _LIST = 1 << 1, 1 << 2, 1 << 3
_REMOVE_FOLDER, _REMOVE, _MAKE_FOLDER, _MAKE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_LOOK = _READ | _LIST
_CHANGE = _WRITE | _REMOVE_FOLDER | _REMOVE | _MAKE_FOLDER | _MAKE | _REFER | _TRUNCATE
_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights of files a version knows; from 5 on it is one more."""
_TCP = 0b11  # to listen, to connect
_BEYOND = 0b11  # sockets without a path, signals

SYSTEM = (
    *("/usr", "/lib", "/lib64", "/etc/localtime", "/etc/ld.so.cache"),
    *("/proc/self", "/sys/devices/system/cpu", "/dev/urandom"),
)
"""Libraries, time zones, and what a process reads of itself and of the machine's processors."""
VERSION_OF_SIGNALS = 6
"""Of Landlock, from which on a session can neither signal nor reach others of the same user."""


class Sandbox(NamedTuple):
    """What holds a session: the version of Landlock, 0 without any, and the filter of calls."""

    landlock: int
    seccomp: bool

    @property
    def lacks(self) -> str:
        """Say what an operator has to know; nothing where all of it holds."""
        lacks = []
        if self.landlock == 0:
            lacks.append("no Landlock, so they can open whatever this user can")
        elif self.landlock < VERSION_OF_SIGNALS:
            lacks.append(f"Landlock {self.landlock}, a part of what Linux 6.12 has")
        if not self.seccomp:
            lacks.append("no filter of system calls")
        return " and ".join(lacks)


def probe_sandbox() -> Sandbox:
    """Put up the fence in a child that ends at once; give what held. No thread may run yet."""
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
    """Give the version of Landlock that there is here; 0 without any."""
    if sys.platform != "linux":
        return 0
    version = _call(_CREATE, None, 0, _ASK_VERSION)
    return max(version, 0)


def enter_sandbox(folder: Path) -> Sandbox:
    """Keep this process, of one thread, to the player's ``folder``; give what holds from now on.

    It may write there, and read what the program itself is made of. It can open no other file, no
    connection, begin no process, and look into none. Privileges must have been given up.
    """
    temporary = folder / "tmp"
    temporary.mkdir(mode=0o700, exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    known = landlock_version()
    landlock = known if known and _keep_to(folder, known) else 0
    # the filter comes last: it refuses the calls of Landlock
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
    """Give where the program is, and all that it is made of; never what the data folder is in.

    ``python -m`` puts the folder in which the server was started on the path of modules.
    """
    package = Path(__file__).parents[2]
    paths = (sysconfig.get_path("stdlib"), os.path.join(sys.base_prefix, "lib"), *SYSTEM)
    places = {Path(place) for place in (*sys.path, *paths) if os.path.isabs(place)}
    return {package, *(place for place in places if not folder.is_relative_to(place.resolve()))}


def _allow(ruleset: int, path: Path, rights: int) -> None:
    with suppress(OSError):  # not every system has all of them
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
