"""The base of live tables and replays: the layout around a game's view, and pages of figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from msgspec.structs import astuple
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from ...engine.game import A, E, O, S
from ...gamekit.tally import T
from ...gamekit.words import QuestionContext
from ...structs import replace
from ..theme import sheets_of
from ..widgets.base_screen import BaseScreen
from ..widgets.hint_line import Hint
from ..widgets.key_bar import KeyBar
from ..widgets.line_widget import BlankWidget
from ..widgets.lists import ChoiceListView
from ..widgets.title_bar import Note, TitleBar
from ..window import open_over
from .background_tasks import BackgroundTasks
from .face import Face
from .lazy import modals, statistics_screen
from .snapshot import ContentLike, FiguresPage, SeatTotals, TableInfo, TableSnapshot
from .view import SelectionChanged, TableView

Result = TypeVar("Result")
STATISTICS = ("s", "stats")
"""The command words that request statistics."""


class TableScreen(BaseScreen, Screen[Result], BlankWidget, Generic[Result, O, S, A, E, T]):
    """A game's view between title and keys; :meth:`apply_update` passes states and events to it."""

    SCOPED_CSS = False
    folder: Path | None = None
    """The player's own folder, if there is one; files are read from it and exported to it."""

    def __init__(
        self,
        title: str,
        face: Face[O, S, A, E, T],
        info: TableInfo[O, S, A, E, T],
        seen: S,
        tally: T,
    ) -> None:
        super().__init__()
        self.place = title
        self.css_path = [*sheets_of(info.definition.game.slug), *self.css_path]
        self.name_of_game, self.face, self.info, self.definition = (
            title,
            face,
            info,
            info.definition,
        )
        self.view: TableView[O, S, A, E, T] = face.view(info, seen, tally)
        self.view.totals = SeatTotals(bankroll=(self._dollars(seen),))
        self.tasks = BackgroundTasks(self)
        self._has_left = False
        self._heading: tuple[str, tuple[Note, ...]] = self.subtitle(), self.notes()

    # ---- layout ---------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the parts that all tables have around the game's view."""
        self.title_bar = TitleBar(self.name_of_game, self._heading[0], *self._heading[1])
        yield self.title_bar
        self.view.bottom_line = self.bottom_line()
        yield self.view
        yield KeyBar(self.hint)

    def subtitle(self) -> str:
        return self.view.subtitle()

    def notes(self) -> tuple[Note, ...]:
        return self.view.notes()

    def hint(self, hints: tuple[Hint, ...], keys: frozenset[str]) -> None:
        """Show what the player can do now; ``keys`` holds all active keys."""

    def bottom_line(self) -> Widget:
        """Return the widget above the key bar."""
        raise NotImplementedError

    # ---- content of the command palette ---------------------------------------------------

    @property
    def current_hints(self) -> tuple[Hint, ...]:
        """The current hints, with the current names of their actions."""
        return ()

    @property
    def other_tables(self) -> Mapping[str, str]:
        """The titles of the game's other tables, by name."""
        return {}

    def sit_at(self, name: str) -> None:
        """Change to one of the other tables."""

    def binding_label(self, action: str) -> str | None:
        """Return the current name of a binding's action, or ``None`` for the binding's own name."""
        return None

    def on_mount(self) -> None:
        self.open_table()

    def open_table(self) -> None:
        """Begin to show the table."""
        raise NotImplementedError

    def on_resize(self) -> None:
        """Redraw once the new size is known, and update the panel if it is visible."""
        self.call_after_refresh(self._show_again)
        self.refresh_panel()

    def _show_again(self) -> None:
        self.view.present(self.view.seen)
        self.describe()

    def on_choice_list_view_chosen(self, message: ChoiceListView.Chosen) -> None:
        """Press the key of a choice that was clicked in the trainer's list, or mark its cards."""
        view = self.view
        ranking = view.rank_choices() if view.weighs else None
        if ranking is None or message.place >= len(ranking.choices):
            return
        choice = ranking.choices[message.place]
        if choice.key:
            self.app.simulate_key(choice.key)
        elif view.open_slot() is not None:
            if view.message.is_warning:
                view.show_prompt(view.seen)
            (view.selection,) = astuple(choice.actions[0])  # type: ignore[arg-type]
            view.show_selection()
            view.request(SelectionChanged())

    @property
    def is_alive(self) -> bool:
        return self.is_attached and not self._has_left

    # ---- updating the view ----------------------------------------------------------------

    def reset_view(self, seen: S, tally: T) -> None:
        """Reset the view to this state, as if no events had preceded it."""
        view = self.view
        view.seen, view.tally = seen, tally
        view.rest, view.last_round = view.worth(seen), None
        view.totals = replace(view.totals, bankroll=(self._dollars(seen),))
        view.reset()

    def apply_update(self, seen: S, tally: T, events: Iterable[E]) -> None:
        """Pass events and the new state to the view; nothing is drawn."""
        view = self.view
        ended = tally.rounds > view.tally.rounds
        view.seen, view.tally = seen, tally
        for event in events:
            view.apply_event(event)
        if ended:
            before, view.rest = view.rest, view.worth(seen)
            view.last_round = view.rest - before
            view.totals = view.totals.with_bankroll(self._dollars(seen))

    def _dollars(self, seen: S) -> int:
        return self.definition.game.unit * self.view.worth(seen) // 100

    def describe(self) -> None:
        """Update the title if the view's texts for it have changed."""
        self.title_bar.head(self.view.column_heads())
        described = self.subtitle(), self.notes()
        if described != self._heading:
            self._heading = described
            self.title_bar.describe(described[0], *described[1])

    # ---- figures --------------------------------------------------------------------------

    @property
    def panel_shown(self) -> bool:
        return self.view.panel is not None and self.view.panel.display

    def refresh_panel(self) -> None:
        """Update the panel if it is visible."""
        if not self.panel_shown:
            return
        snapshot, sections = self.view.snapshot(), self.face.panel

        def write() -> list[ContentLike]:
            return [section.write(snapshot) for section in sections]

        self.tasks.run("panel", write, self._write_panel, self._is_current(snapshot))

    def _write_panel(self, written: list[ContentLike]) -> None:
        if (panel := self.view.panel) is not None:
            for section, text in zip(self.face.panel, written, strict=True):
                panel.put(section.title, text, tail=section.tail)

    def _is_current(self, snapshot: TableSnapshot[S, A, T]) -> Callable[[], bool]:
        """Return a function that checks whether the table is still in the same state."""
        view = self.view
        return lambda: (
            self.is_alive and (view.seen, view.selection) == (snapshot.view, snapshot.selection)
        )

    def action_figures(self) -> None:
        figures = self.face.pages.figures
        if figures is None:
            return
        snapshot = self.view.snapshot()
        self.show_working()
        self.tasks.run(
            "figures", lambda: figures(snapshot), self._show_figures, self._is_current(snapshot)
        )

    def action_table_odds(self) -> None:
        odds = self.face.pages.odds
        snapshot = self._report_snapshot()
        if odds is not None:
            self.tasks.run(
                "table odds", lambda: tuple(odds(snapshot)), self._show_odds, lambda: self.is_alive
            )

    def _report_snapshot(self) -> TableSnapshot[S, A, T]:
        """Return the snapshot for a page of figures, which is plain where bars cannot be drawn."""
        plain = self.app.has_class("-ascii") or self.app.has_class("-cp437")
        return replace(self.view.snapshot(), plain=plain)

    def _show_odds(self, lines: tuple[str, ...]) -> None:
        open_over(self, modals.TextPage("Odds of this table", "\n".join(lines)), aside=True)

    def show_working(self) -> None:
        """Show that a computation is running, if it may take a moment in this game."""
        if self.face.advice.working:
            self.view.say(self.face.advice.working)

    def end_working(self) -> None:
        """Replace the note that a computation is running with the prompt."""
        if self.face.advice.working:
            self.view.show_prompt(self.view.seen)

    def _show_figures(self, figures: FiguresPage) -> None:
        if figures.lines:
            self.end_working()
            page = modals.OddsWindow(
                figures.title, "\n".join(figures.lines), self.view.evaluated_cards
            )
            open_over(self, page, aside=True)
        else:
            self.view.say(figures.title)

    def action_statistics(self) -> None:
        snapshot, statistics = self._report_snapshot(), self.face.pages.statistics
        if statistics is not None:
            page = statistics(snapshot)
            slug, bankroll = self.definition.game.slug, snapshot.totals.bankroll
            unit = "cents" if self.definition.game.unit == 1 else "credits"
            if not page.for_money:
                unit = "points"
            window = statistics_screen.StatisticsScreen(slug, page, bankroll, self.folder, unit)
            open_over(self, window, aside=True)
            return
        word = next(word for word in STATISTICS if word in self.definition.words.questions)
        text = self.definition.words.questions[word](
            QuestionContext(snapshot.view, snapshot.seat, snapshot.tally)
        )
        open_over(self, modals.TextPage("Statistics", text or ""), aside=True)
