"""What the documents show is run: the independent check of a shuffle, and the README's session."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contract.play import seed_of
from tui_casino.cards import packs
from tui_casino.chance import CommittedSource
from tui_casino.cli import main
from tui_casino.core import NeedShoe
from tui_casino.croupier import ShuffledShoe

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def block(name: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_the_independent_check_of_a_shuffle(decks: int) -> None:
    names: dict[str, Any] = {}
    exec(block("docs/formats.md", "python"), names)
    for number in range(1, 20):
        seed = seed_of(number)
        croupier, source = ShuffledShoe(), CommittedSource(seed)
        stock = croupier.shoe(NeedShoe(packs(decks)), source.dice(f"shoe {number}")).stock
        dealt = [str(croupier.card(source.dice("")).card) for _ in range(stock)]
        assert names["shoe"](seed, number, decks) == dealt


def test_it_checks_a_real_log_with_nothing_of_ours() -> None:
    """Every card of the golden video poker session, from the revealed seed."""
    names: dict[str, Any] = {}
    exec(block("docs/formats.md", "python"), names)
    log = (ROOT / "tests/golden/video-poker/session.jsonl").read_text().splitlines()
    lines = [json.loads(line) for line in log]
    seed = bytes.fromhex(lines[-1]["end"]["seed"])
    shoes, dealt = 0, 0
    deck: Iterator[str] = iter(())
    for line in lines[1:-1]:
        if line["do"]["is"] == "Shoe":
            shoes += 1
            deck = iter(names["shoe"](seed, shoes))
        elif line["do"]["is"] == "Deal":
            assert line["do"]["card"] == next(deck)
            dealt += 1
    assert shoes > 5
    assert dealt > 40


def test_the_readmes_session_is_played_as_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = r"```console\n\$ (tui-casino video-poker [^\n]*)\n(.*?)```"
    found = re.search(session, README, re.DOTALL)
    assert found
    lines = found[2].splitlines()
    typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(typed)))
    assert main(found[1].split()[1:]) == 0
    assert capsys.readouterr().out.splitlines() == [line for line in lines if line[0] != ">"]


def test_the_readme_shows_pictures_that_are_there() -> None:
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README)
    assert pictures
    assert all((ROOT / picture).exists() for picture in pictures)


def test_the_pay_table_in_the_formats_is_the_shipped_one(tmp_path: Path) -> None:
    from tui_casino.games.video_poker.paytables import DEFAULT, load

    path = tmp_path / f"{DEFAULT}.toml"
    path.write_text(block("docs/formats.md", "toml"))
    assert load(str(path)) == load(DEFAULT)
