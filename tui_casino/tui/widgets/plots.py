"""Small pictures of numbers: a line of bars, and a plot of several rows."""

from __future__ import annotations

from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "_.-:=+*#"


def thinned(values: Sequence[float], width: int) -> list[float]:
    """Give at most so many of the values, evenly spread, the first and the last among them."""
    if len(values) <= width or width < 2:
        return list(values[-width:]) if width > 0 else []
    last = len(values) - 1
    return [values[round(i * last / (width - 1))] for i in range(width)]


def sparkline(values: Sequence[float], width: int, ascii_only: bool = False) -> str:
    """Draw values as a line of bars between their least and their greatest."""
    shown = thinned(values, width)
    if not shown:
        return ""
    bars = ASCII_BARS if ascii_only else BARS
    low, high = min(shown), max(shown)
    span = (high - low) or 1
    return "".join(bars[round((value - low) / span * (len(bars) - 1))] for value in shown)


def plot(values: Sequence[float], width: int, height: int, ascii_only: bool = False) -> list[str]:
    """Draw values as a line over so many columns and rows, the greatest and least written beside.

    In Unicode each cell has two by four dots; in ASCII it has one.
    """
    if not values:
        return []
    across, down = (1, 1) if ascii_only else (2, 4)
    shown = thinned(values, width * across)
    low, high = min(shown), max(shown)
    span = (high - low) or 1
    dots = [round((high - value) / span * (height * down - 1)) for value in shown]
    rows = []
    for row in range(height):
        pieces = (dots[column : column + across] for column in range(0, len(dots), across))
        rows.append("".join(_cell(piece, row, ascii_only) for piece in pieces))
    labels = [f"{high:,.0f}", *[""] * (height - 2), f"{low:,.0f}"] if height > 1 else [""]
    room = max(map(len, labels))
    return [f"{label:>{room}} {row}" for label, row in zip(labels, rows, strict=True)]


_BRAILLE = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


def _cell(dots: Sequence[int], row: int, ascii_only: bool) -> str:
    if ascii_only:
        return "*" if dots[0] == row else " "
    bits = sum(_BRAILLE[x][dot % 4] for x, dot in enumerate(dots) if dot // 4 == row)
    return chr(0x2800 + bits) if bits else " "
