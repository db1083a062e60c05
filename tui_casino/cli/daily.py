"""``tui-casino daily``: list today's deals, play one as lines of text, and print the results."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

from ..daily.deal import FIRST_DAY, DayDeal, day_of, deals_of
from ..daily.result_text import share_text
from ..daily.session import DailyResult, DailyTry, read_try, run_on
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import DEFINITIONS, GAMES
from ..house.house import House
from ..house.settings import Settings
from ..inputs.errors import BadInput
from ..inputs.numbers import count_noun, list_words
from ..inputs.sanitize import printable
from ..records.codec import ascii_json
from ..screen_reader.daily import play_try, result_sentence, state_text
from .arcade import open_arcade, player_settings
from .console import open_cast, typed_lines, warn, with_recording
from .help_texts import shown_name
from .house_setup import open_house
from .parser import add_house_options, canonical
from .screen_reader import screen_reader_reason


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
            _chosen(deals_of(FIRST_DAY, DEFINITIONS), args.game)
        return open_arcade(args, loaded, daily=args.game or "")
    with ExitStack() as closing:
        house = open_house(args, closing, practice=True)
        games = DEFINITIONS
        deals = deals_of(day_of(house.clock()), games)
        if args.game is not None:
            deals = (_chosen(deals, args.game),)
        if loaded.trouble:
            warn(loaded.trouble)
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


def _chosen(deals: tuple[DayDeal, ...], slug: str) -> DayDeal:
    for deal in deals:
        if deal.slug == slug:
            return deal
    names = list_words((shown_name(deal.slug) for deal in deals), "or")
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
            warn(attempt.fault)
        print(ascii_json(_described(deal, attempt.result())))
    return 0


def _unit(game: AnyDefinition) -> str:
    """Return the name of a unit for scripts; in games that count cents, it is still dollars."""
    return "dollars" if game.game.unit == 1 and not game.points else game.unit_name


def _described(deal: DayDeal, result: DailyResult | None) -> dict[str, object]:
    return {
        "day": deal.day.isoformat(),
        "game": deal.slug,
        "choices": result and result.choices,
        "cost": result and round(result.cost_in_units, 6),
        "best": result and result.best,
        "unit": result and _unit(deal.game),
        "deal": deal.spec.value,
    }


def _print_list(
    house: House, games: Mapping[str, AnyDefinition], deals: tuple[DayDeal, ...], *, plain: bool
) -> int:
    dot = "-" if plain else "·"
    print(f"TUI Casino daily {deals[0].number} {dot} {deals[0].day} (UTC)")
    for deal in deals:
        print(f"  {shown_name(deal.slug):<16}{state_text(read_try(house, deal))}")
    print(f"run {count_noun(run_on(house, games, deals[0].day), 'day')}")
    print(f"tui-casino daily GAME plays one; {deals[0].secrecy}")
    return 0


def _result_lines(
    house: House, games: Mapping[str, AnyDefinition], attempt: DailyTry, *, plain: bool
) -> Iterator[str]:
    """Yield the result of a finished try, the text to share, and what to do next."""
    result = attempt.result()
    assert result is not None, "only a finished try has a result"
    yield result_sentence(result)
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
    games: Mapping[str, AnyDefinition],
    deal: DayDeal,
) -> int:
    """Play a try, or show the result of one that is finished."""
    cast = open_cast(args, closing)
    say = with_recording(print, cast)
    if cast is not None:
        cast.on_trouble = warn
    resumes = f"tui-casino daily {shown_name(deal.slug)}"
    attempt = play_try(house, deal, typed_lines("> "), say, warn, resumes)
    if attempt.finished:
        for line in _result_lines(house, games, attempt, plain=args.ascii or not _shows_marks()):
            say(line)
    if cast is not None:
        cast.end(0)
    return 0


def _shows_marks() -> bool:
    """Return whether standard output can show the marks of the text to share."""
    return (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "") == "utf8"
