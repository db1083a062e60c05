"""Open the arcade line by line, on standard input and output."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from ..house.memory import Memory
from ..house.places import ledger_file, memory_file
from ..house.settings import Settings
from ..inputs.errors import BadInput
from .arcade import PlayerSettings
from .cast import open_cast, recorded
from .console import typed_plainly
from .house import open_house, seed_of, word_of
from .waiting import telling

if TYPE_CHECKING:
    from ..gamekit.seating import AnySeating

OPTION, VARIABLE = "--screen-reader", "TUI_CASINO_SCREEN_READER"
_ON, _OFF = ("1", "yes", "true", "on"), ("0", "no", "false", "off")


def asked_by(args: Namespace, settings: Settings) -> str | None:
    """Say what asks for lines instead of a screen; nothing, if the screen is wanted.

    The option holds before the environment, and that before the settings. Raises
    :class:`BadInput` for a variable that is neither on nor off.
    """
    if args.screen_reader is not None:
        return OPTION if args.screen_reader else None
    if (said := _variable(args.environ)) is not None:
        return VARIABLE if said else None
    return "your settings" if settings.screen_reader else None


def _variable(environ: Mapping[str, str]) -> bool | None:
    text = environ.get(VARIABLE, "").strip().lower()
    if text in _ON:
        return True
    if text in _OFF:
        return False
    if text:
        raise BadInput(f"{VARIABLE}: {text!r} is neither; give 1 for on, or 0 for off")
    return None


def open_lines(
    args: Namespace,
    found: PlayerSettings,
    held_by: str,
    game: str | None = None,
    seating: AnySeating | None = None,
) -> int:
    """Open the menu, or the table of a game; give the exit code."""
    from ..lines.visit import begin  # late: the screen needs none of it

    seed, word = seed_of(args), word_of(args)
    if word == "":
        raise BadInput("--word: give a TEXT; line by line, Your word in the menu asks for it")
    practice = seed is not None  # a table for practice alone leaves the menu its money
    with ExitStack() as closing:
        house = open_house(args, closing, practice)
        cast = open_cast(args, closing)
        kept = house.ledger is not None and house.ledger.lasts
        say = recorded(print, cast)
        visit = begin(
            house,
            typed_plainly(),
            say,
            found.settings,
            found.file,
            held_by,
            memory=Memory(None if practice or args.guest else memory_file()),
            waits=partial(telling, ledger_file() if kept else None, say, args.patience),
            seed=seed,
            word=word or "",
            troubles=[found.trouble] if found.trouble else [],
        )
        visit.run(game, seating)
        if cast is not None:
            cast.end(0)
    return 0
