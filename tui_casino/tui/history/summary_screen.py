"""The summary of a finished session: its result, cost of mistakes, and costliest mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static
from textual.worker import get_current_worker

from ...gamekit.registry import DEFINITIONS, GameListing
from ...house.own_sessions import own_accounts, own_logs
from ...house.session_goal import SessionGoal
from ...inputs.errors import BadInput
from ...records.cache import Cache
from ...records.log_catalog import make_entry
from ...records.summaries import ReviewedLog, WrittenDecision, costliest, review_logs
from ...teacher.goals import GoalOutcome
from ...teacher.practice_tasks import MistakeRequest
from ...teacher.session_report import own_rows, summary_rows
from ..desk import ScreenDesk
from ..draw.report_style import style_report
from ..draw.text import transliterate
from ..table.action_text import describe_command, without_shared_verb
from ..table.paced_view import FELT_TIME
from ..terminal.detection import GlyphSet
from ..widgets.line_widget import look_of
from ..widgets.title_bar import MARKS, PLAIN_MARKS
from ..window import PassingWindow

KEYS = "abc"
"""The keys of the costliest mistakes."""
NAME = 24
FRAME = 6
"""The columns of a window's title that the frame and the spaces around the title take."""
READING = "reading …".ljust(60)


class SummaryWindow(PassingWindow[int | MistakeRequest | None]):
    """The summary of a session.

    It returns the step of a mistake that the player wants to see, or a request to practise all
    mistakes of the session.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,space,enter", "dismiss(None)", "Close", id="ending.close"),
        Binding("m", "practise", "Practise", id="ending.practise"),
        *(
            Binding(key, f"see({place})", f"Mistake {place + 1}", id=f"ending.mistake{place + 1}")
            for place, key in enumerate(KEYS)
        ),
    ]

    def __init__(
        self,
        desk: ScreenDesk,
        listing: GameListing,
        log: Path,
        goal: SessionGoal | None = None,
    ) -> None:
        super().__init__(classes="modal")
        self.desk, self.listing, self.log_path, self._goal = desk, listing, log, goal
        self._costliest: tuple[WrittenDecision, ...] = ()
        self._text = Static(READING, id="ending", markup=False)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="window", can_focus=False) as window:
            window.border_title = Content(f"{self.listing.title}: this session")
            yield self._text

    def on_mount(self) -> None:
        self.name_keys()
        self._work_out()

    @work(thread=True, exclusive=True, group="ending")
    def _work_out(self) -> None:
        worker = get_current_worker()
        try:
            entry = make_entry(self.log_path, DEFINITIONS, {})
        except BadInput:  # the log no longer exists, as the history shows
            return
        for weighs in (False, True):
            cache, still = Cache(self.desk.house.cache), lambda: not worker.is_cancelled
            for reviewed in review_logs([entry], DEFINITIONS, cache, choices=weighs, still=still):
                text = tuple(summary_lines(self.listing, reviewed, weighs, self._goal))
                dear = costliest(reviewed.mistakes)
                if not worker.is_cancelled:
                    self.app.call_from_thread(self._show, text, dear)
                if weighs and is_faultless(reviewed) and self._is_first(cache, still):
                    self.app.call_from_thread(self._celebrate)

    def _is_first(self, cache: Cache, still: Callable[[], bool]) -> bool:
        """Return whether no earlier session of this game was without a mistake."""
        house = self.desk.house
        try:
            logs = own_logs(house, own_accounts(house, lambda reason: None))
        except BadInput:  # the folder cannot be read, as the history shows
            return False
        others = [
            entry
            for entry in logs
            if entry.game == self.listing.slug and entry.path != self.log_path
        ]
        reviewed = review_logs(others, DEFINITIONS, cache, choices=True, still=still)
        return not any(map(is_faultless, reviewed)) and still()

    def _celebrate(self) -> None:
        """Praise the first session without a mistake; for a moment, the window is gold."""
        if not self.is_attached:
            return
        before, after = (MARKS if look_of(self).tier is GlyphSet.UNICODE else PLAIN_MARKS)[
            "great win"
        ]
        window = self.query_one(".window")
        title = f"{before}Your first session without a mistake{after}"
        window.border_title = Content(title)
        window.styles.min_width = len(title) + FRAME
        if self.app.animation_level == "full":
            window.add_class("-gold")
            self.set_timer(FELT_TIME, lambda: window.remove_class("-gold"))

    def _show(self, lines: tuple[str, ...], mistakes: tuple[WrittenDecision, ...]) -> None:
        if self.is_attached:
            self._costliest = mistakes
            keys = KEYS[: len(mistakes)]
            keys = f"{keys[0]} to {keys[-1]}" if len(keys) > 1 else keys
            self.edge = f"m: practise, {keys}: replay, Esc" if mistakes else "Esc"
            self.name_keys()
            text = transliterate("\n".join(lines), look_of(self).tier)
            self._text.update(style_report(text))

    def action_see(self, place: int) -> None:
        """Close, and return the step of a mistake to replay."""
        if place < len(self._costliest):
            self.dismiss(self._costliest[place].step)
        else:
            self.dismiss(None)

    def action_practise(self) -> None:
        """Close, and request practice of this session's mistakes."""
        self.dismiss(MistakeRequest(self.listing.slug, log=self.log_path.name))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer practice only if there are mistakes."""
        return action != "practise" or bool(self._costliest)


def is_faultless(reviewed: ReviewedLog) -> bool:
    """Return whether a session has judged choices and no mistake."""
    return reviewed.summary is not None and reviewed.summary.mistakes == 0 and bool(reviewed.spots)


def summary_lines(
    listing: GameListing, reviewed: ReviewedLog, weighed: bool, goal: SessionGoal | None = None
) -> Iterator[str]:
    """Yield the lines of a session's summary, with mistakes once the choices are ``weighed``.

    A ``goal`` is named only if the session has reached it.
    """
    definition = listing.definition()
    if reviewed.summary is None:
        yield reviewed.fault or "This session does not count."
        return
    for name, value, _ in summary_rows(definition, reviewed, weighed=weighed):
        yield _row(name, value)
    if weighed and goal is not None and goal.progress(over=True).outcome is GoalOutcome.REACHED:
        yield _row("goal reached", goal.goal.text)
    if rows := [*own_rows(definition, reviewed, weighed=weighed)]:
        yield ""
        yield from (_row(name, value) for name, value, _ in rows)
    if reviewed.mistakes:
        yield ""
        yield "The costliest mistakes"
    for key, mistake in zip(KEYS, costliest(reviewed.mistakes), strict=False):
        done, best = (
            describe_command(definition, words) for words in (mistake.action, mistake.best)
        )
        cost = definition.format_cost(mistake)
        yield f"  {key}  {cost:>7}  {done}, best {without_shared_verb(done, best)}"


def _row(name: str, text: str) -> str:
    return f"{name:<{NAME}}{text}"
