"""Recorded sessions on the command line: told again, and verified."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..errors import BadInput, plain, printable
from ..files import BadFile
from ..parts import Parts
from ..places import ledger_file
from ..records.codec import encode
from ..records.ledger import Ledger
from ..records.log import SessionLog, read
from ..records.replay import Differs, Proof, replay, verify
from ..registry import GAMES


def tell(path: Path, json: bool) -> int:
    """Print a recorded session step by step, as text or JSON; give 1 if it breaks the rules."""
    log = read(path)
    parts = _parts(log)
    if not json:
        at = datetime.fromtimestamp(log.header.at / 1000, UTC)
        print(f"{log.header.game}, {at:%Y-%m-%d %H:%M} UTC, {plain(', '.join(log.header.players))}")
    try:
        for played in replay(parts.game, log):
            lines = [line for event in played.events for line in parts.words.lines(event, None)]
            if json:
                print(encode({**_step(played.line), "lines": lines}).decode())
            else:
                for line in lines:
                    print(line)
    except Differs as fault:
        print(f"{printable(str(path))}:{fault.line}: {fault.why}", file=sys.stderr)
        return 1
    if log.end is not None:
        print(encode({"end": log.end}).decode() if json else f"ended: {plain(log.end.why)}")
    _say_if_cut(log)
    return 0


def _step(line: Any) -> dict[str, Any]:
    return {"n": line.n, "by": line.by, "do": line.do, "ev": line.ev, "at": line.at}


def check(path: Path) -> int:
    """Verify a recorded session and print the verdict; give 1 if it does not hold."""
    log = read(path)
    recorded = _recorded(path.resolve(), log)
    verdict = verify(_parts(log), log, recorded)
    _say_if_cut(log)
    if verdict.proof is Proof.DIFFERS:
        place = f"{printable(str(path))}:{verdict.line}"
        print(f"differs: {place}: {verdict.why}; {verdict.steps} steps before it hold")
        return 1
    if not verdict.shuffle_checked:
        shuffle = "the seed is not revealed yet, so the cards could not be checked"
    elif log.header.croupier.name == "cards":
        shuffle = "the cards are those that were given, not shuffled"
    elif log.header.source.kind == "committed":
        shuffle = "every card follows from the committed seed"
    else:
        shuffle = "every card follows from a seed that was chosen"
    known = {
        Proof.AUTHENTIC: "the ledger knows this log",
        Proof.CONSISTENT: "the ledger does not vouch for this log",
    }[verdict.proof]
    print(f"{verdict.proof.value}: {verdict.steps} steps follow the rules; {shuffle}; {known}")
    return 0


def _recorded(path: Path, log: SessionLog) -> str | None:
    """Ask the ledger for the hash the log should end on; what it cannot tell is said."""
    try:
        if not ledger_file().exists():
            return None
        ledger = Ledger.look_at(ledger_file())
        try:
            return ledger.last_hash(path, log.hash)
        finally:
            ledger.close()
    except BadInput as error:
        print(f"the ledger cannot be asked: {error}", file=sys.stderr)
        return None


def _parts(log: SessionLog) -> Parts[Any, Any, Any, Any]:
    for game in GAMES:
        if game.slug == log.header.game:
            return game.parts()
    known = ", ".join(game.slug for game in GAMES)
    raise BadFile(log.path, f"a log of {log.header.game!r}; the games here are {known}", 1)


def _say_if_cut(log: SessionLog) -> None:
    if log.torn:
        what = f"{log.torn} bytes of a torn line are left out"
        print(
            f"{plain(str(log.path))}: cut off after step {len(log.lines)}; {what}", file=sys.stderr
        )
    elif log.end is None:
        print(f"{plain(str(log.path))}: not ended after step {len(log.lines)}", file=sys.stderr)
