"""The hint line of screens without a command line: actions, and why a key is disabled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from textual import events
from textual.binding import ActiveBinding
from textual.geometry import Size
from textual.strip import Strip

from ..draw.look import Look
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
from .line_widget import LineWidget, look_of


class HintScreen(Protocol):
    """A screen with a hint line; it provides the names of the actions."""

    def hint_label(self, action: str, /) -> str | None:
        """Return an action's current name if it differs from that of its binding.

        An empty name hides the action.
        """

    def disabled_reason(self, action: str, /) -> str:
        """Return why the action of a greyed-out key is disabled."""


class HintLine(LineWidget):
    """The actions of a screen with their keys; a click on a hint presses its key.

    The screen's :class:`~.key_bar.KeyBar` passes the hints to :meth:`hint`. The screen's
    ``on_key`` passes every key to :meth:`process_key`, which clears the message and shows why a
    key does nothing. A letter that does nothing starts a stray line, as at a table; that line has
    no effect. The screen provides the current names of actions, and why they are disabled
    (:class:`HintScreen`). :attr:`details` follows the hints in grey.

    A screen yields it above its key bar, below a widget that fills the remaining height::

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

    # ---- display --------------------------------------------------------------------------

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str] = frozenset()) -> None:
        """Show what the player can do now; the leading action comes first if it is available.

        ``keys`` are all active keys.
        """
        self._hints, self._able = hints, keys
        self.refresh_hints()

    def refresh_hints(self) -> None:
        """Update the names of the hints."""
        if self.is_attached and self._last_state != (now := self._shown()):
            self._last_state = now
            self.refresh()

    def show_message(self, message: HintMessage | None) -> None:
        """Show a message instead of the hints, until a key is pressed."""
        self._message = message
        self.refresh_hints()

    @property
    def details(self) -> str:
        """The grey text after the hints, if there is room."""
        return self._details

    @details.setter
    def details(self, text: str) -> None:
        self._details = text
        self.refresh_hints()

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The current hints, with the current names of their actions."""
        owner = cast(HintScreen, self.screen)
        renamed = (
            hint if (words := owner.hint_label(hint.action)) is None else hint._replace(words=words)
            for hint in self._hints
        )
        return lead_with_action((hint for hint in renamed if hint.words), self._lead)

    @property
    def current_message(self) -> HintMessage | None:
        """The message shown instead of the hints."""
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
        """Clear the message, and show why a key does nothing; return true if the key is used up.

        A key is used up if it belongs to a stray line, or only clears a refusal.
        """
        refused = self._message is not None and self._message.mark == "refused"
        active = self.screen.active_bindings
        bindings = [active[key] for key in event.aliases if key in active]
        acts = not self._able.isdisjoint(event.aliases) or any(one.enabled for one in bindings)
        begun = self._stray.text_before(event.time)
        if (takes := self._stray.accept(event, known=acts)) and begun:
            self.refuse_words(self._stray.text_before(event.time), event.time)
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
                f"{helps} lists the keys"
                if (helps := key_name_of_binding(self, ".help"))
                else key_list
            )
            self.show_message(
                HintMessage(
                    "refused", pressed_key_name(event), "this key has no action here.", right
                )
            )
        return takes

    def refuse_words(self, words: str, time: float) -> None:
        """Show that typed words have no effect here; empty words end the message."""
        self._stray.replace(words, time)
        self.show_message(
            HintMessage("refused", self._stray.visible_text, *StrayInput.REFUSAL) if words else None
        )

    def _refuse(self, key: str, active: ActiveBinding) -> None:
        binding = active.binding
        reason = (
            cast(HintScreen, self.screen).disabled_reason(binding.action)
            or f"{binding.description}: not available now."
        )
        self.show_message(HintMessage("refused", key, reason))

    def placed(self) -> Iterator[tuple[int, Hint]]:
        """Yield the hints that fit, each with its first column."""
        yield from place_hints(self.hints, self.size.width, look_of(self))

    def on_click(self, event: events.Click) -> None:
        """Press the key of the hint that was clicked on."""
        if self._message is not None:
            self._stray.replace("", event.time)
            self.show_message(None)
            return
        for place, (x, hint) in enumerate(self.placed()):
            if x <= event.x < x + hint.width + 2 * (place == 0):
                self.app.simulate_key(hint.key)
