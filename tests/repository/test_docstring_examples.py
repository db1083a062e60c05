"""Every example in a docstring of the program shows what Python really prints."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import tui_casino

ROOT = Path(tui_casino.__file__).parents[1]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "tui_casino").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_print_the_stated_output(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0, "the module has '>>> ' outside its docstrings"
    assert result.failed == 0
