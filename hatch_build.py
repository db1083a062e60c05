"""The README as a package index shows it: alone, without the files that lie beside it here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_BESIDE = r"\((?!https?:|#)([^)]*)\)"  # what a link leads to, unless it is on the web or this page
_PICTURE = re.compile(rf"!\[[^\]]*\]{_BESIDE}\n*")
_LINK = re.compile(rf"\[([^\]]*)\]{_BESIDE}")


def alone(readme: str) -> str:
    """Leave out the pictures that are files, and name the files that links lead to."""
    return _LINK.sub(r"\1 (`\2`)", _PICTURE.sub("", readme))


class Readme(MetadataHookInterface):
    """Gives the package its long description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the one field that ``pyproject.toml`` calls dynamic."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": alone(text)}
