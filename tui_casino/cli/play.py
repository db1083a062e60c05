"""Sit down at a table from the command line: house, purse, broken sittings, console."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..engine.chance import SEED_LIMIT, Source, check_word
from ..engine.money import dollars
from ..gamekit.parts import AnyParts
from ..gamekit.registry import GAMES
from ..gamekit.seating import AnySeating, Say
from ..house.lobby import AnySitting, look_in, mix_in, new_source, resume, sit_down
from ..house.places import cache_file, ledger_file, log_folder
from ..house.sitting import House, Left
from ..inputs.arguments import number
from ..inputs.errors import BadInput, write_error
from ..inputs.plain import printable
from ..records.header import LONGEST_NAME, is_name
from ..records.ledger import Ledger
from ..records.log import InUse, read
from ..records.sqlite_ledger import SqliteLedger
from ..records.verdicts import seed_line
from .cast import open_cast, recorded
from .guests import guest_folder
from .workers import LateWorkers

RECALLED_LINES = 8
BUY_IN_LIMIT = 10**12
PLAYER = "player"
"""The id of who plays at this machine and is not named."""


def play_on_console(parts: AnyParts, seating: AnySeating, args: Namespace) -> int:
    """Play a sitting on the console, a broken one first if there is one; give the exit code.

    It is 2 if a file that the player asked for could not be written to its end.
    """
    from . import console  # late: the arcade has none

    sitting: AnySitting | None
    if seating.words:
        parts = replace(parts, words=seating.words)
    with ExitStack() as closing:
        seed, word = seed_of(args), word_of(args)
        house = open_house(args, closing, practice=seed is not None or seating.practice)
        cast = open_cast(args, closing)
        say = recorded(print, cast)
        if cast is not None:
            cast.on_trouble = _warn
        if seating.talk:
            sitting = _begin(house, parts, seating, closing, seed, word)
            left = console.converse(sitting, seating.talk, console.typed("> "), say, _warn)
        else:
            sitting = _broken(house, parts, seating, closing, say)
            if sitting is None:
                sitting = _begin(house, parts, seating, closing, seed, word)
            elif word is not None:
                _warn("its shuffle is that of its beginning; your word is for the next sitting")
            clear = partial(console.clear_screen, args.environ)
            left = console.play(sitting, console.typed("> "), say, _warn, clear)
        _say_farewell(sitting, left, _usual_folder(args))
        code = 2 if any(isinstance(fault, BadInput) for fault in sitting.table.faults) else 0
        if cast is not None:
            cast.end(code)
    return code


def seed_of(args: Namespace) -> int | None:
    """Read ``--seed``. Raises :class:`~tui_casino.inputs.errors.BadInput`."""
    return None if args.seed is None else number("--seed", args.seed, -SEED_LIMIT, SEED_LIMIT)


def word_of(args: Namespace) -> str | None:
    """Read ``--word``: nothing without it, an empty text if it is to be asked for.

    Raises :class:`~tui_casino.inputs.errors.BadInput`.
    """
    word: str | None = args.word
    if word is not None and args.seed is not None:
        raise BadInput("--word: with --seed the shuffle is known already; give one of them")
    try:
        check_word(word or "")
    except ValueError as error:
        raise BadInput(f"--word: {error}") from None
    return word


def open_house(args: Namespace, closing: ExitStack, practice: bool) -> House:
    """Open the ledger, unless for practice; a guest's is kept in memory, the logs with it.

    Who is not named by the arguments is :data:`PLAYER`, and may yet be called otherwise.
    """
    if args.log_dir or not args.guest:
        logs = args.here / log_folder(args.log_dir, args.environ)
    else:
        logs = closing.enter_context(guest_folder())
    buy_in = None
    if args.buy_in is not None:
        buy_in = 100 * number("--buy-in", args.buy_in, 1, BUY_IN_LIMIT)
    name: str | None = args.player
    if name is not None and not is_name(name):
        raise BadInput(f"--player: {name!r} is no name; a name is up to {LONGEST_NAME} letters")
    cache = None if args.guest else cache_file()
    workers = LateWorkers()
    closing.callback(workers.close)
    house = House(
        logs,
        None,
        PLAYER if name is None else name,
        buy_in,
        cache=cache,
        name=name,
        workers=workers,
        here=args.here,
    )
    if practice:
        return replace(house, archive=_archive(args, closing))
    ledger = SqliteLedger(None if args.guest else ledger_file(), args.patience)
    closing.callback(ledger.close)
    return replace(house, ledger=ledger)


def _archive(args: Namespace, closing: ExitStack) -> Ledger | None:
    """Open the ledger to look things up only; one that cannot be read is no trouble here."""
    from .logs import ledger_to_read

    archive = None
    if not args.guest:
        with suppress(BadInput):
            archive = ledger_to_read(args.patience)
    if archive is not None:
        closing.callback(archive.close)
    return archive


def _broken(
    house: House, parts: AnyParts, seating: AnySeating, closing: ExitStack, say: Say
) -> AnySitting | None:
    """Settle what was broken off, and give the first sitting of this game that goes on."""
    found = look_in(house, {game.slug: game.parts() for game in GAMES})
    for note in found.notes:
        _warn(note)
    for entry in found.waiting:
        if entry.game != parts.game.slug:
            _warn(f"a sitting of {entry.game} waits for you with a bet at stake")
    for entry in found.waiting:
        if entry.game == parts.game.slug:
            try:
                sitting = resume(house, parts, entry)
            except InUse:
                continue
            if sitting is not None:
                closing.enter_context(sitting)
                _warn("your sitting was broken off with a bet at stake; it goes on where it was")
                wanted = parts.game.sit(seating.options, entry.bought // parts.game.unit)
                if seating.chosen and wanted != sitting.table.options:
                    _warn("it keeps the options it was begun with; leave it to sit down with yours")
                say("\n".join(sitting.dialogue.recall()[-RECALLED_LINES:]))
                return sitting
    return None


def _begin(
    house: House,
    parts: AnyParts,
    seating: AnySeating,
    closing: ExitStack,
    seed: int | None,
    word: str | None,
) -> AnySitting:
    source = new_source(seed, seating.source)
    shuffled = seating.croupier.kind.name == "shuffled"
    if word is not None:
        if not shuffled:
            raise BadInput("--word: the cards of this table are given, not shuffled")
        source = _with_word(source, word)
    sitting = closing.enter_context(sit_down(house, parts, seating, source))
    if sitting.lent:
        _warn(f"your purse was too small for a bet: the house lends you {dollars(sitting.lent)}")
    if source.origin.kind == "committed" and shuffled and word is None:
        _warn(_committed(source))
    if not seating.talk:
        brings = f"you sit down with {dollars(sitting.cents)}; " if sitting.cents else ""
        _warn(f"{brings}? helps, q leaves")
    return sitting


def _committed(source: Source) -> str:
    return f"the shuffle is committed to: {source.origin.value}"


def _with_word(source: Source, word: str) -> Source:
    """Say what is committed to, and only then mix in the word, or ask for one."""
    _warn(_committed(source))
    if not word:
        from .console import typed

        _warn("type a word of your own for it, and Enter")
        word = next(typed("word> "), "").strip()
    mixed = mix_in(word, source)
    _warn(f"your word is mixed in: {word}" if word else "no word is mixed in")
    return mixed


def _usual_folder(args: Namespace) -> Path | None:
    with suppress(BadInput):  # without a home there is none
        return log_folder(None, args.environ)
    return None


def _say_farewell(sitting: AnySitting, left: Left | None, usual: Path | None) -> None:
    for fault in sitting.table.faults[:1]:
        if isinstance(fault, BadInput):
            _warn(str(fault))
        else:
            _warn(f"something went wrong on the side. {write_error(fault)}")
    if left is Left.BROKEN_OFF:
        _warn("your bet stays at the table: start again to go on")
    elif left is Left.CASHED_OUT and sitting.house.ledger is not None:
        purse = sitting.house.ledger.purse(sitting.house.player)
        _warn(f"you cash out {dollars(sitting.cents)}; your purse holds {dollars(purse)}")
    if left is Left.CASHED_OUT and (said := seed_line(read(sitting.log.path))):
        _warn(said)
    if sitting.log.path.parent == usual or sitting.house.keeps:
        _warn(f"the session log is {sitting.log.path}")


def _warn(line: str) -> None:
    print(printable(line), file=sys.stderr)
