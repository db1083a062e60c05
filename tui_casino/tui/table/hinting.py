"""What the hint line of a live table says: what can be done now, what a line means, why not."""

from __future__ import annotations

from typing import Any

from ...engine.game import A, E, O, Over, S
from ...engine.money import dollars
from ...gamekit.tally import T
from ...house.reader import Reading
from ...house.sitting import Sitting
from ..widgets.key_names import key_of
from .face import Face
from .naming import Naming
from .playing import Playing
from .view import PRIMARY, TableView

TAKES_BACK = ("step_back", "compare")
"""The actions of tables where choices can be taken back."""


class Hinting(Naming[O, S, A, E, T]):
    """Names the deeds of a table at this moment, and says why one cannot be done."""

    def __init__(
        self,
        view: TableView[O, S, A, E, T],
        sitting: Sitting[O, S, A, E, T],
        playing: Playing[Any, Any, Any, Any],
    ) -> None:
        super().__init__(view, self._meant)
        self._sitting, self._playing = sitting, playing

    def _meant(self, line: str) -> Reading[A]:
        return self._sitting.dialogue.read(line, takes_back=self.takes_back)

    @property
    def takes_back(self) -> bool:
        """Whether choices can be taken back."""
        return self._sitting.takes_back

    @property
    def over(self) -> bool:
        """Whether nothing more can be done at this table, for lack of money or cards."""
        return isinstance(self._sitting.table.game.turn(self._sitting.table.state), Over)

    @property
    def can_go_on(self) -> bool:
        """Whether Space does something now: that is so but where something has to be marked."""
        view = self._view
        plays = self._playing.on or self._playing.watched
        waits = self._sitting.dialogue.hides
        return self.over or plays or waits or self._stands or bool(view.primary or view.usual)

    @property
    def _stands(self) -> bool:
        """Whether the table could not play on, for its log could not be written."""
        return not (self._sitting.table.waiting or self._playing.on or self.over)

    def called(self, action: str) -> str | None:
        """Say what a key's action is called at this moment, if not by its own name."""
        if action == PRIMARY:
            if self.over:
                loan = self._sitting.loan
                own = self._view.primary_name
                return f"Borrow {dollars(loan)}" if loan else own
            if not self._sitting.table.waiting:
                if self._playing.watched:
                    return "Pause" if self._playing.on else "Play on"
                if self._playing.on:
                    return "Hurry"
        if action in TAKES_BACK and not self.takes_back:
            return ""
        if action == "mistakes":
            made = self._view.journal.mistakes
            told = made and not self._sitting.staked
            return f"See {made} mistake{'s' if made > 1 else ''}" if told else ""
        return self._view.called(action)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Say why the action of a greyed key cannot be done now, or not at this table."""
        if action in TAKES_BACK:
            money = not self._sitting.practice
            return f"choices stand {'where you play for money' if money else 'in this game'}."
        return super().why_not(action, parameters)

    def no_mistakes(self, face: Face[O, S, A, E, T]) -> str:
        """Say why there is no mistake to be listed."""
        if not self._view.definition.adviser.judges:
            return "this game's choices are not judged."
        if not (face.advice.every_choice or self._view.weighs or self._view.journal.choices):
            return (
                f"choices are judged while the trainer is on: {key_of(self._view, 'game.trainer')}."
            )
        return "no mistakes so far."
