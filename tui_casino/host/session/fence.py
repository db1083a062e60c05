"""A session's process is fenced in: of the host it sees the program, and its player's folder alone.

By Landlock (https://docs.kernel.org/userspace-api/landlock.html), which a process can put on itself
for ever without any privileges. Linux has it since 5.13, and each newer version fences in more.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the calls, on every machine
_ASK_VERSION, _BENEATH = 1, 1
_RULESET = struct.Struct("=QQQ")  # of files, of the network, beyond the fence
_RULE = struct.Struct("=Qi")

_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_FOLDER, _REMOVE, _MAKE_FOLDER, _MAKE = 1 << 4, 1 << 5, 1 << 7, 1 << 8 | 1 << 9
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_LOOK = _EXECUTE | _READ | _LIST
_CHANGE = _WRITE | _REMOVE_FOLDER | _REMOVE | _MAKE_FOLDER | _MAKE | _REFER | _TRUNCATE
_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights of files a version knows; from 5 on it is one more."""
_TCP = 0b11  # to listen, to connect
_BEYOND = 0b11  # sockets without a path, signals

SYSTEM = ("/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev")
"""Where what is shared by all programs is."""
SHARED = "/dev/shm"  # where processes of one program share what they count with
VERSION_OF_SIGNALS = 6
"""Of Landlock, from which on a session can neither signal nor reach others of the same user."""


def version() -> int:
    """Give the version of Landlock that there is here; 0 without any."""
    if sys.platform != "linux":
        return 0
    found = _call(_CREATE, None, 0, _ASK_VERSION)
    return max(found, 0)


def fence(folder: Path) -> bool:
    """Keep this process, of one thread, to the player's ``folder``; false where that cannot be.

    It may write there, and read what the program itself is made of. It can open no other file, no
    connection, and look into no process that it has not begun. Privileges must have been given up.
    """
    known = version()
    if known == 0:
        return False
    temporary = folder / "tmp"
    temporary.mkdir(mode=0o700, exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    files = (1 << _BITS.get(known, 16)) - 1
    network = _TCP if known >= 4 else 0
    beyond = _BEYOND if known >= VERSION_OF_SIGNALS else 0
    size = 8 if known < 4 else 16 if known < VERSION_OF_SIGNALS else 24
    ruleset = _call(_CREATE, _RULESET.pack(files, network, beyond)[:size], size, 0)
    if ruleset < 0:
        return False
    try:
        own = [folder, Path(SHARED)]
        for path, rights in (
            *((path, _LOOK) for path in _program()),
            *((path, _LOOK | _CHANGE) for path in own),
            (Path(os.devnull), _READ | _WRITE | _TRUNCATE),
        ):
            _allow(ruleset, path, rights & files)
        return _call(_RESTRICT, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _program() -> Iterable[Path]:
    """Give where the program is, and all that it is made of."""
    places = (*sys.path, sys.prefix, sys.base_prefix, *SYSTEM)
    return {Path(place) for place in places if os.path.isabs(place)}


def _allow(ruleset: int, path: Path, rights: int) -> None:
    with suppress(OSError):  # not every system has all of them
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not path.is_dir():
                rights &= _EXECUTE | _READ | _WRITE | _TRUNCATE
            _call(_ADD, ruleset, _BENEATH, _RULE.pack(rights, place), 0)
        finally:
            os.close(place)


def _call(number: int, *arguments: int | bytes | None) -> int:
    made = [
        ctypes.c_long(one) if isinstance(one, int) else ctypes.c_char_p(one) for one in arguments
    ]
    return int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *made))
