"""The last line of a screen: where its player can go from here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.text import Span, Text
from textual import events
from textual.binding import ActiveBinding, Binding
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip

from .card_art import Look
from .drawn import Drawn, strip_of
from .hints import Hint, inks_of, spelled

GAP = 2
WIDE = 100
"""Columns from which on there is room for every place to go; below, for :data:`FEW`."""
FEW = 5
VERB = Binding.Group("verbs")
"""The keys of deeds: they stand in the hint line, in the order of their bindings."""
OUT = Binding.Group("out")
"""The key that leads out of a screen: it stands at the right edge."""
ORDER = ("advice", "odds", "trainer", "help", "statistics", "settings", "tables", "again")
"""The ids of keys, as they end, in the order in which they stand; what a screen adds comes after
them."""


class KeyBar(Drawn):
    """The keys of the screen's bindings that are no deeds, one for each action; a click is the key.

    Textual's own footer makes its parts anew each time a key is greyed; this repaints the
    entries that differ. What does not fit is left out, but not the way out. ``verbs`` is told the
    others each time, and all keys that do something. ``order`` is that of the ends of their ids,
    and ``few`` of them stand in a window that is not wide.
    """

    DEFAULT_CSS = "KeyBar { dock: bottom; width: 1fr; height: 1; }"

    def __init__(
        self,
        verbs: Callable[[tuple[Hint, ...], frozenset[str]], None] = lambda hints, keys: None,
        order: Sequence[str] = ORDER,
        few: int = FEW,
    ) -> None:
        super().__init__()
        self._verbs, self._order, self._few = verbs, order, few
        self._entries: tuple[Hint, ...] = ()
        self._out: Hint | None = None

    def on_mount(self) -> None:
        """Follow the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def on_unmount(self) -> None:
        """Follow them no more."""
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _follow(self, screen: Screen[object]) -> None:
        if not self.is_attached or not self.app.app_focus:
            return
        every = screen.active_bindings
        shown = [active for active in every.values() if active.binding.show]
        verbs = self._hints(active for active in shown if active.binding.group == VERB)
        self._verbs(verbs, frozenset(key for key, active in every.items() if active.enabled))
        others = [active for active in shown if active.binding.group not in (VERB, OUT)]
        out = self._hints(active for active in shown if active.binding.group == OUT)
        others.sort(key=lambda active: place_of(active, self._order))
        entries = self._hints(others), out[0] if out else None
        if entries != (self._entries, self._out):
            before = {*self.placed()}
            self._entries, self._out = entries
            changed = before ^ {*self.placed()}
            self.refresh(*(Region(x, 0, entry.width, 1) for x, entry in changed))

    def _hints(self, active: Iterable[ActiveBinding]) -> tuple[Hint, ...]:
        found: dict[str, Hint] = {}
        for _, binding, enabled, _ in active:
            if binding.action not in found:
                display = self.app.get_key_display(binding)
                found[binding.action] = Hint(
                    binding.key, display, binding.description, enabled, binding.action
                )
        return tuple(found.values())

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The entries, also those for which there is no room; the way out is the last."""
        return self._entries if self._out is None else (*self._entries, self._out)

    def placed(self) -> Iterator[tuple[int, Hint]]:
        """Give the entries that fit, each with the column where it begins."""
        width, out = self.size.width, self._out
        room = width - 1 - (out.width + GAP if out else 0)
        x = 1
        for entry in self._entries if width >= WIDE else self._entries[: self._few]:
            if x + entry.width > room:
                break
            yield x, entry
            x += entry.width + GAP
        if out is not None and width - 1 - out.width > 0:
            yield width - 1 - out.width, out

    def _shown(self) -> object:
        return (*self.placed(),)

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, text, spans = inks_of(look.palette), "", list[Span]()
        for x, entry in self.placed():
            text = text.ljust(x)
            key = x + len(entry.display)
            text += f"{entry.display} {entry.words}"
            if entry.enabled:
                spans += [Span(x, key, inks.gold), Span(key, len(text), inks.text)]
            else:
                spans.append(Span(x, len(text), inks.faint))
        text = spelled(text, look.tier).ljust(area.width)
        yield strip_of(Text(text, spans=spans, no_wrap=True, end=""))

    def on_click(self, event: events.Click) -> None:
        """Press the key of the entry."""
        for x, entry in self.placed():
            if x <= event.x < x + entry.width:
                self.app.simulate_key(entry.key)


def place_of(active: ActiveBinding, order: Sequence[str] = ORDER) -> int:
    """Give the place of a key among those of the footer."""
    name = (active.binding.id or "").rpartition(".")[2]
    return order.index(name) if name in order else len(order)


def digit_bindings(count: int, action: str, words: str, name: str, first: int = 1) -> list[Binding]:
    """Give the bindings of the digits up to ``count``, one deed that is shown once.

    They do ``action`` with a number from ``first`` on, and their ids are ``name`` with the digit.
    """
    return [
        Binding(
            str(digit),
            f"{action}({digit - 1 + first})",
            words,
            show=digit == 1,
            key_display=f"1-{count}",
            id=f"{name}{digit}",
            group=VERB,
        )
        for digit in range(1, count + 1)
    ]
