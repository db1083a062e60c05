"""The statistics page of five-card draw: hands, credits and expected hand frequencies."""

from __future__ import annotations

from collections.abc import Iterator

from ....cards.poker import HandCategory
from ....gamekit.number_formats import percent
from ....tui.draw.plots import share_bars
from ....tui.table.snapshot import StatisticsPage, TableSnapshot
from ..brains.lazy import odds
from ..machine.state import Action, State
from .tally import Tally

WIDTH = 46
COLUMNS = (WIDTH, 96)


def statistics(snapshot: TableSnapshot[State, Action, Tally]) -> StatisticsPage:
    """Return the session's counts next to the shares expected in the long run."""
    tally = snapshot.tally
    counts = _counts(tally, snapshot.view.stacks[snapshot.seat], plain=snapshot.plain)
    return StatisticsPage("\n".join(counts), lambda: _expected(tally), tally.report(), COLUMNS)


def _counts(tally: Tally, stack: int, *, plain: bool) -> Iterator[str]:
    """Chart how the seat's hands ended and what it drew, and list its credits."""
    lost = tally.rounds - tally.won_hands - tally.folded
    endings = (
        ("Won", tally.won_hands - tally.tied),
        ("Won, split pot", tally.tied),
        ("Folded", tally.folded),
        ("Lost at the showdown", lost),
    )
    drawn = ((f"Drew {cards}" if cards else "Stood pat", count) for cards, count in tally.draws)
    yield f"{'Hands':<22}{tally.rounds:>{WIDTH - 22},}"
    for title, counts in (("How your hands ended", endings), ("Cards you drew", (*drawn,))):
        total = sum(count for _, count in counts)
        if total:
            yield ""
            yield title
            yield from share_bars(
                (
                    (name, count / total, f"{count:,}{percent(count, of=total):>9}")
                    for name, count in counts
                ),
                WIDTH,
                plain,
            )
    yield ""
    yield f"{'Money':<22}{'credits':>{WIDTH - 22}}"
    for name, credits in (
        ("Put in", tally.wagered),
        ("Won", tally.won),
        ("Net", tally.won - tally.wagered),
        ("Credit now", stack),
    ):
        yield f"{name:<22}{credits:>{WIDTH - 22},}"


def _expected(tally: Tally) -> str:
    """List the share of each hand category shown, next to its chance after the algorithm's draw."""
    counts = dict(tally.categories)
    total = sum(counts.values())
    exact = odds.after_the_algorithm()
    lines = [f"{'Hand':<18}{'shown':>7}{'share':>9}{'expected':>12}"]
    for category in reversed(HandCategory):
        count = counts.get(category, 0)
        share = percent(count, of=total) if total else "-"
        chance = percent(exact.chance(category), 4)
        lines.append(f"{category.words.capitalize():<18}{count:>7,}{share:>9}{chance:>12}")
    lines.append("Expected: after the algorithm's draw")
    return "\n".join(lines)
