"""What a recording tells to a view: what its seat saw and heard at each moment, and said to it."""

from __future__ import annotations

from typing import Any, Generic

from ...engine.game import A, E, O, S, Seat, Shoe, asks
from ...engine.offers import is_choice
from ...gamekit.tally import T
from ...gamekit.words import Question
from ...inputs.files import BadFile
from ...inputs.plain import plain
from ...records.header import HUMAN
from ...records.moment import Moment
from ...records.playback import Playback
from ...records.replay import options_of
from ...records.sealed import not_yet
from ..table.spoken import AnyView, in_signs, spoken

ADVICE = "a"
"""The question that every game's adviser answers."""


class NotToldYet(BadFile):
    """Nothing is wrong with a recording, but it is shown only when the sitting is over."""


class Reading(Generic[O, S, A, E, T]):
    """A recording as its seat lived it. Raises :class:`~tui_casino.inputs.files.BadFile`.

    As long as several play on, none of them is to see here what the others hold: then it is
    :class:`NotToldYet`.
    """

    def __init__(self, recording: Playback[O, S, A, E, T]) -> None:
        self.definition, self.seat = recording.definition, recording.seat
        self.options = options_of(self.definition.game, recording.log)
        end = recording.end
        if why := not_yet(recording.header, over=end is not None and end.final):
            raise NotToldYet(recording.path, why)
        self.players = {
            Seat(n): None if who == HUMAN else plain(who)
            for n, who in enumerate(recording.header.players)
        }

    def seen(self, moment: Moment[S, A, E, T]) -> S:
        """Give the state as the seat saw it."""
        return self.definition.game.view(moment.state, self.seat)

    def heard(self, moment: Moment[S, A, E, T]) -> list[E]:
        """Give the events of the step as the seat heard them."""
        return [
            self.definition.game.hear(moment.state, event, self.seat) for event in moment.events
        ]

    def advice(self, moment: Moment[S, A, E, T]) -> list[str]:
        """Ask the game's adviser what the seat should do next; nothing where it may do nothing."""
        answer = self.definition.words.questions.get(ADVICE)
        if answer is None or not asks(self.definition.game.turn(moment.state), self.seat):
            return []
        said = answer(Question(self.seen(moment), self.seat, moment.tally))
        return [] if said is None else said.split("\n")

    def forced(self, moment: Moment[S, A, E, T]) -> bool:
        """Whether the seat had but one thing to do next, which is neither good nor bad."""
        return not is_choice(self.definition.game.offers(self.seen(moment), self.seat))

    def deed(self, view: AnyView, moment: Moment[S, A, E, T], before: S | None) -> str:
        """Say in a few words what was done at a step; not what the seat could not see.

        ``before`` is what the seat saw before it, if there was a step.
        """
        heard = (line for event in self.heard(moment) for line in view.heard(event))
        said = in_signs(" ".join(heard))
        if moment.action is None:
            return "the beginning"
        if moment.by is None:
            return said or ("a new shoe" if isinstance(moment.action, Shoe) else "a card is dealt")
        if moment.by != self.seat:
            return said or f"{view.name_of_seat(moment.by)} has chosen"
        return chosen(view, before, moment.action)


def chosen(view: AnyView, before: Any, action: Any) -> str:
    """Say what the player of a recording did."""
    return f"You: {spoken(view, before, action)}"
