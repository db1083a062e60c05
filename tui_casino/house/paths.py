"""The folders of settings, records and caches, and of the stylesheets."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ..gamekit.lazy_import import LazyModule
from ..inputs.errors import BadInput

if TYPE_CHECKING:
    import platformdirs  # not every command needs a folder
else:
    platformdirs = LazyModule("platformdirs")

PLAYER = "player"
"""The id of the player who has not given another name with ``--player``."""
LOG_DIR_VARIABLE = "TUI_CASINO_LOG_DIR"


def state_folder() -> Path:
    """Return the platform's state folder, which contains the ledger. Raises :class:`BadInput`."""
    try:
        return platformdirs.user_state_path("tui-casino", appauthor=False)
    except RuntimeError as error:  # a user without a home folder
        message = f"no folder for the records; set HOME or XDG_STATE_HOME ({error})"
        raise BadInput(message) from None


def ledger_file() -> Path:
    """Return the path of the ledger."""
    return state_folder() / "ledger.db"


def visit_state_file(player: str) -> Path:
    """Return the path of the state that is kept between a player's visits.

    A player may have any name, so the file of a player with a name has a hash in its name.
    """
    name = player.encode(errors="backslashreplace")
    own = "" if player == PLAYER else f"-{sha256(name).hexdigest()[:12]}"
    return state_folder() / f"visits{own}.json"


def answers_file() -> Path:
    """Return the path of the file of practice answers."""
    return state_folder() / "answers.jsonl"


def cache_file() -> Path | None:
    """Return the path of the cache of results from logs; ``None`` without a cache folder."""
    try:
        # 2 is the version of the format
        return platformdirs.user_cache_path("tui-casino", appauthor=False) / "records-2.db"
    except RuntimeError:  # a user without a home folder: all results can be calculated again
        return None


def settings_file() -> Path:
    """Return the path of a player's settings. Raises :class:`BadInput` if there is no folder."""
    try:
        return platformdirs.user_config_path("tui-casino", appauthor=False) / "settings.toml"
    except RuntimeError as error:  # a user without a home folder
        message = f"no folder for the settings; set HOME or XDG_CONFIG_HOME ({error})"
        raise BadInput(message) from None


def log_folder(option: str | None, environ: Mapping[str, str]) -> Path:
    """Return the log folder: from the option, from the environment, or in the state folder."""
    named = option or environ.get(LOG_DIR_VARIABLE)
    return Path(named) if named else state_folder() / "sessions"


def styles_folder() -> Path:
    """Return the folder of the stylesheets: in the installed package, or next to it in a checkout.

    Raises ``FileNotFoundError``.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "styles", package.parent / "styles"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(package / "styles"))


def game_stylesheet(slug: str) -> Path:
    """Return the path of a game's stylesheet; not every game has one."""
    return Path(__file__).parents[1] / "games" / slug.replace("-", "_") / "face" / "sheet.tcss"
