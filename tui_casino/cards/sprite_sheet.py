"""Split a sheet of text drawings into its drawings."""

from __future__ import annotations

from collections.abc import Mapping


def split_sprites(names: str, drawings: str) -> Mapping[str, tuple[str, ...]]:
    """Map names to drawings; the sheet shows the drawings side by side, separated by ``¦``."""
    lines = drawings.strip("\n").splitlines()
    columns = zip(*(line.strip("¦").split("¦") for line in lines), strict=True)
    return dict(zip(names.split(), columns, strict=True))
