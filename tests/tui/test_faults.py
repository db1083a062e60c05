"""Faults in the middle of play on a real terminal: nothing is lost, and play goes on at the step.

Sums are made from the text of the logs alone, then compared with ledger, rules and screen.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.helpers.parameter_ids import labelled, size_id
from tests.helpers.pty_terminal import Terminal, casino, environment
from tests.helpers.quick_cases import first_of
from tests.tui.ledger_audit import (
    at_hold,
    bet_lost_or_won,
    books,
    deal,
    limit,
    newest,
    open_table,
    shows,
    state_of,
    taken_up,
)
from tui_casino.records.session_log import LogWriter, read_log
from tui_casino.tui.terminal.input_reader import REPEAT_ENDS

# ---- ended in the middle of play ------------------------------------------------------------


FAULTS = ("killed", "hung up", "terminated", "terminal closed")
KEYS = (
    *(" ",) * 8,
    *"12345",
    *("+", "-", "a", "$", "t", "\r"),
    *("b 3\r", "b 5\r", "b\r", "d\r", "h 1 3\r", "h\r", ":h 2 4 5\r", "b 9\r"),
)


def play_at_random(terminal: Terminal, dice: random.Random) -> None:
    """Press keys without a look at the screen; sometimes leave, and sit down again."""
    for _ in range(dice.randrange(12)):
        if dice.random() < 0.06:
            terminal.type("\x1b")  # a key of its own only after a while
            terminal.rest(0.15)
            terminal.type("y")
            terminal.rest(0.15)
            terminal.type("1")
        else:
            terminal.type(dice.choice(KEYS))
        terminal.rest(dice.choice((0, 0.01, 0.03, 0.08)))
    terminal.rest(dice.uniform(0, 0.15))


def strike(terminal: Terminal, fault: str) -> None:
    """End the program, and see that nothing of it stays."""
    match fault:
        case "killed":
            terminal.signal(signal.SIGKILL)
        case "hung up":
            terminal.signal(signal.SIGHUP)
        case "terminated":
            terminal.signal(signal.SIGTERM)
        case _:
            terminal.hang_up()
    terminal.ended()
    assert "Traceback" not in terminal.text
    with pytest.raises(ProcessLookupError):  # no child and no thread of it
        os.killpg(terminal.process.pid, 0)


@pytest.mark.parametrize("seed", first_of(range(5)), ids=labelled("seed {}"))
@pytest.mark.parametrize("fault", first_of(FAULTS))
def test_kill_or_hang_up_at_random_moments_loses_no_money_and_no_hand(
    fault: str, seed: int, tmp_path: Path
) -> None:
    """Each start checks what the fault before it left, and meets the next."""
    dice = random.Random(f"{fault} {seed}")
    for _ in range(8 if seed else 1):
        purse, before = books(tmp_path)
        with casino(tmp_path) as terminal:
            if dice.random() < 0.1:  # as it starts
                terminal.rest(dice.uniform(0, 0.7))
            else:
                taken_up(terminal, tmp_path, purse, before)
                play_at_random(terminal, dice)
            strike(terminal, fault)
    purse, before = books(tmp_path)
    with casino(tmp_path) as terminal:
        taken_up(terminal, tmp_path, purse, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_terminating_signal_restores_all_terminal_modes(
    number: signal.Signals, tmp_path: Path
) -> None:
    with at_hold(tmp_path) as terminal:
        terminal.signal(number)
        terminal.ended()
        assert terminal.spoilt() == []
        assert "Traceback" not in terminal.text


def test_quitting_restores_all_terminal_modes(tmp_path: Path) -> None:
    with casino(tmp_path) as terminal:
        terminal.wait_for("balance")
        assert terminal.spoilt()
        terminal.type("q")
        assert terminal.ended() == 0
        assert terminal.spoilt() == []


def test_program_ignoring_hang_ups_ends_with_its_terminal(tmp_path: Path) -> None:
    """As under ``nohup``: there is nobody left to play for, and nothing to wait on."""
    with casino(tmp_path, shell="trap '' HUP; ") as terminal:
        open_table(terminal)
        terminal.type_until(" ", "Which cards do you hold")
        terminal.hang_up()
        terminal.ended()
    _, (broken,) = books(tmp_path)
    assert broken.waits


# ---- two programs of one player -------------------------------------------------------------


@pytest.mark.prove
def test_waiting_session_is_resumed_by_one_of_two_programs(tmp_path: Path) -> None:
    """Of one sitting that waits only one gets hold; the other is told, and money adds up."""
    with at_hold(tmp_path) as terminal:
        terminal.signal(signal.SIGKILL)
        terminal.ended()
    _, (broken,) = books(tmp_path)
    with casino(tmp_path) as one:
        one.wait_for("waiting:")
        with casino(tmp_path) as other:
            other.wait_for("waiting:")
            one.type("1")
            other.type("1")
            both = (one, other)
            for terminal in both:
                terminal.wait_for(lambda text: "CREDIT" in text or "your money is at" in text)
            (winner,) = (terminal for terminal in both if "CREDIT" in terminal.text)
            (loser,) = (terminal for terminal in both if terminal is not winner)
            winner.wait_for(lambda text: shows(text, broken.state))
            assert "your money is at video poker, in another program" in loser.text
            assert loser.process.poll() is None
            bet_lost_or_won(winner)
            winner.type_until("q\r", "You cash out")
            purse, before = books(tmp_path)
            assert not before
            winner.rest(0.2)
            winner.type("q")
            assert winner.ended() == 0
            loser.type("1")  # now there is a purse to sit down with
            loser.wait_for(f"CREDIT {purse // 100:,}")
    books(tmp_path)


def test_session_held_by_another_program_blocks_table_and_loan(tmp_path: Path) -> None:
    """Another program has the sitting that waits: no table, and no loan; then it lets go."""
    with at_hold(tmp_path) as terminal:
        terminal.signal(signal.SIGKILL)
        terminal.ended()
    _, (broken,) = books(tmp_path)
    other, _ = LogWriter.resume(broken.entry.log, lambda: 0)
    try:
        with casino(tmp_path) as terminal:
            terminal.wait_for("being played in")
            terminal.rest(0.3)
            terminal.type_until("1", "your money is at video poker, in another program")
            assert books(tmp_path) == (0, [broken])
            other.close()
            terminal.type_until("1", lambda text: shows(text, broken.state))
    finally:
        other.close()
    books(tmp_path)


def test_two_simultaneous_requests_to_leave_cash_out_once(tmp_path: Path) -> None:
    """An impatient player presses Escape more than once."""
    with at_hold(tmp_path) as terminal:
        bet_lost_or_won(terminal)
        terminal.rest(0.2)
        terminal.type("\x1b\x1b")
        terminal.rest(1)
        assert terminal.process.poll() in (None, 0), terminal.text  # the menu takes one to quit
    assert books(tmp_path)[1] == []


# ---- an error of our own --------------------------------------------------------------------


SCRIPT = """\
import sys

from tui_casino.cli import entry
from tui_casino.games.video_poker.machine.game import Phase
from tui_casino.games.video_poker.face.table_view import VideoPokerView

shown = VideoPokerView.show
hands = set()


def show(self, view):
    secret_hand = "".join(map(str, view.hand))
    shown(self, view)
    if view.phase is Phase.HOLD:
        hands.add(view.hand)
    if len(hands) == 3:
        secret_source = self.screen.table.source
        raise ValueError("the screen is at fault")


VideoPokerView.show = show
sys.exit(entry())
"""


def test_error_in_a_screen_is_reported_without_a_traceback(tmp_path: Path) -> None:
    script = tmp_path / "faulty.py"
    script.write_text(SCRIPT)
    faulty = environment(tmp_path, TEXTUAL_ANIMATIONS="none")
    with Terminal((sys.executable, str(script)), faulty) as terminal:
        open_table(terminal)
        for _ in range(2):
            deal(terminal, tmp_path)
            bet_lost_or_won(terminal)
        terminal.rest(2 * REPEAT_ENDS)  # otherwise Space counts as held down
        terminal.type(" ")
        code = terminal.ended()
        assert code == 70
        assert terminal.spoilt() == []
        _, (broken,) = books(tmp_path)
        assert broken.waits
        assert broken.entry.seed is not None
        after = terminal.raw[terminal.raw.rindex(b"\x1b[?1049l") :].decode()
        output = after.replace("\r\n", "")
        assert "your log and balance are safe" in output
        for secret in ("Traceback", "secret_", "ValueError", broken.entry.seed.hex()):
            assert secret not in after
        assert not re.search(r"[2-9TJQKA]0?[♠♥♦♣SHDC]\b", after.replace("SIGHUP", ""))
        named = re.search(r"was written to (\S+\.txt)", output)
        assert named
        written = Path(named[1]).read_text()
        assert "the screen is at fault" in written
        assert broken.entry.seed.hex() not in written
    purse, before = books(tmp_path)
    with casino(tmp_path) as terminal:
        taken_up(terminal, tmp_path, purse, before)


def test_error_whose_report_cannot_be_written_is_shown_without_traceback(tmp_path: Path) -> None:
    """No room even for the report: polite all the same."""
    script = tmp_path / "faulty.py"
    script.write_text(SCRIPT.replace("== 3", "== 1"))
    faulty = environment(tmp_path)
    with Terminal((sys.executable, str(script)), faulty) as terminal:
        open_table(terminal)
        until = newest(tmp_path).stat().st_size + 3_000
        limit(terminal, until)
        terminal.type(" ")
        terminal.wait_until(lambda: terminal.process.poll() is not None)
        assert terminal.ended() == 70
        assert "secret_" not in terminal.raw.decode(errors="replace")
        assert terminal.spoilt() == []
    books(tmp_path)


# ---- a window of any size -------------------------------------------------------------------


@pytest.mark.prove
def test_program_survives_resizing_at_any_moment(tmp_path: Path) -> None:
    """From far too small to very large, while cards are dealt."""
    dice = random.Random(7)
    with casino(tmp_path) as terminal:
        open_table(terminal)
        for _ in range(25):
            terminal.resize(dice.randint(20, 200), dice.randint(5, 60))
            terminal.type(dice.choice((" ", "1", "2", "a", "b 2\r", "d\r", "h 1\r")))
            terminal.rest(dice.choice((0, 0.02, 0.1)))
            assert terminal.process.poll() is None, terminal.text
        terminal.resize(80, 24)
        path = newest(tmp_path)
        terminal.wait_until(lambda: shows(terminal.text, state_of(read_log(path))))
        before = len(read_log(path).lines)

        def goes_on() -> bool:
            if "\n :" in terminal.text:  # half a command: of the other half there was no room
                terminal.type("\x1b")
            else:  # it may have been whole by then, and that key have asked whether to leave
                terminal.type("n" if "at stake" in terminal.text else " ")
            terminal.rest(1)  # a refused key keeps the next ones from acting for 0.8 s
            return len(read_log(path).lines) > before

        terminal.wait_until(goes_on)
        terminal.signal(signal.SIGKILL)
        terminal.ended()
    books(tmp_path)


@pytest.mark.parametrize("size", first_of([(39, 24), (80, 14), (20, 5)]), ids=size_id)
def test_too_small_window_asks_for_more_space(size: tuple[int, int], tmp_path: Path) -> None:
    with at_hold(tmp_path) as terminal:
        _, (broken,) = books(tmp_path)
        terminal.resize(*size)
        terminal.wait_for("40")  # by 15 at least
        assert "15" in terminal.text
        terminal.type(" ")  # nothing is played that cannot be seen
        terminal.rest(0.4)
        terminal.resize(80, 24)
        terminal.wait_for(lambda text: shows(text, broken.state))
        assert books(tmp_path)[1] == [broken]
        terminal.type_until("12", "HELD      HELD")
