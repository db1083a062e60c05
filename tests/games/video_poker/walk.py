"""The walk through video poker for the snapshots."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.helpers.arcade_pilot import press
from tests.helpers.screen_walks import (
    LEAST,
    OTHER_LOOKS,
    PLAIN_LOOKS,
    SMALL,
    Shoot,
    Trip,
    key_of,
    stop_in_the_deal,
)

VAST = (200, 60)


async def video_poker_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Play two rounds of video poker, one won and one lost, and open all windows on the way."""
    await press(pilot, key_of("video-poker"))
    await shoot("before-bet")
    await press(pilot, "f4")
    await shoot("pay-tables")
    await press(pilot, "escape", "f1")
    await shoot("help")
    await press(pilot, "escape", "space", "2", "4")
    await shoot("holding")
    await press(pilot, "o")
    await shoot("odds")
    await press(pilot, "escape", "escape")
    await shoot("leaving")
    await press(pilot, "n", "space")
    await shoot("won")
    await press(pilot, "f2")
    await shoot("statistics")
    await press(pilot, "escape", "space", "t", "5", "space")
    await shoot("warned")
    await press(pilot, "h", "space", "2")
    await shoot("typing")
    await press(pilot, "enter")
    await shoot("lost")
    await press(pilot, "3")
    await shoot("bet-chosen")
    await stop_in_the_deal(pilot, 3)
    await shoot("dealing")


async def with_the_trainer(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show a hand and the session's figures in a very large window."""
    await press(pilot, key_of("video-poker"), "t", "space", "1", "space", "space", "space")
    await press(pilot, "2", "4")
    await shoot("trainer")


async def a_round(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show only the table, with other glyphs and colours."""
    await press(pilot, key_of("video-poker"), "space", "2", "4")
    await shoot("holding")
    await press(pilot, "space")
    await shoot("won")


async def at_the_least_size(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show what must fit the smallest window."""
    await press(pilot, key_of("video-poker"), "space", "2", "4")
    await shoot("holding")
    await press(pilot, "p")
    await shoot("pays")
    await press(pilot, "escape", "escape")
    await shoot("leaving")
    await press(pilot, "n", "f4")
    await shoot("first-finish")
    await press(pilot, "space", "f1")
    await shoot("help")


WALK = video_poker_table
OTHER_WALKS = (
    *(Trip("video-poker", at_the_least_size, LEAST, look) for look in PLAIN_LOOKS),
    *(Trip("video-poker", a_round, SMALL, look) for look in OTHER_LOOKS),
    *(Trip("video-poker", with_the_trainer, VAST, look) for look in PLAIN_LOOKS),
)
