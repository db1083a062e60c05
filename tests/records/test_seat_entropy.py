"""The shuffles of a table with others depend on the entropy of those who sit there."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.documents.test_pages import CHECKERS, checked
from tests.helpers.ledger_sessions import chained, write
from tests.helpers.shared_table import CODE, SEED, Desk
from tui_casino.cards.card import PACK, Card, whole_packs
from tui_casino.cli.verify import check
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import shuffle_pack
from tui_casino.engine.game import IllegalAction, Seat
from tui_casino.engine.seating import Join, Leave, SeatEntropy, SeatLeft
from tui_casino.games.baccarat.machine import state as baccarat
from tui_casino.games.five_card_draw.machine import state as draw
from tui_casino.host.cage.table_answers import shared_play
from tui_casino.records.codec import encode, name_and_fields
from tui_casino.records.ledger import OpenSitting
from tui_casino.records.sqlite_ledger import SqliteLedger
from tui_casino.records.table_replica import TableReplica

ANN, BOB, CAT = Seat(0), Seat(1), Seat(2)
PLAYERS = ("ann", "bob", "cat", "dan")
FIRST, SECOND, THIRD = ("0" * 31 + digit for digit in "1a7")
TABLES: dict[str, dict[str, Any]] = {
    "baccarat": {"seats": 3},
    "thirty-one": {"seats": 3},
    "five-card-draw": {"seats": 3},
    "cribbage": {},
}
_SITTINGS = count()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger(tmp_path / "ledger")
    yield ledger
    ledger.close()


def sit(desk: Desk, seat: Seat, cents: int, entropy: str = "") -> None:
    unit = shared_play(desk.game).game.unit
    name = f"sitting-{next(_SITTINGS)}"
    booked = OpenSitting(name, desk.game, Path(f"{name}.jsonl"), None, cents)
    desk.replica.join(seat, Join(cents // unit, entropy), PLAYERS[seat], booked)


def act(desk: Desk, seat: Seat, *actions: Any) -> None:
    for action in actions:
        desk.replica.act(seat, action, PLAYERS[seat])


def lines_of_table(desk: Desk) -> list[dict[str, Any]]:
    return [json.loads(row.line) for row in desk.tables.rows(CODE)]


def cards_of(desk: Desk) -> list[list[str]]:
    """Return the cards that were dealt from each shoe."""
    shoes: list[list[str]] = []
    for line in lines_of_table(desk)[1:]:
        if "do" in line and line["do"]["is"] == "Shoe":
            shoes.append([])
        elif "do" in line and line["do"]["is"] == "Deal":
            shoes[-1].append(line["do"]["card"])
    return shoes


def shuffled(pack: tuple[Card, ...] | list[Card], label: str, *entropies: str) -> list[Card]:
    """Shuffle a pack as the page on formats says."""
    word = hashlib.sha256("|".join(entropies).encode()).hexdigest() if entropies else ""
    return shuffle_pack(pack, CommittedSource(SEED, word).dice(label))


def begins(dealt: list[str], pack: list[Card]) -> bool:
    return dealt == [*map(str, pack[: len(dealt)])]


def test_entropy_belongs_to_a_seat_until_it_is_left() -> None:
    seats = SeatEntropy()
    assert seats.client_seed == ""
    for seat, entropy in ((CAT, THIRD), (ANN, FIRST), (BOB, "")):
        seats = seats.after(seat, Join(5, entropy), ())
    both = hashlib.sha256(f"{FIRST}|{THIRD}".encode()).hexdigest()
    assert seats.client_seed == both, "in the order of the seats, without Bob's"
    seats = seats.after(None, None, (SeatLeft(ANN, 5),))
    assert seats.client_seed == hashlib.sha256(THIRD.encode()).hexdigest()
    assert seats.after(CAT, Leave(), (SeatLeft(CAT, 5),)).client_seed == ""


@pytest.mark.parametrize("text", ["1", "0" * 33, "0" * 31 + "g", "0" * 31 + "A", "0" * 32 + "\n"])
def test_entropy_must_have_32_hexadecimal_digits(text: str) -> None:
    with pytest.raises(ValueError, match="must be 32 hexadecimal digits"):
        Join(5, text)


def test_log_with_another_text_as_entropy_differs_at_its_line(
    ledger: SqliteLedger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(ledger)
    sit(desk, ANN, 50_00, FIRST)
    desk.close()
    lines = lines_of_table(desk)
    (at,) = [n for n, line in enumerate(lines) if line.get("do", {}).get("entropy")]
    lines[at]["do"]["entropy"] = "my words"
    assert check(write(tmp_path / "table.jsonl", chained(lines))) == 1
    told = capsys.readouterr().out
    assert f"table.jsonl:{at + 1}: step {at}: " in told
    assert "must be 32 hexadecimal digits" in told


def test_row_of_somebody_without_entropy_has_no_such_field() -> None:
    assert encode(name_and_fields(Join(5))) == b'{"is":"Join","cents":5}'


def test_each_hand_of_draw_is_shuffled_with_the_entropy_of_those_who_sit_there(
    ledger: SqliteLedger,
) -> None:
    """Cat comes during the first hand, and Ann leaves after the second one; Bob brings none."""
    desk = Desk(ledger, "five-card-draw", {"seats": 3})
    sit(desk, ANN, 400_00, FIRST)
    sit(desk, BOB, 400_00)

    def play_hand(*seats: Seat) -> None:
        for seat in seats:
            act(desk, seat, draw.Play())

    def finish_hand() -> None:
        while desk.replica.state.play.phase is not draw.Phase.REST:
            desk.expire(100)

    play_hand(ANN, BOB)
    sit(desk, CAT, 400_00, THIRD)
    finish_hand()
    play_hand(ANN, BOB, CAT)
    finish_hand()
    act(desk, ANN, Leave())
    play_hand(BOB, CAT)
    finish_hand()
    act(desk, CAT, Leave())
    sit(desk, ANN, 400_00)
    play_hand(ANN, BOB)
    first, second, third, fourth = cards_of(desk)
    assert begins(first, shuffled(PACK, "shoe 1", FIRST))
    assert begins(second, shuffled(PACK, "shoe 2", FIRST, THIRD))
    assert begins(third, shuffled(PACK, "shoe 3", THIRD))
    assert begins(fourth, shuffled(PACK, "shoe 4"))
    assert min(map(len, (first, second, third, fourth))) >= 10


def test_rest_of_a_shoe_is_shuffled_again_before_a_coup_if_the_entropy_has_changed(
    ledger: SqliteLedger,
) -> None:
    """The shoe of baccarat is there before anybody sits, with its burnt cards."""
    desk = Desk(ledger)
    (burnt,) = cards_of(desk)
    sit(desk, ANN, 50_00, FIRST)
    for _ in range(2):
        act(desk, ANN, baccarat.Play())
    coups = len(cards_of(desk)[0])
    sit(desk, BOB, 50_00, SECOND)
    act(desk, ANN, baccarat.Play())
    act(desk, BOB, baccarat.Play())

    packs = shuffled(whole_packs(8), "shoe 1")
    assert begins(burnt, packs)
    used = len(burnt)
    packs[used:] = shuffled(packs[used:], f"shoe 1 card {used + 1}", FIRST)
    assert begins(cards_of(desk)[0][:coups], packs)
    packs[coups:] = shuffled(packs[coups:], f"shoe 1 card {coups + 1}", FIRST, SECOND)
    assert begins(cards_of(desk)[0], packs)
    assert used < coups < len(cards_of(desk)[0])


class RandomDice:
    """The dice of an offer's sample."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def below(self, n: int, /) -> int:
        return self._dice.randrange(n)


def play_at_random(desk: Desk, number: int, steps: int) -> None:
    """Let people come, act and leave at random; some bring entropy."""
    game, dice = shared_play(desk.game).game, random.Random(number)
    for _ in range(steps):
        if desk.replica.why_over:
            return
        if desk.replica.due is not None and dice.randrange(4) == 0:
            desk.expire(100)
            continue
        seat = Seat(dice.randrange(desk.replica.seats))
        able = [one for one in game.offers(desk.replica.state, seat) if one.barred is None]
        stays = [one for one in able if one.kind is not Leave or dice.randrange(4) == 0]
        if not stays:
            continue
        offer = dice.choice(stays)
        try:
            if offer.kind is Join:
                cents = 0 if desk.game == "cribbage" else 200_00
                entropy = f"{dice.getrandbits(128):032x}" if dice.randrange(4) else ""
                sit(desk, seat, cents, entropy)
            elif desk.game != "cribbage" or offer.kind is not Leave:
                act(desk, seat, offer.sample(RandomDice(dice)))
        except IllegalAction:
            pytest.fail(f"{offer} was refused")


def shuffles_of(lines: list[dict[str, Any]]) -> int:
    return sum(line.get("do", {}).get("is") == "Shoe" for line in lines)


@pytest.mark.parametrize("game", TABLES)
def test_two_replicas_and_all_checkers_agree_about_the_cards(
    game: str, ledger: SqliteLedger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(ledger, game, TABLES[game])
    for player in PLAYERS:
        ledger.lend(player, 100_000_00, desk.now)
    play_at_random(desk, 3, 300)
    shared = shared_play(game)
    other = TableReplica(desk.tables, desk.replica.entry, shared.game, desk.clock, shared.seconds)
    assert other.state == desk.replica.state
    desk.close()
    lines = lines_of_table(desk)
    joins = [n for n, line in enumerate(lines) if line.get("do", {}).get("entropy")]
    assert len(joins) > (1 if game == "cribbage" else 5)
    path = write(tmp_path / "table.jsonl", lines)
    assert path.read_bytes() == b"".join(row.line + b"\n" for row in desk.tables.rows(CODE))
    assert check(path) == 0
    assert (
        "every card follows from the committed seed and the entropy of the seats"
        in capsys.readouterr().out
    )
    forged = chained(
        [
            {**line, "do": {**line["do"], "entropy": "f" * 32}} if n == joins[0] else line
            for n, line in enumerate(lines)
        ]
    )
    changed = write(tmp_path / "changed.jsonl", forged)
    assert check(changed) == 1
    assert "the correct step is" in capsys.readouterr().out
    for language in CHECKERS:
        ran = checked(language, path, tmp_path)
        assert f"cards of {shuffles_of(lines)} shoes follow from the seed" in ran.stdout, ran.stderr
        ran = checked(language, changed, tmp_path)
        assert ran.returncode
        assert "another card at" in ran.stderr
