"""Why a bet or a discard is a mistake, or why it is right: the price, the chances, the GTO level.

The figures are those of the advisers: exact counts for the categories after a draw, and the EVs,
chances and frequencies of `limit_adviser` or `adviser`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ....engine.game import Seat
from ....gamekit.adviser import Decision
from ....gamekit.lazy_import import LazyModule
from ....gamekit.number_formats import percent, rough_percent
from ....gamekit.reason import Figure, FigureColumn, Reason
from ..machine.betting import last_acts
from ..machine.moves import Action, Bet, Call, Check, Discard, Fold, Raise
from ..machine.rules import HAND_CARDS
from ..machine.state import Phase, State
from .discard_reasons import SURE_ERRORS, VISIBLE_GAP, discard_reason, opponents_drew, signed
from .ev_basis import EvBasis
from .lazy import adviser
from .players import NAMES

if TYPE_CHECKING:
    from . import limit_adviser
    from .limit_choices import LimitAdvice, LimitChoice
else:
    limit_adviser = LazyModule(".limit_adviser", __package__)

LATER_BETS = 1.0
"""The smallest effect on the EV of a call, in credits, for which later bets are mentioned."""
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
        if advice.basis is not EvBasis.SOLUTION:
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
    other = max(chosen or others, key=lambda one: one.value)
    pair = _Pair(view, seat, best, other)
    figures: list[Figure] = [("win chance", advice.win_chance)]
    cause = [*_opponents_did(view, seat), _price(advice, figures)]
    cause += filter(
        None,
        (
            _later_bets(pair, advice, figures),
            _response(pair, advice, figures),
            _frequencies(advice, figures),
        ),
    )
    rule = _betting_rule(pair, advice, figures)
    if not rule and other.value <= best.value:
        figures += [("EV", best.value), ("EV otherwise", other.value)]
        cause.append(
            f"All in all, {_noun(best.action)} has an EV of {signed(best.value)} and "
            f"{_noun(other.action)} {signed(other.value)}."
        )
    return Reason(tuple(cause), rule, tuple(figures))


class _Pair(NamedTuple):
    """The best choice of a seat, and the one that it is compared with."""

    view: State
    seat: Seat
    best: LimitChoice
    other: LimitChoice

    @property
    def acts(self) -> tuple[Action, Action]:
        return self.best.action, self.other.action

    @property
    def bet(self) -> Action | None:
        """The bet or raise among the two, or ``None``."""
        return next((one for one in self.acts if isinstance(one, Bet | Raise)), None)

    def has(self, kind: type) -> bool:
        """Return whether one of the two is an action of this type."""
        return any(isinstance(one, kind) for one in self.acts)

    def response(self, action: Action) -> limit_adviser.Response | None:
        return limit_adviser.response_to(self.view, self.seat, action)


def _price(advice: LimitAdvice, figures: list[Figure]) -> str:
    """Compare the price of a call with the chance to win, or only state the chance."""
    win, price = advice.win_chance, advice.pot_odds
    if price is None:
        return f"You win {rough_percent(win)} of the time if nobody bets again."
    figures += [("pot odds", price.need), ("call", Fraction(price.call))]
    needed, won = _compared(price.need, win)
    return (
        f"A call costs {price.call} to win {price.pot}, so it must win {needed} of the time; "
        f"you win {won} if nobody bets again."
    )


def _opponents_did(view: State, seat: Seat) -> Iterator[str]:
    """Say how many cards the opponents drew, and what the last one to act before the seat did."""
    if drawn := opponents_drew(view, seat):
        yield drawn
    if view.betting is None:
        return
    acts, alone = last_acts(view.betting, view.alive, view.stacks), len(view.alive) == 2
    for other in view.alive:
        act = acts.get(other, "")
        if other == seat or (act == "call" and not alone):
            continue
        name = "Your opponent" if alone else NAMES[other]
        amount = view.betting.bets[other]
        if act in ("bet", "raise"):
            yield f"{name} {'bets' if act == 'bet' else 'raises to'} {amount}."
        elif act == "check" and alone:
            yield f"{name} checked."


def _response(pair: _Pair, advice: LimitAdvice, figures: list[Figure]) -> str:
    """Say how an opponent at the GTO level should respond to the bet or raise in question.

    After the draw, a weak hand is a bluff: then compare how often the opponent folds with the share
    that a bluff needs, if they differ visibly.
    """
    view, betting, bet = pair.view, pair.view.betting, pair.bet
    if betting is None or bet is None or (answer := pair.response(bet)) is None:
        return ""
    figures.append(("folds", answer.share))
    is_best, is_weak = bet == pair.best.action, advice.win_chance < 0.5
    fails = view.phase is Phase.CLOSING and not pair.has(Call)  # before the draw, it can improve
    if is_weak and (is_best or fails):
        risk = min(betting.owes(pair.seat) + betting.size, view.stacks[pair.seat])
        need = Fraction(risk, risk + view.pot)
        if bluff := _bluff(_word(bet), answer.share, need, is_best=is_best):
            figures.append(("folds needed", need))
            return bluff
    return _value_bet(pair, bet, answer, figures)


def _bluff(bet: str, share: float, need: Fraction, *, is_best: bool) -> str:
    """Compare how often an opponent folds with what a bluff needs; "" if this explains nothing."""
    often, needed = rough_percent(share), rough_percent(need)
    if abs(share - need) < VISIBLE_GAP:
        if is_best:
            return ""
        return (
            f"As a bluff the {bet} only breaks even: your opponent should fold to it {often} of "
            f"the time, and it needs {needed}."
        )
    if (share > need) != is_best:
        return ""
    if is_best:
        return (
            f"The {bet} is a bluff: it wins because your opponent should fold to it {often} of the "
            f"time, and {needed} is enough."
        )
    return (
        f"As a bluff the {bet} fails: your opponent should fold to it {often} of the time, and it "
        f"needs {needed}."
    )


def _value_bet(
    pair: _Pair, bet: Action, answer: limit_adviser.Response, figures: list[Figure]
) -> str:
    """Say what a bet or a check meets: folds, and the chance to beat the other hands."""
    folds = f"your opponent should fold {rough_percent(answer.share)} of the time"
    figures.append(("wins if called", answer.wins))
    sentence = (
        f"If you {_word(bet)}, {folds}, and you win {rough_percent(answer.wins)} against the hands "
        f"that {_calling(pair.view)}."
    )
    bluffs = pair.response(Check()) if pair.has(Check) else None
    if bluffs is None:
        return sentence
    figures += [("bets", bluffs.share), ("wins against bets", bluffs.wins)]
    may_raise = isinstance(pair.best.action, Check) and bluffs.wins >= 0.5
    return (
        f"{sentence} If you check, your opponent should bet {rough_percent(bluffs.share)} of the "
        f"time, and you win {rough_percent(bluffs.wins)} against those hands"
        f"{'; then you may raise' if may_raise else ''}."
    )


def _compared(one: float | Fraction, two: float | Fraction) -> tuple[str, str]:
    """Format two chances; if they look equal, with the decimals that show which is higher."""
    rough = rough_percent(one), rough_percent(two)
    return rough if rough[0] != rough[1] else (percent(one), percent(two))


def _later_bets(pair: _Pair, advice: LimitAdvice, figures: list[Figure]) -> str:
    """Say how later bets change the EV of a call, if they change it much, and why they lower it."""
    choice, price = advice.choice_for(Call()), advice.pot_odds
    if choice is None or price is None or advice.basis is not EvBasis.SOLUTION:
        return ""
    showdown = advice.win_chance * (price.pot + price.call) - price.call
    later = choice.value - showdown
    if not pair.has(Call) or abs(later) < max(LATER_BETS, SURE_ERRORS * advice.error):
        return ""
    figures += [("call without later bets", showdown), ("call", choice.value)]
    sentence = (
        f"Later bets {'raise' if later > 0 else 'lower'} the EV of the call from "
        f"{signed(showdown)} to {signed(choice.value)}"
    )
    bets = limit_adviser.bets_after_draw(pair.view, pair.seat, Call())
    if later > 0 or bets is None or bets.wins >= advice.win_chance:
        return f"{sentence}."
    figures += [("bets after the draw", bets.share), ("wins against later bets", bets.wins)]
    reason = (
        f"{sentence}: after the draw your opponent should bet {rough_percent(bets.share)} of the "
        f"time, and you win only {rough_percent(bets.wins)} against those hands"
    )
    if not isinstance(pair.best.action, Raise):
        return f"{reason}."
    raised = limit_adviser.bets_after_draw(pair.view, pair.seat, Raise())
    if raised is None or raised.share >= bets.share:
        return f"{reason}."
    figures.append(("bets after a raise", raised.share))
    return f"{reason}; after a raise, it should bet only {rough_percent(raised.share)} of the time."


def _frequencies(advice: LimitAdvice, figures: list[Figure]) -> str:
    """Say how often the GTO level makes each choice; "" if the solution does not cover the hand."""
    if advice.basis is not EvBasis.SOLUTION:
        return ""
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


def _betting_rule(pair: _Pair, advice: LimitAdvice, figures: list[Figure]) -> str:
    """Return which of EV and frequency to follow, or a rule of thumb that fits the best choice."""
    top = advice.best
    if advice.basis is EvBasis.SOLUTION and (usual := _most_frequent(advice)) != top:
        gap = top.value - usual.value
        figures += [("standard error", advice.error), ("gap", gap)]
        if pair.best == usual and gap > SURE_ERRORS * advice.error:
            return (
                f"Both are right: the GTO level prefers {_noun(usual.action)}, and "
                f"{_noun(top.action)} gains {gap:.2f} credits if your opponent plays exactly like "
                "it."
            )
        return which_to_follow(pair.view, advice)
    if pair.best != top:
        return ""
    wins, acts = dict(figures), pair.acts
    price, win = advice.pot_odds, advice.win_chance
    if price is not None and pair.has(Fold):
        if isinstance(acts[0], Fold) and win < price.need:
            return "Fold when you win less often than the price of the call needs."
        if isinstance(acts[0], Call) and win >= price.need:
            return "Stay in when you win more often than the price of the call needs."
        return ""
    if pair.bet is None or "folds needed" in wins:
        return ""
    is_bet, word, calling = pair.bet == acts[0], _word(pair.bet), _calling(pair.view)
    if (called := wins.get("wins if called")) is not None:
        if is_bet and called > 0.5:
            return f"{word.capitalize()} when you beat more than half of the hands that {calling}."
        if not is_bet and called < 0.5:
            return f"Do not {word} when you beat less than half of the hands that {calling}."
        return ""
    if is_bet and win > 0.5:
        return f"{word.capitalize()} when you win more than half of the time."
    if not is_bet and win < 0.5:
        return f"Do not {word} when you win less than half of the time."
    return ""


def _calling(view: State) -> str:
    """Say which hands `limit_adviser.response_to` compares with the own hand after a bet."""
    return "call" if view.phase is Phase.OPENING else "stay in"


def _word(action: Action) -> str:
    return type(action).__name__.lower()


def _noun(action: Action) -> str:
    return f"a {_word(action)}"
