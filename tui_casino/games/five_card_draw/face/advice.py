"""The trainer's advice for the screen: one sentence, a few figures, or a whole page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from ....cards.card import card_symbols
from ....cards.poker import HandCategory, rank_hand
from ....engine.game import Seat
from ....gamekit.adviser import SURE_ERRORS
from ....gamekit.number_formats import percent, rounded_cost, with_sign
from ....tui.draw.choice_list import text_rows
from ....tui.table.listed_view import ChoiceRanking, RankedChoice
from ..brains.lazy import adviser
from ..brains.pot_odds import EvBasis, betting_values, pot_odds_of, winnable_chips
from ..brains.reasons import which_to_follow
from ..machine.rules import Positions
from ..machine.state import Action, Bet, Call, Discard, Phase, Raise, Stakes, State
from .table_messages import action_label

if TYPE_CHECKING:
    from ..brains.adviser import DiscardAdvice
    from ..brains.limit_choices import LimitAdvice, LimitChoice


class DrawTrainerData(NamedTuple):
    """The trainer's data for a position.

    ``limit_advice`` is set only at the limit table on the player's turn. The EVs are then taken
    from it, and ``advice`` has no chances to win. In all other cases the EVs assume a showdown
    without another bet.
    """

    advice: DiscardAdvice
    limit_advice: LimitAdvice | None = None


def weigh_position(view: State, seat: Seat) -> DrawTrainerData | None:
    """Return the trainer's data for a position, or ``None`` if the seat has no hand in play."""
    from ..brains.limit_adviser import advise_limit  # late: needs numpy

    limit_advice = advise_limit(view, seat)
    # nobody sees the sampled chances to win next to the EVs of the limit table
    advise = adviser.advise if limit_advice is None else adviser.count_draws
    advice = advise(view, seat)
    return None if advice is None else DrawTrainerData(advice, limit_advice)


PAGE_WIDTH = 60
"""The columns of sentences on the page of all choices."""


def chance_of(data: DrawTrainerData, discards: Positions = ()) -> Fraction:
    """Return the chance to win with a discard; before the draw, with the best discard."""
    advice, limit_advice = data
    if limit_advice is not None:
        return Fraction(limit_advice.win_chance)
    win = advice.wins.get(discards if len(advice.wins) == 1 else advice.best)
    return Fraction(win.chance) if win else Fraction(0)


BASIS_IN_SHORT = {
    EvBasis.SOLUTION: "",
    EvBasis.PLAYED_OUT: "played out",
}
"""The basis of the EVs and frequencies in the trainer's list."""


def rank_choices(
    view: State,
    seat: int,
    acts: Sequence[Action],
    data: DrawTrainerData,
    words: Mapping[str, Callable[..., Action]],
) -> ChoiceRanking[Action]:
    """Return the choices for the trainer's list; without a pot, discards have chances to win.

    ``acts`` are the possible actions that are not discards, and ``words`` contains the word of each
    kind of action.
    """
    advice, limit_advice = data
    keys = {kind: word for word, kind in words.items()}
    choices: Iterable[RankedChoice[Action]]
    if limit_advice is not None:
        shares = limit_advice.has_frequencies
        choices = (
            _ranked_choice(
                view,
                seat,
                one.action,
                one.value,
                keys,
                (percent(one.frequency, 0),) if shares else (),
                ties_best=_may_be_best(limit_advice, one),
            )
            for one in sorted(limit_advice.choices, key=lambda one: -one.value)
        )
        is_draw = view.phase is Phase.DRAW
        is_new = limit_advice.basis is EvBasis.SOLUTION and not shares
        basis = "GTO: never here" if is_new else BASIS_IN_SHORT[limit_advice.basis]
        return ChoiceRanking(
            "discards" if is_draw else "choices",
            tuple(choices),
            "in credits",
            ("GTO",) if shares else (),
            details=(((basis, "muted"),),) if basis and not is_draw else (),
            best=limit_advice.best.action,
        )
    if view.phase is Phase.DRAW:
        ranked = sorted(advice.wins, key=lambda discards: -advice.wins[discards].chance)
        chances = [(Discard(one), advice.wins[one].chance) for one in ranked]
        if view.options.stakes is Stakes.NOTHING:
            choices = (_ranked_choice(view, seat, act, chance, keys) for act, chance in chances)
            return ChoiceRanking("discards", tuple(choices), value="wins", in_percent=True)
        pot = winnable_chips(view.put_in, seat, 0)
        choices = (
            _ranked_choice(view, seat, act, pot * chance, keys, (percent(chance, 0),))
            for act, chance in chances
        )
        return ChoiceRanking("discards", tuple(choices), "in credits", ("wins",))
    values = betting_values(view, seat, acts, chance_of(data))
    choices = (_ranked_choice(view, seat, act, value, keys) for act, value in values)
    return ChoiceRanking(
        "choices",
        tuple(sorted(choices, key=lambda choice: -choice.value)),
        "in credits",
        details=((("if all call", "muted"),),)
        if any(isinstance(act, Bet | Raise) for act in acts)
        else (),
    )


def _may_be_best(advice: LimitAdvice, choice: LimitChoice) -> bool:
    """Return whether a choice is about as good as the best, or the EVs cannot tell.

    The frequencies of the solution prove smaller differences than the errors of the EVs.
    """
    is_solved = advice.basis is EvBasis.SOLUTION
    return advice.ties_best(choice) or not (is_solved or advice.is_clearly_worse(choice))


def _ranked_choice(
    view: State,
    seat: int,
    action: Action,
    value: Fraction | float,
    keys: Mapping[Callable[..., Action], str],
    figures: tuple[str, ...] = (),
    *,
    ties_best: bool = False,
) -> RankedChoice[Action]:
    if isinstance(action, Discard):
        hand = view.hands[seat]
        name = card_symbols(hand[place - 1] for place in action.positions) or "stand pat"
        short, key = name.removeprefix("stand ").replace(" ", ""), ""
    else:
        name, short = action_label(action, view, seat), type(action).__name__
        key = keys.get(type(action), "")
    return RankedChoice((action,), name, value, short, figures, key, ties_best)


def advice_sentence(view: State, seat: int, data: DrawTrainerData) -> str:
    """Recommend a choice in one sentence, with the chance to win and the pot odds."""
    advice, price = data.advice, pot_odds_of(view, seat)
    if data.limit_advice is not None:
        return _limit_sentence(view, seat, data.limit_advice, advice)
    chance = chance_of(data)
    wins = f"ou win {percent(chance, 0)}"
    if len(advice.wins) > 1:
        wins = f"{discard_label(advice, advice.best)}: y{wins}"
    else:
        wins = f"Y{wins}"
    if price is None:
        return wins
    return f"{wins} and need {percent(price.need, 0)}: {'call' if chance >= price.need else 'fold'}"


def betting_question(
    view: State, seat: int, data: DrawTrainerData | None, *, is_roomy: bool
) -> str:
    """Ask for a bet or a call, with the chance that a call needs and, if known, the chance to win.

    If it ``is_roomy``, the EV of a call follows.
    """
    wins = f"ou win {percent(chance_of(data), 0)}" if data else ""
    price = pot_odds_of(view, seat)
    if price is None:
        return f"Check or bet?{f' Y{wins}' if wins else ''}"
    need = (
        f"{action_label(Call(), view, seat)} into {price.pot:,}: you need {percent(price.need, 0)}"
    )
    limit_advice = data.limit_advice if data else None
    call = limit_advice.choice_for(Call()) if limit_advice is not None else None
    if call is not None and is_roomy:
        wins += f"  EV {signed_ev(Fraction(call.value))} credits"
    return f"{need}{f', y{wins}' if wins else ''}"


def short_advice(view: State, seat: int, data: DrawTrainerData, marked: Positions) -> str:
    """Return the best choice and its EV or chance to win, and the cost of the marked discard."""
    advice, limit_advice = data
    if limit_advice is None:
        if len(advice.wins) < 2:
            return advice_sentence(view, seat, data)
        chance = percent(Fraction(advice.wins[advice.best].chance), 0)
        text = f"Best: {_lower(discard_label(advice, advice.best))}, you win {chance}"
        if not marked or marked not in advice.wins or marked == advice.best:
            return text
        return f"{text}; yours {percent(Fraction(advice.wins[marked].chance), 0)}"
    best = limit_advice.best
    discards = best.action.positions if isinstance(best.action, Discard) else None
    name = (
        action_label(best.action, view, seat)
        if discards is None
        else discard_label(advice, discards)
    )
    text = f"Best: {_lower(name)}, EV {signed_ev(Fraction(best.value))}"
    choice = limit_advice.choice_for(Discard(marked)) if marked else None
    if choice is None or limit_advice.ties_best(choice):
        return text
    return f"{text}; yours costs {rounded_cost(best.value, choice.value):.2f}"


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def _limit_sentence(
    view: State, seat: int, limit_advice: LimitAdvice, advice: DiscardAdvice
) -> str:
    best, price = limit_advice.best.action, limit_advice.pot_odds
    ev_text = f"EV {signed_ev(Fraction(limit_advice.best.value))} credits"
    if isinstance(best, Discard):
        chance = percent(limit_advice.win_chance, 0)
        return f"{discard_label(advice, best.positions)}: {ev_text}, you win {chance}"
    need = f" and need {percent(price.need, 0)}" if price else ""
    ties = [
        action_label(one.action, view, seat)
        for one in limit_advice.choices
        if limit_advice.ties_best(one)
    ]
    choices_text = f"either {' or '.join(ties).lower()}" if len(ties) > 1 else ties[0].lower()
    return f"You win {percent(limit_advice.win_chance, 0)}{need}: {choices_text}, {ev_text}"


def discard_label(advice: DiscardAdvice, discards: Positions) -> str:
    """Describe a discard: ``Discard 9♥ 5♣``, ``Stand pat``."""
    return (
        f"Discard {card_symbols(advice.hand[place - 1] for place in discards)}"
        if discards
        else "Stand pat"
    )


def advice_page(view: State, seat: int, data: DrawTrainerData, draft: Positions) -> tuple[str, ...]:
    """Return the page about the marked discard, or about the best discard if none is marked."""
    if data.limit_advice is not None:
        return limit_advice_page(view, seat, data.limit_advice, data.advice, draft)
    advice = data.advice
    may_draw = len(advice.wins) > 1
    discards = draft or advice.best if may_draw else ()
    lines = [rank_hand(advice.hand).name, ""]
    if discards not in advice.wins:
        return *lines, "This discard is not allowed."
    if may_draw:
        lines.append(f"{discard_label(advice, discards)}: chances of the final hand")
    lines += category_lines(advice, discards)
    win = advice.wins[discards]
    lines.append(f"You win {percent(win.chance, 1)} (standard error {percent(win.error, 1)})")
    if may_draw and discards != advice.best:
        best = percent(advice.wins[advice.best].chance, 1)
        lines.append(f"Best: {discard_label(advice, advice.best).lower()}, {best}")
    if may_draw:
        lines += ["", *text_rows(rank_choices(view, seat, (), data, {}).as_list(()))]
    if (price := pot_odds_of(view, seat)) is not None:
        lines.append(f"To call {price.call} into {price.pot} you need {percent(price.need, 0)}")
    return (*lines, "", MODEL)


MODEL = """\
The categories are exact. The chance to win is sampled against
opponents who draw by the algorithm; it ignores their bets."""


def limit_advice_page(
    view: State, seat: int, limit_advice: LimitAdvice, advice: DiscardAdvice, draft: Positions
) -> tuple[str, ...]:
    """Return the page with every choice: its EV, its cost, and how often the solution makes it."""
    choices = rank_choices(view, seat, (), DrawTrainerData(advice, limit_advice), {})
    lines = [rank_hand(advice.hand).name, "", *text_rows(choices.with_all_costs.as_list(()))]
    if limit_advice.basis is EvBasis.PLAYED_OUT:
        lines.append(f"standard error of the best EV: {limit_advice.error:.2f} credits")
        gaps = [limit_advice.gap_error_of(one) for one in limit_advice.choices[1:]]
        low, high = SURE_ERRORS * min(gaps), SURE_ERRORS * max(gaps)
        lines.append(f"costs may be off by {low:.2f} to {high:.2f} (two standard errors)")
    else:
        lines.append(f"standard error of the EVs: {limit_advice.error:.2f} credits")
        margin = SURE_ERRORS * limit_advice.error
        lines.append(f"costs up to {margin:.2f} may be only errors of the EVs")
    if view.phase is not Phase.DRAW and (rule := which_to_follow(view, limit_advice)):
        lines += wrap(rule, PAGE_WIDTH)
    lines += ["", f"You win {percent(limit_advice.win_chance, 0)} if nobody bets again"]
    if limit_advice.pot_odds is not None:
        price = limit_advice.pot_odds
        lines.append(f"To call {price.call} into {price.pot} you need {percent(price.need, 0)}")
    if isinstance(limit_advice.best.action, Discard):
        discards = (
            draft if draft in advice.chances and draft else limit_advice.best.action.positions
        )
        lines += ["", f"{discard_label(advice, discards)}: chances of the final hand"]
        lines += category_lines(advice, discards)
    return (*lines, "", BASIS[limit_advice.basis])


SOLVED = """\
EV relative to folding, if your opponent plays the solution for
two and you make the best choices. Frequency: how often the
solution makes this choice."""
PLAYED_OUT = """\
EV relative to folding: the hand was played to its end thousands
of times, with the same cards for all choices. Opponents play
like a mixed table, and you make the best choices."""
BASIS = {
    EvBasis.SOLUTION: SOLVED,
    EvBasis.PLAYED_OUT: PLAYED_OUT,
}


def category_lines(advice: DiscardAdvice, discards: Positions) -> list[str]:
    """List the chance of each hand category after a discard, best category first."""
    chances = advice.chances[discards]
    return [
        f"{category.words:<18}{percent(chances.chance(category), 3):>10}"
        for category in reversed(HandCategory)
        if chances.count(category)
    ]


def signed_ev(ev: Fraction) -> str:
    """Format an EV with its sign and two decimals."""
    cents = round(100 * ev)
    return with_sign(cents, f"{abs(cents) / 100:.2f}")
