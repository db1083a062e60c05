"""Texts about a hold: on its page, in a line, and in the panel."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tui_casino.cards.card import parse_hand
from tui_casino.engine.game import Seat
from tui_casino.gamekit.adviser import Decision, ValuesScope
from tui_casino.games.video_poker import DEFINITION
from tui_casino.games.video_poker.brains.odds import odds_of
from tui_casino.games.video_poker.face.hold_advice import HandGlance, advice, figures
from tui_casino.games.video_poker.face.pages import PANEL
from tui_casino.games.video_poker.face.tally import Tally
from tui_casino.games.video_poker.machine.game import (
    Action,
    Draw,
    Hold,
    Options,
    Phase,
    State,
    start,
)
from tui_casino.games.video_poker.machine.paytables import load
from tui_casino.structs import replace
from tui_casino.tui.table.snapshot import SeatTotals, TableSnapshot

ME = Seat(0)
OPTIONS = Options(paytable=load("jacks-or-better-9-6"))


def dealt(cards: str) -> State:
    return replace(start(OPTIONS), phase=Phase.HOLD, coins=5, hand=parse_hand(cards))


ROYAL_DRAW = dealt("KS QS JS TS 4H")
"""Four to a royal flush, whose EV of 4625/47 credits is the example in `odds`."""
TWICE = dealt("KS KS JS TS 4H")


def glance(view: State, *draft: int) -> HandGlance:
    return TableSnapshot(view, ME, Tally(), draft)


# ---- on a page ----------------------------------------------------------------------------------


def test_odds_page_has_the_odds_of_holding_the_marked_cards() -> None:
    page = figures(glance(ROYAL_DRAW, 1, 2, 3, 4))
    assert page.title == "Holding K♠ Q♠ J♠ 10♠"
    counts = odds_of(OPTIONS.paytable, 5).outcomes(ROYAL_DRAW.hand, (1, 2, 3, 4)).counts
    own = sum(count > 0 for count in counts)
    head, *holds = page.lines[:-own]
    below, holds = holds[-3:], holds[:-3]
    assert below == ["", f"EV in credits{4625 / 47:>17.4f}", ""], "then the marked hold's chances"
    assert page.lines[-own] == f"{'royal flush':<20}{100 / 47:>9.4f}%", "an ace of 47 cards"
    assert head.split() == ["all", "32", "holds", "EV", "cost", "pays"]
    assert len(holds) == 32
    best, second = holds[0].split(), holds[1].split()
    paid = 47 - counts[-1]
    assert best[4:] == [f"{4625 / 47:.4f}", "best", f"{100 * paid / 47:.0f}%", "list"]
    assert float(best[4]) - float(second[3]) == pytest.approx(float(second[4]))


def weighed(view: State, action: Action) -> Decision[State, Action]:
    found = DEFINITION.decision(view, ME, action, ValuesScope.OF_ALL)
    assert found is not None
    return found


def test_odds_page_between_rounds_shows_the_last_hand() -> None:
    judged = weighed(ROYAL_DRAW, Hold((1, 2)))
    over = replace(ROYAL_DRAW, phase=Phase.BET, coins=0, hand=TWICE.hand, held=(1, 2))
    journal: SeatTotals[State, Action] = SeatTotals()
    journal = journal.with_decision(judged)
    assert figures(replace(glance(over), totals=journal)).title == "You held K♠ Q♠"
    plain = figures(replace(glance(over), totals=journal, plain=True))
    assert plain.title == "You held Ks Qs"
    assert "\n".join(plain.lines).isascii()


@pytest.mark.parametrize(
    "view", [start(OPTIONS), TWICE], ids=["before the deal", "a card is dealt twice"]
)
def test_odds_page_without_a_hand_says_that_there_is_none_to_analyse(view: State) -> None:
    page = figures(glance(view))
    assert (page.title, page.lines) == ("There is no hand to analyse now.", ())


# ---- in a line ----------------------------------------------------------------------------------


def test_hold_advice_names_cards_strategy_line_and_exact_ev() -> None:
    assert advice(glance(ROYAL_DRAW)) == (
        "Hold K♠ Q♠ J♠ 10♠: 4 to a royal flush, EV 98.40 credits",
    )


@pytest.mark.parametrize(
    ("cards", "made"),
    [
        ("2H 7H 9H JH KH", "flush, EV 30.00"),  # 9/6 pays 6 for 1; five credits are bet
        ("5C 6H 7S 8D 9C", "straight, EV 20.00"),
        ("4C 4H 4S 9D 9C", "full house, EV 45.00"),
    ],
)
def test_hold_advice_names_the_made_hand_that_is_kept(cards: str, made: str) -> None:
    assert advice(glance(dealt(cards))) == (f"Hold all five: {made} credits",)


def test_hold_advice_says_if_the_strategy_list_holds_less_good_cards() -> None:
    """Jack and king beat an inside straight here; the strategy is made for another pay table."""
    view = dealt("9C JH KS TS 5C")
    cost = odds_of(OPTIONS.paytable, 5).cost(view.hand, (1, 2, 3, 4))
    said = (
        f"Hold J♥ K♠: EV {float(cost):.4f} credits higher than 9♣ J♥ K♠ 10♠, "
        "which the 34-line strategy holds"
    )
    assert advice(glance(view)) == (said,)
    by_list = next(line for line in figures(glance(view)).lines if line.endswith("list"))
    assert by_list.split()[:4] == ["9♣", "J♥", "K♠", "10♠"]
    assert f" {float(cost):.4f} " in by_list


@pytest.mark.parametrize(
    "view", [start(OPTIONS), TWICE], ids=["before the deal", "a card is dealt twice"]
)
def test_hold_advice_is_empty_before_a_deal_and_with_repeated_cards(view: State) -> None:
    assert advice(glance(view)) == ()


# ---- weighed for the records of the sitting -----------------------------------------------------


def test_evaluated_hold_has_its_ev_and_cost() -> None:
    best = weighed(ROYAL_DRAW, Hold((1, 2, 3, 4)))
    assert (best.mistake, best.value) == (None, Fraction(4625, 47))
    pat = weighed(ROYAL_DRAW, Hold((1, 2, 3, 4, 5)))
    assert (pat.cost, pat.best, pat.value) == (Fraction(4625, 47), Hold((1, 2, 3, 4)), 0)


def test_video_poker_adviser_evaluates_only_holds() -> None:
    assert DEFINITION.decision(ROYAL_DRAW, ME, Draw(), ValuesScope.OF_ALL) is None
    assert DEFINITION.decision(TWICE, ME, Hold(()), ValuesScope.OF_ALL) is None


# ---- the panel ----------------------------------------------------------------------------------


def written(seen: HandGlance) -> dict[str, str]:
    return {section.title: str(section.write(seen)) for section in PANEL}


def test_video_poker_panel_before_the_first_hold_shows_only_money() -> None:
    parts = written(
        replace(glance(start(OPTIONS)), totals=SeatTotals(bankroll=(1000,)), plain=True)
    )
    assert parts == {
        "session": "rounds            0\nnet               0\nreturn        0.00%",
        "bankroll": "_",
        "last hands": "none yet",
        "last mistake": "none yet",
    }


def test_panel_shows_choices_and_the_last_mistake() -> None:
    journal: SeatTotals[State, Action] = SeatTotals(bankroll=(1000, 995))
    for held in ((1, 2, 3, 4, 5), (1, 2, 3, 4)):
        judged = weighed(ROYAL_DRAW, Hold(held))
        journal = journal.with_decision(judged)
    tally = Tally((("FLUSH", 1), ("nothing", 1)), 10, 30)
    story = ("flush                    +5",)
    parts = written(TableSnapshot(ROYAL_DRAW, ME, tally, (1, 2, 3, 4), journal, story))
    assert parts["session"].split("\n") == [
        "rounds            2",
        "net             +20",
        "return      300.00%",
        f"expected {100 * 4625 / 470:>9.2f}%",
        "mistakes          1",
        f"cost     {4625 / 47:>10.2f} credits",
    ]
    assert parts["last hands"] == story[0]
    assert parts["last mistake"] == (
        "K♠ Q♠ J♠ 10♠ 4♥\nheld all five\nbest K♠ Q♠ J♠ 10♠\ncost 98.40 credits"
    )
