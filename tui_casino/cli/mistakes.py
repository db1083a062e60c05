"""``tui-casino mistakes``: list your mistakes in all finished sessions, the costliest first."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import DEFINITIONS
from ..gamekit.verdict import cost_text
from ..house.paths import cache_file
from ..inputs.numbers import count_noun, parse_number
from ..inputs.sanitize import plain, printable
from ..records.cache import Cache
from ..records.codec import ascii_json
from ..records.summaries import WrittenDecision
from ..teacher.mistakes import ReviewedSitting, costliest_mistakes, review_sittings
from .help_texts import shown_name
from .logs import selected_logs, with_progress
from .parser import add_game_option, add_player_options, filter_words

MOST = 1_000_000


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_game_option(parser)
    add_player_options(parser)
    parser.add_argument("--kind", metavar="TEXT", help="only kinds whose name contains this text")
    parser.add_argument("--limit", metavar="N", help="at most N mistakes")
    parser.add_argument("--json", action="store_true", help="print a list in JSON")


def run(args: Namespace) -> int:
    """Print all mistakes, the costliest first. Raises :class:`BadInput`."""
    limit = None if args.limit is None else parse_number("--limit", args.limit, 1, MOST)
    mistakes = costliest_mistakes(studied_sessions(args), args.kind or "")
    shown = mistakes[:limit]
    if args.json:
        print_list([_described(mistake) for mistake in shown])
    else:
        kind = f", of a kind that contains {plain(args.kind)!r}" if args.kind else ""
        none = f"no mistakes in finished sessions{filter_words(args)}{kind}"
        print("\n".join(_mistakes(shown, len(mistakes)) or [none]))
    return 0


def studied_sessions(args: Namespace) -> list[ReviewedSitting]:
    """Analyse the selected sessions; report faulty logs on standard error."""
    entries = selected_logs(args)
    reviews = review_sittings(entries, DEFINITIONS, Cache(cache_file()))
    studied, faults = list[ReviewedSitting](), list[str]()
    for each in with_progress(reviews, len(entries)):
        if isinstance(each, ReviewedSitting):
            studied.append(each)
        elif each.fault is not None:
            faults.append(f"{printable(str(each.entry.path))}: {each.fault}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return studied


def print_list(described: list[dict[str, object]]) -> None:
    """Print a list as JSON objects, one per line."""
    print("[" + ",\n ".join(map(ascii_json, described)) + "]")


def _described(mistake: WrittenDecision) -> dict[str, object]:
    return {
        "game": mistake.game,
        "log": printable(str(mistake.log)),
        "step": mistake.step,
        "kind": str(mistake.kind),
        "cost": float(mistake.cost),
        "choice": mistake.action,
        "best": mistake.best,
    }


def _mistakes(shown: list[WrittenDecision], every: int) -> list[str]:
    """Return the lines of the list; none without mistakes."""
    if not shown:
        return []
    definition: dict[str, AnyDefinition] = {
        game: DEFINITIONS[game] for game in {one.game for one in shown}
    }
    lines = []
    for mistake in shown:
        mine = definition[mistake.game]
        did = mine.words.spoken.describe(mistake.action, past=True)
        best = mine.words.spoken.describe(mistake.best)
        lines += [
            f"{shown_name(mistake.game)}, {mistake.kind} "
            f"(you {did}; best: {best}; cost {cost_text(mine, mistake)})",
            f"   {printable(mistake.log.name)}, step {mistake.step}",
        ]
    if not (omitted := every - len(shown)):
        return [*lines, count_noun(every, "mistake")]
    if len(definition) > 1:
        return [*lines, f"and {omitted:,} more that cost less compared with strong play"]
    (only,) = definition.values()
    return [*lines, f"and {omitted:,} more that cost fewer {'points' if only.points else 'bets'}"]
