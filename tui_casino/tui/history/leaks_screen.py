"""The leaks: what each kind of mistake costs, by game and time, with links to the mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol, runtime_checkable

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ...gamekit.registry import DEFINITIONS, TITLES, GameListing, listing_of
from ...house.own_sessions import ProgressTicker
from ...inputs.numbers import count_noun
from ...records.cache import Cache
from ...records.clock import format_time
from ...records.log_catalog import CatalogEntry
from ...records.summaries import WrittenDecision
from ...teacher.leaks import HabitLeak, Leak, Strength, find_habits, find_strengths, total_cost
from ...teacher.mistakes import (
    ReviewedSitting,
    StakesFilter,
    costliest_mistakes,
    default_stakes,
    review_sittings,
)
from ...teacher.practice_tasks import DrillRequest, MistakeRequest, TaskRequest
from ..desk import ScreenDesk
from ..modals import ChoiceDialog
from ..replay.screen import open_replay
from ..room import ListRoom, help_binding, leave_binding
from ..table.action_text import describe_command, without_shared_verb
from ..widgets.key_bar import VERB
from ..widgets.lists import list_bindings
from ..window import ask_over
from .leaks_page import LeaksContent, LeaksPage
from .sittings_screen import PROGRESS, SittingsScreen
from .statistics_screen import TIMES, period_start

EXPORTS = ("tui-casino-leaks.csv", "tui-casino-leaks.json")
LISTED = 200
"""The maximum number of mistakes listed for a kind, costliest first."""
ORDERS = ("costliest first", "most frequent first", "by game")
HELP = """\
  up, down   move through the list (also PgUp, PgDn, Home, End)
  space      practise the mistakes of the kind at the cursor
  d          drill this kind with new positions
  Enter      open the kinds of mistakes of a habit; at a kind, list its
             mistakes, and choosing one opens its replay
  g          show all games or only one
  k          show play for money, free play and dailies, or both
  t          show all time, today, or the last 7 or 30 days
  o          sort by cost, by frequency or by game
  e          export: CSV and JSON into the current folder
  r          history: every session
  F2         statistics
  Esc        back: from the kinds to the habits, then out

Only finished sessions count, and only games in which the trainer evaluates choices. Each \
choice is evaluated once, which may take a while the first time.

At a habit, Space and d use its costliest kind.

The cost is the EV that the mistakes lost per 100 rounds of the game: in bets, or in points \
at cribbage. A bet is what you bet on that hand before its first card; in five-card draw it \
is the small bet of the table, or its ante. The error is its standard error. The cost of a \
kind or habit is an estimate, which keeps a part for kinds of mistakes not made yet: after few \
rounds, it is below what the mistakes cost so far. Games are \
compared by what a strong player of the game loses in 100 rounds: the list is sorted by \
multiples of that, which wide screens show as "× strong". The sentence below the list \
compares you with perfect play or, in five-card draw, with the GTO level in the same \
positions. A trend needs at least 20 choices and a change of more than two errors.

If the sessions are of one game and have at least 100 choices, the screen shows your \
strength: the cost per 100 choices in your latest sessions, up to some 500 choices. Next to \
it are the computer players who are slightly weaker and slightly stronger.

The graph shows the cost of all kinds together, averaged over the last quarter of the rounds, \
from the first session to the last; it should go down. "all, bets" is the cost per 100 rounds \
of all games listed except cribbage, which has points, so it is not the sum of the list. The \
list is more cautious: a kind that was seen only once or twice counts for less than it cost."""
NOTHING = """\
No mistakes in these sessions.

Choices are analysed once a game is over or you have left the table."""


@runtime_checkable
class PracticeOpener(Protocol):
    """An app that can open the practice room."""

    def open_practice(self, begin: TaskRequest | None = None) -> None:
        """Open the practice room, and start with this request if there is one."""
        ...


class LeaksScreen(SittingsScreen, ListRoom[None]):
    """The cost of each kind of mistake, in the sessions that pass the filters."""

    HELP_PAGE = "Leaks", HELP
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "practise", "Practise these", id="leaks.practise", group=VERB),
        Binding("d", "drill", "Drill the kind", id="leaks.drill", group=VERB),
        Binding("enter", "list", "List them", id="leaks.list", group=VERB),
        Binding("e", "export", "Export", id="leaks.export", group=VERB),
        Binding("g", "game", "Game", id="leaks.game"),
        Binding("k", "stakes", "Money or free play", id="leaks.stakes"),
        Binding("t", "time", "Time", id="leaks.time"),
        Binding("o", "order", "Order", id="leaks.order"),
        Binding("r", "app.records", "History", id="leaks.records"),
        help_binding("leaks"),
        Binding("f2", "app.statistics", "Statistics", id="leaks.statistics", key_display="F2"),
        *list_bindings("leaks"),
        leave_binding("leaks", action="leave_habit"),
    ]

    def __init__(self, desk: ScreenDesk) -> None:
        super().__init__(desk, "Leaks", "practise")
        self.page: LeaksPage = LeaksPage()
        self.studied: tuple[ReviewedSitting, ...] | None = None
        self.habits: list[HabitLeak] = []
        self.habit: HabitLeak | None = None
        self.leaks: list[Leak] = []
        self.game: str | None = None
        self.stakes: StakesFilter | None = None
        self.time = next(iter(TIMES))
        self.order = ORDERS[0]
        self._note = "reading …"
        self._overall = total_cost(())
        self._strength: Strength | None = None

    def compose_content(self) -> ComposeResult:
        yield self.page

    def on_mount(self) -> None:
        self._show()
        self.begin_reading()

    # ---- analysis -------------------------------------------------------------------------

    def review_logs_of(
        self, entries: list[CatalogEntry], cache: Cache, still: Callable[[], bool]
    ) -> None:
        studied, speaks = list[ReviewedSitting](), ProgressTicker(PROGRESS)
        for done, each in enumerate(review_sittings(entries, DEFINITIONS, cache, still=still), 1):
            if isinstance(each, ReviewedSitting):
                studied.append(each)
            if speaks():
                self.app.call_from_thread(self._so_far, tuple(studied), done, len(entries))
        if still():
            self.app.call_from_thread(self._so_far, tuple(studied), 0, 0)

    def _so_far(self, studied: tuple[ReviewedSitting, ...], done: int, every: int) -> None:
        """Show the results so far and the number of analysed logs; 0 of 0 means all logs."""
        if not self.is_attached:
            return
        self._note = f"analysed: {done:,} of {count_noun(every, 'session')}" if every else ""
        self.studied = studied
        self._sum_up()

    def _sum_up(self) -> None:
        chosen = self._chosen()
        before = self.leaks[self.page.at] if self.leaks and self.page.at else None
        self.habits, self._overall = find_habits(chosen), total_cost(chosen)
        strengths = find_strengths(chosen)
        of_one_game = len({each.entry.game for each in chosen}) == 1
        self._strength = strengths[0] if of_one_game and strengths else None
        if self.habit is not None:
            total = self.habit.total
            open_before = (one for one in self.habits if _same(one.total, total))
            self.habit = next(open_before, None)
        self.leaks = [*(self.habit.leaks if self.habit else (habit.total for habit in self.habits))]
        if self.order == ORDERS[1]:
            self.leaks.sort(key=lambda leak: -leak.count)
        elif self.order == ORDERS[2]:
            self.leaks.sort(key=lambda leak: [*TITLES].index(leak.game))
        same = (n for n, leak in enumerate(self.leaks) if before and _same(leak, before))
        self.page.at = next(same, 0)
        self._show()
        self.refresh_bindings()

    def _chosen(self) -> list[ReviewedSitting]:
        begin, stakes = period_start(self.time, self.desk.house.clock()), self._stakes
        return [
            each
            for each in self.studied or ()
            if stakes.admits(each)
            and self.game in (None, each.entry.game)
            and (begin is None or each.entry.started >= begin)
        ]

    @property
    def _stakes(self) -> StakesFilter:
        return self.stakes or default_stakes(self.studied or ())

    # ---- content --------------------------------------------------------------------------

    def _show(self) -> None:
        units = {leak.unit for leak in self.leaks} or {
            self._overall.unit if self._overall else "bets"
        }
        self.title_bar.describe(
            self.habit.total.habit
            if self.habit
            else f"cost per 100 rounds · {' or '.join(sorted(units))}",
            (self._stakes.value, "gold"),
            (TITLES[self.game] if self.game else "all games", "gold" if self.game else "muted"),
            ("all time" if self.time == "all" else self.time, "muted"),
        )
        note = self._note or ("" if self.leaks else NOTHING)
        now = self.desk.house.clock()
        self.page.put(
            LeaksContent(
                tuple(self.leaks),
                self._overall,
                note,
                now,
                self.habit is None,
                self._strength,
            )
        )
        self.hints.refresh_hints()
        self.hints.details = self.order if self.leaks and self.order != ORDERS[0] else ""

    @property
    def _pointed(self) -> HabitLeak | None:
        """The habit at the cursor; ``None`` while the kinds of a habit are listed."""
        if self.habit is not None or not self.leaks:
            return None
        return next(one for one in self.habits if one.total is self.leaks[self.page.at])

    def _at_cursor(self) -> Leak:
        """Return the kind at the cursor, or the costliest kind of the habit at the cursor."""
        return self._pointed.leaks[0] if self._pointed else self.leaks[self.page.at]

    # ---- keys -----------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out the actions on a kind of mistake while the list is empty."""
        of_kinds = action in ("practise", "drill", "list", "export")
        return None if of_kinds and not self.leaks else True

    @property
    def way_back(self) -> str:
        return "Habits" if self.habit else super().way_back

    def hint_label(self, action: str) -> str | None:
        if action == "list" and self._pointed:
            return "Kinds of mistakes"
        one = self._at_cursor() if self.leaks else None
        if action != "practise" or one is None:
            return None
        return f"Practise {'this one' if one.count == 1 else f'these {one.count:,}'}"

    def disabled_reason(self, action: str) -> str:
        return "there are no mistakes." if self.studied is not None else "still reading the logs."

    def on_cursor_list_chosen(self) -> None:
        self.action_practise()

    def action_game(self) -> None:
        """Show the next game with mistakes, or all games."""
        slugs = {each.entry.game for each in self.studied or () if each.mistakes}
        choices = [None, *(slug for slug in TITLES if slug in slugs)]
        self.game = choices[(choices.index(self.game) + 1) % len(choices)]
        self._sum_up()

    def action_stakes(self) -> None:
        """Switch between play for money, free play, and all."""
        self.stakes = self._stakes.next
        self._sum_up()

    def action_time(self) -> None:
        names = [*TIMES]
        self.time = names[(names.index(self.time) + 1) % len(names)]
        self._sum_up()

    def action_order(self) -> None:
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self._sum_up()

    def action_practise(self) -> None:
        leak = self._at_cursor()
        self._practise(MistakeRequest(leak.game, leak.kind))

    def action_drill(self) -> None:
        leak = self._at_cursor()
        self._practise(DrillRequest(leak.game, leak.kind.spot))

    def _practise(self, what: MistakeRequest | DrillRequest) -> None:
        app: object = self.app
        if isinstance(app, PracticeOpener):
            app.open_practice(what)

    def action_leave_habit(self) -> None:
        """Return from the kinds of a habit to the habits, or leave the screen."""
        if self.habit is None:
            self.dismiss()
            return
        total, self.habit = self.habit.total, None
        self._sum_up()
        self.page.go_to(next((n for n, leak in enumerate(self.leaks) if _same(leak, total)), 0))

    def action_list(self) -> None:
        """Open the habit at the cursor, or list the mistakes of the kind there."""
        if (habit := self._pointed) is None:
            self._list_mistakes()
            return
        self.habit, self.page.at = habit, 0
        self._sum_up()

    @work(exclusive=True, group="list", name="action_list")
    async def _list_mistakes(self) -> None:
        """List the mistakes of the kind at the cursor, and open the one that the player chooses."""
        leak = self.leaks[self.page.at]
        entries = [
            one
            for one in costliest_mistakes(self._chosen())
            if one.game == leak.game and one.kind == leak.kind
        ]
        listing = listing_of(leak.game)
        now = self.desk.house.clock()
        listed = {str(n): _line(listing, one, now) for n, one in enumerate(entries[:LISTED])}
        answer = await ask_over(self, ChoiceDialog(leak.kind.label, listed))
        if answer is None:
            return
        mistake = entries[int(answer)]
        self.hints.show_message(
            await open_replay(self.desk, listing, mistake.log, before=mistake.step)
        )

    def action_export(self) -> None:
        report = {
            f"{leak.game}: {leak.kind}": {
                "count": leak.count,
                "cost": round(leak.rate.cost, 6),
                "error": round(leak.rate.error, 6),
                "rounds": leak.rounds,
                "unit": leak.unit,
            }
            for habit in self.habits
            for leak in habit.leaks
        }
        self.export(report, EXPORTS)


def _same(one: Leak, other: Leak) -> bool:
    return (one.game, one.kind) == (other.game, other.kind)


def _line(listing: GameListing, mistake: WrittenDecision, now: int) -> str:
    done, best = (
        describe_command(listing.definition(), one) for one in (mistake.action, mistake.best)
    )
    cost = listing.definition().format_cost(mistake)
    when = format_time(mistake.at, now)
    return f"{cost:>7}  {when:<11} {done}, best {without_shared_verb(done, best)}"
