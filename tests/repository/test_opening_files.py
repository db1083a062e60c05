"""Files of players are opened in one way: regular ones, of a size, and nothing is waited for.

A pipe that nobody writes to, a device without end: what reads them otherwise hangs, or takes all
memory. Another room that opens a file by itself needs a reason in the list.
"""

from __future__ import annotations

import ast
import os
import socket
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tui_casino
from tests.repository.test_process_state import full_names
from tui_casino import cli
from tui_casino.games.cribbage.face.original_trainer_files import TrainerLogFile, read_properties
from tui_casino.house.settings import Settings, load, save
from tui_casino.house.visit_state import VisitState
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import (
    MOST_TEXT,
    open_regular,
    read_bytes,
    read_deck,
    read_text,
    read_toml,
)
from tui_casino.records.asciicast import CastRecorder
from tui_casino.records.cache import Cache
from tui_casino.records.clock import now
from tui_casino.records.export import export_report
from tui_casino.records.log_catalog import LABEL_FILE_NAME, LabelFile, hold_lock, make_entry
from tui_casino.records.session_log import LogWriter, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

PACKAGE = Path(tui_casino.__file__).parent
OPENERS = {
    *("io.open", "os.open", "os.fdopen", "os.mkfifo", "codecs.open", "mmap.mmap"),
    *("sqlite3.connect", "pathlib.Path.open", "fileinput.input", "shutil.copyfileobj"),
    *(".read_text", ".read_bytes", ".write_text", ".write_bytes", ".touch"),
    *("shutil.copy", "shutil.copyfile", "shutil.move"),
}
MODES = {*"rwax", *(f"{how}{more}" for how in "rwax" for more in ("b", "t", "+", "b+", "+b"))}
OPENED_FIRST = "what :func:`opened` gave"
PREPARED = "its file was looked at before"
EXCEPTIONS = {
    ("inputs/files.py", "os.open"): "this is the one way",
    ("inputs/files.py", "os.fdopen"): OPENED_FIRST,
    ("records/export.py", "os.fdopen"): OPENED_FIRST,
    ("records/session_log.py", "os.fdopen"): OPENED_FIRST,
    ("records/ledger_rebuild.py", "os.fdopen"): OPENED_FIRST,
    ("games/cribbage/face/original_trainer_files.py", "os.fdopen"): OPENED_FIRST,
    ("records/cache.py", "sqlite3.connect"): PREPARED,
    ("records/sqlite_ledger.py", "sqlite3.connect"): PREPARED,
    ("games/cribbage/brains/discards.py", ".read_text"): "a file of the package",
    ("games/cribbage/brains/show_points.py", ".read_text"): "a file of the package",
    ("games/cribbage/brains/win_chances.py", ".read_text"): "a file of the package",
    ("games/five_card_draw/brains/playouts/playout.py", ".read_bytes"): "a file of the package",
    ("games/thirty_one/brains/rules_lab.py", ".read_text"): "a file of the package",
    ("tui/theme.py", ".read_text"): "a file of the package",
    (
        "games/five_card_draw/brains/equilibrium/blueprint.py",
        "pathlib.Path.open",
    ): "a file of the package",
    (
        "games/five_card_draw/brains/equilibrium/blueprint.py",
        ".read_bytes",
    ): "a file of the package",
    (
        "games/five_card_draw/brains/equilibrium/hand_buckets.py",
        "pathlib.Path.open",
    ): "a file of the package",
    ("host/backup.py", "os.fdopen"): OPENED_FIRST,
    ("host/backup.py", "pathlib.Path.open"): "an archive in a file that was opened first",
    ("host/processes.py", "mmap.mmap"): "memory without a file",
    ("host/control_socket.py", "os.fdopen"): OPENED_FIRST,
    ("host/control_socket.py", "os.open"): "a folder, for a socket whose path is too long",
    ("host/gateway/ssh_commands.py", "os.fdopen"): OPENED_FIRST,
    ("host/identity_store.py", "sqlite3.connect"): PREPARED,
    ("host/session/sandbox.py", "open"): "what the system tells of this process",
    ("host/session/sandbox.py", "os.open"): "the null device, and places that are not read",
    ("cli/house_setup.py", "os.open"): "a folder of a guest is locked, which is its user's own",
    ("cli/__init__.py", "os.open"): "the null device, in place of a stream",
    ("cli/__init__.py", "open"): "the null device, in place of a stream",
}


def opens(tree: ast.AST) -> Iterator[str]:
    yield from (name for _, name in full_names(tree) if name in OPENERS)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "open":
            yield "open"
        if isinstance(node.func, ast.Attribute):  # a view opens windows by the same name
            modes = {arg.value for arg in node.args if isinstance(arg, ast.Constant)}
            if node.func.attr == "open" and (not node.args or modes & MODES):
                yield "pathlib.Path.open"


def test_files_are_opened_only_by_the_listed_modules() -> None:
    found = {
        (str(file.relative_to(PACKAGE)), name)
        for file in PACKAGE.rglob("*.py")
        for name in opens(ast.parse(file.read_text(encoding="utf-8")))
    }
    assert sorted(found) == sorted(EXCEPTIONS)


def settings(path: Path) -> None:
    load(path)


def kept_settings(path: Path) -> None:
    save(path, Settings(four_colour=True))


def cast(path: Path) -> None:
    CastRecorder(path, (80, 24), None)


def labels(path: Path) -> None:
    path.rename(path.with_name(LABEL_FILE_NAME))
    LabelFile(path.parent)


def log_again(path: Path) -> None:
    LogWriter.resume(path, now)


def toml(path: Path) -> None:
    read_toml(path, "a pay table", ())


def cribbage_log(path: Path) -> None:
    TrainerLogFile(path, ["seed,1"]).begin()


def exported(path: Path) -> None:
    export_report({"rounds": 1}, path.rename(path.with_suffix(".json")))


def to_lock(path: Path) -> None:
    with hold_lock(path):
        pass


USERS: list[Callable[[Path], Any]] = [
    *(
        read_text,
        read_deck,
        read_properties,
        read_log,
        settings,
        kept_settings,
        toml,
        labels,
        SqliteLedger,
    ),
    *(SqliteLedger.look_at, log_again, to_lock, cast, cribbage_log, exported),
]


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the address of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


KINDS: dict[Callable[[Path], None], str] = {
    pipe: "it is a pipe; give a regular file",
    device: "it is a device; give a regular file",
    a_socket: "it is a socket; give a regular file",
    folder: "Is a directory",
}


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("use", USERS, ids=lambda use: use.__qualname__)
def test_every_reader_refuses_a_path_that_is_not_a_regular_file(
    use: Callable[[Path], Any], make: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "given"
    make(path)
    with pytest.raises((BadInput, OSError)) as refused:
        use(path)
    said = str(refused.value)
    assert KINDS[make] in said or "already exists" in said


@pytest.mark.parametrize("make", KINDS)
def test_optional_file_that_cannot_be_read_is_ignored(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    make(path)
    assert make_entry(path, {}, {}).fault
    assert not VisitState(path).shown_round
    assert Cache(path).reviews() == {}


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_command_line_error_names_the_refused_file(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "given"
    pipe(path)
    assert cli.main([command, str(path)]) == 2
    assert f"{path}: cannot be read: it is a pipe; give a regular file" in capsys.readouterr().err


def test_file_above_the_size_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cards.txt"
    path.write_bytes(b"2C " * (MOST_TEXT // 3))
    assert read_text(path)
    with path.open("ab") as file:
        file.truncate(1 << 40)  # a terabyte that takes no room
    with pytest.raises(BadInput, match=r"it has 1,099,511,627,776 bytes; at most 1,000,000 are"):
        read_text(path)
    with pytest.raises(BadInput, match="bytes; at most"):
        read_log(path)
    assert "at most" in str(make_entry(path, {}, {}).fault)


def test_file_of_unknown_size_is_read_up_to_the_limit() -> None:
    with pytest.raises(OSError, match="at most 10 are allowed"):
        read_bytes("/proc/self/status", 10)


def test_opening_an_invalid_path_raises_only_os_errors(tmp_path: Path) -> None:
    for odd in ("a\0b", "\ud800", "x" * 5000):
        with pytest.raises(OSError, match=r".") as refused:
            open_regular(tmp_path / odd)
        assert refused.value.strerror
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "gone")


def test_opened_file_is_truncated_only_after_its_checks(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("older")
    with pytest.raises(OSError, match="at most 2"):
        open_regular(path, os.O_WRONLY | os.O_TRUNC, limit=2)
    assert path.read_text() == "older"
    os.close(open_regular(path, os.O_WRONLY | os.O_TRUNC))
    assert path.read_text() == ""


def test_small_file_takes_little_memory_despite_a_high_limit(tmp_path: Path) -> None:
    """However long a file of its kind may be: a session has bounds, and many are at work."""
    (tmp_path / "small").write_bytes(b"x" * 100)
    tracemalloc.start()
    try:
        assert read_bytes(tmp_path / "small", 1 << 29) == b"x" * 100
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_file_of_unknown_size_is_read_to_its_end(tmp_path: Path) -> None:
    """Files of the system itself say that they are empty."""
    status = Path("/proc/self/limits")
    if not status.exists():
        pytest.skip("no such files here")
    assert read_bytes(status, 1 << 20) == status.read_bytes()
    with pytest.raises(OSError, match="100"):
        read_bytes(status, 100)
