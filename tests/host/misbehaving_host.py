"""A ``tui-casino`` whose processes misbehave, or count their objects, when they get a signal.

    python -m tests.host.misbehaving_host serve ...

The supervisor sets the handlers, and all processes are forked from it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import mmap
import os
import platform
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType

PROGRAM = (sys.executable, "-m", "tests.host.misbehaving_host")
COUNT = int(signal.SIGRTMIN) + 1
"""Makes a process write its number of objects to the file ``objects.PID`` in the server's home."""
_eaten = list[bytes]()


def spin() -> None:
    while True:
        pass


def leave() -> None:
    os._exit(0)


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def eat() -> None:
    with suppress(MemoryError):
        while True:
            _eaten.append(b"x" * (1 << 20))


def multiply() -> None:
    threading.stack_size(64 << 10)  # the limit of memory counts their stacks
    for _ in range(400):
        threading.Thread(target=threading.Event().wait, daemon=True).start()


# ---- what a session may not do -------------------------------------------------------------

CALLS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "shmget": (29, 194),
        "ptrace": (101, 117),
        "process_vm_readv": (310, 270),
        "add_key": (248, 217),
        "unshare": (272, 97),
        "execve": (59, 221),
        "mount": (165, 40),
        "sched_setaffinity": (203, 122),
        "userfaultfd": (323, 282),
        "inotify_init1": (294, 26),
        "io_uring_setup": (425, 425),
        "pidfd_open": (434, 434),
        "clone3": (435, 435),
    }
)
"""System calls without a Python function, with their numbers on x86_64 and aarch64."""


def _call(both: tuple[int, int], first: int = 0) -> int:
    number = both[platform.machine() == "aarch64"]
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(*(ctypes.c_long(word) for word in (number, first, 0, 0, 0, 0, 0))))
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def _reads(path: str | Path) -> None:
    with open(path, "rb") as file:
        file.read(1)


def _connects(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(path))


def _sends() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(b"", ("127.0.0.1", 9))


def _forks() -> None:
    # not with Python's function: it waits for locks that the interrupted thread may hold
    if _call((56, 220), signal.SIGCHLD) == 0:
        os._exit(0)


def _forbidden(data: Path) -> Mapping[str, Callable[[], object]]:
    zygote, control = os.getppid(), data / "control"
    modes = ((data, 0o700), (data / "ledger.db", 0o600), (data / "host_key", 0o600))
    return {
        **{f"chmod {path.name}": partial(os.chmod, path, mode) for path, mode in modes},
        **{f"reads {path.name}": partial(_reads, path) for path, _ in modes},
        **{name: partial(_call, both) for name, both in CALLS.items()},
        "chown": lambda: os.chown(data, os.getuid(), -1),
        "utime": lambda: os.utime(data),
        "reads /etc": lambda: _reads("/etc/passwd"),
        "reads the token": lambda: _reads(f"{control}.token"),
        "reads another's memory": lambda: _reads(f"/proc/{zygote}/mem"),
        "lists the data": lambda: os.listdir(data),
        "writes for all": lambda: os.open("/dev/shm/new", os.O_CREAT | os.O_RDWR),
        "links": lambda: os.symlink(data / "host_key", "key"),
        "connects": lambda: _connects(control),
        "sends": _sends,
        "sends to any socket": lambda: socket.socketpair(type=socket.SOCK_DGRAM),
        "forks": _forks,
        "spawns": lambda: os.posix_spawn(sys.executable, ["python"], {}),
        "shares": lambda: mmap.mmap(-1, 4096),
        "kills": lambda: os.kill(zygote, 0),
        "slows": lambda: os.setpriority(os.PRIO_PROCESS, zygote, 19),
        "limits": lambda: resource.prlimit(zygote, resource.RLIMIT_NOFILE, (64, 64)),
    }


def probe() -> None:
    """Try all forbidden actions and record the error of each; 0 if it succeeded."""
    results = {}
    for name, act in _forbidden(Path.cwd().parents[1]).items():
        try:
            act()
            results[name] = 0
        except OSError as error:
            results[name] = error.errno or -1
    Path("new").write_text(json.dumps(results))
    Path("new").rename("probed")


_ACTS = (spin, leave, crash, eat, multiply, probe)
ACTS: Mapping[str, int] = MappingProxyType(
    {act.__name__: COUNT + number for number, act in enumerate(_ACTS, 1)}
)
"""The faults of a session, by the signal that causes them."""


def _obey(acts: Sequence[Callable[[], None]]) -> None:
    home = Path.cwd()

    def count(*_: object) -> None:
        gc.collect()
        (home / f"objects.{os.getpid()}").write_text(str(len(gc.get_objects())))

    signal.signal(COUNT, count)
    for act in acts:
        signal.signal(ACTS[act.__name__], lambda *_, act=act: act())


if __name__ == "__main__":
    from tui_casino.cli import main

    _obey(_ACTS)
    sys.exit(main(sys.argv[1:]))
