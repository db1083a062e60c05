"""Why a bet or a discard is a mistake, or why it is right: the price, the chances, the GTO level.

The figures are those of the advisers: exact counts for the categories after a draw, and the EVs,
chances and frequencies of `limit_adviser` or `adviser`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ....cards.poker import HandCategory, rank_hand
from ....engine.game import Seat
from ....gamekit.adviser import Decision
from ....gamekit.lazy_import import LazyModule
from ....gamekit.number_formats import percent, rough_percent
from ....gamekit.reason import Figure, FigureColumn, Reason
from ..machine.betting import last_acts
from ..machine.moves import Action, Bet, Call, Check, Discard, Fold, Raise
from ..machine.rules import HAND_CARDS
from ..machine.state import Phase, State
from .discard_reasons import SURE_ERRORS, discard_reason, opponents_drew, signed
from .ev_basis import EvBasis
from .lazy import adviser, odds
from .players import NAMES
from .pot_odds import chips_for

if TYPE_CHECKING:
    from . import limit_adviser
    from .limit_choices import LimitAdvice, LimitChoice
else:
    limit_adviser = LazyModule(".limit_adviser", __package__)

LATER_BETS = 0.5
"""The smallest effect on an EV, in credits, for which later bets are mentioned."""
RARE_PLAY = 0.01
"""An opponent's line of play that the GTO level takes less often than this is rare."""
DRAWING = Fraction(15, 100)
"""A hand that a single card improves to a straight or better more often than this is a draw."""
BLUFF_WINS = 0.3
"""A bet that wins less often than this against the hands that call is a bluff."""
ACT_OF_LETTER = {"k": "check", "b": "bet", "f": "fold", "c": "call", "r": "raise"}
OFTEN = 0.1
"""If the GTO level makes a choice at least this often, its lower EV needs an explanation."""


def reason(decision: Decision[State, Action]) -> Reason | None:
    """Return why a choice loses to the best one, or what makes it the best.

    Return ``None`` for actions that are never judged, and for hands that contain a card twice.
    """
    view, seat, action = decision.view, decision.seat, decision.action
    if seat not in view.alive or len({*view.hands[seat]}) < HAND_CARDS:
        return None
    if isinstance(action, Discard) and isinstance(decision.best, Discard):
        return discard_reason(view, seat, action.positions, decision)
    is_bet = isinstance(action, Check | Bet | Fold | Call | Raise)
    return _betting_reason(view, seat, decision) if is_bet else None


def columns(decision: Decision[State, Action]) -> tuple[FigureColumn[Action], ...]:
    """Return how often the GTO level makes each choice, or how often each discard wins.

    The GTO level has no frequencies outside the solution. The ante table has only chances to win.
    """
    view, seat = decision.view, decision.seat
    if seat not in view.alive or len({*view.hands[seat]}) < HAND_CARDS:
        return ()
    advice = limit_adviser.advise_limit(view, seat)
    if advice is not None:
        if advice.basis is not EvBasis.SOLUTION or not advice.has_frequencies:
            return ()
        shares = {one.action: rough_percent(one.frequency) for one in advice.choices}
        return (FigureColumn("GTO", shares),)
    sampled = adviser.advise(view, seat)
    if sampled is None or len(sampled.wins) < 2:
        return ()
    wins: dict[Action, str] = {
        Discard(one): rough_percent(win.chance) for one, win in sampled.wins.items()
    }
    return (FigureColumn("wins", wins),)


def _betting_reason(view: State, seat: Seat, decision: Decision[State, Action]) -> Reason | None:
    advice = limit_adviser.advise_limit(view, seat)
    if advice is None or (best := advice.choice_for(decision.best)) is None:
        return None
    others = [one for one in advice.choices if one.action != decision.best]
    chosen = [one for one in others if one.action == decision.action]
    pair = _Pair(view, seat, advice, best, max(chosen or others, key=lambda one: one.value))
    figures: list[Figure] = []
    cause = [
        *_opponents_did(view, seat),
        *_rarity(view, seat, figures),
        *_values(pair, figures),
        *_draw_chance(view, seat, figures),
        *_explained(pair, pair.best, figures),
        *_explained(pair, pair.other, figures),
        *_bluff(pair, figures),
    ]
    if not pair.is_close and advice.basis is EvBasis.SOLUTION and advice.has_frequencies:
        cause.append(_frequencies(advice, figures))
    return Reason(tuple(cause), _betting_rule(pair, figures), tuple(figures))


class _Pair(NamedTuple):
    """The best choice of a seat, and the one that it is compared with."""

    view: State
    seat: Seat
    advice: LimitAdvice
    best: LimitChoice
    other: LimitChoice

    @property
    def acts(self) -> tuple[Action, Action]:
        return self.best.action, self.other.action

    @property
    def bet(self) -> LimitChoice | None:
        """The bet or raise among the two, or ``None``."""
        both = (self.best, self.other)
        return next((one for one in both if isinstance(one.action, Bet | Raise)), None)

    @property
    def is_close(self) -> bool:
        """Whether the EVs of the two differ by no more than their errors."""
        return abs(self.best.value - self.other.value) <= SURE_ERRORS * self.advice.error

    def has(self, kind: type) -> bool:
        """Return whether one of the two is an action of this type."""
        return any(isinstance(one, kind) for one in self.acts)


def _opponents_did(view: State, seat: Seat) -> Iterator[str]:
    """Say how many cards the opponents drew, and what the last one to act before the seat did."""
    drawn = opponents_drew(view, seat)
    acts = _last_acts(view, seat) if view.betting is not None else []
    if len(view.alive) > 2:
        yield from filter(None, (drawn, *(f"{NAMES[other]} {act}." for other, act in acts)))
    elif parts := [*filter(None, (drawn, *(act for _, act in acts)))]:
        yield f"Your opponent {' and '.join(parts)}."


def _last_acts(view: State, seat: Seat) -> list[tuple[int, str]]:
    """Return what each opponent did; calls and checks matter only between two players."""
    assert view.betting is not None
    acts, alone = last_acts(view.betting, view.alive, view.stacks), len(view.alive) == 2
    texts = {"check": "checked"} if alone else {}
    found = []
    for other in view.alive:
        amount = view.betting.bets[other]
        texts |= {"bet": f"bet {amount}", "raise": f"raised to {amount}"}
        if other != seat and (act := acts.get(other)) in texts:
            found.append((other, texts[act]))
    return found


def _rarity(view: State, seat: Seat, figures: list[Figure]) -> Iterator[str]:
    """Say if an opponent at the GTO level hardly ever plays like this."""
    share = limit_adviser.opponent_reach(view, seat)
    if share is not None and share < RARE_PLAY:
        figures.append(("play like this", share))
        yield (
            f"At the GTO level, your opponent plays like this {rough_percent(share)} of the time, "
            "so its hand is hard to judge."
        )


def _values(pair: _Pair, figures: list[Figure]) -> Iterator[str]:
    """List the EVs of all choices, and say whether the two that are compared are close."""
    choices = pair.advice.choices
    figures += [(f"EV of {_word(one.action)}", one.value) for one in choices]
    values = ", ".join(f"{_word(one.action)} {signed(one.value)}" for one in choices)
    is_solved = pair.advice.basis is EvBasis.SOLUTION
    yield f"{'EVs' if is_solved else 'Estimated EVs'}: {values}."
    if pair.is_close:
        best, other = map(_noun, pair.acts)
        close = "are close" if is_solved else "differ by less than the error of the estimate"
        yield f"{best.capitalize()} and {other} {close}."


def _draw_chance(view: State, seat: Seat, figures: list[Figure]) -> Iterator[str]:
    """Say before the draw how often four cards to a straight or a flush become one."""
    hand = view.hands[seat]
    if view.phase is not Phase.OPENING or rank_hand(hand).category >= HandCategory.STRAIGHT:
        return
    counts = odds.after_each_discard(hand)
    chance = max(
        Fraction(sum(one.counts[HandCategory.STRAIGHT :]), one.total)
        for discards, one in counts.items()
        if len(discards) == 1
    )
    if chance > DRAWING and rank_hand(hand).category < HandCategory.TWO_PAIR:
        figures.append(("straight or better", chance))
        yield f"One card makes a straight or better {rough_percent(chance)} of the time."


def _explained(pair: _Pair, choice: LimitChoice, figures: list[Figure]) -> Iterator[str]:
    """Say where the EV of a choice comes from."""
    if choice.responses:
        yield _responses(pair, choice, figures)
    elif isinstance(choice.action, Call | Check):
        yield _showdown(pair, choice, figures)
    elif not isinstance(choice.action, Fold) and "win chance" not in dict(figures):
        figures.append(("win chance", pair.advice.win_chance))
        yield f"You win {rough_percent(pair.advice.win_chance)} of the time if nobody bets again."


def _responses(pair: _Pair, choice: LimitChoice, figures: list[Figure]) -> str:
    """Say how an opponent at the GTO level should respond, with the EV after each response."""
    word = _word(choice.action)
    shown = [one for one in choice.responses if one.share >= 0.005]
    parts = []
    for one in shown:
        figures += [
            (f"{word}, {ACT_OF_LETTER[one.letter]}", one.share),
            (f"{word}, {ACT_OF_LETTER[one.letter]} EV", one.value),
        ]
        often = f"{round(100 * one.share)}%" + (" of the time" if one is shown[0] else "")
        ev = signed(one.value)
        parts.append(f"{ACT_OF_LETTER[one.letter]} {often} ({'EV ' * (one is shown[0])}{ev})")
    if len(shown) == 1:
        parts = [f"always {ACT_OF_LETTER[shown[0].letter]} (EV {signed(shown[0].value)})"]
    answers = f"{', '.join(parts[:-1])} or {parts[-1]}" if len(parts) > 1 else parts[0]
    sentence = f"If you {_sized(pair, choice.action)}, your opponent should {answers}"
    wins = limit_adviser.wins_against(pair.view, pair.seat, choice.action)
    against = "bet" if isinstance(choice.action, Check) else "call"
    if wins is None or against not in {ACT_OF_LETTER[one.letter] for one in shown}:
        return f"{sentence}."
    figures.append((f"{word} wins", wins))
    return f"{sentence}; you win {rough_percent(wins)} against the hands that {against}."


def _showdown(pair: _Pair, choice: LimitChoice, figures: list[Figure]) -> str:
    """Compare the price of a call, or of nothing, with the chance to win; add later bets."""
    advice, price = pair.advice, pair.advice.pot_odds
    win, pot, call = advice.win_chance, pair.view.pot, 0
    figures.append(("win chance", win))
    if price is None:
        street = "the draw follows" if pair.view.phase is Phase.OPENING else "the hands are shown"
        sentence = f"If you check, {street}: you win {rough_percent(win)} of the pot of {pot}"
    else:
        pot, call = price.pot, price.call
        figures += [("pot odds", price.need), ("call", Fraction(call))]
        needed, won = _compared(price.need, win)
        sentence = (
            f"A call costs {call} to win {pot}, so it must win {needed} of the time; you win {won}"
        )
    showdown = win * (pot + call) - call
    last = pair.view.phase is Phase.CLOSING or advice.basis is not EvBasis.SOLUTION
    if last or abs(choice.value - showdown) < LATER_BETS:
        return f"{sentence}{' if nobody bets again' * (not last)}."
    figures += [("without later bets", showdown)]
    change = "raise" if choice.value > showdown else "lower"
    return (
        f"{sentence} if nobody bets again, which gives {signed(showdown)}. Later bets {change} "
        f"that to {signed(choice.value)}."
    )


def _bluff(pair: _Pair, figures: list[Figure]) -> Iterator[str]:
    """State the share of folds that a bluff needs, if the last bet is one."""
    bet, view = pair.bet, pair.view
    if bet is None or view.betting is None or view.phase is not Phase.CLOSING or pair.has(Call):
        return
    wins, folds = dict(figures).get(f"{_word(bet.action)} wins", 1), bet.responses
    if not folds or wins >= BLUFF_WINS:
        return
    risk = chips_for(bet.action, view, pair.seat)
    need = Fraction(risk, risk + view.pot)
    if (bet == pair.best) == (folds[0].share > need):
        figures.append(("folds needed", need))
        yield (
            f"As a bluff, the {_word(bet.action)} risks {risk} to win {view.pot}: your opponent "
            f"must fold more than {rough_percent(need)} of the time."
        )


def _compared(one: float | Fraction, two: float | Fraction) -> tuple[str, str]:
    """Format two chances; if they look equal, with the decimals that show which is higher."""
    rough = rough_percent(one), rough_percent(two)
    return rough if rough[0] != rough[1] else (percent(one), percent(two))


def _frequencies(advice: LimitAdvice, figures: list[Figure]) -> str:
    """Say how often the GTO level makes each choice."""
    ranked = sorted(advice.choices, key=lambda one: -one.frequency)
    shown = [one for one in ranked if one.frequency >= 0.005]
    figures += [(f"frequency of {type(one.action).__name__}", one.frequency) for one in ranked]
    if len(shown) == 1:
        return f"At the GTO level you always {_word(shown[0].action)} here."
    shares = [round(100 * one.frequency) for one in shown]
    shares[0] += 100 - sum(shares)  # rounded shares may not add up to 100%
    texts = [f"{_word(one.action)} {share}%" for one, share in zip(shown, shares, strict=True)]
    return f"At the GTO level you {', '.join(texts[:-1])} and {texts[-1]} of the time here."


def which_to_follow(view: State, advice: LimitAdvice) -> str:
    """Say whether to follow the EV or the frequency if they seem to disagree, or return ""."""
    top, usual = advice.best, _most_frequent(advice)
    rivals = [one for one in advice.choices if one != top and one.frequency >= OFTEN]
    if advice.basis is not EvBasis.SOLUTION or not rivals:
        return ""
    best, often = _noun(top.action), _noun(usual.action)
    quality = "approximate"
    if view.phase is Phase.OPENING:
        quality = "averages over similar hands"
    sure = SURE_ERRORS * advice.error
    if usual != top:
        if (gap := top.value - usual.value) <= sure:
            return (
                f"{best.capitalize()} and {often} are about equally good: their EVs differ by less "
                f"than twice the standard error. The GTO level prefers {often}."
            )
        return (
            f"Follow the EV here: {best} is {gap:.2f} credits better than {often}, and the "
            f"frequencies are {quality}."
        )
    if any(top.value - one.value > sure for one in rivals):
        return f"Follow the EV here: the frequencies are {quality}."
    return ""


def _most_frequent(advice: LimitAdvice) -> LimitChoice:
    return max(advice.choices, key=lambda one: one.frequency)


def _betting_rule(pair: _Pair, figures: list[Figure]) -> str:
    """Return which of EV and frequency to follow, or a rule of thumb that fits the best choice."""
    advice, acts = pair.advice, pair.acts
    if advice.basis is EvBasis.SOLUTION and (usual := _most_frequent(advice)) != advice.best:
        gap = advice.best.value - usual.value
        figures += [("standard error", advice.error), ("gap", gap)]
        if pair.best == usual and gap > SURE_ERRORS * advice.error:
            return (
                f"Both are right: the GTO level prefers {_noun(usual.action)}, and "
                f"{_noun(advice.best.action)} gains {gap:.2f} credits if your opponent plays "
                "exactly like it."
            )
        if pair.is_close:
            return f"The GTO level prefers {_noun(usual.action)}."
        return which_to_follow(pair.view, advice)
    if pair.best != advice.best or pair.is_close:
        return ""
    win, price = advice.win_chance, advice.pot_odds
    if price is not None and pair.has(Fold) and pair.has(Call):
        if isinstance(acts[0], Fold) and win < price.need:
            return "Fold when you win less often than the price of the call needs."
        if isinstance(acts[0], Call) and win >= price.need:
            return "Call when you win more often than the price of the call needs."
    last_to_act = pair.view.betting is not None and len(pair.view.betting.pending) == 1
    is_value_bet = isinstance(acts[0], Bet) and dict(figures).get("bet wins", 0) > 0.5
    if pair.view.phase is Phase.CLOSING and last_to_act and is_value_bet:
        return "Last to act, bet when you beat more than half of the hands that call."
    return ""


def _sized(pair: _Pair, action: Action) -> str:
    """Name an act with its amount: ``bet 10``, ``raise to 20``."""
    betting = pair.view.betting
    assert betting is not None
    chips = chips_for(action, pair.view, pair.seat)
    if isinstance(action, Raise):
        return f"raise to {betting.bets[pair.seat] + chips}"
    return f"{_word(action)} {chips}" if chips else _word(action)


def _word(action: Action) -> str:
    return type(action).__name__.lower()


def _noun(action: Action) -> str:
    return f"a {_word(action)}"
