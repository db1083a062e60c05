"""The identities of a server: added and revoked keys, codes for keys, names, and bans."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tui_casino.host.addresses import parse_ip
from tui_casino.host.identities import (
    CODE_LIFE,
    LINK_LIFE,
    MOST_KEYS,
    MOST_PASSES,
    PASS_LIFE,
    Ban,
    BanTarget,
    ExpiredLink,
    Identities,
    NameTaken,
    UnknownName,
    parse_ban,
    parse_reason,
)
from tui_casino.host.identity_store import PostgresIdentityStore
from tui_casino.inputs.errors import BadInput
from tui_casino.records.log_header import Identity

ANN, BOB = Identity("a1", "Ann"), Identity("b2", "Bob")


def in_a_file(folder: Path, request: pytest.FixtureRequest) -> Identities:
    return Identities(folder / "identities.db")


def in_postgres(folder: Path, request: pytest.FixtureRequest) -> Identities:
    from tui_casino.records.postgres import Postgres

    return Identities(PostgresIdentityStore(Postgres(request.getfixturevalue("database"))))


@pytest.fixture(params=(in_a_file, in_postgres))
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Identities]:
    with closing(request.param(tmp_path, request)) as opened:
        yield opened


def test_login_links_and_browser_passes_expire_and_are_stored_as_hashes(book: Identities) -> None:
    key, passes = "SHA256:a", book.passes
    ann = book.enrol(key, "Ann", 1)
    first, second = passes.link(key, 10), passes.link(key, 20)
    with pytest.raises(ExpiredLink):
        passes.follow(first, 30)
    token = passes.follow(second, 19 + LINK_LIFE)
    assert passes.owner(token, 20 + LINK_LIFE) == key
    assert passes.owner(token, 19 + LINK_LIFE + PASS_LIFE) is None
    with pytest.raises(ExpiredLink):
        passes.follow(second, 20 + LINK_LIFE)
    with pytest.raises(ExpiredLink):
        passes.follow(passes.link(key, 30), 30 + LINK_LIFE)
    book.add_key(ann, "SHA256:other", 40)
    book.revoke(key, 50)
    assert passes.owner(token, 20 + LINK_LIFE) is None
    book.add_key(ann, key, 60 + LINK_LIFE)
    assert passes.owner(token, 61 + LINK_LIFE) is None, "who had it then may be somebody else"
    tokens = [
        passes.follow(passes.link(key, at), at) for at in range(10**6, 10**6 + MOST_PASSES + 1)
    ]
    holds = [passes.owner(one, 2 * 10**6) for one in tokens]
    assert holds == [None, *[key] * MOST_PASSES]
    rows = book._db.rows("select hash from link union all select hash from pass")
    assert len(rows) == MOST_PASSES
    assert not {*tokens, first, second, token} & {value for (value,) in rows}


def test_older_identities_database_gets_tables_for_passes(database: str) -> None:
    from tui_casino.records.postgres import Postgres

    before = Postgres(database)
    before.rows("drop table link, pass")
    before.rows("update casino set version = 1")
    before.close()
    with closing(Identities(PostgresIdentityStore(Postgres(database)))) as book:
        book.enrol("SHA256:a", "Ann", 1)
        token = book.passes.follow(book.passes.link("SHA256:a", 10), 20)
        assert book.passes.owner(token, 30) == "SHA256:a"


def test_key_code_adds_one_key_to_a_player_and_is_then_refused(book: Identities) -> None:
    ann = book.enrol("SHA256:a", "Ann", 1)
    code = book.code(ann, 10)
    assert book.use_code("SHA256:b", f" {code.upper()}\n", 11) == ann
    assert book.player_of("SHA256:b") == ann
    assert [key.fingerprint for key in book.keys(ann)] == ["SHA256:a", "SHA256:b"]
    with pytest.raises(UnknownName, match="wrong or has expired"):
        book.use_code("SHA256:c", code, 12)


def test_key_code_expires_and_refuses_a_key_of_another_player(book: Identities) -> None:
    ann, bob = book.enrol("SHA256:a", "Ann", 1), book.enrol("SHA256:b", "Bob", 1)
    old, code = book.code(ann, 10), book.code(ann, 20)
    for wrong, at in ((old, 30), ("", 30), (code, 20 + CODE_LIFE)):
        with pytest.raises(UnknownName):
            book.use_code("SHA256:c", wrong, at)
    with pytest.raises(BadInput, match="already belongs to another player"):
        book.use_code("SHA256:b", code, 30)
    assert book.player_of("SHA256:b") == bob
    assert book.use_code("SHA256:c", code, 31) == ann


def test_revoked_key_grants_no_access_until_it_is_added_to_its_player(book: Identities) -> None:
    ann, bob = book.enrol("SHA256:a", "Ann", 1), book.enrol("SHA256:b", "Bob", 1)
    assert book.revoke("SHA256:a", 5) == ann
    assert book.player_of("SHA256:a") is None
    assert book.is_revoked("SHA256:a")
    assert not book.is_revoked("SHA256:b")
    with pytest.raises(UnknownName):
        book.revoke("SHA256:a", 6)
    with pytest.raises(BadInput, match="was revoked"):
        book.enrol("SHA256:a", "Cleo", 7)
    with pytest.raises(BadInput, match="was revoked"):
        book.use_code("SHA256:a", book.code(bob, 7), 8)
    book.add_key(ann, "SHA256:a", 9)
    assert book.player_of("SHA256:a") == ann
    assert [(player.identity, player.keys) for player in book.players()] == [(ann, 1), (bob, 1)]


def test_number_of_keys_per_player_is_limited(book: Identities) -> None:
    ann = book.enrol("SHA256:0", "Ann", 1)
    for number in range(1, MOST_KEYS):
        book.add_key(ann, f"SHA256:{number}", 1)
    with pytest.raises(BadInput, match="no player can have more"):
        book.add_key(ann, "SHA256:more", 1)


def test_player_name_can_be_changed_to_an_unused_one(book: Identities) -> None:
    ann = book.enrol("SHA256:a", "Ann", 1)
    book.enrol("SHA256:b", "Bob", 1)
    assert book.rename(ann, "ANN") == Identity(ann.id, "ANN")
    with pytest.raises(NameTaken):
        book.rename(ann, "B0b")
    with pytest.raises(BadInput, match="taken for the server"):
        book.rename(ann, "Dealer")
    assert book.player_of("SHA256:a") == Identity(ann.id, "ANN")
    assert book.find("ann") == book.find(ann.id) == Identity(ann.id, "ANN")
    with pytest.raises(UnknownName, match="no player 'Cleo'"):
        book.find("Cleo")


def test_ban_applies_to_key_player_or_address_until_its_end(book: Identities) -> None:
    key = book.ban(BanTarget.KEY, "SHA256:a", "cheating", 10, None)
    name = book.ban(BanTarget.PLAYER, ANN.id, "words", 10, 20)
    where = book.ban(BanTarget.ADDRESS, "192.0.2.0/24", "a flood", 10, 90_000)
    bans = book.bans(15)
    assert bans == [key, name, where]
    inside, outside = parse_ip("::ffff:192.0.2.9"), parse_ip("192.0.3.9")
    assert parse_ban(bans, "SHA256:a", ANN, inside) == key, "that which lasts longest"
    assert parse_ban(bans, None, ANN, outside) == name
    assert parse_ban(bans, "SHA256:b", BOB, inside) == where
    assert parse_ban(bans, "SHA256:b", BOB, outside) is None
    assert parse_ban(bans, None, None, None) is None
    assert book.bans(20) == [key, where]
    book.unban([key.number], 30)
    assert book.bans(31) == [where]
    assert where.message == "You are banned here until 1970-01-01 00:01 UTC: a flood"
    assert key.message == "You are banned here: cheating"


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "a\x1b[2J"])
def test_invalid_reason_for_a_ban_is_refused(reason: str) -> None:
    with pytest.raises(BadInput, match="give one line of up to"):
        parse_reason(reason)


def test_identities_database_of_the_first_version_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "identities.db"
    with closing(sqlite3.connect(file)) as old:
        old.executescript(
            "create table player (id text primary key, name text not null, "
            "skeleton text not null unique, since integer not null) strict;"
            "create table key (fingerprint text primary key, "
            "player text not null references player, since integer not null) strict;"
            "insert into player values ('a1', 'Ann', 'ann', 1);"
            "insert into key values ('SHA256:a', 'a1', 1); pragma user_version = 1;"
        )
    with closing(Identities(file)) as book:
        assert book.player_of("SHA256:a") == ANN
        assert book.bans(1) == []
        assert isinstance(book.ban(BanTarget.KEY, "SHA256:b", "why", 1, None), Ban)
