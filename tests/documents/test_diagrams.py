"""The class diagrams of the documents agree with the code: classes, bases, methods and uses."""

from __future__ import annotations

import ast
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tui_casino"

# ---- what is drawn -------------------------------------------------------------------------------

DRAWN = re.compile(r"```mermaid\nclassDiagram\n(.*?)```", re.DOTALL)
LABEL = re.compile(r'^  class (\w+)\["(\w+) in ([\w/]+)"\]$', re.MULTILINE)
CLASS = re.compile(r"^  class (\w+) \{$\n((?:^    .*$\n)*)^  \}$", re.MULTILINE)
RELATION = re.compile(r"^  (\w+) (<\|--|<\|\.\.|\*--|o--|-->|\.\.>) (\w+)(?: : .+)?$", re.MULTILINE)
MARK = re.compile(r"^<<(\w+)>>$")
MEMBER = re.compile(r"^(\w+)(?:\((.*)\))?$")


class Diagram(Struct, frozen=True):
    """The contents of a diagram: its classes with members and parameters, and its relations.

    If several classes share a name, a label gives the folder of the class.
    """

    page: str
    labels: dict[str, tuple[str, str]]
    members: dict[str, dict[str, tuple[str, ...] | None]]
    marks: dict[str, str]
    relations: tuple[tuple[str, str, str], ...]

    @property
    def names(self) -> set[str]:
        ends = {end for one, _, other in self.relations for end in (one, other)}
        return ends | set(self.members) | set(self.labels)

    def kind(self, name: str) -> Kind:
        """Return the class with a name in the diagram."""
        title, folder = self.labels.get(name, (name, ""))
        found = [kind for kind in kinds(title) if kind.folder.startswith(folder)]
        assert len(found) == 1, f"{len(found)} classes are called {title} in {folder or 'all'}"
        return found[0]


def read(page: str, text: str) -> Diagram:
    members: dict[str, dict[str, tuple[str, ...] | None]] = {}
    marks: dict[str, str] = {}
    for name, body in CLASS.findall(text):
        members[name] = {}
        for line in map(str.strip, body.splitlines()):
            if mark := MARK.match(line):
                marks[name] = mark[1]
                continue
            found = MEMBER.match(line)
            assert found, f"{page}: {name}: {line!r} is no member"
            words = None if found[2] is None else tuple(re.findall(r"\w+", found[2]))
            members[name][found[1]] = words
    relations = tuple(RELATION.findall(text))
    labels = {name: (title, folder) for name, title, folder in LABEL.findall(text)}
    rest = RELATION.sub("", CLASS.sub("", LABEL.sub("", text))).strip()
    assert not rest, f"{page}: the diagram has lines that are not understood: {rest!r}"
    return Diagram(page, labels, members, marks, relations)


PAGES = [ROOT / "docs" / "how-it-is-built.md", ROOT / "docs" / "architecture.md"]
DIAGRAMS = [read(page.name, text) for page in PAGES for text in DRAWN.findall(page.read_text())]
SUBJECTS = ["engine", "screen", "cribbage", "video poker"]
"""What the diagrams show, in their order."""

# ---- what there is -------------------------------------------------------------------------------


class Kind(Struct, frozen=True):
    """A class of the program: its bases by name, its own members with parameters, and its uses."""

    name: str
    path: Path
    bases: tuple[str, ...]
    members: dict[str, tuple[str, ...] | None]
    uses: frozenset[str]

    @property
    def folder(self) -> str:
        return self.path.relative_to(PACKAGE).with_suffix("").as_posix()

    @property
    def parents(self) -> list[Kind]:
        """Return the bases in the program; if several share a name, the nearest one."""
        found = []
        for base in self.bases:
            if every := kinds(base):
                near = [len(os.path.commonpath((one.path, self.path))) for one in every]
                found.append(every[near.index(max(near))])
        return found


def _name(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _members(node: ast.ClassDef) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    for part in ast.walk(node):
        match part:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name, None
    for part in node.body:
        match part:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                every = (*part.args.posonlyargs, *part.args.args, *part.args.kwonlyargs)
                shown = tuple(arg.arg for arg in every if arg.arg not in ("self", "cls"))
                is_value = any("property" in _name(mark) for mark in part.decorator_list)
                yield name, None if is_value else shown
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, None
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name, None


@cache
def kinds_in(path: Path) -> tuple[Kind, ...]:
    """Return the classes of a file."""
    return tuple(_kinds(path))


def _kinds(path: Path) -> Iterator[Kind]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef):
            inside = (part for child in node.body for part in ast.walk(child))
            uses = {_name(part) for part in inside if isinstance(part, ast.Name | ast.Attribute)}
            bases = tuple(map(_name, node.bases))
            yield Kind(node.name, path, bases, dict(_members(node)), frozenset(uses))


@cache
def files() -> Mapping[str, set[Path]]:
    """Return the files that define a class, by its name, so that few files must be parsed."""
    found = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for name in re.findall(r"^ *class (\w+)", path.read_text(), re.MULTILINE):
            found[name].add(path)
    return found


@cache
def kinds(name: str) -> list[Kind]:
    """Return the classes of the program with this name."""
    paths = sorted(files().get(name, ()))
    return [kind for path in paths for kind in kinds_in(path) if kind.name == name]


def inherited(kind: Kind) -> dict[str, tuple[str, ...] | None]:
    """Return the members of a class, with those of its bases in the program."""
    every = (*map(inherited, reversed(kind.parents)), kind.members)
    return {name: words for members in every for name, words in members.items()}


def realizes(kind: Kind, protocol: Kind) -> bool:
    """Return whether a class has the methods of a protocol, with the same parameters."""
    has = inherited(kind)
    return all(
        name in has and (words is None or has[name] == words)
        for name, words in protocol.members.items()
    )


# ---- one is the other ----------------------------------------------------------------------------


def test_class_diagrams_show_the_engine_the_screen_and_two_games() -> None:
    engine, screen, cribbage, video_poker = (one.names for one in DIAGRAMS)
    assert {"RuleSet", "ShowRule", "Score", "TrainerLogFile"} <= cribbage
    assert {"TableScreen", "TableView", "Face"} <= screen
    assert {"Game", "Table", "Croupier", "ChanceSource", "ComputerPlayer"} <= engine
    assert {"State", "PayTable", "Hold", "ListPlayer"} <= video_poker


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=SUBJECTS)
def test_every_class_in_a_diagram_exists_and_has_the_drawn_members(diagram: Diagram) -> None:
    for name in diagram.names:
        kind, members = diagram.kind(name), diagram.members.get(name, {})
        has = inherited(kind)
        assert {member: has.get(member, "nothing") for member in members} == members, name
        if name in diagram.members:
            assert (diagram.marks.get(name) == "Protocol") == ("Protocol" in kind.bases), name


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=SUBJECTS)
def test_every_relation_in_a_class_diagram_exists_in_the_code(diagram: Diagram) -> None:
    for one, sign, other in diagram.relations:
        left, right = diagram.kind(one), diagram.kind(other)
        if sign == "<|--":
            assert left in right.parents, f"{other} is no {one}"
        elif sign == "<|..":
            assert "Protocol" in left.bases
            assert realizes(right, left), f"{other} is no {one}"
        else:
            assert right.name in left.uses, f"{one} does not name {other}"


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=SUBJECTS)
def test_diagram_shows_all_or_no_implementations_in_a_file(diagram: Diagram) -> None:
    """If a diagram shows one class of a file that implements a protocol, it shows all of them."""
    for one, sign, other in diagram.relations:
        if sign != "<|..":
            continue
        file, protocol = diagram.kind(other).path, diagram.kind(one)
        here = [kind for kind in kinds_in(file) if kind != protocol]
        drawn = [diagram.kind(name) for name in diagram.names]
        missing = [k.name for k in here if realizes(k, protocol) and k not in drawn]
        assert not missing, f"{one}: {missing} are not drawn"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("  class Flush {\n    scores(laid)\n  }\n", "Flush"),
        ("  class Flush {\n    counts(shown)\n  }\n", "Flush"),
        ("  class NoSuchRule {\n    scores(shown)\n  }\n", "0 classes are called NoSuchRule"),
        ("  class Discard {\n    cards\n  }\n", "2 classes are called Discard"),
        ("  class ShowRule {\n    scores(shown)\n  }\n", "ShowRule"),
        ("  RandomPlayer <|-- Flush\n", "Flush is no RandomPlayer"),
        ("  ShowRule <|.. PlayRun\n", "PlayRun is no ShowRule"),
        ("  Flush --> RuleSet\n", "Flush does not name RuleSet"),
        ("  ShowRule <|.. Flush\n", "are not drawn"),
    ],
    ids=[
        "wrong parameter",
        "wrong method",
        "unknown class",
        "ambiguous class",
        "wrong method of a protocol",
        "no subclass",
        "no implementation",
        "unrelated class",
        "implementations left out",
    ],
)
def test_diagram_with_a_wrong_class_member_or_relation_is_reported(text: str, wrong: str) -> None:
    diagram = read("a page", text)
    checks = (
        test_every_class_in_a_diagram_exists_and_has_the_drawn_members,
        test_every_relation_in_a_class_diagram_exists_in_the_code,
        test_diagram_shows_all_or_no_implementations_in_a_file,
    )
    assert wrong in "; ".join(filter(None, (_complaint(check, diagram) for check in checks)))


def _complaint(check: Callable[[Diagram], None], diagram: Diagram) -> str:
    try:
        check(diagram)
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.prove
def test_class_inheritance_is_at_most_four_levels_deep() -> None:
    """The page on classes states this limit."""

    def depth(kind: Kind) -> int:
        return max((1 + depth(parent) for parent in kind.parents), default=0)

    every = [kind for path in PACKAGE.rglob("*.py") for kind in kinds_in(path)]
    assert max(map(depth, every)) == 4
