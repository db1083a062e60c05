"""The parts of the table as shown: hands, rows of text, messages, and the EV of each choice.

Messages come in several lengths, because the width of the table differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan
from types import MappingProxyType
from typing import TYPE_CHECKING

from ....engine.money import dollars
from ....gamekit.number_formats import percent, signed_money, with_sign
from ....inputs.numbers import list_words
from ....structs import replace
from ....tui.draw.canvas import TableRow, TableRows, TonedLine
from ....tui.draw.card_art import CardState as Art
from ....tui.draw.choice_list import ChoiceRow
from ....tui.draw.look import result_tone
from ....tui.draw.plots import sparkline
from ....tui.draw.text import capitalize
from ....tui.table.listed_view import ChoiceRanking, RankedChoice
from ..brains.adviser import ACTIONS, LEAST_COST, TrainerData
from ..brains.odds import BUST, FINALS, PlayerChoice, fair_odds
from ..machine import state as m
from ..machine.rules import (
    DEALER_WINS_ON,
    LIMIT,
    MAXIMUM,
    MINIMUM,
    Rules,
    may_double,
    may_split,
    total_of,
)
from .table_catalog import changed_rules
from .tally import Tally
from .widgets.table import HandScene
from .words import hand_reason, net_phrase, say_total

if TYPE_CHECKING:
    from ..brains.shoe_odds import ChoiceOutcome


WORDS: Mapping[type[m.Action], tuple[str, str]] = MappingProxyType(
    {
        m.Hit: ("h", "hit"),
        m.Stand: ("s", "stand"),
        m.Double: ("d", "double"),
        m.Split: ("p", "split"),
        m.Insure: ("i", "insurance"),
        m.Decline: ("n", "no insurance"),
    }
)
"""The word for each action, and its name in a sentence."""


def ask_for_choice(view: m.State, place: int, *, hints: bool = True) -> Iterator[str]:
    """Yield texts of the question for a hand, from the longest to the shortest.

    Without ``hints``, the question about a 14 is the same as about other hands.
    """
    hand = view.hands[place]
    name = f"Hand {place + 1}: " if len(view.hands) > 1 else ""
    if view.offers_14 and hints:
        yield f"{name}14! Stand, or hit?"
        return
    choices = ["hit", "stand"]
    rules, covered = view.options.rules, view.credit >= hand.bet
    if covered and may_double(hand.cards, len(view.hands), rules):
        choices.append("double")
    if covered and may_split(hand.cards, len(view.hands), rules):
        choices.append("split")
    totals = f"{name}{say_total(hand.total)} against {view.dealer[0].rank.pip}"
    yield capitalize(f"{totals}: {list_words(choices, 'or')}?")
    yield capitalize(f"{totals}?")


def ending_messages(over: m.RoundOver) -> Iterator[str]:
    """Yield texts for the result of a round, from the longest to the shortest."""
    net = over.won - over.wagered
    total_phrase = net_phrase(net)
    if len(over.hands) == 1:
        (hand,) = over.hands
        if over.insurance:
            insured = net_phrase(over.insurance_back - over.insurance)
            bet = net_phrase(hand.back - hand.bet)
            yield f"{hand_reason(hand)}: {bet}; insurance: {insured}"
            yield f"In total, with insurance, {total_phrase}"
        else:
            yield f"{hand_reason(hand)}: {total_phrase}"
            yield f"{short_reason(hand)}: {total_phrase}"
    elif over.insurance:
        yield f"In total, with insurance, {total_phrase}"
    else:
        yield f"All hands together: {total_phrase}"
    yield f"In total {total_phrase}"
    yield capitalize(total_phrase)


def short_reason(hand: m.Settled) -> str:
    """Describe the result of a hand in fewer words than on the console."""
    points = total_of(hand.cards).points
    if hand.on_14:
        return "Your 14 wins" if hand.back else "Dealer has 31"
    if points > LIMIT or hand.against <= LIMIT:
        return hand_reason(hand).replace("The dealer", "Dealer")
    return "Dealer is bust"


def bet_limit_message(bet: int, limit: int) -> str:
    """Explain why a bet is not possible: the table's limits or the player's credit."""
    if bet < MINIMUM:
        return f"the minimum bet is {MINIMUM}."
    if limit == MAXIMUM:
        return f"the maximum bet is {MAXIMUM}."
    return "your credit does not cover more."


def ev_source_message(data: TrainerData | None, bet: int) -> str:
    """Say what the EVs shown are based on, and how large their error is; ``bet`` is in cents."""
    basis = f"EV in credits for a bet of {dollars(bet)}"
    if data is None:
        return basis
    if not data.has_enough_cards:
        error = data.advice.bet * max(data.advice.errors.values())
        return f"{basis}, sampled; standard error {error:.2f}"
    error = data.advice.bet * data.advice.errors.get(PlayerChoice.SPLIT, 0.0)
    split = f"; split: standard error {error:.2f}" if error >= 0.005 else ""
    return f"{basis}, from this shoe{split}"


CHIPS = (20, 50, 100, 150, 200)
"""The bets that a digit or a click chooses, in dollars."""


# ---- hands -----------------------------------------------------------------------------------


def dealer_scene(view: m.State) -> HandScene:
    """Return the dealer's hand as shown."""
    total = total_of(view.dealer)
    line: list[tuple[str, str]] = []
    if view.dealer:
        said = say_total(total)
        line.append((said.partition(", two")[0] if view.insurance else said, "strong"))
    if view.insurance:
        line.append((f"  insured {dollars(view.insurance)}", "muted"))
    art = Art.DIMMED if total.bust else Art.NORMAL
    return HandScene(view.dealer, art, (("DEALER", "gold"),), tuple(line))


def hand_scenes(
    view: m.State, result: m.RoundOver | None, star: str, *, marks_14: bool = True
) -> tuple[HandScene, ...]:
    """Return the player's hands as they are shown; after a round, include their results."""
    if not view.hands:
        return (HandScene((), Art.NORMAL, (("YOU", "gold"),), ()),)
    count = len(view.hands)
    if result is not None:
        return tuple(
            _settled_hand(place, hand, count, star) for place, hand in enumerate(result.hands)
        )
    marked = view.active if view.offers_14 and marks_14 else None
    return tuple(
        _hand_in_play(place, hand, view, marked=place == marked)
        for place, hand in enumerate(view.hands)
    )


def _name(place: int, count: int) -> str:
    return "YOU" if count == 1 else f"HAND {place + 1}"


def _hand_in_play(place: int, hand: m.PlayerHand, view: m.State, *, marked: bool) -> HandScene:
    count = len(view.hands)
    active = view.active == place
    resting = view.active is not None and not active
    bet = dollars(hand.bet)
    total = say_total(hand.total) if hand.cards else ""
    name = _name(place, count)
    state = "  stands" if hand.stood else ""
    tone = "block" if marked else "strong"
    total_text = f" {total} " if tone == "block" else total
    total_line: TonedLine = ((total_text, tone), (state, "muted"), (f"   bet {bet}", "muted"))
    art = Art.DIMMED if hand.total.bust or resting else Art.NORMAL
    return HandScene(
        hand.cards,
        art,
        ((name, "muted" if resting else "gold"),),
        total_line,
        short_text=((f"{hand.total.points}{state[1:]}", ""), (f" {bet}", "muted")),
    )


def _settled_hand(place: int, hand: m.Settled, count: int, star: str) -> HandScene:
    net = hand.back - hand.bet
    total = total_of(hand.cards)
    art = Art.DIMMED if total.bust else Art.WINNING if net > 0 else Art.NORMAL
    score = say_total(total) if count == 1 else _score_text(hand)
    tone = result_tone(net)
    words = f"wins {dollars(net)}" if net > 0 else f"loses {dollars(-net)}" if net else "push"
    result_text = f"{star} {words}" if net > 0 else words
    return HandScene(
        hand.cards,
        art,
        ((_name(place, count), "gold"),),
        ((score, "strong"), (f"  {result_text}", tone)),
        short_text=((f"{score} ", ""), (signed_money(net), tone)),
    )


def _score_text(hand: m.Settled) -> str:
    """Return a hand's total, and the dealer's total that it was compared with.

    The total is not computed from the dealer's cards, because the dealer may have drawn more since.
    """
    total = total_of(hand.cards)
    if total.bust:
        return say_total(total)
    return "on 14" if hand.on_14 else f"{total.points} to {hand.against}"


# ---- rows next to the hands ------------------------------------------------------------------


def chip_rows(bet: int, limit: int) -> TableRows:
    """Return the bets to choose from; ``limit`` is the highest possible bet in dollars."""
    rows = [TableRow((("BET", "gold"),))]
    for number, chip in enumerate(CHIPS, 1):
        tone = "block" if chip == bet else "" if chip <= limit else "faint"
        rows.append(TableRow(((f"{number}", "gold"), (f"{chip:>5} ", tone)), key=str(number)))
    if bet not in CHIPS:
        rows.append(TableRow(((" ", ""), (f"{bet:>5} ", "block"))))
    return tuple(rows)


def offer_rows() -> TableRows:
    """Return the highlighted rows that offer to stand on 14."""
    return TableRow(((" STAND ON 14 ", "block"),), key="s"), TableRow((("only a 31 beats it", ""),))


def rule_rows(rules: Rules, *, hints: bool = True) -> TableRows:
    """Return rows with a short version of the house rules, with or without advice for a 14."""
    soft = " and soft 27" if rules.dealer_hits_soft else ""
    lines = [
        "closer to 31 wins; over 31 loses",
        "ace 11 or 1; face cards 10",
        f"your 14 loses only to 31{': stand' if hints else ''}",
        f"dealer draws to 27{soft},",
        "but stops on 14; the dealer's 14",
        "beats all hands except a 14",
        f"insurance against 31 pays {rules.insurance}",
    ]
    in_text = ("dealer_hits_soft", "insurance")
    lines += [words.lower() for rule, words in changed_rules(rules).items() if rule not in in_text]
    return (TableRow((("THE RULES", "gold"),)), *(TableRow(((line, "muted"),)) for line in lines))


def round_rows(rounds: Sequence[m.RoundOver], star: str) -> TableRows:
    """Return rows with the last rounds, latest first, and their reasons and results."""
    rows = [TableRow((("LAST ROUNDS", "gold"),))]
    for over in reversed(rounds):
        net = over.won - over.wagered
        tone = result_tone(net)
        rows.append(TableRow(((_result_text(over), ""),), ((signed_money(net), tone),)))
    return tuple(rows)


def _result_text(over: m.RoundOver) -> str:
    if len(over.hands) > 1:
        return f"{len(over.hands)} hands"
    return short_reason(over.hands[0])


def sitting_rows(tally: Tally, bankroll: Sequence[int], width: int, plain: bool) -> TableRows:
    """Return rows with the results of the session, and a plot of the credit after each round."""
    net = tally.won - tally.wagered
    tone = result_tone(net)
    parts = [f"rounds {tally.rounds:,}", f"hands won {tally.wins:,} of {tally.hands:,}"]
    if tally.player_14:
        parts.append(f"on 14 {tally.player_14_won:,} of {tally.player_14:,}")
    figures = TableRow((("   ".join(parts), ""),), ((signed_money(net), tone),))
    while figures.width > width and len(parts) > 1:
        parts.pop()
        figures = replace(figures, line=(("   ".join(parts), ""),))
    return (
        TableRow((("THIS SESSION", "gold"),)),
        figures,
        TableRow(((sparkline(bankroll, width, plain), "good"),)),
    )


def shoe_rows(remaining: Sequence[int], count: float) -> TableRows:
    """Return rows with the cards left in the shoe, the tens left, and the high-low count.

    ``remaining`` counts the cards by value, aces first.
    """
    figures = (("cards left", f"{sum(remaining)}"), ("tens left", f"{remaining[-1]}"))
    rows = [*figures, ("count", with_sign(round(10 * count), f"{abs(count):.1f}"))]
    return (
        TableRow((("this shoe", "muted"),)),
        *(TableRow(((name, ""),), ((f"{figure:>4}", "strong"),)) for name, figure in rows),
    )


NAMES: Mapping[PlayerChoice, tuple[str, str]] = MappingProxyType(
    {
        PlayerChoice.HIT: ("h", "Hit"),
        PlayerChoice.STAND: ("s", "Stand"),
        PlayerChoice.DOUBLE: ("d", "Double"),
        PlayerChoice.SPLIT: ("p", "Split"),
        PlayerChoice.INSURE: ("i", "Insure"),
        PlayerChoice.DECLINE: ("n", "No insurance"),
    }
)
"""The key and the name of each choice."""
PLAYS = (PlayerChoice.HIT, PlayerChoice.STAND, PlayerChoice.DOUBLE, PlayerChoice.SPLIT)


def rank_plays(
    reading: TrainerData, reason_for: Callable[[str], str], basis: str
) -> ChoiceRanking[m.Action]:
    """Return the choices of a position, best first, followed by the impossible choices.

    ``reason_for`` returns why a key cannot be used, and ``basis`` says how the EVs were computed.
    """
    advice = reading.advice
    ranked = sorted(advice.values, key=lambda choice: -advice.values[choice])
    best = advice.values[ranked[0]]
    choices: Iterator[RankedChoice[m.Action]] = (
        RankedChoice(
            (ACTIONS[choice](),),
            NAMES[choice][1],
            advice.bet * (best if best - value < LEAST_COST else value),
            figures=_chances(advice.outcomes.get(choice)),
            key=NAMES[choice][0],
        )
        for choice, value in ((one, advice.values[one]) for one in ranked)
    )
    impossible = [] if reading.position.insurance_asked else [*PLAYS]
    names = [NAMES[play] for play in impossible if play not in advice.values]
    return ChoiceRanking(
        "choices",
        tuple(choices),
        "" if basis else "in credits",
        ("wins", "pushes"),
        details=(((basis, "muted"),),) if basis else (),
        impossible=tuple(ChoiceRow(name, key=key, reason=reason_for(key)) for key, name in names),
    )


def _chances(outcome: ChoiceOutcome | None) -> tuple[str, ...]:
    if outcome is None or isnan(outcome.wins):
        return ("", "")
    return percent(outcome.wins, 0), percent(outcome.pushes, 0)


def dealer_rows(reading: TrainerData, *, all_totals: bool) -> TableRows:
    """Return rows with the chances of the dealer's final totals, separately or in groups.

    If insurance is offered, 31 has a row of its own, and the last row has the fair odds of 31.
    """
    ends = reading.dealer_finals
    rows = [TableRow((("dealer ends on", "muted"),))]
    insurance_asked = reading.position.insurance_asked
    chances = dict(_ends(ends) if all_totals else _some_ends(ends, insurance_asked=insurance_asked))
    width = max(map(len, chances))
    for name, chance in chances.items():
        tone = "good" if name == "bust" else ""
        rows.append(
            TableRow(((f"{name:<{width}}", tone),), ((f"{percent(chance, 1):>7}", "muted"),))
        )
    if insurance_asked:
        fair = f"{fair_odds(ends[LIMIT]):>7}"
        rows.append(TableRow(((f"{'fair':<{width}}", ""),), ((fair, "muted"),)))
    return tuple(rows)


def _ends(ends: Mapping[int, float]) -> Iterator[tuple[str, float]]:
    yield "bust", ends[BUST]
    for final in FINALS:
        if final != BUST:
            yield str(final), ends[final]


def _some_ends(ends: Mapping[int, float], *, insurance_asked: bool) -> Iterator[tuple[str, float]]:
    yield "bust", ends[BUST]
    yield "27, 28", ends[27] + ends[28]
    if insurance_asked:
        yield "29, 30", ends[29] + ends[30]
    else:
        yield "29 to 31", ends[29] + ends[30] + ends[31]
    yield str(DEALER_WINS_ON), ends[DEALER_WINS_ON]
    if insurance_asked:
        yield "31", ends[31]
