"""Guess first in a replay: the player chooses in the position, and gets the verdict."""

from __future__ import annotations

from typing import Any

from textual.app import App

from ...teacher.practice_tasks import PracticeTask
from ..desk import ScreenDesk
from ..positions.position_screen import PositionAnswer, PositionExit, PositionScreen
from ..positions.verdict_screen import VerdictExit, VerdictScreen
from ..table.face import AnyFace

TITLE = "Guess first"


async def ask_for_choice(
    app: App[Any], desk: ScreenDesk, face: AnyFace, task: PracticeTask, subtitle: str
) -> bool:
    """Show the position and the verdict on the player's choice; return whether to continue.

    The choice is not stored, because the replay has shown what happened before and may show it
    again. The player may choose again, or leave to stay at this step.
    """
    while True:
        table: PositionScreen[Any, Any, Any, Any, Any] = PositionScreen(
            TITLE, face, task.position, subtitle
        )
        desk.with_size_classes(table)
        outcome = await app.push_screen_wait(table)
        if not isinstance(outcome, PositionAnswer):
            return outcome is PositionExit.SKIP
        verdict = VerdictScreen(TITLE, task.spot, (), task, outcome, "", face, "Continue")
        desk.with_size_classes(verdict)
        after = await app.push_screen_wait(verdict)
        if after is not VerdictExit.AGAIN:
            return after is VerdictExit.ON
