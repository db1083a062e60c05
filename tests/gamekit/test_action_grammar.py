import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.toy.machine.game import Change, Keep
from tui_casino.engine.game import IllegalAction, Refusal
from tui_casino.engine.offers import IntRange, Offer, OneOf, Subset
from tui_casino.gamekit.action_grammar import insert_space, parse_action
from tui_casino.games.video_poker.machine.game import POSITIONS, Bet, Draw, Hold
from tui_casino.inputs.numbers import is_integer, parse_integer

VERBS = {"b": Bet, "d": Draw, "h": Hold}
BET = (Offer(Bet, (IntRange(1, 5),), defaults=(3,)),)
HOLD = (Offer(Hold, (Subset(POSITIONS, 0, 5),), defaults=((),)),)


def refused(line: str, offers: tuple[Offer[object], ...] = ()) -> Refusal:
    with pytest.raises(IllegalAction) as illegal:
        parse_action(line, VERBS, offers)
    return illegal.value.kind


def test_typed_words_are_parsed_as_an_action_even_if_it_is_not_on_offer() -> None:
    assert parse_action("b 4", VERBS, BET) == Bet(4)
    assert parse_action("  b\t+4 ", VERBS, BET) == Bet(4)
    assert parse_action("b -9", VERBS, ()) == Bet(-9)
    assert parse_action("d", VERBS, ()) == Draw()
    assert parse_action("h 1 3", VERBS, HOLD) == Hold((1, 3))


def test_several_typed_card_numbers_are_accepted_in_any_order() -> None:
    assert parse_action("h 5 1 3", VERBS, HOLD) == Hold((1, 3, 5))
    assert parse_action("h 3 1", VERBS, ()) == Hold((1, 3))
    assert parse_action("h 1 1", VERBS, HOLD) == Hold((1, 1))  # the guard's to refuse


def test_command_typed_without_a_value_uses_the_default_value() -> None:
    assert parse_action("b", VERBS, BET) == Bet(3)
    assert parse_action("h", VERBS, HOLD) == Hold(())
    assert refused("b") is Refusal.MOMENT
    assert refused("b", (Offer(Bet, (IntRange(1, 5),)),)) is Refusal.WORDS


@pytest.mark.parametrize(
    "line",
    ["x", "B 3", "b 1 2", "b x", "b 1.0", "b 1_0", "b ٣", "b ５", "h 1,2", "h x", "d 5", "b --1"],
)
def test_unknown_typed_words_are_refused_as_action(line: str) -> None:
    assert refused(line, BET) is Refusal.WORDS


def test_command_typed_with_missing_arguments_is_refused() -> None:
    with pytest.raises(IllegalAction, match="needs more arguments"):
        parse_action("c", {"c": Change}, (Offer(Change, (OneOf((1, 2)),)),))
    assert parse_action("k", {"k": Keep}, ()) == Keep()


@given(st.integers(-(10**17), 10**17))
def test_typed_whole_numbers_are_parsed(value: int) -> None:
    assert parse_integer(str(value)) == value
    assert parse_integer(f"{value:+030}") == value


def test_number_of_thousands_of_digits_is_parsed_as_a_huge_number() -> None:
    assert parse_integer("9" * 5000) == 10**18
    assert parse_integer("-" + "9" * 5000) == -(10**18)
    assert parse_integer("0" * 5000 + "7") == 7


@given(st.text())
def test_text_that_is_not_a_whole_number_is_refused(text: str) -> None:
    if is_integer(text):
        assert int(text) == parse_integer(text) or len(text) > 18
    else:
        with pytest.raises(ValueError, match="not a whole number"):
            parse_integer(text)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("b5", "b 5"),
        ("h1 2", "h 1 2"),
        ("b 5", "b 5"),
        ("bet", "bet"),
        ("b5x", "b5x"),
        ("z5", "z5"),
        ("b", "b"),
        ("5", "5"),
        ("b-5", "b -5"),
    ],
)
def test_missing_space_between_a_command_letter_and_its_number_is_inserted(
    line: str, read: str
) -> None:
    assert insert_space(line, {"b": None, "h": None}) == read


def test_verb_that_contains_a_digit_is_not_split() -> None:
    assert insert_space("b5 1", {"b": None, "b5": None}) == "b5 1"
