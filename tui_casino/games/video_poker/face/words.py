"""The words of video poker: commands, messages, screen-reader texts, and a summary of a round.

Messages about a round follow the course text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import indent

from ....cards.card import Hand, card_symbols, format_cards
from ....engine.game import IllegalAction, Refusal, Seat
from ....gamekit.definition import number_cards
from ....gamekit.words import AnswerQuestion, Phrase, QuestionContext, SpokenWords, Words
from ....inputs.numbers import count_noun
from ..brains.strategy import advise
from ..machine import game as m
from ..machine.rules import MAX_COINS, PayTable
from .tally import Tally, table

NOTHING = Phrase("hold nothing", "held nothing")


def question(view: m.State, seat: Seat) -> str:
    """Return the question of this phase."""
    match view.phase:
        case m.Phase.BET:
            return f"How much do you bet, 1 to {min(MAX_COINS, view.credit)}?"
        case m.Phase.DEAL:
            return "Deal the cards? d deals."
        case m.Phase.HOLD:
            return "Which cards do you hold?"
    return ""


def _spoken_lines(event: m.Event, seat: Seat | None) -> tuple[str, ...] | None:
    """Return lines that number the cards of the hand and say what it wins."""
    match event:
        case m.BetPlaced(coins):
            return (f"You bet {count_noun(coins, 'credit')}.",)
        case m.HandDealt(hand):
            cards = ", ".join(f"{place}) {card}" for place, card in enumerate(hand, 1))
            return (f"Your cards: {cards}",)
        case m.RoundPaid(hand, row, _, won, credit):
            result = f"{row.capitalize()}: you win {won:,}" if row else "No win"
            final = f"Your final hand: {format_cards(hand)}"
            return final, f"{result}; your credit is {credit:,}."
    return None


def _spoken_position(view: m.State, seat: Seat) -> tuple[str, ...]:
    bet = (
        f"Your bet is {count_noun(view.coins, 'credit')}."
        if view.coins
        else "You have not bet yet."
    )
    return tuple(filter(None, (bet, hand_in_words(view, seat))))


SPOKEN: SpokenWords[m.State, m.Event] = SpokenWords(
    {"b": Phrase("bet", "bet"), "d": Phrase("deal", "dealt"), "h": Phrase("hold", "held")},
    {"h": NOTHING},
    question,
    _spoken_lines,
    {"yes": "d"},
    position=_spoken_position,
)


def moment(view: m.State, seat: Seat) -> str:
    """Return the bet and, once the cards are dealt, the cards."""
    cards = card_symbols(view.shown_hand)
    return f"bet {view.coins}" + (f", {cards}" if cards else "")


def hand_in_words(view: m.State, seat: Seat) -> str:
    """Return the cards with their places while the player chooses; otherwise an empty text."""
    return f"Your cards: {number_cards(view.hand)}" if view.phase is m.Phase.HOLD else ""


def cards_of(view: m.State, seat: Seat, action: m.Action) -> Hand | None:
    """Return the cards that an action holds; ``None`` for other actions."""
    if isinstance(action, m.Hold):
        return tuple(view.hand[place - 1] for place in action.positions)
    return None


verbs: Mapping[str, Callable[..., m.Action]] = {"b": m.Bet, "d": m.Draw, "h": m.Hold}

_HELP = """\
Video poker. Bet 1 to 5 credits and get five cards. Hold the cards that
you want to keep; the others are replaced once. Then the pay table says
what your hand pays, in credits:

{pays}

  b 5    bet 1 to 5 credits; b without a number repeats the last bet
  d      deal the five cards
  h 1 3  hold cards 1 and 3 and replace the others; h replaces all five
  $      show your credit
  a      show what the 34-line strategy would hold
  s      show the statistics of this session"""


def help(view: m.State) -> str:
    """Return the rules, the pay table and the commands."""
    return _HELP.format(pays=indent(pays_of(view.options.paytable), "  "))


def pays_of(table: PayTable) -> str:
    """Return the pay table as text, in credits: a line for each row, a column for each bet."""
    width = max(6, *(1 + len(f"{row.pay(MAX_COINS):,}") for row in table.rows))
    columns = [(table.title, tuple(range(1, MAX_COINS + 1)))]
    columns += [(row.name, row.pays) for row in table.rows]
    rows = (f"{name:<20}" + "".join(f"{pay:>{width},}" for pay in pays) for name, pays in columns)
    return "\n".join(rows)


def lines(event: m.Event, seat: Seat | None) -> tuple[str, ...]:
    """Return the lines that the course text prescribes for an event."""
    match event:
        case m.BetPlaced(coins):
            return (f"player is betting {coins}",)
        case m.HandDealt(hand):
            return (f"player's hand {format_cards(hand)}",)
        case m.RoundPaid(hand, row, _, _, credit):
            result = f"wins with a {row}" if row else "loses"
            return (
                f"player's hand {format_cards(hand)}",
                f"player {result} and his credit is {credit}",
            )
        case _:
            return ()


def course_refusal(word: str, refused: IllegalAction, view: m.State, seat: Seat) -> str:
    """Return the refusal that the course text prescribes.

    The reason is an illegal amount, an illegal command, or a shoe that has run out of cards.
    """
    if refused.kind is Refusal.BARRED:
        return f"{word}: {refused.reason}"
    # between rounds b can only be refused for its amount; without credit every amount is illegal
    amount = word == "b" and m.between_rounds(view) and refused.kind is not Refusal.WORDS
    return f"{word}: illegal {'amount' if amount else 'command'}"


def refusal(word: str, refused: IllegalAction, view: m.State, seat: Seat) -> str:
    """Return the prescribed refusal, followed by what would be accepted."""
    message = course_refusal(word, refused, view, seat)
    match refused.kind:
        case Refusal.WORDS:
            if word not in verbs and word not in questions:
                return f"{word}: there is no such command (? shows help)"
            return f"{message}; {refused.reason}"
        case Refusal.VALUE:
            coins = f"bet from 1 to {min(MAX_COINS, view.credit)} credits"
            places = "give different positions from 1 to 5"
            return f"{message}; {coins if word == 'b' else places}"
        case Refusal.MOMENT:
            return f"{message}; {possible_now(view)}"
        case Refusal.TURN:
            return f"{message}; you are out of credit"
    return message


def possible_now(view: m.State) -> str:
    """Describe the commands that are possible in this phase, for a refusal."""
    match view.phase:
        case m.Phase.BET:
            return f"bet first, for example b {min(MAX_COINS, view.credit)}; then d deals"
        case m.Phase.DEAL:
            return "d deals the cards"
        case m.Phase.HOLD:
            return "h holds cards and draws, like h 1 2"
    return "the cards are being dealt"


def _credit(question: QuestionContext[m.State, Tally]) -> str:
    return f"player's credit is {question.view.credit}"


def _advice(question: QuestionContext[m.State, Tally]) -> str | None:
    if question.view.phase is not m.Phase.HOLD:
        return None
    positions = advise(question.view.hand).positions
    if not positions:
        return "player should discard everything"
    return f"player should hold cards {' '.join(map(str, positions))}"


def _statistics(question: QuestionContext[m.State, Tally]) -> str:
    return table(question.tally, question.view.credit, question.view.options.paytable)


questions: Mapping[str, AnswerQuestion[m.State, Tally]] = {
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
    cards_of=cards_of,
    spoken=SPOKEN,
)
