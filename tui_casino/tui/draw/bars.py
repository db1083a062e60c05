"""Bars as text with fractions of a cell, and bars of whole cells on a canvas."""

from __future__ import annotations

from rich.style import Style

from ..terminal.detection import GlyphSet
from .canvas import Canvas
from .styles import style_of

_PARTS = {GlyphSet.UNICODE: " ▏▎▍▌▋▊▉█", GlyphSet.CP437: " ▌█"}


def bar(share: float, width: int, tier: GlyphSet, ascii_glyph: str = "#") -> str:
    """Draw a share (0 to 1) as a bar of up to ``width`` columns; every share above 0 is visible."""
    parts = f" {ascii_glyph}" if tier is GlyphSet.ASCII else _PARTS[tier]
    finest = len(parts) - 1
    length = min(width * finest, max(round(share * width * finest), int(share > 0)))
    whole, rest = divmod(length, finest)
    return (parts[-1] * whole + parts[rest] * bool(rest)).ljust(width)


def full_block(tier: GlyphSet) -> str:
    """Return the glyph for a full cell of a bar."""
    return "#" if tier is GlyphSet.ASCII else "█"


def draw_bar(canvas: Canvas, x: int, y: int, cells: int, width: int, style: Style) -> None:
    """Draw a bar of whole cells on a track of ``width`` columns."""
    canvas.write(x, y, " " * width, style_of("ansi_default", canvas.look.palette.lit))
    canvas.write(x, y, full_block(canvas.look.tier) * cells, style)
