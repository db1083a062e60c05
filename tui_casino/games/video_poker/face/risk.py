"""Risk of ruin on the command line and on the statistics page, with and without mistakes."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from fractions import Fraction

from ....inputs.arguments import parse_number
from ....inputs.errors import BadInput
from ....records.codec import ascii_json
from ..brains.lazy import odds, ruin
from ..machine.rules import PayTable

MAX_CASH_BACK = Fraction(1, 10)
HANDS = 1_000
"""Of a table under 100% the page says how surely a bankroll lasts so long."""
OPTIONS = ("hands", "cash_back", "double", "cost", "mine")


def add_risk_arguments(parser: ArgumentParser) -> None:
    """Declare what is asked of bankrolls."""
    risk = parser.add_argument_group("risk of ruin, with perfect play")
    risk.add_argument(
        "--ruin",
        metavar="P",
        help="the bankroll, in bets, that is lost with at most this probability, such as 0.05",
    )
    risk.add_argument(
        "--bankroll",
        metavar="N",
        help="the probability of losing a bankroll of N bets, ever and before it doubles",
    )
    risk.add_argument(
        "--hands", metavar="N", help="with --ruin or --bankroll: within N hands (default: ever)"
    )
    risk.add_argument(
        "--double", action="store_true", help="with --ruin: before the bankroll doubles"
    )
    risk.add_argument(
        "--cash-back", metavar="PERCENT", help="cash back, in percent of each bet, such as 0.25"
    )
    cost = risk.add_mutually_exclusive_group()
    cost.add_argument(
        "--cost", metavar="PERCENT", help="what your mistakes cost, in percent of each bet"
    )
    cost.add_argument(
        "--mine",
        action="store_true",
        help="the cost of your own recorded mistakes instead of --cost",
    )


def is_risk_asked_for(args: Namespace) -> bool:
    """Tell whether risk is asked for. Raises :class:`BadInput` for options without it."""
    if args.ruin is not None and args.bankroll is not None:
        raise BadInput("--ruin and --bankroll do not go together")
    if args.ruin is None and args.bankroll is None:
        for option in OPTIONS:
            if getattr(args, option):
                raise BadInput(f"--{option.replace('_', '-')} goes with --ruin or --bankroll")
        return False
    return True


def risk_answer(args: Namespace, table: PayTable, coins: int) -> str:
    """Answer what is asked. Raises :class:`BadInput` for what cannot be."""
    hands = None if args.hands is None else parse_number("--hands", args.hands, 1, ruin.MOST_HANDS)
    cash_back = _percent("--cash-back", args.cash_back, MAX_CASH_BACK)
    cost = own_cost(args.environ) if args.mine else _percent("--cost", args.cost, Fraction(1, 2))
    if args.bankroll is not None:
        if args.cash_back is not None or args.double:
            raise BadInput("--cash-back and --double go with --ruin")
        bets = parse_number("--bankroll", args.bankroll, 1, ruin.MOST_BETS)
        return _bankroll_answer(args.json, table, coins, bets, hands, cost)
    chance = share_of("--ruin", args.ruin)
    if not 0 < chance < 1:
        raise BadInput(
            f"--ruin: {args.ruin!r} is not a probability; give one between 0 and 1, such as 0.05"
        )
    if hands is not None and cash_back:
        raise BadInput("--hands and --cash-back do not go together: bankrolls then have fractions")
    if args.double and (hands is not None or cash_back):
        raise BadInput("--double goes with neither --hands nor --cash-back")
    from .report import RuinQuery, ruin_json, ruin_text  # late: numpy

    risk = RuinQuery(float(chance), hands, cash_back, cost, double=args.double)
    try:
        return (ruin_json if args.json else ruin_text)(table, coins, risk)
    except ValueError as error:
        hint = "" if hands else "; --hands N says what lasts N hands"
        raise BadInput(f"--ruin: {error}{hint}") from None


def _bankroll_answer(
    as_json: bool, table: PayTable, coins: int, bets: int, hands: int | None, cost: Fraction
) -> str:
    optimum = odds.odds_of(table, coins).report("optimal")
    try:
        chances: dict[str, float] = {
            "bets": bets,
            "ever": ruin.ruin_chance(optimum, bets, cost),
            "before_doubling": ruin.chance_of_ruin_before_doubling(optimum, bets, cost),
        }
        if hands is not None:
            chances |= {
                "hands": hands,
                "lasts": float(ruin.survival_chances(optimum, hands, cost)[min(bets, hands + 1)]),
            }
    except ValueError as error:
        raise BadInput(f"--bankroll: {error}") from None
    if as_json:
        return ascii_json(chances)
    lines = [
        f"{table.title}, {coins} coin{'s' * (coins > 1)}, {bets:,} bets ({bets * coins:,} credits)",
        f"  are ever lost with a chance of {chances['ever']:.4%}",
        f"  before they double {chances['before_doubling']:.4%}",
    ]
    if hands is not None:
        lines.append(f"  and last {hands:,} hands with {chances['lasts']:.4%}")
    return "\n".join(lines)


def _percent(option: str, text: str | None, maximum: Fraction) -> Fraction:
    share = Fraction(0) if text is None else share_of(option, text) / 100
    if not 0 <= share <= maximum:
        raise BadInput(f"{option}: {text!r}: give 0 to {100 * maximum} percent")
    return share


def share_of(option: str, text: str) -> Fraction:
    """Read a number such as ``0.05`` exactly. Raises :class:`BadInput`."""
    if not re.fullmatch(r"[0-9]{0,9}(\.[0-9]{1,12})?", text, re.ASCII) or not text:
        raise BadInput(f"{option}: {text!r} is no number; write it like 0.05")
    return Fraction(text)


def own_cost(environ: Mapping[str, str]) -> Fraction:
    """Give what the mistakes of all recorded sittings have cost, as a share of what was bet.

    Raises :class:`BadInput` if there is none.
    """
    from ....house.paths import cache_file, log_folder  # late: only --mine reads the records
    from ....records.cache import Cache
    from ....records.log_catalog import Games, filter_logs, list_logs
    from ....records.summaries import review_logs
    from .. import DEFINITION

    slug = DEFINITION.game.slug
    games: Games = {slug: lambda: DEFINITION}
    logs = filter_logs(list_logs(log_folder(None, environ), games, {}), game=slug)
    cost, wagered = Fraction(0), 0
    for each in review_logs(logs, games, Cache(cache_file()), choices=True):
        if each.summary is not None:
            cost, wagered = cost + Fraction(each.summary.cost), wagered + each.summary.wagered
    if not wagered:
        raise BadInput("--mine: there is no finished session at video poker")
    return cost / wagered


def risk_lines(table: PayTable, coins: int, credit: int, cost: Fraction | None) -> Iterator[str]:
    """Tell on the statistics page what becomes of the credit: by the best play, and as one plays.

    ``cost`` is what mistakes have cost, as a share of what was bet, where that is known.
    """
    bets = min(credit // coins, ruin.MOST_BETS)
    if not bets:
        return
    optimum = odds.odds_of(table, coins).report("optimal")
    players = (Fraction(0),) if cost is None else (Fraction(0), cost)
    try:
        ruin_chances = [
            ruin.chance_of_ruin_before_doubling(optimum, bets, each) for each in players
        ]
        rows = [("lost before they double", ruin_chances)]
        if optimum.expected_return > 1:
            rows.append(("lost, ever", [ruin.ruin_chance(optimum, bets, c) for c in players]))
        else:
            lasts = [
                float(ruin.survival_chances(optimum, HANDS, c)[min(bets, HANDS + 1)])
                for c in players
            ]
            rows.append((f"lasts {HANDS:,} hands", lasts))
    except ValueError:  # a table of one's own that does not pay whole bets
        return
    yield ""
    yield f"{f'{bets:,} bets of {coins} are':<27}{'best play':>10}" + (
        "" if cost is None else f"{'as you':>11}"
    )
    for name, chances in rows:
        yield f"{name:<27}" + "".join(
            f"{chance:>{width}.2%}" for chance, width in zip(chances, (10, 11), strict=False)
        )
