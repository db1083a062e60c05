"""Open the arcade in screen-reader mode, on standard input and output."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from ..house.paths import ledger_file, visit_state_file
from ..house.settings import Settings
from ..house.visit_state import VisitState
from ..inputs.errors import BadInput
from .arcade import PlayerSettings
from .console import open_cast, typed_lines_without_prompt, with_recording
from .house_setup import client_seed_of, ledger_wait_notice, open_house, seed_of

if TYPE_CHECKING:
    from ..gamekit.table_catalog import AnyTableSetup

OPTION, VARIABLE = "--screen-reader", "TUI_CASINO_SCREEN_READER"
_ON, _OFF = ("1", "yes", "true", "on"), ("0", "no", "false", "off")


def screen_reader_reason(args: Namespace, settings: Settings) -> str | None:
    """Return the option or setting that turns screen-reader mode on, or ``None`` for the screen.

    The option overrides the environment variable, which overrides the settings. Raises
    :class:`BadInput` if the variable is neither on nor off.
    """
    if args.screen_reader is not None:
        return OPTION if args.screen_reader else None
    if (value := reads_aloud(args.environ)) is not None:
        return VARIABLE if value else None
    return "your settings" if settings.screen_reader else None


def reads_aloud(environ: Mapping[str, str]) -> bool | None:
    """Return whether the environment variable turns screen-reader mode on, or ``None``."""
    text = environ.get(VARIABLE, "").strip().lower()
    if text in _ON:
        return True
    if text in _OFF:
        return False
    if text:
        raise BadInput(
            f"{VARIABLE}: {text!r} is neither on nor off; set it to 1 for on, or 0 for off"
        )
    return None


def open_screen_reader(
    args: Namespace,
    loaded: PlayerSettings,
    enabled_by: str,
    game: str | None = None,
    seating: AnyTableSetup | None = None,
) -> int:
    """Open the menu, or a table of a game; return the exit code."""
    from ..screen_reader.visit import begin_visit  # late: the screen does not need it

    seed, word = seed_of(args), client_seed_of(args)
    if word == "":
        raise BadInput(
            "--word: give the TEXT of a client seed; in screen-reader mode the menu asks for it"
        )
    practice = seed is not None  # only this table is in free play; the menu uses the ledger
    with ExitStack() as closing:
        house = open_house(args, closing, practice)
        cast = open_cast(args, closing)
        resumable = house.ledger is not None and house.ledger.persistent
        say = with_recording(print, cast)
        visit = begin_visit(
            house,
            typed_lines_without_prompt(),
            say,
            loaded.settings,
            loaded.file,
            enabled_by,
            memory=VisitState(None if practice or args.guest else visit_state_file(house.player)),
            wait_notice=partial(
                ledger_wait_notice, ledger_file() if resumable else None, say, args.patience
            ),
            seed=seed,
            client_seed=word or "",
            troubles=[loaded.trouble] if loaded.trouble else [],
        )
        visit.run(game, seating)
        if cast is not None:
            cast.end(0)
    return 0
