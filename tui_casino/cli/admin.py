"""``tui-casino admin``: operator commands for a server, whether it is running or not."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..engine.money import dollars
from ..gamekit.registry import DEFINITIONS
from ..host.addresses import parse_network
from ..host.audit_log import AuditLog
from ..host.backup import back_up, restore
from ..host.cage.table_answers import line_about, replica_of
from ..host.config import Config, parse_database, read_config
from ..host.control_socket import ControlRequest, send_request
from ..host.data_folder import DataFolder
from ..host.identities import Ban, BanTarget, Identities, is_fingerprint, is_network, parse_reason
from ..host.storage import check_database, fetch_open_logs, open_identities, open_ledger
from ..house.house import House
from ..house.settlement import UnresumableSitting, unresumable_sittings
from ..house.shared_tables import TableLine
from ..inputs.errors import BadInput
from ..inputs.files import read_text
from ..inputs.numbers import count_noun, parse_age, parse_date, parse_number
from ..records.clock import format_utc, now
from ..records.codec import ascii_json
from ..records.ledger import LedgerDamaged
from ..structs import replace
from .console import say
from .ledger import settle_all
from .parser import add_subcommand

LOOK = 0.1
"""Seconds between two checks whether the server has ended."""
MOST_GRANTED = 1_000_000
"""The maximum number of dollars in one grant."""
TABLE_EVENTS = {"freeze": "table frozen", "thaw": "table thawed", "close": "table closed"}
"""The events of the audit log for the commands about a table."""
KICKED = "The operator has ended your visit. You can finish an open hand later."


class ManagedHost(NamedTuple):
    """A server: its data folder and its settings, which determine where the ledger is."""

    config: Config
    data: DataFolder


def run(args: Namespace) -> int:
    """Run the subcommand; return the exit code. Raises :class:`BadInput`."""
    data = DataFolder((args.cwd / Path(args.data)).absolute())
    host = ManagedHost(_config(args), data)
    run: Callable[[Namespace, ManagedHost], int] = args.run
    if host.config.database is not None and run in (_backup, _restore):
        raise BadInput("back up and restore a database with its own tools, pg_dump and pg_restore")
    if run is not _restore:
        _check_folder(host)
        check_database(host.config)
    return run(args, host)


def _config(args: Namespace) -> Config:
    config = Config() if args.config is None else read_config(args.cwd / args.config)
    if args.database is not None:
        config = replace(config, database=parse_database(args.database))
    return config


def _check_folder(host: ManagedHost) -> None:
    data, shared = host.data, host.config.database is not None
    if not (data.host_key if shared else data.identities).exists():
        raise BadInput(
            f"--data: {data.root} is not the data folder of a server; tui-casino serve creates one"
            + ("" if shared else "; if the ledger is in a database, give --database or --config")
        )
    if (owner := data.root.stat().st_uid) != os.geteuid():
        raise BadInput(
            f"{data.root} belongs to user {owner}; run this as that user, for example with sudo -u"
        )


def add_arguments(parser: ArgumentParser) -> None:
    """Add the subcommands and their arguments."""
    parser.add_argument("--data", metavar="DIR", required=True, help="the server's data folder")
    books = parser.add_mutually_exclusive_group()
    books.add_argument(
        "--database", metavar="URL", help="the PostgreSQL database that several servers share"
    )
    books.add_argument(
        "--config", metavar="FILE", help="the server's settings file, which may name the database"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[..., int], *operands: str) -> ArgumentParser:
        parser = add_subcommand(commands, f"admin {name}")
        for operand in operands:
            parser.add_argument(operand.lower(), metavar=operand)
        parser.set_defaults(run=run)
        return parser

    command("players", _players)
    keys = command("keys", _keys, "PLAYER")
    keys.add_argument("--add", metavar="KEY", help="add this key: SHA256:..., or a .pub file")
    command("revoke", _revoke, "FINGERPRINT")
    command("rename", _rename, "PLAYER", "NAME")
    command("grant", _grant, "PLAYER", "DOLLARS")
    ban = command("ban", _ban)
    ban.add_argument("target", nargs="?", metavar="PLAYER|SHA256:...|ADDRESS[/BITS]")
    ban.add_argument("--reason", metavar="TEXT", help="the reason, which the player sees")
    end = ban.add_mutually_exclusive_group()
    end.add_argument("--for", dest="lasts", metavar="AGE", help="how long, such as 12h or 3d")
    end.add_argument(
        "--until", metavar="DATE", help="the ban ends when this day begins (UTC): 2026-12-31"
    )
    unban = command("unban", _unban)
    unban.add_argument("target", metavar="NUMBER|PLAYER|SHA256:...|ADDRESS[/BITS]")
    kick = command("kick", _kick, "PLAYER")
    kick.add_argument(
        "--reason", metavar="TEXT", default=KICKED, help="the reason, which the player sees"
    )
    settle = command("settle", _settle)
    settle.add_argument("--all", action="store_true", help="settle all open sessions not in play")
    settle.add_argument("--yes", action="store_true", help="settle them without asking")
    drain = command("drain", _drain)
    drain.add_argument("--wait", action="store_true", help="return when the server has ended")
    command("stats", _stats)
    tables = command("tables", _tables)
    tables.add_argument("request", nargs="?", metavar="freeze|thaw|close", choices=[*TABLE_EVENTS])
    tables.add_argument("code", nargs="?", metavar="CODE", help="the code of one table")
    tables.add_argument("--json", action="store_true", help="list the tables as JSON")
    command("backup", _backup, "FILE")
    command("restore", _restore, "FILE")


# ---- players and keys -------------------------------------------------------------------------


@contextmanager
def _book(host: ManagedHost) -> Iterator[Identities]:
    with closing(open_identities(*host)) as book:
        yield book


def _players(args: Namespace, host: ManagedHost) -> int:
    with _book(host) as book, closing(open_ledger(*host, args.patience)) as ledger:
        players = book.players()
        for player in players:
            who = player.identity
            money = f"{dollars(ledger.balance(who.id))}  debt {dollars(ledger.debt(who.id))}"
            keys = f"{player.keys} key{'' if player.keys == 1 else 's'}"
            say(f"{who.id}  {who.name}  {money}  {keys}  since {format_utc(player.since)}")
        if not players:
            say("no players yet: a player joins by connecting with an SSH key")
    return 0


def _keys(args: Namespace, host: ManagedHost) -> int:
    with _book(host) as book:
        player = book.find(args.player)
        if args.add is not None:
            fingerprint = _fingerprint(args.add, args.cwd)
            book.add_key(player, fingerprint, now())
            _note(host.data, "key added", player=player.id, key=fingerprint)
        for key in book.keys(player):
            state = "" if key.revoked is None else f"  revoked {format_utc(key.revoked)}"
            say(f"{key.fingerprint}  since {format_utc(key.since)}{state}")
    return 0


def _fingerprint(text: str, cwd: Path) -> str:
    """Return a fingerprint, or the fingerprint of the key in a file."""
    if is_fingerprint(text):
        return text
    if text.startswith("SHA256:"):
        raise BadInput(f"{text!r} is not a fingerprint; ssh-keygen -l -f FILE.pub prints one")
    from ..host.host_key import fingerprint_of  # late: asyncssh

    return fingerprint_of(read_text(cwd / text), text)


def _revoke(args: Namespace, host: ManagedHost) -> int:
    with _book(host) as book:
        player = book.revoke(args.fingerprint, now())
        remaining = sum(key.revoked is None for key in book.keys(player))
    _note(host.data, "key revoked", player=player.id, key=args.fingerprint)
    say(f"revoked; {player.name} has {count_noun(remaining, 'key')} left")
    if not remaining:
        say(f"{player.name} cannot log in now; tui-casino admin keys PLAYER --add KEY adds a key")
    _recheck_visits(host.data)
    return 0


def _rename(args: Namespace, host: ManagedHost) -> int:
    with _book(host) as book:
        before = book.find(args.player)
        player = book.rename(before, args.name)
    _note(host.data, "renamed", player=player.id, name=player.name, was=before.name)
    say(f"{before.name} will be called {player.name} from the next visit on")
    return 0


def _grant(args: Namespace, host: ManagedHost) -> int:
    cents = 100 * parse_number("DOLLARS", args.dollars, 1, MOST_GRANTED)
    with _book(host) as book:
        player = book.find(args.player)
    with closing(open_ledger(*host, args.patience)) as ledger:
        ledger.lend(player.id, cents, now())
        purse, owed = ledger.balance(player.id), ledger.debt(player.id)
    _note(host.data, "granted", player=player.id, cents=cents)
    say(f"{player.name}: balance {dollars(purse)}, debt {dollars(owed)}")
    return 0


def _settle(args: Namespace, host: ManagedHost) -> int:
    def note(one: UnresumableSitting) -> None:
        sitting, cents = one.entry.id, one.entry.owed
        _note(host.data, "settled", player=one.player, sitting=sitting, cents=cents)

    house = House(host.data.players, None, "operator")
    with closing(open_ledger(*host, args.patience)) as ledger:
        playing = fetch_open_logs(*host, ledger)
        unresumable = unresumable_sittings(house, ledger, DEFINITIONS, playing, every=args.all)
        settle_all(house, ledger, unresumable, yes=args.yes, note=note)
    return 0


# ---- bans -------------------------------------------------------------------------------------


def _ban(args: Namespace, host: ManagedHost) -> int:
    with _book(host) as book:
        if args.target is None:
            bans = book.bans(now())
            for one in bans:
                say(_line(one, book))
            if not bans:
                say("no bans")
            return 0
        if args.reason is None:
            raise BadInput("--reason is missing; give a TEXT, which the banned player sees")
        at = now()
        until = None if args.lasts is None else at + parse_age("--for", args.lasts)
        if args.until is not None:
            until = parse_date("--until", args.until)
            if until <= at:
                raise BadInput(f"--until: {args.until} is in the past")
        kind, target = _target(args.target, book)
        ban = book.ban(kind, target, parse_reason(args.reason), at, until)
        say(_line(ban, book))
    if kind is BanTarget.ADDRESS and (excepted := _exempt_networks(target, host.config)):
        say(
            f"{excepted} is in the setting 'excepted', so visitors from there can still connect; "
            "remove it from the server's settings, or ban keys and players instead"
        )
    _note(host.data, "banned", ban=ban.number, kind=kind.value, reason=ban.reason, **_named(ban))
    _recheck_visits(host.data)
    return 0


def _exempt_networks(banned: str, config: Config) -> str:
    """Return the exempt networks that overlap a banned network, as text."""
    whole = parse_network(banned)
    return ", ".join(
        text
        for text, one in ((text, parse_network(text)) for text in config.excepted)
        if one.version == whole.version and one.overlaps(whole)
    )


def _named(ban: Ban) -> dict[str, object]:
    """Return the audit-log fields of a ban; the log later removes the field ``address``."""
    return {"address" if ban.kind == "address" else "target": ban.target, "until": ban.until}


def _target(text: str, book: Identities) -> tuple[BanTarget, str]:
    if is_fingerprint(text):
        return BanTarget.KEY, text
    if is_network(text):
        return BanTarget.ADDRESS, str(parse_network(text))
    return BanTarget.PLAYER, book.find(text).id


def _line(ban: Ban, book: Identities) -> str:
    whom = ban.target
    if ban.kind == "player":
        with suppress(BadInput):
            whom = f"{book.find(ban.target).name} ({ban.target})"
    end = "" if ban.until is None else f" until {format_utc(ban.until)}"
    return f"{ban.number}  {ban.kind} {whom}{end}: {ban.reason}"


def _unban(args: Namespace, host: ManagedHost) -> int:
    text = args.target
    with _book(host) as book:
        bans = book.bans(now())
        if text.isascii() and text.isdigit():
            numbers = [ban.number for ban in bans if str(ban.number) == text]
        else:
            kind, target = _target(text, book)
            numbers = [ban.number for ban in bans if (ban.kind, ban.target) == (kind, target)]
        if not numbers:
            raise BadInput(f"there is no ban {text!r}; tui-casino admin ban lists the bans")
        book.unban(numbers, now())
    _note(host.data, "unbanned", bans=numbers)
    say(f"{count_noun(len(numbers), 'ban')} lifted")
    return 0


# ---- the running server -----------------------------------------------------------------------


def _kick(args: Namespace, host: ManagedHost) -> int:
    with _book(host) as book:
        player = book.find(args.player)
    reason = parse_reason(args.reason)
    _request(host.data, ControlRequest("kick", player.id, reason))
    _note(host.data, "kicked", player=player.id, reason=reason)
    say(f"the visit of {player.name} ends")
    return 0


def _drain(args: Namespace, host: ManagedHost) -> int:
    reply = _request(host.data, ControlRequest("drain"))
    _note(host.data, "drained")
    say(reply)
    while args.wait and host.data.is_in_use():
        time.sleep(LOOK)
    return 0


def _stats(args: Namespace, host: ManagedHost) -> int:
    with _book(host) as book, closing(open_ledger(*host, args.patience)) as ledger:
        books = ledger.books()
        waiting = [one for one in books.sittings if one.closed is None]
        say(f"players {len(book.players())}, bans {len(book.bans(now()))}")
        say(f"sessions {len(books.sittings)}, {len(waiting)} of them open")
        at_stake = dollars(sum(one.bought_in for one in waiting))
        say(f"balances {dollars(sum(cents for _, cents in books.balances))}, at tables {at_stake}")
        say(f"debts {dollars(sum(one.cents for one in books.markers))}")
    answer = send_request(host.data.control, ControlRequest("stats"))
    if answer is None:
        say("the server is not running")
    else:
        for line in answer.text.splitlines():
            say(line)
    return 0


def _tables(args: Namespace, host: ManagedHost) -> int:
    if args.request is not None:
        return _operate_table(args, host)
    with _book(host) as book, closing(open_ledger(*host, args.patience)) as ledger:
        names, tables, lines = book.names(), ledger.shared_tables(), list[TableLine]()
        unread = dict[str, LedgerDamaged]()
        for entry in tables.open_tables():
            try:
                replica = replica_of(tables, entry, now)
            except LedgerDamaged as fault:  # another version of this program may play it
                unread[entry.code] = fault
                continue
            lines.append(line_about(replica, lambda id: names.get(id, id), lambda id: False))
    for code, error in unread.items():
        print(f"the table {code} is left out: {error}", file=sys.stderr)
    if args.json:
        print(ascii_json([*map(_table_json, lines)]))
        return int(bool(unread))
    for line in lines:
        seats = (f"{one.name} {dollars(one.cents)}" for one in line.seats if one.name)
        frozen = "  frozen" * (line.state == "frozen")
        say(f"{line.code}  {line.game}  rows {line.rows}  {', '.join(seats) or 'nobody'}{frozen}")
    if not lines and not unread:
        say("there are no tables")
    return int(bool(unread))


def _operate_table(args: Namespace, host: ManagedHost) -> int:
    """Let the running server freeze, thaw or close a table."""
    request: Literal["freeze", "thaw", "close"] = args.request
    if args.code is None:
        raise BadInput(f"{request}: the CODE is missing; tui-casino admin tables lists the tables")
    if args.json:
        raise BadInput(f"--json is for the list of tables, not for {request}")
    code = args.code.upper()
    answer = _request(host.data, ControlRequest(request, table=code))
    _note(host.data, TABLE_EVENTS[request], table=code)
    say(f"the table {code} is {answer}")
    return 0


def _table_json(line: TableLine) -> dict[str, Any]:
    seats = [{"name": one.name, "state": one.state, "cents": one.cents} for one in line.seats]
    known = {name: getattr(line, name) for name in ("code", "game", "state", "rows")}
    return {**known, "seats": seats}


def _request(data: DataFolder, request: ControlRequest) -> str:
    answer = send_request(data.control, request)
    if answer is None:
        raise BadInput(f"no server is running in {data.root}")
    if answer.error:
        raise BadInput(answer.error)
    return answer.text


def _recheck_visits(data: DataFolder) -> None:
    """Make a running server end the visits of banned players and revoked keys."""
    answer = send_request(data.control, ControlRequest("look"))
    if answer is not None:
        say(answer.text)


# ---- backups ----------------------------------------------------------------------------------


def _backup(args: Namespace, host: ManagedHost) -> int:
    file = (args.cwd / args.file).absolute()
    manifest = back_up(host.data, file, args.patience)
    _note(host.data, "backup", files=len(manifest.files))
    say(f"{file}: {len(manifest.files)} files, {file.stat().st_size:,} bytes")
    say("the file contains the server's keys and the seeds of open sessions: keep it secret")
    return 0


def _restore(args: Namespace, host: ManagedHost) -> int:
    report = restore((args.cwd / args.file).absolute(), host.data)
    _note(host.data, "restored", backup=report.at, settled=report.open)
    say(
        f"{host.data.root} is restored to {format_utc(report.at)}: "
        f"{count_noun(report.players, 'player')}, {count_noun(report.sittings, 'session')}; "
        f"open sessions that were ended, with their bets given back: {report.open}"
    )
    for code in report.tables:
        say(
            f"the table {code} is frozen, because its players may know the next cards: "
            f"close it with tui-casino admin tables close {code}, or let it continue with thaw"
        )
    say("today's daily deals are over, because players may know their cards")
    for fault in report.faults:
        say(f"fault: {fault}")
    if not report.faults:
        say("the ledger, the logs and the commitment log agree")
    return 1 if report.faults else 0


def _note(data: DataFolder, event: str, **details: object) -> None:
    """Write an action to the audit log; if that fails, only print a warning."""
    try:
        AuditLog(data.audit).note(event, by="admin", **details)
    except OSError as error:
        print(f"the audit log cannot be written: {error.strerror}", file=sys.stderr)
