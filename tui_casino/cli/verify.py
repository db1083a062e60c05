"""``tui-casino verify``: verify a session log, or every log in a folder."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from ..engine.chance import ChanceSource
from ..engine.seating import SHARED
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import find_listing
from ..house.paths import ledger_file
from ..inputs.errors import BadInput
from ..inputs.files import BadFile, file_size
from ..inputs.numbers import count_noun
from ..inputs.sanitize import plain, printable
from ..records.clock import format_utc
from ..records.ledger import LogCheckpoint
from ..records.log_catalog import log_paths
from ..records.promises import Promise, PromiseCheck, check_promises, read_promises, revealed_source
from ..records.replay import (
    ProofLevel,
    Verification,
    describe_fault,
    describe_proof,
    describe_shuffle,
    first_clock_reversal,
    verify_log,
)
from ..records.session_log import SessionLog, read_log, torn_remark
from ..records.sqlite_ledger import SqliteLedger
from ..structs import replace
from .replay import definition_of, warn_if_cut

WORTH_PROCESSES = 2_000_000
"""The total size of logs, in bytes, above which several processes are faster."""
UNREADABLE = "cannot be read"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("path", metavar="FILE|FOLDER", type=Path, help="a log, or a folder of logs")
    parser.add_argument(
        "--commitments",
        "--promises",
        dest="promises",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="also check the log against a server's commitment log; may be repeated",
    )


def run(args: Namespace) -> int:
    """Verify the logs given as arguments."""
    return check(args.path, args.patience, args.promises)


def check(path: Path, patience: float | None = None, lists: Sequence[Path] = ()) -> int:
    """Verify one log or all logs in a folder, and print the verdict.

    ``patience`` is how many seconds to wait for the ledger; ``None`` means the usual time. A single
    log is also compared with the commitment logs in ``lists``. Returns 1 if a log fails, and 2 if a
    log in a folder cannot be read. Raises :class:`~tui_casino.inputs.errors.BadInput` if a single
    log cannot be read, or a folder has none.
    """
    if not path.is_dir():
        return _check_log(path, patience, [read_promises(file) for file in lists])
    if lists:
        raise BadInput("--commitments can be used with one log, but not with a folder")
    return _check_folder(path, patience)


def _check_log(path: Path, patience: float | None, lists: Sequence[Sequence[Promise]]) -> int:
    log = read_log(path)
    verdict = _verified(path, log, patience, revealed_source(log, *lists))
    warn_if_cut(log)
    if verdict.proof is ProofLevel.DIFFERS:
        where = f"{printable(str(path))}:{verdict.line}"
        before = count_noun(verdict.steps, "step")
        print(f"differs: {where}: {describe_fault(verdict, log)}; correct before it: {before}")
        return 1
    print(describe_proof(verdict, log))
    if step := first_clock_reversal(log):
        print(
            f"the clock was set back before step {step}; times are not part of the verification",
            file=sys.stderr,
        )
    if not lists:
        return 0
    promises = check_promises(log, *lists)
    print(_promised(promises, log))
    return 1 if promises.fault else 0


def _promised(check: PromiseCheck, log: SessionLog) -> str:
    if check.fault or check.begun is None:
        where = "" if check.line is None else f" (entry {check.line})"
        return f"differs from the commitment log: {check.fault}{where}"
    begun = f"entry {check.begun.n} was made on {format_utc(check.begun.at)}, before the first card"
    if log.header.source.word:
        shown = "no entry has" if check.shown is None else f"entry {check.shown.n} has"
        begun += f"; {shown} the commitment from before the client seed"
    if log.header.daily is not None:
        seed = "no entry" if check.ended is None else f"entry {check.ended.n}"
        return f"committed: {begun}; {seed} reveals the seed of the daily deal"
    if check.ended is None:
        return f"committed: {begun}; no entry about its end"
    if not log.over:
        return f"committed: {begun}; entry {check.ended.n} says that it was settled unfinished"
    return f"committed: {begun}; entry {check.ended.n} has the hash of its last line"


def _verified(
    path: Path, log: SessionLog, patience: float | None, daily: ChanceSource | None = None
) -> Verification:
    return verify_log(_rules_of(log), log, _known(path.resolve(), log, patience), daily)


def _rules_of(log: SessionLog) -> AnyDefinition:
    """Return the game of a log; that of a table with others has the rules for several people."""
    listing = find_listing(log.header.game.removesuffix(SHARED))
    shared = None if listing is None else listing.definition().shared
    if listing is None or shared is None or log.header.game != shared.game.slug:
        return definition_of(log)
    return replace(listing.definition(), game=shared.game)


def _known(path: Path, log: SessionLog, patience: float | None) -> LogCheckpoint | None:
    """Return the ledger's checkpoint of the log; print a warning if the ledger is unreadable."""
    try:
        if not ledger_file().exists():
            return None
        ledger = SqliteLedger.look_at(ledger_file(), patience)
        try:
            return ledger.checkpoint_of(path, (log.head, log.hash))
        finally:
            ledger.close()
    except BadInput as error:
        print(f"the ledger cannot be read: {error}", file=sys.stderr)
        return None


# ---- a folder ---------------------------------------------------------------------------------


class _Found(Struct, frozen=True):
    """The verdict on a log in a folder, and the line that reports it."""

    kind: str
    line: str


def _check_folder(folder: Path, patience: float | None) -> int:
    logs = log_paths(folder)
    if not logs:
        raise BadFile(folder, "contains no logs; their names end in .jsonl")
    count: Counter[str] = Counter()
    for result in _all_found(logs, partial(_check_one, patience=patience)):
        print(result.line)
        count[result.kind] += 1
    words = {kind: kind for kind in (*(proof.value for proof in ProofLevel), UNREADABLE)}
    if count[ProofLevel.DIFFERS.value] != 1:
        words[ProofLevel.DIFFERS.value] = "differ"
    counts = (f"{count[kind]:,} {word}" for kind, word in words.items())
    print(f"{count_noun(len(logs), 'log')}: {', '.join(counts)}")
    if count[ProofLevel.DIFFERS.value]:
        return 1
    return 2 if count[UNREADABLE] else 0


def _all_found(logs: list[Path], find: Callable[[Path], _Found]) -> Iterable[_Found]:
    cores = min(os.cpu_count() or 1, len(logs))
    if cores == 1 or sum(map(file_size, logs)) < WORTH_PROCESSES:
        return map(find, logs)
    return _by_processes(logs, find, cores)


def _by_processes(logs: list[Path], find: Callable[[Path], _Found], cores: int) -> Iterator[_Found]:
    from concurrent.futures import ProcessPoolExecutor  # late: small logs need none
    from multiprocessing import get_context

    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        yield from pool.map(find, logs)


def _check_one(path: Path, patience: float | None) -> _Found:
    name = printable(path.name)
    try:
        log = read_log(path)
        verdict = _verified(path, log, patience)
    except BadFile as error:
        line = "" if error.line is None else f":{error.line}"
        reason = error.reason.removeprefix(f"{UNREADABLE}: ")
        return _Found(UNREADABLE, f"{UNREADABLE}: {name}{line}: {reason}")
    kind = verdict.proof.value
    if verdict.proof is ProofLevel.DIFFERS:
        return _Found(kind, plain(f"{kind}: {name}:{verdict.line}: {describe_fault(verdict, log)}"))
    remark = "" if log.end else "; not ended"
    if log.end and log.torn:
        remark = f"; {torn_remark(log.torn, ended=True)}"
    text = f"{count_noun(verdict.steps, 'step')}; {describe_shuffle(verdict, log)}{remark}"
    return _Found(kind, f"{kind}: {name}: {text}")
