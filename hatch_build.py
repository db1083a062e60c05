"""Make the README that a package index shows: without pictures, and without links to files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_FILE = r"\((?!https?:|#)([^)]*)\)"  # the target of a link, unless it is on the web or on this page
_PICTURE = re.compile(rf"!\[[^\]]*\]{_FILE}\n*")
_LINK = re.compile(rf"\[([^\]]*)\]{_FILE}")


def alone(readme: str) -> str:
    """Remove pictures, and turn links to files into their paths."""
    return _LINK.sub(r"\1 (`\2`)", _PICTURE.sub("", readme))


class Readme(MetadataHookInterface):
    """Sets the long description of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the only field that ``pyproject.toml`` calls dynamic."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": alone(text)}
