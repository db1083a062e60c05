"""Hit Me on the command line: an option for every rule, a known deck, and excluded options."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest

from tests.helpers.command_runner import Output, output
from tests.helpers.parameter_ids import value_id
from tui_casino.games.thirty_one import DEFINITION
from tui_casino.games.thirty_one.face import command
from tui_casino.games.thirty_one.face.command import add_arguments, run, seating
from tui_casino.games.thirty_one.face.table_catalog import HOUSES, TABLES, house_title
from tui_casino.games.thirty_one.machine.rules import Odds, Rules
from tui_casino.games.thirty_one.machine.state import Options
from tui_casino.house.paths import ledger_file
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.files import UserPath
from tui_casino.records.cache import Cache
from tui_casino.records.log_catalog import list_logs
from tui_casino.teacher.leaks import find_leaks
from tui_casino.teacher.mistakes import ReviewedSitting, review_sittings

DECK = Path(__file__).parents[2] / "data" / "thirty_one" / "deck.txt"


def args_of(*words: str, here: Path = DECK.parent) -> Namespace:
    parser = ArgumentParser()
    add_arguments(parser)
    parser.add_argument("--console", action="store_true")
    return parser.parse_args(words, Namespace(cwd=here))


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ((), Rules()),
        (("--dealer-hits-soft-27",), Rules(dealer_hits_soft=True)),
        (("--double-two-cards",), Rules(double_two_cards=True)),
        (("--no-double-after-split",), Rules(double_after_split=False)),
        (("--split-same-rank",), Rules(split_same_rank=True)),
        (("--hands", "4"), Rules(most_hands=4)),
        (("--insurance", "43:10"), Rules(insurance=Odds(43, 10))),
    ],
    ids=value_id,
)
def test_each_hit_me_rule_can_be_set_by_a_command_line_option(
    words: tuple[str, ...], rules: Rules
) -> None:
    seat = seating(args_of(*words))
    assert seat.options == Options(rules)
    assert seat.explicit is bool(words)
    assert not seat.practice


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hands", "1"), "--hands: 1 is out of range; give a whole number from 2 to 4"),
        (("--hands", "two"), "--hands: 'two' is not a whole number; give one from 2 to 4"),
        (
            ("--insurance", "4.3"),
            "--insurance: '4.3' is not a pair of odds; give two whole numbers",
        ),
        (("--insurance", "0:1"), "--insurance: '0:1' is not a pair of odds"),
        (("--insurance", "1:0"), "--insurance: '1:0' is not a pair of odds"),
    ],
    ids=value_id,
)
def test_invalid_hit_me_options_are_refused_by_name(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(BadInput) as refused:
        seating(args_of(*words))
    assert str(refused.value).startswith(said)


def test_hit_me_with_a_known_deck_is_free_play(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("7 7 7\n")
    seat = seating(args_of("--deck", "deck.txt", here=tmp_path))
    assert seat.practice
    assert [str(card) for card in seat.croupier.kind.cards] == ["7C", "7D", "7H"]


def test_known_cards_use_the_rules_of_the_previous_table(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("7 7 7\n")
    seat = TABLES.choices["deck"].setup(
        Options(Rules(most_hands=4), credit=12_345), UserPath("deck.txt", tmp_path)
    )
    assert seat.options == Options(Rules(most_hands=4))
    assert seat.practice
    with pytest.raises(BadInput, match="none"):
        TABLES.choices["deck"].setup(Options(), UserPath("none", tmp_path))


def test_every_hit_me_table_has_its_own_title() -> None:
    titles = {title for title, _ in HOUSES.values()}
    assert len(titles) == len({rules for _, rules in HOUSES.values()}) == len(HOUSES)
    for name, (title, rules) in HOUSES.items():
        assert TABLES.setup(name).options == Options(rules)
        assert house_title(rules) == title
    assert house_title(Rules(most_hands=3)) == "Split to 3 hands"
    two = Rules(double_two_cards=True, insurance=Odds(4))
    assert house_title(two) == "Double only on two cards, insurance pays 4:1"


def test_console_draws_cards_unless_plain_is_given() -> None:
    assert seating(args_of("--console")).words is command.CARD_ART_WORDS
    assert seating(args_of("--console", "--plain")).words is None
    assert run(args_of("--console", "--plain")) is None
    with pytest.raises(BadInput, match="--plain can only be used with --console"):
        run(args_of("--plain"))


def test_default_hit_me_table_has_default_options() -> None:
    assert TABLES.setup().options == Options()


# ---- the program ---------------------------------------------------------------------------------


def program(typed: str, *words: str, code: int = 0) -> Output:
    """Play lines on the console."""
    typed = "\n".join([*typed.split(","), ""])
    return output("thirty-one", "--console", *words, typed=typed, code=code)


def test_known_deck_is_played_without_money_until_it_is_used_up() -> None:
    typed = "b 50,h,s,b,i,h,p,h,s,h,s,b,h,p,s,s,b"
    said = program(typed, "--deck", str(DECK), "--plain").out.splitlines()
    assert "Your 14 wins, the dealer missed 31: you win 50.00" in said
    assert said[-2:] == [
        "The cards are used up: the round is void, and you get 100.00 back",
        "The game is over: the cards are used up, and the round is void.",
    ]
    assert not ledger_file().exists()


def test_mistakes_of_a_void_round_are_measured_by_its_bet(tmp_path: Path) -> None:
    """No round was settled, so nothing counts as wagered; 20.00 were at stake."""
    deck = tmp_path / "short.txt"
    deck.write_text("4\n8\n10\n4\n")
    options = ("--deck", str(deck), "--plain", "--log-dir", str(tmp_path))
    out = program("b 20,h,h,s,q", *options).out
    assert "the round is void, and you get 20.00 back" in out
    games = {"thirty-one": DEFINITION}
    (one,) = review_sittings(list_logs(tmp_path, games, {}), games, Cache(None))
    assert isinstance(one, ReviewedSitting)
    assert one.stake == 2_000
    found = find_leaks([one])
    assert found
    assert all(leak.each < 1 for leak in found)


def test_message_says_that_a_known_deck_ended_with_the_round(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("9 10 10 7")
    out = program("b,s,b", "--deck", str(deck)).out
    assert out.splitlines()[-1] == "The game is over: the cards are used up."


@pytest.mark.parametrize("text", ["", "14", "7 seven"])
def test_invalid_deck_file_ends_with_exit_code_2_and_its_line_number(
    text: str, tmp_path: Path
) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text(text)
    out, err = program("b", "--deck", str(deck), code=2)
    assert not out
    assert f"{deck}:1:" in err


def test_resumed_hit_me_round_shows_its_cards_again() -> None:
    out = program("b 50,n").out
    picture = [line for line in out.splitlines() if line.startswith(("Dealer: ", "'--", ".--"))]
    out, err = program("s")
    assert "it continues now" in err
    assert picture[-3:] == [line for line in out.splitlines() if line in picture][:3]
