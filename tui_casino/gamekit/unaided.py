"""Games as they are played where nobody is helped: in daily deals, and with other people."""

from __future__ import annotations

import re
from typing import Any

from ..structs import replace
from .definition import ChoiceRules, GameDefinition
from .words import QuestionContext


def unaided(
    definition: GameDefinition[Any, Any, Any, Any, Any], reason: str
) -> GameDefinition[Any, Any, Any, Any, Any]:
    """Return a game in which nothing is taken back and questions for advice are not answered.

    The ``reason`` is given instead.
    """
    words = definition.words

    def refuse(word: str) -> Any:
        def answer(context: QuestionContext[Any, Any]) -> str:
            return f"{word}: {reason}"

        return answer

    def help_text(view: Any) -> str:
        entries = re.split(r"\n(?! {5})", words.help(view))  # with their further lines
        return "\n".join(one for one in entries if not unanswered.match(one))

    unanswered = re.compile(rf" +({'|'.join(map(re.escape, words.advice))}) ")  # they are indented
    questions = {**words.questions, **{word: refuse(word) for word in words.advice}}
    return replace(
        definition,
        choices=ChoiceRules(definition.choices.deliberate),
        words=replace(words, questions=questions, help=help_text),
        unaided=reason,
    )
