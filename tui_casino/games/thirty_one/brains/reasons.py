"""The reason for a verdict in Hit Me: what the next card does, and how often each choice wins.

All figures are computed from the cards left in the shoe. The chosen action is compared with the
best one or, if the best was chosen, with the next best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from math import isnan
from types import MappingProxyType

from msgspec import Struct, field

from ....gamekit.adviser import Decision, Figure, FigureColumn, Reason
from ....gamekit.number_formats import whole_percent
from ....gamekit.verdict import gerund
from ..machine.rules import LIMIT, SAFE_TOTAL, STANDS_AT, Total
from ..machine.state import Action, State
from .adviser import (
    ACTIONS,
    ThirtyOneAdvice,
    ThirtyOnePosition,
    advise,
    advise_infinite_shoe,
    chance_of_31,
    position_of,
)
from .odds import HandInPlay, PerfectPlay, PlayerChoice
from .strategy_chart import UP_CARDS, build_chart, card_name

HIT, STAND, DOUBLE = PlayerChoice.HIT, PlayerChoice.STAND, PlayerChoice.DOUBLE
SPLIT, INSURE, DECLINE = PlayerChoice.SPLIT, PlayerChoice.INSURE, PlayerChoice.DECLINE
_PHRASES = {INSURE: "take insurance", DECLINE: "decline insurance"}
GERUNDS: Mapping[PlayerChoice, str] = MappingProxyType(
    {choice: gerund(_PHRASES.get(choice, choice)) for choice in PlayerChoice}
)
"""Each choice as the subject of a sentence."""
LEAST_HARD = 22
"""The lowest hard total that one more card can bust."""
SHOWN = 0.005
"""The smallest difference that is visible with two decimals."""


def reason(decision: Decision[State, Action], rival: Action | None = None) -> Reason | None:
    """Explain the cost of a choice, or why it is right; return ``None`` if there is no choice.

    A right choice is compared with ``rival``, or with the next best.
    """
    position = position_of(decision.view)
    choice = _choice_of(decision.action)
    if position is None or choice is None or position.total.points >= LIMIT:
        return None
    advice = advise(position)
    best = _choice_of(decision.best)
    if best not in advice.values or choice not in advice.values:
        return None
    if decision.mistake is None:
        others = [other for other in advice.values if other is not choice]
        if not others:
            return None
        named = [one for one in others if rival is not None and one is _choice_of(rival)]
        best, other = choice, max(named or others, key=lambda one: advice.values[one])
    else:
        assert best is not None
        other = choice
    return _Explanation(position, advice, best, other).reason()


def columns(decision: Decision[State, Action]) -> tuple[FigureColumn[Action], ...]:
    """Return how often each choice wins and pushes, or nothing if there is no choice."""
    position = position_of(decision.view)
    if position is None or position.total.points >= LIMIT:
        return ()
    outcomes = advise(position).outcomes
    known = {
        one.action: outcome
        for one in decision.values
        if (choice := _choice_of(one.action)) is not None
        and (outcome := outcomes.get(choice)) is not None
        and not isnan(outcome.wins)
    }
    return (
        FigureColumn("wins", {one: whole_percent(known[one].wins) for one in known}),
        FigureColumn("pushes", {one: whole_percent(known[one].pushes) for one in known}),
    )


def _choice_of(action: Action) -> PlayerChoice | None:
    return next((choice for choice, kind in ACTIONS.items() if isinstance(action, kind)), None)


def bets_text(value: float) -> str:
    """Say what an EV per bet means to the player: ``gains 0.31`` or ``loses 0.12``."""
    return f"{'loses' if value < 0 else 'gains'} {abs(value):.2f}"


class _Explanation(Struct, frozen=True, dict=True):
    """The sentences about the better choice ``best`` and another one, and their figures."""

    position: ThirtyOnePosition
    advice: ThirtyOneAdvice
    best: PlayerChoice
    other: PlayerChoice
    figures: list[Figure] = field(default_factory=list)

    def reason(self) -> Reason:
        """Return the finished reason."""
        sentences = self._cause(), self._comparison()
        cause = [f"{_capital(sentence)}." for sentence in sentences if sentence]
        if self._differs_from_chart():
            usual = GERUNDS[advise_infinite_shoe(self.position).best]
            cause.append(f"The chart prefers {usual} here, but the cards left in the shoe decide.")
        return Reason(tuple(cause), next(self._rules(), ""), tuple(self.figures))

    def _differs_from_chart(self) -> bool:
        """Return whether another choice would be the best with an infinite shoe."""
        position = self.position
        return advise_infinite_shoe(position).best is not self.best

    # ---- figures -----------------------------------------------------------------------------

    @property
    def _total(self) -> Total:
        return self.position.total

    @cached_property
    def _total_name(self) -> str:
        total = self._total
        if len(self.position.hand) == 1:
            return f"your {_card_word(self.position.hand[0])}"
        if total.soft:
            return f"your soft {total.points}"
        kind = "" if total.points <= LIMIT - 10 else "hard "
        return f"your {kind}{total.points}"

    @cached_property
    def _next_totals(self) -> tuple[tuple[Total, int], ...]:
        """The totals that the next card makes, and the number of cards that make each.

        If the shoe is empty, the discards are shuffled in.
        """
        position = self.position
        is_empty = not any(position.remaining)
        cards = enumerate(position.discards if is_empty else position.remaining, 1)
        return tuple((self._total.plus(value), count) for value, count in cards if count)

    @cached_property
    def _bust_chance(self) -> float:
        return self._chance_of_next(lambda total: total.bust)

    @cached_property
    def _made_chance(self) -> float:
        return self._chance_of_next(
            lambda total: STANDS_AT <= total.points <= LIMIT or total.points == SAFE_TOTAL
        )

    def _chance_of_next(self, is_meant: Callable[[Total], bool]) -> float:
        drawn = sum(count for _, count in self._next_totals)
        return sum(count for total, count in self._next_totals if is_meant(total)) / max(drawn, 1)

    def _share(self, name: str, chance: float) -> str:
        self.figures.append((name, chance))
        return whole_percent(chance)

    def _chances(self, choice: PlayerChoice) -> tuple[float, float] | None:
        """Return the chances to win and to push with a choice, if they are known."""
        outcome = self.advice.outcomes.get(choice)
        if outcome is None or isnan(outcome.wins):
            return None
        return outcome.wins, outcome.pushes

    # ---- the cause ---------------------------------------------------------------------------

    def _cause(self) -> str:
        best, other = self.best, self.other
        if INSURE in (best, other):
            return self._insurance()
        if SPLIT in (best, other):
            return self._split()
        if best is STAND and self._total.points == SAFE_TOTAL:
            if (chances := self._chances(STAND)) is None:
                return "only a dealer's 31 beats your 14"
            lost = self._share("stand loses", 1 - chances[0])
            return f"only a dealer's 31 beats your 14, and the dealer makes it {lost} of the time"
        if DOUBLE in (best, other):
            return self._double()
        if self._needs_dealer_bust():
            text = f"standing on {self._total_name} wins only if the dealer busts"
            if (chances := self._chances(STAND)) is not None:
                text += f", {self._share('stand wins', chances[0])} of the time"
            return text
        if self._bust_chance:
            return self._bust_sentence()
        return f"no card can bust {self._total_name}" if best is HIT else ""

    def _insurance(self) -> str:
        odds = self.position.rules.insurance
        position = self.position
        chance = chance_of_31(position.up_card, position.remaining, position.rules)
        need = odds.staked / (odds.paid + odds.staked)
        dealt = self._share("dealer 31", chance)
        needed = self._share("needed", need)
        return (
            f"the dealer's ace becomes 31 in {dealt} of such rounds, and at {odds} the bet "
            f"needs {needed}"
        )

    def _split(self) -> str:
        split = self._ev(SPLIT)
        third = self.other if self.best is SPLIT else self.best
        return (
            f"splitting makes two hands that each begin with {_article(self.position.hand[0])}: it "
            f"{split} of your bet on average, and {GERUNDS[third]} {self._ev(third)}"
        )

    def _double(self) -> str:
        highest = max((total.points for total, _ in self._next_totals if not total.bust), default=0)
        if self.best is not DOUBLE and 0 < highest < STANDS_AT:
            self.figures.append(("highest", highest))
            has_14 = any(total.points == SAFE_TOTAL for total, _ in self._next_totals)
            made = " only on 14 or" if has_14 else " only"
            draw_on = "; after a hit you may draw again" if self.best is HIT else ""
            return (
                f"a double gives you one card and at most {highest}, "
                f"so it wins{made} if the dealer busts{draw_on}"
            )
        if self.best is STAND and self._bust_chance:
            bust = self._share("bust", self._bust_chance)
            return f"the one card of a double busts {self._total_name} in {bust} of cases"
        if self.best is DOUBLE and not self._made_chance:
            return "the dealer is likely to bust" if self._dealer_busts() else ""
        made_chance = self._share("made", self._made_chance)
        totals = f"{STANDS_AT} to {LIMIT}"
        if any(total.points == SAFE_TOTAL for total, _ in self._next_totals):
            totals = f"{SAFE_TOTAL} or {totals}"
        if self.best is DOUBLE:
            return f"one card makes {totals} in {made_chance} of cases"
        return (
            f"a double gives you only one card, which makes {totals} in {made_chance} of cases; "
            "after a hit you may draw again"
            if self.best is HIT
            else f"the one card of a double makes {totals} in only {made_chance} of cases"
        )

    def _needs_dealer_bust(self) -> bool:
        """Return whether the other choice, to stand, wins only if the dealer busts."""
        points = self._total.points
        return self.other is STAND and points < STANDS_AT and points != SAFE_TOTAL

    def _dealer_busts(self) -> bool:
        chances = self._chances(DOUBLE)
        return chances is not None and chances[0] > 0.5

    def _ev(self, choice: PlayerChoice) -> str:
        value = self.advice.values[choice]
        self.figures.append((f"{choice} EV", value))
        return bets_text(value)

    # ---- the comparison ----------------------------------------------------------------------

    def _comparison(self) -> str:
        """Return how often both choices win; or their EV if that does not show the difference."""
        best, other = self.best, self.other
        if SPLIT in (best, other):
            return ""  # the cause has both EVs
        one, two = self._chances(best), self._chances(other)
        if one is None or two is None or INSURE in (best, other):
            return self._compared_ev()
        if best is DOUBLE:
            wins, loses = self._share("double wins", one[0]), 1 - sum(one)
            lost = self._share("double loses", loses)
            rest = self._share(f"{other} wins", two[0])
            favourite = "you are the favourite with one more card, so bet twice as much: "
            return (
                f"{favourite if one[0] > loses else ''}doubling wins {wins} and loses {lost} of "
                f"the time, {GERUNDS[other]} wins {rest}"
            )
        if one[0] - two[0] < SHOWN or 2 * one[0] + one[1] <= 2 * two[0] + two[1]:
            return self._compared_ev()
        if best is HIT and self._needs_dealer_bust():
            return f"{self._bust_sentence()}; {self._wins(HIT, one)}"
        return f"{self._wins(best, one)}, {self._wins(other, two, short=True)}"

    def _compared_ev(self) -> str:
        """Return the EV of both choices in a sentence."""
        best, other = self.best, self.other
        if best is HIT and self._needs_dealer_bust():
            loss = f"so standing {self._ev(STAND)} of your bet on average"
            return f"{loss}; hitting {self._ev(HIT)}, and {self._bust_sentence()}"
        brings = f"{GERUNDS[best]} {self._ev(best)} of your bet on average"
        return f"{brings}, {GERUNDS[other]} {self._ev(other)}"

    def _bust_sentence(self) -> str:
        if not self._bust_chance:
            return f"no card can bust {self._total_name}"
        bust = self._share("bust", self._bust_chance)
        return f"{bust} of the cards left in the shoe bust {self._total_name}"

    def _wins(
        self, choice: PlayerChoice, chances: tuple[float, float], *, short: bool = False
    ) -> str:
        wins, pushes = chances
        text = f"{GERUNDS[choice]} wins {self._share(f'{choice} wins', wins)}"
        text += "" if short else " of the time"
        if pushes >= SHOWN:
            text += f" and pushes {self._share(f'{choice} pushes', pushes)}"
        return text

    # ---- the rule of thumb -------------------------------------------------------------------

    def _rules(self) -> Iterator[str]:
        """Yield the rules of thumb that the best choice obeys, the most useful first."""
        position, best, total = self.position, self.best, self._total
        if INSURE in (best, self.other):
            yield from self._insurance_rule()
            return
        if total.points == SAFE_TOTAL and best is STAND:
            yield "Stand on 14: only a dealer's 31 beats it."
            return
        if SPLIT in (best, self.other):
            yield from self._split_rule()
            return
        if len(position.hand) == 1 and best is HIT and self._first_cards_are_hit():
            yield "With a single card, always hit: never stand, and never double."
            return
        if DOUBLE in (best, self.other) and (chances := self._chances(DOUBLE)) is not None:
            is_favourite = chances[0] > 1 - sum(chances)
            if is_favourite == (best is DOUBLE):
                yield "Double only if you would win more often than lose with one more card."
        if STAND in (best, self.other):
            if best is not STAND and self._bust_chance == 0 and total.points < LEAST_HARD:
                yield "Below 22 no card can bust you: never stand there, except on 14."
            yield from self._threshold_rule()

    def _insurance_rule(self) -> Iterator[str]:
        figures = dict(self.figures)
        if (figures["dealer 31"] > figures["needed"]) == (self.best is INSURE):
            yield "Take insurance only if 31 comes more often than the bet needs."

    def _first_cards_are_hit(self) -> bool:
        rows = [row for row in build_chart(self.position.rules) if row.kind == "first card"]
        return all(play == "H" for row in rows for play in row.plays.values())

    def _split_rule(self) -> Iterator[str]:
        position = self.position
        if position.hands > 1 or self._differs_from_chart():
            return
        value = position.hand[0]
        name, pair = card_name(value), "aces" if value == 1 else f"{value}s"
        plays = next(
            row.plays for row in build_chart(position.rules) if row.name == f"{name}-{name}"
        )
        against = [_card_word(up_card) for up_card in UP_CARDS if plays[up_card] == "P"]
        if not against:
            yield f"Never split {pair}."
        elif len(against) == len(UP_CARDS):
            yield f"Always split {pair}."
        elif 2 * len(against) > len(UP_CARDS):
            rest = [_card_word(up_card) for up_card in UP_CARDS if plays[up_card] != "P"]
            yield f"Split {pair} unless the dealer shows {_listed(rest)}."
        else:
            yield f"Split {pair} only if the dealer shows {_listed(against)}."

    def _threshold_rule(self) -> Iterator[str]:
        """Yield the rule that says from which total the chart stands against the dealer's card."""
        position, total = self.position, self._total
        if total.soft > 1 or len(position.hand) < 2:
            return
        kind, lowest = ("soft", 15) if total.soft else ("hard", 15)
        stands = self._stands(total.soft)
        rising = list(takewhile(lambda points: not stands[points], range(lowest, LIMIT)))
        from_total = lowest + len(rising)
        if from_total == LIMIT or not all(stands[points] for points in range(from_total, LIMIT)):
            return
        where = f"Against {_article(position.up_card)}"
        if total.points == SAFE_TOTAL or (total.points >= from_total) != (self.best is STAND):
            return
        if total.points >= from_total:
            yield f"{where}, stand on {kind} {from_total} or more."
        else:
            yield f"{where}, stand on {kind} {from_total} or more, and on 14; not on less."

    def _stands(self, soft: int) -> dict[int, bool]:
        """Return, for each total from 15 on, whether the chart says to stand."""
        position = self.position
        play = PerfectPlay(position.rules, position.up_card)
        stands = {}
        for points in range(15, LIMIT):
            values = play.values(HandInPlay(Total(points, soft), 3))
            stands[points] = max(values, key=lambda choice: values[choice]) is STAND
        return stands


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _card_word(value: int) -> str:
    return "ace" if value == 1 else str(value)


def _article(value: int) -> str:
    return f"{'an' if value in (1, 8) else 'a'} {_card_word(value)}"


def _listed(names: list[str]) -> str:
    """List cards as ``2, 3 or ace``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
