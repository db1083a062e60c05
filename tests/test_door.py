"""What belongs to the process is read at the door and handed in: no room below it looks for it.

Many sittings, of many players, can then be played in one process.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tui_casino

PACKAGE = Path(tui_casino.__file__).parent
ROOMS = ("cards", "inputs", "engine", "gamekit", "records", "house")
FOLDERS = (*(PACKAGE / room for room in ROOMS), *PACKAGE.glob("games/*/machine"))
FOLDERS = (*FOLDERS, *PACKAGE.glob("games/*/brains"))
OF_THE_PROCESS = {
    *("os.environ", "os.environb", "os.getenv", "os.putenv", "os.unsetenv"),
    *("os.getcwd", "os.getcwdb", "os.chdir", "os.fchdir", "os.umask"),
    *("pathlib.Path.cwd", "pathlib.Path.home", "os.path.expanduser", "os.path.expandvars"),
    *("sys.stdin", "sys.stdout", "sys.stderr", "sys.argv"),
    *("sys.__stdin__", "sys.__stdout__", "sys.__stderr__"),
    *("signal", "locale", "platformdirs", "print", "input"),
}
"""Names of it, of modules as a whole too; and what asks for it by itself."""
EXCEPTIONS = {
    ("house/places.py", "platformdirs"): "the platform is asked for its folders, by the door alone",
    ("games/cribbage/brains/habits.py", "sys.stdout"): "run by hand, it prints what it has learnt",
}


def full_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give every name that is used with its line, as it is called where it comes from."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                first = one.name.partition(".")[0]
                known[one.asname or first] = one.name if one.asname else first
                yield node.lineno, one.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for one in node.names:
                known[one.asname or one.name] = f"{node.module}.{one.name}"
                yield node.lineno, f"{node.module}.{one.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.lineno, known.get(node.id, node.id)
        elif isinstance(node, ast.Attribute):
            parts = [node.attr]
            value = node.value
            while isinstance(value, ast.Attribute):
                parts.append(value.attr)
                value = value.value
            if isinstance(value, ast.Name):
                yield node.lineno, ".".join([known.get(value.id, value.id), *reversed(parts)])


def of_the_process(source: str) -> set[tuple[int, str]]:
    """Find what a module takes from its process, by lines."""
    found = set()
    for line, name in full_names(ast.parse(source)):
        parts = name.split(".")
        heads = {".".join(parts[:size]) for size in range(1, len(parts) + 1)}
        found |= {(line, head) for head in heads & OF_THE_PROCESS}
    return found


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import os\nos.environ['HOME']", "os.environ"),
        ("import os\nhere = os.getcwd()", "os.getcwd"),
        ("from os import environ\n", "os.environ"),
        ("from os import environ as e, path\ne.get('HOME')", "os.environ"),
        ("import os as system\n\nsystem.chdir('/')", "os.chdir"),
        ("import os.path\nos.path.expanduser('~')", "os.path.expanduser"),
        ("from pathlib import Path\nPath.cwd() / 'x'", "pathlib.Path.cwd"),
        ("import sys\nsys.stderr.write('x')", "sys.stderr"),
        ("from sys import argv", "sys.argv"),
        ("import signal", "signal"),
        ("from signal import SIGTERM", "signal"),
        ("def late():\n    import locale", "locale"),
        ("print('x')", "print"),
        ("say = print", "print"),
    ],
)
def test_it_is_found_however_it_is_written(source: str, name: str) -> None:
    assert name in {found for _, found in of_the_process(source)}


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.path.join('a', 'b')",
        "from .signal import x",
        "environ = {}\nenviron['a']",
        "import sys\nsys.platform",
        "table.print('x')",
    ],
)
def test_what_is_not_of_the_process_is_not_found(source: str) -> None:
    assert of_the_process(source) == set()


def test_no_room_below_the_door_looks_for_it() -> None:
    found, looked = dict[tuple[str, str], list[int]](), 0
    for folder in FOLDERS:
        for path in folder.rglob("*.py"):
            looked += 1
            room = path.relative_to(PACKAGE).as_posix()
            for line, name in of_the_process(path.read_text(encoding="utf-8")):
                found.setdefault((room, name), []).append(line)
    assert looked > 80
    assert found.keys() == EXCEPTIONS.keys(), found
