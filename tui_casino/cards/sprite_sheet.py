"""Split a sheet of text drawings into single drawings by name."""

from __future__ import annotations

from collections.abc import Mapping


def split_sprites(names: str, drawings: str) -> Mapping[str, tuple[str, ...]]:
    """Return the drawings by name; they are side by side between ``¦``, in the order of names."""
    lines = drawings.strip("\n").splitlines()
    columns = zip(*(line.strip("¦").split("¦") for line in lines), strict=True)
    return dict(zip(names.split(), columns, strict=True))
