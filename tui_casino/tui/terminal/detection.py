"""Detect the colours, glyphs and clipboard of the terminal, and configure Textual for them.

Nothing here imports Textual, which reads the number of colours only once, on import.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from enum import Enum

from msgspec import Struct

from ...cards.text_art import GlyphSet as GlyphSet

_NONE = re.compile(r"(|dumb|unknown|linux(-.*)?|cons25|vt[1-5]\d\d)$")


class Clipboard(Enum):
    """The ways to send the sequence to the terminal, if it accepts one."""

    NONE = "none"
    PLAIN = "plain"
    TMUX = "tmux"
    SCREEN = "screen"


def detect_clipboard(environ: Mapping[str, str]) -> Clipboard:
    """Detect from an environment how to reach the clipboard; over SSH only TERM is available."""
    term = environ.get("TERM", "").strip().lower()
    if _NONE.match(term):
        return Clipboard.NONE
    if environ.get("TMUX") or term.startswith("tmux"):
        return Clipboard.TMUX
    if environ.get("STY") or term.startswith("screen"):
        return Clipboard.SCREEN
    return Clipboard.NONE if environ.get("TERM_PROGRAM") == "Apple_Terminal" else Clipboard.PLAIN


class ColourDepth(Enum):
    """The number of colours of a terminal."""

    TRUE = "truecolor"
    MANY = "256"
    FEW = "16"
    NONE = "none"


class TerminalCapabilities(Struct, frozen=True):
    """The capabilities of a terminal: colours, glyphs, clipboard and mouse.

    The keys of a ``remote`` terminal come over SSH, sometimes in two pieces.
    """

    colours: ColourDepth
    tier: GlyphSet
    clipboard: Clipboard = Clipboard.NONE
    mouse: bool = True
    remote: bool = False


# Over SSH only TERM says what these terminals can do; Rich assumes 16 colours for most.
_TRUE_TERMS = (
    *("alacritty", "contour", "foot", "ghostty", "rio", "wezterm"),
    *("xterm-ghostty", "xterm-kitty"),
)
_TRUE_PROGRAMS = (
    *("ghostty", "hyper", "iterm.app", "mintty", "rio", "vscode", "warpterminal", "wezterm"),
)
_COLOURLESS_TERMS = re.compile(r"(dumb|unknown)$|vt[12]\d\d|.*-(m|mono)$")


def detect(
    environ: Mapping[str, str],
    encoding: str,
    *,
    ascii_only: bool = False,
    no_colour: bool = False,
    colour: bool = False,
) -> TerminalCapabilities:
    """Detect what a terminal can show, from its environment and the encoding of its output.

    The encoding is that of standard error, where Textual writes. ``no_colour`` overrides
    everything. ``colour`` overrides a ``NO_COLOR`` that is set and not empty (see
    https://no-color.org), and assumes true colour unless the terminal is known to have 256 or 16.
    The Linux console has the glyphs of code page 437. The mouse stays off in GNU screen, which with
    mouse reports would hold back an Escape until the next key.
    """
    term = environ.get("TERM", "").strip().lower()
    if ascii_only or not _is_utf8(encoding) or not _locale_is_utf8(environ):
        tier = GlyphSet.ASCII
    else:
        tier = GlyphSet.CP437 if term == "linux" else GlyphSet.UNICODE
    colourless = no_colour or (environ.get("NO_COLOR") and not colour)
    colours = ColourDepth.NONE if colourless else _colours(environ, term, colour)
    return TerminalCapabilities(
        colours,
        tier,
        detect_clipboard(environ),
        mouse=not _is_gnu_screen(environ, term),
        remote=bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY")),
    )


def prepare(terminal: TerminalCapabilities, environ: MutableMapping[str, str]) -> bool | None:
    """Set the environment for Textual to match the terminal; return the app's ``ansi_color``.

    Call this before Textual is imported. By itself, Textual treats an empty ``NO_COLOR`` as set.
    Without ``ansi_color=True`` it then also uses shades of grey, in which a theme that leaves its
    colours to the terminal is black on black.
    """
    environ.pop("NO_COLOR", None)
    systems = {ColourDepth.TRUE: "truecolor", ColourDepth.MANY: "256"}
    environ["TEXTUAL_COLOR_SYSTEM"] = systems.get(terminal.colours, "standard")
    if terminal.colours is not ColourDepth.NONE:
        return None
    environ["NO_COLOR"] = "1"
    return True


def _colours(environ: Mapping[str, str], term: str, forced: bool) -> ColourDepth:
    if term == "linux":
        return ColourDepth.FEW  # the console accepts more colours, and rounds them to these
    if _is_gnu_screen(environ, term):
        return ColourDepth.MANY if "256color" in term else ColourDepth.FEW
    if _COLOURLESS_TERMS.match(term) and not forced:
        return ColourDepth.NONE
    if _has_all_colours(environ, term):
        return ColourDepth.TRUE
    if "256color" in term:
        return ColourDepth.MANY
    if forced:
        return ColourDepth.TRUE
    return ColourDepth.FEW if term else ColourDepth.NONE


def _is_gnu_screen(environ: Mapping[str, str], term: str) -> bool:
    """Detect GNU screen, which passes COLORTERM on but misreads 24-bit colours.

    tmux has also called itself ``screen``, and reads them correctly.
    """
    return term.startswith("screen") and ("STY" in environ or "TMUX" not in environ)


def _has_all_colours(environ: Mapping[str, str], term: str) -> bool:
    return (
        environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit")
        or term.endswith("-direct")
        or term.startswith(_TRUE_TERMS)
        or environ.get("TERM_PROGRAM", "").lower() in _TRUE_PROGRAMS
        or environ.get("LC_TERMINAL") == "iTerm2"  # SSH passes this on, unlike TERM_PROGRAM
        or bool(environ.get("WT_SESSION"))  # Windows Terminal
    )


def _locale_is_utf8(environ: Mapping[str, str]) -> bool:
    """Return whether the locale allows UTF-8; a locale without an encoding does.

    Python itself sets LC_CTYPE to C.UTF-8 if the locale is C, so LANG decides in that case.
    """
    ctype, lang = environ.get("LC_CTYPE", ""), environ.get("LANG", "")
    if ctype == "C.UTF-8":
        ctype = lang
    locale = environ.get("LC_ALL") or ctype or lang
    encoding = locale.partition(".")[2].partition("@")[0]
    return locale not in ("C", "POSIX") and (not encoding or _is_utf8(encoding))


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("-", "").replace("_", "") in ("utf8", "utf8sig")
