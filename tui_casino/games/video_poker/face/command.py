"""The command line of video poker: debug mode, simulation mode and exact odds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Literal

from ....gamekit.definition import GameCommand
from ....gamekit.simulation_runner import add_worker_options, refuse_options, run_simulation
from ....gamekit.table_catalog import TableSetup
from ....inputs.files import UserPath, read_cards, read_words
from ....inputs.numbers import parse_number
from ....records.codec import ascii_json
from ....records.export import check_export_path, export_report
from ..brains.lazy import simulation
from ..machine import paytables
from ..machine.game import Options
from ..machine.rules import MAX_COINS, PayTable
from . import tally
from .risk import add_risk_arguments, is_risk_asked_for, risk_answer

MOST_CREDIT = 10**15
MOST_DEALS = 10**12
STRATEGIES = ("list", "optimal")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the debug and simulation modes, and the pay table."""
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "-d",
        nargs=3,
        dest="debug",
        metavar=("CREDIT", "CMD-FILE", "CARD-FILE"),
        help="debug mode: run the commands in CMD-FILE with the cards in CARD-FILE",
    )
    modes.add_argument(
        "-s",
        nargs=3,
        dest="simulate",
        metavar=("CREDIT", "BET", "NBDEALS"),
        help="simulation mode: play NBDEALS deals of BET coins each and print the statistics",
    )
    parser.add_argument(
        "--strategy",
        choices=STRATEGIES,
        help="with -s: hold cards by the 34-line strategy (list, the default) or play perfectly "
        "(optimal)",
    )
    add_worker_options(parser, "the simulation")
    parser.add_argument("--json", action="store_true", help="with -s: print the statistics as JSON")
    parser.add_argument(
        "--export",
        metavar="FILE",
        help="with -s: write the statistics to FILE, which ends in .csv or .json",
    )
    _add_paytable(parser)


def _add_paytable(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--paytable",
        metavar="T",
        help=f"the pay table: {', '.join(paytables.names())}, or a TOML file of your own "
        f"(default: {paytables.DEFAULT})",
    )


def _paytable(args: Namespace) -> PayTable:
    return paytables.load(args.paytable or paytables.DEFAULT, args.cwd)


def run(args: Namespace) -> int | None:
    """Run debug or simulation mode; return ``None`` if neither is asked for."""
    if args.simulate:
        return _simulate(args)
    options = ("json", "export", "jobs", "cluster", "strategy")
    refuse_options(args, options, "can only be used with -s, the simulation")
    return _debug(args) if args.debug else None


def _debug(args: Namespace) -> int:
    from .debug_mode import command_outputs  # late: only -d needs it

    credit, command_file, card_file = args.debug
    options = Options(parse_number("CREDIT", credit, 0, MOST_CREDIT), _paytable(args))
    cards = read_cards(UserPath(card_file, args.cwd))
    command_words = [word.text for word in read_words(UserPath(command_file, args.cwd))]
    between = ""
    for block in command_outputs(command_words, cards, options):
        print(between + block, file=args.stdout)
        between = "\n"
    return 0


def _simulate(args: Namespace) -> int:
    credit = parse_number("CREDIT", args.simulate[0], 0, MOST_CREDIT)
    bet = parse_number("BET", args.simulate[1], 1, MAX_COINS)
    deals = parse_number("NBDEALS", args.simulate[2], 0, MOST_DEALS)
    paytable = _paytable(args)
    strategy: Literal["list", "optimal"] = args.strategy or "list"
    if args.export:
        check_export_path(UserPath(args.export, args.cwd))
    simulate = partial(simulation.simulate, paytable, bet, deals, strategy=strategy)
    result = run_simulation(args, "deals", deals, simulate)
    statistics = tally.tally_of_counts(paytable, bet, result.counts)
    balance = credit + statistics.won - statistics.wagered
    report = {
        "paytable": paytable.name,
        "coins": bet,
        "strategy": strategy,
        "seed": str(result.seed),
        "credit": balance,
        **statistics.report(),
        "standard_error_percent": tally.return_error(paytable, bet, result.counts),
    }
    message = ascii_json(report) if args.json else tally.table(statistics, balance, paytable)
    print(message, file=args.stdout)
    if args.export:
        export_report(report, UserPath(args.export, args.cwd))
    return 0


def seating(args: Namespace) -> TableSetup[Options]:
    """Return a machine with the chosen pay table; a player's own table is only for free play."""
    named = args.paytable is not None
    own = named and args.paytable not in paytables.names()
    return TableSetup(Options(paytable=_paytable(args)), practice=own, explicit=named)


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Declare the options of ``odds video-poker``."""
    _add_paytable(parser)
    parser.add_argument(
        "--coins", metavar="N", default=str(MAX_COINS), help="the bet: 1 to 5 coins (default: 5)"
    )
    add_risk_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def odds(args: Namespace) -> int:
    """Print the return, variance and row counts of both strategies, or the risk of ruin."""
    from .odds_report import as_json, as_text  # late: loads numpy

    coins = parse_number("--coins", args.coins, 1, MAX_COINS)
    paytable = _paytable(args)
    if is_risk_asked_for(args):
        print(risk_answer(args, paytable, coins), file=args.stdout)
        return 0
    print((as_json if args.json else as_text)(paytable, coins), file=args.stdout)
    return 0


COMMAND = GameCommand(seating, odds, add_arguments, add_odds_arguments, run)
