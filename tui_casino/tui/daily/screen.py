"""The room of the daily deal: today's games with their results, and the run of days."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ...daily.deal import day_before, day_of, deals_of
from ...daily.result_text import BEST, OTHER, PLAIN_BEST, PLAIN_OTHER
from ...daily.session import (
    DailyOverview,
    DailyResult,
    DailyTry,
    open_try,
    read_day,
    read_try,
)
from ...gamekit.registry import DEFINITIONS, listing_of, title_of
from ...house.house import House
from ...inputs.errors import BadInput
from ...inputs.numbers import count_noun
from ...structs import replace
from ..desk import ScreenDesk, run_cancellable
from ..draw.canvas import Canvas
from ..draw.look import line_styles_of
from ..draw.text import capitalize
from ..modals import ChoiceDialog
from ..replay.screen import open_replay
from ..room import ListRoom, help_binding, leave_binding
from ..table.background_tasks import BackgroundTasks
from ..terminal.detection import GlyphSet
from ..theme import sheet
from ..widgets.key_bar import VERB
from ..widgets.line_widget import CanvasWidget
from ..widgets.lists import CursorList, list_bindings, mark_cursor
from ..widgets.text_blocks import Meter, Meters, wrap_text
from ..window import ask_over
from .board_screen import DailyBoardScreen
from .result_screen import TICK, TITLE, DailyResultScreen, copy_result, next_deal_meter

HELP = """\
  space         play the game at the cursor, resume it, or show its result
  y             copy the result as a text to share; it contains no cards
  b             on a server: the boards of today, yesterday and the week
  l             yesterday's deal again: each choice with its EV
  up, down      choose a game
  Esc           back to the menu

Each day brings one deal for each game. The cards are the same for everybody \
who has the same version of the program. There is one try, without advice, \
and no choice can be taken back. Your balance does not change. The result is \
what your choices cost. The day ends at midnight UTC."""
INTRODUCTION = (
    "The same cards for everybody, one try per game. The result is what your choices cost."
)
NAME, SPACED, NARROW = 20, 15, 48
"""The column of the states, the minimum height with empty rows, and the width for all figures."""


class DailyScreen(ListRoom[None]):
    """The daily deal; with ``begin``, the game with this slug is played or shown immediately."""

    HELP_PAGE = TITLE, HELP
    CSS_PATH = [sheet("tables"), sheet("practice")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "play", "Play", id="daily.play", group=VERB),
        Binding("y", "copy", "Copy the result", id="daily.copy", group=VERB),
        Binding("b", "boards", "Boards", id="daily.boards", group=VERB),
        Binding("l", "lesson", "Yesterday's deal", id="daily.lesson", group=VERB),
        help_binding("daily"),
        leave_binding("daily"),
        *list_bindings("daily", pages=False, ends=False),
    ]

    def __init__(self, desk: ScreenDesk, begin: str = "") -> None:
        super().__init__(TITLE)
        self.desk, self._begin = desk, begin
        self._overview: DailyOverview | None = None
        self._results: dict[str, DailyResult] = {}
        self.page: DailyPage = DailyPage()
        self._meters = Meters()
        self._tasks = BackgroundTasks(self)
        self._opening = False

    @property
    def _house(self) -> House:
        """The player's house in free play."""
        return replace(self.desk.house, ledger=None)

    def compose_content(self) -> ComposeResult:
        yield self.page
        yield self._meters

    def on_mount(self) -> None:
        self._read()
        self.set_interval(TICK, self._show_meters)

    def on_screen_resume(self) -> None:
        """Show the current time to the next deal after another screen."""
        self._show_meters()

    # ---- content --------------------------------------------------------------------------

    @work(exclusive=True, group="read")
    async def _read(self, then: str = "") -> None:
        """Read the day on a thread, then the results; show the result of the game ``then``."""
        house = self._house
        try:
            overview = await asyncio.to_thread(read_day, house, DEFINITIONS)
        except BadInput as error:
            self.page.show((), {}, capitalize(f"{error}."))
            return
        if self._overview is None or overview.day != self._overview.day:
            self._results = {}
        self._overview = self.desk.daily = overview
        self._show()
        for attempt in overview.tries:
            slug = attempt.deal.slug
            if slug not in self._results and attempt.finished:
                result = await asyncio.to_thread(attempt.result)
                if result is not None:
                    self._results[slug] = result
                    self._show()
        begin, self._begin = then or self._begin, ""
        if begin:
            self.page.go_to_game(begin)
            if not then or begin in self._results:
                self.action_play()

    def _show(self) -> None:
        overview = self._overview
        assert overview is not None, "the day is read before it is shown"
        self.title_bar.describe(f"{overview.number} · {overview.day} (UTC)")
        self.page.show(overview.tries, self._results)
        self._show_meters()
        self.refresh_bindings()
        self.hints.refresh_hints()

    def _show_meters(self) -> None:
        if (overview := self._overview) is not None:
            played = Meter("played", overview.played.removesuffix(" played"))
            run = Meter("run", overview.run_text.removeprefix("run "), "gold")
            self._meters.show((played, run, next_deal_meter(self.desk)))

    @property
    def _chosen(self) -> DailyTry | None:
        return self.page.pointed

    def hint_label(self, action: str) -> str | None:
        attempt = self._chosen
        if action == "play" and attempt is not None:
            if attempt.finished:
                return "See the result"
            return "Resume" if attempt.unfinished else "Play"
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out the copy of a result that does not exist; only a server has boards."""
        if action == "boards":
            return self.desk.house.daily is not None
        if action == "lesson":
            overview = self._overview
            is_played = overview is None or overview.strip[-2] or self._has_passed(overview.day)
            return True if is_played else None
        if action == "copy":
            attempt = self._chosen
            return True if attempt is not None and attempt.deal.slug in self._results else None
        return True

    def disabled_reason(self, action: str) -> str:
        if action == "lesson":
            return "You played no deal yesterday."
        return "this deal has no result yet."

    # ---- keys -----------------------------------------------------------------------------

    @work(name="action_boards", group="open", exclusive=True)
    async def action_boards(self) -> None:
        server, overview = self.desk.house.daily, self._overview
        if server is not None and overview is not None and not self._is_new_day(overview):
            played = (one.deal.slug for one in overview.tries if one.finished)
            results = {slug: self._results.get(slug) for slug in played}
            await self.desk.show(DailyBoardScreen(server, overview.day, results))

    def action_copy(self) -> None:
        attempt, overview = self._chosen, self._overview
        if attempt is not None and overview is not None:
            copy_result(self, self._results[attempt.deal.slug], overview.run)

    def on_cursor_list_chosen(self) -> None:
        self.action_play()

    @work(name="open", group="open", exclusive=True)
    async def action_play(self) -> None:
        """Play or resume the game at the cursor, or show its result."""
        attempt, overview = self._chosen, self._overview
        if attempt is None or overview is None or self._opening or not self.is_current:
            return
        if self._is_new_day(overview):
            return
        slug = attempt.deal.slug
        if attempt.finished:
            if (result := self._results.get(slug)) is not None:
                page = DailyResultScreen(self.desk, overview, attempt, result)
                await self.desk.show(page)
            return
        self._opening = True
        try:
            session = await run_cancellable(partial(open_try, self._house, attempt.deal))
        except (BadInput, OSError) as error:
            self.refuse("space", f"{error}.")
        else:
            await self.desk.seat_try(listing_of(slug), session, partial(self._after_try, slug))
        finally:
            self._opening = False

    def _is_new_day(self, overview: DailyOverview) -> bool:
        """Return whether a new day has begun since the overview was read; if so, read it again."""
        is_new = self._has_passed(overview.day)
        if is_new:
            self._read()
        return is_new

    def _has_passed(self, day: date) -> bool:
        with suppress(BadInput):  # a clock that was set back, which reading the day reports
            return day_of(self.desk.house.clock()) != day
        return True

    def _after_try(self, slug: str, next_game: str | None) -> None:
        """Show the result of a try that has ended, or open the game that the player asked for."""
        if next_game is not None:
            self.dismiss(None)
            self.desk.open_game(next_game)
        else:
            self._read(slug)

    @work(name="action_lesson", group="open", exclusive=True)
    async def action_lesson(self) -> None:
        """Show one of yesterday's tries again, with the EV of each choice.

        A server also shows what everybody else chose.
        """
        if self._overview is None or self._is_new_day(self._overview):
            return
        day = day_before(self._overview.day)
        try:
            tries = await asyncio.to_thread(_finished_on, self._house, day)
        except BadInput as error:
            self.refuse("l", f"{error}.")
            return
        if not tries:
            self.refuse("l", self.disabled_reason("lesson"))
            return
        slug: str | None = next(iter(tries))
        if len(tries) > 1:
            names = {name: title_of(name) for name in tries}
            chosen = "" if self._chosen is None else self._chosen.deal.slug
            present = chosen if chosen in names else None
            dialog = ChoiceDialog("Yesterday's deal: which game?", names, present)
            slug = await ask_over(self, dialog)
        if slug is not None:
            try:
                if (server := self.desk.house.daily) is not None:
                    result = await asyncio.to_thread(tries[slug].result)
                    answers = await asyncio.to_thread(server.answers, day, slug)
                    if result is not None and answers:
                        page = DailyResultScreen(
                            self.desk, self._overview, tries[slug], result, answers
                        )
                        await self.desk.show(page)
                        return
                log = tries[slug].path
                self.hints.show_message(
                    await open_replay(self.desk, listing_of(slug), log, key="l", at_mistake=True)
                )
            except BadInput as error:
                self.refuse("l", f"{error}.")


def _finished_on(house: House, day: date) -> dict[str, DailyTry]:
    """Return the finished tries of a day, by the slug of the game."""
    tries = (read_try(house, deal) for deal in deals_of(day, DEFINITIONS, house.daily))
    return {one.deal.slug: one for one in tries if one.finished}


class DailyPage(CursorList[DailyTry], CanvasWidget):
    """Today's games with their states."""

    def __init__(self) -> None:
        super().__init__(id="daily-page")
        self._results: Mapping[str, DailyResult] = {}
        self._note, self._tops = "one moment …", range(0)

    def show(
        self, tries: Sequence[DailyTry], results: Mapping[str, DailyResult], note: str = ""
    ) -> None:
        """Show these tries, or a note instead of them."""
        self.rows, self._results, self._note = tuple(tries), dict(results), note
        self.refresh()

    def go_to_game(self, slug: str) -> None:
        slugs = [one.deal.slug for one in self.rows]
        self.go_to(slugs.index(slug) if slug in slugs else self.at)

    def place_at(self, y: int) -> int | None:
        return next((place for place, top in enumerate(self._tops) if top <= y < top + 2), None)

    def _shown(self) -> object:
        return self.rows, self._results, self._note, self.at

    def _paint(self, canvas: Canvas) -> None:
        look, rows = canvas.look, canvas.rows()
        inks, spaced = line_styles_of(look.palette), canvas.height >= SPACED
        if not self.rows:
            for row, line in zip(rows[1:], wrap_text(self._note, canvas.width - 4), strict=False):
                row.put(2, line, inks.muted)
            return
        top = 1 if spaced else 0
        if spaced:
            for line in wrap_text(INTRODUCTION, canvas.width - 4):
                rows[top].put(2, line, inks.text)
                top += 1
            top += 1
        each = 3 if top + 3 * len(self.rows) + 2 <= canvas.height else 2
        self._tops = range(top, top + each * len(self.rows), each)
        for place, (start, attempt) in enumerate(zip(self._tops, self.rows, strict=True)):
            lit, own = place == self.at, rows[start : start + 2]
            if lit:
                for row in own:
                    mark_cursor(row, 1, canvas.width - 1, look)
            name = title_of(attempt.deal.slug)
            states = self._states(attempt, look.tier, short=canvas.width < NARROW)
            for row, (text, tone) in zip(own, states, strict=False):
                row.put(NAME, text, inks.style(tone))
            for row in own[:1]:
                row.put(3, name, inks.gold if lit else inks.strong, NAME - 1)
        honest = wrap_text(capitalize(f"{self.rows[0].deal.secrecy}."), canvas.width - 4)
        for row, line in zip(rows[self._tops.stop :], honest, strict=False):
            row.put(2, line, inks.muted)

    def _states(
        self, attempt: DailyTry, tier: GlyphSet, *, short: bool
    ) -> tuple[tuple[str, str], ...]:
        """Return the two lines of a game's state, each with its tone."""
        if attempt.fault:
            reason = attempt.fault.rpartition(f"{attempt.path.name}: ")[2]
            return ("does not count", "bad"), (reason, "muted")
        rounds = count_noun(attempt.deal.daily.rounds, "round")
        if attempt.unfinished:
            return ("unfinished", "gold"), (f"{rounds}; you can resume it today", "muted")
        if attempt.deal.over and not attempt.finished:
            return ("over", "text"), ("no longer played", "muted")
        if not attempt.finished:
            return ("not played", "text"), (f"{rounds}, one try", "muted")
        result = self._results.get(attempt.deal.slug)
        if result is None:
            return ("played", "good"), ("judging your choices …", "muted")
        signs = (OTHER, BEST) if tier is GlyphSet.UNICODE else (PLAIN_OTHER, PLAIN_BEST)
        marks = "".join(signs[mark] for mark in result.marks)
        figures = f"cost {result.shared_cost}"
        if not short:
            figures = f"{result.best} of {result.choices} best, {figures}"
        return (marks, "good"), (figures, "muted")
