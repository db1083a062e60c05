"""The trainer in screen-reader mode: says the EV of each choice."""

from __future__ import annotations

from collections.abc import Iterator

from ..gamekit.definition import AnyDefinition
from ..house.lobby import AnySitting
from .prompts import HELPS
from .voice import Voice

SHOWN = 6
"""The number of choices listed, best first."""
EV, WORTH, TRAINER = "ev", "worth", "trainer"
WORDS = frozenset((EV, WORTH, TRAINER))
HELP = """\
  ev       the EV of each choice now; worth does the same
  trainer  turns the trainer on or off; it says the EV before every choice"""


class TrainedInput(Iterator[str]):
    """The lines typed at a table, except the commands that the trainer answers."""

    def __init__(self, voice: Voice, sitting: AnySitting) -> None:
        self._voice, self._sitting = voice, sitting
        self._on = False
        self._last_state: object = None  # the state whose choices were last listed

    def __next__(self) -> str:
        """Return the next line. Raises ``StopIteration`` at the end of the input."""
        while True:
            if self._on and self._sitting.table.state is not self._last_state:
                self._tell()
            line = next(self._voice)
            match line.strip().lower():
                case word if word not in WORDS:
                    if word in HELPS:
                        self._voice.say(HELP)
                    return line
                case word if word in (EV, WORTH):
                    if not self._tell():
                        self._voice.say(no_advice_reason(self._sitting.definition))
                case _ if not self._sitting.definition.adviser.has_action_values:
                    self._voice.say(no_advice_reason(self._sitting.definition))
                case _:
                    self._on = not self._on
                    self._voice.say(f"The trainer is {'on' if self._on else 'off'}.")

    def _tell(self) -> bool:
        self._last_state = self._sitting.table.state
        lines = choice_values(self._sitting)
        for line in lines:
            self._voice.say(line)
        return bool(lines)


def choice_values(sitting: AnySitting) -> list[str]:
    """Return the EV of each current choice, best first; empty if there is no choice."""
    definition, dialogue = sitting.definition, sitting.dialogue
    if not definition.adviser.has_action_values or dialogue.viewer is None or dialogue.shared:
        return []
    at = dialogue.situation()
    values = definition.adviser.values(at.view, at.seat)
    best = max((float(one.value) for one in values), default=0.0)
    lines = [
        choice_line(
            definition,
            definition.format_action(at.view, at.seat, one.action),
            float(one.value),
            best - float(one.value),
            one.error,
        )
        for one in values[:SHOWN]
    ]
    return [*lines, *others_line(len(values) - SHOWN)]


def no_advice_reason(definition: AnyDefinition) -> str:
    """Return why there is no advice."""
    if not definition.adviser.has_action_values:
        return "Choices are not evaluated in this game" + "; a gives advice" * (
            "a" in definition.words.questions
        )
    return "There is no choice to make now."


def choice_line(
    definition: AnyDefinition, words: str, value: float, cost: float, error: float
) -> str:
    """Return the EV and the cost of a choice, with the standard error if there is one."""
    error_text = f", error {definition.format_amount(error)}" if error else ""
    amount = definition.format_amount
    return f"  {words}: EV {amount(value)}, cost {amount(cost)}{error_text}"


def others_line(count: int) -> Iterator[str]:
    """Yield how many other choices there are, if any."""
    if count > 0:
        yield f"  and {count:,} other{'s' * (count > 1)}with a lower EV"
