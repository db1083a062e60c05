"""The tables of five-card draw: stakes, number of opponents, and how the opponents play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....gamekit.table_catalog import (
    FirstVisitQuestion,
    NamedTable,
    TableCatalog,
    TableSetup,
    fixed_table,
)
from ....inputs.numbers import count_noun
from ....records.log_header import HUMAN, OTHER
from ....structs import replace
from ..brains.levels import (
    ALGORITHM,
    ANY,
    BLUEPRINT_LEVELS,
    EXPLOITER,
    MIXED,
    SOLVED,
    levels_at,
    seats_of,
)
from ..brains.players import NAMES
from ..machine.rules import MOST_OPPONENTS
from ..machine.state import Options, Stakes

USUAL = Stakes.ANTE
_STAKES = {
    Stakes.ANTE: "An ante of 5",
    Stakes.LIMIT: "Fixed limit 10 and 20",
}
_LEVELS = {
    MIXED: "Mixed: a different level for each opponent",
    "algorithm": "Algorithm: draws by fixed rules, bets often",
    "tight": "Tight: bets only with good hands",
    "exact": "Exact: tight, and draws for the best odds",
    "novice": "Novice: often misjudges its hand",
    "casual": "Casual: sometimes misjudges its hand",
    "regular": "Regular: judges its hand well",
    "strong": "Strong: plays nearly perfectly",
    "blueprint": "Blueprint: near-perfect against one player",
    EXPLOITER: "Exploiter: adapts to how you play",
    SOLVED: "GTO: plays the near-perfect solution",
}


_STYLES = {
    "": "Balanced",
    "tight": "Tight: folds more",
    "loose": "Loose: folds less",
    "aggressive": "Aggressive: bets and raises more",
    "passive": "Passive: bets and raises less",
    MIXED: "Mixed: a different style for each opponent",
    ANY: "Hidden: a random style that is not shown",
}


def _sitting(options: Options, level: str, style: str = "") -> TableSetup[Options]:
    players = seats_of(options.opponents, level, style, hidden=style == ANY)
    return TableSetup(options, players=players)


def _level(options: Options, level: str) -> NamedTable[Options]:
    """Return the table of a level, with a choice of styles if the level has styles."""
    title = _LEVELS.get(level, level)
    balanced = fixed_table(title, partial(_sitting, options, level))
    if level not in BLUEPRINT_LEVELS:
        return balanced
    styles = {
        style or BALANCED: fixed_table(words, partial(_sitting, options, level, style))
        for style, words in _STYLES.items()
    }
    variants = TableCatalog(Options, styles, default=BALANCED, title="Their style", round="hand")
    return replace(balanced, variants=variants)


BALANCED = "balanced"


_SHORT = {Stakes.ANTE: "ante 5", Stakes.LIMIT: "limit 10/20", Stakes.NOTHING: "free play"}


def _table(stakes: Stakes, opponents: int) -> NamedTable[Options]:
    title = f"{_STAKES[stakes]}, {opponents} opponent{'s' if opponents > 1 else ''}"
    options = Options(opponents=opponents, stakes=stakes)
    levels = {level: _level(options, level) for level in (MIXED, *levels_at(options))}
    variants = TableCatalog(Options, levels, default=MIXED, title="How they play", round="hand")
    return replace(levels[MIXED], title=title, variants=variants)


COURSE = "course"
_HOW_MANY = {str(count): count_noun(count, "opponent") for count in range(1, MOST_OPPONENTS + 1)}


def at_course(opponents: int) -> TableSetup[Options]:
    """Set up the classic table, where every opponent plays by the course's algorithm."""
    options = Options(opponents=opponents, stakes=Stakes.NOTHING)
    return TableSetup(options, players=seats_of(opponents, ALGORITHM), practice=True)


def _course() -> NamedTable[Options]:
    counts = {
        name: fixed_table(title, partial(at_course, int(name))) for name, title in _HOW_MANY.items()
    }
    usual = str(MOST_OPPONENTS)
    variants = TableCatalog(
        Options, counts, default=usual, title="How many opponents?", round="hand"
    )

    def sit() -> TableSetup[Options]:
        return replace(at_course(MOST_OPPONENTS), variants_of=COURSE)

    return replace(fixed_table("Classic table, free play", sit), variants=variants)


def _describe(options: Options, players: Sequence[str]) -> str:
    if OTHER in players:
        return f"{stakes_text(options.stakes)}, with others"
    names = [NAMES[seat] for seat, name in enumerate(players) if name != HUMAN]
    return f"{stakes_text(options.stakes)}, {' '.join(names)}"


def stakes_text(stakes: Stakes) -> str:
    """Return the stakes of a table in short: ``limit 10/20``."""
    return _SHORT[stakes]


TABLES = TableCatalog(
    Options,
    {
        f"{stakes.value}-{opponents}": _table(stakes, opponents)
        for stakes in _STAKES
        for opponents in range(1, MOST_OPPONENTS + 1)
    }
    | {COURSE: _course()},
    default=f"{USUAL.value}-{MOST_OPPONENTS}",
    round="hand",
    first=FirstVisitQuestion(
        "Which table? F4 changes it later",
        {
            "limit-3": "Fixed limit, three opponents (recommended): the full game",
            "limit-1": "Fixed limit, one opponent: the GTO solution helps most",
            "ante-3": "Ante only, three opponents: no bets, the best hand wins",
            "ante-1": "Ante only, one opponent: a quick start",
        },
    ),
    describe=_describe,
)
