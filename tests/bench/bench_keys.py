"""Measure the processor time and the bytes written for each kind of key.

    python tests/bench/bench_keys.py [--short] [--before FOLDER] [--size 100x30] [--colours 256]

Print Markdown tables. Every game is played on a pseudo-terminal with ``--seed 5``. Each key is
pressed after the effect of the previous key is complete, including motion. The program's idle cost
in this time is subtracted. The log must show that each key did what it should.

A plain Textual app takes turns with it in the same run. With ``--before``, another checkout,
such as an earlier version, plays the same game. Results are medians, with quartiles for this
program. All modules are compiled before the first start that counts.
"""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser, ArgumentTypeError
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from statistics import fmean, geometric_mean, median, quantiles
from types import MappingProxyType
from typing import NamedTuple

from tests.bench import plain_app
from tests.bench.measure import heading, options
from tests.bench.pty_program import COLOURS, ROOT, Program, Window, Written, running, surroundings
from tests.bench.rounds import QUIET, ROUNDS, Seated, Stroke
from tui_casino.gamekit.registry import GAMES

OURS, BEFORE, PLAIN = "ours", "before", "plain app"
ARGUMENTS: Mapping[str, Sequence[str]] = MappingProxyType({"five-card-draw": ("--stakes", "limit")})
"""The options for the table of a game whose usual table has less work to do."""
BESIDE = "video-poker"
"""The game whose measurements alternate with those of the plain app."""


class Kind(NamedTuple):
    """The matching kind of key in the plain app, if any, and the targets in ms and bytes."""

    beside: str
    work: float | None = None
    size: float | None = None


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "menu: start": Kind("start", size=8_000),
        "menu: loaded meanwhile": Kind(""),
        f"{BESIDE}: start": Kind("start"),
        **{f"{game.slug}: open": Kind("open", work=80) for game in GAMES},
        "any table: leave": Kind("leave"),
        "video-poker: hold": Kind("hold", work=3, size=450),
        "video-poker: bet": Kind("hold"),
        "video-poker: deal": Kind("draw", work=15, size=3_000),
        "video-poker: draw": Kind("draw", work=11),
        "baccarat: chip": Kind("hold", work=4),
        "baccarat: coup": Kind("draw", work=20, size=4_000),
        "five-card-draw: deal": Kind("draw"),
        "five-card-draw: bet": Kind("draw"),
        "five-card-draw: mark": Kind("hold"),
        "five-card-draw: draw": Kind("draw"),
        "thirty-one: chip": Kind("hold"),
        "thirty-one: deal": Kind("draw"),
        "thirty-one: hit": Kind("draw"),
        "thirty-one: stand": Kind("draw"),
        "cribbage: mark": Kind("hold"),
        "cribbage: discard": Kind("draw"),
        "cribbage: lay": Kind("draw"),
        "cribbage: go": Kind("draw"),
        "cribbage: count": Kind("draw"),
        "idle, a second": Kind("idle, a second", size=0),
    }
)
"""The kinds of keys in the report, in order."""
MEAN = "hold, deal, draw, chip, coup"
MEAN_OF = (
    *("video-poker: hold", "video-poker: deal", "video-poker: draw"),
    *("baccarat: chip", "baccarat: coup"),
)
"""The kinds whose mean ratio is printed, and their common name."""
MEAN_KEY = 7.0
"""The target for the mean of all keys at a table, in milliseconds."""


class Sizes(NamedTuple):
    """The amount of work: rounds, keys per round, visits to all tables, idle seconds.

    ``look`` is the number of seconds in the menu while it loads the games. ``warm`` is the
    number of rounds and visits that are played before the measurement.
    """

    rounds: int
    keys: int
    visits: int
    idle: float
    look: float
    warm: int


FULL = Sizes(rounds=8, keys=100, visits=7, idle=3.0, look=3.0, warm=1)
SHORT = Sizes(rounds=1, keys=9, visits=1, idle=0.3, look=0.3, warm=0)


class Cost(NamedTuple):
    """Milliseconds of processor time, and bytes."""

    work: float
    size: float


Costs = defaultdict[str, defaultdict[str, list[Cost]]]
"""The measurements by kind, then by program."""


class Contest(NamedTuple):
    """The checkouts to compare, by name, with the window and the amount of work."""

    checkouts: Mapping[str, Path]
    window: Window
    sizes: Sizes


def main(contest: Contest) -> None:
    """Print the tables. Raises ``AssertionError`` if a key has another effect than expected."""
    costs: Costs = defaultdict(lambda: defaultdict(list))
    print(f"{heading('textual').strip()}; {contest.window}, compiled\n")
    visits(contest, costs)
    for slug in ROUNDS:
        at_table(contest, slug, costs)
    report(costs, contest)


# ---- what is measured ----------------------------------------------------------------------------


@contextmanager
def opened(contest: Contest, name: str, *arguments: str) -> Iterator[tuple[Program, Path]]:
    """Start a program with folders of its own; return it and the folder of its logs."""
    ours = (sys.executable, "-m", "tui_casino", *arguments, "--seed", "5")
    with tempfile.TemporaryDirectory() as home:
        logs = Path(home) / "logs"
        environ = surroundings(Path(home), contest.window, contest.checkouts.get(name, ROOT))
        environ["TUI_CASINO_LOG_DIR"] = str(logs)
        command = plain_app.COMMAND if name == PLAIN else ours
        with running(command, environ, contest.window) as program:
            yield program, logs


def visits(contest: Contest, costs: Costs) -> None:
    """Start each program, and open and leave one table after the other."""
    for turn in range(-contest.sizes.warm, contest.sizes.visits):
        for name in (*contest.checkouts, PLAIN):
            for kind, written in (*visit(contest, name), *start_at_table(contest, name)):
                if turn >= 0:
                    costs[kind][name].append(Cost(1000 * written.work, len(written.text)))


def visit(contest: Contest, name: str) -> Iterator[tuple[str, Written]]:
    """Visit the tables of a program."""
    with opened(contest, name) as (program, _):
        if name == PLAIN:
            yield "start", program.shown(plain_app.HALL, QUIET)
            yield "open", program.press("\r", QUIET)
            return
        yield "menu: start", program.shown("TUI CASINO", QUIET)
        yield "menu: loaded meanwhile", program.idle(contest.sizes.look)
        for number, game in enumerate(GAMES, 1):
            yield f"{game.slug}: open", program.press(str(number), QUIET)
            yield "any table: leave", program.press("\x1b", QUIET)


def start_at_table(contest: Contest, name: str) -> Iterator[tuple[str, Written]]:
    """Start a program directly at a table, if it supports that."""
    if name != PLAIN:
        with opened(contest, name, BESIDE) as (program, _):
            yield f"{BESIDE}: start", program.shown("F1", QUIET)


class Player(NamedTuple):
    """A program at a table: its rounds, how keys are pressed, and its cost per idle second."""

    round: Callable[[], Iterator[Stroke]]
    press: Callable[[Stroke], Written]
    rest: Cost

    def cost(self, stroke: Stroke) -> Cost:
        """Press a key and return its cost beyond the idle cost of the same time."""
        written = self.press(stroke)
        work = 1000 * written.work - self.rest.work * written.took
        return Cost(max(0.0, work), len(written.text))


def at_table(contest: Contest, slug: str, costs: Costs) -> None:
    """Play rounds of a game with each program in turn, key by key."""
    sizes = contest.sizes
    with ExitStack() as stack:
        players = {
            name: stack.enter_context(player(contest, slug, name)) for name in contest.checkouts
        }
        if slug == BESIDE:
            players[PLAIN] = stack.enter_context(plain_player(contest))
            for name, each in players.items():
                costs["idle, a second"][name].append(each.rest)
        for turn in range(-sizes.warm, sizes.rounds):
            rounds = {name: islice(each.round(), sizes.keys) for name, each in players.items()}
            while rounds:
                for name, strokes in tuple(rounds.items()):
                    if (stroke := next(strokes, None)) is None:
                        del rounds[name]
                        continue
                    cost = players[name].cost(stroke)
                    if turn >= 0:
                        kind = stroke.kind if name == PLAIN else f"{slug}: {stroke.kind}"
                        costs[kind][name].append(cost)


@contextmanager
def player(contest: Contest, slug: str, name: str) -> Iterator[Player]:
    """Open a table of a game with the program of a checkout."""
    with opened(contest, name, slug, *ARGUMENTS.get(slug, ())) as (program, logs):
        program.shown("F1", QUIET)
        table = Seated(program, logs)
        yield Player(lambda: ROUNDS[slug](table), table.press, at_rest(program, contest))


@contextmanager
def plain_player(contest: Contest) -> Iterator[Player]:
    """Open the table of the plain app."""
    with opened(contest, PLAIN) as (program, _):
        program.shown(plain_app.HALL, QUIET)
        program.press("\r", QUIET)
        strokes = [*(Stroke("hold", key) for key in "1112"), Stroke("draw", " ")]
        rest = at_rest(program, contest)
        yield Player(lambda: iter(strokes), lambda s: program.press(s.key, s.quiet), rest)


def at_rest(program: Program, contest: Contest) -> Cost:
    """Return the cost of a program during an idle second."""
    idle = program.idle(contest.sizes.idle)
    return Cost(1000 * idle.work / idle.took, len(idle.text) / idle.took)


# ---- what is told --------------------------------------------------------------------------------


def report(costs: Costs, contest: Contest) -> None:
    """Print processor time and bytes of every kind of key, and the means."""
    others = (*list(contest.checkouts)[1:], PLAIN)
    works = Figures(costs, lambda cost: cost.work)
    sizes = Figures(costs, lambda cost: cost.size)
    works.print("processor time, ms", others, {name: kind.work for name, kind in KINDS.items()}, 1)
    sizes.print("bytes", others, {name: kind.size for name, kind in KINDS.items()}, 0)
    mean = fmean(works.mean_key(slug) for slug in ROUNDS)
    print(
        f"A key at a table takes {mean:.1f} ms of processor time, averaged over all games; ", end=""
    )
    print(f"target: {MEAN_KEY:g}, met: {yes_or_no(mean, MEAN_KEY)}.")


class Figures:
    """One measured figure for each kind of key and each program."""

    def __init__(self, costs: Costs, figure: Callable[[Cost], float]) -> None:
        self._found = {
            kind: {name: [*map(figure, found)] for name, found in programs.items()}
            for kind, programs in costs.items()
        }

    def middle(self, kind: str, name: str) -> float | None:
        """Return the median of a program's figures for a kind or its match in the plain app."""
        kind = KINDS[kind].beside if name == PLAIN else kind
        found = self._found.get(kind, {}).get(name)
        return median(found) if found else None

    def ratio(self, kind: str, name: str) -> float | None:
        """Return the ratio of this program's figure to another one."""
        ours, other = self.middle(kind, OURS), self.middle(kind, name)
        return ours / other if ours is not None and other else None

    def mean_ratio(self, name: str) -> float:
        """Return the geometric mean of the ratios of the kinds in the target."""
        return geometric_mean(ratio for kind in MEAN_OF if (ratio := self.ratio(kind, name)))

    def mean_key(self, slug: str) -> float:
        """Return the mean of all keys at a game's table."""
        found = [self._found[kind].get(OURS, []) for kind in played_at(slug) if kind in self._found]
        return fmean(figure for figures in found for figure in figures)

    def print(
        self, what: str, others: Sequence[str], goals: Mapping[str, float | None], digits: int
    ) -> None:
        """Print a row for each kind that was measured."""
        beside = "".join(f" {name} | ratio |" for name in others)
        print(f"| {what} | keys | ours | quartiles |{beside} target | met |")
        print("|---|---:|---:|---:|" + "---:|---:|" * len(others) + "---:|---|")
        for kind, goal in goals.items():
            ours = self.middle(kind, OURS)
            if ours is None:
                continue
            found = self._found[kind][OURS]
            low, _, high = quantiles(found, n=4, method="inclusive") if found[1:] else 3 * found
            cells = [kind, str(len(found)), f"{ours:,.{digits}f}"]
            cells.append(f"{low:,.{digits}f} to {high:,.{digits}f}")
            for name in others:
                other, ratio = self.middle(kind, name), self.ratio(kind, name)
                cells.append("" if other is None else f"{other:,.{digits}f}")
                cells.append("" if ratio is None else f"{ratio:.2f}")
            cells += ["", ""] if goal is None else [f"{goal:,g}", yes_or_no(ours, goal)]
            print(f"| {' | '.join(cells)} |")
        means = "".join(f" | {self.mean_ratio(name):.2f} |" for name in others)
        print(f"| geometric mean of {MEAN} | | | |{means} | |\n")


def played_at(slug: str) -> list[str]:
    """Return the kinds of keys that are played at a game's table."""
    opens = f"{slug}: open", f"{slug}: start"
    return [kind for kind in KINDS if kind.startswith(f"{slug}: ") and kind not in opens]


def yes_or_no(figure: float, goal: float) -> str:
    """Return ``yes`` if a figure meets its target."""
    return "yes" if figure <= goal else "**no**"


# ---- the command line ----------------------------------------------------------------------------


def contest_of(parser: ArgumentParser) -> Contest:
    """Read the command line; exit with a message if a value is invalid."""
    parser.add_argument(
        "--before", metavar="FOLDER", type=_checkout, help="a checkout that plays the same"
    )
    parser.add_argument(
        "--size", metavar="100x30", type=_size, default=Window(100, 30), help="of the window"
    )
    parser.add_argument("--colours", choices=COLOURS, default="truecolor", help="of the terminal")
    asked = parser.parse_args()
    checkouts = {OURS: ROOT} | ({BEFORE: asked.before} if asked.before else {})
    return Contest(
        checkouts, asked.size._replace(colours=asked.colours), SHORT if asked.short else FULL
    )


def _checkout(text: str) -> Path:
    folder = Path(text).resolve()
    if not (folder / "tui_casino" / "__main__.py").is_file():
        raise ArgumentTypeError(f"{text}: not a checkout, because it has no tui_casino/__main__.py")
    return folder


def _size(text: str) -> Window:
    columns, x, rows = text.partition("x")
    if not (x and columns.isdigit() and rows.isdigit()):
        raise ArgumentTypeError(f"{text!r}: expected columns and rows, such as 100x30")
    return Window(int(columns), int(rows))


if __name__ == "__main__":
    main(contest_of(options(__doc__)))
