"""Why a bet or a discard is a mistake, or why it is right: the price, the chances, the GTO level.

The figures are those of the advisers: exact counts for the categories after a draw, and the EVs,
chances and frequencies of `limit_adviser` or `adviser`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ....cards.poker import HandCategory, rank_hand
from ....engine.game import Seat
from ....gamekit.adviser import SURE_ERRORS, Decision, Figure, FigureColumn, Reason
from ....gamekit.lazy_import import LazyModule
from ....gamekit.number_formats import percent, rough_percent
from ....inputs.numbers import list_words
from ..machine.betting import last_acts
from ..machine.rules import HAND_CARDS
from ..machine.state import Action, Bet, Call, Check, Discard, Fold, Phase, Raise, State
from .discard_reasons import (
    NEVER,
    OFTEN,
    discard_reason,
    opponents_drew,
    signed,
    usual_sentence,
)
from .lazy import adviser, odds
from .players import NAMES
from .pot_odds import EvBasis, PotOdds, chips_for

if TYPE_CHECKING:
    from . import limit_adviser
    from .limit_choices import LimitAdvice, LimitChoice
else:
    limit_adviser = LazyModule(".limit_adviser", __package__)

LEAST_VALUE = 0.005
"""Smaller differences between EVs, in credits, are not visible."""
LEAST_LATER = 1
"""Later bets of computer players that change an EV by less, in credits, are not mentioned."""
MUCH = 0.05
"""Later bets that change an EV by more than this share of the pot need an explanation."""
RARE_PLAY = 0.01
"""An opponent's line of play that the GTO level takes less often than this is rare."""
DRAWING = Fraction(15, 100)
"""A hand that a single card improves to a straight or better more often than this is a draw."""
FEW = 0.1
"""A smaller share of the hands that call a bet is almost none of them."""
BLUFF_WINS = 0.3
"""A bet that wins less often than this against the hands that call is a bluff."""
ACT_OF_LETTER = {"k": "check", "b": "bet", "f": "fold", "c": "call", "r": "raise"}


def reason(decision: Decision[State, Action], rival: Action | None = None) -> Reason | None:
    """Return why a choice loses to the best one, or why it beats ``rival`` or the next best.

    Return ``None`` for actions that are never judged, and for hands that contain a card twice.
    """
    view, seat, action = decision.view, decision.seat, decision.action
    if seat not in view.alive or len({*view.hands[seat]}) < HAND_CARDS:
        return None
    if isinstance(action, Discard) and isinstance(decision.best, Discard):
        return discard_reason(view, seat, action.positions, decision, rival)
    is_bet = isinstance(action, Check | Bet | Fold | Call | Raise)
    return _betting_reason(view, seat, decision, rival) if is_bet else None


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


def _betting_reason(
    view: State, seat: Seat, decision: Decision[State, Action], rival: Action | None
) -> Reason | None:
    advice = limit_adviser.advise_limit(view, seat)
    if advice is None or (best := advice.choice_for(decision.best)) is None:
        return None
    others = [one for one in advice.choices if one.action != decision.best]
    compared = decision.action if decision.mistake is not None else rival
    chosen = [one for one in others if one.action == compared]
    pair = _Pair(view, seat, advice, best, max(chosen or others, key=lambda one: one.value))
    figures: list[Figure] = []
    cause = [
        *_opponents_did(view, seat),
        *_rarity(view, seat, figures),
        *_draw_chance(view, seat, figures),
    ]
    explained = [_explained(pair, one, figures) for one in (best, *others)]
    bluff = [*_bluff(pair, figures)]
    cause += [*([] if bluff or pair.is_close else _in_short(pair, figures)), *explained, *bluff]
    if view.phase is Phase.OPENING and any(one.responses for one in advice.choices):
        cause.append("All EVs include the bets after the draw.")
    if advice.basis is EvBasis.SOLUTION and advice.has_frequencies:
        if decision.mistake is not None and pair.is_close:
            cause.append(usual_sentence(advice, pair.other, figures))
        elif not pair.is_close:
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
        error = max(self.advice.gap_error_of(one) for one in (self.best, self.other))
        return abs(self.best.value - self.other.value) <= SURE_ERRORS * error

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


def _draw_chance(view: State, seat: Seat, figures: list[Figure]) -> Iterator[str]:
    """Say before the draw how often four cards to a straight or a flush become one."""
    hand = view.hands[seat]
    if view.phase is not Phase.OPENING or rank_hand(hand).category >= HandCategory.TWO_PAIR:
        return
    counts = odds.after_each_discard(hand)
    single = [discards for discards in counts if len(discards) == 1]
    best = max(single, key=lambda one: sum(counts[one].counts[HandCategory.STRAIGHT :]))
    made, total = counts[best].counts[HandCategory.STRAIGHT :], counts[best].total
    if (chance := Fraction(sum(made), total)) <= DRAWING:
        return
    figures.append(("straight or better", chance))
    straights, flushes = made[0], made[1]
    name = "a straight or a flush" if straights and flushes else "a flush"
    name = name if flushes else "a straight"
    yield (
        f"Discarding {hand[best[0] - 1]} makes {name} with {sum(made)} of {total} cards, "
        f"{percent(chance, 1)}."
    )


def _in_short(pair: _Pair, figures: list[Figure]) -> Iterator[str]:
    """Say in words why the best choice is better than the other, if the figures show it."""
    if pair.advice.pot_odds is not None and pair.has(Fold) and pair.has(Call):
        yield from _call_in_short(pair, pair.advice.pot_odds)
    if pair.bet is not None and pair.bet.responses:
        yield from _bet_in_short(pair, pair.bet, dict(figures))


def _call_in_short(pair: _Pair, price: PotOdds) -> Iterator[str]:
    enough, is_best = pair.advice.win_chance >= price.need, isinstance(pair.best.action, Call)
    if enough == is_best:
        yield f"You {'' if enough else 'do not '}win often enough to call."
    elif pair.view.phase is Phase.OPENING and enough:
        yield (
            "You win often enough for the price of the call, but the bets after the draw cost you "
            "more than that."
        )
    elif pair.view.phase is Phase.OPENING:
        yield "The bets after the draw make up for the price of the call."


def _bet_in_short(
    pair: _Pair, bet: LimitChoice, known: Mapping[str, Fraction | float]
) -> Iterator[str]:
    """Name the response that does most to make a bet better, or worse, than the other choice."""
    word, is_best = _word(bet.action), bet == pair.best
    rival = pair.other if is_best else pair.best
    sign = 1 if is_best else -1
    gains = {one.letter: sign * one.share * (one.value - rival.value) for one in bet.responses}
    letter = max(gains, key=lambda each: gains[each])
    wins = known.get(f"{word} wins")
    if gains[letter] <= 0:
        return
    if letter == "f":
        yield f"Your {word} is best because it makes your opponent fold."
    elif letter == "r":
        raised = next(one for one in bet.responses if one.letter == letter)
        yield (
            f"A {word} is {'better' if is_best else 'worse'} mainly because your opponent raises "
            f"{_shown_shares(bet)['r']} of the time, which leaves you {signed(raised.value)}."
        )
    elif wins is not None and (wins >= 0.5) == is_best:
        hands = "worse" if is_best else "better"
        most = "Almost only" if min(wins, 1 - wins) < FEW else "Mostly"
        yield f"{most} {hands} hands call your {word}."


def _folds_needed(pair: _Pair, bet: LimitChoice, rival: LimitChoice) -> float:
    """Return how often a bet that never wins when called must win the pot to equal a choice."""
    risk = chips_for(bet.action, pair.view, pair.seat)
    return (risk + rival.value) / (risk + pair.view.pot)


def _explained(pair: _Pair, choice: LimitChoice, figures: list[Figure]) -> str:
    """Name a choice with its EV, and say where the EV comes from."""
    figures.append((f"EV of {_word(choice.action)}", choice.value))
    estimated = "" if pair.advice.basis is EvBasis.SOLUTION else "estimated "
    start = f"{_sized(pair, choice.action).capitalize()}, {estimated}EV {signed(choice.value)}"
    if choice.responses:
        return f"{start}: {_responses(pair, choice, figures)}."
    if isinstance(choice.action, Call | Check):
        return f"{start}: {_showdown(pair, choice, figures)}."
    if isinstance(choice.action, Fold):
        return f"{start.replace(estimated, '')}."
    if pair.advice.basis is EvBasis.PLAYED_OUT:
        figures.append((f"{_word(choice.action)}, all fold", choice.all_fold))
        who = "all others fold" if len(pair.view.alive) > 2 else "your opponent folds"
        return f"{start}: {who} {_chance(choice.all_fold)} of the time."
    figures.append(("win chance", pair.advice.win_chance))
    return f"{start}: you win {_chance(pair.advice.win_chance)} if nobody bets again."


def _responses(pair: _Pair, choice: LimitChoice, figures: list[Figure]) -> str:
    """Say how an opponent at the GTO level should respond, with the EV after each response."""
    word, parts = _word(choice.action), []
    wins = limit_adviser.wins_against(pair.view, pair.seat, choice.action)
    shares = _shown_shares(choice)
    for one in choice.responses:
        if (share := shares.get(one.letter)) is None:
            continue
        act = ACT_OF_LETTER[one.letter]
        figures += [(f"{word}, {act}", one.share), (f"{word}, {act} EV", one.value)]
        acts_next = [f"you then {ACT_OF_LETTER[one.reply]}"] if one.reply else []
        if wins is not None and one.letter == ("b" if word == "check" else "c"):
            figures.append((f"{word} wins", wins))
            if one.reply in ("", "c") and pair.view.phase is Phase.CLOSING:
                acts_next.append(f"{'' if acts_next else 'you '}win {_chance(wins)} of showdowns")
        if one.letter == "k" and pair.view.phase is Phase.CLOSING:
            acts_next.append(f"you win {_chance(one.value / pair.view.pot)} of showdowns")
        note = "; " * bool(acts_next) + " and ".join(acts_next)
        parts.append(f"{act} {share} ({signed(one.value)}{note})")
    if len(parts) == 1:
        return f"your opponent should always {parts[0].replace(' 100%', '')}"
    return f"your opponent should {', '.join(parts[:-1])} or {parts[-1]}"


def _shown_shares(choice: LimitChoice) -> dict[str, str]:
    """Return the share of each response by its letter, as it is shown; rare ones are left out."""
    shown = [one for one in choice.responses if one.share >= NEVER]
    texts = _adding_up([one.share for one in shown])
    return {one.letter: text for one, text in zip(shown, texts, strict=True)}


def _adding_up(shares: Sequence[float]) -> list[str]:
    """Format shares with one decimal so that they add up to 100%, the largest remainders first."""
    exact = [1000 * share / sum(shares) for share in shares]
    units = [int(one) for one in exact]
    by_remainder = sorted(range(len(exact)), key=lambda place: units[place] - exact[place])
    for place in by_remainder[: 1000 - sum(units)]:
        units[place] += 1
    return ["100%" if one == 1000 else f"{one / 10:.1f}%" for one in units]


def _showdown(pair: _Pair, choice: LimitChoice, figures: list[Figure]) -> str:
    """Compare the price of a call, or of nothing, with the chance to win; add later bets."""
    advice, price = pair.advice, pair.advice.pot_odds
    win, pot, call = advice.win_chance, pair.view.pot, 0
    won = _chance(win)
    figures.append(("win chance", win))
    if price is None:
        street = "the draw follows" if pair.view.phase is Phase.OPENING else "the hands are shown"
        sentence = f"{street}, and you win {won} of the pot of {pot}"
    else:
        pot, call = price.pot, price.call
        figures += [("pot odds", price.need), ("call", Fraction(call))]
        needed, won = _compared(price.need, win)
        sentence = f"it costs {call} to win {pot}, so you must win {needed}; you win {won}"
    showdown = win * (pot + call) - call
    change = choice.value - showdown
    if advice.basis is not EvBasis.SOLUTION:
        if pair.view.phase is Phase.CLOSING or abs(change) < LEAST_LATER:
            return f"{sentence} if nobody bets again"
        figures += [("without later bets", showdown)]
        later = f"win you {change:.2f} more" if change > 0 else f"cost you {-change:.2f}"
        return (
            f"{sentence} if nobody bets again, which is {signed(showdown)}, and later bets {later}"
        )
    figures += [("without later bets", showdown)]
    if pair.view.phase is Phase.CLOSING or abs(change) < LEAST_VALUE:
        return sentence
    later = f"win you {change:.2f} more" if change > 0 else f"cost you {-change:.2f}"
    cause = ", because you are usually behind" if change < -MUCH * pot and win < 0.5 else ""
    cause = ", because you are usually ahead" if change > MUCH * pot and win > 0.5 else cause
    return f"{sentence}, which is {signed(showdown)}, and the bets after the draw {later}{cause}"


def _bluff(pair: _Pair, figures: list[Figure]) -> Iterator[str]:
    """Compare the share of folds that a pure bluff needs with the share that it gets."""
    bet, view = pair.bet, pair.view
    if bet is None or view.betting is None or view.phase is not Phase.CLOSING or not bet.responses:
        return
    wins = dict(figures).get(f"{_word(bet.action)} wins", 1)
    rival = pair.other if bet == pair.best else pair.best
    need = _folds_needed(pair, bet, rival)
    needed, got = percent(need, 1), _shown_shares(bet).get("f", "0%")
    gap = float(got.rstrip("%")) - float(needed.rstrip("%"))  # of the shown figures, to fit them
    if max(wins, pair.advice.win_chance) < BLUFF_WINS and (
        gap > 0 if bet == pair.best else gap < 0
    ):
        figures.append(("folds needed", need))
        yield (
            f"The {_word(bet.action)} is a bluff: if it loses when called, it needs {needed} folds "
            f"to beat {_noun(rival.action)}, and it gets {got}."
        )


def _chance(chance: float) -> str:
    return "0%" if chance < 5e-4 else "100%" if chance == 1 else percent(chance, 1)


def _compared(one: float | Fraction, two: float | Fraction) -> tuple[str, str]:
    """Format two chances with one decimal, or with two if they would look equal."""
    rough = _chance(float(one)), _chance(float(two))
    return rough if rough[0] != rough[1] else (percent(one), percent(two))


def _frequencies(advice: LimitAdvice, figures: list[Figure]) -> str:
    """Say how often the GTO level makes each choice."""
    ranked = sorted(advice.choices, key=lambda one: -one.frequency)
    shown = [one for one in ranked if one.frequency >= NEVER]
    figures += [(f"frequency of {type(one.action).__name__}", one.frequency) for one in ranked]
    if len(shown) == 1:
        return f"The GTO level always {_word(shown[0].action)}s here."
    shares = _adding_up([one.frequency for one in shown])
    texts = [f"{_word(one.action)}s {share}" for one, share in zip(shown, shares, strict=True)]
    return f"The GTO level {list_words(texts)} of the time here."


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
        return "" if pair.is_close else which_to_follow(pair.view, advice)
    if pair.best != advice.best or pair.is_close:
        return ""
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
