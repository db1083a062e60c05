"""Open the arcade on the terminal."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..gamekit.registry import title_of
from ..house.paths import settings_file, visit_state_file
from ..house.settings import Settings, fallback_settings, invalid_settings_warning, load
from ..house.visit_state import VisitState
from ..inputs.errors import BadInput
from ..tui.terminal.detection import detect, prepare
from .console import open_cast
from .help_texts import shown_name
from .house_setup import client_seed_of, open_house, seed_of

if TYPE_CHECKING:
    from ..gamekit.table_catalog import AnyTableSetup
    from ..teacher.practice_tasks import TaskRequest
    from ..tui.app import Arcade

PATIENCE = 0.5
"""Seconds to wait for a ledger that another program is writing before the screen reports it."""
THREADS = 4
"""The number of threads for long computations: the default executor of the event loop."""


class PlayerSettings(NamedTuple):
    """A player's settings, their file (if there is a folder for it), and a warning about them."""

    settings: Settings
    file: Path | None
    trouble: str | None


def open_arcade(
    args: Namespace,
    loaded: PlayerSettings,
    game: str | None = None,
    seating: AnyTableSetup | None = None,
    practice: TaskRequest | None = None,
    daily: str | None = None,
) -> int:
    """Open the menu, a table, the practice room, or the daily deal; return the exit code.

    Raises :class:`BadInput` if there is no terminal, or if options cannot be used.
    """
    prefix = f"{shown_name(game)} " if game else ""
    command = f"tui-casino {'practise --console' if practice else f'{prefix}--screen-reader'}"
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise BadInput(f"the screen needs a terminal; {command} works without one")
    if os.environ.get("TERM") == "dumb":
        raise BadInput(f"TERM=dumb cannot show the screen; {command} works there")
    word = client_seed_of(args)
    if word == "":
        raise BadInput(
            "--word: give the TEXT of a client seed; on the screen, w in the menu asks for it"
        )
    settings, file, trouble = loaded
    terminal = detect(
        os.environ,
        sys.stderr.encoding,
        ascii_only=args.ascii,
        no_colour=args.color == "never",
        colour=args.color == "always",
    )
    ansi_color = prepare(terminal, os.environ)
    with ExitStack() as closing:
        # Nearly all objects made before the first paint stay alive; looking for garbage
        # among them took a tenth of the time.
        gc.disable()
        closing.callback(gc.enable)
        from ..tui.app import (  # late: Textual reads the environment as it is loaded
            Arcade,
            StartOptions,
        )
        from ..tui.terminal.driver import watch_terminal

        seed = seed_of(args)
        for_practice = seed is not None  # only this table is in free play; the menu uses the ledger
        args.patience = PATIENCE if args.patience is None else args.patience
        house = open_house(args, closing, for_practice)
        cast = open_cast(args, closing)
        start = StartOptions(
            house,
            terminal,
            settings,
            file,
            seed,
            game,
            seating,
            trouble,
            word or "",
            cast,
            memory=VisitState(
                None if for_practice or args.guest else visit_state_file(house.player)
            ),
            practice=practice,
            daily=daily,
            watch=watch_terminal,
            painted=_collect,
            loaded=gc.freeze,
        )
        arcade = Arcade(start, ansi_color)
        asyncio.run(_run(arcade, mouse=terminal.mouse and not args.no_mouse))
        code = 70 if arcade.error is not None else arcade.return_code or 0
        if cast is not None:
            cast.end(code)
    if arcade.error is not None:
        print(f"tui-casino: {arcade.error}", file=sys.stderr)
    for slug in arcade.desk.games_at_stake:
        print(f"a bet is still at stake at {title_of(slug)}: start tui-casino again to finish")
    return code


def _collect() -> None:
    """Turn garbage collection on again, but ignore the objects that already exist.

    The existing objects are modules, the menu and the games. Scanning them took half as long as
    opening a game.
    """
    gc.freeze()
    gc.enable()


async def _run(arcade: Arcade, *, mouse: bool) -> None:
    executor = ThreadPoolExecutor(THREADS, "aside")
    asyncio.get_running_loop().set_default_executor(executor)
    await arcade.run_async(mouse=mouse)


def player_settings() -> PlayerSettings:
    """Read the settings. An error is only a warning, so that the program can still start."""
    file = None
    try:
        file = settings_file()
        return PlayerSettings(load(file), file, invalid_settings_warning(file))
    except BadInput as error:
        usable = Settings() if file is None else fallback_settings(file)
        return PlayerSettings(usable, file, str(error))
