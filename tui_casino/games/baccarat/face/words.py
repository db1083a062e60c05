"""The words of baccarat: commands, messages, screen-reader texts, and a summary of a session.

Messages about a coup follow the course text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....cards.card import format_cards
from ....engine.game import IllegalAction, Refusal, Seat
from ....engine.money import dollars
from ....engine.seating import SeatLeft, SeatReady, SeatTaken, seat_name
from ....gamekit.words import AnswerQuestion, Phrase, QuestionContext, SpokenWords, Words
from ....inputs.numbers import count_noun, list_words
from ..machine import state as m
from ..machine.rules import CENTS, SPOTS, Bets, Hand, value_of
from ..machine.shared_game import Event, SeatBets, SeatPaid
from .advice import advice
from .roads import describe_roads
from .tally import Tally, table


def question(view: m.State, seat: Seat) -> str:
    """Return the question between two coups."""
    return "Deal, or bet more?" if any(view.bets) else "Bet, or deal without a bet?"


def _spoken_lines(event: m.Event, seat: Seat | None) -> tuple[str, ...] | None:
    """Return lines with the third cards only, and with what the bets win or lose."""
    match event:
        case m.BurnCard(card, burns):
            more = count_noun(burns, "more card")
            return (f"The burn card is {card}: {more} burnt.",)
        case m.BetsLaid(bets):
            named = zip(SPOTS, bets, strict=True)
            texts = [f"{credits} on {spot.label}" for spot, credits in named if credits]
            return (f"Your bets: {', '.join(texts) or 'none'}.",)
        case m.InitialDeal(player, banker):
            return _spoken_hand("Player", player), _spoken_hand("Banker", banker)
        case m.AfterDraw(player, banker):
            drawn = [
                f"{name} draws {hand.cards[2]}: {value_of(hand)}."
                for name, hand in (("Player", player), ("Banker", banker))
                if len(hand) > 2
            ]
            return (*drawn,) or ("Nobody draws.",)
        case m.CoupOver(outcome=outcome, bets=bets, paid=paid, credit=credit):
            result = "Tie." if outcome.name == "TIE" else f"{outcome} wins."
            net = sum(paid) - CENTS * sum(bets)
            verb = "win" if net > 0 else "lose"
            yours = f"You {verb} {dollars(abs(net))}" if net else "You win and lose nothing"
            return (
                (result, f"{yours}; your credit is {dollars(credit)}.") if any(bets) else (result,)
            )
    return None


def watched_lines(event: Event) -> tuple[str, ...]:
    """Return the lines that report an event at a table with others to somebody who watches."""
    match event:
        case SeatPaid(seat, bets, paid) if any(bets):
            net = sum(paid) - CENTS * sum(bets)
            result = f"{'wins' if net > 0 else 'loses'} {dollars(abs(net))}"
            result = result if net else "wins and loses nothing"
            named = zip(SPOTS, bets, strict=True)
            spots = list_words([f"{credits} on {spot.label}" for spot, credits in named if credits])
            return (f"{seat_name(seat)} bets {spots}, and {result}.",)
        case SeatTaken() | SeatLeft() | SeatBets() | SeatReady() | SeatPaid():
            return ()
    spoken = _spoken_lines(event, None)
    return lines(event, None) if spoken is None else spoken


def _spoken_hand(name: str, hand: Hand) -> str:
    return f"{name}: {format_cards(hand.cards)}, {value_of(hand)}."


SPOKEN: SpokenWords[m.State, m.Event] = SpokenWords(
    {
        "b": Phrase("bet", "bet"),
        "d": Phrase("deal", "dealt"),
        "r": Phrase("repeat the bets", "repeated the bets"),
        "c": Phrase("clear the bets", "cleared the bets"),
    },
    question=question,
    lines=_spoken_lines,
    names={
        "player": "p",
        "banker": "b",
        "tie": "t",
        "player pair": "pp",
        "banker pair": "bp",
    },
)


def moment(view: m.State, seat: Seat) -> str:
    """Return the number of the coup and the credits bet on it."""
    bets = sum(view.bets)
    bets_text = f"bets of {bets} credits" if bets else "no bets yet"
    return f"coup {len(view.coups) + 1}, {bets_text}"


verbs: Mapping[str, Callable[..., m.Action]] = {
    "b": m.Bet,
    "d": m.Play,
    "r": m.Repeat,
    "c": m.Clear,
}

_HELP = """\
Baccarat, punto banco. Bet on the player's hand, the banker's hand or
a tie. Both hands are dealt by fixed rules, and the one closer to 9
wins. Aces count 1, tens and face cards 0; only the last digit of a
hand's sum counts.

  Player pays 1:1, Banker {banker}.
  Tie pays 8:1, a pair 11:1. If the hands tie, bets on Player and
  Banker are returned. Bet 5 to 500 credits on Player or Banker, 1 to
  100 on the other spots.

  8 or 9 with two cards is a natural: nobody draws. Otherwise the
  player draws on 0 to 5. If the player stands, the banker also draws
  on 0 to 5. If the player draws, the banker's draw depends on the
  player's third card:
  2 3: on 0 to 4   4 5: on 0 to 5   6 7: on 0 to 6   8: on 0 to 2
  ace, 9, ten, face card: on 0 to 3

  b 25 p  bet 25 credits on a spot: p player, b banker, t tie,
          pp player pair, bp banker pair; betting again adds to the bet
  d       deal, with or without bets; also begins the next shoe
  r       repeat the bets of the last coup
  c       clear the bets
  $       show your credit
  a       show the odds of the next coup, and the rules that decided
          the last one
  roads   describe the five roads of this shoe
  s       show the statistics of this session"""


INITIAL_DEAL, AFTER_DRAW, WINNER = "Initial Deal", "After Draw", "Winner"
"""The messages that the course text prescribes, in the order of a coup."""


def help(view: m.State) -> str:
    """Return the rules and the commands."""
    banker = "1:1 less 5%" if view.options.commission else "1:1, or half if it wins with 6"
    return _HELP.format(banker=banker)


def lines(event: m.Event, seat: Seat | None) -> tuple[str, ...]:
    """Return the lines that report an event; for a coup those that the course text prescribes."""
    match event:
        case m.BurnCard(card, burns):
            cards = "card is" if burns == 1 else "cards are"
            return (f"The burn card is the {card.name}: {burns} more {cards} burnt",)
        case m.CutCard():
            return ("The cut card is out: after this coup there is one more",)
        case m.BetsLaid(bets):
            return (f"Bets: {bets_in_words(bets)}",)
        case m.InitialDeal(player, banker):
            return (INITIAL_DEAL, *hands_in_words(player, banker))
        case m.AfterDraw(player, banker):
            return (AFTER_DRAW, *hands_in_words(player, banker))
        case m.CoupOver(outcome=outcome, bets=bets, paid=paid, credit=credit):
            credit_line = f"Your bets return {dollars(sum(paid))}, your credit is {dollars(credit)}"
            return (WINNER, str(outcome), *((credit_line,) if any(bets) else ()))
        case m.ShoeFinished(coups):
            return (f"The shoe is finished after {coups} coups",)
        case _:
            return ()


def hands_in_words(player: Hand, banker: Hand) -> tuple[str, str]:
    """Return both hands with their totals, on one line each."""
    return f"Player: {player} ({value_of(player)})", f"Banker: {banker} ({value_of(banker)})"


def bets_in_words(bets: Bets) -> str:
    """Return the bet on each spot, like ``25 Player, 5 Tie``."""
    named = zip(SPOTS, bets, strict=True)
    return ", ".join(f"{credits} {spot.label}" for spot, credits in named if credits) or "none"


def refusal(word: str, refused: IllegalAction, view: m.State, seat: Seat) -> str:
    """Return how to write a bet, or its limits; "" for the usual refusal."""
    if word == "b" and refused.kind is Refusal.WORDS:
        return "b: give an amount and a spot, like b 25 p; spots are p b t pp bp"
    if word == "b" and refused.kind is Refusal.VALUE:
        return "b: bet 5 to 500 on Player or Banker, 1 to 100 on Tie or a pair"
    return ""


LAST_COUPS = 12
"""The number of outcomes that `bets_and_outcomes` names."""


def bets_and_outcomes(view: m.State, seat: Seat) -> str:
    """Name the bets, and the outcomes of the last coups, the newest last, as in the bead road."""
    texts = [f"Your bets: {bets_in_words(view.bets)}"] if any(view.bets) else []
    if view.coups:
        names = ", ".join(coup.outcome.name.capitalize() for coup in view.coups[-LAST_COUPS:])
        texts.append(f"Last outcomes: {names}")
    return ". ".join(texts)


# ---- questions -----------------------------------------------------------------------------------


def _credit(question: QuestionContext[m.State, Tally]) -> str:
    view = question.view
    bets_text = f", and your bets are {sum(view.bets)}" if any(view.bets) else ""
    return f"Your credit is {dollars(view.free)}{bets_text}"


def _advice(question: QuestionContext[m.State, Tally]) -> str | None:
    return "\n".join(advice(question.view))


def _statistics(question: QuestionContext[m.State, Tally]) -> str:
    return table(question.tally, question.view.credit)


def _roads(question: QuestionContext[m.State, Tally]) -> str:
    return "\n".join(describe_roads(question.view.coups))


questions: Mapping[str, AnswerQuestion[m.State, Tally]] = {
    "$": _credit,
    "a": _advice,
    "roads": _roads,
    "s": _statistics,
}

WORDS = Words(
    verbs, questions, help, lines, refusal, moment=moment, hand=bets_and_outcomes, spoken=SPOKEN
)
