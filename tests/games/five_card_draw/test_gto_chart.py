"""GTO charts: the groups, the frequencies computed a second way, and the rows of text."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from tests.games.five_card_draw.test_limit_adviser import facing, limit, opening
from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import value_id
from tui_casino.cards import hand_indexing
from tui_casino.cards.card import PACK, Card, Hand, Rank, Suit, parse_hand
from tui_casino.cards.poker import (
    STRENGTHS,
    HandCategory,
    category_of,
    rank_hand,
    strengths_of_indices,
)
from tui_casino.engine.chance import SeededSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat
from tui_casino.engine.table import Table
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains import gto_chart
from tui_casino.games.five_card_draw.brains.equilibrium import blueprint, solution_figures
from tui_casino.games.five_card_draw.brains.equilibrium.betting_tree import (
    CLOSES,
    DEALER,
    FIRST,
    NODES,
)
from tui_casino.games.five_card_draw.brains.equilibrium.hand_buckets import draw_model
from tui_casino.games.five_card_draw.brains.equilibrium.traversal import (
    DRAW,
    PARTS,
    DecisionPoint,
    compute_reach,
)
from tui_casino.games.five_card_draw.brains.gto_chart import (
    FINAL_GROUPS,
    GROUPS,
    RARE,
    Spot,
    chart_for,
    group_frequencies,
    spot_of,
)
from tui_casino.games.five_card_draw.brains.limit_adviser import advise_limit, is_limit_decision
from tui_casino.games.five_card_draw.brains.mistakes import group_of
from tui_casino.games.five_card_draw.brains.players import (
    EquilibriumPlayer,
    decision_name,
    first_round_close_index,
)
from tui_casino.games.five_card_draw.face import gto_chart_page
from tui_casino.games.five_card_draw.face.face import FACE
from tui_casino.games.five_card_draw.face.gto_chart_text import (
    charts_as_json,
    charts_as_text,
    common_spots,
    notes,
    own_rows,
    spot_name,
    table_rows,
    title_of,
)
from tui_casino.games.five_card_draw.machine.state import Options, Phase, Stakes, State
from tui_casino.structs import replace
from tui_casino.tui.widgets.text_blocks import PANEL_WIDTH

ME = Seat(0)
LOW_PAIR = parse_hand("4H 4D QC 9S 5D")
CLOSE = [close.name for close in CLOSES].index
ALL_SPOTS = (
    *(Spot(Phase.OPENING, node.seat, node.name) for node in NODES),
    *(Spot(Phase.DRAW, FIRST, close_index=index) for index in range(len(CLOSES))),
    *(Spot(Phase.DRAW, DEALER, close_index=1, drew=(drew, None)) for drew in range(5)),
    *(
        Spot(Phase.CLOSING, node.seat, node.name, CLOSE("bc"), drew)
        for node in NODES
        for drew in ((3, 3), (3, 1), (0, 1), (2, 0))
    ),
)


def row(spot: Spot, group: str) -> gto_chart.GroupFrequencies:
    (found,) = (one for one in group_frequencies(spot) if one.group == group)
    return found


# ---- the groups --------------------------------------------------------------------------------


def hands(step: int) -> Iterator[tuple[int, Hand]]:
    cards = hand_indexing.hand_classes().cards
    for number in range(0, cards.shape[1], step):
        yield number, tuple(PACK[card] for card in cards[:, number])


def check_groups(step: int) -> set[str]:
    group = gto_chart.group_of_classes()
    for number, hand in hands(step):
        assert GROUPS[group[number]] == group_of(hand, before=True), hand
    return {GROUPS[index] for index in group}


def test_chart_hand_groups_equal_those_of_the_mistakes() -> None:
    assert check_groups(331) == {*GROUPS}


@pytest.mark.prove
def test_chart_group_of_every_hand_equals_that_of_the_mistakes() -> None:
    check_groups(1)


# ---- the frequencies ---------------------------------------------------------------------------


@pytest.mark.parametrize("spot", ALL_SPOTS, ids=value_id)
def test_chart_frequencies_of_each_group_add_up_to_100_percent(spot: Spot) -> None:
    rows = group_frequencies(spot)
    assert tuple(one.group for one in rows) == (
        FINAL_GROUPS if spot.phase is Phase.CLOSING else GROUPS
    )
    assert sum(one.share for one in rows) in (0, pytest.approx(1))
    for one in rows:
        assert bool(one.frequencies) == (one.share >= RARE)
        if one.frequencies:
            assert len(one.frequencies) == len(spot.choices)
            assert sum(one.frequencies) == pytest.approx(1)


def test_chart_before_the_draw_equals_the_report_on_the_solution() -> None:
    """The report groups the hands in its own way; these groups are the same."""
    openings = solution_figures.opening_frequencies(blueprint.blueprint().policies)
    for one in openings[-3:]:
        group = one.name
        assert row(Spot(Phase.OPENING, FIRST), group).share == pytest.approx(one.dealt, rel=1e-4)
        assert row(Spot(Phase.OPENING, FIRST), group).frequencies[1] == pytest.approx(one.opens)
        after_check = row(Spot(Phase.OPENING, DEALER, "k"), group).frequencies[1]
        assert after_check == pytest.approx(one.after_check)
        facing_bet = row(Spot(Phase.OPENING, DEALER, "b"), group).frequencies
        assert facing_bet == pytest.approx(one.facing, abs=1e-6)


def opens(hand: Hand) -> float:
    policy = blueprint.blueprint().policies[FIRST][DecisionPoint("opening", "")]
    return float(policy[1][blueprint.bucket_of(hand)])


@pytest.mark.prove
def test_cell_for_straights_equals_the_sum_over_all_hands() -> None:
    """All 19,716 hands of the group are looked up one by one, as the player does."""
    deals = hand_indexing.all_deals()
    strengths = strengths_of_indices(deals)
    category = np.array([0, *map(category_of, STRENGTHS)])[strengths]
    strong = deals[category >= HandCategory.STRAIGHT]
    assert len(strong) == 10_200 + 5_108 + 3_744 + 624 + 40
    shares = [opens(tuple(PACK[card] for card in deal)) for deal in strong]
    cell = row(Spot(Phase.OPENING, FIRST), "a straight or better").frequencies[1]
    assert cell == pytest.approx(sum(shares) / len(shares), abs=1e-5)
    policy = blueprint.blueprint().policies[FIRST]
    raises = calls = reached = 0.0
    for deal in strong:  # the first seat checked, and the dealer bet
        bucket = blueprint.bucket_of(tuple(PACK[card] for card in deal))
        checked = float(policy[DecisionPoint("opening", "")][0][bucket])
        fold, call, raise_ = policy[DecisionPoint("opening", "kb")][:, bucket].tolist()
        assert fold + call + raise_ == pytest.approx(1, abs=1 / PARTS)
        reached += checked
        calls += checked * call
        raises += checked * raise_
    cells = row(Spot(Phase.OPENING, FIRST, "kb"), "a straight or better").frequencies
    assert cells[1:] == pytest.approx((calls / reached, raises / reached), abs=1e-5)


def test_draw_cells_for_three_of_a_kind_equal_the_sum_over_all_hands() -> None:
    """Suits do not matter to three of a kind, so one hand stands for those of the same ranks."""
    policy, sums, total = blueprint.blueprint().policies[FIRST], np.zeros(5), 0.0
    s, h, d, c = Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS
    real = [rank for rank in Rank if rank]
    for three in real:
        for one, two in combinations([rank for rank in real if rank is not three], 2):
            for suits, ways in (((s, s), 3), ((s, c), 6), ((c, c), 1), ((c, s), 6)):
                hand = (
                    *(Card(three, suit) for suit in (s, h, d)),
                    Card(one, suits[0]),
                    Card(two, suits[1]),
                )
                bucket = blueprint.bucket_of(hand)
                reach = ways * float(policy[DecisionPoint("opening", "")][0][bucket])
                sums += reach * policy[DRAW][:, CLOSE("kk"), bucket]
                total += reach
    cells = row(Spot(Phase.DRAW, FIRST, close_index=CLOSE("kk")), "three of a kind").frequencies
    assert cells == pytest.approx((sums / total).tolist(), abs=2e-3)


@pytest.mark.prove
@pytest.mark.parametrize("seat", [FIRST, DEALER])
def test_chart_after_the_draw_agrees_with_a_reach_without_tremble(seat: int) -> None:
    """The solver's own pass over the game has no tremble, and does not use the file of reaches."""
    policies = blueprint.blueprint().policies
    closing = compute_reach(draw_model(), seat, policies[seat]).closing
    groups = gto_chart._group_of_finals()
    shown = 0
    for node in (node for node in NODES if node.seat == seat):
        for state in product(range(5), range(5), range(len(CLOSES))):
            reach = closing[node.name][state].astype(np.float64)
            place = DecisionPoint("closing", node.name)
            policy = policies[seat][place][(slice(None), *state)]
            rows = group_frequencies(Spot(Phase.CLOSING, seat, node.name, state[2], state[:2]))
            for one, members in zip(rows, groups, strict=True):
                weights = members * reach
                total = weights.sum()
                if one.frequencies:
                    shown += 1
                    expected = (policy @ weights / total).tolist()
                    near = 0.01 if total > 1e-4 else 0.05
                    assert one.frequencies == pytest.approx(expected, abs=near)
                else:  # rare, or the tremble could explain it
                    assert total < max(2e-4, 2 * RARE * reach.sum())
    assert shown > 4_000


# ---- the decision of the moment ----------------------------------------------------------------


def test_chart_spot_names_the_decision_of_the_solved_game() -> None:
    players = {Seat(0): EquilibriumPlayer(), Seat(1): EquilibriumPlayer()}
    phases: Counter[Phase] = Counter()
    for number in range(10):
        table: Table[Any, Any, Any, Any] = Table(
            DEFINITION.game,
            Options(opponents=1, stakes=Stakes.LIMIT),
            ShuffledShoe(),
            SeededSource(number),
            players,
        )
        while not (table.state.winners and table.state.phase is Phase.REST):
            view: State = table.state
            seat = next((one for one in view.dealt_in if is_limit_decision(view, Seat(one))), None)
            if seat is not None:
                spot = spot_of(view, Seat(seat))
                assert spot.position == view.dealt_in.index(seat)
                if view.betting is not None:
                    assert spot.acts == decision_name(view.betting, view.dealt_in)
                if view.phase is not Phase.OPENING:
                    assert spot.close_index == first_round_close_index(view)
                assert spot.drew == tuple(view.drawn[one] for one in view.dealt_in)
                phases[view.phase] += 1
            table.advance()
    assert min(phases[phase] for phase in (Phase.OPENING, Phase.DRAW, Phase.CLOSING)) > 10


def chart_rows(chart: gto_chart.GtoChart) -> tuple[str, ...]:
    """Return the title, groups, EVs and notes of a chart."""
    return (title_of(chart), *table_rows(chart), *own_rows(chart), *notes(chart))


def test_chart_marks_the_group_of_your_hand_and_its_usual_choice() -> None:
    chart = not_none(chart_for(opening(LOW_PAIR), ME))
    assert chart.is_exact
    assert chart.own_group == "a low pair"
    advice = not_none(advise_limit(opening(LOW_PAIR), ME))
    assert sorted(value for value in chart.own_values if value) == sorted(
        choice.value for choice in advice.choices
    )
    # 80% of low pairs check; queens and jacks open in 60% of cases
    rows = chart_rows(chart)
    assert rows[0] == "Before the draw, opening"
    assert rows[1].split() == ["check", "bet"]
    marked = [one for one in rows if one.startswith(">") or "[" in one]
    assert [one.split() for one in marked] == [[">", "a", "low", "pair", "[80%]", "20%"]]
    assert "  queens or jacks           40%     60%" in rows
    assert rows[-1] == "How often the GTO level makes each choice, by group of hands."
    assert rows[12].split()[:4] == ["EV", "of", "your", "hand"]


def test_chart_of_the_draw_has_a_column_for_each_number_of_cards() -> None:
    view = replace(opening(LOW_PAIR), phase=Phase.DRAW, betting=None, drawing=(0, 1))
    chart = not_none(chart_for(view, ME))
    rows = chart_rows(chart)
    assert rows[0] == "The draw"
    assert rows[1].split() == ["pat", "1", "2", "3", "4"]
    (marked,) = (one for one in rows if one.startswith(">"))
    assert marked.split()[-5:] == ["0%", "0%", "7%", "[93%]", "0%"]
    (values,) = (one for one in rows if "EV of your hand" in one)
    assert values.split()[-1] == "-", "a hand without an ace cannot draw four"


def test_chart_of_the_draw_leaves_out_a_column_without_hands() -> None:
    dealer = Spot(Phase.DRAW, DEALER, close_index=CLOSE("brc"), drew=(1, None))
    chart = gto_chart.GtoChart(dealer, group_frequencies(dealer))
    assert chart_rows(chart)[1].split() == ["pat", "1", "2", "3"]
    assert spot_name(dealer) == "the draw: opponent drew 1"


def test_side_panel_has_room_for_every_gto_chart() -> None:
    for spot in ALL_SPOTS:
        chart = gto_chart.GtoChart(spot, group_frequencies(spot), "ace high")
        rows = [*gto_chart_page._short_rows(chart)]
        assert max(len(one) for one in rows) <= PANEL_WIDTH
        assert len({len(one.plain) for one in rows if "-" not in one.plain[10:]}) == 1
        lit = [span for one in rows for span in one.spans if span.style == gto_chart_page.LIT]
        own = next(one for one in chart.rows if one.group == "ace high")
        assert len(lit) == bool(own.frequencies)


def test_chart_shows_a_dash_for_hand_groups_that_never_reach_the_decision() -> None:
    """The first seat of the solution never checks, calls a bet, and stands pat."""
    never = Spot(Phase.CLOSING, FIRST, "", CLOSE("kbc"), (0, 3))
    assert not any(one.frequencies for one in group_frequencies(never))
    rows = chart_rows(gto_chart.GtoChart(never, group_frequencies(never)))
    assert [one for one in rows if one][1:] == [
        "The GTO level hardly ever gets here: it does not play this way with any hand."
    ]
    pat = Spot(Phase.CLOSING, FIRST, "", CLOSE("kk"), (0, 3))  # pat hands, or bluffs
    rows = chart_rows(gto_chart.GtoChart(pat, group_frequencies(pat)))
    assert rows[2].split() == ["a", "straight", "or", "better", "0%", "100%"]
    assert rows[4].split() == ["two", "pair", "-"]
    assert rows[-1] == "It hardly ever gets here with groups marked -."


def test_chart_after_the_draw_depends_on_the_numbers_of_drawn_cards() -> None:
    after = chart_for(facing(LOW_PAIR), ME)
    other = chart_for(facing(LOW_PAIR, drew=(3, 3)), ME)
    assert after is not None
    assert other is not None
    assert chart_rows(after)[0] == "After the draw, facing a bet: you drew 3, opponent drew 1"
    assert after.rows != other.rows
    assert len(after.rows) == len(FINAL_GROUPS)


def test_chart_with_more_players_says_that_it_is_rough() -> None:
    three = replace(
        limit(2), phase=Phase.DRAW, hands=(LOW_PAIR, (), ()), thrown=((),) * 3, drawing=(0, 1, 2)
    )
    chart = not_none(chart_for(three, ME))
    rows = chart_rows(chart)
    assert rows[0] == "Roughly: the draw"
    assert "Here 3 players were dealt in, so it is only roughly right." in rows[-1]
    short = not_none(chart_for(facing(LOW_PAIR, stack=30), ME))
    assert "a stack is too short for all bets" in chart_rows(short)[-1]


def test_there_is_no_chart_without_a_choice_at_a_limit_table() -> None:
    ante = replace(opening(LOW_PAIR), options=Options(1, Stakes.ANTE), phase=Phase.DRAW)
    assert chart_for(replace(ante, betting=None, drawing=(0, 1)), ME) is None
    assert chart_for(replace(opening(LOW_PAIR), phase=Phase.REST, betting=None), ME) is None


# ---- the report and the help -------------------------------------------------------------------


def test_report_has_the_same_gto_charts_as_text_and_as_json() -> None:
    text, charts = charts_as_text(), json.loads(charts_as_json())["charts"]
    assert len(charts) == len([*common_spots()]) == text.count("\n\n") - 1
    first = charts[0]
    assert (first["phase"], first["seat"], first["choices"]) == ("opening", 0, ["check", "bet"])
    assert [*first["groups"]] == [*GROUPS]
    shares = first["groups"]["queens or jacks"]["frequencies"]
    assert "  queens or jacks           40%     60%" in text.split("\n")
    assert [round(100 * share) for share in shares] == [40, 60]
    assert "Dealer, before the draw, facing a raise\n  before the draw: check, bet, raise\n" in text


def test_key_help_of_five_card_draw_lists_the_hand_categories_by_rank() -> None:
    lines = FACE.keys.partition("\n\n")[0].split("\n")[1:]
    ranked = [rank_hand(parse_hand(line[19:].translate(SUITS))) for line in lines]
    assert [line[2:19].strip() for line in lines] == [
        category.words for category in reversed(HandCategory)
    ]
    assert [ranking.category for ranking in ranked] == [*reversed(HandCategory)]


SUITS = str.maketrans("♠♥♦♣", "SHDC")


def test_table_does_not_load_the_gto_chart_module() -> None:
    code = (
        "import sys, tui_casino.games.five_card_draw.face.face\n"
        "print([name for name in sys.modules if 'gto_chart' in name or name == 'numpy'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
