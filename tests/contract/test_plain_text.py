"""Foreign text is never markup and never control: there is no way round the two ways out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tui_casino

ROOT = Path(tui_casino.__file__).parent
MARKED = {"Static", "Label", "OptionList", "Marked", "SelectionList", "Log", "RichLog"}
"""Widgets of the framework, and of ours that are made of these, which read markup unless told."""
LABELLED = {"Button", "Checkbox", "RadioButton", "Collapsible", "TabPane", "Tab", "Link", "Header"}
"""Those that always read it in a text, but never in a ``Content``."""
TITLES = {"border_title", "border_subtitle", "tooltip", "loading_message"}
READS_MARKUP = {"from_markup", "from_text", "from_ansi", "render_str", "render_markup", "visualize"}
MAY_PRINT = ("cli/*.py", "games/*/face/*.py")
MAY_WRITE = {
    *(
        "records/session_log.py",
        "records/asciicast.py",
        "records/cache.py",
        "records/session_log.py",
    ),
    *("host/audit_log.py", "teacher/mistake_queue.py"),
}
"""Files of our own are written here, byte by byte."""
EXCEPTIONS = {
    "host/session/linked_arcade.py: super().notify(hidden, title=title, severity=severity, "
    "timeout=timeout, markup=markup)": "its callers are checked one by one",
    "gamekit/simulation_runner.py: Console(file=raw_stream(stream))": "our words alone",
    "host/storage.py: os.write(file, f'{current}\\n'.encode())": "one of two words of ours",
    "host/supervisor.py: os.write(writes, b'!')": "a pipe of its own, to wake it",
    "tui/terminal/driver.py: sys.__stdin__": "is asked whether it is a terminal",
    "tui/terminal/unix_driver.py: sys.__stderr__": "is the terminal that the driver writes to",
}


def faults(source: str, place: str) -> Iterator[str]:
    """Find what reads markup, and what writes past the one way out."""
    draws = place.startswith("tui/") or "/face/" in place
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=func) if not draws and _name(func) in MARKED | LABELLED:
                pass  # a class of that name that is no widget
            case ast.Call():
                if not _call_is_plain(node, place):
                    yield ast.unparse(node)
            case ast.Assign(targets=[ast.Attribute(attr=name)]) if name in TITLES:
                if not _is_plain(node.value):
                    yield ast.unparse(node)
            case ast.FunctionDef(name="render", returns=ast.Name("str")):
                yield f"{node.name} -> str"
            case ast.ClassDef(bases=bases):
                if {"Static", "Label"} & {_name(base) for base in bases} and not _is_told(node):
                    yield f"class {node.name}"
            case ast.Attribute(value=ast.Name("sys"), attr=name) if name.startswith("__std"):
                yield ast.unparse(node)


def _call_is_plain(node: ast.Call, place: str) -> bool:
    name = _name(node.func)
    told = {each.arg: each.value for each in node.keywords}
    if name in READS_MARKUP or name == "Console":
        return False
    if name in MARKED:
        return _is_false(told.get("markup"))
    if name == "notify":
        return "markup" not in told
    if name in LABELLED:
        return not node.args or _is_plain(node.args[0])
    if name == "print":
        if Path(place).match("cli/*.py"):
            return True
        is_handed = "file" in told and ast.unparse(told["file"]) == "args.stdout"
        return is_handed and any(Path(place).match(each) for each in MAY_PRINT)
    if isinstance(node.func, ast.Attribute) and name == "write":
        if place in MAY_WRITE or ast.unparse(node.func.value) != "os":
            return not ("std" in ast.unparse(node.func.value) or "Driver" in ast.unparse(node.func))
        return False
    return all(name not in TITLES or _is_plain(value) for name, value in told.items())


def _name(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _is_plain(node: ast.expr) -> bool:
    """Return whether it is our own text without brackets, or finished content."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str) or "[" not in node.value
    return isinstance(node, ast.Call) and _name(node.func) == "Content"


def _is_told(node: ast.ClassDef) -> bool:
    begins = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    return any(
        ast.unparse(each.func) == "super().__init__"
        and _is_false({word.arg: word.value for word in each.keywords}.get("markup"))
        for each in begins
    )


def test_package_parses_no_markup_and_writes_only_escaped_text() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path for path in ROOT.rglob("*.py")}
    found = {
        f"{place}: {fault}"
        for place, path in sources.items()
        for fault in faults(path.read_text(), place)
    }
    assert found == EXCEPTIONS.keys()


@pytest.mark.parametrize(
    "source",
    [
        "Content.from_markup(x)",
        "Text.from_markup('[b]x')",
        "Static(x)",
        "Static()",
        "Static(x, markup=True)",
        "widgets.Label('x')",
        "Marked()",
        "Button(f'{x}')",
        "Button('[b]')",
        "window.border_title = x",
        "window.border_title = f'{x}'",
        "window.border_subtitle = '[b]'",
        "widget.tooltip = x",
        "Widget(tooltip=x)",
        "app.notify(x, markup=True)",
        "class A:\n def render(self) -> str: ...",
        "class A(Static): ...",
        "print(x)",
        "print(x, file=sys.stderr)",
        "sys.stdout.write(x)",
        "os.write(1, x)",
        "sys.__stdout__",
        "Console().print(x)",
    ],
)
def test_scan_for_unescaped_output_reports_markup_and_raw_writes(source: str) -> None:
    assert [*faults(source, "tui/some.py")]


@pytest.mark.parametrize(
    "source",
    [
        "Static(x, markup=False)",
        "Static('x', id='y', markup=False)",
        "Button(Content(x))",
        "Button('Yes')",
        "window.border_title = Content(x)",
        "window.border_title = 'Settings'",
        "app.notify(x, severity='error')",
        "class A(Static):\n def __init__(self): super().__init__('x', markup=False)",
        "file.write(x)",
        "Content.assemble(x, (y, 'bold'))",
    ],
)
def test_scan_for_unescaped_output_accepts_escaped_output(source: str) -> None:
    assert not [*faults(source, "tui/some.py")]
