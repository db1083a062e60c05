"""The texts of five-card draw: commands, printed lines, the classic table, and spoken questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .... import __version__
from ....cards.card import Hand, format_cards
from ....cards.poker import rank_hand
from ....engine.game import IllegalAction, Refusal, Seat
from ....gamekit.definition import number_cards
from ....gamekit.number_formats import percent
from ....gamekit.words import AnswerQuestion, Phrase, QuestionContext, SpokenWords, Words
from ....inputs.numbers import list_words
from ....structs import replace
from ..brains.lazy import adviser
from ..brains.players import COURSE_NAMES, NAMES, decide
from ..brains.pot_odds import EvBasis
from ..machine import state as m
from ..machine.betting import LIMITS
from ..machine.game import offers
from ..machine.rules import HAND_CARDS, Positions, has_ace
from .tally import Tally, table

if TYPE_CHECKING:
    from ..brains.adviser import WinEstimate
    from ..brains.limit_choices import LimitAdvice


def moment(view: m.State, seat: Seat) -> str:
    """Return the number of the hand and the price to stay in: ``hand 14, call 20 into 60``."""
    hand = f"hand {view.played}"
    owes = view.betting.owes(seat) if view.betting else 0
    if owes and seat in view.alive:
        return f"{hand}, call {owes} into {view.pot}"
    return f"{hand}, {view.pot} in the pot"


def discard_in_words(view: m.State, seat: Seat, action: m.Action) -> Hand | None:
    """Return the cards that an action discards, or ``None`` for other actions."""
    if isinstance(action, m.Discard):
        return tuple(view.hands[seat][place - 1] for place in action.positions)
    return None


def hand_in_words(view: m.State, seat: Seat) -> str:
    """Describe the seat's cards during a hand; return an empty text at other times."""
    if view.phase not in (m.Phase.OPENING, m.Phase.DRAW, m.Phase.CLOSING) or seat not in view.alive:
        return ""
    cards = view.hands[seat]
    return (
        f"Your hand is {number_cards(cards) if view.phase is m.Phase.DRAW else format_cards(cards)}"
    )


STAND_PAT = Phrase("stand pat", "stood pat")


def spoken_question(view: m.State, seat: Seat) -> str:
    """Return the question at the seat's turn, with the price of a call."""
    match view.phase:
        case m.Phase.REST:
            stacked = view.played and view.options.stakes is not m.Stakes.NOTHING
            credit = f"Your credit is {view.stacks[seat]}. " if stacked else ""
            return f"{credit}Deal the {'next' if view.played else 'first'} hand? d deals."
        case m.Phase.DRAW:
            return "Which cards do you discard?"
    possible = {offer.kind for offer in offers(view, seat) if offer.barred is None}
    if m.Call not in possible or view.betting is None:
        return "Check or bet?" if possible else ""
    price = min(view.betting.owes(seat), view.stacks[seat])
    choices = [f"Call {price}", *(["raise"] if m.Raise in possible else []), "fold"]
    return f"{list_words(choices, 'or')}?"


def spoken_lines(event: m.Event, seat: Seat | None) -> tuple[str, ...] | None:
    """Return the result of a hand with what the seat wins or loses in it."""
    if not isinstance(event, m.HandOver) or seat is None or not event.put_in[seat]:
        return None
    net = event.won[seat] - event.put_in[seat]
    verb = "win" if net > 0 else "lose"
    own = f"You {verb} {abs(net)} in this hand." if net else "You get back what you put in."
    return *lines(event, seat), own


SPOKEN: SpokenWords[m.State, m.Event] = SpokenWords(
    {
        "d": Phrase("deal", "dealt"),
        "x": Phrase("discard", "discarded"),
        "k": Phrase("check", "checked"),
        "b": Phrase("bet", "bet"),
        "c": Phrase("call", "called"),
        "r": Phrase("raise", "raised"),
        "f": Phrase("fold", "folded"),
    },
    {"x": STAND_PAT},
    spoken_question,
    spoken_lines,
    {"yes": "d"},
)


def _rank_name(hand: Hand) -> str:
    return rank_hand(hand).name


def best_discard(
    view: m.State, seat: Seat, hand_name: Callable[[Hand], str] = _rank_name
) -> str | None:
    """Describe the best discard, how often it wins, and the algorithm's discard.

    If there is nothing to discard, describe the hand with ``hand_name``. Return ``None`` without a
    full hand.
    """
    from ..brains.limit_adviser import advise_limit  # late: needs numpy

    hand = view.hands[seat]
    if len(hand) < HAND_CARDS:
        return None
    intro, advice = f"You have {hand_name(hand)}", adviser.advise(view, seat)
    if advice is None:
        return intro
    if (limit_advice := advise_limit(view, seat)) is not None:
        return f"{intro}. {_limit_advice(limit_advice, hand)}"
    best = advice.best
    wins = _wins(advice.wins[best])
    if len(advice.wins) == 1:
        return f"{intro}: {wins}"
    decision = decide(hand)
    algorithm_discards = "the same" if decision.discards == best else _places(decision.discards)
    return (
        f"Discard {_places(best)}: {wins}. "
        f"The algorithm discards {algorithm_discards} (it keeps {decision.step.words})"
    )


_ROUGHLY = {
    EvBasis.SOLUTION: "",
    EvBasis.PLAYED_OUT: "; played out against computer players",
}


EV_MEANING = (
    "The EV is the average gain over folding if your opponent plays like the GTO level and you "
    "make the best choices from here on; the percentage is how often the GTO level makes this "
    "choice"
)


def _limit_advice(advice: LimitAdvice, hand: Hand) -> str:
    """Describe the best choice at the limit table; for bets, list the EV of each choice."""
    chance = f"wins {percent(advice.win_chance, 1)}"
    if advice.pot_odds is not None:
        chance += f", needs {percent(advice.pot_odds.need, 1)}"
    best = advice.best.action
    note = _ROUGHLY[advice.basis]
    if isinstance(best, m.Discard):
        decision = decide(hand)
        same = decision.discards == best.positions
        usual = "the same" if same else _places(decision.discards)
        ev_text = (
            f"EV {advice.best.value:+.2f} credits (standard error {advice.error:.2f}), {chance}"
        )
        return f"Discard {_places(best.positions)}: {ev_text}{note}. The algorithm discards {usual}"
    is_new = advice.basis is EvBasis.SOLUTION and not advice.has_frequencies
    shares = (
        " (never here)" * is_new or f" ({percent(one.frequency, 0)})" * advice.has_frequencies
        for one in advice.choices
    )
    acts = ", ".join(
        f"{type(one.action).__name__.lower()} {one.value:+.2f}{share}"
        for one, share in zip(advice.choices, shares, strict=True)
    )
    error = f"standard error {advice.error:.2f} credits"
    is_played_out = advice.basis is EvBasis.PLAYED_OUT
    columns = "" if is_played_out else " (how often the solution plays it)"
    text = f"EV in credits{columns}: {acts}; {error}; {chance}{note}"
    return f"{text}. {EV_MEANING}" if advice.basis is EvBasis.SOLUTION else text


def _wins(win: WinEstimate) -> str:
    return f"wins {percent(win.chance, 1)} (standard error {percent(win.error, 1)})"


def _places(positions: Positions) -> str:
    return " ".join(map(str, positions)) or "nothing"


verbs: Mapping[str, Callable[..., m.Action]] = {
    "d": m.Play,
    "x": m.Discard,
    "k": m.Check,
    "b": m.Bet,
    "c": m.Call,
    "r": m.Raise,
    "f": m.Fold,
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
    m.Stakes.NOTHING: "Free play: there are no bets.",
    m.Stakes.ANTE: "Each hand costs an ante of 5, and the winner takes the pot.",
    m.Stakes.LIMIT: "Each hand costs an ante of 5, with a betting round before and after the draw.",
}


def help(view: m.State) -> str:
    """Return the rules in brief and all commands, for this table's stakes."""
    low, high = LIMITS
    stakes = view.options.stakes
    bets = "Bets:" if stakes is m.Stakes.LIMIT else "Bets, only at fixed-limit tables:"
    return _HELP.format(stakes=_STAKES[stakes], bets=bets, low=low, high=high)


PLAYERS = ("The first player", *NAMES[1:])
"""The names of the seats in texts for an observer."""


def _name_of(seat: int, me: Seat | None, names: Sequence[str] = PLAYERS) -> str:
    """Name a player: ``You``, ``Ada``."""
    return "You" if seat == me else names[seat]


def lines(event: m.Event, seat: Seat | None, names: Sequence[str] = PLAYERS) -> tuple[str, ...]:
    """Describe an event to a seat, or to an observer (``None``), with the seats' ``names``."""

    def does(other: int, own_verb: str, verb: str) -> str:
        return f"{_name_of(other, seat, names)} {own_verb if other == seat else verb}"

    match event:
        case m.Shuffled():
            return ("The deck is being shuffled.",)
        case m.HandBegun(seats, ante):
            text = f"The cards are being dealt to {len(seats)} players."
            return (text, f"Everybody puts in {ante}.") if ante else (text,)
        case m.HandHeld(other, hand) if other == seat:
            return (f"Your hand is {format_cards(hand)}: {rank_hand(hand).name}.",)
        case m.DrawAsked(other, hand) if other == seat:
            return _draw_prompt(hand)
        case m.Discarded(other, cards):
            count = f"{len(cards) or 'no'} card{'s' * (len(cards) != 1)}"
            return (f"{does(other, 'have', 'has')} discarded {count}.",)
        case m.Acted(other, act, chips):
            return (f"{does(other, *_DOES[act]).format(chips)}.",)
        case m.HandShown(other, hand, name):
            return (f"{does(other, 'have', 'has')} {format_cards(hand)}: {name}.",)
        case m.HandOver():
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
    who = list_words([_name_of(seat, me, names) for seat in _own_seat_first(winners, me)])
    return f"{who} {'tie' if len(winners) > 1 else 'win' if winners[0] == me else 'wins'}"


def _own_seat_first(seats: Sequence[int], me: Seat | None) -> list[int]:
    return sorted(seats, key=lambda seat: seat != me)


def _result_lines(over: m.HandOver, me: Seat | None, names: Sequence[str]) -> Iterator[str]:
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


def refusal(word: str, refused: IllegalAction, view: m.State, seat: Seat) -> str:
    """Explain which discards are allowed, if a discard was refused."""
    if word == "x" and refused.kind in (Refusal.WORDS, Refusal.VALUE):
        return f"x: {_discards(view, seat)}"
    return ""


def _discards(view: m.State, seat: Seat) -> str:
    ace = view.phase is m.Phase.DRAW and has_ace(view.hands[seat])
    ace_note = ", or 4 to keep only an ace" if ace else ""
    return f"up to 3 different numbers from 1 to 5{ace_note}"


def _credit(question: QuestionContext[m.State, Tally]) -> str:
    view = question.view
    if view.options.stakes is m.Stakes.NOTHING:
        return "This is free play: no credit is used"
    put_in = view.put_in[question.seat]
    in_pot = f", {put_in} more in the pot of {view.pot}" if view.pot else ""
    return f"Your credit is {view.stacks[question.seat]}{in_pot}"


def _advice(question: QuestionContext[m.State, Tally]) -> str | None:
    return best_discard(question.view, question.seat)


def _statistics(question: QuestionContext[m.State, Tally]) -> str:
    return table(question.tally, question.view.stacks[question.seat])


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
    cards_of=discard_in_words,
    spoken=SPOKEN,
    seat_names=PLAYERS,
)


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


def course_lines(
    event: m.Event, seat: Seat | None, names: Sequence[str] = COMPUTERS
) -> tuple[str, ...]:
    """Describe an event; if a hand is shown, add its type."""
    match event:
        case m.HandShown(hand=hand):
            event = replace(event, name=full_hand_name(hand))
    return lines(event, seat, names)


def deal_lines(begun: m.HandBegun, seat: Seat) -> tuple[str, ...]:
    """Return the messages about the shuffled deck and the deal."""
    return (*course_lines(m.Shuffled(), seat), *course_lines(begun, seat))


def draw_prompts(hand: Hand, seat: Seat, question: str) -> tuple[str, ...]:
    """Return the question which cards to discard, if possible after the sentence about an ace.

    The first text is the longest. The others are only the sentence and only the question.
    """
    _, *ace_rule = course_lines(m.DrawAsked(seat, hand), seat)
    return (f"{ace_rule[0]} {question}", ace_rule[0], question) if ace_rule else (question,)


def _course_advice(question: QuestionContext[m.State, Tally]) -> str | None:
    return best_discard(question.view, question.seat, full_hand_name)


course_questions: Mapping[str, AnswerQuestion[m.State, Tally]] = {**questions, "a": _course_advice}

COURSE_WORDS = replace(WORDS, lines=course_lines, questions=course_questions)
