"""The tables of cribbage, and how to sit down at them: the trainer, and games to 121."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import TypeAlias

from ....engine.chance import JavaSource, Source
from ....engine.croupier import JavaPicker, ShuffledShoe
from ....engine.game import Seat
from ....gamekit.seating import Hearer, Say, Seating
from ....gamekit.tables import NamedTable, Tables, fixed
from ....house.dialogue import Dialogue
from ....inputs.errors import BadInput
from ....records.header import HUMAN as LOGGED_HUMAN
from ..machine.moves import Action, Event
from ..machine.rules import ACC
from ..machine.state import TRAINING, Counting, Form, Options, State
from .log import LogFile, head_lines, human_seats, log_lines
from .properties import HUMAN, LEAST_SEED, MOST_SEED, PLAYER_NAMES, class_of
from .tally import Tally

CribbageDialogue: TypeAlias = Dialogue[Options, State, Action, Event, Tally]


def against(opponent: str) -> tuple[str, str]:
    """Seat a computer player and the human, by their classes."""
    return class_of(opponent), HUMAN


USUAL_PLAYERS = against("random")
SERIES = 5
"""Games of the series that is listed; another number is chosen on the command line."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played and by whom: by seat, by the names of :data:`PLAYER_NAMES`.

    ``log`` is where the log is written, if not where :func:`~.log.trainer_log` does, ``java`` a
    seed for Java's generator. In the trainer without a seed some seed is drawn.
    """

    options: Options
    players: tuple[str, str] = USUAL_PLAYERS
    java: int | None = None
    log: PathLike[str] | None = None
    animate: bool = True


def seating_of(setup: Setup, console: bool = False) -> Seating[Options]:
    """Sit down for this; on the console two computer players print the log."""
    players = {Seat(seat): PLAYER_NAMES[name] for seat, name in enumerate(setup.players)}
    java = setup.options.form is Form.ROUND or setup.java is not None
    lines: list[str] = []
    watched = console and None not in players.values()
    return Seating(
        setup.options,
        JavaPicker() if java else ShuffledShoe(),
        players,
        practice=True,
        chosen=True,
        talk=partial(_watch, lines) if watched else None,
        source=partial(java_source, setup.java) if java else None,
        hearer=partial(_log, setup, lines) if setup.log or watched else None,
        animate=setup.animate,
    )


def java_source(chosen: int | None, given: int | None) -> Source:
    """Give Java's generator for the seed that was chosen or given, or else for a random one."""
    seed = given if chosen is None else chosen
    if seed is None:
        return JavaSource(LEAST_SEED + secrets.randbelow(MOST_SEED - LEAST_SEED + 1))
    if not LEAST_SEED <= seed <= MOST_SEED:
        raise BadInput(f"--seed: the trainer's are {LEAST_SEED} to {MOST_SEED}, not {seed}")
    return JavaSource(seed)


def redealt(seed: int | None, seating: Seating[Options]) -> Seating[Options]:
    """Sit down so again, to the cards of a seed, or else to new ones; never to those of before."""
    if seating.source is None:
        return seating
    return replace(seating, source=lambda chosen: java_source(None, seed))


def _log(setup: Setup, lines: list[str], source: Source) -> Hearer:
    """Begin the log in its file, if it has one, and collect its lines, anew each time."""
    lines[:] = head_lines(source.origin, setup.players)
    humans = human_seats(setup.players)
    file = LogFile(setup.log, lines, humans) if setup.log else None
    if file is not None and not humans:
        file.begin()

    def hear(event: Event) -> None:
        lines.extend(log_lines(event))
        if file is not None:
            file(event)

    return hear


def _watch(
    log: list[str], dialogue: CribbageDialogue, lines: Iterator[str], say: Say, warn: Say
) -> None:
    """Let two computer players play to the end, and print the log."""
    dialogue.listen()
    for line in log:
        say(line)


def trainer(players: tuple[str, str] = USUAL_PLAYERS) -> Setup:
    """Give the trainer: one round, all cards face up."""
    return Setup(TRAINING, players)


def _table(title: str, setup: Setup) -> NamedTable[Options]:
    return fixed(title, partial(seating_of, setup))


def _described(options: Options, players: Sequence[str]) -> str:
    rules = options.rule_set
    if options.form is Form.ROUND:
        what = f"{options.games} rounds" if options.games > 1 else "one round"
    else:
        games = f", {options.games} games" if options.games > 1 else ""
        what = f"to {rules.target}{games}"
    counting = "" if options.counting is Counting.TABLE else f", {options.counting.value}"
    others = [name for name in players if name != LOGGED_HUMAN]
    return f"{what}{counting}, {' and '.join(others) or 'two players'}"


_COUNTING = Setup(replace(TRAINING, counting=Counting.SELF))
_GREEDY = Setup(Options(), against("greedy"))
_EXPERT = Setup(Options(), against("expert"))
_MASTER = Setup(Options(), against("master"))
_ACC = Setup(replace(TRAINING, rules=ACC.name), against("expert"))
_SERIES = Setup(Options(games=SERIES), against("expert"))
_TWO = Setup(Options(), (HUMAN, HUMAN))
_MUGGINS = replace(_EXPERT, options=Options(counting=Counting.MUGGINS))
TABLES = Tables(
    Options,
    {
        "trainer": _table("The trainer, against random play", trainer()),
        "trainer-expert": _table("The trainer, against the expert", trainer(against("expert"))),
        "trainer-count": _table("The trainer, count yourself", _COUNTING),
        "trainer-acc": _table("The trainer by the ACC's rules, against the expert", _ACC),
        "greedy": _table("A game to 121, against the greedy player", _GREEDY),
        "expert": _table("A game to 121, against the expert", _EXPERT),
        "master": _table("A game to 121, against the master", _MASTER),
        "series": _table(f"A series of {SERIES} games to 121, against the expert", _SERIES),
        "muggins": _table("A game with muggins: count yourself", _MUGGINS),
        "two": _table("A game to 121, two players at this keyboard", _TWO),
    },
    usual="trainer",
    describe=_described,
)
