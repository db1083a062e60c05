"""The trainer in screen-reader mode: the EV of each choice, and the reason for the last verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..gamekit.action_grammar import format_command
from ..gamekit.adviser import Decision, ValuesScope
from ..gamekit.definition import AnyDefinition
from ..gamekit.verdict import (
    action_text,
    alternative_line,
    alternative_lines,
    cost_text,
    costly_mistake,
    difference_text,
    verdict_lines,
    verdict_sentence,
)
from ..house.lobby import AnySitting
from ..house.session_goal import SessionGoal
from ..house.table_commands import ActionCommand, read_command
from ..inputs.files import BadFile
from ..inputs.numbers import is_integer, parse_integer
from ..records.cache import Cache
from ..records.log_review import decision_at
from ..records.playback import Playback
from .voice import HELPS, Voice, VoicePlace

VALUES = ("o", "ev", "values", "worth")
WHY, ADVICE, TRAINER, GOAL = "why", "a", ("t", "trainer"), "goal"
WORDS = frozenset((*VALUES, WHY, ADVICE, *TRAINER, GOAL))
HELP = (
    "o: the EV of each choice that you have now, or had last; ev, values and worth do the same",
    "why: what your last choice cost, and the reason",
    "t, or trainer: turns the trainer on or off; EVs before a choice, its cost after it",
)


class TrainedInput(Iterator[str]):
    """The lines typed at a table, except the commands that the trainer answers.

    An empty line repeats the question of the ``place``, if there is one, and ``?`` says its help, a
    few rows at a time. It also follows the session's ``goal``.
    """

    def __init__(
        self,
        voice: Voice,
        sitting: AnySitting,
        place: VoicePlace,
        goal: SessionGoal | None = None,
        *,
        on: bool = False,
    ) -> None:
        self._voice, self._sitting, self._place = voice, sitting, place
        self.on, self.was_used, self._goal = on, False, goal
        self._log = sitting.log  # another one after a choice was taken back
        self._last_state: object = None  # the state whose choices were last listed
        self._last_step = 0  # the last choice that was judged
        self._judged_state: object = None  # the state before which all choices were judged
        self._warned: object = None  # the action that the player was warned of last
        if on and sitting.log.steps:  # choices of before were judged then
            self._judge_from_now()

    def say(self, line: str) -> None:
        """Say a line of the table, after the verdict on the last choice.

        The question is the last line, also after the EV of each choice.
        """
        question = self._place.question()
        if self.on:
            self._judge()
            if line == question:
                self._list_values()
        if line == question:
            self._voice.ask_last(line)
        else:
            self._voice.say(line)

    def __next__(self) -> str:
        """Return the next line. Raises ``StopIteration`` at the end of the input."""
        definition = self._sitting.definition
        while True:
            if self.on and self._sitting.table.state is not self._last_state:
                self._judge()
                self._list_values()
            if self._goal is not None:
                self._goal.announce(self._voice.say)
            self._voice.ask_last(self._place.question())
            line = next(self._voice)
            match line.strip().lower():
                case "" if question := self._place.question():
                    self._voice.say(question)
                case word if word in HELPS:
                    self._voice.say_list(self._place.help())
                case word if word not in WORDS:
                    command = self._as_command(line)
                    if not (self.on and self._warns(command)):
                        return command
                case word if definition.unaided and word in (*VALUES, WHY, *TRAINER):
                    self._voice.say(f"{word}: {definition.unaided}")
                case word if word in VALUES:
                    if not (self._list_values() or self._list_last_values()):
                        self._voice.say(no_advice_reason(definition))
                case word if word == GOAL and self._goal is None:
                    self._voice.say("This session has no goal.")
                case word if word == GOAL and self._goal is not None:
                    self._voice.say(f"{self._goal.goal.text}: {self._goal.progress().text}.")
                case word if word == WHY:
                    self._explain()
                case word if word == ADVICE:
                    if definition.unaided or not self._advise():
                        return line
                case _ if not definition.adviser.has_action_values:
                    self._voice.say(no_advice_reason(definition))
                case _:
                    self.on, self.was_used = not self.on, True
                    self._judge_from_now()
                    self._voice.say(f"The trainer is {'on' if self.on else 'off'}.")

    def _judge_from_now(self) -> None:
        """Say no verdict on the choices so far."""
        self._judged_state = self._sitting.table.state
        decision = last_decision(self._sitting) if self.on else None
        self._last_step = decision.step if decision else 0

    def _as_command(self, line: str) -> str:
        """Return a line as a command: words of the game, yes or no, or the numbers of a choice."""
        words, texts = line.split(), self._sitting.definition.words
        if words and all(map(is_integer, words)):
            return number_command(self._sitting, tuple(map(parse_integer, words))) or line
        if (answer := texts.spoken.answers.get(line.strip().lower())) is not None:
            kind = texts.verbs[answer]
            if any(offer.kind is kind for offer in self._sitting.dialogue.situation().offers):
                return answer
        return texts.spoken.as_command(line)

    def _warns(self, command: str) -> bool:
        """Say once that a command makes a costly choice; return false if it may be carried out."""
        sitting, share = self._sitting, self._voice.warned_share
        warned, self._warned = self._warned, None
        if share is None or sitting.dialogue.shared or not command.strip():
            return False
        at = sitting.dialogue.situation()
        read = read_command(command, at)
        if not isinstance(read, ActionCommand) or read.action == warned:
            return False
        definition = sitting.definition
        if not (
            definition.adviser.has_judge and definition.is_choice(at.view, at.seat, read.action)
        ):
            return False
        decision = costly_mistake(definition, at.view, at.seat, read.action, share)
        if decision is None:
            return False
        self._warned = read.action
        best = action_text(definition, decision, decision.best)
        self._voice.say(
            f"That costs {cost_text(definition, decision)}. Best: {best}. "
            "Type it again to do it, or choose something else."
        )
        return True

    def _list_values(self) -> bool:
        self._last_state = self._sitting.table.state
        lines = choice_values(self._sitting)
        if lines:
            self._voice.say_list(lines)
        return bool(lines)

    def _list_last_values(self) -> bool:
        """List the choices that the player had last time; return whether there were any."""
        definition = self._sitting.definition
        decision = last_decision(self._sitting) if definition.adviser.has_judge else None
        if decision is None:
            return False
        self._voice.say("Your last choice:")
        self._voice.say_list(alternative_lines(definition, decision))
        return True

    def _judge(self) -> None:
        """Say the verdict on the player's last choice once."""
        definition, state = self._sitting.definition, self._sitting.table.state
        if state is self._judged_state:
            return
        self._judged_state = state
        decision = last_decision(self._sitting) if definition.adviser.has_judge else None
        if self._sitting.log is not self._log:  # the choices before that one were judged
            self._log, self._last_step = self._sitting.log, decision.step if decision else 0
        if decision is not None and decision.step > self._last_step:
            self._last_step = decision.step
            self._voice.say(verdict_sentence(definition, decision))

    def _advise(self) -> bool:
        """Say the best choice and the reason; return false if the trainer knows none now."""
        sitting, definition = self._sitting, self._sitting.definition
        if not (lines := choice_values(sitting)):
            return False
        at = sitting.dialogue.situation()
        best = definition.adviser.values(at.view, at.seat)[0].action
        self._voice.say(f"Best: {lines[0].replace(': best,', ',')}.")
        decision = definition.decision(at.view, at.seat, best, ValuesScope.OF_ALL)
        for line in definition.reasons(decision) if decision is not None else ():
            self._voice.say(line)
        return True

    def _explain(self) -> None:
        definition = self._sitting.definition
        if not definition.adviser.has_judge:
            self._voice.say(no_advice_reason(definition))
        elif (decision := last_decision(self._sitting)) is None:
            self._voice.say("The trainer has not judged any of your choices yet.")
        else:
            for line in verdict_lines(definition, decision):
                self._voice.say(line)


def number_command(sitting: AnySitting, numbers: tuple[int, ...]) -> str:
    """Return the command for numbers without a verb, if exactly one action takes them now."""
    at, values = sitting.dialogue.situation(), (*numbers[:1], tuple(sorted(numbers)))
    actions = [
        offer.kind(value)
        for offer in at.offers
        for value in (values if len(numbers) == 1 else values[1:])
        if offer.barred is None and len(offer.domains) == 1 and offer.domains[0].contains(value)
    ]
    if len(actions) != 1:
        return ""
    return format_command(actions[0], sitting.definition.words.verbs)


def choice_values(sitting: AnySitting) -> list[str]:
    """Return a line with each current choice's EV, best first, or nothing if there is no choice."""
    definition, dialogue = sitting.definition, sitting.dialogue
    if not definition.adviser.has_action_values or dialogue.viewer is None or dialogue.shared:
        return []
    at = dialogue.situation()
    values = definition.adviser.values(at.view, at.seat)
    best = max((one.value for one in values), default=0)
    spoken = definition.words.spoken
    names = (spoken.describe(definition.format_action(at.view, at.seat, v.action)) for v in values)
    return [
        alternative_line(definition, name, one, difference_text(definition, best, one.value))
        for name, one in zip(names, values, strict=True)
    ]


def last_decision(sitting: AnySitting) -> Decision[Any, Any] | None:
    """Return the player's last judged choice in a session, with its alternatives.

    Return ``None`` if there is none, or if several people share the keyboard.
    """
    dialogue, definition = sitting.dialogue, sitting.definition
    if dialogue.shared:
        return None
    try:
        with Playback(definition, sitting.log.path, Cache(sitting.house.cache)) as playback:
            for step in range(playback.steps, 0, -1):
                played, seat = playback.seat_step(step), dialogue.seat
                if (
                    played.played.line.by == seat
                    and definition.choices.deliberate(played.played.action)
                    and (decision := decision_at(definition, seat, played, ValuesScope.OF_ALL))
                ):
                    return decision
    except BadFile:
        pass
    return None


def no_advice_reason(definition: AnyDefinition) -> str:
    """Return why there is no advice."""
    if not definition.adviser.has_action_values:
        return "Choices are not evaluated in this game" + "; a gives advice" * (
            "a" in definition.words.questions
        )
    return "There is no choice to make now."
