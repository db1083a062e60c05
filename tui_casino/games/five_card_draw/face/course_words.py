"""The words of the classic table: the course's names for players and types of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .... import __version__
from ....cards.card import Hand
from ....cards.poker import rank_hand
from ....engine.game import Seat
from ....gamekit.words import AnswerQuestion, QuestionContext
from ....structs import replace
from ..brains.players import COURSE_NAMES
from ..machine.state import DrawAsked, Event, HandBegun, HandShown, Shuffled, State
from . import words
from .advice import best_discard
from .tally import Tally

COMPUTERS = ("The first player", *COURSE_NAMES[1:])
"""The course's names for the seats, for an observer."""
THANKS = f"Thank you for playing five-card draw. This is TUI Casino {__version__}."


def type_of(hand: Hand) -> str:
    """Return the course's name for the type of a hand: ``One Pair``, ``Three of a Kind``."""
    return rank_hand(hand).category.words.title().replace(" Of A ", " of a ")


def full_hand_name(hand: Hand) -> str:
    """Name the type of a hand and its deciding ranks: ``Full House, tens over fours``."""
    name = rank_hand(hand).name
    return f"{type_of(hand)}, {name.partition(', ')[2] or _deciding_ranks(name)}"


def _deciding_ranks(name: str) -> str:
    """Return the deciding ranks of ``a pair of jacks``, ``king high`` and ``a royal flush``."""
    return name.removeprefix("a pair of ").removesuffix(" high").replace("a royal flush", "royal")


def lines(event: Event, seat: Seat | None, names: Sequence[str] = COMPUTERS) -> tuple[str, ...]:
    """Describe an event; if a hand is shown, add its type."""
    match event:
        case HandShown(hand=hand):
            event = replace(event, name=full_hand_name(hand))
    return words.lines(event, seat, names)


def deal_lines(begun: HandBegun, seat: Seat) -> tuple[str, ...]:
    """Return the messages about the shuffled deck and the deal."""
    return (*lines(Shuffled(), seat), *lines(begun, seat))


def draw_prompts(hand: Hand, seat: Seat, question: str) -> tuple[str, ...]:
    """Return the question which cards to discard, if possible after the sentence about an ace.

    The first text is the longest. The others are only the sentence and only the question.
    """
    _, *ace_rule = lines(DrawAsked(seat, hand), seat)
    return (f"{ace_rule[0]} {question}", ace_rule[0], question) if ace_rule else (question,)


def _advice(question: QuestionContext[State, Tally]) -> str | None:
    return best_discard(question.view, question.seat, full_hand_name)


questions: Mapping[str, AnswerQuestion[State, Tally]] = {**words.questions, "a": _advice}

WORDS = replace(words.WORDS, lines=lines, questions=questions)
