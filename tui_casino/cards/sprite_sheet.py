"""Splitting of a sheet of drawings in plain characters into single drawings by name."""

from __future__ import annotations

from collections.abc import Mapping


def split_sprites(names: str, drawings: str) -> Mapping[str, tuple[str, ...]]:
    """Take drawings apart that stand side by side between ``¦``, one for each of the names."""
    lines = drawings.strip("\n").splitlines()
    columns = zip(*(line.strip("¦").split("¦") for line in lines), strict=True)
    return dict(zip(names.split(), columns, strict=True))
