"""``tui-casino daily``: list today's deals, play one as lines of text, and print the results."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from ..daily.deal import FIRST_DAY, DayDeal, day_of, deals_of
from ..daily.overview import OPEN_TO_ALL
from ..daily.result import DailyResult, share_text
from ..daily.session import DailySession, DailyTry, open_try, read_try, run_on
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import GAMES, title_of
from ..gamekit.table_setup import PrintLine
from ..house.command_reader import HouseVerb, house_verb
from ..house.house import House
from ..house.settings import Settings
from ..inputs.errors import BadInput
from ..inputs.numbers import count_noun, either
from ..inputs.sanitize import printable
from ..records.codec import ascii_json
from ..records.session_log import LogWriteError
from ..screen_reader.table_session import spoken_definition
from .arcade import open_arcade, player_settings
from .asciicast import open_cast, with_recording
from .console import typed_lines
from .help_texts import shown_name
from .house_setup import open_house
from .parser import add_house_options, canonical
from .screen_reader import screen_reader_reason

_HELP = """\
  Bets, deals and all steps that are not choices are made for you; there is no advice.
  ?      this help
  q      stop; you can resume your try until the day ends (UTC)"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    slugs = [game.slug for game in GAMES]
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        type=canonical,
        choices=slugs,
        help="the game to play; without it, list today's deals",
    )
    parser.add_argument("--console", action="store_true", help="play as lines of text")
    parser.add_argument(
        "--json", action="store_true", help="print the result as JSON, without playing"
    )
    add_house_options(parser)


def run(args: Namespace) -> int:
    """List the deals, print a result as JSON, or play. Raises :class:`BadInput`."""
    for option, value in (("--seed", args.seed), ("--word", args.word), ("--buy-in", args.buy_in)):
        if value is not None:
            raise BadInput(
                f"{option}: {value}: the table and the shuffle of a daily deal follow from the "
                f"date; leave out {option}"
            )
    loaded = player_settings()
    if _shows_screen(args, loaded.settings):
        if args.game is not None:
            _chosen(deals_of(FIRST_DAY, _definitions()), args.game)
        return open_arcade(args, loaded, daily=args.game or "")
    with ExitStack() as closing:
        house = open_house(args, closing, practice=True)
        games = _definitions()
        deals = deals_of(day_of(house.clock()), games)
        if args.game is not None:
            deals = (_chosen(deals, args.game),)
        if args.json:
            return _print_json(house, deals, single=args.game is not None)
        if args.game is None:
            return _print_list(house, games, deals, plain=args.ascii)
        return _play(args, closing, house, games, deals[0])


def _shows_screen(args: Namespace, settings: Settings) -> bool:
    """Return whether the terminal can show the screen, and nothing asks for lines of text."""
    if args.console or args.json or screen_reader_reason(args, settings) is not None:
        return False
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(one.isatty() for one in streams) and args.environ.get("TERM") != "dumb"


def _definitions() -> dict[str, AnyDefinition]:
    return {game.slug: game.definition() for game in GAMES}


def _chosen(deals: tuple[DayDeal, ...], slug: str) -> DayDeal:
    for deal in deals:
        if deal.slug == slug:
            return deal
    names = either(shown_name(deal.slug) for deal in deals)
    raise BadInput(f"{slug} has no choices, so it has no daily deal; choose {names}")


# ---- results -------------------------------------------------------------------------------------


def _print_json(house: House, deals: tuple[DayDeal, ...], *, single: bool) -> int:
    """Print an object per deal. The values of a deal that is not finished are null.

    Raises :class:`BadInput` if the only deal has a try that does not count.
    """
    for deal in deals:
        attempt = read_try(house, deal)
        if attempt.fault and single:
            raise BadInput(attempt.fault)
        if attempt.fault:
            _warn(attempt.fault)
        print(ascii_json(_described(deal, attempt.result())))
    return 0


def _described(deal: DayDeal, result: DailyResult | None) -> dict[str, object]:
    return {
        "day": deal.day.isoformat(),
        "game": deal.slug,
        "choices": result and result.choices,
        "cost": result and round(result.cost_in_units, 6),
        "best": result and result.best,
        "unit": result and deal.game.unit_name,
        "deal": deal.spec.value,
    }


def _print_list(
    house: House, games: dict[str, AnyDefinition], deals: tuple[DayDeal, ...], *, plain: bool
) -> int:
    dot = "-" if plain else "·"
    print(f"TUI Casino daily {deals[0].number} {dot} {deals[0].day} (UTC)")
    for deal in deals:
        print(f"  {shown_name(deal.slug):<16}{_state(read_try(house, deal))}")
    print(f"run {count_noun(run_on(house, games, deals[0].day), 'day')}")
    print(f"tui-casino daily GAME plays one; {OPEN_TO_ALL}")
    return 0


def _state(attempt: DailyTry) -> str:
    if attempt.fault:
        return attempt.fault
    if attempt.unfinished:
        return "unfinished"
    result = attempt.result()
    if result is None:
        return "not played"
    return f"{result.best} of {result.choices} best, cost {result.cost_text}"


def _result_lines(
    house: House, games: dict[str, AnyDefinition], attempt: DailyTry, *, plain: bool
) -> Iterator[str]:
    """Yield the result of a finished try, the text to share, and what to do next."""
    result = attempt.result()
    assert result is not None, "only a finished try has a result"
    cost = f"Your choices cost {result.cost_text}"
    if result.bets is not None:
        cost += f", which is {result.shared_cost}"
    yield f"{cost}; {result.best} of {count_noun(result.choices, 'choice')} were best."
    yield ""
    yield share_text(result, run_on(house, games, result.deal.day), plain=plain)
    yield ""
    yield f"Each choice with its cost: tui-casino replay --advice {printable(str(attempt.path))}"
    if result.cost:
        yield f"Your mistakes again: tui-casino practise --game {shown_name(result.deal.slug)}"
    yield "The next deal begins at 00:00 UTC."


# ---- play ----------------------------------------------------------------------------------------


def _play(
    args: Namespace,
    closing: ExitStack,
    house: House,
    games: dict[str, AnyDefinition],
    deal: DayDeal,
) -> int:
    """Play a try, or show the result of one that is finished."""
    cast = open_cast(args, closing)
    say = with_recording(print, cast)
    if cast is not None:
        cast.on_trouble = _warn
    if read_try(house, deal).finished:
        _warn("you have played this deal; there is one try per game and day")
    else:
        with open_try(house, replace(deal, game=spoken_definition(deal.game))) as session:
            if _converse(session, typed_lines("> "), say):
                say("")
    attempt = read_try(house, deal)
    if attempt.fault:
        raise BadInput(attempt.fault)
    if attempt.finished:
        for line in _result_lines(house, games, attempt, plain=args.ascii or not _shows_marks()):
            say(line)
    if cast is not None:
        cast.end(0)
    return 0


def _shows_marks() -> bool:
    """Return whether standard output can show the marks of the text to share."""
    return (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "") == "utf8"


def _converse(session: DailySession, lines: Iterator[str], say: PrintLine) -> bool:
    """Play until the deal is over; return false if the player stops before."""
    sitting, deal = session.sitting, session.deal
    rounds = count_noun(deal.daily.rounds, "round")
    if session.resumed:
        _warn("you resume your try of today's deal")
        session.advance()
        for line in () if session.over else session.describe():
            say(line)
    else:
        _warn(f"daily {deal.number}, {title_of(deal.slug)}: {rounds}, one try; {OPEN_TO_ALL}")
        _warn("type ? for help, q to stop and resume later")
    pending = ""  # typed, but not carried out yet, because the log cannot be written
    while True:
        try:
            for line in session.reply(pending) if pending else ():
                say(line)
            pending = ""
            for line in session.advance():
                say(line)
            for line in sitting.take_news():
                _warn(line)
            if session.over:
                session.finish()
                return True
        except LogWriteError as error:
            _warn(
                f"the log cannot be written: {error.strerror}; nothing is lost. Free some space, "
                "then press Enter to continue, or stop with q"
            )
        typed = next(lines, None)
        verb = None if typed is None else house_verb(typed, may_undo=False)
        if typed is None or verb is HouseVerb.LEAVE:
            _warn(
                f"your try is kept: tui-casino daily {shown_name(deal.slug)} resumes it until "
                f"{deal.day} ends (UTC)"
            )
            return False
        if verb is HouseVerb.HELP:
            rules = sitting.definition.words.help(sitting.table.view(sitting.dialogue.viewer))
            say(f"{rules}\n{_HELP}")
        elif typed.strip():
            pending = typed


def _warn(line: str) -> None:
    print(printable(line), file=sys.stderr)
