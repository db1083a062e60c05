"""What is kept: bounded wherever a player can make the key, and worked out by one thread alone."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Barrier, Event
from typing import TypeVar

import pytest

from tests.golden.write import golden
from tui_casino.cards import hand_indexing
from tui_casino.cards import memo as module
from tui_casino.cards.memo import memoize
from tui_casino.gamekit.registry import listing_of
from tui_casino.games.cribbage.brains import bulk_points, show_points
from tui_casino.games.cribbage.machine.rules import ACC
from tui_casino.games.cribbage.machine.scoring import Fifteens, Pairs
from tui_casino.games.five_card_draw.brains import odds as draw_odds
from tui_casino.games.thirty_one.brains import odds as odds_of_31
from tui_casino.games.thirty_one.brains import round_variance
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.machine.paytables import DEFAULT, load
from tui_casino.games.video_poker.machine.rules import PayTable, Row
from tui_casino.records.replay import step_action
from tui_casino.records.session_log import StepLine, read_log
from tui_casino.structs import replace

THREADS = 4
PATIENCE = 30  # seconds, for what takes no time unless threads wait for each other for ever

R = TypeVar("R")


def at_once(job: Callable[[], R]) -> list[R]:
    """Let threads begin a job together; give what each got of it."""
    ready = Barrier(THREADS)

    def ask() -> R:
        ready.wait(PATIENCE)
        return job()

    with ThreadPoolExecutor(THREADS) as pool:
        asked = [pool.submit(ask) for _ in range(THREADS)]
        return [each.result(PATIENCE) for each in asked]


# ---- once ------------------------------------------------------------------------------------


def test_memoized_value_is_computed_once_for_simultaneous_threads() -> None:
    worked: list[int] = []

    @memoize(maxsize=3)
    def square(side: int) -> int | None:
        worked.append(side)
        time.sleep(0.1)  # the others come meanwhile
        return side**2 or None

    assert at_once(lambda: square(5)) == [25] * THREADS
    assert at_once(lambda: square(0)) == [None] * THREADS
    assert worked == [5, 0]


def test_memoized_call_does_not_wait_for_a_call_with_different_arguments() -> None:
    asked, answered = Event(), Event()

    @memoize(maxsize=2)
    def work(waits: bool) -> bool:
        if waits:
            asked.set()
            assert answered.wait(PATIENCE)
        return waits

    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(work, True)
        assert asked.wait(PATIENCE)
        assert work(False) is False
        answered.set()
        assert slow.result(PATIENCE) is True


def test_full_memo_drops_its_least_recently_used_value() -> None:
    worked: list[tuple[int, int]] = []

    @memoize(maxsize=2)
    def add(one: int, *, other: int = 0) -> int:
        worked.append((one, other))
        return one + other

    for one, other in ((1, 0), (2, 0), (1, 0), (3, 0), (1, 0), (2, 0), (2, 5)):
        assert add(one, other=other) == one + other
    assert worked == [(1, 0), (2, 0), (3, 0), (2, 0), (2, 5)]
    add.cache_clear()
    assert add(2, other=5) == 7
    assert worked[5:] == [(2, 5)]


def test_memoized_function_that_raised_is_called_again_at_the_next_call() -> None:
    tries = count(1)

    @memoize()
    def third_time() -> int:
        number = next(tries)
        time.sleep(0.02)
        if number < 3:
            raise ValueError("not yet")
        return number

    def ask() -> int | None:
        try:
            return third_time()
        except ValueError:
            return None

    assert sorted(at_once(ask), key=str) == [3, 3, None, None]
    assert third_time() == 3


# ---- what games work out ---------------------------------------------------------------------

TABLE = replace(load(DEFAULT), title="nobody has asked for this one yet")
HOUSE = Rules(insurance=Odds(97, 89))
SHOW = replace(ACC, name="no others", show=(Pairs(), Fifteens()))

HEAVY: dict[str, tuple[Callable[[], object], Callable[[], None] | None]] = {
    "classes of cards": (hand_indexing.subset_classes, hand_indexing.subset_classes.cache_clear),
    "hands": (hand_indexing.hand_classes, hand_indexing.hand_classes.cache_clear),
    "odds of a pay table": (lambda: odds_of(TABLE, 3), None),
    "edge of a set of rules": (lambda: odds_of_31.house_edge(HOUSE), None),
    "game of a set of rules": (lambda: odds_of_31.game_ev(HOUSE, double=False), None),
    "rounds of a set of rules": (lambda: round_variance.mean_and_variance(HOUSE), None),
    "draws": (
        draw_odds.strengths_after_the_algorithm,
        draw_odds.strengths_after_the_algorithm.cache_clear,
    ),
    "points of the show": (
        lambda: bulk_points.points_table(SHOW, show_points.RANK_CLASSES, False),
        None,
    ),
}


@pytest.mark.parametrize("name", HEAVY)
def test_simultaneous_calls_of_a_costly_function_return_one_shared_object(name: str) -> None:
    """All get the very same object: who had worked by himself would have one of his own."""
    ask, forget = HEAVY[name]
    if forget is not None:
        forget()
    first, *others = at_once(ask)
    assert all(each is first for each in others)


def test_odds_of_the_oldest_of_nine_pay_tables_are_dropped_from_memory() -> None:
    """However many pay tables players bring, the odds of a few stay in memory."""
    rows = (Row("FLUSH", (1, 2, 3, 4, 5)),)
    kept = [odds_of(PayTable("own", f"table {number}", rows), 1) for number in range(9)]
    assert odds_of(PayTable("own", "table 8", rows), 1) is kept[8]
    assert odds_of(PayTable("own", "table 0", rows), 1) is not kept[0]


def test_decoded_log_action_is_cached_if_short_and_not_if_long() -> None:
    listing = listing_of("video-poker")
    log, game = read_log(golden(listing).log), listing.definition().game
    for positions, kept in (([1, 2], True), ([1] * 1000, False)):
        line = StepLine(1, 0, {"is": "Hold", "positions": positions}, (), 0, "")
        one, other = step_action(game, log, line), step_action(game, log, line)
        assert one == other
        assert (one is other) is kept


# ---- no cache without bounds -----------------------------------------------------------------

ROOT = Path(module.__file__).parents[1]
EXCEPTIONS: dict[str, str] = {}
"""Caches that are keyed by something, and have no bounds; and why nobody can fill them."""

_EMPTY_CALLS = {"dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "deque"}


def unbounded(source: str) -> Iterator[str]:
    """Find functions whose cache has no bounds, and containers of a module that begin empty."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    names = {"functools.cache": "cache", "functools.lru_cache": "lru_cache"}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "functools":
            names |= {each.asname or each.name: each.name for each in node.names}
        elif isinstance(node, ast.Import):
            aliases = [each.asname for each in node.names if each.name == "functools"]
            names |= {f"{each}.{name}": name for each in aliases for name in ("cache", "lru_cache")}
    decorators: list[ast.expr] = []
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators += node.decorator_list
            if _takes_any(node.args) and any(_keeps_all(d, names) for d in node.decorator_list):
                yield node.name
    for node in nodes:  # those that are called, not written above a function
        if isinstance(node, ast.Call) and node not in decorators:
            for made in (node, node.func):
                if _keeps_all(made, names) and (made is node or not isinstance(made, ast.Call)):
                    yield ast.unparse(made)
    yield from _empty(nodes)


def _keeps_all(node: ast.AST, names: dict[str, str]) -> bool:
    """Tell whether this is ``cache``, or ``lru_cache`` that is told to have no bounds."""
    if isinstance(node, ast.Name | ast.Attribute):
        return names.get(ast.unparse(node)) == "cache"
    if not isinstance(node, ast.Call) or names.get(ast.unparse(node.func)) != "lru_cache":
        return False
    most = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "maxsize")]
    return any(isinstance(each, ast.Constant) and each.value is None for each in most)


def _takes_any(args: ast.arguments) -> bool:
    return bool(args.posonlyargs or args.args or args.vararg or args.kwonlyargs or args.kwarg)


def _empty(nodes: list[ast.AST]) -> Iterator[str]:
    bodies = [node.body for node in nodes if isinstance(node, ast.Module | ast.ClassDef)]
    for statement in (statement for body in bodies for statement in body):
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            continue
        value = statement.value
        bare = isinstance(value, ast.Dict) and not value.keys
        bare |= isinstance(value, ast.List) and not value.elts
        if isinstance(value, ast.Call) and not value.keywords:
            name = ast.unparse(value.func).rpartition(".")[2].partition("[")[0]
            factory_alone = name == "defaultdict" and len(value.args) == 1
            bare |= (name in _EMPTY_CALLS and (not value.args or factory_alone)) or "Weak" in name
        if bare:
            yield ast.unparse(statement)


def test_every_cache_in_the_package_is_bounded_or_a_listed_exception() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in ROOT.rglob("*.py")
        for name in unbounded(path.read_text())
    }
    assert found == EXCEPTIONS.keys()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from functools import cache\n@cache\ndef f(x): ...", ["f"]),
        ("from functools import cache\n@cache\ndef f(*, x=1): ...", ["f"]),
        ("from functools import cache\n@cache\ndef f(*x): ...", ["f"]),
        ("from functools import cache\n@cache\ndef f(**x): ...", ["f"]),
        ("from functools import cache as keep\nclass C:\n  @keep\n  def f(self): ...", ["f"]),
        ("import functools\n@functools.cache\nasync def f(x): ...", ["f"]),
        ("import functools as ft\n@ft.lru_cache(None)\ndef f(x): ...", ["f"]),
        ("from functools import lru_cache\n@lru_cache(maxsize=None)\ndef f(x): ...", ["f"]),
        ("from functools import cache\ng = cache(print)", ["cache"]),
        ("from functools import lru_cache\ng = lru_cache(None)(print)", ["lru_cache(None)"]),
        ("kept = {}", ["kept = {}"]),
        ("class C:\n  kept: dict[str, int] = dict()", ["kept: dict[str, int] = dict()"]),
        ("kept = defaultdict(list)", ["kept = defaultdict(list)"]),
        ("kept = OrderedDict[str, int]()", ["kept = OrderedDict[str, int]()"]),
        ("kept = weakref.WeakKeyDictionary()", ["kept = weakref.WeakKeyDictionary()"]),
        ("from functools import cache\n@cache\ndef f(): ...", []),
        ("from functools import lru_cache\n@lru_cache(maxsize=8)\ndef f(x): ...", []),
        ("from functools import lru_cache\n@lru_cache\ndef f(x): ...", []),
        ("from other import cache\n@cache\ndef f(x): ...", []),
        ("names = {1: 2}\ndef f():\n  kept = {}", []),
        ("table = dict(one=1)\ncounts = Counter('aab')", []),
    ],
    ids=[
        "cache",
        "cache with a keyword argument",
        "cache with any arguments",
        "cache with any keywords",
        "cache of a method, renamed",
        "cache of a coroutine",
        "lru_cache without a limit",
        "lru_cache without a limit, by keyword",
        "cache called with a function",
        "lru_cache called with a function",
        "dict of a module",
        "dict of a class",
        "defaultdict",
        "OrderedDict",
        "WeakKeyDictionary",
        "allowed: cache without arguments",
        "allowed: lru_cache with a limit",
        "allowed: lru_cache with its usual limit",
        "allowed: cache of another module",
        "allowed: dict of a function",
        "allowed: dict with contents",
    ],
)
def test_scan_for_unbounded_caches_finds_each_form_and_allows_bounded_ones(
    source: str, found: list[str]
) -> None:
    assert list(unbounded(source)) == found
