"""Five-card draw on the command line: its tables, the classic dialogue, and exact odds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from ....engine.croupier import Croupier, FixedShoe, ShuffledShoe
from ....engine.game import is_asked
from ....gamekit.definition import GameCommand
from ....gamekit.table_catalog import PrintLine, TableSetup
from ....house.table_commands import HouseVerb, house_verb
from ....inputs.errors import BadInput
from ....inputs.files import UserPath, read_deck
from ....inputs.numbers import is_integer, list_words, parse_number
from ....inputs.sanitize import cut_lines, short_lines
from ..brains.levels import (
    ALGORITHM,
    ANY,
    AT_LIMIT,
    BLUEPRINT_LEVELS,
    LEVELS,
    MIXED,
    SOLVED,
    STYLES,
    levels_at,
    seats_of,
)
from ..machine.rules import MOST_OPPONENTS, fault_of
from ..machine.state import HUMAN, Action, Discard, Event, Options, Phase, Play, Stakes, State
from .table_catalog import COURSE, USUAL
from .words import COURSE_WORDS, THANKS

if TYPE_CHECKING:
    from ....house.seat_dialogue import Dialogue
    from .tally import Tally

    DrawDialogue: TypeAlias = Dialogue[Options, State, Action, Event, Tally]


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options for opponents, levels, stakes and the deck file."""
    parser.add_argument(
        "--opponents", metavar="N", help=f"computer opponents, 1 to {MOST_OPPONENTS}"
    )
    parser.add_argument(
        "--level",
        choices=(*LEVELS, *AT_LIMIT, SOLVED, MIXED),
        help=f"how the opponents play (default: {MIXED}, a different level for each); "
        f"{', '.join(AT_LIMIT)}: only with --stakes limit; "
        f"{SOLVED}: only with --stakes limit --opponents 1",
    )
    parser.add_argument(
        "--style",
        choices=(*STYLES, MIXED, ANY),
        help=f"how opponents of these levels play: {', '.join(BLUEPRINT_LEVELS)}; "
        f"{MIXED}: a different style for each opponent; {ANY}: chosen at random and not shown",
    )
    parser.add_argument("--hidden", action="store_true", help="do not show how the opponents play")
    parser.add_argument(
        "--stakes",
        choices=[stakes.value for stakes in Stakes],
        help="nothing: the classic table in free play; ante: an ante of 5 credits; "
        "limit: an ante of 5 and betting rounds with bets of 10 and 20 credits "
        f"(default: {USUAL.value}; with --console: {Stakes.NOTHING.value})",
    )
    parser.add_argument(
        "--deck",
        metavar="FILE",
        help="deal from a file of 52 different cards in dealing order; free play only",
    )


def seating(args: Namespace) -> TableSetup[Options]:
    """Set up the table that the options ask for, or the classic dialogue on the console."""
    talks = args.console and args.stakes is None
    stakes = Stakes.NOTHING if talks else Stakes(args.stakes or USUAL)
    at_course = stakes is Stakes.NOTHING
    _check_players(args, stakes)
    croupier: Croupier = ShuffledShoe()
    if args.deck is not None:
        croupier = FixedShoe(read_deck(UserPath(args.deck, args.cwd)))
    opponents = _opponents(args, ask=at_course and args.console)
    options = Options(opponents=opponents, stakes=stakes)
    style = args.style or ""
    level = ALGORITHM if at_course else args.level or MIXED
    hidden = args.hidden or style == ANY
    return TableSetup(
        options,
        croupier,
        seats_of(opponents, level, style, hidden=hidden),
        practice=at_course or args.deck is not None,
        dialogue=course_dialogue if talks else None,
        words=COURSE_WORDS if at_course else None,
        explicit=args.stakes is not None or args.opponents is not None,
        variants_of=COURSE if at_course and args.opponents is None else None,
    )


def _levels(options: Options) -> tuple[str, ...]:
    """Return the values of ``--level`` that a table accepts."""
    levels = levels_at(options)
    return levels if options.stakes is Stakes.NOTHING else (MIXED, *levels)


def _check_players(args: Namespace, stakes: Stakes) -> None:
    """Raise `BadInput` for a level or style that the table lacks, and name tables that have it."""
    opponents = _parse_opponents(args) or MOST_OPPONENTS
    level = args.level
    if level is not None and level not in _levels(Options(opponents=opponents, stakes=stakes)):
        raise BadInput(f"--level: {level} needs {_tables_with(level)}")
    if args.style and level not in BLUEPRINT_LEVELS:
        table = _tables_with(BLUEPRINT_LEVELS[0])
        raise BadInput(
            f"--style: {args.style} needs {table} --level {list_words(BLUEPRINT_LEVELS, 'or')}"
        )
    if args.hidden and stakes is Stakes.NOTHING:
        raise BadInput(f"--hidden needs --stakes {list_words(_with_stakes(MIXED), 'or')}")


def _with_stakes(level: str) -> dict[str, list[int]]:
    """Map the stakes at which a level plays to the possible numbers of opponents."""
    counts = range(1, MOST_OPPONENTS + 1)
    counts_by_stakes = {
        stakes.value: [n for n in counts if level in _levels(Options(opponents=n, stakes=stakes))]
        for stakes in Stakes
    }
    return {stakes: numbers for stakes, numbers in counts_by_stakes.items() if numbers}


def _tables_with(level: str) -> str:
    """Name the options of the tables at which a level plays: ``--stakes limit --opponents 1``."""
    counts_by_stakes = _with_stakes(level)
    [counts] = {tuple(numbers) for numbers in counts_by_stakes.values()}
    stakes = f"--stakes {list_words(counts_by_stakes, 'or')}"
    every = len(counts) == MOST_OPPONENTS
    return stakes if every else f"{stakes} --opponents {list_words(map(str, counts), 'or')}"


def _parse_opponents(args: Namespace) -> int | None:
    if args.opponents is None:
        return None
    return parse_number("--opponents", args.opponents, 1, MOST_OPPONENTS)


def _opponents(args: Namespace, ask: bool) -> int:
    count = _parse_opponents(args)
    if count is not None or not ask:
        return count or MOST_OPPONENTS

    def say(line: str) -> None:
        print(line, file=args.stdout)

    try:
        answer = ask_opponents(short_lines(cut_lines(args.stdin), say), say)
    except DialogueLeft:
        raise SystemExit(0) from None  # exit as argparse does after printing its help
    if answer is None:
        raise BadInput(f"there was no answer to: {HOW_MANY}")
    return answer


# ---- the dialogue of the course's program: deal a hand, ask for discards, show all hands -------

HOW_MANY = f"How many computer opponents? (1-{MOST_OPPONENTS})"
WHICH = "List the card numbers you wish to discard, or 0 for none."

ABOUT = f"""\
Each computer opponent draws by a fixed algorithm; the best hand wins.
Type the number of opponents, from 1 to {MOST_OPPONENTS}, or q to leave."""
ABOUT_DISCARDS = """\
Type the numbers of the cards to discard, such as 1 3 5: up to three, or four if you keep an ace.
Type 0 or an empty line to keep all cards, or q to leave."""


class DialogueLeft(Exception):
    """Raised when the player types a word that ends the dialogue."""


def ask_opponents(lines: Iterator[str], say: PrintLine) -> int | None:
    """Ask for the number of opponents until the answer is valid; return ``None`` if input ends.

    Raises :class:`DialogueLeft` if the player quits.
    """
    say(HOW_MANY)
    for line in lines:
        answer = line.strip()
        if is_integer(answer) and 1 <= int(answer[:9]) <= MOST_OPPONENTS:
            return int(answer)
        match house_verb(line, may_undo=False):
            case HouseVerb.LEAVE:
                raise DialogueLeft
            case HouseVerb.HELP:
                say(ABOUT)
            case _:
                say(f"{answer!r} is not a number from 1 to {MOST_OPPONENTS}.")
        say(HOW_MANY)
    return None


def course_dialogue(
    dialogue: DrawDialogue, lines: Iterator[str], say: PrintLine, warn: PrintLine
) -> None:
    """Play one hand; if the input ends, the player stands pat."""
    table = dialogue.table
    dialogue.listen()
    table.submit(dialogue.seat, Play())
    _print_events(dialogue, say)
    while is_asked(table.game.turn(table.state), HUMAN) and table.state.phase is Phase.DRAW:
        try:
            positions = _ask_discards(table.state, lines, say)
        except DialogueLeft:
            break
        table.submit(dialogue.seat, Discard(positions))
        _print_events(dialogue, say)
    say(THANKS)


def _print_events(dialogue: DrawDialogue, say: PrintLine) -> None:
    for line in dialogue.listen():
        say(line)


def _ask_discards(state: State, lines: Iterator[str], say: PrintLine) -> tuple[int, ...]:
    say(WHICH)
    for line in lines:
        words = line.split()
        if words in ([], ["0"]):
            return ()
        if house_verb(line, may_undo=False) is HouseVerb.LEAVE:
            raise DialogueLeft
        if house_verb(line, may_undo=False) is HouseVerb.HELP:
            say(ABOUT_DISCARDS)
            say(WHICH)
            continue
        wrong = next((word for word in words if not is_integer(word)), None)
        if wrong is not None:
            say(f"{wrong!r} is not a number; give numbers from 1 to 5, such as 1 3 5.")
        else:
            positions = tuple(sorted(int(word[:9]) for word in words))
            fault = fault_of(state.hands[HUMAN], positions)
            if fault is None:
                return positions
            say(f"{' '.join(words)}: {fault.value}.")
        say(WHICH)
    return ()


# ---- exact odds ----------------------------------------------------------------------------------


def add_odds_arguments(parser: ArgumentParser) -> None:
    """Add the options that choose the report and its format."""
    reports = parser.add_mutually_exclusive_group()
    reports.add_argument(
        "--equilibrium",
        action="store_true",
        help="print the solution of the limit table for two: its value and exploitability",
    )
    reports.add_argument(
        "--charts",
        action="store_true",
        help="print GTO charts of the limit table for two: how often each group of hands "
        "makes each choice",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def odds(args: Namespace) -> int:
    """Print exact hand counts, or with an option the solution of the limit table or its charts."""
    if args.charts:
        from .gto_chart_text import charts_as_json, charts_as_text  # late: needs numpy

        as_json, as_text = charts_as_json, charts_as_text
    elif args.equilibrium:
        from .odds_report import solution_as_json, solution_as_text  # late: needs numpy

        as_json, as_text = solution_as_json, solution_as_text
    else:
        from .odds_report import as_json, as_text  # late: needs numpy

    print((as_json if args.json else as_text)(), file=args.stdout)
    return 0


COMMAND = GameCommand(seating, odds, add_arguments, add_odds_arguments)
