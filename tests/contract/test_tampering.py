"""Logs of every game, tampered with in every way: caught at the line, or honestly only consistent.

Whoever tampers may leave the chain of hashes as it is, or make it again; and the ledger that the
sitting was played on may be asked, or be out of reach.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec import Struct
from msgspec.structs import fields

from tests.helpers.command_runner import output, run
from tests.helpers.ledger_sessions import (
    ME,
    PURSED,
    Lines,
    chained,
    house_in,
    ledger_of,
    lines_of,
    played,
    verdict_of,
    write,
)
from tests.helpers.random_play import seed_of
from tui_casino.cards.card import PACK
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.game import Seat
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.house.sitting import House
from tui_casino.records.ledger import OpenSitting
from tui_casino.records.replay import (
    ProofLevel,
    describe_fault,
    describe_line,
    make_table,
    rerun_log,
)
from tui_casino.records.session_log import read_log

by_purse = pytest.mark.parametrize("listing", PURSED, ids=lambda listing: listing.slug)
WORD = "tampered with"


class Forgery(Struct, frozen=True):
    """What was made of a log's lines, and what finds it out once the chain is made again.

    ``line``, from 1, is the first changed; ``betrayed`` says why the log then differs still, or
    nothing where rules and shuffle cannot know.
    """

    lines: Lines
    line: int
    betrayed: str | None


def deals(lines: Lines) -> list[int]:
    return [at for at, line in enumerate(lines) if line.get("do", {}).get("is") == "Deal"]


def acts(lines: Lines) -> list[int]:
    return [at for at, line in enumerate(lines) if line.get("by") == 0]


def changed(lines: Lines, at: int, key: str, value: object) -> Lines:
    return [*lines[:at], {**lines[at], key: value}, *lines[at + 1 :]]


def change_card(lines: Lines) -> Forgery:
    at = deals(lines)[3]
    card = lines[at]["do"]["card"]
    other = next(str(one) for one in PACK if str(one) not in json.dumps(lines[: at + 1]))
    line = json.loads(json.dumps(lines[at]).replace(card, other))
    return Forgery([*lines[:at], line, *lines[at + 1 :]], at + 1, "")


def swap_cards(lines: Lines) -> Forgery:
    """In the whole log, so that only the shuffle knows better."""
    first, second = (lines[at]["do"]["card"] for at in deals(lines)[:2])
    text = json.dumps(lines[1:])
    for one, other in ((first, "??"), (second, first), ("??", second)):
        text = text.replace(f'"{one}"', f'"{other}"')
    return Forgery([lines[0], *json.loads(text)], deals(lines)[0] + 1, "")


def remove_step(lines: Lines) -> Forgery:
    at = deals(lines)[2]
    return Forgery([*lines[:at], *lines[at + 1 :]], at + 1, "")


def repeat_step(lines: Lines) -> Forgery:
    at = deals(lines)[2]
    return Forgery([*lines[: at + 1], lines[at], *lines[at + 1 :]], at + 2, "")


def swap_steps(lines: Lines) -> Forgery:
    one, other = deals(lines)[:2]
    made = list(lines)
    made[one], made[other] = lines[other], lines[one]
    return Forgery(made, one + 1, "")


def ended(lines: Lines, **values: object) -> Lines:
    return [*lines[:-1], {**lines[-1], "end": {**lines[-1]["end"], **values}}]


def change_seed(lines: Lines) -> Forgery:
    made = ended(lines, seed="00" * 32)
    return Forgery(made, len(lines), "the seed does not match the commitment")


def change_seed_and_commitment(lines: Lines) -> Forgery:
    source = {**lines[0]["source"], "value": hashlib.sha256(bytes(32)).hexdigest()}
    made = change_seed(changed(lines, 0, "source", source)).lines
    if "seed" in made[0]:
        made = changed(made, 0, "seed", "00" * 32)
    return Forgery(made, 1, "the correct step is")


def change_seed_in_the_header(lines: Lines) -> Forgery:
    made = changed(lines, 0, "seed", "00" * 32)
    return Forgery(made, 1, "the seed does not match the commitment")


def change_client_seed(lines: Lines) -> Forgery:
    source = {**lines[0]["source"], "word": "another"}
    return Forgery(changed(lines, 0, "source", source), 1, "the correct step is")


def change_buy_in(lines: Lines) -> Forgery:
    """More money than was there: the result shows it, if no bet before does."""
    game = listing_of(lines[0]["game"]).definition().game
    nothing, little = (game.sit(game.Options(), purse) for purse in (0, 1))
    (key,) = (
        field.name
        for field in fields(nothing)
        if getattr(nothing, field.name) != getattr(little, field.name)
    )
    more = {**lines[0]["options"], key: lines[0]["options"][key] + 1}
    return Forgery(changed(lines, 0, "options", more), 1, "")


def change_result(lines: Lines) -> Forgery:
    first, *others = lines[-1]["end"]["money"]
    made = ended(lines, money=[first + 1, *others])
    return Forgery(made, len(lines), "the result does not match the play")


def change_time(lines: Lines) -> Forgery:
    at = deals(lines)[1]
    return Forgery(changed(lines, at, "at", lines[at]["at"] + 1), at + 1, None)


def change_program(lines: Lines) -> Forgery:
    return Forgery(changed(lines, 0, "program", "another"), 1, None)


def change_player(lines: Lines) -> Forgery:
    who = [one and {**one, "name": "another"} for one in lines[0]["who"]]
    return Forgery(changed(lines, 0, "who", who), 1, None)


def change_reason_of_the_end(lines: Lines) -> Forgery:
    return Forgery(ended(lines, why="another"), len(lines), None)


def truncate_and_end_again(lines: Lines) -> Forgery:
    """As if one had left before the last thing that one did, with the money of that moment."""
    at = next(at for at in reversed(acts(lines)) if at < len(lines) - 3)
    last = ended(lines, money=money_before(lines, at))[-1]
    return Forgery([*lines[:at], last], at + 1, None)


def money_before(lines: Lines, at: int) -> list[int]:
    """Give the money of each seat before a line, by the rules."""
    with TemporaryDirectory() as folder:
        log = read_log(write(Path(folder) / "cut.jsonl", lines[:at]))
        definition = listing_of(log.header.game).definition()
        source = CommittedSource(bytes.fromhex(lines[-1]["end"]["seed"]), WORD)
        table = make_table(definition, log, source)
        rerun_log(table, log)
        money = [definition.game.money(table.state, Seat(seat)) for seat in table.players]
    return [one.free + one.staked for one in money]


FORGERIES: dict[str, Callable[[Lines], Forgery]] = {
    "changed card": change_card,
    "swapped cards": swap_cards,
    "removed step": remove_step,
    "repeated step": repeat_step,
    "swapped steps": swap_steps,
    "changed seed": change_seed,
    "changed seed and commitment": change_seed_and_commitment,
    "changed seed in the header": change_seed_in_the_header,
    "changed client seed": change_client_seed,
    "changed buy-in": change_buy_in,
    "changed result": change_result,
    "changed time": change_time,
    "changed program": change_program,
    "changed player": change_player,
    "changed reason of the end": change_reason_of_the_end,
    "truncated and ended again": truncate_and_end_again,
}

ONLY_FOR_MONEY = {"changed buy-in"}
ONLY_IN_FREE_PLAY = {"changed seed in the header"}


def cases(*listings: GameListing) -> pytest.MarkDecorator:
    """Give each game every forgery that its logs allow."""
    without = {
        listing: ONLY_IN_FREE_PLAY if listing in PURSED else ONLY_FOR_MONEY for listing in listings
    }
    found = [(one, forgery) for one in listings for forgery in FORGERIES.keys() - without[one]]
    found.sort(key=lambda case: (case[0].slug, case[1]))
    ids = [f"{listing.slug}-{forgery}" for listing, forgery in found]
    return pytest.mark.parametrize(("listing", "forgery"), found, ids=ids)


@cache
def original(listing: GameListing) -> tuple[bytes, str | None]:
    """Play a sitting of the game with a player's word; give its log and the ledger's hash."""
    with TemporaryDirectory() as folder:
        house = house_in(Path(folder))
        path = played(listing, house, 7, 70, WORD).log.path
        verdict = verdict_of(path, house)
        known = ledger_of(house).checkpoint_of(path)
        proof = ProofLevel.CONSISTENT if known is None else ProofLevel.AUTHENTIC
        assert verdict.proof is proof, verdict
        assert verdict.shuffle_checked
        assert (known is not None) == (listing in PURSED)
        return path.read_bytes(), known.last if known else None


@pytest.fixture
def lines(listing: GameListing, tmp_path: Path) -> Lines:
    path = tmp_path / "log.jsonl"
    path.write_bytes(original(listing)[0])
    lines = lines_of(path)
    assert write(path, chained(lines)).read_bytes() == original(listing)[0], "the form as it is"
    return lines


@pytest.fixture
def house(listing: GameListing, lines: Lines, tmp_path: Path) -> House:
    """The house whose ledger knows how the log at its path ended."""
    house = house_in(tmp_path)
    ledger = ledger_of(house)
    ledger.buy_in(OpenSitting("x", listing.slug, tmp_path / "log.jsonl", None, 1), ME, at=1)
    ledger.cash_out("x", 1, original(listing)[1], at=2)
    assert verdict_of(tmp_path / "log.jsonl", house).proof is ProofLevel.AUTHENTIC
    return house


@cases(*GAMES)
def test_changed_log_with_the_old_hash_chain_fails_verify_at_its_line(
    forgery: str, lines: Lines, tmp_path: Path
) -> None:
    """Whatever is changed, the chain or what is behind it tells the line, or the next one."""
    made = FORGERIES[forgery](lines)
    path = write(tmp_path / "log.jsonl", made.lines)
    verdict = verdict_of(path)
    if forgery == "changed reason of the end":  # nothing stands behind the last line but the ledger
        assert verdict.proof is ProofLevel.CONSISTENT
        return
    assert verdict.proof is ProofLevel.DIFFERS
    assert verdict.line in (made.line, made.line + 1), verdict
    out = output("verify", str(path), code=1).out
    log = read_log(path)
    assert (
        f"{path}:{verdict.line}: {describe_line(log, verdict.line or 0)}: {verdict.reason}" in out
    )


@cases(*GAMES)
def test_forged_log_with_a_new_hash_chain_is_never_called_authentic(
    forgery: str, lines: Lines, tmp_path: Path
) -> None:
    """Rules and shuffle catch what they can know; the rest is called consistent, no more."""
    made = FORGERIES[forgery](lines)
    path = write(tmp_path / "log.jsonl", chained(made.lines))
    verdict = verdict_of(path)
    said = run(["verify", str(path)])
    if made.betrayed is None:
        assert verdict.proof is ProofLevel.CONSISTENT, verdict
        assert said.code == 0
        assert said.out.startswith("consistent: ")
        assert "it has no ledger entry, like all free play" in said.out
        return
    assert verdict.proof is ProofLevel.DIFFERS
    assert made.betrayed in (verdict.reason or "")
    assert (verdict.line or 0) >= made.line
    assert said.code == 1
    assert describe_fault(verdict, read_log(path)) in said.out


@cases(*PURSED)
def test_forged_log_with_a_new_hash_chain_differs_from_the_ledger(
    forgery: str, lines: Lines, house: House, tmp_path: Path
) -> None:
    """The ledger knows another end, so everything is caught."""
    made = FORGERIES[forgery](lines)
    path = write(tmp_path / "log.jsonl", chained(made.lines))
    verdict = verdict_of(path, house)
    assert verdict.proof is ProofLevel.DIFFERS
    if made.betrayed is None:
        assert verdict.reason == "the ledger recorded a different last line"
        assert verdict.line == len(made.lines) + (0 if "end" in made.lines[-1] else 1)


@by_purse
def test_log_cut_after_any_step_differs_from_the_ledger(
    lines: Lines, house: House, tmp_path: Path
) -> None:
    """It reads as a sitting that has not ended: consistent alone, but not with its ledger."""
    path = tmp_path / "log.jsonl"
    for cut in range(1, len(lines), 9):
        write(path, lines[:cut])
        verdict = verdict_of(path)
        assert verdict.proof is ProofLevel.CONSISTENT
        assert not verdict.shuffle_checked
        said = run(["verify", str(path)])
        assert "the seed is not revealed yet, so the cards could not be checked" in said.out
        assert f"not ended after step {cut - 1}" in said.err
        assert verdict_of(path, house).reason == "the ledger recorded a different last line"


@by_purse
def test_different_choices_with_the_same_seed_differ_from_the_ledger(
    listing: GameListing, house: House, tmp_path: Path
) -> None:
    """Once the seed is known, other choices make a log that holds: the ledger alone can tell."""
    other = played(listing, house_in(tmp_path / "other"), 7, 30, WORD).log.path
    forged = tmp_path / "log.jsonl"
    forged.write_bytes(other.read_bytes())
    assert verdict_of(forged).proof is ProofLevel.CONSISTENT
    assert verdict_of(forged).shuffle_checked
    assert verdict_of(forged, house).reason == "the ledger recorded a different last line"
    assert seed_of(7).hex() in forged.read_text()
