"""The trainer in screen-reader mode: says the value of each choice."""

from __future__ import annotations

from collections.abc import Iterator

from ..gamekit.definition import AnyDefinition
from ..house.lobby import AnySitting
from .prompts import HELPS
from .voice import Voice

SHOWN = 6
"""So many choices are told, the best ones."""
WORTH, TRAINER = "worth", "trainer"
WORDS = frozenset((WORTH, TRAINER))
HELP = """\
  worth    what each choice is worth now
  trainer  says that before every choice; once more, and it is off"""


class TrainedInput(Iterator[str]):
    """The lines of a voice at a table, but for the words that the trainer answers."""

    def __init__(self, voice: Voice, sitting: AnySitting) -> None:
        self._voice, self._sitting = voice, sitting
        self._on = False
        self._last_state: object = None  # the state whose choices were told last

    def __next__(self) -> str:
        """Give the next line. Raises ``StopIteration`` at the end of the input."""
        while True:
            if self._on and self._sitting.table.state is not self._last_state:
                self._tell()
            line = next(self._voice)
            match line.strip().lower():
                case word if word not in WORDS:
                    if word in HELPS:
                        self._voice.say(HELP)
                    return line
                case word if word == WORTH:
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
    """Say what each choice is worth that a player has now, the best first; nothing without one."""
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
    """Say why nothing is told."""
    if not definition.adviser.has_action_values:
        return "This game's choices are not weighed" + "; a advises" * (
            "a" in definition.words.questions
        )
    return "There is no choice to weigh just now."


def choice_line(
    definition: AnyDefinition, words: str, value: float, cost: float, error: float
) -> str:
    """Say of a choice what it is worth and costs, with the standard error if there is one."""
    error_text = f", error {definition.format_amount(error)}" if error else ""
    amount = definition.format_amount
    return f"  {words}: worth {amount(value)}, costs {amount(cost)}{error_text}"


def others_line(count: int) -> Iterator[str]:
    """Say that there are so many choices besides, if there are any."""
    if count > 0:
        yield f"  and {count:,} other{'s' * (count > 1)}, worth less"
