"""Random words at every game's console: always an answer, and neither money nor steps are lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fuzz import generators
from tests.helpers.command_runner import repeatable
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import by_game, first_of
from tui_casino.cards.card import Card
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.event_bus import TableUpdate
from tui_casino.engine.game import IllegalAction, Seat, check_legal
from tui_casino.gamekit.action_grammar import parse_action
from tui_casino.gamekit.registry import GameListing
from tui_casino.gamekit.table_catalog import AnyTableSetup
from tui_casino.house.resumption import resume_from_ledger
from tui_casino.house.sitting import House, Sitting, SittingEnding, begin_sitting
from tui_casino.inputs.numbers import is_integer
from tui_casino.records.replay import ProofLevel, replay_log, verify_log
from tui_casino.records.session_log import read_log
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.screen_reader import table as console

AnySitting = Sitting[Any, Any, Any, Any, Any]


def seating_of(listing: GameListing) -> AnyTableSetup:
    """Sit down as from the menu."""
    return listing.tables().setup()


class Watch:
    """Types random lines at a sitting and looks, after each, at all that must hold."""

    def __init__(self, sitting: AnySitting, random: Random) -> None:
        self.random, self.words, self.said = random, 0, list[str]()
        game, seats = sitting.definition.game, tuple(sitting.table.players)
        self.opening = {seat: game.money(sitting.table.state, seat) for seat in seats}
        self.tallies = {seat: sitting.definition.tally(seat) for seat in seats}
        self.line: str | None = None
        self.go_on(sitting)

    def go_on(self, sitting: AnySitting) -> None:
        self.sitting, self.table = sitting, sitting.table
        self.human = next(seat for seat, who in self.table.players.items() if who is None)
        for seat in self.tallies:
            self.table.bus.subscribe(seat, lambda told, seat=seat: self._hear(seat, told))  # type: ignore[misc]

    def _hear(self, seat: Seat, told: TableUpdate[Any, Any]) -> None:
        for event in told.events:
            self.tallies[seat] = self.tallies[seat].add(event)

    def lines(self, words: int) -> Iterator[str]:
        spoken = self.sitting.definition.words
        verbs, questions, until = tuple(spoken.verbs), tuple(spoken.questions), self.words + words
        while self.words < until:
            self.line = generators.line(self.random, verbs, questions)
            self.words += len(self.line.split())
            self.before = self.table.state, self.sitting.log.steps, len(self.said)
            self.acts = self._acts(self.line)
            yield self.line
            self.check()

    def _acts(self, line: str) -> bool:
        """Return whether the line is plainly an action on offer."""
        game, verbs = self.table.game, self.sitting.definition.words.verbs
        if not line.split():
            return False
        line = line.lower()
        alone = self.sitting.definition.words.number_verb
        if alone is not None and is_integer(line.split()[0]):
            line = f"{alone} {line}"
        try:
            offers = game.offers(self.table.view(self.human), self.human)
            check_legal(game, self.table.state, self.human, parse_action(line, verbs, offers))
        except IllegalAction:
            return False
        assert all(map(_plain, line.split()[1:])), "a word that is nothing was read as something"
        return True

    def check(self) -> None:
        """Look at what the last line did."""
        if self.line is None:
            return
        with repeatable(line=self.line):
            state, steps, said = self.before
            answer = self.said[said:]
            assert bool(answer) == bool(self.line.split()), f"answered {answer}"
            assert all(answer), f"an empty line was said: {answer}"
            if self.acts:
                assert self.sitting.log.steps > steps, "played, but not recorded"
            else:
                assert self.table.state == state, "refused or answered, but played"
                assert self.sitting.log.steps == steps, "refused or answered, but recorded"
            self._check_money()
        self.line = None

    def _check_money(self) -> None:
        for seat, tally in self.tallies.items():
            money = self.table.game.money(self.table.state, seat)
            assert min(money.free, money.staked) >= 0, money
            should = self.opening[seat].free + tally.won - tally.wagered
            assert money.free + money.staked == should, f"{money}, but by the tally {should}"

    def check_log(self) -> None:
        """The log on disk tells the very state that the table has."""
        log = read_log(self.sitting.log.path)
        assert (log.torn, len(log.lines)) == (0, self.sitting.log.steps)
        state = self.table.game.start(self.table.options)
        for played in replay_log(self.table.game, log):
            state = played.state
        assert state == self.table.state


def _plain(word: str) -> bool:
    try:
        Card.parse(word)
    except ValueError:
        return re.fullmatch(r"[A-Za-z]+|[+-]?[0-9]+", word) is not None
    return True


def warn(line: str) -> None:
    raise AssertionError(f"warned: {line}")


def play_words(listing: GameListing, folder: Path, seed: int, words: int) -> None:
    """Play sitting after sitting by random words, each broken off and taken up while it can be."""
    random, definition = Random(f"console {listing.slug} {seed}"), listing.definition()
    ledger = SqliteLedger(folder / "ledger.db")
    house = House(folder / "logs", ledger, "somebody")
    while words > 0:
        seating, purse = seating_of(listing), ledger.balance("somebody")
        source = CommittedSource(random.randbytes(32))
        where = definition, seating.options, seating.croupier, source, seating.players
        sitting = begin_sitting(house, *where, borrow=True)
        bought = sitting.cents
        assert ledger.balance("somebody") == purse + sitting.lent - bought
        watch = Watch(sitting, random)
        for _ in range(5):
            left = console.play_at_table(watch.sitting, watch.lines(500), watch.said.append, warn)
            watch.check()
            if left is SittingEnding.UNPLAYED:
                break
            watch.check_log()
            if left is SittingEnding.CASHED_OUT:
                break
            [entry] = ledger.open_sittings("somebody")
            again = resume_from_ledger(house, ledger, definition, entry)
            assert isinstance(again, Sitting)
            assert again.table.state == watch.table.state
            watch.go_on(again)
        words -= watch.words
        if (
            left is SittingEnding.BROKEN_OFF
        ):  # the bet stays; it is another player's turn to sit down
            watch.sitting.log.close()
            ledger.cash_out(watch.sitting.id, watch.sitting.cents, None, 0)
            continue
        cents = watch.sitting.cents
        assert ledger.balance("somebody") == purse + sitting.lent - bought + cents
        if left is SittingEnding.UNPLAYED:
            assert not watch.sitting.log.path.exists()
            continue
        log = read_log(watch.sitting.log.path)
        verdict = verify_log(definition, log, ledger.checkpoint_of(log.path))
        assert (verdict.proof, verdict.shuffle_checked) == (ProofLevel.AUTHENTIC, True), verdict
    ledger.close()


@by_game
@pytest.mark.parametrize("seed", first_of(range(11)), ids=labelled("seed {}"))
def test_console_answers_every_line_of_random_words(
    listing: GameListing, seed: int, tmp_path: Path
) -> None:
    with repeatable(seed=seed):
        play_words(listing, tmp_path, seed, 10_000 if seed else 3_000)
