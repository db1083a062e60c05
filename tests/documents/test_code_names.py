"""Every path, module and class that the documents name in backticks exists in the tree."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("tui_casino", "tests", "docs", "packaging", "screenshots", "styles", ".ci")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

PLAYERS_PAGES = {
    "README.md",
    *(f"docs/{name}.md" for name in ("formats", "keys", "screen-reader", "terminals", "history")),
    *(f"docs/{name}.md" for name in ("trainer", "fairness", "games/cribbage")),
    *(f"docs/server/{name}.md" for name in ("try-it", "players", "operators")),
    *("docs/server/several-hosts.md", "docs/server/reference.md"),
    "docs/releasing.md",
}
"""Pages that also name files of the reader's own machine, such as a data folder or ``~/.bashrc``.

Their paths are checked if they end in ``.py`` or begin with a folder of the project.
"""
PLACEHOLDER = re.compile(r"GAME|<folder>|<game>")
GAMES = [path.name for path in (ROOT / "tui_casino" / "games").iterdir() if path.is_dir()]
NOT_PATHS = {
    *("/dev/shm", "cribbage.log", "cribbage.properties"),  # files of the player's machine
    *("settings.toml", ".venv/bin/tui-casino"),
    *("sys.modules", "args.stdout", "args.stdin", "card.name"),  # attributes, not files
}
NOT_CLASSES = {
    *("None", "Content", "Static", "Input", "Footer", "Driver"),  # of Python and of Textual
    *("Esc", "Enter", "Space", "Tab", "Home", "End", "Up", "Down", "Left", "Right"),  # keys
    *("PgUp", "PgDn", "Del", "Backspace"),
    *("Winner", "Cribbage"),  # a message and the entry point of the sources
    *("Ann", "You", "North", "South", "Dealer", "Operator"),  # names of people at a table
    *("Seed", "Animate", "Player0", "Player1"),  # entries of the trainer's properties file
    *("UpdateHostKeys", "Match", "Origin"),  # settings of OpenSSH, a header of HTTP
    "Keys",  # a class of the baccarat course that this program does not have
}
TOY_GAME = re.compile(r"(tui_casino/games|tests/golden)/toy\b")
"""What a reader makes who follows ``docs/adding-a-game.md``."""

BLOCK = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`]+)`")
PATH = re.compile(r"[\w.<>-]+/[\w./<>-]*|[\w<>-]+\.(?:py|md|toml|tcss|js|xz)")
MODULE = re.compile(r"(?:python3? -m )?((?:tui_casino|tests)(?:\.\w+)+)(?: .*)?", re.DOTALL)
DRAWN = re.compile(r"^  ([A-Z]\w+)->>([A-Z]\w+)(?=:)", re.MULTILINE)
"""The callers and callees in a sequence diagram."""
CLASS = re.compile(r"([A-Z][a-z]\w*)(?:\.([a-z]\w*))?(?:\(.*\))?", re.DOTALL)


@cache
def tails() -> frozenset[str]:
    """Return the path of each file and folder of the project, and every end of such a path."""
    paths = [path for folder in FOLDERS for path in ((ROOT / folder), *(ROOT / folder).rglob("*"))]
    paths += [path for path in ROOT.iterdir() if path.is_file()]
    parts = [path.relative_to(ROOT).parts for path in paths if "__pycache__" not in path.parts]
    return frozenset("/".join(one[start:]) for one in parts for start in range(len(one)))


@cache
def classes() -> dict[str, str]:
    """Return the text of the files that define each class or alias with a capital, by its name."""
    found: dict[str, str] = defaultdict(str)
    for folder in ("tui_casino", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for name in {*re.findall(r"^ *class (\w+)|^([A-Z][a-z]\w+)\b.*=", text, re.MULTILINE)}:
                found["".join(name)] += text
    return found


def path_exists(path: str) -> bool:
    """Return whether a path ends like one of the project, with any game for a placeholder."""
    wanted = {PLACEHOLDER.sub(game, path).rstrip("/") for game in GAMES}
    return bool(TOY_GAME.match(path)) or bool({*wanted, *(f"{one}.py" for one in wanted)} & tails())


def module_exists(module: str) -> bool:
    """Return whether a dotted name is a module or package, or a name in a module."""
    path = module.replace(".", "/")
    return path_exists(path) or path_exists(f"{path.rpartition('/')[0]}.py")


def class_exists(name: str, member: str) -> bool:
    """Return whether a class exists and, if a member is named, its file mentions the member."""
    return name in classes() and bool(re.search(rf"\b{member}\b", classes()[name]))


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def wrong_names(page: str, text: str) -> Iterator[str]:
    """Yield the names in backticks or in a sequence diagram that stand for nothing in the tree."""
    drawn = [name for pair in DRAWN.findall(text) for name in pair]
    for quoted in (*QUOTED.findall(BLOCK.sub("", text)), *drawn):
        name = " ".join(quoted.split())
        if name in NOT_PATHS:
            continue
        if module := MODULE.fullmatch(name):
            exists = module_exists(module[1])
        elif PATH.fullmatch(name):
            ours = name.endswith(".py") or name.startswith(FOLDERS)
            exists = path_exists(name) or (page in PLAYERS_PAGES and not ours)
        elif kind := CLASS.fullmatch(name):
            exists = kind[1] in NOT_CLASSES or class_exists(kind[1], kind[2] or "")
        else:
            continue
        if not exists:
            yield name


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_path_module_and_class_on_a_page_exists(page: Path) -> None:
    assert not [*wrong_names(name_of(page), page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    "name",
    [
        *("engine/no_such.py", "no_such.py", "games/no_such/", "docs/no-such.md"),
        *("tui_casino.engine.no_such.part", "python -m tests.no_such.write GAME"),
        *("NoSuchTable", "Table.no_such", "NoSuchTable(1, 2)"),
    ],
)
def test_name_missing_in_the_code_is_reported_on_a_page(name: str) -> None:
    assert [*wrong_names("docs/architecture.md", f"See `{name}`.")] == [name]


def test_name_missing_in_the_code_is_reported_in_a_diagram() -> None:
    text = "```mermaid\nsequenceDiagram\n  Painter->>NoSuchTable: paint()\n```\n"
    assert [*wrong_names("docs/how-it-is-built.md", text)] == ["NoSuchTable"]


@pytest.mark.parametrize(
    "name",
    [
        *("engine/table.py", "table.py", "tests/golden/GAME", "tui_casino.engine.table"),
        *("Table", "Table.submit", "Hold((3,))", "Esc", "b 5", "--seed"),
    ],
)
def test_existing_code_name_on_a_page_is_not_reported(name: str) -> None:
    assert not [*wrong_names("docs/architecture.md", f"See `{name}`.")]


# ---- the list of places --------------------------------------------------------------------------

PLACED = re.compile(r"`(\w+)` in\s+`([\w<>/.]+)`")


def is_defined(name: str, place: str) -> bool:
    """Return whether a file, or a file in a folder, defines a name at its top level, in a game."""
    paths = [ROOT / "tui_casino" / place.replace("<game>", f"games/{game}") for game in GAMES]
    files = [file for path in paths for file in (path.glob("*.py") if path.is_dir() else [path])]
    head = re.compile(rf"^(?:(?:async )?def |class )?{name}\b *[:=(]", re.MULTILINE)
    return any(file.exists() and head.search(file.read_text(encoding="utf-8")) for file in files)


def test_each_name_in_the_list_of_places_is_defined_there() -> None:
    placed = PLACED.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert len(placed) >= 5
    assert not [f"{name} in {place}" for name, place in placed if not is_defined(name, place)]


@pytest.mark.parametrize(
    ("name", "place"),
    [("judge", "<game>/brains/no_such.py"), ("jud", "<game>/brains/adviser.py"), ("x", "engine")],
)
def test_name_that_is_not_defined_at_its_place_is_found(name: str, place: str) -> None:
    assert not is_defined(name, place)


# ---- links ---------------------------------------------------------------------------------------

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    heads = re.findall(r"^#+ (.+)$", BLOCK.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=name_of)
def test_every_documentation_link_leads_to_an_existing_page_and_heading(page: Path) -> None:
    for target, anchor in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path), f"{target}#{anchor}"
