"""Video poker on the command line: debug mode, simulation mode, and its exact odds."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from fractions import Fraction
from typing import Literal

from ....engine.chance import SEED_LIMIT
from ....gamekit.seating import Seating
from ....gamekit.workers import add_workers, workers_of
from ....inputs.arguments import number
from ....inputs.errors import BadInput
from ....inputs.files import GivenPath, read_cards, read_words
from ....records.codec import ascii_json
from ....records.export import check_path, export
from ..machine import paytables
from ..machine.game import Options
from ..machine.rules import MAX_COINS, PayTable
from . import tally

MOST_CREDIT = 10**15
MOST_DEALS = 10**12
STRATEGIES = ("list", "optimal")
MOST_BACK = Fraction(1, 10)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the modes of the course, and the pay table."""
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "-d",
        nargs=3,
        dest="debug",
        metavar=("CREDIT", "CMD-FILE", "CARD-FILE"),
        help="debug mode: play the commands of one file with the cards of another",
    )
    modes.add_argument(
        "-s",
        nargs=3,
        dest="simulate",
        metavar=("CREDIT", "BET", "NBDEALS"),
        help="simulation mode: play NBDEALS deals and print the statistics",
    )
    parser.add_argument(
        "--strategy",
        choices=STRATEGIES,
        help="how the simulation plays: by the 34-line strategy (default) or perfectly",
    )
    add_workers(parser, "the simulation")
    parser.add_argument("--json", action="store_true", help="print the simulation as JSON")
    parser.add_argument(
        "--export", metavar="FILE", help="write its statistics to FILE.csv or .json"
    )
    _add_paytable(parser)


def _add_paytable(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--paytable",
        metavar="T",
        help=f"{', '.join(paytables.names())}, or a TOML file of your own "
        f"(default: {paytables.DEFAULT})",
    )


def _paytable(args: Namespace) -> PayTable:
    return paytables.load(args.paytable or paytables.DEFAULT, args.here)


def run(args: Namespace) -> int | None:
    """Run debug or simulation mode."""
    if args.simulate:
        return _simulate(args)
    for option in ("json", "export", "jobs", "cluster", "strategy"):
        if getattr(args, option):
            raise BadInput(f"--{option} goes with -s, the simulation")
    return _debug(args) if args.debug else None


def _debug(args: Namespace) -> int:
    from .debug import blocks

    credit, command_file, card_file = args.debug
    options = Options(number("CREDIT", credit, 0, MOST_CREDIT), _paytable(args))
    cards = read_cards(GivenPath(card_file, args.here))
    words = [word.text for word in read_words(GivenPath(command_file, args.here))]
    between = ""
    for block in blocks(words, cards, options):
        print(between + block, file=args.stdout)
        between = "\n"
    return 0


def _simulate(args: Namespace) -> int:
    from ....gamekit.progress import bar
    from ..brains.simulation import simulate

    credit = number("CREDIT", args.simulate[0], 0, MOST_CREDIT)
    bet = number("BET", args.simulate[1], 1, MAX_COINS)
    deals = number("NBDEALS", args.simulate[2], 0, MOST_DEALS)
    workers = workers_of(args)
    seed = None if args.seed is None else number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)
    paytable = _paytable(args)
    strategy: Literal["list", "optimal"] = args.strategy or "list"
    if args.export:
        check_path(args.export)
    with bar("deals", deals, args.stderr) as progress:
        played = simulate(
            paytable, bet, deals, strategy=strategy, seed=seed, workers=workers, progress=progress
        )
    counted = tally.of_counts(paytable, bet, played.counts)
    balance = credit + counted.won - counted.wagered
    report = {
        "paytable": paytable.name,
        "coins": bet,
        "strategy": strategy,
        "seed": str(played.seed),
        "credit": balance,
        **counted.report(),
    }
    said = ascii_json(report) if args.json else tally.table(counted, balance, paytable)
    print(said, file=args.stdout)
    if args.export:
        export(report, GivenPath(args.export, args.here))
    return 0


def seating(args: Namespace) -> Seating[Options]:
    """Sit down at a machine with this pay table; at one of the player's own, for practice."""
    chosen = args.paytable is not None
    own = chosen and args.paytable not in paytables.names()
    return Seating(Options(paytable=_paytable(args)), practice=own, chosen=chosen)


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Declare pay table and coins."""
    _add_paytable(parser)
    parser.add_argument("--coins", metavar="N", default=str(MAX_COINS), help="the bet, 1 to 5")
    ruin = parser.add_argument_group("risk of ruin, by the best play")
    ruin.add_argument(
        "--ruin",
        metavar="P",
        help="how many bets one needs to lose all of them with this chance at most, such as 0.05",
    )
    ruin.add_argument("--hands", metavar="N", help="within so many hands (default: ever)")
    ruin.add_argument(
        "--cash-back", metavar="PERCENT", help="of each bet comes back besides, such as 0.25"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def odds(args: Namespace) -> int:
    """Print the exact return, variance and counts of the optimum and of the list; or of ruin."""
    from .report import as_json, as_text

    coins = number("--coins", args.coins, 1, MAX_COINS)
    paytable = _paytable(args)
    if args.ruin is not None:
        return _ruin(args, paytable, coins)
    for option, given in (("--hands", args.hands), ("--cash-back", args.cash_back)):
        if given is not None:
            raise BadInput(f"{option} goes with --ruin")
    print((as_json if args.json else as_text)(paytable, coins), file=args.stdout)
    return 0


def _ruin(args: Namespace, paytable: PayTable, coins: int) -> int:
    from ..brains.ruin import MOST_HANDS
    from .report import ruin_json, ruin_text

    risk = _share("--ruin", args.ruin)
    if not 0 < risk < 1:
        raise BadInput(f"--ruin: {args.ruin!r} is no chance; give one between 0 and 1, like 0.05")
    hands = None if args.hands is None else number("--hands", args.hands, 1, MOST_HANDS)
    back = Fraction(0) if args.cash_back is None else _share("--cash-back", args.cash_back) / 100
    if not 0 <= back <= MOST_BACK:
        raise BadInput(f"--cash-back: {args.cash_back!r}: give 0 to {100 * MOST_BACK} percent")
    if hands is not None and back:
        raise BadInput("--hands and --cash-back do not go together: bankrolls then have fractions")
    report = ruin_json if args.json else ruin_text
    try:
        print(report(paytable, coins, float(risk), hands, back), file=args.stdout)
    except ValueError as error:
        hint = "" if hands else "; --hands N says what lasts N hands"
        raise BadInput(f"--ruin: {error}{hint}") from None
    return 0


def _share(option: str, text: str) -> Fraction:
    if not re.fullmatch(r"[0-9]{0,9}(\.[0-9]{1,12})?", text, re.ASCII) or not text:
        raise BadInput(f"{option}: {text!r} is no number; write it like 0.05")
    return Fraction(text)
