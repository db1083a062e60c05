"""Make the web client's font from DejaVu: ``python packaging/web_font.py FOLDER_OF_DEJAVU``.

This needs fonttools and brotli. The font keeps the characters that the program draws: Latin, Greek,
Cyrillic, lines, blocks, arrows and suits. DejaVu Sans Mono lacks the Braille patterns that plots
use, so this program draws them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

OUT = Path(__file__).parent.parent / "tui_casino" / "host" / "web" / "page" / "vendor"
KEPT = (
    *range(0x20, 0x17F),
    *range(0x250, 0x2B0),
    *range(0x370, 0x530),
    *range(0x530, 0x590),
    *range(0x2010, 0x2040),
    *range(0x2070, 0x20A0),
    *range(0x20A0, 0x20D0),
    *range(0x2150, 0x2400),
    *range(0x2460, 0x2800),
)
DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Column and row of each dot in a pattern, in bit order (section 21.1 of the Unicode standard)."""


def main(folder: str) -> None:
    """Write the regular and the bold font."""
    for source, target in (
        ("DejaVuSansMono.ttf", "casino-mono.woff2"),
        ("DejaVuSansMono-Bold.ttf", "casino-mono-bold.woff2"),
    ):
        font = TTFont(Path(folder) / source)
        options = Options(hinting=False, layout_features=[], name_IDs=[0, 1, 2, 13, 14])
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=KEPT)
        subsetter.subset(font)
        draw_braille(font)
        font.flavor = "woff2"
        font.save(OUT / target)


def draw_braille(font: TTFont) -> None:
    """Add the 256 patterns, whose grid continues from one cell to the next."""
    width = font["hmtx"]["A"][0]
    top, bottom = font["hhea"].ascent, font["hhea"].descent
    across, down = width / 2, (top - bottom) / 4
    half = across * 0.28
    order = font.getGlyphOrder()
    for bits in range(256):
        pen = TTGlyphPen(None)
        for bit, (column, row) in enumerate(DOTS):
            if bits >> bit & 1:
                x, y = (column + 0.5) * across, top - (row + 0.5) * down
                pen.moveTo((round(x - half), round(y)))
                for dx, dy in ((0, half), (half, 0), (0, -half)):
                    pen.lineTo((round(x + dx), round(y + dy)))
                pen.closePath()
        name = f"uni{0x2800 + bits:04X}"
        order.append(name)
        font["glyf"].glyphs[name] = pen.glyph()
        font["hmtx"][name] = (width, 0)
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[0x2800 + bits] = name
    font.setGlyphOrder(order)
    font["glyf"].glyphOrder = order


main(sys.argv[1])
