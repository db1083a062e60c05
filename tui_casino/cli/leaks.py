"""``tui-casino leaks``: print what each kind of mistake costs per 100 rounds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..inputs.numbers import count_noun
from ..teacher.leaks import Leak, Trend, find_leaks
from .mistakes import print_list, studied_sessions
from .parser import add_game_option, add_player_options


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_game_option(parser)
    add_player_options(parser)
    parser.add_argument("--json", action="store_true", help="print a list in JSON")


def run(args: Namespace) -> int:
    """Print what each kind of mistake costs, the costliest first. Raises :class:`BadInput`."""
    studied = studied_sessions(args)
    leaks = find_leaks(studied)
    if args.json:
        print_list([_summed(leak) for leak in leaks])
    else:
        print("\n".join(_leaks(leaks)))
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
    }


def _leaks(leaks: list[Leak]) -> list[str]:
    if not leaks:
        return ["no mistakes in finished sessions"]
    lines = []
    for leak in leaks:
        times = "once" if leak.count == 1 else f"{leak.count:,} times"
        lines += [
            f"{leak.game}: {leak.kind}, {times} in {count_noun(leak.rounds, 'round')}",
            f"   costs {leak.rate.cost:.2f} {leak.unit} per 100 rounds "
            f"(standard error {leak.rate.error:.2f}); {_trend(leak)}",
        ]
        if leak.moments > 1:
            lines.append(
                f"   wrong in {leak.count / leak.moments:.0%} of {leak.moments:,} such choices"
            )
    return lines


def _trend(leak: Leak) -> str:
    if leak.trend is Trend.UNSURE:
        return str(leak.trend.value)
    return f"{leak.trend.value}: {leak.later.cost:.2f} recently, {leak.earlier.cost:.2f} before"
