"""Run the code and the sessions that the documents show, and check how their pages are made."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.golden.write import golden
from tests.helpers.checkout_copy import blocks
from tests.helpers.command_runner import output
from tests.helpers.external_programs import program_path
from tests.helpers.ledger_sessions import (
    chained,
    house_in,
    lines_of,
    play_on,
    played,
    seating_at,
    write,
)
from tests.helpers.parameter_ids import labelled
from tests.helpers.quick_cases import first_of
from tests.helpers.random_play import seed_of
from tui_casino.cards.card import whole_packs
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import NeedShoe, Seat
from tui_casino.engine.offers import Dice
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.house.sitting import begin_sitting
from tui_casino.structs import replace

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
QUICK_START = (ROOT / "docs" / "quick-start.md").read_text()


def block(name: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("decks", [1, 2, 8], ids=labelled("{} decks"))
def test_check_py_deals_the_same_shuffle_as_the_program(decks: int) -> None:
    names: dict[str, Any] = {}
    exec((ROOT / "docs" / "check.py").read_text(), names)
    for number in range(1, 20):
        seed = seed_of(number)
        croupier, source = ShuffledShoe(), CommittedSource(seed)
        stock = croupier.shoe(NeedShoe(whole_packs(decks)), source.dice(f"shoe {number}")).stock
        dealt = [str(croupier.card(source.dice("")).card) for _ in range(stock)]
        assert names["shoe"](seed, number, names["PACK"] * decks) == dealt


CHECKERS = {
    "py": (sys.executable, "-I"),  # isolated: nothing of ours can be imported
    "pl": ("perl", "-MJSON::PP", "-MDigest::SHA"),
}


def checked(language: str, log: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the checker of the document on a log, in an empty folder without the program."""
    if language == "pl":
        program_path("json_pp")
    script = folder / f"check.{language}"
    script.write_text((ROOT / "docs" / script.name).read_text())
    return subprocess.run(
        [*CHECKERS[language], script, log],
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
        cwd=folder,
    )


@pytest.mark.parametrize("word", first_of(["Glück auf 🂡", ""]))
@pytest.mark.parametrize("language", CHECKERS)
@pytest.mark.parametrize("listing", GAMES, ids=lambda listing: listing.slug)
def test_check_scripts_accept_a_log_and_refuse_a_changed_one(
    listing: GameListing, language: str, word: str, tmp_path: Path
) -> None:
    """It checks commitment, chain and every card of a real session, and refuses a changed log."""
    log = played(listing, house_in(tmp_path), 3, 60, word).log.path
    lines = lines_of(log)
    kinds = [line["do"]["is"] for line in lines[1:-1]]
    dealt, shoes = kinds.count("Deal"), kinds.count("Shoe")
    assert dealt > 5
    ran = checked(language, log, tmp_path)
    said, *more = ran.stdout.splitlines()
    assert said == f"{dealt} cards of {shoes} shoes follow from the seed", ran.stderr
    assert not more or listing.slug == "cribbage"

    at = kinds.index("Deal") + 1
    other = next(card for card in ("2C", "3C") if card != lines[at]["do"]["card"])
    for forged, said in (
        ([*lines[:at], {**lines[at], "at": 1}, *lines[at + 1 :]], "chain broken"),
        (
            chained([*lines[:-1], {**lines[-1], "end": {**lines[-1]["end"], "seed": "00" * 32}}]),
            "the seed does not fit the commitment",
        ),
        (
            chained(
                [*lines[:at], {**lines[at], "do": {"is": "Deal", "card": other}}, *lines[at + 1 :]]
            ),
            "another card at",
        ),
    ):
        ran = checked(language, write(tmp_path / "forged.jsonl", forged), tmp_path)
        assert said in ran.stderr
        assert ran.returncode != 0


@pytest.mark.parametrize("language", CHECKERS)
def test_check_scripts_accept_a_log_whose_shoe_ends_in_mid_round(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of Hit Me that deals until three cards are left reaches the end of a shoe soon."""
    from tui_casino.games.thirty_one.machine import game

    monkeypatch.setattr(game, "LEAST_STOCK", 3)
    listing = listing_of("thirty-one")
    log = played(listing, house_in(tmp_path), 8, 223).log.path
    lines = lines_of(log)
    steps = lines[1:-1]
    assert any(event.get("discards") for step in steps for event in step["ev"])
    kinds = [step["do"]["is"] for step in steps]
    ran = checked(language, log, tmp_path)
    dealt, shoes = kinds.count("Deal"), kinds.count("Shoe")
    assert ran.stdout == f"{dealt} cards of {shoes} shoes follow from the seed\n", ran.stderr

    over = next(event for step in steps for event in step["ev"] if event["is"] == "RoundOver")
    over["dealer"].reverse()  # another order of what is shuffled in
    ran = checked(language, write(tmp_path / "forged.jsonl", chained(lines)), tmp_path)
    assert "another card at" in ran.stderr


@pytest.mark.parametrize("language", CHECKERS)
def test_check_scripts_verify_the_number_of_a_choice(language: str, tmp_path: Path) -> None:
    """At cribbage a seat discards, plays, says go and counts before it discards again."""
    listing = listing_of("cribbage")
    seating, house = seating_at(listing), replace(house_in(tmp_path), ledger=None)
    source, players = CommittedSource(seed_of(5)), {Seat(0): "random", Seat(1): None}
    sitting = begin_sitting(
        house, listing.definition(), seating.options, seating.croupier, source, players
    )
    play_on(sitting, 100)
    sitting.leave()
    log = sitting.log.path
    lines = lines_of(log)
    thrown = [
        n for n, line in enumerate(lines[1:-1], 1)
        if line["by"] == 0 and line["do"]["is"] == "Discard"
    ]  # fmt: skip
    assert len(thrown) > 1
    assert {line["do"]["is"] for line in lines[1:-1] if line["by"] == 0} > {"Discard", "Lay"}
    ran = checked(language, log, tmp_path)
    assert ran.stdout.splitlines()[1:] == [f"and {len(thrown)} discards of random players"]

    places = lines[thrown[-1]]["do"]["places"]
    lines[thrown[-1]]["do"]["places"] = [1, 2] if places != [1, 2] else [1, 3]
    ran = checked(language, write(tmp_path / "forged.jsonl", chained(lines)), tmp_path)
    assert f"another choice at step {thrown[-1]}" in ran.stderr
    assert ran.returncode != 0


def test_number_in_a_choice_label_counts_all_earlier_actions_of_the_seat(tmp_path: Path) -> None:
    """The page on formats says so; this is a table with computer players."""
    listing = listing_of("five-card-draw")
    asked: list[str] = []

    class Heard(CommittedSource):
        def dice(self, occasion: str, /) -> Dice:
            asked.append(occasion)
            return super().dice(occasion)

    seating, definition = seating_at(listing), listing.definition()
    source = Heard(seed_of(9))
    sitting = begin_sitting(
        house_in(tmp_path), definition, seating.options, seating.croupier, source, seating.players
    )
    play_on(sitting, 80)
    sitting.close()
    labels = [label for label in asked if label.startswith("seat")]
    done: Counter[int] = Counter()
    wanted = []
    for line in lines_of(sitting.log.path)[1:]:
        seat = line["by"]
        if seat is not None:
            done[seat] += 1
            if seat != 0:
                wanted.append(f"seat {seat} choice {done[seat]}")
    assert len(wanted) > 5
    assert labels == wanted


def test_session_in_the_quick_start_gives_the_printed_output() -> None:
    session = r"```console\n\$ (tui-casino video-poker [^\n]*)\n(.*?)```"
    found = re.search(session, QUICK_START, re.DOTALL)
    assert found
    lines = found[2].splitlines()
    typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    out = output(*found[1].split()[1:], typed="\n".join(typed)).out
    assert out.splitlines() == [line for line in lines if line[0] != ">"]


def test_toy_game_equals_the_code_in_the_ten_steps_for_adding_a_game() -> None:
    """``tests/contract/test_sixth_game.py`` runs their commands in a copy of the checkout."""
    toy = ROOT / "tests" / "contract" / "toy"
    written = "\n".join(path.read_text() for path in sorted(toy.rglob("*.py")))
    text = (ROOT / "docs" / "adding-a-game.md").read_text()
    shown = [found.text for found in blocks() if found.language == "python"]
    assert shown
    assert not [part for part in shown if part not in written]
    steps = [int(number) for number in re.findall(r"^## (\d+)\.", text, re.MULTILINE)]
    assert steps == [*range(1, 11)]
    files = {path.name for path in toy.rglob("*") if path.suffix in (".py", ".tcss")}
    assert not [name for name in files if name not in text]


def test_pictures_of_the_readme_exist() -> None:
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README)
    assert pictures
    assert all((ROOT / picture).exists() for picture in pictures)


def test_quick_start_page_links_to_every_game() -> None:
    pictures = re.findall(r"!\[.*?\]\(\.\./screenshots/(.*?)\)", QUICK_START)
    assert all((ROOT / "screenshots" / picture).exists() for picture in pictures)
    choice = QUICK_START.partition("\n## Which game?\n")[2].partition("\n## ")[0]
    assert {*re.findall(r"^\| \[(.*?)\]\(games/", choice, re.M)} == {one.title for one in GAMES}


def test_trainer_example_on_its_page_equals_the_output() -> None:
    page = (ROOT / "docs" / "trainer.md").read_text()
    [command] = re.findall(r"deal this hand yourself: `tui-casino (.*?)`", page)
    typed = "t\nb 5\nd\nh 1 2\nh 1 2\nwhy\nq\nq\n"
    out = " ".join(output(*command.split(), typed=typed).out.split())
    quoted = " ".join(line[2:] for line in page.splitlines() if line.startswith("> "))
    assert not [one for one in re.split(r"(?<=\.) (?=[A-Z])", quoted) if one not in out]
    rows = re.findall(r"^\| [^|]*[♠♥] \| (\d\.\d\d) \| ([\w.]+) \|$", page, re.M)
    assert len(rows) == 5
    for value, cost in rows:
        assert f": {cost if cost == 'best' else f'costs {cost}'}, EV {value}" in out


def test_readme_begins_with_a_short_tagline_and_the_command_make_play() -> None:
    [tagline] = re.findall(r"\*\*(.*?)\*\*", README.partition("\n![")[0])
    assert len(tagline.split()) <= LONGEST_TAGLINE
    assert len(README.split()) <= LONGEST_README_WORDS
    shown = re.findall(r"^```\w+\n(.*)\n", README, re.M)
    assert shown[0] == "make play"


def test_the_glossary_is_in_alphabetical_order() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = [word.lower() for word in re.findall(r"^\*\*(.+?)\.?\*\*", text, re.MULTILINE)]
    assert len(words) > 50
    assert words == sorted({*words})


def test_documented_pay_table_equals_the_shipped_one(tmp_path: Path) -> None:
    from tui_casino.games.video_poker.machine.paytables import DEFAULT, load

    path = tmp_path / f"{DEFAULT}.toml"
    path.write_text(block("docs/formats.md", "toml"))
    assert load(str(path), tmp_path) == load(DEFAULT)


@pytest.mark.parametrize("language", CHECKERS)
def test_check_scripts_do_not_reject_known_cards_or_an_open_log(
    language: str, tmp_path: Path
) -> None:
    """Cards of a file or of the known shoe have no seed; an open log does not reveal its seed."""
    output("baccarat", "-test", "--yes", "--log-dir", str(tmp_path / "logs"))
    (known,) = (tmp_path / "logs").glob("*.jsonl")
    listing = listing_of("video-poker")
    whole = lines_of(played(listing, house_in(tmp_path), 3, 60).log.path)
    for log, said in (
        (known, "known cards were dealt, as the log lists them: there was no shuffle"),
        (
            write(tmp_path / "open.jsonl", whole[:-1]),
            "the session has not ended: its seed is not revealed yet",
        ),
    ):
        ran = checked(language, log, tmp_path)
        assert ran.returncode != 0
        assert ran.stderr.strip() == said


@pytest.mark.parametrize("language", CHECKERS)
def test_check_scripts_do_not_reject_a_log_without_a_commitment(
    language: str, tmp_path: Path
) -> None:
    """With a chosen number or Java's generator there is no commitment, and the checker says so."""
    for game in ("video-poker", "cribbage"):
        listing = listing_of(game)
        ran = checked(language, golden(listing).log, tmp_path)
        assert ran.returncode != 0
        assert ran.stderr.strip() == (
            "no seed was committed to: the cards follow from a number that was chosen"
        )


PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
PHONE = [
    ROOT / "README.md",
    *(
        ROOT / "docs" / f"{name}.md"
        for name in (
            *("trainer", "history", "fairness", "terminals", "screen-reader"),
            *(f"server/{page}" for page in ("try-it", "players", "operators")),
            *("server/several-hosts", "server/reference"),
            *(f"games/{game}" for game in ("video-poker", "baccarat", "five-card-draw")),
            *("games/hit-me", "games/cribbage"),
        )
    ),
]
"""The pages for players and operators, whose blocks must also fit a phone."""
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
WORDS, FIGURES = 68, 100
"""Columns of a table of words at most, and of one of figures; benchmarks have more of these."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_tables_on_a_documentation_page_fit_the_width_of_a_phone(page: Path) -> None:
    """Sentences belong into lists, because browsers break the lines of a list."""
    tables = [found[0].splitlines() for found in TABLE.finditer(page.read_text(encoding="utf-8"))]
    for head, rule, *rows in tables:
        figures = "-:" in rule
        if ("benchmarks" not in page.parts and page.stem != "benchmarks") or not figures:
            shown = [re.sub(r"\]\([^)]*\)", "", row) for row in (head, *rows)]
            widest = max(shown, key=len)
            assert len(widest) <= (FIGURES if figures else WORDS), widest


START = [ROOT / "docs" / f"{name}.md" for name in ("index", "quick-start", "troubleshooting")]
"""The first pages that a player reads."""


@pytest.mark.parametrize("page", [*PHONE, *START], ids=lambda page: page.stem)
def test_code_blocks_on_a_documentation_page_have_at_most_80_columns(page: Path) -> None:
    """Blocks have at most 80 columns, except lines that a file must not break."""
    text = page.read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        lines = [line.removeprefix("$ ") for line in block.splitlines()]
        wide = [line for line in lines if len(line) > 80]
        assert not wide or language == "sshd_config"


def test_documentation_index_links_to_every_page_once() -> None:
    """Decisions and tables of benchmarks have an overview of their own."""
    docs = ROOT / "docs"
    index = (docs / "index.md").read_text(encoding="utf-8")
    pages = [path.relative_to(docs).as_posix() for path in docs.rglob("*.md")]
    listed = [
        *("../CONTRIBUTING.md", "../CHANGELOG.md", "decisions/README.md"),
        *(page for page in pages if not page.startswith(("index", "decisions/", "benchmarks/"))),
    ]
    assert sorted(re.findall(r"^\* \[.*?\]\((.*?)\)", index, re.MULTILINE)) == sorted(listed)
    assert "](docs/index.md)" in README


LONGEST_README = 120
LONGEST_README_WORDS = 850
LONGEST_TAGLINE = 12


def test_readme_has_at_most_its_allowed_number_of_lines() -> None:
    assert len(README.splitlines()) <= LONGEST_README


DECISIONS = ROOT / "docs" / "decisions"
DECISION_PAGES = [page for page in DECISIONS.glob("*.md") if page.name != "README.md"]


def test_index_of_decisions_links_to_every_page() -> None:
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    pages = sorted(path.name for path in DECISION_PAGES)
    assert sorted(re.findall(r"^\* \[.+\]\((.+)\):", index, re.MULTILINE)) == pages


def test_each_decision_is_short_and_says_what_was_rejected() -> None:
    for page in DECISION_PAGES:
        _, *decisions = page.read_text(encoding="utf-8").split("\n## ")
        assert decisions, page
        for decision in decisions:
            title, _, text = decision.partition("\n")
            assert text.count("\n*Rejected*:") == 1, title
            assert len(text.splitlines()) <= 25, title


LEAST_CHANGES = 20


def test_contributing_page_names_the_files_for_likely_changes() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("\n## To change X, open Y\n")[2].partition("\n## ")[0]
    entries = re.findall(r"^\* .+(?:\n  .+)*", section, re.MULTILINE)
    assert len(entries) >= LEAST_CHANGES
    assert all("`" in entry for entry in entries)


def test_first_readme_picture_shows_the_best_holds_with_their_cost() -> None:
    first = re.findall(r"!\[.*?\]\((.*?)\)", README)[0]
    shown = (ROOT / first).read_text(encoding="utf-8").replace("&#160;", " ")
    assert ">BEST HOLDS<" in shown
    assert re.search(r">(EV +)?cost<", shown)  # the heading may share a run with its neighbour


def test_each_feature_in_the_readme_is_followed_by_a_picture() -> None:
    features = README.partition("\n## Features\n")[2].partition("\n## ")[0].partition("\n* ")[0]
    blocks = features.strip().split("\n\n")
    assert len(blocks) > 9
    assert all(block.startswith("**") for block in blocks[::2])
    assert all(block.startswith("![") for block in blocks[1::2])
    recordings = re.findall(r"\((screenshots/.*?\.cast)\)", README)
    assert len(recordings) > 4
    assert all((ROOT / recording).exists() for recording in recordings)


def test_example_round_on_the_hit_me_page_gives_the_printed_output(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "games" / "hit-me.md").read_text(encoding="utf-8")
    section = page.partition("### An example round\n")[2].partition("\n### ")[0]
    shown = section.partition("```text\n")[2].partition("```")[0].splitlines()
    typed = "\n".join([*(line[2:] for line in shown if line.startswith("> ")), "q"])
    command = re.findall(r"`tui-casino (.*?)`", section)[0].split()
    logs = ["--log-dir", str(tmp_path)]
    played = tui_casino(*command, *logs, typed=typed).splitlines()
    printed = iter(played)
    assert all(line in printed for line in shown if not line.startswith("> ")), "in this order"
    (log,) = tmp_path.glob("*.jsonl")
    advice = tui_casino("replay", str(log), "--advice")
    (cost,) = re.findall(r"costs ([\d.]+) credits", section)
    assert f": s: costs {cost}" in advice


def tui_casino(*words: str, typed: str = "") -> str:
    """Run the program and return what it prints."""
    program = [sys.executable, "-m", "tui_casino", *words]
    return subprocess.run(program, input=typed, capture_output=True, text=True, check=True).stdout
