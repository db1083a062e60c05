import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.toy.machine.game import Change, Keep
from tui_casino.engine.game import IllegalAction, Refusal
from tui_casino.engine.offers import Offer, OneOf, Some, Whole
from tui_casino.gamekit.grammar import parse, spaced
from tui_casino.games.video_poker.machine.game import POSITIONS, Bet, Draw, Hold
from tui_casino.inputs.numbers import is_whole, whole

VERBS = {"b": Bet, "d": Draw, "h": Hold}
BET = (Offer(Bet, (Whole(1, 5),), usual=(3,)),)
HOLD = (Offer(Hold, (Some(POSITIONS, 0, 5),), usual=((),)),)


def refused(line: str, offers: tuple[Offer[object], ...] = ()) -> Refusal:
    with pytest.raises(IllegalAction) as illegal:
        parse(line, VERBS, offers)
    return illegal.value.kind


def test_words_become_an_action_even_if_not_on_offer() -> None:
    assert parse("b 4", VERBS, BET) == Bet(4)
    assert parse("  b\t+4 ", VERBS, BET) == Bet(4)
    assert parse("b -9", VERBS, ()) == Bet(-9)
    assert parse("d", VERBS, ()) == Draw()
    assert parse("h 1 3", VERBS, HOLD) == Hold((1, 3))


def test_several_values_may_come_in_any_order() -> None:
    assert parse("h 5 1 3", VERBS, HOLD) == Hold((1, 3, 5))
    assert parse("h 3 1", VERBS, ()) == Hold((1, 3))
    assert parse("h 1 1", VERBS, HOLD) == Hold((1, 1))  # the guard's to refuse


def test_the_bare_verb_means_the_usual() -> None:
    assert parse("b", VERBS, BET) == Bet(3)
    assert parse("h", VERBS, HOLD) == Hold(())
    assert refused("b") is Refusal.MOMENT
    assert refused("b", (Offer(Bet, (Whole(1, 5),)),)) is Refusal.WORDS


@pytest.mark.parametrize(
    "line",
    ["x", "B 3", "b 1 2", "b x", "b 1.0", "b 1_0", "b ٣", "b ５", "h 1,2", "h x", "d 5", "b --1"],
)
def test_words_that_cannot_be_understood(line: str) -> None:
    assert refused(line, BET) is Refusal.WORDS


def test_cards_and_missing_words() -> None:
    with pytest.raises(IllegalAction, match="needs more words"):
        parse("c", {"c": Change}, (Offer(Change, (OneOf((1, 2)),)),))
    assert parse("k", {"k": Keep}, ()) == Keep()


@given(st.integers(-(10**17), 10**17))
def test_whole_numbers(value: int) -> None:
    assert whole(str(value)) == value
    assert whole(f"{value:+030}") == value


def test_numbers_of_thousands_of_digits_are_only_huge() -> None:
    assert whole("9" * 5000) == 10**18
    assert whole("-" + "9" * 5000) == -(10**18)
    assert whole("0" * 5000 + "7") == 7


@given(st.text())
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    if is_whole(text):
        assert int(text) == whole(text) or len(text) > 18
    else:
        with pytest.raises(ValueError, match="not a whole number"):
            whole(text)


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
def test_a_missing_space_between_letter_and_number(line: str, read: str) -> None:
    assert spaced(line, {"b": None, "h": None}) == read


def test_a_longer_verb_is_no_letter_and_a_number() -> None:
    assert spaced("b5 1", {"b": None, "b5": None}) == "b5 1"
