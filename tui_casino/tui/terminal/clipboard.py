r"""Copy text to the clipboard of the player's terminal, by OSC 52.

https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h3-Operating-System-Commands has the form.
No terminal answers: whether it took the text, nobody knows. Nothing here imports Textual.

>>> copy_sequence("A♠", Clipboard.PLAIN)
'\x1b]52;c;QeKZoA==\x07'
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from enum import Enum

LONGEST = 4096
"""Bytes of a text, before they are made longer by a third: a path is no longer, on Linux."""

_PIECE = 200
"""Bytes that GNU screen hands on at once; its buffer has 256 in older versions."""
_NONE = re.compile(r"(|dumb|unknown|linux(-.*)?|cons25|vt[1-5]\d\d)$")


class Clipboard(Enum):
    """How a terminal is told: as it is, through tmux, through GNU screen, or not at all."""

    NONE = "none"
    PLAIN = "plain"
    TMUX = "tmux"
    SCREEN = "screen"


def detect_clipboard(environ: Mapping[str, str]) -> Clipboard:
    """Tell how the terminal of an environment is told; over SSH only TERM is there to go by."""
    term = environ.get("TERM", "").strip().lower()
    if _NONE.match(term):
        return Clipboard.NONE
    if environ.get("TMUX") or term.startswith("tmux"):
        return Clipboard.TMUX
    if environ.get("STY") or term.startswith("screen"):
        return Clipboard.SCREEN
    return Clipboard.NONE if environ.get("TERM_PROGRAM") == "Apple_Terminal" else Clipboard.PLAIN


def copy_sequence(text: str, clipboard: Clipboard) -> str:
    """Give what hands a text to a terminal's clipboard; nothing for one that has none.

    tmux takes the bare form where ``set-clipboard`` is on, and the wrapped one where
    ``allow-passthrough`` is; what it does not take it drops. GNU screen takes the wrapped one
    only. Raises ``ValueError`` for a text longer than :data:`LONGEST`.
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
