"""The statements of the architecture page about packages, folders and classes are true."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from io import StringIO
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import pytest
import textual
from msgspec import Struct

from tui_casino.gamekit.registry import GAMES
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.view import TableView

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
PACKAGE = ROOT / "tui_casino"
LONGEST = 450
"""Lines of code of the longest file, without docstrings, imports, comments and empty lines."""


MOST_LINES = 300
"""Lines of the page at most: it is an overview, and details have pages of their own."""


def test_architecture_page_is_short_and_has_four_diagrams() -> None:
    assert len(PAGE.splitlines()) <= MOST_LINES
    heads = re.findall(r"^## (.+)$|^```mermaid$", PAGE, re.MULTILINE)
    drawn = [head for head, then in pairwise(heads) if not then]
    assert drawn == ["A step", "The packages", "The rules of video poker", "The server"]


def test_documents_list_packages_in_the_order_of_the_layers() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers: list[str] = contracts["contracts"][0]["layers"]
    order = [layer for layer in layers if layer in packages]
    assert set(order) == packages
    section = PAGE.partition("\n## The packages\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\* `(\w+)`: ", section, re.MULTILINE) == order[::-1]
    arrows = re.findall(r"^  (\w+)(?:\[.*\])? --> (\w+)", section, re.MULTILINE)
    assert arrows == [*pairwise(order)]


def test_each_game_package_has_folders_machine_brains_and_face() -> None:
    for game in GAMES:
        folder = PACKAGE / "games" / game.slug.replace("-", "_")
        parts = {path.name for path in folder.iterdir() if path.is_dir()} - {"__pycache__", "data"}
        assert parts == {"machine", "brains", "face"}
        assert {
            "table_catalog.py",
            "table_view.py",
            "words.py",
            "tally.py",
            "command.py",
            "face.py",
        } <= {path.name for path in (folder / "face").iterdir()}


def test_game_faces_do_not_use_table_screen_modules() -> None:
    for path in PACKAGE.glob("games/*/face/**/*.py"):
        text = path.read_text()
        assert "table.live" not in text, path
        assert "table.base" not in text, path


def test_live_table_has_the_base_classes_drawn_in_the_documents() -> None:
    ours = [kind.__name__ for kind in LiveTable.__mro__ if kind.__module__.startswith("tui_casino")]
    assert ours == [
        "LiveTable",
        "SeatedTable",
        "TableScreen",
        "BaseScreen",
        "LayoutControl",
        "BlankWidget",
    ]
    assert "SeatedTable <|-- LiveTable" in (ROOT / "docs" / "how-it-is-built.md").read_text()
    assert TableView.__module__.endswith("table.view")


def lines_of_code(text: str) -> int:
    """Return the number of lines with code, without docstrings, imports and comments."""
    lines = {
        number
        for token in tokenize.generate_tokens(StringIO(text).readline)
        if token.type not in _NO_CODE
        for number in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
                lines -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(lines)


_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def test_small_modules_have_several_importers() -> None:
    """A small module that only one other module reads is a part of that module.

    Files that every game has are an exception, because each has its place in the tutorial.
    """
    modules = modules_of_the_package()
    imports = {name: imports_of(path, modules) for name, path in modules.items()}
    small = {
        name.removeprefix("tui_casino."): [other for other in imports if name in imports[other]]
        for name, path in modules.items()
        if path.stem not in {"__init__", "__main__"}
        and lines_of_code(path.read_text(encoding="utf-8")) < MIN_LINES
    }
    assert any(len(importers) > 1 for importers in small.values()), "importers are found"
    crumbs = {name for name, importers in small.items() if len(importers) < 2}
    assert {name for name in crumbs if not OF_EVERY_GAME.fullmatch(name)} == {*LATE}


MIN_LINES = 40
"""The number of lines of code from which a module may have a single importer."""
OF_EVERY_GAME = re.compile(
    r"games\.\w+\.(brains\.players|face\.(face|odds_page|practice_positions|table_catalog))"
)
LATE = {"games.video_poker.face.debug_mode"}
"""Modules with a single importer that needs them rarely."""


def test_lines_of_code_leave_out_docstrings_imports_and_comments() -> None:
    text = '''"""A file."""

import os
from sys import (
    path,
)

# a comment
PLACE = os.sep  # another one
"""A constant."""
LONG = """two
lines"""
'''
    assert lines_of_code(text) == 3


def test_no_source_file_exceeds_its_limit_of_code() -> None:
    lengths = {path: lines_of_code(path.read_text()) for path in PACKAGE.rglob("*.py")}
    assert {path.name: length for path, length in lengths.items() if length > LONGEST} == {}
    assert max(lengths.values()) > LONGEST // 2


def modules_of_the_package() -> dict[str, Path]:
    """Return the file of each module of the program."""
    return {
        ".".join([*path.relative_to(ROOT).parent.parts, path.stem]).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }


def imports_of(path: Path, modules: dict[str, Path]) -> set[str]:
    """Return the modules of the program that a file imports, also inside functions."""
    name = next(module for module, file in modules.items() if file == path)
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            whole = ".".join([*base, *filter(None, [node.module])])
            for one in node.names:
                found |= {f"{whole}.{one.name}", whole} & modules.keys()
                if f"{whole}.{one.name}" in modules:  # a module, of which the package knows nothing
                    found.discard(whole)
    return found - {name}


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or through others."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return [error.args[1]]
    return []


def test_no_module_imports_itself_through_others() -> None:
    """Imports in functions and for types count, because a cycle joins two parts into one."""
    modules = modules_of_the_package()
    imports = {name: imports_of(path, modules) for name, path in modules.items()}
    assert sum(map(len, imports.values())) > 2_000, "the imports are found"
    assert not circles(imports)
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}})


# ---- drawing -----------------------------------------------------------------------------------


def test_game_faces_do_not_import_rich_segments_or_texts() -> None:
    """Faces draw with ``tui/draw``; none makes segments or styled texts itself."""
    faces = sorted(PACKAGE.glob("games/*/face/**/*.py"))
    assert len(faces) > 50
    for path in faces:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            assert module not in {"rich.segment", "rich.text"}, path


# ---- who calls whom ------------------------------------------------------------------------------


def callables(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield each class whose constructor takes functions, and how many it takes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                    types = [each.annotation for each in (*part.args.args, *part.args.kwonlyargs)]
                    said = [ast.unparse(each) for each in types if each is not None]
                    yield node.name, sum("Callable[" in one for one in said)


def test_no_constructor_takes_more_than_one_function() -> None:
    """A class with two functions of another one depends on it without naming it.

    Widgets take data, and give their screen requests or messages.
    """
    found = {
        (path.relative_to(PACKAGE).as_posix(), name): count
        for path in PACKAGE.rglob("*.py")
        for name, count in callables(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert len(found) > 100
    assert any(found.values())
    assert not {place for place, count in found.items() if count > 1}


# ---- imports inside functions ------------------------------------------------------------------

REASON = re.compile(r"# (late: \S|numpy, late)")
MOST_LATE = 110


def late_imports(tree: ast.AST, lines: list[str]) -> Iterator[tuple[int, bool]]:
    """Yield the line of each import inside a function, and whether it has a reason.

    The reason is a comment on the line of the import, or on an import just above it.
    """
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for function in (node for node in ast.walk(tree) if isinstance(node, functions)):
        for block in (node for node in ast.walk(function) if hasattr(node, "body")):
            bodies = [getattr(block, name, None) for name in ("body", "orelse", "finalbody")]
            for body in (body for body in bodies if isinstance(body, list)):
                explained = False
                for node in body:
                    if not isinstance(node, ast.Import | ast.ImportFrom):
                        explained = False
                    else:
                        comment = " ".join(lines[node.lineno - 1 : node.end_lineno])
                        explained = explained or bool(REASON.search(comment))
                        yield node.lineno, explained


def test_each_import_inside_a_function_has_a_reason_in_a_comment() -> None:
    count = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        text, name = path.read_text(encoding="utf-8"), str(path.relative_to(PACKAGE))
        found = dict(late_imports(ast.parse(text), text.splitlines()))
        count += len(found)
        without = [line for line, explained in found.items() if not explained]
        assert not without, f"{name}: give a reason in {without}"
    assert 50 < count <= MOST_LATE, "import at the top, or through gamekit/lazy.py"


def test_scan_for_late_imports_reports_one_without_a_reason() -> None:
    bare = "def f():\n    if True:\n        import a\n"
    told = "def f():\n    import a  # late: slow\n    import b\n    g()\n    import c\n"
    assert [*late_imports(ast.parse(bare), bare.splitlines())] == [(3, False)]
    found = dict(late_imports(ast.parse(told), told.splitlines()))
    assert found == {2: True, 3: True, 5: False}


SCREEN = ("textual", "rich")
BULK = ("numpy", "multiprocessing")
PLAYS = (
    *(
        "engine.chance",
        "engine.game",
        "engine.table",
        "gamekit.definition",
        "gamekit.table_catalog",
    ),
    *("house.lobby", "house.sitting", "lines.visit", "records.session_log", "records.log_catalog"),
    *("tui.menu.game_list", "tui.modals", "tui.table"),
)
"""The modules that play, and those that are opened later."""
MENU = "import tui_casino.cli.arcade, tui_casino.cli.screen_reader, tui_casino.tui.app"
TABLE = "import tui_casino.tui.table.live, tui_casino.games.{}.face.face"


def run(*arguments: str) -> str:
    """Return a program that runs a command to its end."""
    return f"from tui_casino.cli import main\ntry: main({arguments!r})\nexcept SystemExit: pass"


@pytest.mark.parametrize(
    ("program", "late"),
    [
        pytest.param(
            run("--help"), (*SCREEN, *BULK, "asyncio", "inspect", "msgspec", "sqlite3"), id="help"
        ),
        pytest.param(run("--version"), (*SCREEN, *BULK, "sqlite3"), id="version"),
        pytest.param(MENU, (*BULK, *(f"tui_casino.{name}" for name in PLAYS)), id="menu"),
        *(
            pytest.param(TABLE.format(name), ("numpy",), id=name)
            for name in (game.slug.replace("-", "_") for game in GAMES)
        ),
    ],
)
def test_program_start_does_not_load_unneeded_modules(program: str, late: tuple[str, ...]) -> None:
    code = f"{program}\nimport sys\nprint([name for name in {late} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


# ---- choices are weighed in one place ------------------------------------------------------------


def callers(*names: str) -> set[str]:
    """Return the modules outside the games' brains that call an attribute of such a name."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text()  # only a few files need to be parsed
        if "brains" in path.parts or not any(f"{name.split('.')[-1]}(" in text for name in names):
            continue
        for node in ast.walk(ast.parse(text)):
            called = f".{ast.unparse(node.func)}" if isinstance(node, ast.Call) else ""
            if called.endswith(tuple(f".{name}" for name in names)):
                found.add(path.relative_to(PACKAGE).as_posix())
    return found


def test_only_listed_modules_call_the_judge_of_an_adviser() -> None:
    """So a choice has the same cost wherever it is shown."""
    assert callers("judge") == {"gamekit/adviser.py"}
    asks = {
        "gamekit/verdict.py",  # what it warns of
        "house/session_goal.py",  # how far a session has got with its goal
        "host/session/warmup.py",  # before anybody plays, so that tables are ready
        "records/log_review.py",
        "screen_reader/trainer.py",  # what it advises
        "teacher/positions.py",
        "tui/daily/result_screen.py",  # the EVs and reasons of a choice that is already judged
        "tui/table/choice_evaluator.py",
    }
    assert {path for path in callers("decision") if path != "gamekit/definition.py"} == asks
    assert callers("adviser.alternatives") == {"gamekit/definition.py"}, (
        "they come with the decision"
    )
    shows = {  # what could be chosen next
        *("screen_reader/trainer.py", "tui/replay/sidebar.py", "tui/table/listed_view.py"),
    }
    assert callers("adviser.values", "adviser.action_values", "adviser.alternative_values") == shows


# ---- the same on every processor -----------------------------------------------------------------


def unstable_sorts(text: str) -> Iterator[str]:
    """Yield the calls that order equal entries differently on different processors."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_stable = any(ast.unparse(one) == "kind='stable'" for one in node.keywords)
            if node.func.attr in {"argsort", "argpartition"} and not is_stable:
                yield ast.unparse(node)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("order = np.argsort(keys)", ["np.argsort(keys)"]),
        ("order = keys.argsort(kind='heapsort')", ["keys.argsort(kind='heapsort')"]),
        ("best = np.argpartition(-worth, 3)[:3]", ["np.argpartition(-worth, 3)"]),
        ("order = np.argsort(keys, kind='stable')\nkeys.sort()", []),
    ],
)
def test_search_for_unstable_sorts_finds_them(text: str, found: list[str]) -> None:
    assert [*unstable_sorts(text)] == found


def test_every_argsort_of_the_package_is_stable() -> None:
    texts = {path: path.read_text() for path in PACKAGE.rglob("*.py")}
    assert sum("argsort" in text for text in texts.values()) > 3
    found = {path.name: [*unstable_sorts(text)] for path, text in texts.items()}
    assert not {name: calls for name, calls in found.items() if calls}


# ---- Textual's private names ---------------------------------------------------------------------

COMPAT = PACKAGE / "tui" / "textual_compat.py"
MOST_PRIVATE = 10
IS_PRIVATE = re.compile(r"_[a-z]")


def defined(tree: ast.AST) -> Iterator[str]:
    """Yield the private names that a file or a class gives to its own functions and attributes."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store())
            ) if IS_PRIVATE.match(name):
                yield name
            case _:
                pass


def textual_names() -> frozenset[str]:
    """Return all private names of Textual."""
    files = Path(textual.__file__).parent.rglob("*.py")
    return frozenset(name for path in files for name in defined(ast.parse(path.read_text("utf-8"))))


def private_names(text: str, theirs: frozenset[str]) -> Iterator[str]:
    """Yield the private modules and attributes of Textual that a file uses."""
    tree = ast.parse(text)
    own = {*defined(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("textual"):
            parts = [*str(node.module).split("."), *(one.name for one in node.names)]
            yield from filter(IS_PRIVATE.match, parts)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) != "os._exit":
            yield from {node.attr} & (theirs - own)


def replaced(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each private part of Textual's that a class replaces."""
    theirs = {
        name
        for base in kind.__mro__
        if base.__module__.startswith("textual.")
        for name in definition_of(base)
    }
    for base in kind.__mro__:
        if base.__module__.startswith("tui_casino."):
            yield from ((base.__module__, name) for name in definition_of(base) & theirs)


@cache
def definition_of(kind: type) -> frozenset[str]:
    """Return the private names that the source of a class defines."""
    return frozenset(defined(ast.parse(dedent(inspect.getsource(kind)))))


REPLACED = {"_get_terminal_size", "_handle_exception", "_screen_resized"}


def test_private_textual_names_are_used_in_one_module_with_reasons() -> None:
    theirs = textual_names()
    assert len(theirs) > 500, "they are found"
    paths = [
        path for room in ("cli", "games", "host", "tui") for path in PACKAGE.glob(f"{room}/**/*.py")
    ]
    found = {path: {*private_names(path.read_text(), theirs)} for path in paths}
    reasons = dict(re.findall(r"^\* `(\w+)`: (.+)$", COMPAT.read_text(), re.MULTILINE))
    assert found.pop(COMPAT) | REPLACED == reasons.keys()
    assert len(reasons) <= MOST_PRIVATE
    assert {path: names for path, names in found.items() if names} == {}


def test_only_textual_compat_overrides_private_parts_of_textual() -> None:
    faces = [f"games.{game.slug.replace('-', '_')}.face.face" for game in GAMES]
    programs = [
        "host.session.linked_arcade",
        "tui.app",
        "tui.settings.keymap",
        "tui.terminal.unix_driver",
    ]
    for name in (*faces, *programs):
        import_module(f"tui_casino.{name}")
    modules = [module for name, module in sys.modules.items() if name.startswith("tui_casino.")]
    kinds = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    ours = [kind for kind in kinds if kind.__module__.startswith("tui_casino.")]
    found = {pair for kind in ours for pair in replaced(kind)}
    assert found == {("tui_casino.tui.textual_compat", name) for name in REPLACED}


def test_scan_for_private_names_reports_each_use() -> None:
    text = "from textual._a import B\ndef f(app):\n    app._exit = app.x._driver\n    self._own = 1"
    assert [*private_names(text, frozenset({"_exit", "_driver", "_own"}))] == [
        *("_a", "_exit", "_driver")
    ]


# ---- one name for one class ----------------------------------------------------------------------

SHARED_NAMES = {
    "Options": "the options of a table, in each game; written to logs",
    "State": "the state of a game; written to caches of replays",
    "Phase": "the phase of a round, in each game; part of its state",
    "Tally": "the statistics of a seat, in each game; written to caches",
    "Bettor": "somebody at a shared table, in each game against the house; part of its state",
    "Play": "an action of two games; written to logs",
    "Bet": "an action of several games; written to logs",
    "Discard": "an action of two games; written to logs",
    "CardDealt": "an event of several games; written to logs",
    "ShoeBegun": "an event of two games; written to logs",
    "RoundBegun": "an event of two games; written to logs",
    "RoundOver": "an event of two games; written to logs",
    "HandDealt": "an event of two games; written to logs",
    "HandShown": "an event of two games; written to logs",
    "Discarded": "an event of two games; written to logs",
    "Odds": "the odds that a game's command prints, or that a bet pays",
    "Simulation": "the result of simulated rounds, in each game that has them",
}
"""The class names that are used more than once on purpose, and why."""
MOST_SHARED_NAMES = 25


def class_places() -> dict[str, list[str]]:
    """Return the files that define each public top-level class, by the name of the class."""
    places: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    return places


def test_no_public_class_name_is_used_twice() -> None:
    """A shared name needs an entry with its reason; an entry without a second class is removed."""
    places = class_places()
    assert len(places) > 500, "the classes are found"
    shared = {name: files for name, files in places.items() if len(files) > 1}
    assert {name: files for name, files in shared.items() if name not in SHARED_NAMES} == {}
    assert SHARED_NAMES.keys() - shared.keys() == set(), "these are no longer used twice"
    assert all(SHARED_NAMES.values())
    assert len(SHARED_NAMES) <= MOST_SHARED_NAMES


# ---- frozen structs ------------------------------------------------------------------------------

MUTABLE = {
    "engine.event_bus.Accumulator": "a total that subscribers read while it grows",
    "house.sitting.Sitting": "a session that is being played",
    "records.log_review.LogReview": "the mistakes found so far in a log",
    "records.playback.MarkIndex": "the marks found so far in a log",
}
"""The public structs below the screens that can be changed, and why."""


def test_structs_and_dataclasses_outside_screens_are_frozen_or_listed() -> None:
    """The actions, events, states and options of all games are frozen; see decisions/program.md."""
    files = [
        path
        for folder in ("cards", "engine", "records", "gamekit", "house", "games/*/machine")
        for path in PACKAGE.glob(f"{folder}/**/*.py")
        if path.stem != "__init__"
    ]
    names = [".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in files]
    modules = [import_module(f"tui_casino.{name}") for name in names]
    structs = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Struct)
        and kind.__module__ == module.__name__
    }
    assert len(structs) > 150, "the structs are found"
    mutable = {kind for kind in structs if not kind.__struct_config__.frozen}
    found = {f"{kind.__module__.partition('.')[2]}.{kind.__name__}" for kind in mutable}
    assert found == MUTABLE.keys()
    assert all(MUTABLE.values())
