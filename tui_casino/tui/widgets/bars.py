"""One-line parts of a screen: the title, and what the house says."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from .texts import Text

MARKS = {"win": ("★ ", " ★"), "bad": ("! ", "")}
PLAIN_MARKS = {"win": ("* ", " *"), "bad": ("! ", "")}


class TitleBar(Text):
    """The name of the place, what is played there, and a note that stays, such as ``practice``."""

    def __init__(self, title: str, subtitle: str = "", note: str = "") -> None:
        super().__init__()
        self._title, self._subtitle, self._note = title, subtitle, note

    def on_mount(self) -> None:
        """Write the title once."""
        self.describe(self._subtitle)

    def describe(self, subtitle: str) -> None:
        """Write another subtitle behind the title."""
        sign = "" if self.app.has_class("-ascii") else "♠ "
        name = Content.styled(f"{sign}{self._title.upper()}", "bold $gold")
        note = (f"  {self._note}", "bold") if self._note else ""
        self.update(Content.assemble(name, note, "  ", (subtitle, "$muted")), layout=False)


class MessageLine(Text):
    """What the house says to the player, in one line."""

    def __init__(self) -> None:
        super().__init__()
        self._said: tuple[str, str] = ("", "")

    @property
    def refuses(self) -> bool:
        """Whether it says why something could not be done."""
        return self._said[1] == "bad"

    def say(self, text: str, kind: str = "") -> None:
        """Say it; ``kind`` is ``win`` or ``bad`` and marked by a sign too, not by colour alone."""
        if (text, kind) == self._said:
            return
        self._said = (text, kind)
        plain = self.app.has_class("-ascii") or self.app.has_class("-cp437")
        marks = PLAIN_MARKS if plain else MARKS
        before, after = marks.get(kind, ("", "")) if text else ("", "")
        self.set_classes(kind)
        self.update(Content(f"{before}{text}{after}"), layout=False)


def capital(text: str) -> str:
    """Begin a line with a capital letter, all other letters as they are."""
    return text[:1].upper() + text[1:]


def put(widget: Static, text: str) -> None:
    """Write a text if it is another than before, in a place whose size does not depend on it."""
    if str(widget.content) != text:
        widget.update(text, layout=False)
