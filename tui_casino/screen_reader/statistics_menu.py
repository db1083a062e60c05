"""Statistics, mistakes and leaks in screen-reader mode, as sentences instead of tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ..engine.money import dollars
from ..gamekit.registry import DEFINITIONS, TITLES, title_of
from ..gamekit.verdict import cost_text
from ..house.house import House
from ..inputs.numbers import count_noun
from ..records.cache import Cache
from ..records.session_statistics import SittingTotals, compute_statistics
from ..records.summaries import WrittenDecision, review_logs
from ..teacher.leaks import (
    HabitLeak,
    Leak,
    describe_habit,
    find_habits,
    find_strengths,
    total_cost,
)
from ..teacher.mistakes import (
    ReviewedSitting,
    StakesFilter,
    costliest_mistakes,
    default_stakes,
)
from ..teacher.session_report import ReportRow, cost_rows, leak_sentences, statistics_rows
from .menu import MenuEntry
from .own_logs import (
    kind_name,
    none_yet,
    other_sessions,
    own_sittings,
    stakes_text,
    studied_sittings,
)
from .records import open_recording
from .voice import PromptOption, Voice, browse, capitalized


def statistics_entry(house: Callable[[], House]) -> MenuEntry:
    """Return the menu entry of the statistics: the result first, and details of each game."""

    def enter(voice: Voice) -> None:
        reviewed = [*review_logs(own_sittings(house()), DEFINITIONS, Cache(house().cache))]
        all_of_it = compute_statistics(reviewed, DEFINITIONS)
        books = {"For money": all_of_it.money, "Free play": all_of_it.practice}
        figures = [
            (book, game, totals)
            for book, each in books.items()
            for game, totals in each.games.items()
        ]
        if not figures:
            none_yet(voice)
            return
        for name, book in books.items():
            if book.overall.sittings and len(book.games) > 1:
                voice.say(f"{name}, all games: {_result(book.overall)}.")
        options = [
            PromptOption(f"{title_of(game)}, {_stakes(book, totals)}", result=_result(totals))
            for book, game, totals in figures
        ]
        for choice in browse(voice, "Statistics", lambda: options):
            rows = statistics_rows(figures[choice][2], house().clock(), TITLES)
            voice.say_list([row.sentence for row in rows if not row.is_heading])

    return MenuEntry("Statistics", "your results and your luck", enter)


def _stakes(book: str, totals: SittingTotals) -> str:
    return "for points" if totals.for_points else book.lower()


def _result(totals: SittingTotals) -> str:
    """Return the result first, then the number of sessions."""
    sessions = count_noun(len(totals.sittings), "session")
    if totals.wagered:
        if not totals.net:
            return f"even after {sessions}"
        return f"{'won' if totals.net > 0 else 'lost'} {dollars(abs(totals.net))} in {sessions}"
    return f"{totals.games_won:,} of {sessions} won" if totals.for_points else sessions


def mistakes_entry(house: Callable[[], House]) -> MenuEntry:
    """Return the menu entry of the mistakes: habits, their kinds, and each mistake."""

    def enter(voice: Voice) -> None:
        studied = [*studied_sittings(voice, house())]
        if not costliest_mistakes(studied):
            voice.say("No mistakes in finished sessions.")
            return
        room = _MistakeRoom(voice, house(), studied)
        room.choose_sessions(default_stakes(studied))
        for choice in browse(voice, "Habits, costliest first", room.options):
            room.open(choice)

    return MenuEntry("Mistakes", "your habits, what they cost, and each mistake", enter)


class _MistakeRoom(Struct):
    """Lists habits, their kinds, and mistakes, which open at their position.

    Only sessions count that the filter ``stakes`` admits, as on the screen.
    """

    voice: Voice
    house: House
    studied: Sequence[ReviewedSitting]
    stakes: StakesFilter = StakesFilter.ALL
    habits: Sequence[HabitLeak] = ()
    mistakes: Sequence[WrittenDecision] = ()
    totals: Sequence[ReportRow] = ()

    def choose_sessions(self, stakes: StakesFilter) -> None:
        """Choose the sessions that count; say the strength, and which habit costs the most."""
        counted = [each for each in self.studied if stakes.admits(each)]
        self.stakes = stakes
        self.habits, self.mistakes = find_habits(counted), costliest_mistakes(counted)
        overall = total_cost(counted)
        self.totals = [*cost_rows(overall)] if overall is not None else []
        self.voice.say(f"Sessions: {stakes_text(stakes)}.")
        for strength in find_strengths(counted):
            self.voice.say(f"{title_of(strength.game)}: {strength}.")
        for habit in self.habits[:1]:
            self.voice.say(f"Your costliest habit: {habit.total.habit}.")
            self.voice.say(describe_habit(habit)[0])

    def options(self) -> list[PromptOption]:
        """Return the habits, all mistakes, and the choice of other sessions."""
        return [
            *(_rated(_habit_name(habit), habit.total) for habit in self.habits),
            PromptOption("All mistakes", "costliest first", result=f"{len(self.mistakes):,}"),
            other_sessions(self.stakes),
            PromptOption("Totals", "what all mistakes together cost, and the trend"),
        ]

    def open(self, choice: int) -> None:
        """Open one of the options."""
        if choice < len(self.habits):
            self.open_habit(self.habits[choice])
        elif choice == len(self.habits) + 1:
            self.choose_sessions(self.stakes.next)
        elif choice > len(self.habits):
            self.voice.say_list([row.sentence for row in self.totals])
        elif self.mistakes:
            self.list_mistakes("All mistakes", self.mistakes)
        else:
            self.voice.say("There are no mistakes in these sessions.")

    def open_habit(self, habit: HabitLeak) -> None:
        """Describe a habit, then list its kinds of mistakes, or the mistakes of its only kind."""
        for sentence in leak_sentences(habit.total):
            self.voice.say(sentence)
        if len(habit.leaks) == 1:
            self._open_kind(habit.leaks[0])
            return
        options = [_rated(kind_name(leak.kind), leak) for leak in habit.leaks]
        title = f"{capitalized(count_noun(len(options), 'kind'))} of this habit"
        for choice in browse(self.voice, title, lambda: options):
            for sentence in leak_sentences(habit.leaks[choice]):
                self.voice.say(capitalized(sentence))
            self._open_kind(habit.leaks[choice])

    def _open_kind(self, leak: Leak) -> None:
        own = [one for one in self.mistakes if (one.game, one.kind) == (leak.game, leak.kind)]
        self.list_mistakes("Mistakes of this kind", own)

    def list_mistakes(self, title: str, mistakes: Sequence[WrittenDecision]) -> None:
        """List mistakes, the costliest first, and open those that the player chooses."""
        several = len({mistake.game for mistake in mistakes}) > 1
        options = [_mistake(mistake, name_game=several) for mistake in mistakes]
        for choice in browse(self.voice, f"{title}, costliest first", lambda: options):
            mistake = mistakes[choice]
            entry = next(one.entry for one in self.studied if one.entry.path == mistake.log)
            open_recording(self.voice, self.house, entry, mistake.step)


def _habit_name(habit: HabitLeak) -> str:
    return f"{title_of(habit.total.game)}, {habit.total.habit}"


def _rated(name: str, total: Leak) -> PromptOption:
    return PromptOption(name, result=total.rate_text)


def _mistake(mistake: WrittenDecision, *, name_game: bool) -> PromptOption:
    definition = DEFINITIONS[mistake.game]
    spoken = definition.words.spoken
    did, best = spoken.describe(mistake.action, past=True), spoken.describe(mistake.best)
    game = f"{title_of(mistake.game)}, " if name_game else ""
    cost = f"{game}cost {cost_text(definition, mistake)}"
    return PromptOption(capitalized(cost), result=f"you {did}; best: {best}")
