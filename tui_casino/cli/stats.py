"""``tui-casino stats``: print the totals and the luck of recorded sessions."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.money import dollars
from ..gamekit.number_formats import percent, share_text
from ..gamekit.registry import DEFINITIONS
from ..house.paths import cache_file
from ..inputs.files import UserPath
from ..inputs.numbers import count_noun, parse_date
from ..inputs.sanitize import printable
from ..records.cache import Cache
from ..records.clock import local_date
from ..records.codec import ascii_json
from ..records.export import check_export_path, export_report
from ..records.session_statistics import (
    SittingTotals,
    Statistics,
    TotalsByGame,
    compute_statistics,
    format_trend,
)
from ..records.summaries import review_logs
from .help_texts import shown_name
from .logs import selected_logs, with_progress
from .parser import add_game_option, add_player_options, filter_words


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_game_option(parser)
    parser.add_argument(
        "--since",
        metavar="DATE",
        help="only sessions that began on this day (local time) or later, such as 2026-01-31",
    )
    add_player_options(parser)
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    parser.add_argument(
        "--export", metavar="FILE", help="write the figures to a .csv or .json file"
    )


def run(args: Namespace) -> int:
    """Print the totals of sessions, or write them to a file. Raises :class:`BadInput`."""
    if args.export:
        check_export_path(UserPath(args.export, args.cwd))
    since = parse_date("--since", args.since, None) if args.since else None
    entries = selected_logs(args, since)
    reviews = review_logs(entries, DEFINITIONS, Cache(cache_file()), choices=True)
    reviewed = [*with_progress(reviews, len(entries))]
    for each in reviewed:
        if each.fault is not None:
            print(f"{printable(str(each.entry.path))}: {each.fault}", file=sys.stderr)
    all_of_it = compute_statistics(reviewed, DEFINITIONS)
    if args.export:
        export_report(all_of_it.report(), UserPath(args.export, args.cwd))
    if args.json:
        print(ascii_json(all_of_it.report()))
    elif not args.export:
        print("\n".join(_lines(all_of_it, filter_words(args) or " yet")))
    return 0


def _lines(statistics: Statistics, which: str) -> list[str]:
    lines = []
    for name, book in (("Money", statistics.money), ("Free play", statistics.practice)):
        if book.overall.sittings:
            lines += [*_table(name, book), ""]
    if not lines:
        lines = [f"no finished sessions{which}", ""]
    for reason, count in statistics.left_out.items():
        lines.append(f"not counted, {reason.value}: {count:,}")
    return lines if lines[-1] else lines[:-1]


def _table(name: str, book: TotalsByGame) -> list[str]:
    lines = [
        f"{name:<15}{'sessions':>8}{'rounds':>9}{'wagered':>14}{'won':>14}{'net':>13}"
        f"{'return':>9}{'expected':>10}{'dev.':>8}"
    ]
    lines += [_row(shown_name(game), figures) for game, figures in book.games.items()]
    overall = book.overall
    if len(book.games) > 1:
        lines.append(_row("overall", overall))
    if overall.for_points:
        lines.append(f"points ahead: {overall.points_ahead:+,} in total")
    else:
        lines += _best(overall.report())
    if overall.luck and overall.luck.wagered not in (0, overall.wagered):
        lines.append(f"the expected result covers {dollars(overall.luck.wagered)} of the bets")
    lines += [
        f"{shown_name(game)}: chance of a result this bad or worse: {known.as_bad:.2%}"
        for game, figures in book.games.items()
        if (known := figures.luck) and known.as_bad is not None and known.wagered
    ]
    lines += [
        f"{shown_name(game)}: {figures.split}"
        for game, figures in book.games.items()
        if figures.split and (figures.for_points or figures.wagered)
    ]
    mistakes = overall.mistakes
    if mistakes.sittings:
        lines.append(f"mistakes: {mistakes.count:,}, total cost {mistakes.cost_text}")
    for game, eras in book.eras.items():
        if own := [*format_trend(eras, _day, book.games[game].for_points)]:
            lines += ["", f"{shown_name(game)}:", *own]
    return lines


def _signed(cents: int) -> str:
    """Format a net result in credits with its sign: ``+46.00``."""
    return f"{'+' if cents > 0 else ''}{dollars(cents)}"


def _best(report: Mapping[str, Any]) -> Iterator[str]:
    best, worst, streaks = report["best_sitting"], report["worst_sitting"], report["longest_runs"]
    yield f"best session {_signed(best['net'])} in {best['log']}"
    yield f"worst session {_signed(worst['net'])} in {worst['log']}"
    if report["best_round"] is not None:
        best_round, worst_round = _signed(report["best_round"]), _signed(report["worst_round"])
        yield f"best round {best_round}, worst {worst_round}"
    yield (
        f"longest streaks: {count_noun(streaks['rounds_won'], 'round')} won, "
        f"{streaks['rounds_lost']:,} lost; "
        f"{count_noun(streaks['sittings_won'], 'session')} won, {streaks['sittings_lost']:,} lost"
    )


def _day(at: int) -> str:
    """Return the local month and day of a time, in the format of ``--since`` without the year."""
    return f"{local_date(at):%m-%d}"


def _row(name: str, figures: SittingTotals) -> str:
    back = share_text(figures.won, figures.wagered)
    expected = deviation = "-"
    if (known := figures.luck) and known.wagered:
        expected = percent(known.expected.mean, of=known.wagered)
        deviation = "-" if known.luck is None else f"{known.luck:+.2f}"
    return (
        f"{name:<15}{len(figures.sittings):>8,}{figures.rounds:>9,}{dollars(figures.wagered):>14}"
        f"{dollars(figures.won):>14}{_signed(figures.net):>13}{back:>9}{expected:>10}{deviation:>8}"
    )
