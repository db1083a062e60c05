import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import PACK, format_cards
from tui_casino.engine.chance import (
    CommittedSource,
    DiceStream,
    JavaRandom,
    JavaRandomSource,
    SeededSource,
    SourceSpec,
    make_source,
)
from tui_casino.engine.croupier import (
    FixedShoe,
    JavaCroupier,
    OutOfCards,
    ShuffledShoe,
    make_croupier,
)
from tui_casino.engine.game import NeedShoe

SEED = bytes(range(32))


def words(seed: bytes, label: str, count: int) -> list[int]:
    """The stream as docs/formats.md describes it, written a second time."""
    blocks = b"".join(
        hmac.new(seed, f"{label}|{counter}".encode(), hashlib.sha256).digest()
        for counter in range(count // 8 + 1)
    )
    return [int.from_bytes(blocks[4 * i : 4 * i + 4], "big") for i in range(count)]


@given(st.binary(min_size=1, max_size=40), st.sampled_from(["shoe 1", "seat 0 choice 12"]))
def test_dice_stream_draws_the_documented_hash_words_modulo_n(seed: bytes, label: str) -> None:
    stream = DiceStream(seed, label)
    expected = [word % 1000 for word in words(seed, label, 40) if word < 2**32 - 2**32 % 1000]
    assert [stream.below(1000) for _ in range(30)] == expected[:30]


def test_dice_stream_rejects_words_beyond_the_last_multiple_of_n() -> None:
    n = 3 * 2**30  # a quarter of all words must be drawn again
    drawn = [DiceStream(SEED, f"shoe {i}").below(n) for i in range(400)]
    assert max(drawn) < n
    lowest = sum(value < 2**30 for value in drawn)  # modulo alone would give a half
    assert 90 < lowest < 180


def test_shuffle_is_fisher_yates_beginning_with_the_last_card() -> None:
    pack = list(PACK)
    drawn = iter(words(SEED, "shoe 1", 60))
    for last in range(51, 0, -1):
        while (word := next(drawn)) >= 2**32 - 2**32 % (last + 1):
            pass
        other = word % (last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    croupier, source = ShuffledShoe(), CommittedSource(SEED)
    assert croupier.shoe(NeedShoe(PACK), source.dice("shoe 1")).stock == 52
    nobody = source.dice("shoe 1 card 1")
    assert [croupier.card(nobody).card for _ in range(52)] == pack
    with pytest.raises(OutOfCards):
        croupier.card(nobody)


def test_shuffles_give_each_order_of_five_cards_equally_often() -> None:
    """Each of 120 orders of five cards as often: chi-square, 119 degrees, beyond 1 in 10,000."""
    source, croupier, rounds = CommittedSource(SEED), ShuffledShoe(), 12_000
    counts: Counter[str] = Counter()
    for shoe in range(rounds):
        croupier.shoe(NeedShoe(PACK[:5]), source.dice(f"shoe {shoe}"))
        nobody = source.dice("")
        counts[format_cards(croupier.card(nobody).card for _ in range(5))] += 1
    expected = rounds / 120
    assert len(counts) == 120
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 184


def test_dice_of_one_label_do_not_depend_on_draws_for_another_label() -> None:
    source = CommittedSource(SEED)
    first = [source.dice("shoe 2").below(52) for _ in range(3)]
    source.dice("seat 0 choice 1").below(7)
    assert [source.dice("shoe 2").below(52) for _ in range(3)] == first


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1], ids=labelled("{} values"))
def test_drawing_from_fewer_than_1_or_too_many_values_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        DiceStream(SEED, "x").below(n)
    with pytest.raises(ValueError, match="cannot draw"):
        JavaRandom(1).below(n)


def test_repr_and_spec_of_a_source_do_not_show_the_seed() -> None:
    source = CommittedSource()
    assert len(source.seed) == 32
    assert source.seed.hex() not in repr(source)
    assert source.spec == SourceSpec("committed", hashlib.sha256(source.seed).hexdigest())
    assert CommittedSource().seed != source.seed


def test_numbered_seed_is_the_hash_of_its_text() -> None:
    source = SeededSource(-7)
    assert source.seed == hashlib.sha256(b"-7").digest()
    assert source.spec == SourceSpec("numbered", "-7")
    assert repr(source) == "SeededSource(numbered -7)"


def test_chance_source_made_from_its_logged_spec_draws_the_same() -> None:
    for source, seed in (
        (CommittedSource(SEED), SEED),
        (SeededSource(5), None),
        (JavaRandomSource(-3), None),
    ):
        again = make_source(source.spec, seed)
        assert again is not None
        assert again.spec == source.spec
        assert again.dice("shoe 1").below(1000) == source.dice("shoe 1").below(1000)
    assert make_source(CommittedSource(SEED).spec) is None
    with pytest.raises(ValueError, match="does not match the commitment"):
        make_source(CommittedSource(SEED).spec, b"other")


@pytest.mark.parametrize(
    ("seed", "n", "drawn"),
    [
        (42, 10, [0, 3, 8, 4, 0, 5]),
        (42, 16, [11, 0, 10, 0, 4, 15]),
        (-7, 100, [62, 97, 90, 7, 78, 87]),
        (55510, 10**9 + 7, [901040804, 825794515, 678191054, 281446121, 86028780, 758397240]),
    ],
    ids=["10 values", "a power of two", "negative seed", "a large prime"],
)
def test_java_random_draws_as_java_does(seed: int, n: int, drawn: list[int]) -> None:
    """Printed by ``new Random(seed).nextInt(n)`` of OpenJDK 17; the last n rejects often."""
    dice = JavaRandom(seed)
    assert [dice.below(n) for _ in drawn] == drawn


@pytest.mark.parametrize(
    ("seed", "first", "second"),
    [
        (55510, "2C 2H 7C QC QD KH", "AD AH TD JS QH KC"),
        (12345, "2C 5H 6H 7C JS QH", "2S 3S 5S TH JC KH"),
    ],
)
def test_java_croupier_deals_like_the_original_cribbage_trainer(
    seed: int, first: str, second: str
) -> None:
    """The deals of two logs of the original cribbage trainer."""
    picker, source = JavaCroupier(), JavaRandomSource(seed)
    assert picker.shoe(NeedShoe(PACK), source.dice("shoe 1")).stock == 52
    dealt = [picker.card(source.dice("card")).card for _ in range(12)]
    assert format_cards(sorted(dealt[0::2])) == first
    assert format_cards(sorted(dealt[1::2])) == second


def test_java_nextint_of_one_advances_the_generator() -> None:
    one, other = JavaRandom(9), JavaRandom(9)
    one.below(1)
    assert one.below(100) != other.below(100)
    other.below(2)  # any draw moves the generator by one step
    assert one.below(1000) == other.below(1000)


def test_fixed_shoe_deals_its_cards_in_order_and_counts_down() -> None:
    croupier = FixedShoe(PACK[:3])
    nobody = CommittedSource(SEED).dice("")
    assert croupier.shoe(NeedShoe(PACK), nobody).stock == 3
    assert croupier.card(nobody).card == PACK[0]
    assert croupier.shoe(NeedShoe(PACK), nobody).stock == 2
    assert [croupier.card(nobody).card for _ in range(2)] == list(PACK[1:3])
    with pytest.raises(OutOfCards):
        croupier.card(nobody)


def test_croupier_made_from_its_logged_kind_has_the_same_type() -> None:
    for croupier in (ShuffledShoe(), FixedShoe(PACK[:2]), JavaCroupier()):
        again = make_croupier(croupier.kind)
        assert type(again) is type(croupier)
        assert again.kind == croupier.kind
