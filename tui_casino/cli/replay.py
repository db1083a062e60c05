"""``tui-casino replay``: print a recorded session as text, JSON or advice."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from ..engine.game import Seat
from ..gamekit.adviser import Decision, gap_error
from ..gamekit.definition import AnyDefinition
from ..gamekit.registry import GAMES, find_listing
from ..inputs.errors import BadInput
from ..inputs.files import BadFile
from ..inputs.numbers import count_noun
from ..inputs.sanitize import plain, printable
from ..records.codec import ascii_json
from ..records.log_review import weigh_decisions
from ..records.replay import LogMismatch, ReplayedStep
from ..records.seat_steps import replay_redacted, reviewed_seat
from ..records.session_log import SessionLog, read_log, torn_remark
from ..structs import replace
from .help_texts import shown_name

LISTED = 5
"""The maximum number of alternatives that the text lists per choice."""


def advice_lines(definition: AnyDefinition, log: SessionLog, *, as_json: bool) -> Iterator[str]:
    """Yield the advice as text, or as one JSON object per choice.

    Raises :class:`BadInput` immediately for a game without a trainer.
    """
    if not definition.adviser.has_alternatives:
        raise BadInput(f"--advice: there is no trainer for {shown_name(log.header.game)}")
    return (_advice_json if as_json else _advice_text)(definition, log)


def _advice_json(definition: AnyDefinition, log: SessionLog) -> Iterator[str]:
    for choice in weigh_decisions(definition, log):
        values = {
            definition.format_action(choice.view, choice.seat, worth.action): {
                "value": float(worth.value),
                "error": worth.error,
            }
            for worth in choice.values
        }
        yield ascii_json(
            {
                "step": choice.step,
                "seat": choice.seat,
                "choice": definition.format_action(choice.view, choice.seat, choice.action),
                "cost": float(choice.cost),
                "values": values,
            }
        )


def _advice_text(definition: AnyDefinition, log: SessionLog) -> Iterator[str]:
    """Yield each choice with its alternatives below it, and finally the totals for each seat."""
    costs = defaultdict[int, list[float]](list)
    for choice in weigh_decisions(definition, log):
        costs[choice.seat].append(float(choice.cost))
        yield from _advice_lines(definition, log, choice)
    if not costs:
        yield "there are no choices to analyse"
    for seat, own in sorted(costs.items()):
        text = definition.format_amount(sum(own)) + (" points" if definition.points else "")
        wrong = sum(cost > 0 for cost in own)
        counts = f"{count_noun(len(own), 'choice')}, {count_noun(wrong, 'mistake')}"
        sums = f"{counts}, expected cost {text}"
        players = log.header.players
        yield f"seat {seat} ({plain(players[seat])}): {sums}" if len(players) > 1 else sums


def _advice_lines(
    definition: AnyDefinition, log: SessionLog, choice: Decision[Any, Any]
) -> Iterator[str]:
    done = definition.format_action(choice.view, choice.seat, choice.action)
    what = _verdict(definition, choice)
    who = f", seat {choice.seat}" if len(log.header.players) > 1 else ""
    yield f"step {choice.step}{who}: {done}: {what}"
    listed = choice.values[:LISTED]
    listed += tuple(one for one in choice.values[LISTED:] if one.action == choice.action)
    for worth in listed:
        mark = ">" if worth.action == choice.action else " "
        words = definition.format_action(choice.view, choice.seat, worth.action)
        error = f"   error {definition.format_amount(worth.error)}" if worth.error else ""
        yield f" {mark} {words:<18}{definition.format_amount(worth.value):>10}{error}"
    if omitted := len(choice.values) - len(listed):
        yield f"   and {omitted} more with a lower EV"


def _verdict(definition: AnyDefinition, choice: Decision[Any, Any]) -> str:
    """Return what a choice cost, with the error of an estimated cost; or that it was the best."""
    worths = {one.action: one for one in choice.values}
    own, best = worths.get(choice.action), worths.get(choice.best)
    if choice.cost:
        error = gap_error(best, own) if best is not None and own is not None else 0.0
        stated = f", error {definition.format_amount(error)}" if error else ""
        return f"costs {definition.format_cost(choice)}{stated}"
    first = next(iter(choice.values), None)
    if own is None or first is None or own.value >= first.value or not gap_error(first, own):
        return "best"
    return "no clear difference from the best"


Steps: TypeAlias = Iterator[ReplayedStep[Any, Any, Any]]


class ReplayFormat(Enum):
    """The output formats: lines, JSON or a state for each step, a history, or advice."""

    LINES = "lines"
    JSON = "json"
    STATES = "states"
    TEXT = "text"
    ADVICE = "advice"
    ADVICE_JSON = "advice as JSON"

    @property
    def bare(self) -> bool:
        """Whether only JSON objects are printed."""
        return self in (ReplayFormat.JSON, ReplayFormat.STATES, ReplayFormat.ADVICE_JSON)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a log")
    forms = parser.add_mutually_exclusive_group()
    for form, what in (
        (ReplayFormat.TEXT, "print a readable history of the hands or rounds"),
        (ReplayFormat.JSON, "print one JSON object per step"),
        (
            ReplayFormat.STATES,
            "print the state of the table after each step as one JSON object per line",
        ),
    ):
        forms.add_argument(
            f"--{form.value}", dest="form", action="store_const", const=form, help=what
        )
    parser.add_argument(
        "--advice",
        action="store_true",
        help="print the cost of each choice, the best choice and the alternatives; with --json, "
        "one object per choice",
    )


def run(args: Namespace) -> int:
    """Print a recorded session. Raises :class:`~..inputs.files.BadFile`."""
    if not args.advice:
        return print_replay(args.file, args.form or ReplayFormat.LINES)
    if args.form not in (None, ReplayFormat.JSON):
        args.fail(f"--advice can be combined with --json, but not with --{args.form.value}")
    return print_replay(args.file, ReplayFormat.ADVICE_JSON if args.form else ReplayFormat.ADVICE)


def print_replay(path: Path, form: ReplayFormat) -> int:
    """Print a recorded session in one of the formats; return 1 if it breaks the rules."""
    log = read_log(path)
    definition = definition_of(log)
    lines = _formatted_lines(form, definition, log)
    if not form.bare:
        at = datetime.fromtimestamp(log.header.at / 1000, UTC)
        players = plain(", ".join(log.header.players))
        print(f"{shown_name(log.header.game)}, {at:%Y-%m-%d %H:%M} UTC, {players}")
    try:
        for line in lines:
            print(line)
    except LogMismatch as fault:
        print(f"{printable(str(path))}:{fault.line}: {fault.reason}", file=sys.stderr)
        return 1
    if log.end is not None:
        if form is ReplayFormat.JSON:
            end = log.end if log.over else replace(log.end, seed=None)
            print(ascii_json({"end": end}))
        elif not form.bare:
            print(f"ended: {plain(log.end.why)}")
    warn_if_cut(log)
    if not log.over:
        print("this session is not over, so only what its player saw is shown", file=sys.stderr)
    return 0


def _formatted_lines(
    form: ReplayFormat, definition: AnyDefinition, log: SessionLog
) -> Iterator[str]:
    if form in (ReplayFormat.ADVICE, ReplayFormat.ADVICE_JSON):
        if log.header.daily is not None and not log.over:
            raise BadFile(log.path, "there is no advice before the end of a daily deal")

        return advice_lines(definition, log, as_json=form.bare)
    formatters: dict[ReplayFormat, Callable[[AnyDefinition, Steps], Iterator[str]]] = {
        ReplayFormat.LINES: _lines,
        ReplayFormat.JSON: _json,
        ReplayFormat.STATES: partial(_states, log),
        ReplayFormat.TEXT: _text,
    }
    return formatters[form](definition, replay_redacted(definition.game, log))


def _lines(definition: AnyDefinition, steps: Steps) -> Iterator[str]:
    for played in steps:
        for event in played.events:
            yield from definition.words.lines(event, None)


def _json(definition: AnyDefinition, steps: Steps) -> Iterator[str]:
    for played in steps:
        step = played.line
        lines = [line for event in played.events for line in definition.words.lines(event, None)]
        record = {"n": step.n, "by": step.by, "do": step.do, "ev": step.ev, "at": step.at}
        yield ascii_json({**record, "lines": lines})


def _states(log: SessionLog, definition: AnyDefinition, steps: Steps) -> Iterator[str]:
    """Yield the state after each step, as the reviewed seat sees it."""
    seat = reviewed_seat(log.header)
    for played in steps:
        yield ascii_json(definition.game.view(played.state, seat))


def _text(definition: AnyDefinition, steps: Steps) -> Iterator[str]:
    """Yield the game's own history, or its lines with a heading for each round."""
    if definition.records.as_text is not None:
        yield from definition.records.as_text((played.state, played.events) for played in steps)
        return
    tally, begun = definition.tally(Seat(0)), False
    for played in steps:
        for event in played.events:
            for line in definition.words.lines(event, None):
                if not begun:
                    begun = True
                    yield f"Round {tally.rounds + 1}"
                yield f"  {line}"
            rounds, tally = tally.rounds, tally.add(event)
            begun = begun and tally.rounds == rounds


def definition_of(log: SessionLog) -> AnyDefinition:
    """Import the game of a log. Raises :class:`BadFile` for an unknown game."""
    if (listing := find_listing(log.header.game)) is not None:
        return listing.definition()
    known = ", ".join(game.slug for game in GAMES)
    raise BadFile(log.path, f"the game {log.header.game!r} is unknown; the games are {known}", 1)


def warn_if_cut(log: SessionLog) -> None:
    """Print a warning on standard error if a log is incomplete, or has bytes after its end."""
    remark = torn_remark(log.torn, ended=log.end is not None) if log.torn else ""
    if log.end is None:
        state = f"cut off after step {len(log.lines)}: {remark}" if remark else ""
        remark = state or f"not ended after step {len(log.lines)}"
    if remark:
        print(f"{plain(str(log.path))}: {remark}", file=sys.stderr)
