"""Random words at video poker's debug reader, against a machine of cards and credit alone."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import generators
from tests.helpers.command_runner import check_file, repeatable
from tests.helpers.parameter_ids import labelled
from tui_casino.cards.card import Card
from tui_casino.games.video_poker.face.debug_mode import command_outputs
from tui_casino.games.video_poker.machine.game import Options
from tui_casino.games.video_poker.machine.paytables import DEFAULT, load
from tui_casino.inputs.sanitize import printable_lines

PAYS = {row.name: row.pays for row in load(DEFAULT).rows}
WHOLE = r"[+-]?[0-9]+"


def cut(words: list[str]) -> list[list[str]]:
    """Cut words into commands."""
    found: list[list[str]] = []
    for word in words:
        if found and found[-1][0] in ("b", "h") and re.fullmatch(WHOLE, word):
            found[-1].append(word)
        else:
            found.append([word])
    return found


def value_of(word: str) -> int:
    digits = word.lstrip("+-").lstrip("0") or "0"
    value = int(digits) if len(digits) < 3 else 99
    return -value if word.startswith("-") else value


class Machine:
    """What is known without knowing what hands are worth: whose cards come when, for what bet."""

    def __init__(self, credit: int, cards: list[str]) -> None:
        self.credit, self.cards = credit, cards
        self.phase, self.bet, self.last, self.rounds = "bet", 0, 5, 0
        self.hand: list[str] = []

    def check(self, command: list[str], said: list[str]) -> None:
        """Compare an answer with the one that the command must have."""
        word, numbers = command[0], [value_of(number) for number in command[1:]]
        refusal = self._refusal(word, numbers)
        if refusal is not None:
            assert said == [f"{word}: {refusal}"]
        elif word == "$":
            assert said == [f"player's credit is {self.credit}"]
        elif word == "s":
            assert re.fullmatch(rf"Total +{self.rounds}", said[-3])
            assert re.fullmatch(rf"Credit +{self.credit} \([0-9]+\.[0-9][0-9]%\)", said[-1])
        elif word == "a":
            advice = r"player should (discard everything|hold cards 1?( ?2)?( ?3)?( ?4)?( ?5)?)"
            assert len(said) == 1
            assert re.fullmatch(advice, said[0])
        else:
            self._act(word, numbers, said)
        assert self.credit >= 0

    def _refusal(self, word: str, numbers: list[int]) -> str | None:
        now = {"bet": "b", "deal": "d", "hold": "ha"}[self.phase]
        if word not in ("$", "s", *now):
            return "illegal command"
        if word == "b":
            coins = (numbers or [self.last])[0]
            if len(numbers) > 1:
                return "illegal command"
            return None if 1 <= coins <= min(5, self.credit) else "illegal amount"
        if word == "h" and not (
            set(numbers) <= {1, 2, 3, 4, 5} and len(set(numbers)) == len(numbers)
        ):
            return "illegal command"
        wanted = {"d": 5, "h": 5 - len(numbers)}.get(word, 0)
        return None if wanted <= len(self.cards) else "not enough cards"

    def _act(self, word: str, numbers: list[int], said: list[str]) -> None:
        if word == "b":
            self.bet = self.last = (numbers or [self.last])[0]
            self.credit, self.phase = self.credit - self.bet, "deal"
            assert said == [f"player is betting {self.bet}"]
            return
        held = {} if word == "d" else {place: self.hand[place - 1] for place in numbers}
        self.hand = [held.get(place) or self.cards.pop(0) for place in (1, 2, 3, 4, 5)]
        self.phase = "hold" if word == "d" else "bet"
        assert said[0] == f"player's hand {' '.join(self.hand)}"
        if word == "d":
            assert len(said) == 1
            return
        self.rounds += 1
        assert len(said) == 2
        match = re.fullmatch(r"player (loses|wins with a (.+)) and his credit is ([0-9]+)", said[1])
        assert match
        self.credit += PAYS[match[2]][self.bet - 1] if match[2] else 0
        assert int(match[3]) == self.credit


def check_blocks(found: list[str], words: list[str], cards: list[str], credit: int) -> None:
    machine = Machine(credit, [str(Card.parse(card)) for card in cards])
    commands = cut(words)
    assert len(found) == len(commands)
    for command, block in zip(commands, found, strict=True):
        with repeatable(command=command, block=block):
            echo, *said = block.split("\n")
            assert echo == f"-cmd {' '.join(command)}"
            assert said, "no answer"
            machine.check(command, said)


def read_words(folder: Path, seed: int, count: int) -> None:
    """Play random words with random cards, first in memory and then from files."""
    random = Random(f"debug {seed}")
    words = generators.commands(random, count)
    cards = generators.cards(random, random.choice((0, 7, 50, count)))
    credit = random.choice((0, 1, 4, 100, 10**15))
    dealt = [Card.parse(card) for card in cards]
    with repeatable(seed=seed, words=words, cards=cards, credit=credit):
        found = list(command_outputs(words, dealt, Options(credit)))
        check_blocks(found, words, cards, credit)
    words = [
        word for word in words if word.isascii() or word.encode("utf-8", "ignore").decode() == word
    ]
    space = random.choice((" ", "\n", "\r\n", " \t\n\n", "\u2003"))
    card_file, command_file = folder / "cards", folder / "commands"
    card_file.write_text(space.join(cards), encoding="utf-8", newline="")
    arguments = ["video-poker", "-d", str(credit), str(command_file), str(card_file)]
    raw = space.join(words).encode()
    [ran] = check_file(command_file, raw, arguments, seed=seed)
    assert ran.code == 0
    expected = list(command_outputs(words, dealt, Options(credit)))
    assert ran.out == printable_lines("\n\n".join(expected)) + "\n"


@pytest.mark.parametrize("seed", range(3), ids=labelled("seed {}"))
def test_debug_mode_reads_random_words_like_a_simple_reference_machine(
    seed: int, tmp_path: Path
) -> None:
    read_words(tmp_path, seed, 500)


@pytest.mark.prove
@pytest.mark.parametrize("batch", range(1, 11), ids=labelled("batch {}"))
def test_debug_mode_reads_100_000_random_words_like_a_simple_machine(
    batch: int, tmp_path: Path
) -> None:
    for seed in range(10 * batch, 10 * batch + 10):
        read_words(tmp_path, seed, 1_000)
