"""The toy is added to a copy of the program as a sixth game, and played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.checkout_copy import Checkout, blocks, copied
from tests.helpers.pty_terminal import CASINO, Terminal, environment
from tui_casino.gamekit.registry import GAMES

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("sixth game")]
REGISTRY = "tui_casino/gamekit/registry.py"
KEY = str(len(GAMES) + 1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Follow the document until the game can be tried."""
    checkout = copied(tmp_path_factory.mktemp("sixth"))
    before = files(checkout)
    *making, _ = (block for block in blocks() if block.language in ("sh", "text", "diff"))
    for block in making:
        match block.language:
            case "sh":
                checkout.ran("sh", "-e", "-c", block.text)
            case "text":
                typed = checkout.root / "tests/golden/toy/typed.txt"
                typed.parent.mkdir()
                typed.write_text(block.text)
            case "diff":
                begin = f'    \\w+\\(\n        "{GAMES[-1].slug}",\n'
                (last,) = re.findall(rf"{begin}(?:        .*\n)+    \),\n", listings(checkout))
                checkout.change(REGISTRY, last, last + block.text.removeprefix("+"))
    assert changed(before, files(checkout)) == {REGISTRY}, "nothing else was touched"
    return checkout


def listings(checkout: Checkout) -> str:
    return (checkout.root / REGISTRY).read_text()


def files(checkout: Checkout) -> dict[str, bytes]:
    root = checkout.root
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not {".hypothesis", ".pytest_cache"} & {*path.parts}
    }


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """Return the files that were changed or deleted."""
    return {name for name, raw in before.items() if after.get(name) != raw}


def commands() -> Iterator[str]:
    """Yield the last commands of the document, which test the game."""
    *_, last = (block for block in blocks() if block.language == "sh")
    yield from last.text.splitlines()


@pytest.fixture
def played(house: Checkout) -> Path:
    """Play a session of the document on the console with a balance; return its log."""
    (session,) = (block.text for block in blocks() if block.language == "console")
    typed = [line.removeprefix("> ") for line in session.splitlines() if line.startswith("> ")]
    said = house.casino("toy", "--console", typed="\n".join(typed))
    log = re.search(r"the log is (.*\.jsonl)", said.stderr)
    assert log, said.stderr
    assert "Seat 2: answered" in said.stdout
    return Path(log[1])


@pytest.mark.parametrize("command", commands())
def test_documented_test_commands_pass_for_an_added_game(house: Checkout, command: str) -> None:
    """Run the contract suite, the golden session, the snapshots and all tests over all games."""
    said = house.ran("sh", "-c", command)
    if command.startswith("pytest"):
        passed = re.search(r"(\d+) passed", said.stdout)
        assert passed
        assert int(passed[1]) > 100


def test_screenshots_of_the_added_game_are_up_to_date(house: Checkout) -> None:
    house.ran("python", "screenshots/make.py", "--check", "toy")


def test_documented_session_of_the_new_game_is_played(house: Checkout) -> None:
    (session,) = (block.text for block in blocks() if block.language == "console")
    first, *typed = session.splitlines()
    words = first.removeprefix("$ tui-casino ").split()
    said = house.casino(*words, typed="\n".join(line.removeprefix("> ") for line in typed))
    assert "wins 2" in said.stdout
    assert "you cash out" not in said.stderr, "practice"


def test_log_of_the_new_game_is_replayed_and_verified(house: Checkout, played: Path) -> None:
    assert house.casino("verify", str(played)).stdout.startswith("authentic: ")
    assert house.casino("replay", str(played)).stdout.endswith("ended: left\n")
    states = house.casino("replay", str(played), "--states").stdout.splitlines()
    assert json.loads(states[0])["chips"] == [1000, 1000]


def test_statistics_of_the_new_game_are_printed(house: Checkout, played: Path) -> None:
    assert played.exists()
    found = json.loads(house.casino("stats", "--json").stdout)["money"]["games"]["toy"]
    assert found["rounds"] >= found["sittings"] >= 1
    assert found["wagered"] == 100 * found["rounds"]
    assert "toy" in house.casino("stats").stdout
    odds = dict(line.split() for line in house.casino("odds", "toy").stdout.splitlines())
    assert len(odds) == 13
    assert odds["7"] == "50.00%", "as many are lower as higher"


def test_new_game_is_listed_in_the_help(house: Checkout) -> None:
    assert "  toy " in house.casino("--help").stdout
    assert "toy" in house.casino("toy", "--help").stdout


def test_new_game_is_played_and_replayed_on_the_screen(house: Checkout, tmp_path: Path) -> None:
    with on_screen(house, tmp_path) as terminal:
        terminal.wait_for(f"{KEY}  Toy")
        terminal.type_until("?", f"1 to {KEY} ")
        terminal.type("\x1b")  # a digit right behind a letter would be read as a pasted text
        terminal.wait_for(lambda text: f"1 to {KEY} " not in text)
        terminal.type_until(KEY, "Space deals")
        terminal.type_until(" ", "Keep or change?")
        won = terminal.commit("k", "Space deals").splitlines()
        terminal.type_until("q\r", "BALANCE")
        terminal.type_until("r", "cashed out")
        terminal.type_until("\r", "Space deals")
        terminal.type("\x1b[F")
        (result,) = (line.strip() for line in won if "You win" in line)
        terminal.wait_for(result.strip("★ ").split(".")[0])


def on_screen(house: Checkout, home: Path, *arguments: str) -> Terminal:
    """Start the program of the copy on a terminal."""
    return Terminal((*CASINO, *arguments), environment(home, PYTHONPATH=str(house.root)))


# ---- a pay table, a rule set, a house -----------------------------------------------------------


def test_added_pay_table_file_is_playable_by_name_and_in_the_list(
    house: Checkout, tmp_path: Path
) -> None:
    """On the console by its name, on the screen in the list; and the contract tries it."""
    data = house.root / "tui_casino/games/video_poker/data"
    text = (data / "jacks-or-better-8-5.toml").read_text()
    data.joinpath("jacks-or-better-7-5.toml").write_text(text.replace("8", "7"))
    named = ("video-poker", "--paytable", "jacks-or-better-7-5")
    said = house.casino(*named, "--console", "--seed", "1", typed="?\nb 1\nd\nh\nq\n").stdout
    assert re.search(r"FULL HOUSE +7 +14 +21 +28 +35", said)
    with on_screen(house, tmp_path, "video-poker") as terminal:
        terminal.wait_for("Double Bonus 10/7")
        terminal.type_until("\x1bOS", "Jacks or Better 7/5")
    with on_screen(house, tmp_path, *named) as terminal:
        terminal.wait_for("Jacks or Better 7/5")
        assert re.search(r"FULL HOUSE +7 +14 +21 +28 +35", terminal.text)
    house.ran("sh", "-c", "pytest tests/contract/test_tables.py -k jacks-or-better-7-5")


def test_rule_set_added_to_cribbage_is_playable_by_name(house: Checkout, tmp_path: Path) -> None:
    """Entered among the others it is chosen by its name, and plays to its own target."""
    rules = "tui_casino/games/cribbage/machine/rules.py"
    house.change(rules, "(TRAINER, ACC)}", "(TRAINER, ACC, SHORT)}")
    house.change(
        rules,
        "RULE_SETS: Mapping",
        'SHORT = replace(ACC, name="short", target=31, skunks=(15, 5))\nRULE_SETS: Mapping',
    )
    named = ("cribbage", "--game", "--rules", "short")
    said = house.casino(*named, "--console", "--seed", "1", typed="?\nq\n").stdout
    assert re.search(r"\b31\b", said)
    with on_screen(house, tmp_path, *named) as terminal:
        terminal.wait_for("to 31, short rules")


def test_added_line_in_the_hit_me_catalog_makes_a_playable_table(
    house: Checkout, tmp_path: Path
) -> None:
    """It is in the list of the screen, known by its rules, and tried by the contract."""
    house.change(
        "tui_casino/games/thirty_one/face/table_catalog.py",
        '        "odds": (',
        '        "kind": ("The kind house", Rules(most_hands=4, insurance=Odds(2, 1))),\n'
        '        "odds": (',
    )
    options = ("thirty-one", "--hands", "4", "--insurance", "2:1")
    said = house.casino(*options, "--console", "--seed", "1", typed="?\nb 5\ns\nq\n").stdout
    assert "2:1" in said
    with on_screen(house, tmp_path, "thirty-one") as terminal:
        terminal.wait_for("usual rules")
        terminal.type_until("\x1bOS", "The kind house")
    with on_screen(house, tmp_path, *options) as terminal:
        terminal.wait_for("kind house")
    house.ran("sh", "-c", "pytest tests/contract/test_tables.py -k thirty-one-kind")
