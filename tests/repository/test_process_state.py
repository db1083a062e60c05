"""What belongs to the process is read at the door and handed in: no other room looks for it.

Many sittings, of many players, can then be played in one process.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import pytest

import tui_casino

PACKAGE = Path(tui_casino.__file__).parent
DOOR = ("cli/", "host/", "__main__.py")
OF_THE_PROCESS = {
    *("os.environ", "os.environb", "os.getenv", "os.putenv", "os.unsetenv"),
    *("os.getcwd", "os.getcwdb", "os.chdir", "os.fchdir", "os.umask"),
    *("os.getpid", "os.getppid", "os.cpu_count", "os.process_cpu_count", "os.sched_getaffinity"),
    *("os.get_terminal_size", "shutil.get_terminal_size", "os._exit", "sys.exit", "exit", "quit"),
    *("pathlib.Path.cwd", "pathlib.Path.home", "os.path.expanduser", "os.path.expandvars"),
    *("os.path.abspath", "os.path.realpath", "os.path.relpath"),
    *(".resolve", ".absolute", ".expanduser"),
    *("sys.stdin", "sys.stdout", "sys.stderr", "sys.argv"),
    *("sys.__stdin__", "sys.__stdout__", "sys.__stderr__"),
    *("signal", "locale", "platformdirs", "tempfile", "print", "input"),
}
"""Names of it, of modules as a whole too; and what asks for it by itself.

A name after a dot is that of a path's method: nothing else in the house has one called so.
"""
EXCEPTIONS = {
    (
        "engine/parallel.py",
        "os.cpu_count",
    ): "the machine's cores are the same for all who play on it",
    ("house/paths.py", "platformdirs"): "the platform is asked for its folders, by the door alone",
    ("inputs/files.py", "os.path.realpath"): "links alone are followed: its paths are absolute",
    ("inputs/errors.py", "tempfile"): "an error of our own is no player's: the system keeps it",
    ("records/cache.py", "os.path.abspath"): "the door may list a folder as it was given",
    ("records/session_log.py", "tempfile"): "the nameless file is in the folder of the log",
    ("records/sqlite_ledger.py", ".absolute"): "a URI has no relative form",
    ("house/settings.py", "os.path.realpath"): "a link stays: the file it leads to is written",
    ("tui/history/screen.py", ".resolve"): "as in inputs/files.py: the ledger has it so",
    ("house/house.py", ".resolve"): "as in inputs/files.py: the ledger has it so",
    ("tui/terminal/driver.py", "signal"): "its terminal's hang-up, and a request to end",
    ("tui/terminal/driver.py", "sys.__stdin__"): "its own terminal: is it still there?",
    ("tui/terminal/unix_driver.py", "signal"): "it stops for its shell, and goes on",
    ("tui/terminal/unix_driver.py", "sys.__stderr__"): "its own terminal, which it writes to",
    ("tui/terminal/unix_driver.py", "shutil.get_terminal_size"): "the size of its own terminal",
}


def full_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give every name that is used with its line, as it is called where it comes from."""
    known = {name: name for name in dir(builtins)}
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
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    directed = {id(call.func) for call in calls if prints_to_a_file(call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in known and id(node) not in directed:
            yield node.lineno, known[node.id]
        elif isinstance(node, ast.Attribute):
            yield node.lineno, f".{node.attr}"
            parts = [node.attr]
            value = node.value
            while isinstance(value, ast.Attribute):
                parts.append(value.attr)
                value = value.value
            if isinstance(value, ast.Name) and value.id in known:
                yield node.lineno, ".".join([known[value.id], *reversed(parts)])


def prints_to_a_file(call: ast.Call) -> bool:
    """Tell whether this is a ``print`` that is told where to: not by itself to standard output."""
    files = [keyword.value for keyword in call.keywords if keyword.arg == "file"]
    printing = isinstance(call.func, ast.Name) and call.func.id == "print"
    return printing and any(ast.unparse(file) != "None" for file in files)


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
        ("print('x', file=None)", "print"),
        ("print('x', end='')", "print"),
        ("print(path, file=sys.stderr)\nimport sys", "sys.stderr"),
        ("from pathlib import Path\nPath('x').resolve()", ".resolve"),
        ("from pathlib import Path\nmap(Path.absolute, paths)", ".absolute"),
        ("(folder / name).absolute()", ".absolute"),
        ("Path(typed).expanduser()", ".expanduser"),
        ("from os import path\npath.abspath('x')", "os.path.abspath"),
        ("from os.path import realpath as real", "os.path.realpath"),
        ("from tempfile import NamedTemporaryFile", "tempfile"),
        ("import shutil\nshutil.get_terminal_size()", "shutil.get_terminal_size"),
        ("import os\nos.get_terminal_size()", "os.get_terminal_size"),
        ("import os\nos.cpu_count() or 1", "os.cpu_count"),
        ("import os\nname = f'{os.getpid()}'", "os.getpid"),
        ("import sys\nsys.exit(2)", "sys.exit"),
    ],
)
def test_scan_reports_every_form_of_using_process_state(source: str, name: str) -> None:
    assert name in {found for _, found in of_the_process(source)}


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.path.join('a', 'b')",
        "from .signal import x",
        "environ = {}\nenviron['a']",
        "locale = environ['LANG']\nlocale.partition('.')",
        "import sys\nsys.platform",
        "table.print('x')",
        "print('x', file=args.stdout)",
        "app.exit()",
        "import os\nos.path.exists(path)",
        "resolve = 1\nabsolute(resolve)",
    ],
)
def test_scan_for_process_state_accepts_similar_other_names(source: str) -> None:
    assert of_the_process(source) == set()


def test_only_listed_modules_use_process_state() -> None:
    found, looked = dict[tuple[str, str], list[int]](), set[str]()
    for path in PACKAGE.rglob("*.py"):
        file = path.relative_to(PACKAGE).as_posix()
        if file.startswith(DOOR):
            continue
        looked.add(file.partition("/")[0])
        for line, name in of_the_process(path.read_text(encoding="utf-8")):
            found.setdefault((file, name), []).append(line)
    assert looked >= {"cards", "inputs", "engine", "gamekit", "records", "house", "tui", "games"}
    assert found.keys() == EXCEPTIONS.keys(), found
