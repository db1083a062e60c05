"""Play at a table on the console: resume an interrupted session first, then sit down."""

from __future__ import annotations

from argparse import Namespace
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from ..engine.chance import ChanceSource
from ..engine.money import dollars
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import DEFINITIONS, title_of
from ..gamekit.table_catalog import AnyTableSetup, PrintLine
from ..house.house import LoanNeeded
from ..house.limits import PlayerLimits, PlayTimer
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
from ..records.session_log import LogInUse
from ..screen_reader.table import converse, farewell, play_at_table
from ..structs import replace
from . import console
from .arcade import player_settings
from .console import open_cast, warn, with_recording
from .house_setup import client_seed_of, ledger_wait_notice, open_house, seed_of

RECALLED_LINES = 8


def play_on_console(definition: AnyDefinition, seating: AnyTableSetup, args: Namespace) -> int:
    """Resume an interrupted session, or start one, on the console; return the exit code.

    The code is 2 if a file that the player asked for could not be written completely.
    """
    sitting: AnySitting | None
    if seating.words:
        definition = replace(definition, words=seating.words)
    with ExitStack() as closing:
        seed, word = seed_of(args), client_seed_of(args)
        loaded = player_settings()
        if loaded.trouble:
            warn(loaded.trouble)
        house = open_house(args, closing, practice=seed is not None or seating.practice)
        if house.can_resume:  # a guest's money is not kept, so no limits apply to it
            limits = loaded.settings.limits
            if limits.unknown and definition.points is None:
                limits = _limits_instead()
            timer = PlayTimer(house.clock, VisitState(visit_state_file(house.player)), limits)
            house = replace(house, play_timer=timer, repays_debt=loaded.settings.repay_debt)
        resumable = house.ledger is not None and house.ledger.persistent
        waits = partial(
            ledger_wait_notice, ledger_file() if resumable else None, warn, args.patience
        )
        cast = open_cast(args, closing)
        say = with_recording(print, cast)
        if cast is not None:
            cast.on_trouble = warn
        if seating.dialogue:
            with waits():
                sitting = _begin(house, definition, seating, closing, seed, word)
            ending = converse(
                sitting, seating.dialogue, console.typed_lines("> "), say, warn, waits
            )
        else:
            with waits():
                sitting = _broken(house, definition, seating, closing, say)
                if sitting is None:
                    sitting = _begin(house, definition, seating, closing, seed, word)
                elif word is not None:
                    warn("this session is already shuffled; give your client seed in the next one")
            clear = partial(console.clear_screen, args.environ)
            ending = play_at_table(sitting, console.typed_lines("> "), say, warn, clear, waits)
        for line in farewell(sitting, ending, _usual_folder(args)):
            warn(line)
        code = 2 if any(isinstance(fault, BadInput) for fault in sitting.table.bus.faults) else 0
        if cast is not None:
            cast.end(code)
    return code


def _limits_instead() -> PlayerLimits:
    """Return no limits if the player wants to play without those of an invalid settings file.

    Raises :class:`BadInput` otherwise.
    """
    if not console.confirm("your limits cannot be read; play for money without limits?"):
        raise BadInput("no round for money begins until your limits can be read")
    return PlayerLimits()


def _broken(
    house: House,
    definition: AnyDefinition,
    seating: AnyTableSetup,
    closing: ExitStack,
    say: PrintLine,
) -> AnySitting | None:
    """Settle interrupted sessions; resume and return the first one of this game, if any."""
    report = review_open_sittings(house, DEFINITIONS)
    for note in report.notes:
        warn(note)
    for entry in report.waiting:
        if entry.game != definition.game.slug:
            warn(f"you have an open session at {title_of(entry.game)} with a bet at stake")
    for entry in report.waiting:
        if entry.game == definition.game.slug:
            try:
                sitting = resume(house, definition, entry)
            except LogInUse:
                continue
            if sitting is not None:
                closing.enter_context(sitting)
                warn("your session was interrupted with a bet at stake; it continues now")
                options = definition.game.sit(
                    seating.options, entry.bought_in // definition.game.unit
                )
                if seating.explicit and options != sitting.table.options:
                    warn("this session has its old options; leave it to use the new ones")
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
            raise BadInput(
                "--word: the cards of this table are not shuffled, so it has no client seed"
            )
        source = _mix_client_seed(source, client_seed)
    try:
        sitting = sit_down(house, definition, seating, source)
    except LoanNeeded as needed:
        warn(needed.question)
        if not console.confirm(f"borrow {dollars(needed.cents)}?"):
            raise
        sitting = sit_down(house, definition, seating, source, borrow=True)
        warn(f"the house lends you {dollars(sitting.lent)}")
    closing.enter_context(sitting)
    if source.spec.kind == "committed" and shuffled and client_seed is None:
        warn(_committed(source))
    if not seating.dialogue:
        brings = f"your buy-in is {dollars(sitting.cents)}; " if sitting.cents else ""
        warn(f"{brings}type ? for help, q to leave")
    return sitting


def _committed(source: ChanceSource) -> str:
    return f"commitment of the shuffle: {source.spec.value}"


def _mix_client_seed(source: ChanceSource, client_seed: str) -> ChanceSource:
    """Print the commitment, then ask for a client seed if it is empty, and mix the seed in."""
    warn(_committed(source))
    if not client_seed:
        warn("type any words as your client seed, then Enter")
        client_seed = next(console.typed_lines("client seed> "), "").strip()
    mixed = mix_client_seed(client_seed, source)
    warn(f"your client seed: {client_seed}" if client_seed else "no client seed is used")
    return mixed


def _usual_folder(args: Namespace) -> Path | None:
    with suppress(BadInput):  # without a home folder there is none
        return log_folder(None, args.environ)
    return None
