"""The command line of baccarat: the course dialogue, the table with chips, and exact odds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from ....engine.croupier import FixedShoe, ShuffledShoe
from ....gamekit.definition import GameCommand
from ....gamekit.simulation_runner import add_worker_options, refuse_options, run_simulation
from ....gamekit.table_catalog import PrintLine, TableSetup
from ....inputs.errors import BadInput
from ....inputs.numbers import list_words, parse_number
from ....records.codec import ascii_json
from ..machine.rules import COUP_CARDS, DECKS, KNOWN_SHOE, Options, value_of
from ..machine.state import Action, Event, Play, State, contains_at_least

if TYPE_CHECKING:
    from ....house.seat_dialogue import Dialogue
    from ..brains.simulation import Simulation
    from .tally import Tally

    CoupDialogue: TypeAlias = Dialogue[Options, State, Action, Event, Tally]


MOST_COUPS = 10**12


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options of the course dialogue and of the table."""
    parser.add_argument(
        "-test", action="store_true", help="deal from a fixed shoe of 45 known cards"
    )
    parser.add_argument(
        "-gui", action="store_true", help="play on the screen, even if -test is also given"
    )
    parser.add_argument(
        "--yes",
        action="store_true",
        help="without the screen: play coups until the shoe is finished, without asking",
    )
    parser.add_argument(
        "--json", action="store_true", help="without the screen: print one JSON object per coup"
    )
    parser.add_argument(
        "--bets", action="store_true", help="with --console: play at the table with bets"
    )
    _add_decks(parser)
    parser.add_argument(
        "--no-commission",
        action="store_true",
        help="no 5%% commission: Banker pays 1:1, but only half if it wins with 6",
    )


def _add_decks(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--decks",
        metavar="N",
        help=f"decks in the shoe: {list_words(map(str, DECKS), 'or')} (default: {DECKS[0]})",
    )


def _decks(args: Namespace) -> int:
    if args.decks is None:
        return DECKS[0]
    decks = parse_number("--decks", args.decks)
    if decks not in DECKS:
        raise BadInput(
            f"--decks: {decks} is not possible; give {list_words(map(str, DECKS), 'or')}"
        )
    return decks


def run(args: Namespace) -> int | None:
    """Refuse options that cannot be combined; otherwise return ``None`` to let the game begin."""
    uses_dialogue = args.test or args.yes or args.json or args.console
    if args.gui and (args.console or args.yes or args.json or args.bets):
        raise BadInput(
            "-gui opens the screen; it cannot be used with --console, --yes, --json or --bets"
        )
    if args.bets and (args.test or args.yes or args.json):
        raise BadInput("--bets cannot be used with -test, --yes or --json, which have no bets")
    if args.bets and not args.console:
        raise BadInput("--bets can only be used with --console; the screen always has bets")
    if args.test and args.decks is not None:
        raise BadInput("-test has a fixed shoe, so --decks cannot be used with it")
    if args.no_commission and uses_dialogue and not args.bets and not args.gui:
        raise BadInput("--no-commission needs bets: use it with --console --bets or on the screen")
    return None


def seating(args: Namespace) -> TableSetup[Options]:
    """Return the table; the known shoe and the course dialogue are for free play."""
    decks = 0 if args.test else _decks(args)
    croupier = FixedShoe(KNOWN_SHOE) if args.test else ShuffledShoe()
    if args.gui or args.bets or not (args.test or args.yes or args.json or args.console):
        options = Options(decks=decks, commission=not args.no_commission)
        named = args.decks is not None or args.no_commission
        return TableSetup(options, croupier, practice=args.test, explicit=named)

    return TableSetup(
        Options(decks=decks, burn=False, cut_card=0),
        croupier,
        practice=True,
        dialogue=partial(course_dialogue, as_json=args.json, yes=args.yes),
    )


# ---- the dialogue of the course: play a coup, ask whether to play another ----------------------

QUESTION = "Play another coup? (y/n)"
ANSWERS: Mapping[str, bool] = MappingProxyType({"y": True, "yes": True, "n": False, "no": False})
"""The accepted answers, in any case of letters; after any other, the question is repeated."""


def course_dialogue(
    dialogue: CoupDialogue,
    lines: Iterator[str],
    say: PrintLine,
    warn: PrintLine,
    *,
    as_json: bool,
    yes: bool,
) -> None:
    """Play coups until the shoe has too few cards, the answer is no, or the input ends.

    With ``yes``, continue without asking. With ``as_json``, print one object per coup and ask on
    standard error instead.
    """
    table = dialogue.table
    dialogue.listen()  # skips the messages about the new shoe
    for number in count(1):
        if not contains_at_least(table.state, COUP_CARDS):
            warn("there are not enough cards for another coup")
            return
        table.submit(dialogue.seat, Play())
        messages = dialogue.listen()
        for line in [_object(number, table.state)] if as_json else messages:
            say(line)
        if not contains_at_least(table.state, COUP_CARDS):
            return
        if not yes and not _another(lines, warn if as_json else say):
            return


def _another(lines: Iterator[str], ask: PrintLine) -> bool:
    ask(QUESTION)
    for line in lines:
        if (answer := line.strip().lower()) in ANSWERS:
            return ANSWERS[answer]
        ask(QUESTION)
    return False


def _object(number: int, state: State) -> str:
    player, banker = state.player, state.banker
    coup = {
        "coup": number,
        "player": [str(card) for card in player.cards],
        "banker": [str(card) for card in banker.cards],
        "player_total": value_of(player),
        "banker_total": value_of(banker),
        "outcome": str(state.coups[-1].outcome),
    }
    return ascii_json(coup)


# ---- exact odds ----------------------------------------------------------------------------------


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Declare the options of ``odds baccarat``: the shoe, and a simulation to compare with."""
    _add_decks(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--simulate",
        metavar="N",
        help="also simulate N coups and compare them with the exact odds",
    )
    parser.add_argument(
        "--seed",
        metavar="S",
        help="with --simulate: a whole number; the same seed repeats the simulation",
    )
    add_worker_options(parser, "the simulation")


def odds(args: Namespace) -> int:
    """Print the exact counts and house edges, compared with a simulation if requested."""
    from .odds_report import as_json, as_text  # late: loads numpy

    options = Options(decks=_decks(args))
    if args.simulate is None:
        refuse_options(args, ("seed", "jobs", "cluster"), "can only be used with --simulate")
    simulated = None if args.simulate is None else _simulate(args, options.decks)
    print((as_json if args.json else as_text)(options, simulated), file=args.stdout)
    return 0


def _simulate(args: Namespace, decks: int) -> Simulation:
    from ..brains.simulation import simulate  # late: loads numpy

    coups = parse_number("--simulate", args.simulate, 1, MOST_COUPS)
    return run_simulation(args, "coups", coups, partial(simulate, decks, coups))


COMMAND = GameCommand(seating, odds, add_arguments, add_odds_arguments, run)
