"""Statistics, mistakes and leaks in screen-reader mode, as sentences instead of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..engine.money import dollars
from ..gamekit.number_formats import percent
from ..gamekit.registry import title_of
from ..house.house import House
from ..inputs.numbers import count_noun
from ..records.cache import Cache
from ..records.session_statistics import SittingTotals, TotalsByGame, compute_statistics
from ..records.summaries import WrittenDecision, review_logs
from ..teacher.leaks import Leak, Trend, find_leaks
from ..teacher.mistakes import costliest_mistakes
from .menu import MenuEntry
from .own_logs import games, none_yet, own_sittings, studied_sittings
from .prompts import PromptOption, choose
from .records import open_recording
from .voice import Voice

SHOWN = 20
"""The most mistakes that are listed, costliest first."""


def statistics_entry(house: Callable[[], House]) -> MenuEntry:
    """Return the statistics room."""

    def enter(voice: Voice) -> None:
        reviewed = [*review_logs(own_sittings(house()), games(), Cache(house().cache))]
        all_of_it = compute_statistics(reviewed, games())
        lines = [
            *_book("For money", all_of_it.money),
            *_book("Free play", all_of_it.practice),
        ]
        for line in lines:
            voice.say(line)
        if not lines:
            none_yet(voice)

    return MenuEntry("Statistics", "your results and your luck", enter)


def _book(name: str, book: TotalsByGame) -> Iterator[str]:
    if not book.overall.sittings:
        return
    yield f"{name}:"
    for game, figures in book.games.items():
        yield f"{title_of(game)}: {_sums(figures)}"
    if len(book.games) > 1:
        yield f"All games: {_sums(book.overall)}"
    mistakes = book.overall.report()["mistakes"]
    if mistakes["sittings"]:
        cost = dollars(round(mistakes["cost"]))
        if book.overall.for_points:
            cost = f"{mistakes['cost']:.2f} points"
        yield f"Mistakes: {mistakes['count']:,}, total cost {cost}"


def _sums(figures: SittingTotals) -> str:
    count, rounds = len(figures.sittings), figures.rounds
    text = f"{count:,} session{'s' * (count != 1)}, {rounds:,} round{'s' * (rounds != 1)}"
    if figures.wagered:
        net = f"{'won' if figures.net >= 0 else 'lost'} {dollars(abs(figures.net))}"
        text += f", {dollars(figures.wagered)} bet, {net}"
        text += f", return {percent(figures.won, of=figures.wagered)}"
    if (known := figures.luck) and known.wagered:
        text += f", expected {percent(known.expected.mean, of=known.wagered)}"
        if known.luck is not None:
            text += f", luck {known.luck:+.2f} standard deviations"
    return text


def mistakes_entry(house: Callable[[], House]) -> MenuEntry:
    """Return the room of the player's mistakes: the cost of each kind, and the costliest ones."""

    def enter(voice: Voice) -> None:
        studied = [*studied_sittings(voice, house())]
        mistakes = costliest_mistakes(studied)
        if not mistakes:
            voice.say("No mistakes in finished sessions.")
            return
        voice.say("Cost of each kind, costliest first:")
        for leak in find_leaks(studied):
            voice.say(_leak(leak))
        entries = {each.entry.path: each.entry for each in studied}
        options = [PromptOption(*_mistake(mistake)) for mistake in mistakes[:SHOWN]]
        title = f"{count_noun(len(mistakes), 'mistake')}, costliest first"
        while (place := choose(voice, title, options)) is not None:
            mistake = mistakes[place]
            open_recording(voice, house(), entries[mistake.log], mistake.step)

    return MenuEntry("Mistakes", "what each kind costs, and the costliest mistakes", enter)


def _leak(leak: Leak) -> str:
    times = "once" if leak.count == 1 else f"{leak.count:,} times"
    trend = leak.trend.value
    if leak.trend is not Trend.UNSURE:
        trend += f", {leak.later.cost:.2f} recently and {leak.earlier.cost:.2f} earlier"
    return (
        f"{title_of(leak.game)}, {leak.kind}: {times} in {count_noun(leak.rounds, 'round')}, "
        f"{leak.rate.cost:.2f} {leak.unit} per 100 rounds, error {leak.rate.error:.2f}; {trend}"
    )


def _mistake(mistake: WrittenDecision) -> tuple[str, str]:
    definition = games()[mistake.game]()
    cost = (
        f"{definition.format_amount(mistake.cost)} {'points' if definition.points else 'dollars'}"
    )
    return (
        f"{title_of(mistake.game)}, {mistake.kind}, costs {cost}",
        f"{mistake.action}, best: {mistake.best}",
    )
