"""Check that the installed package has every file of this checkout."""

from __future__ import annotations

from importlib.metadata import metadata
from pathlib import Path

import tui_casino
from tui_casino.house.paths import styles_folder

checkout = Path(__file__).parents[1]
[package] = map(Path, tui_casino.__path__)
assert package.parent != checkout, "this is the checkout itself"
assert styles_folder() == package / "styles", styles_folder()
for here, there in ((checkout / "tui_casino", package), (checkout / "styles", package / "styles")):
    files = [file.relative_to(here) for file in here.rglob("*") if "__pycache__" not in file.parts]
    missing = [file for file in files if not (there / file).exists()]
    assert files, here
    assert not missing, missing

shown = metadata("tui-casino")["Description"]
assert "# TUI Casino" in shown, shown
assert "](docs/" not in shown, shown
assert ".svg" not in shown, shown
