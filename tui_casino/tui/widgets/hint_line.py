"""The hint line of a screen at which nothing is typed: what can be done, and why a key cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from textual import events
from textual.binding import ActiveBinding
from textual.geometry import Size
from textual.strip import Strip

from ..draw.styles import Look
from .hint_strips import (
    Hint,
    HintMessage,
    StrayInput,
    hints_strip,
    lead_with_action,
    place_hints,
    said_strip,
)
from .key_names import key_name_of_binding, pressed_key_name
from .line_widget import LineWidget


class HintScreen(Protocol):
    """A screen with a hint line, which names the actions of its keys."""

    def hint_label(self, action: str, /) -> str | None:
        """Return the present name of an action, if its binding has another one.

        An empty name hides the action.
        """

    def why_not(self, action: str, /) -> str:
        """Say why the action of a greyed key cannot be done."""


class HintLine(LineWidget):
    """The deeds of a screen by their keys; a click on one is its key.

    The screen's :class:`~.key_bar.KeyBar` tells the deeds to :meth:`hint`, and the screen's own
    ``on_key`` hands every key to :meth:`heed`: what was said in place of the hints goes, and a key
    that does nothing is told why. A letter that does nothing opens words, as at a table, and all of
    them are refused. The screen gives the present names of actions, and the reasons why they cannot
    be done (:class:`HintScreen`). :attr:`more` stands in grey behind the hints.

    A screen has it over its key bar, below a part that takes all the height there is::

        yield HintLine()
        yield KeyBar(lambda *told: self.query_one(HintLine).hint(*told))
    """

    def __init__(
        self,
        lead: str = "",
    ) -> None:
        super().__init__()
        self._lead = lead
        self._told: tuple[Hint, ...] = ()
        self._able: frozenset[str] = frozenset()
        self._said: HintMessage | None = None
        self._stray = StrayInput()
        self._more = ""
        self._drew: object = None

    # ---- what it shows --------------------------------------------------------------------

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str] = frozenset()) -> None:
        """Show what can be done now; the action that leads comes first, if it can be done.

        ``keys`` are all that do something.
        """
        self._told, self._able = hints, keys
        self.name_again()

    def name_again(self) -> None:
        """Show the hints by what they are called now."""
        if self.is_attached and self._drew != (now := self._shown()):
            self._drew = now
            self.refresh()

    def tell(self, said: HintMessage | None) -> None:
        """Show this in place of the hints, until a key is pressed."""
        self._said = said
        self.name_again()

    @property
    def more(self) -> str:
        """What stands in grey behind the hints, if there is room."""
        return self._more

    @more.setter
    def more(self, text: str) -> None:
        self._more = text
        self.name_again()

    @property
    def hints(self) -> tuple[Hint, ...]:
        """What can be done now, by what it is called, as it stands in the line."""
        owner = cast(HintScreen, self.screen)
        renamed = (
            hint if (words := owner.hint_label(hint.action)) is None else hint._replace(words=words)
            for hint in self._told
        )
        return lead_with_action((hint for hint in renamed if hint.words), self._lead)

    @property
    def said(self) -> HintMessage | None:
        """What stands in place of the hints."""
        return self._said

    def _shown(self) -> object:
        return self._said or (self.hints, self._more)

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        if self._said is not None:
            yield said_strip(self._said, area.width, look)
        else:
            yield hints_strip(self.hints, area.width, look, self._more)

    # ---- keys and the mouse ---------------------------------------------------------------

    def heed(self, event: events.Key) -> bool:
        """Clear what was said; tell of a key that does nothing now, or that is none here.

        A key that belongs to words, or that only clears a refusal, goes no further: then true.
        """
        refused = self._said is not None and self._said.mark == "refused"
        active = self.screen.active_bindings
        found = [active[key] for key in event.aliases if key in active]
        acts = not self._able.isdisjoint(event.aliases) or any(one.enabled for one in found)
        begun = bool(self._stray.text)
        if (takes := self._stray.takes(event, known=acts)) and begun:
            self.refuse_words(self._stray.text)
        elif acts:
            self.tell(None)
            if refused and event.key == "escape":
                event.stop()
                return True
        elif found:
            self._refuse(pressed_key_name(event), found[0])
        else:
            ways = ", ".join(f"{hint.display} {hint.words}" for hint in self.hints)
            right = f"{helps} lists them" if (helps := key_name_of_binding(self, ".help")) else ways
            self.tell(HintMessage("refused", pressed_key_name(event), "no such key here.", right))
        return takes

    def refuse_words(self, words: str) -> None:
        """Say that words do nothing here, up to Enter or Escape; nothing once there are none."""
        self._stray.text = words
        self.tell(HintMessage("refused", self._stray.shown, *StrayInput.WHY) if words else None)

    def _refuse(self, key: str, active: ActiveBinding) -> None:
        binding = active.binding
        why = (
            cast(HintScreen, self.screen).why_not(binding.action)
            or f"{binding.description}: not now."
        )
        self.tell(HintMessage("refused", key, why))

    def placed(self) -> Iterator[tuple[int, Hint]]:
        """Give the hints that fit, each with the column where it begins."""
        yield from place_hints(self.hints, self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Press the key of the hint that was clicked on."""
        if self._said is not None:
            self._stray.text = ""
            self.tell(None)
            return
        for place, (x, hint) in enumerate(self.placed()):
            if x <= event.x < x + hint.width + 2 * (place == 0):
                self.app.simulate_key(hint.key)
