"""A seccomp filter for a session's process: allow the system calls that the arcade needs.

Landlock restricts which files a session can open. It does not restrict changes of file modes and
priorities, local sockets, new processes or shared memory. This filter
(https://docs.kernel.org/userspace-api/seccomp_filter.html) allows a list of calls and refuses all
other calls, including those that newer kernels add.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import re
import struct
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

CALLS = """
files by name: open 2 -, openat 257 56, creat 85 -, stat 4 -, lstat 6 -, newfstatat 262 79,
  statx 332 291, access 21 -, faccessat 269 48, readlink 89 -, readlinkat 267 78, chdir 80 49,
  fchdir 81 50, getcwd 79 17, umask 95 166, rename 82 -, renameat 264 38, renameat2 316 276,
  mkdir 83 -, mkdirat 258 34, rmdir 84 -, link 86 -, linkat 265 37, unlink 87 -, unlinkat 263 35,
  statfs 137 43
open files: read 0 63, write 1 64, close 3 57, fstat 5 80, lseek 8 62, pread64 17 67,
  pwrite64 18 68, readv 19 65, writev 20 66, preadv 295 69, pwritev 296 70, preadv2 327 286,
  pwritev2 328 287, getdents 78 -, getdents64 217 61, ftruncate 77 46, fallocate 285 47,
  fadvise64 221 223, readahead 187 213, fsync 74 82, fdatasync 75 83, sync_file_range 277 84,
  flock 73 32, fstatfs 138 44, sendfile 40 71, copy_file_range 326 285, dup 32 23, dup2 33 -,
  dup3 292 24, pipe 22 -, pipe2 293 59, fcntl 72 25, ioctl 16 29
memory: mmap 9 222, munmap 11 215, mprotect 10 226, mremap 25 216, madvise 28 233,
  mincore 27 232, msync 26 227, brk 12 214, membarrier 324 283, mlock 149 228, munlock 150 229
waiting: select 23 -, pselect6 270 72, poll 7 -, ppoll 271 73, epoll_create 213 -,
  epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, eventfd 284 -,
  eventfd2 290 19, nanosleep 35 101, clock_nanosleep 230 115, alarm 37 -, getitimer 36 102,
  setitimer 38 103, pause 34 -
the sockets it was given: socketpair 53 199, sendto 44 206, sendmsg 46 211, recvfrom 45 207,
  recvmsg 47 212, shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209,
  setsockopt 54 208
signals: rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136,
  rt_sigsuspend 130 133, rt_sigtimedwait 128 137, sigaltstack 131 132, restart_syscall 219 128,
  kill 62 129, tgkill 234 131
clocks and itself: clock_gettime 228 113, clock_getres 229 114, gettimeofday 96 169, time 201 -,
  times 100 153, getpid 39 172, gettid 186 178, getppid 110 173, getpgrp 111 -, getpgid 121 155,
  getsid 124 156, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177,
  getgroups 115 158, getresuid 118 148, getresgid 120 150, getrusage 98 165, getrlimit 97 163,
  prlimit64 302 261, getpriority 140 141, getcpu 309 168, uname 63 160, sysinfo 99 179,
  getrandom 318 278, sched_yield 24 124, sched_getaffinity 204 123, sched_getscheduler 145 120,
  sched_getparam 143 121, sched_get_priority_max 146 125, sched_get_priority_min 147 126
threads: clone 56 220, futex 202 98, set_robust_list 273 99, get_robust_list 274 100,
  set_tid_address 218 96, rseq 334 293, arch_prctl 158 -, prctl 157 167, wait4 61 260,
  waitid 247 95, exit 60 93, exit_group 231 94
"""
"""The allowed calls, with their numbers on x86_64 and on aarch64 (``-`` if there is none)."""
NEW = 424
"""From this number on, calls have the same numbers on every machine.

They fail as if the kernel did not have them. The C library then uses an older call, whose
arguments the filter can check.
"""

_ARCHES: Mapping[str, int] = MappingProxyType({"x86_64": 0xC000003E, "aarch64": 0xC00000B7})
"""The supported machines, and the kernel's constants for them (``AUDIT_ARCH_*``)."""
_SET_SECCOMP, _FILTER = 22, 2  # from <linux/prctl.h> and <linux/seccomp.h>
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_ROW = re.compile(r"(\w+) (\d+|-) (\d+|-)(?:,|\n|$)")
_INSTRUCTION = struct.Struct("=HBBI")
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

_MAP_SHARED, _MAP_ANONYMOUS, _CLONE_THREAD = 0x01, 0x20, 0x10000
_AF_UNIX, _SOCK_STREAM, _TYPE_OF_SOCKET = 1, 1, 0xF
_F_SETOWN, _F_SETOWN_EX, _FIOSETOWN, _SIOCSPGRP = 8, 15, 0x8901, 0x8902
_PR_SET_NAME = 15


class _Test(NamedTuple):
    """A condition on one half of a call's argument; only the bits in ``mask`` are compared."""

    argument: int
    value: int
    mask: int = 0xFFFFFFFF
    high: bool = False
    wanted: bool = True


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def available() -> bool:
    """Return whether this machine and its kernel support the filter."""
    if sys.platform != "linux" or platform.machine() not in _ARCHES or sys.byteorder != "little":
        return False
    # without a program, the error is EFAULT if filters are supported, else EINVAL
    return _prctl(None) == errno.EFAULT


def install_filter() -> bool:
    """Permanently limit this single-threaded process to the calls in :data:`CALLS`.

    Other calls fail with ``EPERM``. The process can start threads but no processes. Returns false
    if the filter is not supported. Call :func:`.no_new_privileges` first.
    """
    if not available():
        return False
    program = b"".join(_instructions(platform.machine(), os.getpid()))
    return _prctl(_Program(len(program) // _INSTRUCTION.size, program)) == 0


def syscall_numbers(machine: str) -> dict[str, int]:
    """Map the names of a machine's allowed calls to their numbers."""
    column = [*_ARCHES].index(machine)
    rows = _ROW.findall(CALLS)
    return {name: int(both[column]) for name, *both in rows if both[column] != "-"}


def _prctl(program: _Program | None) -> int:
    """Install a filter; return the ``errno`` of the error, or 0."""
    words = [ctypes.c_ulong(word) for word in (0, 0)]
    pointer = None if program is None else ctypes.byref(program)
    libc = ctypes.CDLL(None, use_errno=True)
    failed = libc.prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER), pointer, *words)
    return ctypes.get_errno() if failed else 0


def _tests(process: int) -> Mapping[str, tuple[_Test, ...]]:
    """Return the conditions on the arguments of some calls."""
    own = (_Test(0, process),)
    nowhere = (_Test(4, 0), _Test(4, 0, high=True))  # no address, so only to the connected peer
    only_read = (_Test(2, 0), _Test(2, 0, high=True))  # it may read a limit, but not set it
    anonymous = _MAP_SHARED | _MAP_ANONYMOUS
    return {
        "clone": (_Test(0, _CLONE_THREAD, mask=_CLONE_THREAD),),
        "kill": own,
        "tgkill": own,
        "prctl": (_Test(0, _PR_SET_NAME),),
        "prlimit64": only_read,
        # shared memory does not count towards any limit
        "mmap": (_Test(3, anonymous, mask=anonymous, wanted=False),),
        # ``sendmsg`` could send datagrams anywhere, and no filter can see its address
        "socketpair": (_Test(0, _AF_UNIX), _Test(1, _SOCK_STREAM, mask=_TYPE_OF_SOCKET)),
        "sendto": nowhere,
        # these commands could send signals to another process
        "fcntl": tuple(_Test(1, do, wanted=False) for do in (_F_SETOWN, _F_SETOWN_EX)),
        "ioctl": tuple(_Test(1, do, wanted=False) for do in (_FIOSETOWN, _SIOCSPGRP)),
    }


def _instructions(machine: str, process: int) -> list[bytes]:
    refused = _instruction(_RETURN, _ERRNO | errno.EPERM)
    allowed = _instruction(_RETURN, _ALLOW)
    program = [
        _instruction(_LOAD, _ARCH),
        _instruction(_EQUAL, _ARCHES[machine], 1, 0),
        refused,  # a call from a 32-bit program
        _instruction(_LOAD, _NUMBER),
        _instruction(_AT_LEAST, NEW, 0, 1),
        _instruction(_RETURN, _ERRNO | errno.ENOSYS),
    ]
    tests = _tests(process)
    for name, number in syscall_numbers(machine).items():
        block = _looked_at(tests.get(name, ()))
        program += [_instruction(_EQUAL, number, 0, len(block) + 1), *block, allowed]
    return [*program, refused]


def _looked_at(tests: tuple[_Test, ...]) -> list[bytes]:
    """Return instructions that continue if all tests hold, and otherwise refuse the call."""
    program: list[bytes] = []
    for test in tests:
        after = _instruction(_EQUAL, test.value, *((1, 0) if test.wanted else (0, 1)))
        program += [
            _instruction(_LOAD, _ARGUMENTS + 8 * test.argument + 4 * test.high),
            _instruction(_AND, test.mask),
            after,
            _instruction(_RETURN, _ERRNO | errno.EPERM),
        ]
    return program


def _instruction(code: int, word: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return _INSTRUCTION.pack(code, if_true, if_false, word)
