"""The zygote: imports what sessions need, then forks one process per session."""

from __future__ import annotations

import asyncio
import gc
import os
import select
import signal
import socket
import threading
from collections.abc import Callable, MutableMapping
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ...gamekit.lazy_import import load_lazy
from ...gamekit.registry import GAMES
from ...inputs.errors import write_crash_report
from ..processes import send_process, set_process_title
from ..session_protocol import Hello, SessionSockets
from .sandbox import detach_process, enter_sandbox, limit_process

if TYPE_CHECKING:
    from .warmup import Warmup

KEPT = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR", "TZ")
"""The environment variables that a session inherits from the server."""
LOADED_LATE = (
    *("daily.session", "house.session_goal", "records.frame_indexer", "house.own_sessions"),
    "house.shared_seat",
    *(
        "tui.daily.screen",
        "tui.modals",
        "tui.table.hot_seat_screen",
        "tui.table.live",
        "tui.table.shared",
        "tui.table.statistics_screen",
        "tui.tables_room",
    ),
)
"""Modules that the arcade imports only when the menu or a table needs them."""
HELLO_LIMIT = 16 << 10
WATCH = 1.0
"""Seconds between two checks that the supervisor is still running."""


def serve_sessions(door: socket.socket, ready: Callable[[], None]) -> None:
    """Fork a session process for each greeting, and give it the sockets sent with the greeting.

    ``ready`` is called once everything is loaded. Returns when SIGTERM arrives or the supervisor
    has ended; the sessions continue.
    """
    _tidy(os.environ)
    import_everything()
    awake, wakes = os.pipe()
    for end in (awake, wakes):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    supervisor, rehearsal = os.getppid(), _rehearsal()
    ready()
    while os.getppid() == supervisor:
        readable, _, _ = select.select([door.fileno(), awake], [], [], WATCH)
        if awake in readable:
            with suppress(BlockingIOError):
                os.read(awake, 4096)
        _bury()
        if door.fileno() in readable:
            rehearsal.busy()
            _admit(door, (awake, wakes))
        elif not readable:
            rehearsal.idle()


def _tidy(environ: MutableMapping[str, str]) -> None:
    remaining = {name: environ[name] for name in KEPT if name in environ}
    environ.clear()
    environ.update(remaining)
    environ["TEXTUAL_COLOR_SYSTEM"] = "truecolor"
    environ["OPENBLAS_NUM_THREADS"] = "1"  # threads are lost in a fork


def import_everything() -> None:
    """Load and compute what every session needs, so that all sessions share the memory.

    From then on, the garbage collector ignores these objects. Raises ``RuntimeError`` if a thread
    is still running: a process with threads cannot be forked safely.
    """
    from ...tui.table.face import face_of  # late: Textual, after the environment
    from . import linked_arcade

    for game in GAMES:
        game.definition()
        game.tables()
        load_lazy(face_of(game).pages.odds)  # loads numpy, so that sessions share its memory
    for module in LOADED_LATE:
        import_module(f"...{module}", __package__)
    linked_arcade.rehearse_visit()
    if threading.active_count() > 1:
        raise RuntimeError(f"threads are still running: {threading.enumerate()}")
    gc.collect()
    gc.freeze()


def _rehearsal() -> Warmup:
    from .warmup import Warmup, all_games  # late: Textual, after the environment

    return Warmup(all_games())


def _admit(door: socket.socket, pipe: tuple[int, int]) -> None:
    try:
        raw, ends, _, _ = socket.recv_fds(door, HELLO_LIMIT, 4)
    except BlockingIOError:
        return
    with ExitStack() as closing:
        lines = [closing.enter_context(socket.socket(fileno=end)) for end in ends]
        try:
            line, money, news, report = lines
            hello = Hello.unpacked(raw)
        except ValueError:
            return
        process = os.fork()
        if process == 0:
            report.close()
            _be_session(door, pipe, SessionSockets(line, money, news), hello)
        send_process(report, process)


def _be_session(
    door: socket.socket, pipe: tuple[int, int], lines: SessionSockets, h: Hello
) -> None:
    """Run a session in this forked process, and exit when it ends; this function never returns."""
    code = 0
    try:
        detach_process()
        set_process_title("session")
        for end in pipe:
            os.close(end)
        door.close()
        os.umask(0o077)
        os.makedirs(h.folder, exist_ok=True)
        os.chdir(h.folder)
        limit_process(h.memory, h.processor)
        enter_sandbox(Path(h.folder))
        asyncio.run(_play(lines, h))
    except BaseException as error:
        write_crash_report(error)
        code = 70
    finally:
        os._exit(code)


async def _play(lines: SessionSockets, hello: Hello) -> None:
    from .linked_arcade import play_session  # late: Textual, after the environment

    await play_session(lines, hello)
    os._exit(0)  # do not wait for busy threads


def _bury() -> None:
    """Reap the sessions that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
