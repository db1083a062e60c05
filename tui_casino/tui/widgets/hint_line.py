"""The hint line of screens without a command line: actions, and why a key is disabled."""

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

    def disabled_reason(self, action: str, /) -> str:
        """Say why the action of a greyed key cannot be done."""


class HintLine(LineWidget):
    """The actions of a screen with their keys; a click on a hint presses its key.

    The screen's :class:`~.key_bar.KeyBar` passes the hints to :meth:`hint`. The screen's own
    ``on_key`` passes every key to :meth:`process_key`, which clears the message and says why a key
    does nothing. A letter that does nothing opens a line of words, as at a table; no such line is
    accepted. The screen gives the present names of actions, and the reasons why they are disabled
    (:class:`HintScreen`). :attr:`details` follows the hints in grey.

    A screen yields it above its key bar, below a part that takes all the height there is::

        yield HintLine()
        yield KeyBar(lambda *hints: self.query_one(HintLine).hint(*hints))
    """

    def __init__(
        self,
        lead: str = "",
    ) -> None:
        super().__init__()
        self._lead = lead
        self._hints: tuple[Hint, ...] = ()
        self._able: frozenset[str] = frozenset()
        self._message: HintMessage | None = None
        self._stray = StrayInput()
        self._details = ""
        self._last_state: object = None

    # ---- what it shows --------------------------------------------------------------------

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str] = frozenset()) -> None:
        """Show what can be done now; the action that leads comes first, if it can be done.

        ``keys`` are all that do something.
        """
        self._hints, self._able = hints, keys
        self.refresh_hints()

    def refresh_hints(self) -> None:
        """Show the hints by what they are called now."""
        if self.is_attached and self._last_state != (now := self._shown()):
            self._last_state = now
            self.refresh()

    def show_message(self, message: HintMessage | None) -> None:
        """Show this in place of the hints, until a key is pressed."""
        self._message = message
        self.refresh_hints()

    @property
    def details(self) -> str:
        """What stands in grey behind the hints, if there is room."""
        return self._details

    @details.setter
    def details(self, text: str) -> None:
        self._details = text
        self.refresh_hints()

    @property
    def hints(self) -> tuple[Hint, ...]:
        """What can be done now, by what it is called, as it stands in the line."""
        owner = cast(HintScreen, self.screen)
        renamed = (
            hint if (words := owner.hint_label(hint.action)) is None else hint._replace(words=words)
            for hint in self._hints
        )
        return lead_with_action((hint for hint in renamed if hint.words), self._lead)

    @property
    def current_message(self) -> HintMessage | None:
        """What stands in place of the hints."""
        return self._message

    def _shown(self) -> object:
        return self._message or (self.hints, self._details)

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        if self._message is not None:
            yield said_strip(self._message, area.width, look)
        else:
            yield hints_strip(self.hints, area.width, look, self._details)

    # ---- keys and the mouse ---------------------------------------------------------------

    def process_key(self, event: events.Key) -> bool:
        """Clear what was said; tell of a key that does nothing now, or that is none here.

        A key that belongs to words, or that only clears a refusal, goes no further: then true.
        """
        refused = self._message is not None and self._message.mark == "refused"
        active = self.screen.active_bindings
        bindings = [active[key] for key in event.aliases if key in active]
        acts = not self._able.isdisjoint(event.aliases) or any(one.enabled for one in bindings)
        begun = bool(self._stray.text)
        if (takes := self._stray.accept(event, known=acts)) and begun:
            self.refuse_words(self._stray.text)
        elif acts:
            self.show_message(None)
            if refused and event.key == "escape":
                event.stop()
                return True
        elif bindings:
            self._refuse(pressed_key_name(event), bindings[0])
        else:
            key_list = ", ".join(f"{hint.display} {hint.words}" for hint in self.hints)
            right = (
                f"{helps} lists them" if (helps := key_name_of_binding(self, ".help")) else key_list
            )
            self.show_message(
                HintMessage("refused", pressed_key_name(event), "no such key here.", right)
            )
        return takes

    def refuse_words(self, words: str) -> None:
        """Say that words do nothing here, up to Enter or Escape; nothing once there are none."""
        self._stray.text = words
        self.show_message(
            HintMessage("refused", self._stray.visible_text, *StrayInput.REFUSAL) if words else None
        )

    def _refuse(self, key: str, active: ActiveBinding) -> None:
        binding = active.binding
        reason = (
            cast(HintScreen, self.screen).disabled_reason(binding.action)
            or f"{binding.description}: not now."
        )
        self.show_message(HintMessage("refused", key, reason))

    def placed(self) -> Iterator[tuple[int, Hint]]:
        """Give the hints that fit, each with the column where it begins."""
        yield from place_hints(self.hints, self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Press the key of the hint that was clicked on."""
        if self._message is not None:
            self._stray.text = ""
            self.show_message(None)
            return
        for place, (x, hint) in enumerate(self.placed()):
            if x <= event.x < x + hint.width + 2 * (place == 0):
                self.app.simulate_key(hint.key)
