"""Rounds of every game, played key by key at a table on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.bench.pty_program import PATIENCE, Program, Written
from tui_casino.engine.game import Seat, SittingOver
from tui_casino.engine.offers import Offer
from tui_casino.gamekit.registry import listing_of
from tui_casino.records.log_header import HUMAN
from tui_casino.records.replay import log_options, replay_log
from tui_casino.records.session_log import read_log
from tui_casino.tui.table.live import READING_SECONDS

QUIET = 0.15
"""Seconds without output or work after which a key's effect is complete; a deal pauses less."""
READ = READING_SECONDS + 0.05
"""The same after a deal; a choice is refused until its question could be read."""
SHOWN = 0.6
"""The same in five-card draw; the pause between two hands of a showdown is shorter."""
COUNTED = 1.0
"""The same while a hand is counted in cribbage; the pause between two combinations is shorter."""


class Stroke(NamedTuple):
    """A key, its kind, and the name of the action that it causes, if any."""

    kind: str
    key: str
    does: str | None = None
    quiet: float = QUIET


class Moment(NamedTuple):
    """The possible actions at a table, the human's actions so far, and whether it is over."""

    offers: Mapping[str, Offer[Any]]
    done: tuple[str, ...]
    over: bool


class Seated:
    """A program at a table; the newest log of its folder shows the effect of the keys.

    Waits until the table waits for its player. Raises ``TimeoutError`` if it never does.
    """

    def __init__(self, program: Program, logs: Path) -> None:
        self.program, self.logs = program, logs
        late = monotonic() + PATIENCE
        while not self._waits():
            if monotonic() > late:
                raise TimeoutError(f"the table never waits for its player: {self.moment}")
            program.idle(QUIET)

    def may(self, action: str) -> bool:
        """Return whether an action is possible now."""
        return action in self.moment.offers

    def press(self, stroke: Stroke) -> Written:
        """Press a key. Raises ``AssertionError`` if it has another effect."""
        before = len(self.moment.done)
        written = self.program.press(stroke.key, stroke.quiet, self._waits)
        done = self.moment.done[before:]
        assert done[-1:] == ((stroke.does,) if stroke.does else ()), f"{stroke} did {done}"
        return written

    def _waits(self) -> bool:
        self.moment = self._look()
        return bool(self.moment.offers) or self.moment.over

    def _look(self) -> Moment:
        log = read_log(max(self.logs.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns))
        game = listing_of(log.header.game).definition().game
        seat = Seat(log.header.players.index(HUMAN))
        state, done = game.start(log_options(game, log)), []
        for played in replay_log(game, log):
            state = played.state
            if played.line.by == seat:
                done.append(type(played.action).__name__)
        open_ones = (offer for offer in game.offers(state, seat) if offer.barred is None)
        offers = {getattr(offer.kind, "__name__", ""): offer for offer in open_ones}
        return Moment(offers, tuple(done), isinstance(game.turn(state), SittingOver))


Round = Callable[[Seated], Iterator[Stroke]]
"""Yields the keys of a round, each after the effect of the previous one."""


def video_poker(table: Seated) -> Iterator[Stroke]:
    """Change the bet, deal, hold two cards, draw."""
    yield Stroke("bet", "4")
    yield Stroke("bet", "5")
    yield Stroke("deal", " ", "Draw")
    for key in "1112":
        yield Stroke("hold", key)
    yield Stroke("draw", " ", "Hold")


def baccarat(table: Seated) -> Iterator[Stroke]:
    """Put two chips on the player's hand, and deal a coup."""
    if not table.may("Bet"):
        yield Stroke("shoe", " ", "Play")
    yield Stroke("chip", "1", "Bet")
    yield Stroke("chip", "1", "Bet")
    yield Stroke("coup", " ", "Play")


def five_card_draw(table: Seated) -> Iterator[Stroke]:
    """Deal, stay in after each bet, draw one card."""
    yield Stroke("deal", " ", "Play", SHOWN)
    while not table.may("Play") and not table.moment.over:
        if table.may("Discard"):
            yield Stroke("mark", "1")
            yield Stroke("draw", " ", "Discard", SHOWN)
        elif table.may("Check"):
            yield Stroke("bet", "k", "Check", SHOWN)
        else:
            yield Stroke("bet", "c", "Call", SHOWN)


def thirty_one(table: Seated) -> Iterator[Stroke]:
    """Change the bet, deal, hit twice and stand, without insurance."""
    yield Stroke("chip", "2")
    yield Stroke("chip", "1")
    yield Stroke("deal", " ", "Bet", READ)
    if table.may("Decline"):
        yield Stroke("insurance", "n", "Decline")
    hit, stand = Stroke("hit", "h", "Hit"), Stroke("stand", "s", "Stand")
    for stroke in (hit, hit, stand):
        if table.may(str(stroke.does)):
            yield stroke


def cribbage(table: Seated) -> Iterator[Stroke]:
    """Discard two cards, play the first possible card each time, count, and begin again."""
    yield Stroke("mark", "1")
    yield Stroke("mark", "2")
    yield Stroke("discard", " ", "Discard", READ)
    while not table.moment.over:
        if table.may("Lay"):
            place = next(table.moment.offers["Lay"].domains[0].all())
            yield Stroke("lay", str(place), "Lay", READ)
        elif table.may("Go"):
            yield Stroke("go", "g", "Go", READ)
        else:
            yield Stroke("count", " ", "Next", COUNTED)
    yield Stroke("again", " ")


ROUNDS: Mapping[str, Round] = MappingProxyType(
    {
        "video-poker": video_poker,
        "baccarat": baccarat,
        "five-card-draw": five_card_draw,
        "thirty-one": thirty_one,
        "cribbage": cribbage,
    }
)
"""A round by the game's slug."""
