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
    shoot_after,
    stop_in_the_deal,
)

VAST = (200, 60)


async def video_poker_table(pilot: Pilot[None], shoot: Shoot) -> None:
    """Play two rounds of video poker, one won and one lost, and open all windows on the way."""
    await shoot_after(pilot, shoot, "before-bet", key_of("video-poker"))
    await shoot_after(pilot, shoot, "pay-tables", "f4")
    await shoot_after(pilot, shoot, "help", "escape", "f1")
    await shoot_after(pilot, shoot, "holding", "escape", "space", "2", "4")
    await shoot_after(pilot, shoot, "odds", "o")
    await shoot_after(pilot, shoot, "leaving", "escape", "escape")
    await shoot_after(pilot, shoot, "won", "n", "space")
    await shoot_after(pilot, shoot, "statistics", "f2")
    await shoot_after(pilot, shoot, "warned", "escape", "space", "t", "5", "space")
    await shoot_after(pilot, shoot, "typing", "h", "space", "2")
    await shoot_after(pilot, shoot, "lost", "enter")
    await shoot_after(pilot, shoot, "bet-chosen", "3")
    await stop_in_the_deal(pilot, 3)
    await shoot("dealing")


async def with_the_trainer(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show a hand and the session's figures in a very large window."""
    await press(pilot, key_of("video-poker"), "t", "space", "1", "space", "space", "space")
    await shoot_after(pilot, shoot, "trainer", "2", "4")


async def a_round(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show only the table, with other glyphs and colours."""
    await shoot_after(pilot, shoot, "holding", key_of("video-poker"), "space", "2", "4")
    await shoot_after(pilot, shoot, "won", "space")


async def at_the_least_size(pilot: Pilot[None], shoot: Shoot) -> None:
    """Show what must fit the smallest window."""
    await shoot_after(pilot, shoot, "holding", key_of("video-poker"), "space", "2", "4")
    await shoot_after(pilot, shoot, "pays", "p")
    await shoot_after(pilot, shoot, "leaving", "escape", "escape")
    await shoot_after(pilot, shoot, "first-finish", "n", "f4")
    await shoot_after(pilot, shoot, "help", "space", "f1")


WALK = video_poker_table
OTHER_WALKS = (
    *(Trip("video-poker", at_the_least_size, LEAST, look) for look in PLAIN_LOOKS),
    *(Trip("video-poker", a_round, SMALL, look) for look in OTHER_LOOKS),
    *(Trip("video-poker", with_the_trainer, VAST, look) for look in PLAIN_LOOKS),
)
