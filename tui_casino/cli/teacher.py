"""One's own mistakes on the command line: one by one, and by kind."""

from __future__ import annotations

import sys
from argparse import Namespace

from ..gamekit.parts import AnyParts
from ..gamekit.progress import bar
from ..house.places import cache_file, log_folder
from ..inputs.arguments import number
from ..inputs.errors import BadInput
from ..inputs.numbers import counted
from ..inputs.plain import printable
from ..records.cache import Cache
from ..records.codec import ascii_json
from ..records.shelf import entries, select
from ..teacher.leaks import Leak, Trend, leaks
from ..teacher.lessons import Lesson, Studied, dearest, study
from .logs import accounts, games

MOST = 1_000_000


def show_mistakes(args: Namespace) -> int:
    """Print all mistakes, the dearest first. Raises :class:`BadInput`."""
    limit = None if args.limit is None else number("--limit", args.limit, 1, MOST)
    found = dearest(_studied(args), args.kind or "")
    shown = found[:limit]
    if args.json:
        _print_list([_described(lesson) for lesson in shown])
    else:
        print("\n".join(_mistakes(shown, len(found))))
    return 0


def show_leaks(args: Namespace) -> int:
    """Print what each kind of mistake costs, the dearest first. Raises :class:`BadInput`."""
    studied = _studied(args)
    found = leaks(studied)
    if args.json:
        _print_list([_summed(leak) for leak in found])
    else:
        print("\n".join(_leaks(found)))
    return 0


def _studied(args: Namespace) -> list[Studied]:
    """Study the sittings that were asked for; what is wrong with a log is said."""
    folder = log_folder(args.log_dir, args.environ)
    if args.log_dir and not folder.exists():
        raise BadInput(f"--log-dir: {args.log_dir}: there is no such folder")
    found = entries(folder, games(), accounts(args.patience))
    found = select(found, game=args.game, player=args.player)
    studied, faults = list[Studied](), list[str]()
    with bar("sessions", len(found), sys.stderr) as progress:
        for done, each in enumerate(study(found, games(), Cache(cache_file())), 1):
            if isinstance(each, Studied):
                studied.append(each)
            elif each.fault is not None:
                faults.append(f"{printable(str(each.entry.path))}: {each.fault}")
            if progress:
                progress(done)
    for fault in faults:
        print(fault, file=sys.stderr)
    return studied


def _print_list(described: list[dict[str, object]]) -> None:
    """Print a list in JSON, an object a line."""
    print("[" + ",\n ".join(map(ascii_json, described)) + "]")


def _described(lesson: Lesson) -> dict[str, object]:
    return {
        "game": lesson.game,
        "log": printable(str(lesson.log)),
        "step": lesson.step,
        "kind": str(lesson.kind),
        "cost": float(lesson.cost),
        "choice": lesson.choice,
        "best": lesson.best,
    }


def _mistakes(shown: list[Lesson], every: int) -> list[str]:
    if not shown:
        return ["no mistakes in finished sessions"]
    parts: dict[str, AnyParts] = {game: games()[game]() for game in {one.game for one in shown}}
    lines = []
    for lesson in shown:
        mine = parts[lesson.game]
        cost = f"{mine.figure(lesson.cost)}{' points' if mine.points else ' dollars'}"
        lines += [
            f"{lesson.game}: {lesson.kind}: {lesson.choice}; best {lesson.best}: costs {cost}",
            f"   {printable(lesson.log.name)}, step {lesson.step}",
        ]
    more = every - len(shown)
    return [*lines, f"and {more:,} more, that cost less" if more else f"mistakes: {every:,}"]


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


def _leaks(found: list[Leak]) -> list[str]:
    if not found:
        return ["no mistakes in finished sessions"]
    lines = []
    for leak in found:
        times = "once" if leak.count == 1 else f"{leak.count:,} times"
        lines += [
            f"{leak.game}: {leak.kind}, {times} in {counted(leak.rounds, 'round')}",
            f"   100 rounds of it cost {leak.rate.cost:.2f} {leak.unit}, "
            f"error {leak.rate.error:.2f}; {_trend(leak)}",
        ]
        if leak.moments > 1:
            lines.append(f"   {leak.count / leak.moments:.0%} of {leak.moments:,} such choices")
    return lines


def _trend(leak: Leak) -> str:
    if leak.trend is Trend.UNSURE:
        return str(leak.trend.value)
    return f"{leak.trend.value}: {leak.later.cost:.2f} lately, {leak.earlier.cost:.2f} earlier"
