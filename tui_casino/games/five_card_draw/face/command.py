"""Five-card draw on the command line: the course's program, tables with stakes, exact odds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ....engine.croupier import CardFile, Croupier, ShuffledShoe
from ....gamekit.seating import Seating, Talk
from ....inputs.arguments import number
from ....inputs.errors import BadInput
from ....inputs.files import GivenPath, read_deck
from ..brains.levels import ALGORITHM, AT_LIMIT, LEVELS, MIXED, SOLVED, levels_at, seats_of
from ..brains.styled import ANY, BLUEPRINT_LEVELS, STYLES
from ..machine.rules import MOST_OPPONENTS
from ..machine.state import Options, Stakes
from . import course
from .tables import COURSE, USUAL


def add_arguments(parser: ArgumentParser) -> None:
    """Declare opponents, stakes and the deck file."""
    parser.add_argument(
        "--opponents", metavar="N", help=f"computer opponents, 1 to {MOST_OPPONENTS}"
    )
    parser.add_argument(
        "--level",
        choices=(*LEVELS, *AT_LIMIT, SOLVED, MIXED),
        help="how opponents play where there are stakes (default: mixed, all differently); "
        f"{' '.join(AT_LIMIT)}: at fixed limit; {SOLVED}: there, and one opponent alone",
    )
    parser.add_argument(
        "--style",
        choices=(*STYLES, MIXED, ANY),
        help=f"the style of {', '.join(BLUEPRINT_LEVELS)}; {MIXED}: each another; "
        f"{ANY}: none knows which",
    )
    parser.add_argument("--hidden", action="store_true", help="do not show how the opponents play")
    parser.add_argument(
        "--stakes",
        choices=[stakes.value for stakes in Stakes],
        help="an ante of 5, an ante and two rounds of fixed-limit bets, or the course's game",
    )
    parser.add_argument(
        "--deck", metavar="FILE", help="52 different cards in dealing order, for practice"
    )


def run(args: Namespace) -> int | None:
    """Give no mode: there is nothing here but play."""
    return None


def seating(args: Namespace) -> Seating[Options]:
    """Sit down at a table with stakes, or for the course's program on the console."""
    talks = args.console and args.stakes is None
    stakes = Stakes.NOTHING if talks else Stakes(args.stakes or USUAL)
    at_course = stakes is Stakes.NOTHING
    if at_course and args.level not in (None, ALGORITHM):
        raise BadInput(
            "--level: at the course's table all play by its algorithm; "
            f"{args.level} sits at --stakes {Stakes.ANTE.value} and {Stakes.LIMIT.value}"
        )
    croupier: Croupier = ShuffledShoe()
    if args.deck is not None:
        croupier = CardFile(read_deck(GivenPath(args.deck, args.here)))
    opponents = _opponents(args, ask=at_course and args.console)
    options = Options(opponents=opponents, stakes=stakes)
    if args.level == SOLVED and SOLVED not in levels_at(options):
        raise BadInput(
            f"--level: {SOLVED} sits at --stakes {Stakes.LIMIT.value} --opponents 1 alone"
        )
    if args.level in AT_LIMIT and stakes is not Stakes.LIMIT:
        raise BadInput(f"--level: {args.level} sits at --stakes {Stakes.LIMIT.value} alone")
    style = args.style or ""
    if style and args.level not in BLUEPRINT_LEVELS:
        raise BadInput(f"--style: only {', '.join(BLUEPRINT_LEVELS)} have one")
    level = ALGORITHM if at_course else args.level or MIXED
    hidden = (args.hidden or style == ANY) and not at_course
    return Seating(
        options,
        croupier,
        seats_of(opponents, level, style, hidden=hidden),
        practice=at_course or args.deck is not None,
        talk=_talk() if talks else None,
        words=course if at_course else None,
        chosen=args.stakes is not None or args.opponents is not None,
        asks=COURSE if at_course and args.opponents is None else None,
    )


def _opponents(args: Namespace, ask: bool) -> int:
    if args.opponents is not None:
        return number("--opponents", args.opponents, 1, MOST_OPPONENTS)
    if not ask:
        return MOST_OPPONENTS
    from .talk import HOW_MANY, Left, ask_opponents

    def say(line: str) -> None:
        print(line, file=args.stdout)

    try:
        answer = ask_opponents(iter(args.stdin.readline, ""), say)
    except Left:
        raise SystemExit(0) from None  # as argparse leaves behind its help
    if answer is None:
        raise BadInput(f"nobody answered: {HOW_MANY}")
    return answer


def _talk() -> Talk:
    from .talk import talk

    return talk


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Declare what is told, and the form of the output."""
    parser.add_argument(
        "--equilibrium",
        action="store_true",
        help="the limit table for two as solved: its value, and how near it is",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def odds(args: Namespace) -> int:
    """Print exact counts before the draw and after the algorithm's; or the limit table's worth."""
    if args.equilibrium:
        from .solved import as_json, as_text
    else:
        from .report import as_json, as_text

    print((as_json if args.json else as_text)(), file=args.stdout)
    return 0
