"""The proof of a shuffle: its seed, its commitment, and the verified log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from ...gamekit.registry import GAMES, listing_of
from ...house.house import House
from ...inputs.errors import BadInput
from ...inputs.files import BadFile
from ...records.replay import describe_proof, describe_seed
from ...records.session_log import SessionLog, read_log
from ..copy_actions import NO_COPIES, SENT, CopyActions
from ..draw.text import capitalize
from ..modals import TextPage


class ProofPage(TextPage):
    """A proof page from which the log's last hash can be copied and compared with a saved one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy_hash", "Copy the last hash", id="proof.copy"),
    ]
    edge = "y copies the hash, Esc closes"

    def __init__(self, title: str, text: str, last: str) -> None:
        super().__init__(title, text)
        self._last = last

    def action_copy_hash(self) -> None:
        app: object = self.app
        if isinstance(app, CopyActions):
            copied = app.hand_over(self._last)
            self.write(f"{SENT}: {self._last[:12]}…" if copied else NO_COPIES, bad=not copied)


async def load_proof_page(title: str, path: Path, house: House) -> TextPage:
    """Verify a log on a thread, and return the page with the result."""
    try:
        log = await asyncio.to_thread(read_log, path)
        if all(game.slug != log.header.game for game in GAMES):
            raise BadFile(path, f"this program does not know the game {log.header.game!r}", 1)
        text = await asyncio.to_thread(proof_page, log, house)
    except BadInput as error:
        return TextPage(title, str(error))
    return ProofPage(title, text, log.hash)


def proof_page(log: SessionLog, house: House) -> str:
    """Verify a log as ``tui-casino verify`` does, and return the text of its proof.

    For a remote player, the text explains how to fetch the log. Raises the errors of
    :meth:`.House.verify`.
    """
    definition = listing_of(log.header.game).definition()
    finding = describe_proof(house.verify(definition, log), log)
    source = log.header.source
    instructions = f"To check it again, run tui-casino verify with:\n{log.path}"
    if house.remote:
        name = log.path.stem
        instructions = f"To check it at home, fetch it over SSH with the command:\nlog {name}"
    paragraphs = [
        f"Commitment:\n{source.value}" if source.kind == "committed" else "",
        f"Your client seed: {source.word}" if source.word else "",
        capitalize((describe_seed(log) or "").replace(": ", ":\n")),
        f"{capitalize(finding)}.",
        f"Hash of the log's last line:\n{log.hash}",
        instructions,
    ]
    return "\n\n".join(filter(None, paragraphs))
