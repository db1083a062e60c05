r"""Copy text to the clipboard of the player's terminal with OSC 52.

https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h3-Operating-System-Commands describes the
sequence. Terminals do not answer, so it is unknown whether the text was accepted. Nothing here
imports Textual.

>>> copy_sequence("A♠", Clipboard.PLAIN)
'\x1b]52;c;QeKZoA==\x07'
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from enum import Enum

LONGEST = 4096
"""The maximum size of a text, in bytes before base64 encoding; no Linux path is longer."""

_PIECE = 200
"""The number of bytes that GNU screen passes on together; older versions have a buffer of 256."""
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


def copy_sequence(text: str, clipboard: Clipboard) -> str:
    """Return the sequence that copies a text, or an empty string for a terminal without clipboard.

    tmux accepts the bare form if ``set-clipboard`` is on, and the wrapped one if
    ``allow-passthrough`` is on; it drops the other. GNU screen accepts only the wrapped form.
    Raises ``ValueError`` for a text longer than :data:`LONGEST`.
    """
    raw = text.encode(errors="replace")
    if len(raw) > LONGEST:
        raise ValueError(f"{len(raw):,} bytes are too many to copy: {LONGEST:,} at most")
    bare = f"\x1b]52;c;{b64encode(raw).decode()}\x07"
    match clipboard:
        case Clipboard.NONE:
            return ""
        case Clipboard.PLAIN:
            return bare
        case Clipboard.TMUX:
            doubled = bare.replace("\x1b", "\x1b\x1b")
            return f"{bare}\x1bPtmux;{doubled}\x1b\\"
        case Clipboard.SCREEN:
            pieces = (bare[at : at + _PIECE] for at in range(0, len(bare), _PIECE))
            return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
