"""The tables of cribbage and their setups: the trainer, and games to 121."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from functools import partial
from os import PathLike
from typing import TypeAlias

from msgspec import Struct

from ....engine.chance import ChanceSource, JavaRandomSource
from ....engine.croupier import JavaCroupier, ShuffledShoe
from ....engine.game import Seat
from ....gamekit.table_catalog import (
    EventListener,
    FirstVisitQuestion,
    NamedTable,
    PrintLine,
    TableCatalog,
    TableSetup,
    fixed_table,
)
from ....house.seat_dialogue import Dialogue
from ....inputs.errors import BadInput
from ....records.log_header import HUMAN, OTHER
from ....structs import replace
from ..machine.rules import ACC
from ..machine.state import TRAINING, Action, CountingMode, Event, GameForm, Options, State
from .original_trainer_files import LEAST_SEED, MOST_SEED, TrainerLogFile, head_lines, log_lines
from .tally import Tally

CribbageDialogue: TypeAlias = Dialogue[Options, State, Action, Event, Tally]


USUAL_PLAYERS = ("random", HUMAN)
SERIES = 5
"""The number of games in the listed series; the command line can choose another number."""


class CribbageSetup(Struct, frozen=True):
    """The options of a table, and its players by seat, named as in session logs.

    ``log`` is the path of the log; without it, :func:`~.original_trainer_files.trainer_log` chooses
    one. ``java`` is a seed for Java's generator; without it, the trainer draws a seed.
    """

    options: Options
    players: tuple[str, str] = USUAL_PLAYERS
    java: int | None = None
    log: PathLike[str] | None = None
    animate: bool = True


def seating_of(setup: CribbageSetup, console: bool = False) -> TableSetup[Options]:
    """Return the table for a setup; on the console, two computer players print the log."""
    players = {
        Seat(seat): None if name == HUMAN else name for seat, name in enumerate(setup.players)
    }
    java = setup.options.form is GameForm.ROUND or setup.java is not None
    lines: list[str] = []
    watched = console and None not in players.values()
    return TableSetup(
        setup.options,
        JavaCroupier() if java else ShuffledShoe(),
        players,
        practice=True,
        explicit=True,
        dialogue=partial(_watch, lines) if watched else None,
        source=partial(java_source, setup.java) if java else None,
        listener=partial(_log, setup, lines) if setup.log or watched else None,
        animate=setup.animate,
    )


def java_source(command_seed: int | None, setup_seed: int | None) -> ChanceSource:
    """Return Java's generator with the command's seed, the setup's seed, or a random one."""
    seed = setup_seed if command_seed is None else command_seed
    if seed is None:
        return JavaRandomSource(LEAST_SEED + secrets.randbelow(MOST_SEED - LEAST_SEED + 1))
    if not LEAST_SEED <= seed <= MOST_SEED:
        raise BadInput(
            f"--seed: {seed} is out of range; the trainer accepts {LEAST_SEED} to {MOST_SEED}"
        )
    return JavaRandomSource(seed)


def deal_again(seed: int | None, seating: TableSetup[Options]) -> TableSetup[Options]:
    """Return the same table, with the cards of a ``seed`` or (if ``None``) with new cards."""
    if seating.source is None:
        return seating
    return replace(seating, source=lambda chosen: java_source(None, seed))


def _log(setup: CribbageSetup, lines: list[str], source: ChanceSource) -> EventListener:
    """Start the log, and its file if it has one; each start clears the collected lines."""
    lines[:] = head_lines(source.spec, setup.players)
    file = TrainerLogFile(setup.log, lines) if setup.log else None
    if file is not None:
        file.begin()

    def hear(event: Event) -> None:
        lines.extend(log_lines(event))
        if file is not None:
            file(event)

    return hear


def _watch(
    log: list[str],
    dialogue: CribbageDialogue,
    lines: Iterator[str],
    say: PrintLine,
    warn: PrintLine,
) -> None:
    """Let two computer players play to the end, and print the log."""
    dialogue.listen()
    for line in log:
        say(line)


def trainer_setup(players: tuple[str, str] = USUAL_PLAYERS) -> CribbageSetup:
    """Return the trainer's setup: one round, all cards face up."""
    return CribbageSetup(TRAINING, players)


def _table(title: str, setup: CribbageSetup) -> NamedTable[Options]:
    return fixed_table(title, partial(seating_of, setup))


_COUNTING_TEXTS = {
    CountingMode.TABLE: "",
    CountingMode.SELF: ", you count your hands",
    CountingMode.MUGGINS: ", muggins",
}


def rules_text(options: Options) -> str:
    """Return the rules of a table in a few words."""
    rules = options.rule_set
    if options.form is GameForm.ROUND:
        game_text = f"{options.games} rounds" if options.games > 1 else "one round"
    else:
        games = f", {options.games} games" if options.games > 1 else ""
        game_text = f"to {rules.target}{games}"
    return f"{game_text}{_COUNTING_TEXTS[options.counting]}"


def _describe(options: Options, players: Sequence[str]) -> str:
    if OTHER in players:
        return f"{rules_text(options)}, with another player"
    opponents = [name for name in players if name != HUMAN]
    return f"{rules_text(options)}, {' and '.join(opponents) or 'two players'}"


_COUNTING = CribbageSetup(replace(TRAINING, counting=CountingMode.SELF))
_GREEDY = CribbageSetup(Options(), ("greedy", HUMAN))
_EXPERT = CribbageSetup(Options(), ("expert", HUMAN))
_MASTER = CribbageSetup(Options(), ("master", HUMAN))
_ACC = CribbageSetup(replace(TRAINING, rules=ACC.name), ("expert", HUMAN))
_SERIES = CribbageSetup(Options(games=SERIES), ("expert", HUMAN))
_TWO = CribbageSetup(Options(), (HUMAN, HUMAN))
_MUGGINS = replace(_EXPERT, options=Options(counting=CountingMode.MUGGINS))
TABLES = TableCatalog(
    Options,
    {
        "trainer": _table("The trainer, against random play", trainer_setup()),
        "trainer-expert": _table(
            "The trainer, against the expert", trainer_setup(("expert", HUMAN))
        ),
        "trainer-count": _table("The trainer: count your own hands", _COUNTING),
        "trainer-acc": _table("The trainer with ACC rules, against the expert", _ACC),
        "greedy": _table("A game to 121, against the greedy player", _GREEDY),
        "expert": _table("A game to 121, against the expert", _EXPERT),
        "master": _table("A game to 121, against the master", _MASTER),
        "series": _table(f"A series of {SERIES} games to 121, against the expert", _SERIES),
        "muggins": _table("A game with muggins: count your own hands", _MUGGINS),
        "two": _table("A game to 121, two players at this keyboard", _TWO),
    },
    default="trainer",
    first=FirstVisitQuestion(
        "Which table? F4 changes it later",
        {
            "expert": "To 121, expert (recommended): hidden cards",
            "greedy": "To 121, greedy player: easier to beat, hidden cards",
            "trainer": "Training, random opponent: one round, all cards open",
            "trainer-expert": "Training, expert opponent: one round, all cards open",
        },
    ),
    describe=_describe,
)
