"""How five-card draw is spoken with: the messages of the course, bets by one letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...cards import Hand
from ...core import IllegalAction, Refusal, Seat
from ...parts import Answer, Question
from ...poker_hands import rank_hand
from .algorithm import decide
from .game import (
    HUMAN,
    LIMITS,
    Acted,
    Action,
    Bet,
    Call,
    Check,
    Discard,
    Discarded,
    DrawAsked,
    Event,
    Fold,
    HandBegun,
    HandOver,
    HandShown,
    Phase,
    Play,
    Raise,
    Shuffled,
    Stakes,
    State,
)
from .rules import HAND_CARDS, has_ace
from .tally import Tally, table

verbs: Mapping[str, Callable[..., Action]] = {
    "d": Play,
    "x": Discard,
    "k": Check,
    "b": Bet,
    "c": Call,
    "r": Raise,
    "f": Fold,
}

_HELP = """\
Five-card draw. Everybody gets five cards, discards what he does not want,
draws as many, and the best hand wins. Suits never rank, ties share.
{stakes}

  d        deal the next hand
  x 1 3 5  discard these cards and draw; x alone stands pat
           up to 3 cards, or 4 if the one that you keep is an ace{bets}
  $        your stack
  a        what your hand is, and what the computer's algorithm would discard
  s        statistics of this sitting"""

_BETS = """
  k        check: stay in while there is no bet
  b        bet {low} before the draw, {high} after it
  c        call: match the bet, or put in all that is left
  r        raise by as much again, three times at most
  f        fold: give up the hand"""

_STAKES = {
    Stakes.NOTHING: "You play for nothing but the honour.",
    Stakes.ANTE: "Each hand costs an ante of 5, and the winner takes the pot.",
    Stakes.LIMIT: "An ante of 5, a round of bets before the draw and one after it.",
}


def help(view: State) -> str:
    """Give the rules in short and every word, at this table's stakes."""
    low, high = LIMITS
    bets = _BETS.format(low=low, high=high)
    return _HELP.format(stakes=_STAKES[view.options.stakes], bets=bets)


def name_of(seat: int, me: Seat | None) -> str:
    """Name a player: ``You``, ``Computer Player 1``."""
    if seat == me:
        return "You"
    return "The first player" if seat == HUMAN else f"Computer Player {seat}"


def _has(seat: int, me: Seat | None) -> str:
    return f"{name_of(seat, me)} {'have' if seat == me else 'has'}"


def show_cards(hand: Hand) -> str:
    """Print cards as two characters each, with one space between."""
    return " ".join(map(str, hand))


def lines(event: Event, seat: Seat | None) -> tuple[str, ...]:
    """Say what happened, to a seat or to the house."""
    match event:
        case Shuffled():
            return ("The deck is being shuffled.",)
        case HandBegun(seats, ante):
            dealt = f"The cards are being dealt to {len(seats)} players."
            return (dealt, f"Everybody puts in {ante}.") if ante else (dealt,)
        case DrawAsked(other, hand) if other == seat:
            return _asked(hand)
        case Discarded(other, cards):
            count = f"{len(cards) or 'no'} card{'s' * (len(cards) != 1)}"
            return (f"{_has(other, seat)} discarded {count}.",)
        case Acted(other, act, chips):
            return (_acted(other, act, chips, seat),)
        case HandShown(other, hand, name):
            return (f"{_has(other, seat)} {show_cards(hand)}: {name}.",)
        case HandOver(winners, _, won, _):
            return (_over(winners, won, seat),)
    return ()


def _asked(hand: Hand) -> tuple[str, ...]:
    numbered = " ".join(f"{place}) {card}" for place, card in enumerate(hand, 1))
    said = [f"The cards in your hand are: {numbered}"]
    if has_ace(hand):
        said.append("Since you have an Ace you can keep the Ace and discard the other four cards.")
    return tuple(said)


_DOES = {
    "check": ("check", "checks"),
    "call": ("call {}", "calls {}"),
    "bet": ("bet {}", "bets {}"),
    "raise": ("raise and put in {}", "raises and puts in {}"),
    "fold": ("fold", "folds"),
}


def _acted(other: int, act: str, chips: int, me: Seat | None) -> str:
    return f"{name_of(other, me)} {_DOES[act][other != me].format(chips)}."


def _over(winners: tuple[int, ...], won: tuple[int, ...], me: Seat | None) -> str:
    names = [name_of(seat, me) for seat in winners]
    if len(winners) > 1:
        whole = f"{', '.join(names[:-1])} and {names[-1]} tie"
    else:
        whole = f"{names[0]} {'win' if winners[0] == me else 'wins'}"
    if not any(won):
        return f"{whole}."
    return f"{whole} {' and '.join(str(won[seat]) for seat in winners)}."


def refusal(word: str, refused: IllegalAction, view: State) -> str:
    """Say why, and for a discard what would be right."""
    if refused.kind is Refusal.BARRED:
        return f"{word}: {refused.why}"
    if word not in verbs and word not in questions:
        return f"there is no command {word!r}; ? helps"
    if word == "x" and refused.kind in (Refusal.WORDS, Refusal.VALUE):
        return f"x: {_discards(view)}"
    if refused.kind is Refusal.WORDS:
        return f"{word}: takes no further words"
    return f"{word}: not now"


def _discards(view: State) -> str:
    ace = view.phase is Phase.DRAW and has_ace(view.hands[HUMAN])
    four = ", or 4 to keep an ace alone" if ace else ""
    return f"up to 3 different numbers from 1 to 5{four}"


def _stack(question: Question[State, Event]) -> str:
    view = question.view
    if view.options.stakes is Stakes.NOTHING:
        return "You play for nothing here"
    put_in = view.put_in[question.seat]
    lies = f", {put_in} more in the pot of {view.pot}" if view.pot else ""
    return f"Your stack is {view.stacks[question.seat]}{lies}"


def _advice(question: Question[State, Event]) -> str | None:
    view = question.view
    hand = view.hands[question.seat]
    if len(hand) < HAND_CARDS:
        return None
    said = f"You have {rank_hand(hand).name}"
    if view.phase is not Phase.DRAW:
        return said
    decision = decide(hand)
    places = " ".join(map(str, decision.discards)) or "nothing"
    return f"{said}; the computer would discard {places} ({decision.step.words})"


def _statistics(question: Question[State, Event]) -> str:
    assert isinstance(question.tally, Tally)
    return table(question.tally, question.view.stacks[question.seat])


questions: Mapping[str, Answer[State, Event]] = {"$": _stack, "a": _advice, "s": _statistics}
