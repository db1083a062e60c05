"""Games as they are played where nobody is helped: in daily deals, and with other people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..engine.game import Seat
from ..structs import replace
from .definition import ChoiceRules, GameDefinition
from .words import QuestionContext


def unaided(
    definition: GameDefinition[Any, Any, Any, Any, Any], reason: str
) -> GameDefinition[Any, Any, Any, Any, Any]:
    """Return a game in which nothing is taken back and no advice is given.

    Questions for advice are not answered: the ``reason`` is given instead.
    """
    words = definition.words

    def refuse(word: str) -> Any:
        def answer(context: QuestionContext[Any, Any]) -> str:
            return f"{word}: {reason}"

        return answer

    def without_tips(text: str) -> str:
        return text if words.tips is None else words.tips.sub("", text)

    def lines(event: Any, seat: Seat | None) -> tuple[str, ...]:
        return tuple(filter(None, map(without_tips, words.lines(event, seat))))

    def help_text(view: Any) -> str:
        return without_entries(without_tips(words.help(view)), words.advice)

    questions = {**words.questions, **{word: refuse(word) for word in words.advice}}
    return replace(
        definition,
        choices=ChoiceRules(definition.choices.deliberate),
        words=replace(words, questions=questions, help=help_text, lines=lines),
        unaided=reason,
    )


def without_entries(text: str, names: Iterable[str]) -> str:
    r"""Return a help text without the entries of these words or keys.

    >>> without_entries("  d  deal\n  o  the odds\n     of each hand", ["o"])
    '  d  deal'
    """
    left_out = re.compile(rf" +({'|'.join(map(re.escape, names)) or '$^'}) ")  # they are indented
    entries = re.split(r"\n(?! {5})", text)  # with their further lines
    return "\n".join(one for one in entries if not left_out.match(one))
