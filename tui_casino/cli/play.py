"""Play at a table on the console: resume a broken-off session first, then sit down."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..engine.chance import ChanceSource
from ..engine.money import dollars
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import GAMES, title_of
from ..gamekit.table_setup import AnyTableSetup, PrintLine
from ..house.limits import PlayTimer
from ..house.lobby import (
    AnySitting,
    mix_client_seed,
    new_source,
    resume,
    review_open_sittings,
    sit_down,
)
from ..house.paths import ledger_file, log_folder, visit_state_file
from ..house.sitting import House
from ..house.visit_state import VisitState
from ..inputs.errors import BadInput
from ..inputs.sanitize import printable
from ..records.session_log import LogInUse
from ..screen_reader.table import converse, farewell, play_at_table
from . import console
from .arcade import player_settings
from .asciicast import open_cast, with_recording
from .house_setup import client_seed_of, open_house, seed_of
from .ledger_wait import ledger_wait_notice

RECALLED_LINES = 8


def play_on_console(definition: AnyDefinition, seating: AnyTableSetup, args: Namespace) -> int:
    """Play a sitting on the console, a broken one first if there is one; give the exit code.

    It is 2 if a file that the player asked for could not be written to its end.
    """
    sitting: AnySitting | None
    if seating.words:
        definition = replace(definition, words=seating.words)
    with ExitStack() as closing:
        seed, word = seed_of(args), client_seed_of(args)
        house = open_house(args, closing, practice=seed is not None or seating.practice)
        house = replace(house, play_timer=_play_timer(house))
        resumable = house.ledger is not None and house.ledger.persistent
        waits = partial(
            ledger_wait_notice, ledger_file() if resumable else None, _warn, args.patience
        )
        cast = open_cast(args, closing)
        say = with_recording(print, cast)
        if cast is not None:
            cast.on_trouble = _warn
        if seating.dialogue:
            with waits():
                sitting = _begin(house, definition, seating, closing, seed, word)
            ending = converse(
                sitting, seating.dialogue, console.typed_lines("> "), say, _warn, waits
            )
        else:
            with waits():
                sitting = _broken(house, definition, seating, closing, say)
                if sitting is None:
                    sitting = _begin(house, definition, seating, closing, seed, word)
                elif word is not None:
                    _warn("it keeps its own shuffle; your word is for the next session")
            clear = partial(console.clear_screen, args.environ)
            ending = play_at_table(sitting, console.typed_lines("> "), say, _warn, clear, waits)
        for line in farewell(sitting, ending, _usual_folder(args)):
            _warn(line)
        code = 2 if any(isinstance(fault, BadInput) for fault in sitting.table.bus.faults) else 0
        if cast is not None:
            cast.end(code)
    return code


def _play_timer(house: House) -> PlayTimer | None:
    """Give what knows the limits that the player has set himself; a guest has none."""
    if house.ledger is None or not house.ledger.persistent:
        return None
    return PlayTimer(house.clock, VisitState(visit_state_file()), player_settings().settings.limits)


def _broken(
    house: House,
    definition: AnyDefinition,
    seating: AnyTableSetup,
    closing: ExitStack,
    say: PrintLine,
) -> AnySitting | None:
    """Settle what was broken off, and give the first sitting of this game that goes on."""
    report = review_open_sittings(house, {game.slug: game.definition() for game in GAMES})
    for note in report.notes:
        _warn(note)
    for entry in report.waiting:
        if entry.game != definition.game.slug:
            _warn(f"a session at {title_of(entry.game)} waits for you with a bet at stake")
    for entry in report.waiting:
        if entry.game == definition.game.slug:
            try:
                sitting = resume(house, definition, entry)
            except LogInUse:
                continue
            if sitting is not None:
                closing.enter_context(sitting)
                _warn("your session was cut off with a bet at stake; it goes on where it stopped")
                options = definition.game.sit(
                    seating.options, entry.bought_in // definition.game.unit
                )
                if seating.explicit and options != sitting.table.options:
                    _warn("it keeps its own options; leave it first to use yours")
                say("\n".join(sitting.dialogue.recall()[-RECALLED_LINES:]))
                return sitting
    return None


def _begin(
    house: House,
    definition: AnyDefinition,
    seating: AnyTableSetup,
    closing: ExitStack,
    seed: int | None,
    client_seed: str | None,
) -> AnySitting:
    source = new_source(seed, seating.source)
    shuffled = seating.croupier.kind.name == "shuffled"
    if client_seed is not None:
        if not shuffled:
            raise BadInput("--word: the cards of this table are given, not shuffled")
        source = _mix_client_seed(source, client_seed)
    sitting = closing.enter_context(sit_down(house, definition, seating, source))
    if sitting.lent:
        _warn(f"your purse was too small for a bet: the house lends you {dollars(sitting.lent)}")
    if source.spec.kind == "committed" and shuffled and client_seed is None:
        _warn(_committed(source))
    if not seating.dialogue:
        brings = f"you sit down with {dollars(sitting.cents)}; " if sitting.cents else ""
        _warn(f"{brings}? helps, q leaves")
    return sitting


def _committed(source: ChanceSource) -> str:
    return f"the shuffle is committed to: {source.spec.value}"


def _mix_client_seed(source: ChanceSource, client_seed: str) -> ChanceSource:
    """Say what is committed to, and only then mix in the word, or ask for one."""
    _warn(_committed(source))
    if not client_seed:
        _warn("type a word of your own to mix in, then Enter")
        client_seed = next(console.typed_lines("word> "), "").strip()
    mixed = mix_client_seed(client_seed, source)
    _warn(f"your word is mixed in: {client_seed}" if client_seed else "no word is mixed in")
    return mixed


def _usual_folder(args: Namespace) -> Path | None:
    with suppress(BadInput):  # without a home there is none
        return log_folder(None, args.environ)
    return None


def _warn(line: str) -> None:
    print(printable(line), file=sys.stderr)
