"""The words of cribbage: commands, messages, refusals, texts for speech, and summaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....cards.card import BACK, Hand, format_cards
from ....engine.game import IllegalAction, Refusal, Seat
from ....gamekit.definition import number_cards
from ....gamekit.words import (
    SEAT_NAMES,
    AnswerQuestion,
    Phrase,
    QuestionContext,
    SpokenWords,
    Words,
)
from ....inputs.numbers import count_noun, list_words
from ..machine import state as m
from ..machine.rules import points_of
from ..machine.scoring import Flush
from .advice import in_a_line
from .counting import count_aloud, score_name
from .tally import Tally, table


def question(view: m.State, seat: Seat) -> str:
    """Return the question at the seat's turn, with the cards that it may play."""
    match view.phase:
        case m.Phase.DISCARD:
            owner = "your" if view.dealer == seat else "your opponent's"
            return f"Which two cards do you discard to {owner} crib?"
        case m.Phase.PLAY:
            return _play_question(view, seat)
        case m.Phase.SHOW if view.options.counting is not m.CountingMode.TABLE:
            return "How many points do you count?"
        case m.Phase.SHOW:
            return "Continue to the next hand? n continues."
        case m.Phase.REST:
            return "Continue to the next deal? n continues."
    return ""


def _play_question(view: m.State, seat: Seat) -> str:
    playable = view.playable(seat)
    if not playable:
        return "You must say go."
    numbered = [
        f"{place}) {card}" for place, card in enumerate(view.hands[seat], 1) if card in playable
    ]
    if len(numbered) == 1:
        return f"You can only play {numbered[0]}."
    return f"Which card do you play: {list_words(numbered, 'or')}?"


def spoken_position(view: m.State, seat: Seat) -> tuple[str, ...]:
    """Return the score, the crib, the cards on the table and in the hands, as far as they show."""
    other = 1 - seat
    own = count_noun(view.points[seat], "point")
    lines = [f"You have {own}, your opponent {view.points[other]}."]
    crib = "yours" if view.dealer == seat else "your opponent's"
    lines.append(f"The crib is {crib}.")
    if view.starter is not None:
        lines.append(f"The starter is {view.starter}.")
    if view.phase is m.Phase.PLAY:
        played = f": {format_cards(view.segment)}" if view.segment else ""
        lines.append(f"The count is {view.count}{played}.")
    for owner, name in ((other, "Your opponent's cards"), (seat, "Your cards")):
        cards = view.unplayed(owner) if view.phase is m.Phase.PLAY else view.hands[owner]
        if not cards or BACK in cards:
            continue
        places = number_cards(cards) if owner == seat else format_cards(cards)
        if owner == seat and view.phase is m.Phase.PLAY:
            numbered = enumerate(view.hands[seat], 1)
            places = " ".join(f"{place}) {card}" for place, card in numbered if card in cards)
        lines.append(f"{name}: {places}.")
    if view.phase is m.Phase.SHOW and view.shown and view.starter is not None:
        lines.append(f"{choosing_from(view, seat)}.")
    return tuple(line for line in lines if line != ".")


SPOKEN: SpokenWords[m.State, m.Event] = SpokenWords(
    {
        "x": Phrase("discard", "discarded"),
        "p": Phrase("play", "played"),
        "g": Phrase("say go", "said go"),
        "c": Phrase("count", "counted"),
        "n": Phrase("continue", "continued"),
    },
    question=question,
    answers={"yes": "n"},
    position=spoken_position,
)


def moment(view: m.State, seat: Seat) -> str:
    """Return the points, whose crib it is, and in a series the game: ``87 to 79, your crib``."""
    return _moment(view, seat, "your crib" if view.dealer == seat else "their crib")


def public_moment(view: m.State) -> str:
    """Return a summary for both players, with their names: ``87 to 79, South's crib``."""
    return _moment(view, 0, f"{SEAT_NAMES[view.dealer]}'s crib")


def _moment(view: m.State, seat: int, crib: str) -> str:
    own, other = view.points[seat], view.points[1 - seat]
    series = view.options.games
    game_text = f"game {view.played + 1} of {series}, " if series > 1 else ""
    return f"{game_text}{own} to {other}, {crib}"


def choosing_from(view: m.State, seat: Seat) -> str:
    """Return the hand that a seat must choose from or count; otherwise an empty text."""
    if view.phase is m.Phase.SHOW and view.shown and view.starter is not None:
        owner, cards, is_crib = view.on_show
        name = "Crib" if is_crib else "Hand"
        if owner == seat:
            return f"{name} to count: {format_cards(cards)}, starter {view.starter}"
    return hand_in_words(view, seat) if view.phase in (m.Phase.DISCARD, m.Phase.PLAY) else ""


def hand_in_words(view: m.State, seat: Seat) -> str:
    """Return the points, the count, and the cards of a seat with their places."""
    cards, unplayed = view.hands[seat], view.unplayed(seat)
    own = count_noun(view.points[seat], "point")
    points = f"You have {own}, your opponent {view.points[1 - seat]}"
    if not cards:
        return points
    if view.phase is m.Phase.PLAY:
        cards_left = " ".join(
            f"{place}) {card}" for place, card in enumerate(cards, 1) if card in unplayed
        )
        count = f"Count {view.count}"
        return f"{points}. {count}. Your cards: {cards_left or 'all played'}"
    return f"{points}. Your cards: {number_cards(cards)}"


def cards_of(view: m.State, seat: Seat, action: m.Action) -> Hand | None:
    """Return the cards that an action discards or plays."""
    match action:
        case m.Discard(places):
            return tuple(view.hands[seat][place - 1] for place in places)
        case m.Lay(place):
            return (view.hands[seat][place - 1],)
    return None


def needs_private_view(state: m.State) -> bool:
    """Return whether the player must look at hidden cards next: to discard, play or say go."""
    return not state.options.open and state.phase in (m.Phase.DISCARD, m.Phase.PLAY)


verbs: Mapping[str, Callable[..., m.Action]] = {
    "x": m.Discard,
    "p": m.Lay,
    "g": m.Go,
    "c": m.Count,
    "n": m.Next,
}


_HELP = """\
Cribbage. Each player is dealt six cards and gives two of them to the
dealer's crib. Then the players play cards in turn, up to a count of 31.
At the show the hands and the crib are counted with the starter.
{form}

  x 1 4    give cards 1 and 4 to the crib
  p 3      play card 3 (or just 3); p if only one card can be played
  g        go: you have cards left, but cannot play any of them
  c 8      the points that you count in the hand shown{counting}
  n        the next hand of the show, or the next deal
  a        advice: the best choices
  h        your cards, the count and the points
  s        statistics of this session

What scores. An ace counts 1, a face card 10.
  the starter   a jack (his heels): 2 for the dealer
  in the play   fifteen 2, thirty-one 2; two, three or four of a rank in
                a row 2, 6, 12; a run of three or more in any order, 1
                per card; the last card before a new count (go) 1
  at the show   each fifteen 2; a pair 2, three of a kind 6, four 12;
                each of the longest runs 1 per card; four hand cards of
                a suit 4, with the starter 5{crib};
                the jack of the starter's suit (his nobs) 1
After the play the non-dealer counts first, then the dealer counts the
hand and the crib.{end}"""

_COUNTING = {
    m.CountingMode.TABLE: "\n           (here the table counts for you)",
    m.CountingMode.SELF: ";\n           points that you miss are lost",
    m.CountingMode.MUGGINS: ";\n           your opponent scores the points that you miss",
}


_NUMBERS = ("none", "one", "two", "three", "four")


def help(view: m.State) -> str:
    """Return a summary of the rules and the commands of this table."""
    options = view.options
    rules = options.rule_set
    form = f"You play one round for points, with the {rules.name} rules."
    if options.form is m.GameForm.GAME:
        form = f"The first player with {rules.target} points wins ({rules.name} rules)."
    end = ""
    if options.form is m.GameForm.GAME:
        lines = enumerate(rules.skunks, rules.win + 1)
        skunk_text = "".join(
            f"; {_NUMBERS[points]} if the loser has\nat most {line}" for points, line in lines
        )
        end = f""" The game ends as soon as a player has {rules.target} points.
In game points, a win counts {_NUMBERS[rules.win]}{skunk_text}."""
    flush = next((rule for rule in rules.show if isinstance(rule, Flush)), None)
    crib = ", crib only 5" if flush is not None and flush.crib_needs_five else ""
    return _HELP.format(form=form, counting=_COUNTING[options.counting], crib=crib, end=end)


def player_name(seat: int, me: Seat | None) -> str:
    """Return ``You`` or ``Your opponent``; if ``me`` is ``None``, ``North`` or ``South``."""
    if me is None:
        return SEAT_NAMES[seat]
    return "You" if seat == me else "Your opponent"


def _with_verb(seat: int, me: Seat | None, you_form: str, other_form: str) -> str:
    return f"{player_name(seat, me)} {you_form if seat == me else other_form}"


def lines(event: m.Event, seat: Seat | None) -> tuple[str, ...]:
    """Return the lines that describe an event to a seat, or to a watcher."""
    match event:
        case m.RoundBegun(dealer):
            return (f"{_with_verb(dealer, seat, 'deal and have', 'deals and has')} the crib.",)
        case m.HandDealt(other, hand) if BACK not in hand:
            return (f"{_with_verb(other, seat, 'have', 'has')} {number_cards(hand)}",)
        case m.Discarded(other, cards, kept_cards):
            gave = _with_verb(other, seat, "give", "gives")
            if BACK in cards:
                return (f"{gave} two cards to the crib.",)
            keeps = f"{'keep' if other == seat else 'keeps'} {number_cards(kept_cards)}"
            return (f"{gave} {format_cards(cards)} to the crib and {keeps}",)
        case m.StarterTurned(card):
            return (f"The starter is {card}.",)
        case m.Laid(other, count, card):
            return (f"{_with_verb(other, seat, 'play', 'plays')} {card}: {count}.",)
        case m.GoSaid(other):
            return (f"{_with_verb(other, seat, 'say', 'says')} go.",)
        case m.HandShown(other, starter, hand, crib):
            hand_kind = "the crib" if crib else "the hand"
            text = f"{format_cards(hand)} with {starter}"
            return (f"{_with_verb(other, seat, 'show', 'shows')} {hand_kind} {text}.",)
        case m.HandCounted(other, scores, claimed_points):
            return (
                _count_sentence(
                    player_name(other, seat), points_of(scores), count_aloud(scores), claimed_points
                ),
            )
        case m.Scored(other, total, points, kind, _, part):
            if part not in (m.RoundPart.PLAY, m.RoundPart.STARTER) and kind != "muggins":
                return ()  # the sentence of the count includes these points
            scored = _with_verb(other, seat, "score", "scores")
            return (f"{scored} {points} for {score_name(kind)}: {total}.",)
        case m.RoundOver(points):
            has = (
                f"{_with_verb(place, seat, 'have', 'has')} {points[place]}." for place in m.SEATS
            )
            return (" ".join(("The round is over.", *has)),)
        case m.GameOver(winner, (first, second), worth):
            margin = ("", " by a skunk", " by a double skunk")[worth - 1]
            wins = _with_verb(winner, seat, "win", "wins")
            return (f"{wins} {max(first, second)} to {min(first, second)}{margin}.",)
    return ()


def _count_sentence(name: str, total: int, spoken: str, claimed_points: int | None) -> str:
    if claimed_points is None:
        return f"{name}: {spoken}."
    if claimed_points == total:
        return f"{name}: {claimed_points} is right ({spoken})."
    difference = (
        f"{total - claimed_points} missed"
        if claimed_points < total
        else f"{claimed_points - total} too many"
    )
    return f"{name}: {claimed_points}, {difference} ({spoken})."


def refusal(word: str, refused: IllegalAction, view: m.State, seat: Seat) -> str:
    """Return what would be accepted instead of a refused command, or nothing if unknown."""
    if refused.kind not in (Refusal.WORDS, Refusal.VALUE):
        must_say_go = word == "p" and _is_to_lay(view, seat) and not view.playable(seat)
        return "p: you cannot play any of your cards; g says go" if must_say_go else ""
    match word:
        case "x":
            return "x: give two different numbers from 1 to 6"
        case "p":
            return f"p: {_lay_choices(view, seat)}"
        case "c":
            return f"c: give a number from 0 to {view.options.rule_set.target}"
    return ""


def _is_to_lay(view: m.State, seat: Seat) -> bool:
    return view.phase is m.Phase.PLAY and view.player == seat


def _lay_choices(view: m.State, seat: Seat) -> str:
    if not _is_to_lay(view, seat):
        return "the number of a card, when it is your turn"
    hand, playable = view.hands[seat], view.playable(seat)
    choices = " ".join(f"{place}) {card}" for place, card in enumerate(hand, 1) if card in playable)
    return f"play one of {choices}"


def _hand(question: QuestionContext[m.State, Tally]) -> str:
    return hand_in_words(question.view, question.seat)


def _statistics(question: QuestionContext[m.State, Tally]) -> str:
    return table(question.tally)


def _advice(question: QuestionContext[m.State, Tally]) -> str | None:
    return in_a_line(question.view, question.seat)


questions: Mapping[str, AnswerQuestion[m.State, Tally]] = {
    "a": _advice,
    "h": _hand,
    "s": _statistics,
}

WORDS = Words(
    verbs,
    questions,
    help,
    lines,
    refusal,
    number_verb="p",
    moment=moment,
    hand=choosing_from,
    cards_of=cards_of,
    spoken=SPOKEN,
)
