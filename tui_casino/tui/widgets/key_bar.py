"""The key bar: the last line of a screen, with the keys that lead to other screens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from textual import events
from textual.binding import ActiveBinding, Binding
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip

from ...structs import replace
from ..draw.look import Look, line_styles_of
from ..draw.segments import LineBuilder
from .base_screen import BaseScreen
from .hint_line import Hint, mark_disabled
from .line_widget import LineWidget, look_of

GAPS = (2, 1)
"""Columns between two entries, usually and if space is short."""
VERB = Binding.Group("verbs")
"""The binding group of actions; they are in the hint line, in the order of their bindings."""
OUT = Binding.Group("out")
"""The key that leaves a screen; it is at the right edge."""
BACK = "Back"
"""The words of a key that returns to the screen below; the key bar names that screen."""
ORDER = ("advice", "odds", "trainer", "help", "statistics", "settings", "tables")
"""The order of keys, by the last part of their ids; a screen's additional keys come after them."""
BRIEF = {"Statistics": "Stats", "Settings": "Setup"}
"""Shorter names for narrow windows."""
BARE = ("settings", "tables")
"""Keys shown without a name if even the short names do not fit; the help page explains them."""


class KeyBar(LineWidget):
    """The keys of the screen's bindings that are not in the hint line; a click presses the key.

    Textual's own footer rebuilds its parts each time a key is greyed out; this widget repaints only
    the entries that differ. If space is short, names are shortened first. Then the screen's
    additional keys are left out, but never the key to leave. ``verbs`` is called with the hints of
    the other bindings and with all active keys. ``order`` lists the last parts of the bindings' ids
    in the order of the keys.
    """

    DEFAULT_CSS = "KeyBar { dock: bottom; width: 1fr; height: 1; }"

    def __init__(
        self,
        verbs: Callable[[tuple[Hint, ...], frozenset[str]], None] = lambda hints, keys: None,
        order: Sequence[str] = ORDER,
    ) -> None:
        super().__init__()
        self._verbs, self._order = verbs, order
        self._entries: tuple[Hint, ...] = ()
        self._usual = 0
        self._bare = frozenset[str]()
        self._out: Hint | None = None

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def on_unmount(self) -> None:
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _follow(self, screen: Screen[object]) -> None:
        if not self.is_attached or (self._entries and not self.app.app_focus):
            return  # without focus, the keys of the focused widget would be missing
        every = screen.active_bindings
        shown = [active for active in every.values() if active.binding.show]
        verbs = self._hints(active for active in shown if active.binding.group == VERB)
        self._verbs(verbs, frozenset(key for key, active in every.items() if active.enabled))
        others = [active for active in shown if active.binding.group not in (VERB, OUT)]
        out = self._hints(active for active in shown if active.binding.group == OUT)
        if isinstance(screen, BaseScreen):
            others = [active for active in others if not screen.hides_key(active.binding.action)]
            if out and out[0].words == BACK:
                out = (replace(out[0], words=screen.way_back or BACK),)
        others.sort(key=lambda active: footer_place(active, self._order))
        entries = self._hints(others), out[0] if out else None
        if entries != (self._entries, self._out):
            before = {*self.placed()}
            self._entries, self._out = entries
            usual = [
                active for active in others if footer_place(active, self._order) < len(self._order)
            ]
            self._usual = len(self._hints(usual))
            self._bare = frozenset(one.binding.action for one in others if _ends(one) in BARE)
            changed = before ^ {*self.placed()}
            self.refresh(*(Region(x, 0, entry.width, 1) for x, entry in changed))

    def _hints(self, active: Iterable[ActiveBinding]) -> tuple[Hint, ...]:
        hints: dict[str, Hint] = {}
        for _, binding, enabled, _ in active:
            if binding.action not in hints:
                display = self.app.get_key_display(binding)
                hints[binding.action] = Hint(
                    binding.key, display, binding.description, enabled, binding.action
                )
        return tuple(hints.values())

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The entries, including those that do not fit; the key to leave is the last."""
        return self._entries if self._out is None else (*self._entries, self._out)

    def placed(self) -> Iterator[tuple[int, Hint]]:
        """Yield the entries that fit, each with its first column."""
        width, out = self.size.width, self._out
        entries, gap = self._fitted(width - 2 - (out.width if out else 0), bool(out))
        x = 1
        for entry in entries:
            yield x, entry
            x += entry.width + gap
        if out is not None and width - 1 - out.width > 0:
            yield width - 1 - out.width, out

    def _fitted(self, room: int, out: bool) -> tuple[Sequence[Hint], int]:
        """Return the entries with names that fit, and the columns between them.

        All entries are shown if possible; otherwise the usual ones, then as many more as fit.
        """
        brief = [
            replace(entry, words=BRIEF.get(entry.words, entry.words)) for entry in self._entries
        ]
        bare = [
            replace(entry, words="") if entry.action in self._bare else entry for entry in brief
        ]
        look = look_of(self)
        long, brief, bare = (
            [mark_disabled(entry, look) for entry in names]
            for names in (self._entries, brief, bare)
        )
        wide, close = GAPS
        every, usual = len(self._entries), self._usual
        layouts = (
            *((names, wide, count) for count in (every, usual) for names in (long, brief)),
            *((names, close, usual) for names in (brief, bare)),
            (bare, close, 0),
        )
        return next(
            (_fill(names, count, gap, room - gap * out), gap)
            for names, gap, count in layouts
            if not count or _length(names[:count], gap) + gap * out <= room
        )

    def _shown(self) -> object:
        return (*self.placed(),)

    def _draw(self, look: Look, area: Size) -> Iterable[Strip]:
        inks, line = line_styles_of(look.palette), LineBuilder(look.tier)
        for x, entry in self.placed():
            words = f" {entry.words}".rstrip()
            line.put(x, entry.display, inks.gold if entry.enabled else inks.faint)
            line.add(words, inks.text if entry.enabled else inks.faint)
        yield line.strip(area.width)

    def on_click(self, event: events.Click) -> None:
        for x, entry in self.placed():
            if x <= event.x < x + entry.width:
                self.app.simulate_key(entry.key)


def footer_place(active: ActiveBinding, order: Sequence[str] = ORDER) -> int:
    """Return the position of a key in the key bar."""
    name = _ends(active)
    return order.index(name) if name in order else len(order)


def _ends(active: ActiveBinding) -> str:
    return (active.binding.id or "").rpartition(".")[2]


def _length(entries: Sequence[Hint], gap: int) -> int:
    return sum(entry.width for entry in entries) + gap * (len(entries) - 1)


def _fill(entries: Sequence[Hint], minimum: int, gap: int, room: int) -> Sequence[Hint]:
    """Return the first ``minimum`` entries, and as many more as fit."""
    count = minimum
    while count < len(entries) and _length(entries[: count + 1], gap) <= room:
        count += 1
    return entries[:count]


def digit_bindings(count: int, action: str, words: str, name: str, first: int = 1) -> list[Binding]:
    """Return bindings for the digits up to ``count``, which the key list shows as one entry.

    Digit 1 calls ``action`` with ``first``, and so on. Their ids are ``name`` with the digit.
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
