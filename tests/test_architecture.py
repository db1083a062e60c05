"""What the page on architecture says of rooms, folders and classes holds for the code."""

from __future__ import annotations

import ast
import re
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tui_casino.gamekit.registry import GAMES
from tui_casino.tui.table.live import LiveTable
from tui_casino.tui.table.view import TableView

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text()
PACKAGE = ROOT / "tui_casino"
LONGEST = 500
"""Lines of the longest file."""


def rooms() -> dict[str, str]:
    """Give what the page says is in each room, by its name: up to what it may import."""
    listed = PAGE.partition("\n## The rooms\n")[2].partition("\n* ")[2].partition("\n\n")[0]
    items = [" ".join(item.split()) for item in listed.split("\n* ")]
    told = [re.fullmatch(r"`(\w+)`: (.*)\. May import: .*", item) for item in items]
    assert all(told), items
    return {found[1]: found[2] for found in told if found}


ROOMS = rooms()


def test_every_room_stands_in_the_list_in_the_order_of_the_layers() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(ROOMS) == packages
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers: list[str] = contracts["contracts"][0]["layers"]
    order = [layer for layer in reversed(layers) if layer in packages]
    assert sorted(ROOMS, key=order.index)[:2] == ["cards", "inputs"]
    assert [room for room in ROOMS if room != "games"] == [
        room for room in order if room != "games"
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_the_modules_that_are_named_are_there(room: str) -> None:
    for name in re.findall(r"`([a-z]+)(/?)`", ROOMS[room]):
        path = PACKAGE / room / name[0]
        assert path.is_dir() if name[1] else path.with_suffix(".py").exists(), name


def test_a_game_is_machine_brains_and_face() -> None:
    for game in GAMES:
        folder = PACKAGE / "games" / game.slug.replace("-", "_")
        parts = {path.name for path in folder.iterdir() if path.is_dir()} - {"__pycache__", "data"}
        assert parts == {"machine", "brains", "face"}
        assert {"tables.py", "view.py", "words.py", "tally.py", "command.py", "screen.py"} <= {
            path.name for path in (folder / "face").iterdir()
        }


def test_no_game_makes_a_screen_of_its_own() -> None:
    for path in PACKAGE.glob("games/*/face/**/*.py"):
        text = path.read_text()
        assert "table.live" not in text, path
        assert "table.base" not in text, path


def test_the_screen_is_as_deep_as_the_page_draws_it() -> None:
    ours = [kind.__name__ for kind in LiveTable.__mro__ if kind.__module__.startswith("tui_casino")]
    assert ours == ["LiveTable", "SeatedTable", "TableScreen", "Steady"]
    assert "SeatedTable <|-- LiveTable" in PAGE
    assert TableView.__module__.endswith("table.view")


def test_no_file_is_too_long() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in PACKAGE.rglob("*.py")}
    assert max(lengths.values()) <= LONGEST


def imports_of(path: Path, modules: dict[str, Path]) -> set[str]:
    """Give the modules of ours that a file imports, anywhere in it and for whatever purpose."""
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
    """Give the groups of modules that import each other, directly or through others."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return [error.args[1]]
    return []


def test_no_file_imports_itself_through_others() -> None:
    """Imports in functions and for types count: a circle hides two parts that are one."""
    modules = {
        ".".join([*path.relative_to(ROOT).parent.parts, path.stem]).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }
    imports = {name: imports_of(path, modules) for name, path in modules.items()}
    assert sum(map(len, imports.values())) > 2_000, "the imports are found"
    assert not circles(imports)
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}})


# ---- choices are weighed in one place ------------------------------------------------------------


def callers(*names: str) -> set[str]:
    """Return the modules outside the games' brains that call an attribute of such a name."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        if "brains" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called.split(".")[-1] in names:
                    found.add(path.relative_to(PACKAGE).as_posix())
    return found


def test_only_the_adviser_itself_asks_a_judge() -> None:
    """What a choice costs is therefore the same wherever it is shown."""
    assert callers("judge") == {"gamekit/adviser.py"}
    asks = {
        "host/session/rehearsal.py",  # before anybody plays, so that tables are ready
        "records/review.py",
        "teacher/positions.py",
        "tui/table/judging.py",
    }
    assert {path for path in callers("decision") if path != "gamekit/parts.py"} == asks
