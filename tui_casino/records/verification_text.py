"""The result of a verification in words."""

from __future__ import annotations

from ..engine.chance import make_source
from ..inputs.numbers import count_noun
from .ledger import LogCheckpoint
from .replay import Verification
from .session_log import SessionLog


def describe_line(log: SessionLog, line: int) -> str:
    """Return the name of a line of a log, counted from 1."""
    if line == 1:
        return "the header"
    return f"step {line - 1}" if line - 1 <= len(log.lines) else "the last line"


def describe_fault(verdict: Verification, log: SessionLog) -> str:
    """Return a text that says what is wrong and where: ``step 7: the rules refuse this step``."""
    return f"{describe_line(log, verdict.line or 1)}: {verdict.reason}"


def describe_shuffle(verdict: Verification, log: SessionLog) -> str:
    """Return a text that says what is known about the shuffle of a log's cards."""
    source = log.header.source
    if not verdict.shuffle_checked:
        if log.header.daily is not None:
            return "the seed is revealed after the day, so the cards could not be checked"
        return "the seed is not revealed yet, so the cards could not be checked"
    if log.header.croupier.name == "cards":
        return "the cards were given, not shuffled"
    if source.kind != "committed":
        return "every card follows from a seed that was chosen"
    word = " and the client seed" if source.word else ""
    return f"every card follows from the committed seed{word}"


def describe_proof(verdict: Verification, log: SessionLog) -> str:
    """Return one line that says how far a correct log has been proved."""
    follow = "follows" if verdict.steps == 1 else "follow"
    rules = f"{count_noun(verdict.steps, 'step')} {follow} the rules"
    parts = (rules, describe_shuffle(verdict, log), describe_checkpoint(verdict.checkpoint))
    return f"{verdict.proof.value}: {'; '.join(parts)}"


def describe_checkpoint(checkpoint: LogCheckpoint | None) -> str:
    """Return a text that says which lines of a log the ledger confirms."""
    if checkpoint is None:
        return "it has no ledger entry, like all free play"
    step = (
        f"step {checkpoint.steps}" if checkpoint.mark is not None and checkpoint.steps > 0 else None
    )
    lines = (
        "its first line" if checkpoint.head else None,
        "its last line" if checkpoint.last else step,
    )
    text = " and ".join(filter(None, lines))
    return f"the ledger confirms {text}" if text else "the ledger confirms none of its lines"


SEED_MATCHES = "the seed matches the commitment"


def describe_seed(log: SessionLog) -> str | None:
    """Say whether a log's revealed seed matches its commitment; ``None`` if either is missing."""
    origin, seed = log.header.source, log.end.seed if log.end and log.over else None
    if origin.kind != "committed" or log.header.croupier.name != "shuffled" or not seed:
        return None
    try:
        make_source(origin, bytes.fromhex(seed))
    except ValueError as error:
        return f"{error}: {seed}"
    return f"{SEED_MATCHES}: {seed}"


def first_clock_reversal(log: SessionLog) -> int | None:
    """Return the first step whose time is before that of the previous line; this is allowed."""
    before = log.header.at
    for step in log.steps():
        if step.at < before:
            return step.n
        before = step.at
    return None
