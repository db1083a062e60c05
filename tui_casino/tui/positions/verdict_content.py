"""The content of a verdict: the cards, the sentences, and a line for each alternative."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from ...cards.card import BACK, Card, Hand
from ...gamekit.adviser import ActionValue, Decision
from ...gamekit.verdict import (
    alternative_cost,
    amount_text,
    cost_text,
    earlier_sentence,
    own_cost,
    verdict_sentence,
)
from ...teacher.positions import AnyPracticePosition
from ...teacher.practice_tasks import PracticeTask
from ..draw.choice_list import BEFORE, BEST, NOW, ChoiceList, ChoiceRow
from ..draw.text import with_sign
from ..table.action_text import with_card_signs
from ..widgets.meters import Meter
from .position_screen import PositionAnswer


class VerdictContent(Struct, frozen=True):
    """The content of a verdict; ``best`` and ``now`` are the cards of the best and this choice."""

    right: bool
    sentence: str
    details: tuple[str, ...]
    standing: str
    best: Hand
    now: Hand
    choices: ChoiceList

    @property
    def sides(self) -> tuple[Hand, str, Hand]:
        """The parts of the position's description: own cards, words, and opposing cards."""
        words = self.standing.split()
        own = tuple(_leading_cards(words))
        rest = words[len(own) :]
        link = [word for word in rest if not [*_leading_cards([word])]]
        return own, " ".join(link), tuple(_leading_cards(rest[len(link) :]))


def _leading_cards(words: Sequence[str]) -> Iterator[Card]:
    """Yield cards until a word is not a card that can be seen."""
    for word in words:
        try:
            card = Card.parse(word)
        except ValueError:
            return
        if card is BACK:
            return
        yield card


def verdict_content(task: PracticeTask, answered: PositionAnswer) -> VerdictContent:
    """Convert a verdict into words and figures for the screen."""
    decision, definition = answered.decision, task.position.definition
    names = dict(zip((one.action for one in decision.values), answered.names, strict=True))
    top, mistake = decision.values[0], task.mistake
    details = [*definition.reasons(decision)]
    if mistake is not None:
        did = definition.words.spoken.describe(mistake.action, past=True)
        details.insert(0, earlier_sentence("Last time", did, cost_text(definition, mistake)))
    columns = definition.adviser.columns(decision)
    losses = [decision.cost_of(one) for one in decision.values]
    maximum = max(losses, default=0.0) or 1.0
    best_action = decision.best if decision.mistake else top.action
    rows = tuple(
        _row(
            task,
            decision,
            names[one.action],
            one,
            loss / maximum,
            best=one.action == best_action,
            now=one.action == decision.action,
            figures=tuple(column.texts.get(one.action, "–") for column in columns),
        )
        for one, loss in zip(decision.values, losses, strict=True)
    )
    top_cards, now_cards = (_cards(task.position, one) for one in (best_action, decision.action))
    return VerdictContent(
        decision.mistake is None,
        with_card_signs(verdict_sentence(definition, decision)),
        tuple(map(with_card_signs, details)),
        answered.standing,
        top_cards,
        now_cards,
        ChoiceList(
            "choices",
            rows,
            f"in {definition.unit_name}",
            tuple(column.heading for column in columns),
            scroll=0,
        ),
    )


def _row(
    task: PracticeTask,
    decision: Decision[Any, Any],
    name: str,
    one: ActionValue[Any],
    share: float,
    *,
    best: bool,
    now: bool,
    figures: tuple[str, ...],
) -> ChoiceRow:
    definition, mistake = task.position.definition, task.mistake
    value = float(one.value)
    ev = with_sign(value, _in_column(amount_text(definition, abs(value))))
    cost = BEST if best else _in_column(alternative_cost(definition, decision, one) or "0.00")
    earlier = mistake is not None and _words(task, one) == mistake.action
    label = NOW if now else BEFORE if earlier else ""
    return ChoiceRow(name, ev, cost, "", share, figures, label=label)


def _in_column(amount: str) -> str:
    return amount.replace("less than ", "<")


def _words(task: PracticeTask, one: ActionValue[Any]) -> str:
    return task.position.definition.format_action(
        task.position.view, task.position.seat, one.action
    )


def _cards(at: AnyPracticePosition, action: Any) -> Hand:
    return at.definition.words.cards_of(at.view, at.seat, action) or ()


def verdict_meters(task: PracticeTask, answered: PositionAnswer, fate: str) -> tuple[Meter, ...]:
    """Return a verdict's meters: earlier cost, cost now, time, and when the position comes back."""
    definition, decision, mistake = task.position.definition, answered.decision, task.mistake
    right = decision.mistake is None
    meters = [
        Meter(
            "now",
            "right" if right else _in_column(own_cost(definition, decision)),
            "good" if right else "bad",
        )
    ]
    if mistake is not None:
        meters.insert(0, Meter("last time", _in_column(own_cost(definition, mistake)), "bad"))
    meters.append(Meter("time", f"{answered.seconds:.0f} s"))
    if fate:
        meters.append(Meter(fate, ""))
    return tuple(meters)
