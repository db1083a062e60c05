"""Check the books of a program on a real terminal, and compare them with its screen.

Sums are computed only from the text of the logs, and compared with ledger, rules and screen.
"""

from __future__ import annotations

import json
import re
import resource
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.helpers.arcade_pilot import net_of
from tests.helpers.pty_terminal import Terminal, casino
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.game import Seat
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.gamekit.registry import listing_of
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.machine.game import State
from tui_casino.inputs.files import BadFile
from tui_casino.records.ledger import OPENING_BALANCE, Ledger, OpenSitting
from tui_casino.records.replay import (
    ProofLevel,
    log_options,
    make_table,
    replay_log,
    rerun_log,
    verify_log,
)
from tui_casino.records.session_log import SessionLog, read_log
from tui_casino.records.sqlite_ledger import SqliteLedger

ME = "player"
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def logs_of(home: Path) -> list[Path]:
    return sorted((home / "state/tui-casino/sessions").glob("*.jsonl"))


def ledger_of(home: Path) -> Ledger:
    return SqliteLedger(home / "state/tui-casino/ledger.db")


# ---- the books ------------------------------------------------------------------------------


class Broken(Struct, frozen=True):
    """An open session: its entry in the ledger, its log, and its state by the rules."""

    entry: OpenSitting
    log: SessionLog
    state: State

    @property
    def waits(self) -> bool:
        return definition_of(self.log).game.money(self.state, Seat(0)).staked > 0


def won_in(log: SessionLog) -> int:
    """Return the sum of wins minus bets of all rounds of a log, in cents."""
    if log.header.game != DEFINITION.game.slug:  # opened by random typing
        return net_of(log)
    events = [event for line in log.lines for event in json.loads(line)["ev"]]
    paid = [event for event in events if event["is"] == "RoundPaid"]
    bets = [event["coins"] for event in events if event["is"] == "BetPlaced"]
    assert [event["coins"] for event in paid] == bets[: len(paid)]
    assert len(bets) - len(paid) in (0, 1)
    return 100 * sum(int(event["won"]) - int(event["coins"]) for event in paid)


def definition_of(log: SessionLog) -> AnyDefinition:
    return listing_of(log.header.game).definition()


def state_of(log: SessionLog) -> Any:
    """Return the state after a log, replayed by the rules."""
    game = definition_of(log).game
    state = game.start(log_options(game, log))
    for played in replay_log(game, log):
        state = played.state
    return state


def is_practice(log: SessionLog) -> bool:
    """Return whether a session from the menu took no money from the balance, by its log."""
    game = definition_of(log).game
    brings = game.money(game.start(log_options(game, log)), Seat(0)).free
    return log.header.parent is not None or not brings


def books(home: Path) -> tuple[int, list[Broken]]:
    """Check all sums to the cent and verify all logs; return the balance and the open sessions."""
    ledger = ledger_of(home)
    try:
        purse, lent = ledger.balance(ME), ledger.debt(ME)
        entries = {entry.log: entry for entry in ledger.open_sittings(ME)}
        should = OPENING_BALANCE + lent
        broken = []
        for path in logs_of(home):
            try:
                log = read_log(path)
            except BadFile as error:  # ended while it began the log
                assert "cut off before it began" in error.reason  # noqa: PT017
                assert path not in entries
                continue
            recorded = ledger.checkpoint_of(path, (log.head, log.hash))
            verdict = verify_log(definition_of(log), log, recorded)
            assert verdict.reason is None, f"{path}: {verdict}"
            if is_practice(log):
                assert path not in entries
                assert recorded is None
                continue
            should += won_in(log)
            state = state_of(log)
            game = definition_of(log).game
            money = game.money(state, Seat(0))
            has = game.unit * (money.free + money.staked)
            entry = entries.pop(path, None)
            if entry is None:
                if recorded is None:  # ended between the log's first line and the ledger's entry
                    assert not log.lines
                else:
                    assert log.end is not None
                    assert verdict.proof is ProofLevel.AUTHENTIC
                    assert verdict.shuffle_checked
                continue
            should -= has
            assert entry.bought_in + won_in(log) == has
            if log.end is None:
                assert entry.seed is not None
                assert entry.seed.hex().encode() not in path.read_bytes()
            broken.append(Broken(entry, log, state))
        assert not entries, "the log of an open session is missing"
        assert purse == should
        return purse, broken
    finally:
        ledger.close()


def goes_on_with(broken: Broken) -> State:
    """Continue with the ledger's seed until the player is asked; return the state."""
    assert broken.entry.seed is not None
    table = make_table(DEFINITION, broken.log, CommittedSource(broken.entry.seed))
    rerun_log(table, broken.log)
    assert table.state == broken.state
    table.run()
    state: State = table.state
    return state


# ---- the screen -----------------------------------------------------------------------------


def cards_of(state: State) -> list[str]:
    names = [str(card) for card in state.shown_hand]
    return [name[:-1].replace("T", "10") + SUITS[name[-1]] for name in names]


def shows(text: str, state: State) -> bool:
    """Return whether a screen shows the credit, the bet and the cards on the table."""
    credit = re.search(r"CREDIT ([\d,]+) +BET (\d)", text)
    if credit is None or int(credit[1].replace(",", "")) != state.credit:
        return False
    if state.coins and int(credit[2]) != state.coins:
        return False
    cards = ".*?".join(map(re.escape, cards_of(state)))
    return any(re.search(cards, line) for line in text.split("\n"))


def purse_shown(text: str) -> int | None:
    match = re.search(r"balance ([\d,]+)\.(\d\d)", text)
    return int(match[1].replace(",", "") + match[2]) if match else None


def newest(home: Path) -> Path:
    return max(logs_of(home), key=lambda path: path.stat().st_mtime_ns)


def await_menu(terminal: Terminal) -> None:
    """Wait until the menu shows what Space does: from then on it accepts keys."""
    terminal.wait_for(lambda text: re.search(r"space  (Play|Resume) ", text))


def open_table(terminal: Terminal) -> None:
    await_menu(terminal)
    terminal.type_until("1", "CREDIT")


def deal(terminal: Terminal, home: Path) -> None:
    """Deal, and wait until cards can be held."""
    terminal.wait_for(lambda text: "CREDIT" in text and "Which cards do you hold" not in text)
    terminal.commit(" ", "Which cards do you hold")


def at_hold(home: Path) -> Terminal:
    """Start the program and deal a hand."""
    terminal = casino(home)
    try:
        open_table(terminal)
        deal(terminal, home)
    except BaseException:
        terminal.__exit__(None, None, None)
        raise
    return terminal


def bet_lost_or_won(terminal: Terminal) -> None:
    """Finish the hand, so nothing is at stake."""
    terminal.commit(" ", lambda text: "No win" in text or "pays" in text)


def taken_up(terminal: Terminal, home: Path, purse: int, before: list[Broken]) -> None:
    """Check that the menu settles sessions without a bet, and that the table resumes the other."""
    waiting = [broken for broken in before if broken.waits]
    settled = sum(100 * broken.state.credit for broken in before if not broken.waits)
    terminal.wait_for(lambda text: purse_shown(text) == purse + settled)
    await_menu(terminal)
    assert ("waiting:" in terminal.text) == bool(waiting)
    _, still = books(home)
    assert [broken.entry for broken in still] == [broken.entry for broken in waiting]
    terminal.type_until("1", "CREDIT")
    if not waiting:
        return
    expected, path = goes_on_with(waiting[0]), waiting[0].entry.log
    terminal.wait_for(lambda text: shows(text, expected))
    terminal.wait_until(lambda: state_of(read_log(path)) == expected)
    raw = path.read_bytes()
    assert raw.startswith(b"\n".join((waiting[0].log.first, *waiting[0].log.lines, b"")))
    books(home)


def limit(terminal: Terminal, size: int | None) -> None:
    """Limit the size of the program's files, like a full disk; ``None`` removes the limit."""
    kind = resource.RLIMIT_FSIZE
    _, largest = resource.prlimit(terminal.process.pid, kind)
    soft = resource.RLIM_INFINITY if size is None else size
    resource.prlimit(terminal.process.pid, kind, (soft, largest))
