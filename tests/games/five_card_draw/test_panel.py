"""The trainer's figures of a position: panel, page and answer; and the tables."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from tests.helpers.narrow import not_none
from tests.helpers.parameter_ids import value_id
from tui_casino.cards.card import Hand, parse_hand
from tui_casino.gamekit.table_catalog import TableSetup
from tui_casino.games.five_card_draw import DEFINITION
from tui_casino.games.five_card_draw.brains.adviser import DiscardAdvice, advise, sample_ranges
from tui_casino.games.five_card_draw.brains.levels import (
    ANY,
    AT_LIMIT,
    LEVELS,
    MIXED,
    SOLVED,
    STYLES,
    levels_at,
    seats_of,
)
from tui_casino.games.five_card_draw.brains.limit_adviser import advise_limit
from tui_casino.games.five_card_draw.brains.limit_choices import LimitAdvice
from tui_casino.games.five_card_draw.face import command
from tui_casino.games.five_card_draw.face.advice import rank_choices, signed_ev, weigh_position
from tui_casino.games.five_card_draw.face.pages import PANEL, DrawSnapshot, answer, figures
from tui_casino.games.five_card_draw.face.table_catalog import COURSE, TABLES
from tui_casino.games.five_card_draw.face.tally import Tally
from tui_casino.games.five_card_draw.machine import game
from tui_casino.games.five_card_draw.machine.betting import Betting
from tui_casino.games.five_card_draw.machine.game import start
from tui_casino.games.five_card_draw.machine.rules import Positions
from tui_casino.games.five_card_draw.machine.state import (
    HUMAN,
    Action,
    Options,
    Phase,
    Stakes,
    State,
)
from tui_casino.inputs.errors import BadInput
from tui_casino.structs import replace
from tui_casino.tui.draw.choice_list import ChoiceList
from tui_casino.tui.table.snapshot import SeatTotals, TableSnapshot

PAIR = parse_hand("KS KD 9H 5C 2D")
BEFORE = start(Options(opponents=1))
AT_ANTE = start(Options(opponents=1, stakes=Stakes.ANTE))
FACING = replace(
    BEFORE,
    phase=Phase.CLOSING,
    dealt_in=(0, 1),
    hands=(PAIR, ()),
    drawn=(3, 3),
    put_in=(5, 25),
    betting=Betting(20, (0, 20), (0,)),
)


def moment(cards: Hand, phase: Phase = Phase.DRAW) -> State:
    return replace(AT_ANTE, phase=phase, dealt_in=(0, 1), hands=(cards, ()), drawing=(0, 1))


def snapshot(view: State, draft: Positions = (), *, weighs: bool = True) -> DrawSnapshot:
    tally = Tally(HUMAN, rounds=1_200, won_hands=300, wagered=6_000, won=5_500)
    journal: SeatTotals[State, Action] = SeatTotals((400, 380, 420))
    return TableSnapshot(
        view, HUMAN, tally, draft, journal, ("Ada draws 3",), plain=True, weighs=weighs
    )


def panel(at: DrawSnapshot) -> dict[str, str]:
    return {section.title: str(section.write(at)) for section in PANEL}


def page(at: DrawSnapshot) -> list[str]:
    return "\n".join(figures(at).lines).split("\n")


def test_odds_page_shows_the_chances_of_the_marked_discard() -> None:
    at = snapshot(moment(PAIR), (3, 4, 5))
    lines = page(at)
    # of 16,215 draws: 45, 165, 1,854 and 2,592; the rest stay one pair
    assert lines[:8] == [
        "a pair of kings",
        "",
        "Discard 9h 5c 2d: chances of the final hand",
        "four of a kind        0.278%",
        "full house            1.018%",
        "three of a kind      11.434%",
        "two pair             15.985%",
        "one pair             71.286%",
    ]
    assert lines[8].startswith("You win ")
    assert not any(line.startswith("Best") for line in lines), "this one is"


def test_odds_page_shows_the_best_discard_if_none_is_marked() -> None:
    """Standing pat is not a useful default, so the best draw is shown, next to the marked one."""
    assert page(snapshot(moment(PAIR))) == page(snapshot(moment(PAIR), (3, 4, 5)))
    worse = page(snapshot(moment(PAIR), (1, 2)))
    assert "Discard Ks Kd: chances of the final hand" in worse
    assert any(line.startswith("Best: discard 9h 5c 2d, ") for line in worse)


def test_odds_page_says_that_a_forbidden_discard_is_not_allowed() -> None:
    assert page(snapshot(moment(PAIR), (1, 2, 3, 4)))[-1] == "This discard is not allowed."


def test_advice_in_draw_is_one_sentence_with_action_win_chance_and_ev() -> None:
    (said,) = answer(snapshot(moment(PAIR)))
    assert said.startswith("Discard 9♥ 5♣ 2♦: you win ")
    (said,) = answer(snapshot(FACING))
    coach = coached(FACING)
    best = type(coach.best.action).__name__.lower()
    assert said.startswith(f"You win {100 * coach.win_chance:.0f}% and need 40%: ")
    assert best in said
    assert said.endswith(f", EV {signed_ev(Fraction(coach.best.value))} credits.")


def coached(view: State) -> LimitAdvice:
    found = not_none(advise_limit(view, HUMAN))
    return found


def advice_at(view: State) -> DiscardAdvice:
    found = not_none(advise(view, HUMAN))
    return found


@pytest.mark.parametrize(
    "view", [BEFORE, moment(PAIR, Phase.REST)], ids=["before the deal", "after the hand"]
)
def test_odds_page_without_a_hand_says_that_there_is_none_to_analyse(view: State) -> None:
    at = snapshot(view)
    assert (figures(at).title, figures(at).lines) == ("There is no hand to analyse now.", ())
    assert answer(at) == ()


def listed(view: State) -> ChoiceList:
    data = not_none(weigh_position(view, HUMAN))
    offers = game.offers(view, HUMAN) if view.phase is not Phase.DRAW else ()
    acts = [offer.kind() for offer in offers if not offer.barred]
    ranking = not_none(rank_choices(view, HUMAN, acts, data, DEFINITION.words.verbs))
    return ranking.as_list(())


def test_choice_list_shows_ev_cost_and_gto_frequency_of_each_bet() -> None:
    coach, choices = coached(FACING), listed(FACING)
    assert (choices.kind, choices.note, choices.headings) == ("choices", "in credits", ("GTO",))
    for choice, row in zip(coach.choices, choices.rows, strict=True):
        assert row.short == type(choice.action).__name__
        assert row.ev == signed_ev(Fraction(choice.value))
        assert (row.cost == "best") == (choice is coach.best)
        assert row.figures == (f"{100 * choice.frequency:.0f}%",)
    assert {(row.key, row.name) for row in choices.rows} == {
        ("f", "Fold"),
        ("c", "Call 20"),
        ("r", "Raise to 40"),
    }


def test_odds_page_of_a_bet_lists_actions_with_their_gto_frequencies() -> None:
    coach, lines = coached(FACING), page(snapshot(FACING))
    assert lines[2].split() == ["GTO", "EV", "cost"]
    for choice, line in zip(coach.choices, lines[3:], strict=False):
        assert f" {100 * choice.frequency:.0f}% " in line
        assert f"{abs(choice.value):.2f} " in line
    assert "To call 20 into 30 you need 40%" in lines


def test_discards_are_listed_by_their_share_of_the_pot() -> None:
    view = replace(moment(PAIR), put_in=(5, 5))
    wins, choices = advice_at(view).wins, listed(view)
    assert (choices.kind, choices.value, choices.headings) == ("discards", "EV", ("wins",))
    first = choices.rows[0]
    assert (first.name, first.short, first.cost) == ("9♥ 5♣ 2♦", "9♥5♣2♦", "best")
    assert first.figures == (f"{100 * wins[3, 4, 5].chance:.0f}%",)
    assert first.ev == f"+{10 * wins[3, 4, 5].chance:.2f}"
    assert len(choices.rows) == len(wins)
    pat = next(row for row in choices.rows if row.name == "stand pat")
    assert (pat.short, pat.key) == ("pat", "")


def test_discards_without_a_pot_are_listed_by_their_chance_to_win() -> None:
    view = replace(moment(PAIR), options=Options(opponents=1, stakes=Stakes.NOTHING))
    wins, choices = advice_at(view).wins, listed(view)
    assert (choices.value, choices.headings) == ("wins", ())
    assert choices.rows[0].ev == f"{100 * wins[3, 4, 5].chance:.0f}%"


def test_discards_at_the_limit_table_are_listed_by_ev() -> None:
    view = replace(moment(PAIR), options=BEFORE.options, put_in=(5, 5))
    coach, choices = coached(view), listed(view)
    assert choices.value == "EV"
    assert choices.rows[0].cost == "best"
    assert [row.ev for row in choices.rows] == [
        signed_ev(Fraction(choice.value)) for choice in coach.choices
    ]
    assert any("final hand" in line for line in page(snapshot(view)))
    (said,) = answer(snapshot(view))
    assert said.startswith("Discard 9♥ 5♣ 2♦: EV +")


def test_panel_shows_chances_only_with_the_trainer() -> None:
    silent = panel(snapshot(FACING, weighs=False))
    assert silent["opponents may hold"] == ""
    assert "wins" not in silent["your hand"]
    assert silent["your hand"].split("\n") == ["a pair of kings", f"{'needed to call':<27}40%"], (
        "arithmetic is always told"
    )


@pytest.mark.parametrize(
    ("plain", "full", "mark"), [(True, "#", "|"), (False, "█", "┃")], ids=["ascii", "unicode"]
)
def test_winning_chance_is_a_bar_with_a_mark_at_the_price(
    plain: bool, full: str, mark: str
) -> None:
    chance = coached(FACING).win_chance
    at = replace(snapshot(FACING), plain=plain)
    _, wins, bar, need = panel(at)["your hand"].split("\n")
    assert wins.split() == ["wins", f"{100 * chance:.0f}%"]
    assert len(bar) == 30
    assert bar.index(mark) == 12, "40 % of 30 columns"
    assert bar.count(full) + (round(30 * chance) > 12) == round(30 * chance)
    assert need.split() == ["needed", "to", "call", "40%"]


def test_panel_shows_opponent_ranges_only_after_the_draw() -> None:
    assert panel(snapshot(moment(PAIR)))["opponents may hold"] == ""
    (held,) = coached(FACING).rivals
    head, two, better, worse = panel(snapshot(FACING))["opponents may hold"].split("\n")
    assert head.split() == ["they", "drew", "3"]
    assert two.split() == ["two", "pair", "or", "better", f"{100 * held.higher_category:.0f}%"]
    assert better.split() == ["a", "better", "pair", f"{100 * held.better_in_category:.0f}%"]
    assert worse.split() == ["a", "worse", "hand", f"{100 * held.worse:.0f}%"]


def test_ranges_of_the_algorithm_are_shown_during_an_opponents_turn() -> None:
    waiting = replace(FACING, betting=Betting(20, (0, 0), (1, 0)), put_in=(5, 5))
    (held,) = sample_ranges(waiting, HUMAN)
    head, two, better = panel(snapshot(waiting))["opponents may hold"].split("\n")
    assert head.strip() == "Ada"
    assert two.split() == ["2pair+", f"{100 * held.two_pair:.0f}%"]
    assert better.split() == ["better", f"{100 * held.stronger:.0f}%"]


def test_draw_panel_shows_session_figures_and_the_last_action() -> None:
    found = panel(snapshot(BEFORE))
    hands, won, *plotted = found["session"].split("\n")
    assert hands.split() == ["1,200", "hands", "-500"]
    assert won.split() == ["won", "300"]
    assert len(plotted) == 5
    in_hand = panel(snapshot(FACING))
    assert len(in_hand["session"].split("\n")) == 2, "the GTO chart needs the rows of the plot"
    assert found["this hand"] == "Ada draws 3"


def test_name_of_every_table_agrees_with_its_options() -> None:
    assert len(TABLES.choices) == 7
    for name, title in TABLES.titles.items():
        if name == COURSE:
            continue
        seating = TABLES.setup(name)
        stakes, opponents = name.split("-")
        options = Options(opponents=int(opponents), stakes=Stakes(stakes))
        assert seating.options == options
        assert seating.players == seats_of(options.opponents, MIXED)
        assert f", {opponents} opponent" in title


def test_level_of_the_opponents_is_asked_at_every_table() -> None:
    for name, table in TABLES.choices.items():
        assert table.variants is not None
        if name == COURSE:
            continue
        levels = levels_at(TABLES.setup(name).options)
        assert [*table.variants.choices] == [MIXED, *levels]
        for level in table.variants.choices:
            seating = table.variants.setup(level)
            assert seating.options == TABLES.setup(name).options
            assert seating.players == seats_of(seating.options.opponents, level)


def test_classic_table_asks_for_the_number_and_all_play_the_algorithm() -> None:
    table = TABLES.choices[COURSE]
    assert table.variants is not None
    assert table.variants.title == "How many opponents?"
    for count, title in enumerate(table.variants.titles.values(), 1):
        seating = table.variants.setup(str(count))
        assert title == f"{count} opponent{'s' * (count > 1)}"
        assert seating.options == Options(opponents=count, stakes=Stakes.NOTHING)
        assert [*seating.players.values()] == [None, *["algorithm"] * count]
        assert seating.practice
        assert TABLES.name_of(seating) == COURSE
    assert TABLES.setup(COURSE).variants_of == COURSE


def _seated(*words: str) -> TableSetup[Options]:
    parser = ArgumentParser()
    command.add_arguments(parser)
    parser.add_argument("--console", action="store_true")
    return command.seating(parser.parse_args(words))


def test_command_asks_for_the_number_of_opponents_only_if_it_is_missing() -> None:
    seating = _seated("--stakes", "nothing")
    assert seating.variants_of == COURSE
    assert {*seating.players.values()} == {None, "algorithm"}
    seating = _seated("--stakes", "nothing", "--opponents", "2")
    assert (seating.variants_of, seating.options.opponents) == (None, 2)
    assert _seated("--stakes", "ante").variants_of is None


@pytest.mark.parametrize(
    "words", [("--stakes", "nothing"), ("--console", "--opponents", "1")], ids=value_id
)
def test_other_levels_are_refused_at_the_classic_table(words: tuple[str, ...]) -> None:
    assert {*_seated(*words, "--level", "algorithm").players.values()} == {None, "algorithm"}
    for level in (MIXED, "tight", "exact"):
        with pytest.raises(BadInput, match=f"{level} needs --stakes ante or limit$"):
            _seated(*words, "--level", level)


def _hints(error: BadInput) -> Iterator[list[str]]:
    """Yield the options that a refusal names, one list for each way to follow it."""
    _, _, hint = str(error).partition(" needs ")
    given = re.findall(r"(--[a-z]+) ([^-]+)", hint)
    assert given, f"no option is named: {error}"
    values = [re.split(r", | or ", some.strip()) for _, some in given]
    for chosen in product(*values):
        yield [
            word
            for (option, _), value in zip(given, chosen, strict=True)
            for word in (option, value)
        ]


@pytest.mark.parametrize("opponents", [None, 1, 2, 3])
@pytest.mark.parametrize("stakes", [None, *(stakes.value for stakes in Stakes)])
@pytest.mark.parametrize(
    "wish",
    [
        *(("--level", level) for level in (*LEVELS, *AT_LIMIT, SOLVED, MIXED)),
        *(("--style", style) for style in (*STYLES, MIXED, ANY)),
        ("--hidden",),
    ],
    ids=" ".join,
)
def test_options_named_in_a_refusal_are_accepted(
    wish: tuple[str, ...], stakes: str | None, opponents: int | None
) -> None:
    table = [] if stakes is None else ["--stakes", stakes]
    table += [] if opponents is None else ["--opponents", str(opponents)]
    for console in ([], ["--console"]):
        if console and opponents is None and stakes in (None, "nothing"):
            table += ["--opponents", "3"]  # otherwise the program asks for the number
        try:
            _seated(*wish, *table, *console)
        except BadInput as error:
            for hint in _hints(error):
                _seated(*wish, *table, *console, *hint)


def test_the_help_explains_the_stakes_in_the_order_of_the_choices() -> None:
    parser = ArgumentParser()
    command.add_arguments(parser)
    text = " ".join(parser.format_help().split())
    _, _, help_text = text.partition(f"--stakes {{{','.join(stakes.value for stakes in Stakes)}}}")
    places = [help_text.index(f"{stakes.value}: ") for stakes in Stakes]
    assert places == sorted(places)


def test_command_and_menu_have_the_same_default_table() -> None:
    parser = ArgumentParser()
    command.add_arguments(parser)
    parser.add_argument("--console", action="store_true")
    by_command, usual = command.seating(parser.parse_args([])), TABLES.setup()
    assert usual.options == by_command.options == Options(opponents=3, stakes=Stakes.ANTE)
    assert usual.players == by_command.players
