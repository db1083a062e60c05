"""The default palettes of 16 colours in known terminals, each with its source."""

from __future__ import annotations

from typing import NamedTuple

NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
ALL = (*NAMES, *(f"bright_{name}" for name in NAMES))


class Sixteen(NamedTuple):
    """A palette (black, red and so on, then the bright ones), and the default colours."""

    name: str
    source: str
    dark: str
    bright: str
    ink: str
    ground: str

    def colours(self) -> dict[str, str]:
        """Return the colours by name as ``#rrggbb``."""
        hexes = (*self.dark.split(), *self.bright.split())
        return dict(zip(ALL, (f"#{one}" for one in hexes), strict=True))


_SCHEMES = "https://github.com/mbadolato/iTerm2-Color-Schemes/tree/master/windowsterminal"
_WINDOWS = "https://github.com/microsoft/terminal/blob/main/src/cascadia/TerminalSettingsModel/defaults.json"
SIXTEENS = (
    Sixteen(
        "xterm",
        "https://github.com/ThomasDickey/xterm-snapshots/blob/master/XTerm-col.ad",
        "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5",
        "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
        "000000",
        "ffffff",
    ),
    Sixteen(
        "Linux console",
        "https://github.com/torvalds/linux/blob/master/drivers/tty/vt/vt.c (default_red and on)",
        "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa",
        "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
        "aaaaaa",
        "000000",
    ),
    Sixteen(
        "PuTTY",
        "https://git.tartarus.org/?p=simon/putty.git;a=blob;f=settings.c (its default colours)",
        "000000 bb0000 00bb00 bbbb00 0000bb bb00bb 00bbbb bbbbbb",
        "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
        "bbbbbb",
        "000000",
    ),
    Sixteen(
        "macOS Terminal",
        "https://en.wikipedia.org/wiki/ANSI_escape_code#3-bit_and_4-bit (Terminal.app)",
        "000000 c23621 25bc24 adad27 492ee1 d338d3 33bbc8 cbcccd",
        "818383 fc391f 31e722 eaec23 5833ff f935f8 14f0f0 e9ebeb",
        "000000",
        "ffffff",
    ),
    Sixteen(
        "macOS Terminal, Basic",
        f"{_SCHEMES}/Terminal%20Basic.json",
        "000000 990000 00a600 999900 0000b2 b200b2 00a6b2 bfbfbf",
        "666666 e50000 00d900 e5e500 0000ff e500e5 00e5e5 e5e5e5",
        "000000",
        "ffffff",
    ),
    Sixteen(
        "macOS Terminal, Pro",
        f"{_SCHEMES}/Pro.json",
        "000000 990000 00a600 999900 2009db b200b2 00a6b2 bfbfbf",
        "666666 e50000 00d900 e5e500 0000ff e500e5 00e5e5 e5e5e5",
        "f2f2f2",
        "000000",
    ),
    Sixteen(
        "Windows Terminal, Campbell",
        _WINDOWS,
        "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc",
        "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
        "cccccc",
        "0c0c0c",
    ),
    Sixteen(
        "Windows Terminal, One Half Light",
        _WINDOWS,
        "383a42 e45649 50a14f c18301 0184bc a626a4 0997b3 fafafa",
        "4f525d df6c75 98c379 e4c07a 61afef c577dd 56b5c1 ffffff",
        "383a42",
        "fafafa",
    ),
)
