"""Run every command of the program in the documents, with files for its placeholders.

Long simulations play fewer rounds here. ``tests/documents/test_shell_blocks.py`` runs blocks as
written.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest

from tests.helpers.command_runner import run
from tests.share.tree import parser_of
from tui_casino.gamekit.registry import GAMES

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ELSEWHERE = {
    "tui-casino serve": "tests/host runs a host",
    "tui-casino admin": "tests/host runs it beside one",
    "tui-casino: ": "it is the name of a process",
    "tui-casino toy": "tests/contract/test_sixth_game.py runs it where that game has been added",
    "…": "what is left out is run elsewhere on the page",
    "COMMAND": "stands for each command of a table",
    "ledger settle": "tests/house/test_settlement.py has money to settle",
    "tcp://": "tests/helpers/dask_cluster.py starts a scheduler",
    "--equilibrium": "tests/games/five_card_draw runs it: it takes minutes",
    "--win": "tests/games/cribbage runs it: it takes minutes",
    "--players expert": "tests/games/cribbage runs it: an expert thinks long",
    "--ruin": "tests/games/video_poker runs it: it takes long",
    "--bankroll": "tests/games/video_poker runs it: it takes long",
    "--left": "tests/games/thirty_one runs it: it plays many deals out",
    "--commitments": "tests/records/test_commitments.py has a server's list",
}
"""Parts of commands that are not run here, with the reason."""
NAMES = {
    "GAME": "video-poker",
    "FILE": "five-card-draw.jsonl",
    "FOLDER": ".",
    "DIR/players/ID/sessions": ".",
    "~/.local/state/tui-casino/sessions": ".",
    "CMD-FILE": "cmd-file.txt",
    "CARD-FILE": "card-file.txt",
    "CREDIT": "10000",
    "BET": "5",
    "NBDEALS": "100",
    "SEED": "55510",
    "N": "1",
    "P": "0.05",
    "T": "jacks-or-better-9-6",
    "ID": "player",
    "COUNTS": "4 4 0 0 4 1 5 4 5 13",
}
FILES = {  # what FILE means after an option
    "--deck": "fixture.txt",
    "--properties": "cribbage.properties",
    "--log": "new.log",
    "--export": "new.csv",
}
MOST = 1_000  # rounds


def joined(text: str) -> str:
    """Join the lines of a command that ends in a backslash."""
    return re.sub(r" \\\n *", " ", text)


def documented_commands() -> Iterator[str]:
    """Yield every command of the documents, in a sentence or in a block."""
    for page in PAGES:
        text = joined(page.read_text(encoding="utf-8"))
        yield from re.findall(r"^(?:\$ )?(tui-casino -*[a-z].*?)(?:  +#.*)?$", text, re.MULTILINE)
        blocks = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        for found in re.findall(r"`(tui-casino\b[^`]*)`", blocks):
            yield " ".join(found.split())


def expanded(command: str) -> Iterator[str]:
    """Yield a command without its optional parts in brackets, and with each of them."""
    base = re.sub(r" ?\[[^\]]*\]", "", command)
    yield base
    for option in re.findall(r"\[([^\]]*)\]", command):
        yield from (f"{base} {one}" for one in option.split(" | "))


ALL = sorted({one for command in documented_commands() for one in expanded(command)})
BARE = {"tui-casino verify", "tui-casino ledger"}
"""Commands that are only named: without more words they print what they need."""
RUN = [one for one in ALL if one not in BARE and not any(sign in one for sign in ELSEWHERE)]


def arguments(command: str) -> list[str]:
    words, before = [], ""
    for word in shlex.split(command)[1:]:
        name = FILES.get(before, NAMES[word]) if word == "FILE" else NAMES.get(word, word)
        words.append(str(min(int(name), MOST)) if name.isdigit() and before != "-d" else name)
        before = word
    return words


def test_commands_listed_as_run_by_other_tests_are_still_in_the_documents() -> None:
    assert [sign for sign in ELSEWHERE if not any(sign in command for command in ALL)] == []
    assert len(RUN) > 40


NOT_SPELT = ("…", "COMMAND", "tui-casino toy", "tui-casino: ")
ASIDE = [one for one in ALL if one not in RUN and not any(sign in one for sign in NOT_SPELT)]


@pytest.mark.parametrize("command", ASIDE)
def test_documented_commands_run_by_other_tests_are_accepted_by_the_parser(command: str) -> None:
    """The parser accepts its options and operands."""
    first, *words = arguments(command)
    parser = parser_of(*(first, words.pop(0))) if first == "odds" else parser_of(first)
    if words:
        parser.parse_args(words)


@pytest.mark.prove
@pytest.mark.parametrize("command", RUN)
def test_documented_command_runs_or_asks_for_a_terminal(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(place, str(tmp_path / place.lower()))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    logs = tmp_path / "xdg_state_home" / "tui-casino" / "sessions"
    logs.mkdir(parents=True)
    for game in GAMES:
        if (log := DATA / "old-logs" / f"{game.slug}.jsonl").exists():
            copy(log, folder)
    copy(DATA / "old-logs" / "video-poker.jsonl", logs)  # whose mistakes are weighed at once
    for file in (DATA / "video_poker" / "course-example").iterdir():
        copy(file, folder)
    (folder / "fixture.txt").write_text("1 2 3 4 5 6 7 8 9 10\n" * 5)
    (folder / "cribbage.properties").write_text("Seed=1\n")
    ran = run(arguments(command), "1\n\n\n")  # where it asks: one opponent, who throws nothing
    if ran.code == 2:
        asks = "the screen needs a terminal", "--yes removes without asking"
        assert any(one in ran.err for one in asks), ran.err
    else:
        assert ran.code == 0, ran.err
        assert ran.out or ran.err, "nothing was said"
