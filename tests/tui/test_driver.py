"""The driver's own parts, without a program."""

from __future__ import annotations

import os
import pty
import tty
from threading import Thread
from time import sleep

import pytest
from textual.events import Key
from textual.message import Message

from tui_casino.tui.terminal.detection import detect
from tui_casino.tui.terminal.driver import EndOfInput, is_terminal
from tui_casino.tui.terminal.unix_driver import HardenedDriver


def test_input_ends_when_its_terminal_is_closed() -> None:
    """A thread that reads a terminal which was hung up would else never rest."""
    master, slave = pty.openpty()
    end = EndOfInput(slave)
    assert not end.is_set()
    assert is_terminal(slave)
    os.close(master)
    assert end.is_set()
    assert not is_terminal(slave)
    os.close(slave)
    assert end.is_set(), "closed altogether"


def test_end_of_input_flag_can_be_set_and_cleared() -> None:
    master, slave = pty.openpty()
    end = EndOfInput(slave)
    end.set()
    assert end.is_set()
    end.clear()
    assert not end.is_set()
    os.close(master)
    os.close(slave)


def test_arrow_key_over_ssh_is_read_even_if_its_rest_arrives_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The driver's wait is here far longer than the pause."""
    writing, reading = pty.openpty()
    tty.setraw(reading)
    keys = list[str]()
    driver = HardenedDriver.__new__(HardenedDriver)
    driver.fileno, driver.exit_event = reading, EndOfInput(reading)
    driver.debug, driver.wait = False, 60.0

    def collect(message: Message) -> None:
        assert isinstance(message, Key)
        keys.append(message.key)
        driver.exit_event.set()

    monkeypatch.setattr(driver, "process_message", collect)
    reader = Thread(target=driver.run_input_thread)
    reader.start()
    os.write(writing, b"\x1b")
    sleep(0.3)  # three times the wait for an Escape of a local keyboard
    os.write(writing, b"[C")
    reader.join()
    os.close(reading)
    os.close(writing)
    assert keys == ["right"]


def test_only_a_terminal_over_ssh_is_remote() -> None:
    assert detect({"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}, "utf-8").remote
    assert not detect({}, "utf-8").remote
