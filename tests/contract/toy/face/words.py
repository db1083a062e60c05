"""The words of the toy game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tui_casino.engine.game import Seat
from tui_casino.gamekit.words import AnswerQuestion, QuestionContext, Words

from ..brains.odds import share, worth_keeping
from ..machine.game import Action, AllAnswered, Answered, Ante, Change, Dealt, Event, Keep, State
from .tally import Tally

verbs: Mapping[str, Callable[..., Action]] = {"d": Ante, "k": Keep, "c": Change}

_HELP = """\
Two players ante a chip and get a card each. Keep it or change it once:
both answer before either card is shown. The higher rank takes the pot, an
ace the lowest.

  d       ante, and have the cards dealt
  k       keep your card
  c 1     change it, with one hand; c 2: with two
  $       your chips
  a       whether to keep your card
  s       statistics of this sitting"""


def help(view: State) -> str:
    """Return the rules and all words."""
    return _HELP


def lines(event: Event, seat: Seat | None) -> tuple[str, ...]:
    """Describe an event; the viewer's own seat is ``You``."""

    def name(who: int) -> str:
        return "You" if who == seat else f"Seat {who + 1}"

    match event:
        case Dealt(who, card):
            return (f"{name(who)}: {card.name}",)
        case Answered(who):
            return (f"{name(who)}: answered",)
        case AllAnswered(changing):
            return tuple(f"{name(who)}: another card" for who in changing)
    shown = zip(event.cards, event.won, strict=False)  # the cards thrown away win nothing
    return tuple(f"{name(who)}: {card.name}, wins {won}" for who, (card, won) in enumerate(shown))


def chips(question: QuestionContext[State, Tally]) -> str:
    """Return a number of chips as text."""
    return str(question.view.chips[question.seat])


def _advice(question: QuestionContext[State, Tally]) -> str | None:
    if not question.view.staked:
        return None
    rank = question.view.cards[question.seat].rank
    advised = "Keep it" if worth_keeping(rank) else "Change it"
    return f"{advised}: kept, it takes {float(share(rank)):.1%} of the pot from any other card"


def _statistics(question: QuestionContext[State, Tally]) -> str:
    tally = question.tally
    return f"Rounds {tally.rounds}, chips won {tally.won - tally.wagered:+}"


questions: Mapping[str, AnswerQuestion[State, Tally]] = {"$": chips, "a": _advice, "s": _statistics}

WORDS = Words(verbs, questions, help, lines)
