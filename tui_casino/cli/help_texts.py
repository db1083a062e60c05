"""The help for each command: a summary line, a description and examples.

The program's help, the manual page, the completions and ``docs/cli.md`` are generated from this
table and from the options of the parsers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..gamekit.registry import GAMES


class Example(NamedTuple):
    """A command line without the name of the program, and a description of what it does."""

    arguments: str
    effect: str


class HelpText(NamedTuple):
    """A summary line for lists of commands, a description, and at least two examples."""

    line: str
    description: str
    examples: tuple[Example, ...]


ALIASES = {"hit-me": "thirty-one", "practice": "practise"}
"""Maps aliases to the original names of commands, which scripts use."""
_SHOWN = {"thirty-one": "hit-me"}
"""Games for which the help shows the alias."""
RELATED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("blackjack", "21", "31", "twenty-one", "pontoon"), ("hit-me",)),
    **dict.fromkeys(("poker", "holdem", "stud"), ("five-card-draw", "video-poker")),
    **dict.fromkeys(("draw", "5-card-draw", "draw-poker"), ("five-card-draw",)),
    **dict.fromkeys(("slots", "vp", "jacks-or-better"), ("video-poker",)),
    **dict.fromkeys(("punto-banco", "chemin-de-fer"), ("baccarat",)),
    **dict.fromkeys(("today", "challenge"), ("daily",)),
    **dict.fromkeys(("drill", "drills", "train", "trainer", "learn"), ("practise",)),
    **dict.fromkeys(("history", "records", "sessions", "list"), ("logs",)),
    **dict.fromkeys(("statistics", "results", "luck"), ("stats",)),
    **dict.fromkeys(("advice", "analyse", "analyze", "review"), ("replay", "mistakes")),
    **dict.fromkeys(("check", "proof", "commitments", "promises"), ("verify",)),
    **dict.fromkeys(("chances", "probability", "ev"), ("odds",)),
    **dict.fromkeys(("rebuild", "settle", "balance"), ("ledger",)),
    **dict.fromkeys(("server", "host", "ssh", "web"), ("serve",)),
    **dict.fromkeys(("ban", "backup", "players", "restore"), ("admin",)),
}
"""Words that players may type for a command with a quite different name."""

HELP: Mapping[str, HelpText] = {
    "": HelpText(
        "a card-game arcade for the terminal",
        "Five card games for the terminal, with exact odds, a trainer, and recorded sessions "
        "that can be replayed and verified. Play money only. Without a command the program opens "
        "its menu.",
        (
            Example("", "open the menu"),
            Example("video-poker", "sit down at a video poker machine"),
            Example("practise --game cribbage", "practise your cribbage mistakes"),
            Example("help odds cribbage", "show the help of a command"),
        ),
    ),
    # ---- games -------------------------------------------------------------------------------
    "video-poker": HelpText(
        "play video poker",
        "Play video poker against one of five pay tables, or one of your own. -s simulates many "
        "deals, and -d plays commands from one file with cards from another.",
        (
            Example("video-poker --paytable jacks-or-better-9-6", "play Jacks or Better"),
            Example("video-poker --console --seed 2026", "free play on the console"),
            Example("video-poker -s 10000 5 1000000", "simulate a million deals at a bet of 5"),
        ),
    ),
    "baccarat": HelpText(
        "play baccarat (punto banco)",
        "Play baccarat (punto banco) with eight, six or one deck. The screen shows the five roads "
        "of the shoe. --console without --bets only deals, as the classic table does.",
        (
            Example("baccarat --decks 6 --no-commission", "six decks, no commission on Banker"),
            Example("baccarat --console --bets", "bet with chips on the console"),
            Example("baccarat -test --yes", "deal the known shoe of 45 cards"),
        ),
    ),
    "five-card-draw": HelpText(
        "play five-card draw against computer opponents",
        "Play five-card draw against one to three computer opponents. --stakes limit has two "
        "betting rounds and the strongest opponents.",
        (
            Example("five-card-draw --stakes limit", "fixed-limit betting, three opponents"),
            Example(
                "five-card-draw --stakes limit --opponents 1 --level equilibrium",
                "one opponent at the GTO level",
            ),
            Example("five-card-draw --console", "the classic table on the console"),
        ),
    ),
    "thirty-one": HelpText(
        "play Hit Me, a cousin of blackjack played to 31",
        "Play Hit Me: draw cards to come closer to 31 than the dealer without going over. The "
        "house rules can be changed. --battle simulates rounds in which both sides follow the "
        "dealer's rule.",
        (
            Example("hit-me", "play with the usual rules"),
            Example("hit-me --double-two-cards --insurance 43:10", "play with other house rules"),
            Example("hit-me --battle 100000", "simulate 100,000 rounds"),
        ),
    ),
    "cribbage": HelpText(
        "play cribbage, or train your discards",
        "Train your cribbage discards, or play a game to 121 against the computer or another "
        "player. --discard rates every discard from six cards. --battle lets two computer players "
        "play each other.",
        (
            Example("cribbage", "train discards"),
            Example("cribbage --game --opponent expert", "play a game to 121"),
            Example('cribbage --discard "2C 2H 7C QC QD KH" --dealer', "rate every discard"),
        ),
    ),
    "daily": HelpText(
        "play the daily deal, the same for everybody",
        "Play the deal of the day (UTC), which is the same for everybody with the same version. "
        "There is one try per game and day, without money. The result is what your choices cost. "
        "Without GAME, list today's deals and your results.",
        (
            Example("daily", "list today's deals and your results"),
            Example("daily video-poker", "play today's ten hands of video poker"),
            Example("daily cribbage --json", "print your result of today's cribbage as JSON"),
        ),
    ),
    # ---- study -------------------------------------------------------------------------------
    "practise": HelpText(
        "practise with your own mistakes, or with drills",
        "Practise the positions in which you made a mistake, the costliest first. After your "
        "choice you see the EV of every alternative. Drills are new positions of the kinds that "
        "cost you most.",
        (
            Example("practise --game five-card-draw", "practise one game on the screen"),
            Example("practise --drill --console", "start with drills, on the console"),
        ),
    ),
    "mistakes": HelpText(
        "list your mistakes, the costliest first",
        "List your mistakes in all finished sessions, the costliest first. Each is listed with "
        "its kind, your choice, the best choice, the cost and the step in the log.",
        (
            Example("mistakes --limit 10", "list your ten costliest mistakes"),
            Example('mistakes --game video-poker --kind "flush"', "list those with a flush"),
        ),
    ),
    "leaks": HelpText(
        "show what each kind of mistake costs you",
        "Show what each kind of mistake costs you per 100 rounds, the costliest first, and "
        "whether it is getting better or worse.",
        (
            Example("leaks", "show the leaks in all games"),
            Example("leaks --game cribbage --json", "print the leaks in one game as JSON"),
        ),
    ),
    "odds": HelpText(
        "print the exact odds of a game",
        "Print the exact odds of a game. Each game has its own options.",
        (
            Example("odds baccarat", "print the house edge of every bet"),
            Example("odds video-poker --paytable jacks-or-better-9-6", "analyse a pay table"),
        ),
    ),
    "odds video-poker": HelpText(
        "the return of a pay table, and the risk of ruin",
        "Print the exact return of a pay table with perfect play and with the 34-line strategy. "
        "--ruin, --bankroll and --hands answer questions about the risk of ruin instead.",
        (
            Example("odds video-poker --paytable jacks-or-better-9-6", "analyse a pay table"),
            Example("odds video-poker --ruin 0.05", "the bankroll for a 5% risk of ruin"),
        ),
    ),
    "odds baccarat": HelpText(
        "the chance and the house edge of every bet",
        "Print the exact chance and the house edge of every bet. --simulate plays coups and "
        "compares the results with these numbers.",
        (
            Example("odds baccarat --decks 6", "the odds with six decks"),
            Example("odds baccarat --simulate 100000", "also simulate 100,000 coups"),
        ),
    ),
    "odds five-card-draw": HelpText(
        "how often each hand occurs, dealt and after the draw",
        "Print how often each kind of hand is dealt, and how often it occurs after the draw.",
        (
            Example("odds five-card-draw", "print the table"),
            Example("odds five-card-draw --json", "print it as JSON"),
        ),
    ),
    "odds thirty-one": HelpText(
        "the dealer's totals, and the EV of each choice",
        "Print the probabilities of the dealer's totals and the EV of each choice against them, "
        "for an infinite shoe. With --left, --hand and --dealer, print the EV of each choice in "
        "one position.",
        (
            Example("odds hit-me --dealer-hits-soft-27", "the odds if the dealer hits a soft 27"),
            Example(
                'odds hit-me --left "4 4 0 0 4 1 5 4 5 13" --hand "3 3" --dealer 6',
                "the EV of each choice in one position",
            ),
        ),
    ),
    "odds cribbage": HelpText(
        "the scores of hands and cribs, and winning chances",
        "Print the distribution of the scores of hands and cribs. --hand scores four cards with "
        "every starter, and --win prints the probability of winning from each score.",
        (
            Example('odds cribbage --hand "5H 5D JC KS"', "score four cards with every starter"),
            Example("odds cribbage --win --score 100 110", "winning chances at 100 to 110"),
        ),
    ),
    # ---- records -----------------------------------------------------------------------------
    "logs": HelpText(
        "list your recorded sessions, or remove old ones",
        "List the recorded sessions in a folder with their length and result. With --prune, remove "
        "old sessions.",
        (
            Example("logs --game baccarat", "list your baccarat sessions"),
            Example("logs --prune --older-than 90d", "remove sessions older than 90 days"),
        ),
    ),
    "stats": HelpText(
        "print totals by game, and how lucky you were",
        "Print the totals of your recorded sessions by game: rounds, money, return, and how lucky "
        "you were. Money play and free play are listed separately.",
        (
            Example("stats --since 2026-01-31", "count only sessions since this day"),
            Example("stats --game hit-me --json", "print the figures of one game as JSON"),
        ),
    ),
    "replay": HelpText(
        "print a recorded session, with advice if you like",
        "Print a recorded session as text, as JSON, as hand histories, or with the cost of each "
        "choice.",
        (
            Example("replay FILE --text", "print a readable history"),
            Example("replay FILE --advice", "print what each choice cost"),
        ),
    ),
    "verify": HelpText(
        "verify recorded sessions",
        "Verify one log or a folder of logs. This checks the rules, the cards against the "
        "commitment, and that nothing was changed afterwards. The exit code is 1 if a log fails.",
        (
            Example("verify FILE", "verify one session"),
            Example("verify FOLDER", "verify every log in a folder"),
        ),
    ),
    "ledger": HelpText(
        "repair the ledger of balances and sessions",
        "Repair the ledger, the database of balances and sessions.",
        (
            Example("ledger rebuild", "restore the balances from the logs"),
            Example("ledger settle", "pay out sessions whose logs are lost"),
        ),
    ),
    "ledger rebuild": HelpText(
        "restore the balances from the logs",
        "Show what the logs contain that the ledger does not, and add it if you agree. "
        "Existing entries stay, and a copy of the old ledger is kept in the same folder.",
        (
            Example("ledger rebuild", "show the changes and ask"),
            Example("ledger rebuild --log-dir FOLDER --yes", "use other logs, and do not ask"),
        ),
    ),
    "ledger settle": HelpText(
        "pay out sessions whose logs are lost",
        "Show the open sessions whose logs are missing, cut short or changed. If you agree, "
        "each player gets the money that they had after their last complete round.",
        (
            Example("ledger settle", "show the sessions and ask"),
            Example("ledger settle --yes", "settle them without asking"),
        ),
    ),
    # ---- server ------------------------------------------------------------------------------
    "serve": HelpText(
        "run a server for players over SSH and the web",
        "Run a server that players reach over SSH and, if you like, in a browser. Players are "
        "identified by their SSH keys. Each player has their own balance, history and settings. "
        "The server runs until it receives SIGTERM.",
        (
            Example("serve --data DIR --ssh 0.0.0.0:2222", "serve over SSH on port 2222"),
            Example(
                "serve --data DIR --web 127.0.0.1:8080 --web-url https://casino.example",
                "serve browsers behind an HTTPS proxy",
            ),
        ),
    ),
    "admin": HelpText(
        "manage a server: players, bans, money, backups",
        "Manage a server, whether it is running or stopped.",
        (
            Example("admin --data DIR players", "list the players"),
            Example("admin --data DIR backup FILE", "back up everything"),
        ),
    ),
    "admin players": HelpText(
        "list the players",
        "List the players with id, name, balance, debt, number of keys and time of first login.",
        (
            Example("admin --data DIR players", "list the players"),
            Example("admin --data DIR --config serve.toml players", "use the server's settings"),
        ),
    ),
    "admin keys": HelpText(
        "list a player's keys, or add one",
        "List a player's keys, or add one. PLAYER is an id or a name.",
        (
            Example("admin --data DIR keys ann", "list the keys"),
            Example("admin --data DIR keys ann --add id_ed25519.pub", "add the key in a file"),
        ),
    ),
    "admin revoke": HelpText(
        "revoke a key",
        "Revoke a key. Visits that use it end, and it cannot log in again.",
        (
            Example(
                "admin --data DIR revoke SHA256:uNiVztksCsDhcc0u9e8BrJXVGDLi7Vp6bKjGtVqpBRc",
                "revoke this key",
            ),
            Example("admin --data DIR revoke SHA256:...", "admin keys lists the fingerprints"),
        ),
    ),
    "admin rename": HelpText(
        "rename a player",
        "Give a player another name, which is used from their next visit on.",
        (
            Example("admin --data DIR rename ann anna", "rename ann to anna"),
            Example('admin --data DIR rename 7f3a9c "Ann B."', "name the player by id"),
        ),
    ),
    "admin grant": HelpText(
        "lend dollars to a player",
        "Lend dollars to a player. They are added to the balance and to the debt.",
        (
            Example("admin --data DIR grant ann 500", "lend ann 500 dollars"),
            Example(
                "admin --data DIR --config serve.toml grant ann 500",
                "read settings from it",
            ),
        ),
    ),
    "admin ban": HelpText(
        "ban a player, a key or an address; list bans",
        "Ban a player, a key, an address or a network. --reason is required and is shown to the "
        "banned player. Without a target, list the bans.",
        (
            Example("admin --data DIR ban", "list the bans"),
            Example('admin --data DIR ban ann --reason "cheating" --for 3d', "ban for three days"),
            Example('admin --data DIR ban 192.0.2.0/24 --reason "flooding"', "ban a network"),
        ),
    ),
    "admin unban": HelpText(
        "lift a ban",
        "Lift a ban. Identify it by its number, or by its player, key or address.",
        (
            Example("admin --data DIR unban 3", "lift ban number 3"),
            Example("admin --data DIR unban ann", "lift the bans of a player"),
        ),
    ),
    "admin kick": HelpText(
        "end a player's visit",
        "End a player's visit. A hand with a bet at stake stays open and can be resumed.",
        (
            Example("admin --data DIR kick ann", "end the visit of ann"),
            Example('admin --data DIR kick ann --reason "Back in an hour."', "show a reason"),
        ),
    ),
    "admin settle": HelpText(
        "pay out sessions that cannot be resumed",
        "Pay out open sessions whose logs are missing, cut short or changed.",
        (
            Example("admin --data DIR settle", "show the sessions and ask"),
            Example("admin --data DIR settle --all", "settle every open session not in play"),
        ),
    ),
    "admin drain": HelpText(
        "warn all players, then shut the server down",
        "Warn all players, wait until the grace period ends, and shut the server down.",
        (
            Example("admin --data DIR drain", "shut the server down"),
            Example("admin --data DIR drain --wait", "return when the server has ended"),
            Example("admin --data DIR --config serve.toml drain", "use the server's settings"),
        ),
    ),
    "admin stats": HelpText(
        "print the figures of the server and its ledger",
        "Print the figures of the ledger and, if the server is running, its counters.",
        (
            Example("admin --data DIR stats", "print the figures"),
            Example("admin --data DIR --config serve.toml stats", "use the server's settings"),
        ),
    ),
    "admin tables": HelpText(
        "list the tables with several people; stop or close one",
        "List the open tables at which several people play, with the money of each seat. "
        "A table that this version of the program cannot read is left out and named, and the exit "
        "status is 1.\n\n"
        "freeze stops a table of the running server: nobody can act or sit down there, no time "
        "runs out, and everybody keeps their seat. thaw lets it continue. close plays the round "
        "to its end, pays everybody out and closes the table.",
        (
            Example("admin --data DIR tables", "list them"),
            Example("admin --data DIR tables --json", "as JSON"),
            Example("admin --data DIR tables freeze K7QX", "stop a table for a while"),
            Example("admin --data DIR tables thaw K7QX", "let it continue"),
            Example("admin --data DIR tables close K7QX", "pay everybody out and close it"),
        ),
    ),
    "admin backup": HelpText(
        "write a backup while the server runs",
        "Write the whole data folder to one file. The server may be running. The file contains "
        "secret keys.",
        (
            Example("admin --data DIR backup FILE", "write a backup"),
            Example(
                "admin --data DIR --config serve.toml backup FILE",
                "read settings from it",
            ),
        ),
    ),
    "admin restore": HelpText(
        "restore a backup into an empty data folder",
        "Restore a backup into an empty data folder and check it. Sessions that were open are "
        "ended, and their bets are given back.",
        (
            Example("admin --data NEW-DIR restore FILE", "restore a backup"),
            Example("admin --data /srv/casino restore casino.tar", "restore into /srv/casino"),
        ),
    ),
    "help": HelpText(
        "show the help of a command",
        "Show the help of a command. Without one, list all commands.",
        (
            Example("help", "list all commands"),
            Example("help odds cribbage", "show the odds options of cribbage"),
        ),
    ),
}


def help_of(command: str) -> HelpText:
    """Return the help texts for a command, such as ``odds cribbage``.

    A game that is not in the table gets its summary line from the menu, and examples that suit
    every game. Raises :class:`LookupError` for another command that is not in the table.
    """
    if command in HELP:
        return HELP[command]
    game = next((one for one in GAMES if command in (one.slug, f"odds {one.slug}")), None)
    if game is None:
        raise LookupError(f"the command {command!r} has no entry in HELP")
    if command == game.slug:
        examples = (
            Example(command, "play on the screen"),
            Example(f"{command} --console", "in text"),
        )
        return HelpText(f"play {game.title}", f"Play {game.title}: {game.line}.", examples)
    examples = Example(command, "print the odds"), Example(f"{command} --help", "list its options")
    return HelpText(game.odds, f"Print {game.odds}.", examples)


def shown_name(command: str) -> str:
    """Return the name that the help shows for a command: ``hit-me`` for ``thirty-one``.

    >>> shown_name("odds thirty-one")
    'odds hit-me'
    """
    return " ".join(_SHOWN.get(word, word) for word in command.split())


def all_names(command: str) -> tuple[str, ...]:
    """Return all names of a command, first the one that the help shows.

    >>> all_names("thirty-one"), all_names("practise")
    (('hit-me', 'thirty-one'), ('practise', 'practice'))
    """
    aliases = (alias for alias, name in ALIASES.items() if name == command)
    return tuple(dict.fromkeys((shown_name(command), command, *aliases)))
