"""The page on a shuffle that has been played: its seed, what it fits, and what the log proves."""

from __future__ import annotations

from ...gamekit.registry import GAMES
from ...records.ledger import Known
from ...records.log import SessionLog
from ...records.replay import Proof, verify
from ...records.verdicts import fault, seed_line, sentence
from ..widgets.bars import capital


def proof_page(log: SessionLog, known: Known | None, *, afar: bool) -> str:
    """Verify a log as ``tui-casino verify`` does, and tell what was found.

    ``known`` is what the ledger knows of it; who is ``afar`` fetches the log to check it. Raises
    :class:`~tui_casino.inputs.files.BadFile`.
    """
    parts = next(game.parts() for game in GAMES if game.slug == log.header.game)
    verdict = verify(parts, log, known)
    found = (
        f"differs in line {verdict.line}: {fault(verdict, log)}"
        if verdict.proof is Proof.DIFFERS
        else sentence(verdict, log)
    )
    source = log.header.source
    again = f"tui-casino verify checks it again:\n{log.path}"
    if afar:
        name = log.path.stem
        again = f"To check it at home, fetch it with ssh, and verify it:\nlog {name}"
    told = [
        f"It was committed to:\n{source.value}" if source.kind == "committed" else "",
        f"Your word: {source.word}" if source.word else "",
        capital((seed_line(log) or "").replace(": ", ":\n")),
        f"{capital(found)}.",
        again,
    ]
    return "\n\n".join(filter(None, told))
