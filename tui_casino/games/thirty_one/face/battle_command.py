"""The dealer simulation on the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ....engine.chance import SEED_LIMIT
from ....gamekit.progress_bar import progress_bar
from ....gamekit.worker_options import add_worker_options, workers_from_options
from ....inputs.arguments import parse_number
from ....inputs.errors import BadInput
from ....inputs.files import UserPath
from ....records.codec import ascii_json
from ....records.export import check_export_path, export_report
from ..machine.rules import DECKS, Rules

MOST_ROUNDS = 10**12
_SHOES = {str(DECKS): DECKS, "inf": None}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the dealer simulation; all games share ``--seed``."""
    battle = parser.add_argument_group("dealer simulation")
    battle.add_argument(
        "--battle",
        metavar="N",
        help="simulate N rounds in which both sides follow the dealer's rule",
    )
    battle.add_argument(
        "--decks", metavar="D", help=f"decks in the shoe: {' or '.join(_SHOES)} (default: {DECKS})"
    )
    add_worker_options(battle, "the simulation")
    battle.add_argument("--json", action="store_true", help="print the results as JSON")
    battle.add_argument(
        "--export", metavar="FILE", help="write the results to FILE.csv or FILE.json"
    )


def run_battle_command(args: Namespace, rules: Rules) -> int | None:
    """Run the simulation if ``--battle`` asks for it, and print its statistics."""
    if args.battle is None:
        for option in ("decks", "jobs", "cluster", "json", "export"):
            if getattr(args, option):
                raise BadInput(f"--{option} can only be used with --battle")
        return None
    from ..brains.dealer_battle import run_battle  # late: needs numpy
    from .odds_report import battle_report, battle_text

    rounds = parse_number("--battle", args.battle, 1, MOST_ROUNDS)
    workers = workers_from_options(args)
    seed = None if args.seed is None else parse_number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)
    decks = str(DECKS) if args.decks is None else args.decks
    if decks not in _SHOES:
        raise BadInput(f"--decks: {decks!r} is not possible; give {' or '.join(_SHOES)}")
    if args.export:
        check_export_path(args.export)
    with progress_bar("rounds", rounds, args.stderr) as progress:
        battle = run_battle(
            rules, rounds, decks=_SHOES[decks], seed=seed, workers=workers, progress=progress
        )
    report = battle_report(battle)
    text = ascii_json(report) if args.json else battle_text(battle, rules)
    print(text, file=args.stdout)
    if args.export:
        export_report(report, UserPath(args.export, args.cwd))
    return 0
