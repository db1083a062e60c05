"""The supervisor: start a server's processes, restart any that die, and stop them in order."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from importlib.util import find_spec

from msgspec import Struct, field

from ..inputs.errors import BadInput, missing_extra, report_fault
from ..records.clock import now
from ..structs import replace
from .audit_log import AuditLog
from .commitment_log import clock_warning
from .config import Config, parse_address, web_page_url
from .data_folder import DataFolder
from .processes import READY, ProcessTable, ServiceNotifier, set_process_title
from .session.sandbox import probe_sandbox
from .storage import check_database, note_books

BACKLOG = 128
PAUSE = 1.0
"""The minimum number of seconds between two starts of a process that keeps dying."""
DRAIN = 45.0
"""Seconds that the gateway has after the grace period before it is killed."""
START = 60.0
"""Seconds that a process has to become ready."""
WATCH = 1.0

Say = Callable[[str], None]


class _Child(Struct):
    """A child process that calls ``run``, and is restarted when it dies."""

    name: str
    run: Callable[[Callable[[], None]], None]
    warn: Callable[[str], None]
    board: ProcessTable
    process: int = 0
    started: float = field(default=0.0)


class _SocketPairs:
    """Two socket pairs, over which the gateway sends connections to the zygote and the cage.

    The supervisor holds both ends of each pair, so that waiting connections are not lost when a
    process dies.
    """

    def __init__(self, zygote: _Pair, cage: _Pair) -> None:
        self.to_zygote, self.of_zygote = zygote
        self.to_cage, self.of_cage = cage


_Pair = tuple[socket.socket, socket.socket]


def _pair(closing: ExitStack) -> _Pair:
    ours, theirs = map(closing.enter_context, socket.socketpair(type=socket.SOCK_DGRAM))
    return ours, theirs


def supervise(
    config: Config,
    data: DataFolder,
    say: Say,
    warn: Say,
    notifier: ServiceNotifier = ServiceNotifier(),  # noqa: B008 - it has no state
    *,
    as_root: bool = False,
) -> int:
    """Serve until SIGTERM or SIGINT; return the exit code.

    ``say`` prints a line on standard output, ``warn`` on standard error. ``notifier`` reports
    that the server is ready, that its gateway is not stuck, and that it stops. Raises
    :class:`BadInput` if the server cannot start, for example as root without ``as_root``.
    """
    if find_spec("asyncssh") is None:
        raise missing_extra("serve needs asyncssh", "serve")
    if config.web is not None and find_spec("aiohttp") is None:
        raise missing_extra("--web needs aiohttp", "web")
    if os.geteuid() == 0 and not as_root:
        raise BadInput(
            "serve does not run as root; use another user, or --as-root in a container that has "
            "no other user"
        )
    with ExitStack() as closing:
        lock = data.lock()
        closing.callback(os.close, lock)
        check_database(config)
        listening = closing.enter_context(_listening("--ssh", config.ssh))
        monitor = None
        if config.metrics is not None:
            monitor = closing.enter_context(_listening("--metrics", config.metrics))
        page = None
        if config.web is not None:
            page = closing.enter_context(_listening("--web", config.web))
            config = replace(config, web_url=web_page_url(config, page.getsockname()[1]))
        for warning in (note_books(config, data), clock_warning(data.promises, now())):
            if warning:
                warn(f"tui-casino: {warning}")
        ports = tuple(port for port in (listening, monitor, page) if port is not None)
        held = probe_sandbox()
        if held.lacks:
            warn(f"tui-casino: the sandbox for sessions is incomplete: {held.lacks}")
        board, pairs = (
            ProcessTable({part: int(has) for part, has in held._asdict().items()}),
            _SocketPairs(*(_pair(closing) for _ in range(2))),
        )
        stop = _Stop()
        closing.callback(stop.close)
        cage = _Child("cage", partial(_cage, config, data, pairs, ports, warn), warn, board)
        closing.callback(_end, cage, PAUSE)  # end it last, when no session moves money any more
        zygote = _Child("zygote", partial(_zygote, lock, pairs, ports), warn, board)
        closing.callback(_end, zygote, PAUSE)
        _start_first(zygote, stop)
        from .host_key import host_key  # late: the sessions are forked without it

        key = host_key(data.host_key)
        serve = partial(_gateway, config, data, listening, monitor, page, pairs, board, notifier)
        gateway = _Child("gateway", serve, warn, board)
        closing.callback(_end, gateway, config.grace + DRAIN)
        _start_first(gateway, stop)
        _start_first(cage, stop)
        if not stop.requested:
            say(f"listening on {_shown(listening)}, host key {key.get_fingerprint('sha256')}")
            if monitor is not None:
                say(f"metrics at http://{_shown(monitor)}/metrics")
            if page is not None:
                say(f"web client at {config.web_url}/, listening on {_shown(page)}")
            notifier.send(READY)
        _watch((zygote, gateway, cage), stop)
        notifier.stopping(stop_seconds(config))
        for port in ports:  # otherwise the system would accept connections that nobody serves
            port.close()
    return 0


def stop_seconds(config: Config) -> float:
    """Return the longest time in seconds from the signal to stop until all processes are dead."""
    return config.grace + DRAIN + 3 * PAUSE


def _shown(listening: socket.socket) -> str:
    host, port, *_ = listening.getsockname()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _start_first(child: _Child, stop: _Stop) -> None:
    if not _start(child, stop):
        raise BadInput(f"the {child.name} could not be started")


def _listening(option: str, where: str) -> socket.socket:
    host, port = parse_address(where)
    try:
        family, kind, _, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise BadInput(f"{option}: {host} cannot be resolved: {error.strerror}") from None
    listening = socket.socket(family, kind)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise BadInput(f"{option}: cannot listen on {where}: {error.strerror}") from None
    return listening


class _Stop:
    """Knows whether to stop. A signal or the death of a child ends :meth:`wait` through a pipe."""

    def __init__(self) -> None:
        self.requested = False
        self._wakes, self._woken = os.pipe()
        for end in (self._wakes, self._woken):
            os.set_blocking(end, False)
        self._before = {
            signal.SIGTERM: signal.signal(signal.SIGTERM, self._request),
            signal.SIGINT: signal.signal(signal.SIGINT, self._request),
            signal.SIGCHLD: signal.signal(signal.SIGCHLD, lambda *_: None),
        }
        self._pipe_before = signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)

    def _request(self, *_: object) -> None:
        self.requested = True

    def wait(self, seconds: float) -> None:
        """Wait for a signal, at most ``seconds``."""
        if select.select([self._wakes], [], [], seconds)[0]:
            with suppress(BlockingIOError):
                os.read(self._wakes, 4096)

    def close(self) -> None:
        """Restore the signal handlers and close the pipe."""
        signal.set_wakeup_fd(self._pipe_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        os.close(self._wakes)
        os.close(self._woken)


def _start(child: _Child, stop: _Stop) -> bool:
    """Fork a child and wait until it is ready; return false if it ends before that."""
    reads, writes = os.pipe()
    child.started = time.monotonic()
    child.process = os.fork()
    if child.process == 0:
        os.close(reads)
        _be(child, writes, stop)
    os.close(writes)
    child.board.note_start(child.name, child.process)
    try:
        until = child.started + START
        while (rest := until - time.monotonic()) > 0 and not stop.requested:
            if select.select([reads], [], [], min(rest, WATCH))[0]:
                return os.read(reads, 1) == b"!"
        return stop.requested
    finally:
        os.close(reads)


def _be(child: _Child, writes: int, stop: _Stop) -> None:
    """Run the child in this forked process until it ends; this function never returns."""
    code = 0
    try:
        stop.close()
        set_process_title(child.name)

        def ready() -> None:
            os.write(writes, b"!")
            os.close(writes)

        child.run(ready)
    except BadInput as error:
        child.warn(f"tui-casino: {error}")
        code = 2
    except BaseException as error:
        child.warn(f"tui-casino: {report_fault(error, f'the {child.name} failed')}")
        code = 70
    finally:
        os._exit(code)


def _zygote(
    lock: int, pairs: _SocketPairs, ports: tuple[socket.socket, ...], ready: Callable[[], None]
) -> None:
    from .session.zygote import serve_sessions  # late: only this process needs it

    os.close(lock)  # a session that outlives the server must not lock out the next one
    for other in (*ports, pairs.to_zygote, pairs.to_cage, pairs.of_cage):
        other.close()
    serve_sessions(pairs.of_zygote, ready)


def _gateway(
    config: Config,
    data: DataFolder,
    listening: socket.socket,
    monitor: socket.socket | None,
    page: socket.socket | None,
    pairs: _SocketPairs,
    board: ProcessTable,
    notifier: ServiceNotifier,
    ready: Callable[[], None],
) -> None:
    from .gateway.gateway_process import serve_gateway  # late: only this process needs it

    served = None
    if page is not None:
        from .web.web_server import serve_web  # late: only this process needs it

        served = partial(serve_web, page)

    for other in (pairs.of_zygote, pairs.of_cage):
        other.close()
    sockets = (pairs.to_zygote, pairs.to_cage)
    asyncio.run(
        serve_gateway(config, data, listening, *sockets, monitor, board, notifier, ready, served)
    )


def _cage(
    config: Config,
    data: DataFolder,
    pairs: _SocketPairs,
    ports: tuple[socket.socket, ...],
    say: Say,
    ready: Callable[[], None],
) -> None:
    from .cage.cage_process import serve_cage  # late: only this process needs it

    for other in (*ports, pairs.to_zygote, pairs.of_zygote, pairs.to_cage):
        other.close()
    log = AuditLog(data.audit)

    def report(message: str) -> None:
        say(f"tui-casino: {message}")
        with suppress(OSError):
            log.note("refused", reason="cage", details=message)

    asyncio.run(serve_cage(config, data, pairs.of_cage, report, ready))


def _watch(children: tuple[_Child, ...], stop: _Stop) -> None:
    """Restart children that die, until the server is to stop."""
    while not stop.requested:
        stop.wait(WATCH)
        for child in children:
            if not stop.requested and _dead(child):
                time.sleep(max(0.0, child.started + PAUSE - time.monotonic()))
                _start(child, stop)


def _dead(child: _Child) -> bool:
    if child.process:
        with suppress(ChildProcessError):
            if os.waitpid(child.process, os.WNOHANG)[0] == 0:
                return False
    child.process = 0
    return True


def _end(child: _Child, seconds: float) -> None:
    """Ask a process to end, and kill it if it does not end in time."""
    if not child.process or _dead(child):
        return
    with suppress(ProcessLookupError):
        os.kill(child.process, signal.SIGTERM)
    until = time.monotonic() + seconds
    while not _dead(child):
        if time.monotonic() > until:
            with suppress(ProcessLookupError):
                os.kill(child.process, signal.SIGKILL)
        time.sleep(0.02)
