"""The screen of a finished try: its page, and what its keys do with a choice."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import islice
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import get_current_worker

from ...daily.result_text import share_text, time_left
from ...daily.session import STRIP, DailyOverview, DailyResult, DailyTry, past_costs
from ...gamekit.adviser import ValuesScope
from ...gamekit.registry import listing_of, title_of
from ...house.daily_ranking import AnswerCounts, BoardKind
from ...house.house import DailyServer
from ...inputs.errors import BadInput
from ...structs import replace
from ...teacher.practice_tasks import MistakeRequest
from ..copy_actions import SENT, CopyActions
from ..desk import ScreenDesk
from ..history.leaks_screen import PracticeOpener
from ..replay.screen import open_replay
from ..room import ListRoom, help_binding, leave_binding
from ..table.face import face_of
from ..table.paced_view import FELT_TIME
from ..terminal.detection import GlyphSet
from ..theme import sheet
from ..widgets.key_bar import VERB
from ..widgets.line_widget import look_of
from ..widgets.lists import list_bindings
from ..widgets.text_blocks import Meter, Meters
from .result_page import ChoiceDetails, ResultPage, choice_cards

HELP = """\
  arrows        choose a choice (also PgUp, PgDn, and a click)
  Enter, r      replay the log, from the choice at the cursor
  m             practise the mistakes of this try
  y             copy the text to share; it contains no cards
  space, Esc    back to the daily deals

A filled mark is a best choice, a hollow one is a mistake. Forced actions do \
not count. The columns show what your last 14 days cost; a dot is a day \
without this deal. One missed day in seven does not break a run."""
TITLE = "Daily deal"
TICK = 5.0
"""Seconds between two looks at the clock; the time to the next deal is in minutes."""


class DailyResultScreen(ListRoom[None]):
    """The result of a finished try; with ``answers``, also what everybody chose."""

    HELP_PAGE = TITLE, HELP
    CSS_PATH = [sheet("tables"), sheet("practice")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "dismiss", "Daily deals", id="daily-result.close", group=VERB),
        Binding("m", "practise", "Practise", id="daily-result.practise", group=VERB),
        Binding("enter,r", "replay", "Replay", id="daily-result.replay", group=VERB),
        Binding("y", "copy", "Copy the text", id="daily-result.copy", group=VERB),
        help_binding("daily-result"),
        leave_binding("daily-result"),
        *list_bindings("daily-result", ends=False),
        Binding("left", "step(-1)", "Previous", show=False, id="daily-result.previous"),
        Binding("right", "step(1)", "Next", show=False, id="daily-result.next"),
    ]

    def __init__(
        self,
        desk: ScreenDesk,
        overview: DailyOverview,
        attempt: DailyTry,
        result: DailyResult,
        answers: AnswerCounts | None = None,
    ) -> None:
        deal = result.deal
        subtitle = f"{deal.number} · {title_of(deal.slug)}"
        super().__init__(TITLE, subtitle, (str(deal.day), "muted"))
        self.desk, self._overview, self._attempt, self._result = desk, overview, attempt, result
        self._face = face_of(listing_of(deal.slug))
        self.page: ResultPage = ResultPage(result, overview, answers or {}, self._face)
        self._meters = Meters()

    def compose_content(self) -> ComposeResult:
        yield self.page
        yield self._meters

    def on_mount(self) -> None:
        """Show the meters; if every choice was best, the page is gold for a moment."""
        self._show_meters()
        self.set_interval(TICK, self._show_meters)
        self._explain()
        if self.desk.house.daily is None:
            self._read_past()
        else:
            self._read_field(self.desk.house.daily)
        if self._result.marks and all(self._result.marks) and self.app.animation_level == "full":
            self.page.add_class("-gold")
            self.set_timer(FELT_TIME, lambda: self.page.remove_class("-gold"))

    def _show_meters(self) -> None:
        run = self._overview.run_text.removeprefix("run ")
        self._meters.show((Meter("run", run, "gold"), next_deal_meter(self.desk)))

    # ---- what takes a moment ----------------------------------------------------------------

    def on_cursor_list_moved(self) -> None:
        super().on_cursor_list_moved()
        self._explain()

    @work(exclusive=True, group="explain")
    async def _explain(self) -> None:
        """Show the EVs and the reasons of the choice at the cursor."""
        page = self.page
        if not page.is_detailed:
            place = page.at
            page.show_details(place, await asyncio.to_thread(self._details_of, place))

    def _details_of(self, place: int) -> ChoiceDetails:
        one, game = self._result.decisions[place], self._result.deal.game
        judged = game.decision(one.view, one.seat, one.action, ValuesScope.OF_ALL)
        cards = choice_cards(self._face, self._result, one)
        if judged is None:
            return ChoiceDetails(one, cards)
        decision = replace(one, values=judged.values)
        return ChoiceDetails(decision, cards, game.reasons(decision))

    @work(thread=True, exclusive=True, group="past")
    def _read_past(self) -> None:
        """Read what the last days cost, newest first; costs in the cache come immediately."""
        worker, costs = get_current_worker(), list[float | None]()
        house = replace(self.desk.house, ledger=None)
        for cost in islice(past_costs(house, self._result.deal), STRIP):
            if worker.is_cancelled:
                return
            costs.append(cost)
            self.app.call_from_thread(self.page.show_past, costs[::-1])

    @work(exclusive=True, group="past")
    async def _read_field(self, server: DailyServer) -> None:
        """Show the player's place, if the server has judged the try."""
        day, slug = self._overview.day, self._result.deal.slug
        kind = BoardKind.TODAY if self._result.deal.day == day else BoardKind.YESTERDAY
        with suppress(BadInput):  # the page has room for the field, but not for the error
            for board in await asyncio.to_thread(server.boards, kind):
                if board.game == slug and any(one.own for one in board.standings):
                    self.page.show_field(board)

    # ---- keys -------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out practice if there was no mistake."""
        return None if action == "practise" and all(self._result.marks) else True

    def disabled_reason(self, action: str) -> str:
        return "there is no mistake to practise."

    def action_step(self, choices: int) -> None:
        """Move the cursor by choices."""
        self.page.go_to(self.page.at + choices)

    def action_copy(self) -> None:
        copy_result(self, self._result, self._overview.run)

    def action_practise(self) -> None:
        if isinstance(app := self.app, PracticeOpener):
            app.open_practice(MistakeRequest(self._result.deal.slug, log=self._attempt.path.name))

    def on_cursor_list_chosen(self) -> None:
        self.action_replay()

    @work(exclusive=True, group="log", name="action_replay")
    async def action_replay(self) -> None:
        listing = listing_of(self._result.deal.slug)
        log, step = self._attempt.path, self.page.step
        self.hints.show_message(await open_replay(self.desk, listing, log, key="r", before=step))


def next_deal_meter(desk: ScreenDesk) -> Meter:
    """Return the time to the next deal."""
    return Meter("next deal", f"in {time_left(desk.house.clock())}")


def copy_result(screen: Screen[None], result: DailyResult, run: int) -> None:
    """Copy the text to share to the terminal's clipboard."""
    plain = look_of(screen).tier is GlyphSet.ASCII
    if isinstance(app := screen.app, CopyActions):
        app.copy_text(share_text(result, run, plain=plain), f"{SENT}: the text to share.")
