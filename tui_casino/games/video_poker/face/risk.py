"""The risk of ruin on the command line and on the statistics page, with and without mistakes."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from fractions import Fraction

from ....gamekit.definition import Games
from ....inputs.errors import BadInput
from ....inputs.numbers import count_noun, parse_number
from ....records.codec import ascii_json
from ..brains.lazy import bankroll, odds
from ..machine.rules import PayTable

MAX_CASH_BACK = Fraction(1, 10)
MAX_COST = Fraction(1, 2)
"""The largest cost of mistakes, as a share of each bet, for which the risk of ruin is computed."""
HANDS = 1_000
"""The number of hands to survive, shown on pages for a table that returns less than 100%."""
OPTIONS = ("hands", "cash_back", "double", "cost", "mine")


def add_risk_arguments(parser: ArgumentParser) -> None:
    """Declare the options about bankrolls and the risk of ruin."""
    risk = parser.add_argument_group("risk of ruin, with perfect play")
    risk.add_argument(
        "--ruin",
        metavar="P",
        help="print the smallest bankroll, in bets, whose probability of being lost is at most P, "
        "such as 0.05",
    )
    risk.add_argument(
        "--bankroll",
        metavar="N",
        help="print the probability of ever losing a bankroll of N bets, and of losing it "
        "before it doubles",
    )
    risk.add_argument(
        "--hands",
        metavar="N",
        help="with --ruin or --bankroll: consider only the next N hands (default: no limit)",
    )
    risk.add_argument(
        "--double",
        action="store_true",
        help="with --ruin: consider only losses before the bankroll doubles",
    )
    risk.add_argument(
        "--cash-back",
        metavar="PERCENT",
        help="with --ruin: cash back, as a percentage of each bet, such as 0.25",
    )
    cost = risk.add_mutually_exclusive_group()
    cost.add_argument(
        "--cost",
        metavar="PERCENT",
        help="with --ruin or --bankroll: the cost of your mistakes, as a percentage of each bet",
    )
    cost.add_argument(
        "--mine",
        action="store_true",
        help="like --cost, with the cost of the mistakes in your recorded sessions",
    )


def is_risk_asked_for(args: Namespace) -> bool:
    """Return whether ``--ruin`` or ``--bankroll`` is given.

    Raises :class:`BadInput` if both are given, or if another option needs one of them and neither
    is given.
    """
    if args.ruin is not None and args.bankroll is not None:
        raise BadInput("--ruin and --bankroll cannot be used together")
    if args.ruin is None and args.bankroll is None:
        for option in OPTIONS:
            if getattr(args, option):
                name = option.replace("_", "-")
                raise BadInput(f"--{name} can only be used with --ruin or --bankroll")
        return False
    return True


def risk_answer(args: Namespace, table: PayTable, coins: int) -> str:
    """Return the answer as text or JSON. Raises :class:`BadInput` for options without an answer."""
    hands = (
        None if args.hands is None else parse_number("--hands", args.hands, 1, bankroll.MOST_HANDS)
    )
    cash_back = _percent("--cash-back", args.cash_back, MAX_CASH_BACK)
    cost = own_cost(args.environ) if args.mine else _percent("--cost", args.cost, MAX_COST)
    if args.bankroll is not None:
        if args.cash_back is not None or args.double:
            raise BadInput("--cash-back and --double can only be used with --ruin")
        bets = parse_number("--bankroll", args.bankroll, 1, bankroll.MOST_BETS)
        return _bankroll_answer(args.json, table, coins, bets, hands, cost)
    chance = share_of("--ruin", args.ruin)
    if not 0 < chance < 1:
        raise BadInput(
            f"--ruin: {args.ruin!r} is not a probability; give one between 0 and 1, such as 0.05"
        )
    if hands is not None and cash_back:
        raise BadInput(
            "--hands and --cash-back cannot be used together: cash back pays fractions of a bet"
        )
    if args.double and (hands is not None or cash_back):
        raise BadInput("--double cannot be used with --hands or --cash-back")
    from .odds_report import RuinQuery, ruin_json, ruin_text  # late: loads numpy

    risk = RuinQuery(float(chance), hands, cash_back, cost, double=args.double)
    try:
        return (ruin_json if args.json else ruin_text)(table, coins, risk)
    except ValueError as error:
        hint = "" if hands else "; with --hands N you get the bankroll that lasts N hands"
        raise BadInput(f"--ruin: {error}{hint}") from None


def _bankroll_answer(
    as_json: bool, table: PayTable, coins: int, bets: int, hands: int | None, cost: Fraction
) -> str:
    optimum = odds.odds_of(table, coins).report("optimal")
    try:
        chances: dict[str, float] = {
            "bets": bets,
            "ever": bankroll.ruin_chance(optimum, bets, cost),
            "before_doubling": bankroll.chance_of_ruin_before_doubling(optimum, bets, cost),
        }
        if hands is not None:
            chances |= {
                "hands": hands,
                "lasts": float(
                    bankroll.survival_chances(optimum, hands, cost)[min(bets, hands + 1)]
                ),
            }
    except ValueError as error:
        raise BadInput(f"--bankroll: {error}") from None
    if as_json:
        return ascii_json(chances)
    lines = [
        f"{table.title}, {count_noun(coins, 'coin')}, bankroll of {count_noun(bets, 'bet')} "
        f"({bets * coins:,} credits)",
        f"  chance of ever losing it: {chances['ever']:.4%}",
        f"  chance of losing it before it doubles: {chances['before_doubling']:.4%}",
    ]
    if hands is not None:
        lines.append(f"  chance that it lasts {count_noun(hands, 'hand')}: {chances['lasts']:.4%}")
    return "\n".join(lines)


def _percent(option: str, text: str | None, maximum: Fraction) -> Fraction:
    share = Fraction(0) if text is None else share_of(option, text) / 100
    if not 0 <= share <= maximum:
        raise BadInput(
            f"{option}: {text!r} is out of range; give a number from 0 to {100 * maximum} (percent)"
        )
    return share


def share_of(option: str, text: str) -> Fraction:
    """Parse a decimal number such as ``0.05`` exactly. Raises :class:`BadInput`."""
    if not re.fullmatch(r"[0-9]{0,9}(\.[0-9]{1,12})?", text, re.ASCII) or not text:
        raise BadInput(f"{option}: {text!r} is not a number; write it like 0.05")
    return Fraction(text)


def own_cost(environ: Mapping[str, str]) -> Fraction:
    """Return the cost of the mistakes in all recorded sessions, as a share of the amount bet.

    Raises :class:`BadInput` if there is no finished session, or if the cost is above ``MAX_COST``.
    """
    from ....house.paths import cache_file, log_folder  # late: only --mine reads the history
    from ....records.cache import Cache
    from ....records.log_catalog import filter_logs, list_logs
    from ....records.summaries import review_logs
    from .. import DEFINITION

    slug = DEFINITION.game.slug
    games: Games = {slug: DEFINITION}
    logs = filter_logs(list_logs(log_folder(None, environ), games, {}), game=slug)
    cost, wagered = Fraction(0), 0
    for each in review_logs(logs, games, Cache(cache_file()), choices=True):
        if each.summary is not None:
            cost, wagered = cost + Fraction(each.summary.cost), wagered + each.summary.wagered
    if not wagered:
        raise BadInput("--mine: you have no finished session of video poker")
    if (share := cost / wagered) > MAX_COST:
        raise BadInput(
            f"--mine: your mistakes cost {float(share):.2%} of your bets; the risk of ruin can be "
            f"computed up to {100 * MAX_COST}%"
        )
    return share


def risk_lines(table: PayTable, coins: int, credit: int, cost: Fraction | None) -> Iterator[str]:
    """Yield the risk of losing the credit, with perfect play and with the player's mistakes.

    ``cost`` is the cost of the player's mistakes as a share of the amount bet; ``None`` if it is
    not known. A cost above ``MAX_COST`` is left out.
    """
    bets = min(credit // coins, bankroll.MOST_BETS)
    if not bets:
        return
    if cost is not None and cost > MAX_COST:
        cost = None
    optimum = odds.odds_of(table, coins).report("optimal")
    players = (Fraction(0),) if cost is None else (Fraction(0), cost)
    try:
        ruin_chances = [
            bankroll.chance_of_ruin_before_doubling(optimum, bets, each) for each in players
        ]
        rows = [("lose all before doubling", ruin_chances)]
        if optimum.expected_return > 1:
            rows.append(
                ("ever lose all", [bankroll.ruin_chance(optimum, bets, c) for c in players])
            )
        else:
            lasts = [
                float(bankroll.survival_chances(optimum, HANDS, c)[min(bets, HANDS + 1)])
                for c in players
            ]
            rows.append((f"last {HANDS:,} hands", lasts))
    except ValueError:  # a player's own table may pay fractions of a bet
        return
    yield ""
    yield f"{f'With {bets:,} bets of {coins}':<25}{'perfect play':>13}" + (
        "" if cost is None else f"{'your play':>11}"
    )
    for name, chances in rows:
        yield f"{name:<25}" + "".join(
            f"{chance:>{width}.2%}" for chance, width in zip(chances, (13, 11), strict=False)
        )
