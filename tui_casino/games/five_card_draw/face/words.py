"""The commands of five-card draw, one letter for each action, and the lines that it prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ....cards.card import Hand, format_cards
from ....cards.poker import rank_hand
from ....engine.game import IllegalAction, Refusal, Seat
from ....gamekit.words import AnswerQuestion, QuestionContext, Words
from ..brains.players import NAMES
from ..machine.rules import has_ace
from ..machine.state import (
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
    HandHeld,
    HandOver,
    HandShown,
    Phase,
    Play,
    Raise,
    Shuffled,
    Stakes,
    State,
)
from .advice import best_discard
from .spoken_words import SPOKEN
from .summary import discard_in_words, hand_in_words, moment
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
Five-card draw. Each player gets five cards, discards some of them and draws
as many new ones. The best hand wins. Suits never count; ties share the pot.
{stakes}

  d      deal the next hand
  x 1 3  discard these cards and draw; x without numbers stands pat
         up to 3 cards, or 4 if you keep an ace
  $      your credit
  a      the best discard, its chance to win, the algorithm's discard
  s      statistics of this session
{bets}
  k      check: stay in while nobody has bet
  b      bet {low} before the draw, {high} after it
  c      call: match the bet, or put in all you have left
  r      raise by the size of a bet, at most three times
  f      fold: give up the hand"""

_STAKES = {
    Stakes.NOTHING: "Free play: there are no bets.",
    Stakes.ANTE: "Each hand costs an ante of 5, and the winner takes the pot.",
    Stakes.LIMIT: "Each hand costs an ante of 5, with a betting round before and after the draw.",
}


def help(view: State) -> str:
    """Return the rules in brief and all commands, for this table's stakes."""
    low, high = LIMITS
    stakes = view.options.stakes
    bets = "Bets:" if stakes is Stakes.LIMIT else "Bets, only at fixed-limit tables:"
    return _HELP.format(stakes=_STAKES[stakes], bets=bets, low=low, high=high)


PLAYERS = ("The first player", *NAMES[1:])
"""The names of the seats in texts for an observer."""


def _name_of(seat: int, me: Seat | None, names: Sequence[str] = PLAYERS) -> str:
    """Name a player: ``You``, ``Ada``."""
    return "You" if seat == me else names[seat]


def lines(event: Event, seat: Seat | None, names: Sequence[str] = PLAYERS) -> tuple[str, ...]:
    """Describe an event to a seat, or to an observer (``None``), with the seats' ``names``."""

    def does(other: int, own_verb: str, verb: str) -> str:
        return f"{_name_of(other, seat, names)} {own_verb if other == seat else verb}"

    match event:
        case Shuffled():
            return ("The deck is being shuffled.",)
        case HandBegun(seats, ante):
            text = f"The cards are being dealt to {len(seats)} players."
            return (text, f"Everybody puts in {ante}.") if ante else (text,)
        case HandHeld(other, hand) if other == seat:
            return (f"Your hand is {format_cards(hand)}: {rank_hand(hand).name}.",)
        case DrawAsked(other, hand) if other == seat:
            return _draw_prompt(hand)
        case Discarded(other, cards):
            count = f"{len(cards) or 'no'} card{'s' * (len(cards) != 1)}"
            return (f"{does(other, 'have', 'has')} discarded {count}.",)
        case Acted(other, act, chips):
            return (f"{does(other, *_DOES[act]).format(chips)}.",)
        case HandShown(other, hand, name):
            return (f"{does(other, 'have', 'has')} {format_cards(hand)}: {name}.",)
        case HandOver():
            return tuple(_result_lines(event, seat, names))
    return ()


def _draw_prompt(hand: Hand) -> tuple[str, ...]:
    numbered = " ".join(f"{place}) {card}" for place, card in enumerate(hand, 1))
    lines = [f"The cards in your hand are: {numbered}"]
    if has_ace(hand):
        lines.append("Since you have an Ace you can keep the Ace and discard the other four cards.")
    return tuple(lines)


_DOES = {
    "check": ("check", "checks"),
    "call": ("call {}", "calls {}"),
    "bet": ("bet {}", "bets {}"),
    "raise": ("raise and put in {}", "raises and puts in {}"),
    "fold": ("fold", "folds"),
}


def who_wins(winners: Sequence[int], me: Seat | None, names: Sequence[str] = PLAYERS) -> str:
    """Say who wins or who ties: ``You win``, ``Ada, Blaise and Carl tie``."""
    *others, last = (_name_of(seat, me, names) for seat in _own_seat_first(winners, me))
    if others:
        return f"{', '.join(others)} and {last} tie"
    return f"{last} {'win' if winners[0] == me else 'wins'}"


def _own_seat_first(seats: Sequence[int], me: Seat | None) -> list[int]:
    return sorted(seats, key=lambda seat: seat != me)


def _result_lines(over: HandOver, me: Seat | None, names: Sequence[str]) -> Iterator[str]:
    sentence, won = who_wins(over.winners, me, names), over.won
    if not any(won):
        yield f"{sentence}."
    elif len(over.winners) == 1:
        yield f"{sentence} {won[over.winners[0]]}."
    else:
        shares = (str(won[seat]) for seat in _own_seat_first(over.winners, me))
        yield f"{sentence} for {' and '.join(shares)}."
    for seat, credits in enumerate(won):
        if credits and seat not in over.winners:
            verb = "get" if seat == me else "gets"
            yield f"{_name_of(seat, me, names)} {verb} {credits} beyond the main pot."


def refusal(word: str, refused: IllegalAction, view: State, seat: Seat) -> str:
    """Explain which discards are allowed, if a discard was refused."""
    if word == "x" and refused.kind in (Refusal.WORDS, Refusal.VALUE):
        return f"x: {_discards(view, seat)}"
    return ""


def _discards(view: State, seat: Seat) -> str:
    ace = view.phase is Phase.DRAW and has_ace(view.hands[seat])
    ace_note = ", or 4 to keep only an ace" if ace else ""
    return f"up to 3 different numbers from 1 to 5{ace_note}"


def _credit(question: QuestionContext[State, Tally]) -> str:
    view = question.view
    if view.options.stakes is Stakes.NOTHING:
        return "This is free play: no credit is used"
    put_in = view.put_in[question.seat]
    in_pot = f", {put_in} more in the pot of {view.pot}" if view.pot else ""
    return f"Your credit is {view.stacks[question.seat]}{in_pot}"


def _advice(question: QuestionContext[State, Tally]) -> str | None:
    return best_discard(question.view, question.seat)


def _statistics(question: QuestionContext[State, Tally]) -> str:
    return table(question.tally, question.view.stacks[question.seat])


questions: Mapping[str, AnswerQuestion[State, Tally]] = {
    "$": _credit,
    "a": _advice,
    "s": _statistics,
}

WORDS = Words(
    verbs,
    questions,
    help,
    lines,
    refusal,
    moment=moment,
    hand=hand_in_words,
    cards_of=discard_in_words,
    spoken=SPOKEN,
)
