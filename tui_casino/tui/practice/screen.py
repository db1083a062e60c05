"""The practice screen: the player's mistakes in all sessions and games, and drills."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from msgspec import Struct
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ...gamekit.adviser import MistakeKind
from ...gamekit.registry import DEFINITIONS, GAMES, listing_of, title_of
from ...house.own_sessions import ProgressTicker
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...inputs.numbers import count_noun
from ...records.cache import Cache
from ...records.log_catalog import CatalogEntry
from ...records.summaries import WrittenDecision
from ...teacher.mistake_queue import DailyFive, MistakeQueue
from ...teacher.mistakes import ReviewedSitting, StakesFilter, default_stakes, review_sittings
from ...teacher.overview import mistake_overview
from ...teacher.practice_tasks import (
    CardsRequest,
    DailyRequest,
    DrillRequest,
    MistakeRequest,
    PracticeTask,
    TaskRequest,
    TaskScheduler,
    spots_by_name,
    typed_cards_help,
)
from ..desk import ScreenDesk
from ..draw.canvas import Canvas
from ..draw.look import line_styles_of
from ..draw.text import fit_names
from ..history.sittings_screen import SittingsScreen
from ..modals import ChoiceDialog as Listed
from ..modals import InputDialog
from ..positions.position_screen import PositionAnswer, PositionExit, PositionScreen
from ..positions.verdict_screen import VerdictExit, VerdictScreen
from ..replay.screen import open_replay
from ..room import ListRoom, help_binding, leave_binding
from ..table.face import face_of
from ..theme import sheet
from ..widgets.hint_line import HintMessage
from ..widgets.key_bar import VERB
from ..widgets.line_widget import CanvasWidget
from ..widgets.lists import CursorList, list_bindings, mark_cursor
from ..widgets.title_bar import Note
from ..window import ask_over

TITLE = "Your mistakes"
ALL_GAMES = "all games"
ORDERED = f"{ALL_GAMES}, ordered by × strong play"
"""The order of several games' groups: multiples of what a strong player of the game loses."""
PROGRESS = 0.2
"""Seconds between two progress messages."""
HELP = """\
  space         practise the row at the cursor, costliest mistakes first
  t             today's five: your costliest mistakes, from all games
  d             drill: new hands where your mistakes cost most;
                at a game or kind, only hands of it
  D             drill a kind of your choice
  c             type in a hand and play it
  g             show all games or only one
  k             mistakes from play for money, free play and dailies, or all
  up, down      choose (also PgUp, PgDn, Home, End)
  Esc           back to the menu

You see the position again, but not what you chose, what it cost or what is \
best. You choose with the game's own keys. You then see the EV of every \
alternative. A mistake that you get right on two different days leaves the \
queue. There is no schedule. Only finished sessions count.

Costs are in bets, or in points at cribbage. A bet is what you bet on that hand \
before its first card; in five-card draw it is the small bet of the table, or its ante.

Mistakes of several games are ordered by "× strong play": their cost as a \
multiple of what a strong player of the game loses in 100 rounds."""
NUMBER, GAME = 7, 15
"""Columns for a number, and for a game's name."""
NARROW, TINY = 70, 66
"""Widths below which the column of learned mistakes and that of the games are left out."""
ALL = "All of them"


class PracticeTopic(Struct, frozen=True):
    """A row: a group of mistakes, the number waiting and learned, and the cost with its unit."""

    game: str | None
    kind: MistakeKind | None
    waiting: int
    cost: str
    learnt: int

    @property
    def words(self) -> str:
        if self.kind is not None:
            return self.kind.label
        return ALL if self.game is None else "all kinds"


def practice_topics(queue: MistakeQueue, game: str | None = None) -> tuple[PracticeTopic, ...]:
    """Return rows for all mistakes, each game (if several) and each kind, costliest first."""
    games = [pile for pile in queue.games() if game in (None, pile.game)]
    waiting = sum(pile.pending for pile in games)
    learnt = sum(pile.learned for pile in games)
    topics = [] if game else [PracticeTopic(None, None, waiting, "", learnt)]
    topics += [
        PracticeTopic(
            pile.game, pile.kind, pile.pending, f"{pile.cost:,.2f} {pile.unit}", pile.learned
        )
        for pile in (*games, *queue.groups(game))
    ]
    return tuple(topics)


class TopicList(CursorList[PracticeTopic], CanvasWidget):
    """The list of topics."""

    def __init__(self) -> None:
        super().__init__(id="piles")
        self._note = ""

    def show(self, rows: Sequence[PracticeTopic], note: str = "") -> None:
        """Show these rows; the cursor stays on its row, or moves to the first if that is gone."""
        before = self.pointed
        self.rows, self._note = tuple(rows), note
        same = [n for n, row in enumerate(rows) if before and self._of(row) == self._of(before)]
        self.at = same[0] if same else 0
        self.refresh()

    @staticmethod
    def _of(row: PracticeTopic) -> object:
        return row.game, row.kind

    def _in_view(self, height: int) -> range:
        return self.visible_rows(max(1, height - 2))

    def place_at(self, y: int) -> int | None:
        in_view = self._in_view(self.size.height)
        return in_view[y - 2] if 0 <= y - 2 < len(in_view) else None

    def _shown(self) -> object:
        return self.rows, self.at, self._note

    def _paint(self, canvas: Canvas) -> None:
        look, area = canvas.look, canvas.size
        inks, rows = line_styles_of(look.palette), canvas.rows()
        learnt = area.width - 2 if area.width >= NARROW else 0
        cost = (learnt - NUMBER - 1) if learnt else area.width - 2
        tiny = area.width < TINY
        gap = 2 - tiny
        waits = cost - max(len(text) for text in ("cost", *(one.cost for one in self.rows))) - gap
        number = NUMBER - 1 - gap
        words = 3 if tiny else 3 + GAME
        if rows:
            current = self.pointed  # the full name, because the row may cut it
            whole_name = current.words if current is not None and current.kind is not None else ""
            rows[0].put(3, self._note or whole_name, inks.muted, area.width - 1)
        if len(rows) > 1:
            if not tiny:
                rows[1].put(3, "game", inks.muted)
            rows[1].put(words, "kind", inks.muted)
            rows[1].put_before(waits, "waiting", inks.muted)
            rows[1].put_before(cost, "cost", inks.muted)
            if learnt:
                rows[1].put_before(learnt, "learned", inks.muted)
        in_view = self._in_view(area.height)
        labels = [
            title_of(one.game) if tiny and one.game and one.kind is None else one.words
            for one in self.rows
        ]
        names = fit_names(labels, waits - number - words)
        for row, place in zip(rows[2:], in_view, strict=False):
            one, lit = self.rows[place], place == self.at
            if lit:
                mark_cursor(row, 1, area.width - 1, look)
            ink = inks.gold if lit else inks.text
            whole = one.kind is None
            if not tiny:
                row.put(3, title_of(one.game) if one.game else one.words, ink, words - 1)
            if one.game or tiny:
                own = ink if lit or not whole else inks.muted
                row.put(words, names[place], own, waits - number)
            row.put_before(waits, f"{one.waiting:,}", inks.strong if one.waiting else inks.muted)
            row.put_before(cost, one.cost, inks.bad if one.waiting and one.cost else inks.muted)
            if learnt:
                row.put_before(learnt, f"{one.learnt:,}", inks.good if one.learnt else inks.muted)


class PracticeScreen(SittingsScreen, ListRoom[None]):
    """The list of topics that can be practised; with ``begin``, practice starts immediately."""

    HELP_PAGE = TITLE, HELP
    CSS_PATH = [sheet("practice")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "practise", "Practise", id="practice.begin", group=VERB),
        Binding("t", "daily", "Today's five", id="practice.daily", group=VERB),
        Binding("d", "drill", "Drill", id="practice.drill", group=VERB),
        Binding("D", "kind", "Drill a kind", id="practice.kind", group=VERB),
        Binding("c", "cards", "Play these cards", id="practice.cards", group=VERB),
        Binding("g", "game", "Game", id="practice.game"),
        Binding("k", "stakes", "Money or free play", id="practice.stakes"),
        help_binding("practice"),
        leave_binding("practice"),
        *list_bindings("practice"),
    ]

    def __init__(self, desk: ScreenDesk, begin: TaskRequest | None = None) -> None:
        super().__init__(desk, TITLE)
        self.page: TopicList = TopicList()
        self.game: str | None = (
            begin.game if isinstance(begin, MistakeRequest | DrillRequest) else None
        )
        self._begin = begin
        self.queue = MistakeQueue(desk.answers, desk.house.clock)
        self.tasks = TaskScheduler(
            DEFINITIONS, self.queue, Cache(desk.house.cache), desk.house.clock
        )
        self.reading = "reading your sessions …"
        self._daily = DailyFive()
        self._faults = 0
        self._busy = False

    # ---- layout ---------------------------------------------------------------------------

    def compose_content(self) -> ComposeResult:
        yield self.page

    def on_mount(self) -> None:
        self._show()
        self.begin_reading()
        if self._begin is not None and not _of_mistakes(self._begin):
            self._practise(self._begin)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self._show()

    # ---- sessions -------------------------------------------------------------------------

    def review_logs_of(
        self, entries: list[CatalogEntry], cache: Cache, still: Callable[[], bool]
    ) -> None:
        """Add the sessions to the queue one by one."""
        faults, speaks = 0, ProgressTicker(PROGRESS)
        for read, each in enumerate(review_sittings(entries, DEFINITIONS, cache, still), 1):
            if not still():
                return
            if isinstance(each, ReviewedSitting):
                self.queue.add(each)
            elif each.fault is not None:
                faults += 1
            if speaks():
                self._work_out()
                text = f"reading: {read:,} of {count_noun(len(entries), 'session')}"
                self.app.call_from_thread(self._show_progress, text, faults)
        if still():  # if not, the review stopped early
            self._work_out()
            self.app.call_from_thread(self._show_progress, "", faults)

    def _work_out(self) -> None:
        """Group the mistakes on the reading thread, so that the event loop need not do it."""
        self.queue.groups()

    def _show_progress(self, text: str, faults: int) -> None:
        self.reading, self._faults = text, faults
        if self.is_attached and self.is_current:
            self._show()
            if not text and self._begin is not None and _of_mistakes(self._begin):
                begin, self._begin = self._begin, None
                self._begin_with(begin)

    def _begin_with(self, request: TaskRequest) -> None:
        """Start the requested practice, or a drill if no mistake of its kind is waiting."""
        match request:
            case MistakeRequest(_, kind, words, log) if (kind or words or log) and not self._waits(
                request
            ):
                self.queue.chosen_stakes = StakesFilter.ALL  # the player asked for these mistakes
            case MistakeRequest(game) if game and not self._waits(request):
                own = [each for each in self.queue.sittings if each.entry.game == game]
                if (stakes := default_stakes(own)) is not StakesFilter.ALL:
                    self.queue.chosen_stakes = stakes
        match request:
            case MistakeRequest(game, None, words) if words and not self._waits(request):
                self.notify("No mistake of this kind is waiting, so new hands are dealt.")
                self._practise(DrillRequest(game, words=words))
            case _:
                self._practise(request)

    def _waits(self, request: MistakeRequest) -> bool:
        return bool(self.tasks.pending(request))

    # ---- content --------------------------------------------------------------------------

    def _show(self) -> None:
        score = self.tasks.score
        right: list[Note] = [(self.reading, "muted")] if self.reading else []
        if score.count:
            right.append((f"right {score.correct:,} of {score.count:,}", "gold"))
            right.append((f"{score.seconds:.0f} s per answer", "muted"))
        right.insert(0, (self.queue.stakes.value, "gold"))
        every = ORDERED if len(self.queue.games()) > 1 else ALL_GAMES
        self.title_bar.describe(title_of(self.game) if self.game else every, *right)
        rows = practice_topics(self.queue, self.game)
        if not self.reading and self.queue.sittings:
            self._daily = self.tasks.daily()
            self.desk.overview = mistake_overview(self.queue, self.desk.house.clock())
        note = ""
        if not any(row.waiting for row in rows) and not self.reading:
            note = "No mistakes are waiting. d deals drills."
            if len(self.queue.admitted) < len(self.queue.sittings):
                note = "No mistakes are waiting here. k shows other sessions, d deals drills."
        elif self._faults:
            note = f"{count_noun(self._faults, 'damaged session')} left out."
        self.page.show(rows, note)
        self.refresh_bindings()
        self.hints.refresh_hints()

    @property
    def _topic(self) -> PracticeTopic:
        return self.page.pointed or PracticeTopic(self.game, None, 0, "", 0)

    def disabled_reason(self, action: str) -> str:
        if action == "daily" and (self.reading or self._daily.size):
            return self.reading or "today's mistakes are answered; tomorrow brings others."
        return "no mistakes are waiting here; d deals drills."

    def hint_label(self, action: str) -> str | None:
        topic = self._topic
        match action:
            case "practise" if topic.waiting:
                return f"Practise {topic.waiting:,}"
            case "daily" if self._daily.answers:
                return f"Today's five, {self._daily.count}"
            case "drill" if topic.kind is not None:
                return "Drill this kind"
            case "drill" if topic.game is not None:
                return "Drill this game"
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out practice if no mistakes are waiting at the cursor, or of today's five."""
        if action == "daily":
            return True if self._daily.rest else None
        if action == "practise":
            return True if self._topic.waiting else None
        return True

    # ---- keys -----------------------------------------------------------------------------

    def on_cursor_list_chosen(self) -> None:
        self.action_practise()

    def action_practise(self) -> None:
        """Practise the mistakes at the cursor, one after the other."""
        topic = self._topic
        if topic.waiting:
            self._practise(MistakeRequest(topic.game, topic.kind))

    def action_daily(self) -> None:
        self._practise(DailyRequest())

    def action_drill(self) -> None:
        """Drill the kind or game at the cursor, or the positions with the costliest mistakes."""
        topic = self._topic
        self._practise(DrillRequest(topic.game, topic.kind.spot if topic.kind else None))

    @work(name="action_kind")
    async def action_kind(self) -> None:
        if (game := await self._ask_game()) is None:
            return
        spots = await asyncio.to_thread(spots_by_name, DEFINITIONS, game)
        spot = await ask_over(self, Listed(f"{title_of(game)}: which kind?", _shown(spots)))
        if spot is not None:
            self._practise(DrillRequest(game, [*spots][int(spot)]))

    @work(name="action_cards")
    async def action_cards(self) -> None:
        """Let the player type in a hand, and practise it."""
        if (game := await self._ask_game()) is None:
            return
        definition = await asyncio.to_thread(listing_of(game).definition)
        text = await ask_over(
            self, InputDialog(f"{title_of(game)}: play these cards", typed_cards_help(definition))
        )
        if text:
            self._practise(CardsRequest(game, text))

    async def _ask_game(self) -> str | None:
        """Return the game at the cursor, or ask for one."""
        game = self._topic.game or self.game
        if game is not None:
            return game
        able = {one.slug: one.title for one in GAMES if one.definition().positions is not None}
        return await ask_over(self, Listed("Which game?", able))

    def action_game(self) -> None:
        """Show the next game that has mistakes, or all games."""
        games_known = [None, *(pile.game for pile in self.queue.games())]
        at = games_known.index(self.game) if self.game in games_known else 0
        self.game = games_known[(at + 1) % len(games_known)]
        if len(games_known) == 1:
            self.refuse("g", "there are no mistakes in any game.")
            return
        self.page.at = 0
        self._show()

    def action_stakes(self) -> None:
        """Switch between play for money, free play, and all."""
        self.queue.chosen_stakes = self.queue.stakes.next
        self.page.at = 0
        self._show()

    # ---- positions ------------------------------------------------------------------------

    @work(group="practise", name="action_practise")
    async def _practise(self, request: TaskRequest) -> None:
        """Show positions until the player leaves."""
        if self._busy:
            return
        self._busy = True
        try:
            while (task := await self._next(request)) is not None:
                if not await self._pose(task, request):
                    break
                if isinstance(request, CardsRequest):
                    break
        finally:
            self._busy = False
            if self.is_attached:
                self._show()

    async def _next(self, request: TaskRequest) -> PracticeTask | None:
        self.hints.details = "one moment …"
        try:
            task = await asyncio.to_thread(self.tasks.next, request)
        except BadInput as error:
            reason = error.reason if isinstance(error, BadFile) else str(error)
            self.refuse("", reason)
            return None
        finally:
            self.hints.details = ""
        if task is None:
            self.hints.show_message(_end_of(request, self.tasks.daily()))
        return task

    async def _pose(self, task: PracticeTask, request: TaskRequest) -> bool:
        """Show a position, then the verdict; return false if the player leaves."""
        counts = True
        while True:
            face = await asyncio.to_thread(face_of, listing_of(task.position.definition.game.slug))
            title, subtitle = self._titles(task, request)
            table = PositionScreen(title, face, task.position, subtitle, self._notes())
            self.desk.with_size_classes(table)
            outcome = await self.app.push_screen_wait(table)
            if not isinstance(outcome, PositionAnswer):
                return outcome is PositionExit.SKIP
            if counts and (reason := self.tasks.answer(task, outcome.decision, outcome.seconds)):
                self.notify(f"Your answer was not saved: {reason}", severity="warning")
            fate = self.tasks.next_review(task.mistake) if task.mistake else ""
            kind, notes = _kind_of(task), self._notes()
            replay = partial(self._replay, task.mistake) if task.mistake else None
            verdict = VerdictScreen(title, kind, notes, task, outcome, fate, face, open_log=replay)
            self.desk.with_size_classes(verdict)
            after = await self.app.push_screen_wait(verdict)
            if after is not VerdictExit.AGAIN:
                return after is VerdictExit.ON
            counts = False

    def _titles(self, task: PracticeTask, request: TaskRequest) -> tuple[str, str]:
        game = title_of(task.position.definition.game.slug)
        if isinstance(request, MistakeRequest):
            waits = len(self.queue.pending(request.game, request.kind))
            return TITLE, f"{game} · {waits:,} waiting"
        if isinstance(request, DailyRequest):
            return "Today's five", f"{game} · {self.tasks.daily().count}"
        return ("Your cards" if isinstance(request, CardsRequest) else "Drill"), game

    def _notes(self) -> tuple[Note, ...]:
        score = self.tasks.score
        if not score.count:
            return ()
        return ((f"right {score.correct:,} of {score.count:,}", "gold"),)

    async def _replay(self, mistake: WrittenDecision) -> HintMessage | None:
        """Replay the log of a mistake, from the moment before it, or return why it cannot."""
        listing = listing_of(mistake.game)
        return await open_replay(self.desk, listing, mistake.log, key="g", before=mistake.step)


def _of_mistakes(request: TaskRequest) -> bool:
    """Return whether this request can start only once the player's mistakes are known."""
    return isinstance(request, MistakeRequest | DailyRequest) or (
        isinstance(request, DrillRequest) and bool(request.words)
    )


def _end_of(request: TaskRequest, today: DailyFive) -> HintMessage:
    """Return the message that there is no task for a request, or none left."""
    match request:
        case DailyRequest():
            return HintMessage("told", "t", f"{today.end}.")
        case MistakeRequest():
            return HintMessage("refused", "", "no mistakes are waiting here.")
    return HintMessage("refused", "", "no such hand was dealt.")


def _kind_of(task: PracticeTask) -> str:
    kind = task.mistake.kind.spot if task.mistake is not None else task.spot
    return f"{title_of(task.position.definition.game.slug)} · {kind}"


def _shown(spots: Mapping[str, str]) -> dict[str, str]:
    """Map numbers to the spots' names, because a name itself may not be valid as an option's id."""
    return {str(place): spot for place, spot in enumerate(spots)}
