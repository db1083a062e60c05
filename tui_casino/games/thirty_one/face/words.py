"""The words of Hit Me: commands, messages, screen-reader texts, and a summary of a round.

There is one letter per action. In screen-reader mode, a card is announced with the new total of its
hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from ....cards.card import BACK, Card, Rank, format_cards
from ....engine.game import IllegalAction, Refusal, Seat, SittingOver
from ....engine.money import dollars
from ....engine.seating import seat_name
from ....gamekit.words import AnswerQuestion, Phrase, QuestionContext, SpokenWords, Words
from ....inputs.numbers import count_noun, list_words
from ..brains.odds import fair_price
from ..machine import shared_game
from ..machine import state as m
from ..machine.game import offers, turn
from ..machine.rules import (
    CENTS,
    DEALER_WINS_ON,
    LEAST_STOCK,
    LIMIT,
    MAXIMUM,
    MINIMUM,
    SAFE_TOTAL,
    Rules,
    Total,
    may_double,
    may_split,
    total_of,
)
from .tally import Tally, table


def moment(view: m.State, seat: Seat) -> str:
    """Return the bet, the player's totals, and the dealer's card."""
    if view.phase is m.Phase.BET:
        return "no bet yet"
    text = f"{sum(hand.bet for hand in view.hands) // CENTS} bet"
    if view.hands and all(hand.cards for hand in view.hands):
        text += f", you have {' and '.join(str(hand.total.points) for hand in view.hands)}"
        if len(view.hands) > 1 and view.active is not None:
            text += f", hand {view.active + 1} to play,"
    open_cards = [card for card in view.dealer if card is not BACK]
    if open_cards:
        text += f" against {open_cards[0].symbol}"
    return text


def say_total(total: Total) -> str:
    """Describe a total: ``soft 21``, ``hard 14``, ``soft 22, two aces at 11``."""
    if total.bust:
        return f"{total.points}, bust"
    if total.points == LIMIT:
        return str(LIMIT)
    if total.soft > 1:
        return f"soft {total.points}, two aces at 11"
    return f"{'soft' if total.soft else 'hard'} {total.points}"


def hand_owner(place: int, hands: int) -> str:
    """Name a hand by its place and the number of hands: ``Dealer``, ``You``, ``Hand 2``."""
    if place == m.DEALER:
        return "Dealer"
    return "You" if hands == 1 else f"Hand {place + 1}"


def spoken_question(view: m.State, seat: Seat) -> str:
    """Return the question at the player's turn."""
    if view.phase is m.Phase.BET:
        repeat = f" b repeats {view.last}." if view.last else ""
        return f"How much do you bet, {MINIMUM} to {min(MAXIMUM, view.credit // CENTS)}?{repeat}"
    if view.phase is m.Phase.INSURANCE:
        return f"Insurance for {dollars(view.hands[0].bet)}? i or yes takes it, n or no declines."
    if view.active is None:
        return ""
    bet = dollars(view.hands[view.active].bet)
    names: Mapping[Callable[..., m.Action], str] = {
        m.Hit: "hit",
        m.Stand: "stand",
        m.Double: f"double for {bet}",
        m.Split: f"split for {bet}",
    }
    possible = [one.kind for one in offers(view, seat) if one.barred is None]
    choices = [names[kind] for kind in names if kind in possible]
    question = f"{list_words(choices, 'or').capitalize()}?"
    if len(view.hands) == 1:
        return question
    total = say_total(view.hands[view.active].total)
    return f"Hand {view.active + 1} of {len(view.hands)}, {total}: {question}"


def spoken_lines(event: m.Event, seat: Seat | None) -> tuple[str, ...] | None:
    """If a hand gets another card, say only this card and the new total.

    The offer of insurance is the question that follows.
    """
    match event:
        case m.InsuranceAsked():
            return ()
        case m.CardDealt(place, (_, *_, card) as cards, hands):
            name = hand_owner(place, hands)
            verb = "get" if name == "You" else "gets"
            return (f"{name} {verb} {card}: {say_total(total_of(cards))}",)
    return None


def watched_lines(event: shared_game.Event) -> tuple[str, ...]:
    """Return the lines that report an event at a table with others to somebody who watches."""
    match event:
        case m.ShoeBegun():
            return tuple(f"{line}." for line in lines(event, None))
        case shared_game.SeatHeard(seat, _, heard):
            return _watched_at(seat_name(seat), heard)
    return ()


def _watched_at(name: str, event: m.Event) -> tuple[str, ...]:
    match event:
        case m.RoundBegun(bet):
            return (f"{name} bets {dollars(bet)}.",)
        case m.CardDealt(place, cards, hands):
            return (f"{say_hand(_watched_hand(name, place, hands), cards)}.",)
        case m.Insured(stake):
            return (f"{name} takes insurance for {dollars(stake)}.",)
        case m.Declined():
            return (f"{name} takes no insurance.",)
        case m.Stood(place, points, hands):
            return (f"{_watched_hand(name, place, hands)} stands on {points}.",)
        case m.Doubled(place, bet, hands):
            return (f"{_watched_hand(name, place, hands)} doubles to {dollars(bet)}.",)
        case m.PairSplit(bet):
            return (f"{name} splits a pair, with another bet of {dollars(bet)}.",)
        case m.RoundOver(hands=settled, insurance=insurance, insurance_back=back):
            net = sum(one.back - one.bet for one in settled) + back - insurance
            verb = "wins" if net > 0 else "loses"
            return (f"{name} {verb} {dollars(abs(net))}." if net else f"{name} has a push.",)
        case m.RoundVoid(back):
            return (f"The cards are used up: {name} gets {dollars(back)} back.",)
    return ()


def _watched_hand(name: str, place: int, hands: int) -> str:
    if place == m.DEALER:
        return hand_owner(place, hands)
    return name if hands == 1 else f"{name}, hand {place + 1},"


SPOKEN: SpokenWords[m.State, m.Event] = SpokenWords(
    {
        "b": Phrase("bet", "bet"),
        "h": Phrase("hit", "hit"),
        "s": Phrase("stand", "stood"),
        "d": Phrase("double", "doubled"),
        "p": Phrase("split", "split"),
        "i": Phrase("take insurance", "took insurance"),
        "n": Phrase("decline insurance", "declined insurance"),
    },
    question=spoken_question,
    lines=spoken_lines,
    answers={"yes": "i", "no": "n"},
)


verbs: Mapping[str, Callable[..., m.Action]] = {
    "b": m.Bet,
    "h": m.Hit,
    "s": m.Stand,
    "d": m.Double,
    "p": m.Split,
    "i": m.Insure,
    "n": m.Decline,
}

_HELP = """\
Hit Me. Come closer to 31 than the dealer, but not over it. Face cards
count 10; an ace counts 11, or 1 if 11 would be too much. You and the
dealer begin with one card each, and you play first. If you stand on
exactly 14, only a dealer's 31 beats you. A win pays 1:1; equal totals
push. The dealer draws to 27 or more{soft}, but stops on
14, which beats every hand except your 14.
  b 50   bet {low} to {high} dollars; a plain b repeats the last bet
  h      hit: take a card
  s      stand
  d      double: one last card{double}
  p      split two cards of the same {same} for a second bet
  i      insurance if the dealer shows an ace: a second bet on 31
  n      no insurance
  a      advice: the EV of each choice
  $      your credit
  stats  statistics of this session (on the screen: F2)
{insurance}.
For the strategy chart: tui-casino odds hit-me."""


def help(view: m.State) -> str:
    """Return this table's rules in brief and all typed words."""
    rules = view.options.rules
    return _HELP.format(
        soft=", and hits a soft 27" if rules.dealer_hits_soft else "",
        low=MINIMUM,
        high=MAXIMUM,
        double=f", {_doubles(rules)}" if _doubles(rules) else "",
        same=_split_by(rules),
        insurance=fair_price(rules),
    )


def _split_by(rules: Rules) -> str:
    return "rank" if rules.split_same_rank else "value"


def _doubles(rules: Rules) -> str:
    limits = []
    if rules.double_two_cards:
        limits.append("only on two cards")
    if not rules.double_after_split:
        limits.append("not after a split")
    return ", ".join(limits)


# ---- hands and totals ----------------------------------------------------------------------------


def say_hand(name: str, cards: Iterable[Card]) -> str:
    """Describe a hand and its total: ``You: 7S 7D, hard 14``."""
    hand = tuple(cards)
    return f"{name}: {format_cards(hand)}, {say_total(total_of(hand))}"


STAND_ON_14 = "Stand on 14: only a dealer's 31 beats it"
TIPS = re.compile(rf"^{STAND_ON_14}.*|; fair odds .*(?=\.$)|\n.* strategy chart: .*", re.MULTILINE)


def lines(event: m.Event, seat: Seat | None) -> tuple[str, ...]:
    """Describe an event in lines for the console."""
    match event:
        case m.ShoeBegun(cards, discards):
            return (_shoe(cards, discards),)
        case m.RoundBegun(bet):
            return (f"You bet {dollars(bet)}",)
        case m.CardDealt(place, cards, hands):
            return (say_hand(hand_owner(place, hands), cards),)
        case m.InsuranceAsked(stake):
            return (f"Insurance for {dollars(stake)}? i takes it, n declines, a shows the EV",)
        case m.Insured(stake):
            return (f"You are insured for {dollars(stake)}",)
        case m.Declined():
            return ("No insurance",)
        case m.TurnAsked(place, hands):
            return _turn_lines(place, hands)
        case m.Stood(place, points, hands):
            name = "You stand" if hands == 1 else f"{hand_owner(place, hands)} stands"
            return (f"{name} on {points}",)
        case m.Doubled(place, bet, hands):
            name = "Your bet" if hands == 1 else f"The bet on hand {place + 1}"
            return (f"{name} is now {dollars(bet)}, for one more card",)
        case m.PairSplit(bet):
            return (f"Split: another bet of {dollars(bet)}",)
        case m.RoundOver():
            return (*results(event), f"Your credit is {dollars(event.credit)}")
        case m.RoundVoid(back):
            return (f"The cards are used up: the round is void, and you get {dollars(back)} back",)


def _shoe(cards: int, discards: bool) -> str:
    if discards:
        return f"The shoe is used up: {cards} discards are shuffled in"
    if cards >= LEAST_STOCK:
        return f"A new shoe of {cards} cards"
    return f"The shoe has {count_noun(cards, 'card')} left"


def prompt(view: m.State, seat: Seat) -> str:
    """Return the possible choices for the hand in play and what they cost, or an empty text."""
    if view.active is None:
        return ""
    bet = dollars(view.hands[view.active].bet)
    phrases: Mapping[Callable[..., m.Action], str] = {
        m.Hit: "h hits",
        m.Stand: "s stands",
        m.Double: f"d doubles for {bet}",
        m.Split: f"p splits for {bet}",
    }
    return ", ".join(phrases[offer.kind] for offer in offers(view, seat))


def _turn_lines(place: int, hands: tuple[tuple[Card, ...], ...]) -> tuple[str, ...]:
    lines = [f"Now hand {place + 1}"] if len(hands) > 1 and place and len(hands[place]) == 2 else []
    if total_of(hands[place]).points == SAFE_TOTAL:
        lines.append(f"{STAND_ON_14} (s)")
    return tuple(lines)


# ---- results -------------------------------------------------------------------------------------


def results(over: m.RoundOver) -> tuple[str, ...]:
    """Return the reason and the result of each hand, and the result of the insurance."""
    is_only_hand = len(over.hands) == 1
    lines = [
        f"{'' if is_only_hand else f'Hand {place}: '}{hand_reason(hand)}:"
        f" {net_phrase(hand.back - hand.bet)}"
        for place, hand in enumerate(over.hands, 1)
    ]
    if over.insurance_back:
        lines.append(f"Insured against 31: you win {dollars(over.insurance_back - over.insurance)}")
    elif over.insurance:
        lines.append(f"The dealer missed 31: the insurance of {dollars(over.insurance)} is lost")
    return tuple(lines)


def hand_reason(hand: m.Settled) -> str:
    """Describe what decided a hand."""
    points = total_of(hand.cards).points
    if points > LIMIT:
        return f"Bust with {points}"
    if hand.on_14:
        return (
            "The dealer's 31 beats your 14"
            if hand.against == LIMIT
            else "Your 14 wins, the dealer missed 31"
        )
    if hand.against == DEALER_WINS_ON:
        return "The dealer has 14"
    if hand.against > LIMIT:
        return f"The dealer is bust with {hand.against}"
    return f"{points} each" if points == hand.against else f"{points} against {hand.against}"


def net_phrase(net: int) -> str:
    """Describe the result of a bet: ``you win 20.00``."""
    return f"you {'win' if net > 0 else 'lose'} {dollars(abs(net))}" if net else "a push"


# ---- refusals and questions ----------------------------------------------------------------------


def refusal(word: str, error: IllegalAction, view: m.State, seat: Seat) -> str:
    """Explain what would be accepted, and why a word cannot be used now."""
    if word == "b" and error.kind in (Refusal.WORDS, Refusal.VALUE):
        return f"b: bet whole dollars from {MINIMUM} to {MAXIMUM}, such as b 50"
    if error.kind not in (Refusal.TURN, Refusal.MOMENT) or isinstance(turn(view), SittingOver):
        return ""
    reason = _phase_refusal(word, view)
    return f"{word}: {reason}" if reason else ""


def _phase_refusal(word: str, view: m.State) -> str:
    match view.phase:
        case m.Phase.BET:
            return "place a bet first, such as b 50"
        case m.Phase.INSURANCE:
            return "answer the insurance first: i for yes, n for no"
        case m.Phase.PLAY if view.active is not None:
            return _play_refusal(word, view, view.active)
    return ""


def refusal_of_play(word: str, view: m.State) -> str:
    """Explain why a word cannot be used for the hand in play."""
    return "" if view.active is None else _play_refusal(word, view, view.active)


def _play_refusal(word: str, view: m.State, place: int) -> str:
    rules, hand, hands = view.options.rules, view.hands[place], len(view.hands)
    match word:
        case "d" if may_double(hand.cards, hands, rules):
            return _credit_refusal(view, hand.bet)
        case "d" if hands > 1 and not rules.double_after_split:
            return "no double after a split here"
        case "d":
            return "you can double only two cards here"
        case "p" if may_split(hand.cards, hands, rules):
            return _credit_refusal(view, hand.bet)
        case "p" if hands >= rules.most_hands:
            return f"you can have at most {rules.most_hands} hands"
        case "p":
            return f"you can split only two cards of the same {_split_by(rules)}"
        case "i" | "n":
            return _insurance_refusal(view)
    return "the round has begun: h hits, s stands"


def _credit_refusal(view: m.State, stake: int) -> str:
    return f"it costs {dollars(stake)}; you have {dollars(view.credit)}"


def _insurance_refusal(view: m.State) -> str:
    """Explain why insurance is not offered now: no ace, no money, or already answered."""
    if view.dealer[0].rank is not Rank.ACE:
        return "the dealer shows no ace"
    bet = CENTS * view.last
    credit_then = view.credit + view.staked - bet  # the credit when the dealer's ace was dealt
    if credit_then < bet:
        return f"it cost {dollars(bet)}; you had {dollars(credit_then)}"
    return "you are insured" if view.insurance else "insurance is offered only before other cards"


def _credit(question: QuestionContext[m.State, Tally]) -> str:
    view = question.view
    staked = f", {dollars(view.staked)} at stake" if view.staked else ""
    return f"Your credit is {dollars(view.credit)}{staked}"


def _advice(question: QuestionContext[m.State, Tally]) -> str | None:
    from .advice import advice_lines  # late: only this question needs the adviser

    return "\n".join(advice_lines(question.view)) or None


def _statistics(question: QuestionContext[m.State, Tally]) -> str:
    return table(question.tally, question.view.credit)


questions: Mapping[str, AnswerQuestion[m.State, Tally]] = {
    "$": _credit,
    "a": _advice,
    "stats": _statistics,
}

WORDS = Words(
    *(verbs, questions, help, lines, refusal),
    prompt=prompt,
    moment=moment,
    spoken=SPOKEN,
    tips=TIPS,
)
