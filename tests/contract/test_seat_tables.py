"""A table that is played elsewhere, as each of its seats sees it: the same views, and no more."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.quick_cases import by_game
from tests.helpers.random_play import AnyTable, Wild, fair_table, human_choice, seed_of
from tui_casino.engine.chance import CommittedSource, DiceStream
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.event_bus import TableUpdate
from tui_casino.engine.game import AskSeats, Seat, is_asked
from tui_casino.engine.seat_table import SeatTable, SeenStep
from tui_casino.engine.seating import Join, Leave, SeatLeft, SitOut
from tui_casino.engine.table import Table
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.house.seat_dialogue import Dialogue
from tui_casino.inputs.files import BadFile
from tui_casino.records.codec import to_builtins
from tui_casino.records.log_header import HUMAN, OTHER, SEAT_FORMAT, Identity, LogHeader
from tui_casino.records.replay import ProofLevel, replay_log, verify_log
from tui_casino.records.session_log import LogWriter, read_log
from tui_casino.records.summaries import review_log

Step = SeenStep[Any, Any, Any]


class Feed:
    """The steps of a table here, as one of its seats sees them."""

    def __init__(self, table: AnyTable, seat: Seat) -> None:
        self.table, self.seat, self.steps = table, seat, deque[Step]()
        self.last: Any = None
        self.row = 0
        table.bus.subscribe(seat, self._hear)

    def _hear(self, update: TableUpdate[Any, Any]) -> None:
        own = self.last if update.actor == self.seat else None
        kind = type(self.last).__name__ if own else "Deal"
        self.row += 1
        self.steps.append(SeenStep(self.row, update.actor, kind, own, update.state, update.events))

    @property
    def has_next(self) -> bool:
        return bool(self.steps)

    def next(self) -> Step:
        return self.steps[0]

    def take(self) -> None:
        self.steps.popleft()

    def send(self, action: Any) -> bool:
        self.last = action
        self.table.submit(self.seat, action)
        return True


def seat_table(table: AnyTable, feed: Feed, log: LogWriter) -> SeatTable[Any, Any, Any, Any]:
    game, source = table.game, CommittedSource(seed_of(0))
    return SeatTable(game, table.options, ShuffledShoe(), source, feed.seat, feed, log.step)


def header_of(table: AnyTable, seat: Seat) -> LogHeader:
    return LogHeader(
        format=SEAT_FORMAT,
        game=table.game.slug,
        options=to_builtins(table.options),
        players=tuple(HUMAN if each == seat else OTHER for each in table.players),
        croupier=table.croupier.kind,
        source=table.source.spec,
        program="test",
        at=0,
        who=tuple(Identity("me", "Me") if each == seat else None for each in table.players),
        table="K7QX",
        seat=seat,
    )


@pytest.mark.parametrize("number", range(3))
@by_game()
def test_table_of_a_seat_has_its_view_and_its_log_gives_the_same_views(
    listing: GameListing, number: int, tmp_path: Path
) -> None:
    """Everything that a seat has of the table comes through its steps; its own choices go there."""
    definition, seed = listing.definition(), seed_of(number)
    seats = range(definition.game.seats(definition.game.Options()))
    table = fair_table(definition, seed, humans=tuple(seats))
    feeds = {seat: Feed(table, seat) for seat in map(Seat, seats)}
    logs, tables = {}, {}
    for seat, feed in feeds.items():
        path = tmp_path / f"{seat}.jsonl"
        logs[seat] = LogWriter.begin(path, header_of(table, seat), lambda: 0)
        tables[seat] = seat_table(table, feed, logs[seat])
    views: dict[Seat, list[Any]] = {seat: [] for seat in tables}
    for own in tables.values():
        own.blocks = False  # it also waits while others choose
    dialogues = {seat: Dialogue(own, definition) for seat, own in tables.items()}
    tallies = {
        seat: table.bus.accumulate(seat, definition.tally(seat), lambda tally, one: tally.add(one))
        for seat in tables
    }
    for _ in range(150):
        if not table.waiting:
            table.advance()
        elif (chosen := human_choice(table, seed)) is not None:
            seat, action = chosen
            assert tables[seat].waiting
            tables[seat].submit(seat, action)
        else:
            break
        for seat, own in tables.items():
            while feeds[seat].has_next:
                own.advance()
            assert own.state == own.view(seat) == table.view(seat)
            is_own_turn = is_asked(table.game.turn(own.state), seat)
            assert dialogues[seat].seat_to_act == (seat if is_own_turn else None)
            views[seat].append(own.state)
    for seat, log in logs.items():
        log.close()
        replayed = [*replay_log(definition.game, read_log(log.path))]
        assert [step.state for step in replayed] == views[seat]
        assert all(step.action is not None for step in replayed if step.line.by == seat)
        assert all(step.action is None for step in replayed if step.line.by != seat)
        assert verify_log(definition, read_log(log.path)).proof is ProofLevel.CONSISTENT
        summary, _, _ = review_log(definition, log.path, choices=True)
        assert (summary.rounds, summary.won) == (
            tallies[seat].value.rounds,
            definition.game.unit * tallies[seat].value.won,
        )


def test_log_of_a_seat_with_an_integer_that_json_cannot_hold_is_refused(tmp_path: Path) -> None:
    definition = listing_of("five-card-draw").definition()
    table = fair_table(definition, seed_of(1), humans=(0,))
    feed = Feed(table, Seat(0))
    log = LogWriter.begin(tmp_path / "seat.jsonl", header_of(table, Seat(0)), lambda: 0)
    own = seat_table(table, feed, log)
    for _ in range(20):
        if not table.waiting:
            table.advance()
        elif (chosen := human_choice(table, seed_of(1))) is not None:
            own.submit(*chosen)
        while feed.has_next:
            own.advance()
    log.close()
    whole = log.path.read_bytes()
    log.path.write_bytes(whole.replace(b'"stock":', b'"stock":1%s' % (b"0" * 30), 1))
    assert log.path.read_bytes() != whole
    with pytest.raises(BadFile, match="is too large; integers are at most 9007199254740992"):
        [*replay_log(definition.game, read_log(log.path))]


SOLO = [
    listing
    for listing in GAMES
    if (shared := listing.definition().shared) is not None and shared.is_solo
]
"""The games for one person that several people play with the same cards."""
BUY_IN = 300_00


def choice_of_others(table: AnyTable, dice: DiceStream) -> tuple[Seat, Any] | None:
    """Return a random choice of people who come and go; ``None`` at the end of the table."""
    if not isinstance(turn := table.game.turn(table.state), AskSeats):
        return None
    offered = {seat: table.game.offers(table.state, seat) for seat in turn.seats}
    able = [seat for seat, offers in offered.items() if offers]
    seat = able[dice.below(len(able))]
    offers = offered[seat]
    if offers[0].kind is Join:
        money = Join(BUY_IN // table.game.unit)
        return seat, money if offers[0].contains(money) else next(offers[0].all())
    stays = [one for one in offers if one.kind is not Leave] if dice.below(20) else offers
    return seat, Wild().choose(None, seat, tuple(stays or offers), dice)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("listing", SOLO, ids=lambda listing: listing.slug)
def test_seat_at_a_table_with_others_has_the_choices_and_money_of_its_game(
    listing: GameListing, number: int
) -> None:
    """A seat's view asks what the table asks, and its events give the money that it has."""
    definition, seed, solo = listing.definition(), seed_of(number), Seat(0)
    assert definition.shared is not None
    game, own = definition.shared.game, definition.game
    options = game.Options()
    seats = dict.fromkeys(map(Seat, range(game.seats(options))))
    table: AnyTable = Table(game, options, ShuffledShoe(), CommittedSource(seed), seats)
    tallies, rounds = {}, 0
    for step in range(1_500):
        if table.waiting:
            if (chosen := choice_of_others(table, DiceStream(seed, f"step {step}"))) is None:
                break
            if isinstance(chosen[1], Join):
                tallies[chosen[0]] = definition.tally(solo)
            events = table.play(*chosen)
        else:
            events = table.play(*table.ask())
        left = {one.seat: one.credit for one in events if isinstance(one, SeatLeft)}
        for seat in [*tallies]:
            seen = game.seen(table.state, events, seat)
            for event in seen.events:
                tallies[seat] = tallies[seat].add(event)
            money, here = own.money(seen.state, solo), game.money(table.state, seat)
            assert money.free + money.staked == left.get(seat, here.free + here.staked)
            if not money.staked:
                net = tallies[seat].won - tallies[seat].wagered
                assert money.free == BUY_IN // game.unit + net
            rounds = max(rounds, tallies[seat].rounds)
            if seat in left:
                del tallies[seat]
            if seat in left or not table.waiting:  # for a card, perhaps of somebody else
                continue
            offers = game.offers(table.state, seat)
            offered = [one for one in offers if one.kind not in (Leave, SitOut)]
            assert is_asked(own.turn(seen.state), solo) == bool(offered)
            assert [*own.offers(seen.state, solo)] == offered
    assert rounds > 5
