"""The battle of the dealers on the command line."""

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
from ..brains.lazy import simulation
from ..machine.rules import DECKS, Rules

MOST_ROUNDS = 10**12
_SHOES = {str(DECKS): DECKS, "inf": None}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the battle and what goes with it; the seed is every game's."""
    battle = parser.add_argument_group("the battle of the dealers")
    battle.add_argument(
        "--battle", metavar="N", help="play N rounds in which both sides follow the dealer's rule"
    )
    battle.add_argument("--decks", metavar="D", help=f"{' or '.join(_SHOES)} (default: {DECKS})")
    add_worker_options(battle, "the battle")
    battle.add_argument("--json", action="store_true", help="print the battle as JSON")
    battle.add_argument("--export", metavar="FILE", help="write it to FILE.csv or .json")


def run_battle_command(args: Namespace, rules: Rules) -> int | None:
    """Fight the battle, if one is asked for, and print its statistics."""
    if args.battle is None:
        for option in ("decks", "jobs", "cluster", "json", "export"):
            if getattr(args, option):
                raise BadInput(f"--{option} goes with --battle")
        return None
    from .report import battle_report, battle_text  # late: numpy

    rounds = parse_number("--battle", args.battle, 1, MOST_ROUNDS)
    workers = workers_from_options(args)
    seed = None if args.seed is None else parse_number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)
    decks = str(DECKS) if args.decks is None else args.decks
    if decks not in _SHOES:
        raise BadInput(f"--decks: a battle has {' or '.join(_SHOES)} decks, not {decks!r}")
    if args.export:
        check_export_path(args.export)
    with progress_bar("rounds", rounds, args.stderr) as progress:
        battle = simulation.run_battle(
            rules, rounds, decks=_SHOES[decks], seed=seed, workers=workers, progress=progress
        )
    report = battle_report(battle)
    text = ascii_json(report) if args.json else battle_text(battle, rules)
    print(text, file=args.stdout)
    if args.export:
        export_report(report, UserPath(args.export, args.cwd))
    return 0
