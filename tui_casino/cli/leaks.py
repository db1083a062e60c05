"""``tui-casino leaks``: print your strength, and what each kind of mistake costs per 100 rounds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from ..inputs.numbers import count_noun
from ..teacher.leaks import (
    HabitLeak,
    Leak,
    Strength,
    Trend,
    describe_habit,
    find_habits,
    find_leaks,
    find_strengths,
)
from .help_texts import shown_name
from .mistakes import print_list, studied_sessions
from .parser import add_game_option, add_player_options, filter_words


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_game_option(parser)
    add_player_options(parser)
    parser.add_argument("--json", action="store_true", help="print a list in JSON")


def run(args: Namespace) -> int:
    """Print what each kind of mistake costs, the costliest first. Raises :class:`BadInput`."""
    studied = studied_sessions(args)
    if args.json:
        print_list([_summed(leak) for leak in find_leaks(studied)])
    else:
        none = f"no mistakes in finished sessions{filter_words(args)}"
        habits = _habits(find_habits(studied)) or [none]
        print("\n".join((*_strengths(find_strengths(studied)), *habits)))
    return 0


def _summed(leak: Leak) -> dict[str, object]:
    return {
        "game": leak.game,
        "kind": str(leak.kind),
        "count": leak.count,
        "cost": round(leak.rate.cost, 6),
        "error": round(leak.rate.error, 6),
        "rounds": leak.rounds,
        "unit": leak.unit,
        "habit": leak.habit,
        "relative_cost": round(leak.relative.cost, 6),
    }


def _strengths(strengths: list[Strength]) -> Iterator[str]:
    for strength in strengths:
        yield f"{shown_name(strength.game)}: {strength}"


def _habits(habits: list[HabitLeak]) -> list[str]:
    lines = []
    for habit in habits:
        total = habit.total
        lines += [
            f"{shown_name(total.game)}: {total.habit}, {_times(total)} "
            f"in {count_noun(total.rounds, 'round')}: {total.count * total.each:.2f} {total.unit}",
            f"   {_cost(total)}; {_trend(total)}",
            f"   that is {_multiple(total)} what a strong player loses",
            f"   {describe_habit(habit)[0]}",
        ]
        for leak in habit.leaks:
            lines.append(f"     {leak.kind}, {_share(leak)}: {_cost(leak)}")
    return lines


def _times(leak: Leak) -> str:
    return "once" if leak.count == 1 else f"{leak.count:,} times"


def _share(leak: Leak) -> str:
    return f"{leak.count:,} of {leak.moments:,} times" if leak.moments > 1 else _times(leak)


def _multiple(leak: Leak) -> str:
    times = leak.relative.cost
    return f"{times:.1f} times" if times >= 0.05 else "less than a tenth of"


def _cost(leak: Leak) -> str:
    return f"costs {leak.rate_text} (standard error {leak.rate.error:.2f})"


def _trend(leak: Leak) -> str:
    if leak.trend is Trend.UNSURE:
        return str(leak.trend.value)
    return f"{leak.trend.value}: {leak.later.cost:.2f} recently, {leak.earlier.cost:.2f} before"
