"""The shuffle on the screen: a word of the player's own, and the proof after the cash-out."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.helpers.arcade_pilot import (
    arcade,
    check_books,
    notes,
    practice,
    press,
    press_until,
    run_app,
    shuffles,
    table,
    text,
    text_after,
    type_line,
    with_purse,
)
from tests.helpers.ledger_sessions import PURSED, house_in, played
from tests.helpers.screen_walks import key_of
from tui_casino.records.log_header import LOG_FORMAT
from tui_casino.records.session_log import read_log
from tui_casino.structs import replace
from tui_casino.tui.replay.proof import proof_page

by_game = pytest.mark.parametrize(
    "key", [key_of(game.slug) for game in PURSED], ids=[game.slug for game in PURSED]
)
SEED = (7).to_bytes(32, "big")
COMMITMENT = hashlib.sha256(SEED).hexdigest()


def one_line(shown: str) -> str:
    """Take a page's text out of its frame, as if its lines had not been broken."""
    lines = (re.sub(r".*│(.*)│.*", r"\1", line) for line in shown.splitlines())
    return "".join(line.strip(" │|▏▕") for line in lines)


async def play_a_round(pilot: Pilot[None]) -> None:
    """Play until a round with a bet has ended."""
    seated = table(pilot.app)
    if seated.definition.game.slug == "baccarat":
        await press(pilot, "1")
    while not seated.dialogue.tally.rounds or seated.sitting.staked:
        await press(pilot, "d" if seated.definition.game.slug == "baccarat" else "space")


@by_game
async def test_client_seed_is_accepted_after_the_commitment_is_shown(
    key: str, tmp_path: Path
) -> None:
    house = with_purse(tmp_path)
    async with run_app(arcade(house, fresh=shuffles(7, 8))) as pilot:
        assert COMMITMENT in one_line(await text_after(pilot, "w"))
        await type_line(pilot, "abracadabra")
        assert notes(pilot.app)[-1] == "Your client seed is mixed in."
        await press(pilot, key)
        sitting = table(pilot.app).sitting
        source = read_log(sitting.log.path).header.source
        assert (source.value, source.word) == (COMMITMENT, "abracadabra")
        assert read_log(sitting.log.path).header.format == LOG_FORMAT
        await press(pilot, "f1")
        page = str(pilot.app.screen.query_one(Static).content)
        assert f"{COMMITMENT}\nYour client seed is mixed in: abracadabra" in page
        await press(pilot, "escape", "escape")
        await press(pilot, key)  # the next sitting has a seed of its own, and no word
        source = read_log(table(pilot.app).sitting.log.path).header.source
        assert (source.value, source.word) != (COMMITMENT, "abracadabra")
        assert source.word == ""


async def test_w_in_the_menu_shows_the_same_commitment_again_until_a_session(
    tmp_path: Path,
) -> None:
    """Else one could be shown many, and take the word for another."""
    async with run_app(arcade(with_purse(tmp_path), fresh=shuffles(7, 8))) as pilot:
        assert COMMITMENT in one_line(await text_after(pilot, "w", "escape", "w"))
        await type_line(pilot, "one")
        assert COMMITMENT in one_line(await text_after(pilot, "w"))
        await press(pilot, "enter")
        assert notes(pilot.app)[-1] == "No client seed is mixed in."
        await press(pilot, "1")
        source = read_log(table(pilot.app).sitting.log.path).header.source
        assert (source.value, source.word) == (COMMITMENT, "")


async def test_w_in_the_menu_refuses_a_client_seed_with_a_numbered_shuffle(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path), seed=3)) as pilot:
        await press(pilot, "w")
        assert notes(pilot.app)[-1] == "The shuffle uses seed 3; this is free play."


async def test_client_seed_of_the_command_line_is_used_in_every_session(tmp_path: Path) -> None:
    async with run_app(arcade(with_purse(tmp_path), word="always")) as pilot:
        for _ in range(2):
            await press(pilot, "1")
            assert read_log(table(pilot.app).sitting.log.path).header.source.word == "always"
            await press(pilot, "escape")


@by_game
async def test_cash_out_shows_the_seed_and_v_shows_the_proof(key: str, tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    async with run_app(arcade(house, fresh=shuffles(7))) as pilot:
        assert "! v  you have not finished a session yet." in await text_after(pilot, "v")
        await press(pilot, key)
        path = table(pilot.app).sitting.log.path
        await play_a_round(pilot)
        await press(pilot, "escape")
        assert f"v checks the shuffle, seed {SEED.hex()[:8]}..." in notes(pilot.app)[-1]
        await press_until(pilot, lambda: "Proof of the last shuffle" in text(pilot.app), "v")
        page = one_line(text(pilot.app))
        assert f"Commitment:{COMMITMENT}" in page
        assert f"The seed matches the commitment:{SEED.hex()}" in page
        assert "Authentic: " in page
    check_books(house)
    assert path.exists()


def test_proof_page_of_a_remote_player_shows_no_server_path(tmp_path: Path) -> None:
    house = house_in(tmp_path)
    log = read_log(played(PURSED[0], house).log.path)
    assert f"To check it again, run tui-casino verify with:\n{log.path}" in proof_page(log, house)
    page = proof_page(log, replace(house, remote=True))
    assert page.endswith(f"fetch it over SSH with the command:\nlog {log.path.stem}")
    assert str(tmp_path) not in page


async def test_tampered_log_is_reported_after_the_cash_out(tmp_path: Path) -> None:
    async with run_app(arcade(with_purse(tmp_path))) as pilot:
        await press(pilot, "1")
        path = table(pilot.app).sitting.log.path
        await play_a_round(pilot)
        await press(pilot, "escape")
        path.write_bytes(path.read_bytes().replace(b'"at":1', b'"at":2', 1))
        await press_until(pilot, lambda: "Differs: line 1" in text(pilot.app), "v")
        await press(pilot, "escape")
        path.unlink()
        await press_until(pilot, lambda: "cannot be read" in text(pilot.app), "v")


async def test_cash_out_of_a_numbered_shuffle_shows_no_seed(tmp_path: Path) -> None:
    async with run_app(arcade(practice(tmp_path), seed=3)) as pilot:
        await press(pilot, "1")
        await play_a_round(pilot)
        await press(pilot, "escape")
        assert "seed" not in notes(pilot.app)[-1]


@by_game
async def test_log_deleted_during_play_is_restored_and_reported(key: str, tmp_path: Path) -> None:
    house = with_purse(tmp_path)
    async with run_app(arcade(house)) as pilot:
        await press(pilot, key)
        path = table(pilot.app).sitting.log.path
        path.unlink()
        await press(pilot, "escape")
        notices = [note for note in notes(pilot.app) if note.startswith("The log was deleted")]
        assert notices == ["The log was deleted; it has been restored."]
    check_books(house)
