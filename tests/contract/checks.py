"""The contract of a game: checks that every game must pass; they raise ``AssertionError``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from tests.helpers.random_play import advance, cards_in, fair_table, seed_of, swap
from tui_casino.cards.card import BACK, PACK, Card
from tui_casino.engine.chance import CommittedSource, DiceStream, SeededSource
from tui_casino.engine.croupier import FixedShoe, ShuffledShoe
from tui_casino.engine.event_bus import ALL_CARDS, TableUpdate
from tui_casino.engine.game import (
    AskSeats,
    Deal,
    IllegalAction,
    NeedCard,
    NeedShoe,
    Seat,
    Shoe,
    SittingOver,
    apply_action,
)
from tui_casino.engine.offers import IntRange, Offer, OneOf, Subset
from tui_casino.engine.table import Table
from tui_casino.gamekit.definition import AnyDefinition
from tui_casino.records.codec import (
    build_named,
    build_struct,
    decode,
    encode,
    name_and_fields,
    to_builtins,
)

STEPS = 300
SHOES = range(60)
"""The numbers of cards in the short shoes."""
PRIVATE_EVENTS: Mapping[str, frozenset[str]] = {
    "baccarat": frozenset({"Burnt"}),
    "five-card-draw": frozenset({"CardDealt", "HandHeld", "DrawAsked", "Discarded"}),
    "cribbage": frozenset({"CardDealt", "HandDealt", "Discarded"}),
    "toy": frozenset({"Dealt"}),
}
"""The events of each game whose cards only their own seat may know; all others are public.

This comes from the rules of the games, not from their code. Otherwise a card that both ``view`` and
``hear`` leak would count as known.
"""


def seats_of(definition: AnyDefinition) -> list[Seat]:
    return [Seat(seat) for seat in range(definition.game.seats(definition.game.Options()))]


def viewers_of(definition: AnyDefinition) -> list[Seat | None]:
    """Return every seat, and ``None`` for a watcher."""
    return [*seats_of(definition), None]


def check_values(definition: AnyDefinition) -> None:
    """Check that options, actions and events are frozen and slotted, and that names are unique."""
    game = definition.game
    state: Any = type(game.start(game.Options()))
    kinds: tuple[Any, ...] = (state, game.Options, *game.actions, *game.events)
    for kind in kinds:
        assert issubclass(kind, Struct), f"{kind} is not a struct"
        assert kind.__struct_config__.frozen, f"{kind.__name__} is not frozen"
        assert "__dict__" not in dir(kind), f"{kind.__name__} is not slotted"
    actions: tuple[type[Any], ...] = (*game.actions, Shoe, Deal)
    for named in (actions, game.events):
        names = [kind.__name__ for kind in named]
        assert len(set(names)) == len(names), f"a name is used twice: {names}"
    options = game.Options()
    assert build_struct(decode(encode(to_builtins(options)), dict), game.Options) == options
    assert game.unit > 0


def check_offers(definition: AnyDefinition, number: int, steps: int = STEPS) -> None:
    """Check that offered actions are accepted, others are refused, and queries change nothing."""
    game, seed = definition.game, seed_of(number)
    table = fair_table(definition, seed)
    for step in range(steps):
        state = table.state
        before = encode(repr(state)), hash(state)
        turn = game.turn(state)
        asked = turn.seats if isinstance(turn, AskSeats) else ()
        if isinstance(turn, AskSeats):
            assert asked, "nobody is asked"
            assert [*asked] == sorted({*asked} & {*seats_of(definition)}), (
                "the seats are not in ascending order"
            )
        dice = DiceStream(seed, f"tries {step}")
        for seat in seats_of(definition):
            offers = game.offers(state, seat)
            assert game.offers(game.view(state, seat), seat) == offers, "a view changes the offers"
            if seat not in asked:
                assert offers == (), f"seat {seat} is not asked but has offers"
                continue
            assert any(offer.barred is None for offer in offers), (
                "a seat is asked but has no offers"
            )
            for offer in offers:
                _check_offer(definition, state, seat, offer, dice)
            _check_outside(definition, state, seat, offers, dice)
        _check_others(definition, state, asked)
        assert (encode(repr(state)), hash(state)) == before, "a state was changed"
        if not table.advance():
            break


def _check_others(definition: AnyDefinition, state: Any, asked: tuple[Seat, ...]) -> None:
    """Check that only asked seats can act, and that no seat can act for the croupier."""
    game, seats = definition.game, seats_of(definition)
    actions = [_some_action(kind) for kind in game.actions]
    for seat in (Seat(-1), *seats, Seat(len(seats))):
        if seat not in asked:
            for action in actions:
                _refused(game, state, seat, action)
        for chance in (Shoe(52), Deal(PACK[0])):
            _refused(game, state, seat, chance)
    turn = game.turn(state)
    for action in actions:
        _refused(game, state, None, action)
    if not isinstance(turn, NeedShoe):
        _refused(game, state, None, Shoe(52))
    if not isinstance(turn, NeedCard):
        _refused(game, state, None, Deal(PACK[0]))


def _check_offer(
    definition: AnyDefinition, state: Any, seat: Seat, offer: Offer[Any], dice: DiceStream
) -> None:
    game = definition.game
    assert offer.kind in game.actions
    kind: Any = offer.kind
    assert len(offer.domains) == len(kind.__struct_fields__), "a slot for each field"
    for _ in range(5):
        action = offer.sample(dice)
        assert offer.fits(action)
        again = build_named(decode(encode(name_and_fields(action)), dict), game.actions)
        assert again == action, "an action's fields have their declared types"
        if offer.barred is None:
            step = apply_action(game, state, seat, action)
            for event in step.events:
                assert type(event) in game.events
        else:
            _refused(game, state, seat, action)


def _check_outside(
    definition: AnyDefinition,
    state: Any,
    seat: Seat,
    offers: tuple[Offer[Any], ...],
    dice: DiceStream,
) -> None:
    game = definition.game
    offered = {offer.kind for offer in offers}
    for kind in game.actions:
        if kind not in offered:
            _refused(game, state, seat, _some_action(kind))
    for offer in offers:
        good = [slot.sample(dice) for slot in offer.domains]
        for place, slot in enumerate(offer.domains):
            for value in _outside(slot):
                bad = offer.kind(*[*good[:place], value, *good[place + 1 :]])
                if not any(other.contains(bad) for other in offers):
                    _refused(game, state, seat, bad)


def _outside(slot: Any) -> list[Any]:
    """Return values that a slot must not accept: beyond its limits, and of other types."""
    strange: list[Any] = [None, "", (), True, 1.0, BACK, "x", (None,), 10**30]
    match slot:
        case IntRange(low, high):
            return [low - 1, high + 1, float(low), str(low), *strange]
        case OneOf(values):
            return [v for v in strange if not any(type(v) is type(x) and v == x for x in values)]
        case Subset(values, least, most):
            twice = values[:1] * 2
            wrong: list[Any] = [list(values[:least]), twice, *strange[:2], *strange[3:]]
            if len(values) > 1 and most > 1:
                wrong.append(values[1::-1])
            wrong += [values[: most + 1]] if len(values) > most else []
            wrong += [values[: least - 1]] if least else []
            return wrong
    raise AssertionError(f"a slot of an unknown kind: {slot}")


def _some_action(kind: type[Any]) -> Any:
    return kind(*[0] * len(kind.__struct_fields__))


def _refused(game: Any, state: Any, actor: Seat | None, action: Any) -> None:
    try:
        apply_action(game, state, actor, action)
    except IllegalAction:
        return
    raise AssertionError(f"{action} by {actor} was not refused")


def check_money_and_cards(definition: AnyDefinition, number: int, steps: int = STEPS) -> None:
    """Check that money is buy-in minus bets plus wins, and that the croupier deals every card."""
    game = definition.game
    table = fair_table(definition, seed_of(number))
    opening = {seat: game.money(table.state, seat) for seat in seats_of(definition)}
    tallies = {seat: definition.tally(seat) for seat in seats_of(definition)}
    shoe: set[Card] = set()
    before: set[Card] = set()
    just_dealt: list[Card] = []
    stock = 0

    def hear(seat: Seat, told: TableUpdate[Any, Any]) -> None:
        for event in told.events:
            tallies[seat] = tallies[seat].add(event)

    brings = game.money(game.start(game.sit(game.Options(), 10**6)), Seat(0)).free
    if brings:
        poor = game.start(game.sit(game.Options(), 0))
        assert isinstance(game.turn(poor), SittingOver), "without money the game would continue"
    for seat in seats_of(definition):
        assert opening[seat].staked == 0
        table.bus.subscribe(seat, lambda told, seat=seat: hear(seat, told))  # type: ignore[misc]

    def see(told: TableUpdate[Any, Any]) -> None:
        seen = set(cards_in(told.state)) | set(cards_in(told.events))
        assert seen <= shoe | before, "a card that the croupier did not deal"
        assert set(just_dealt) <= seen, "a card has disappeared"

    table.bus.subscribe(ALL_CARDS, see)
    for _ in range(steps):
        turn = game.turn(table.state)
        just_dealt.clear()
        if isinstance(turn, NeedShoe | NeedCard):
            _, said = table.ask()
            if isinstance(said, Shoe):
                before, shoe, stock = shoe, set(), said.stock
            elif isinstance(said, Deal):
                shoe.add(said.card)
                just_dealt.append(said.card)
                stock -= 1
                assert stock >= 0, "the game asks for more cards than the shoe has"
        if not table.advance():
            break
        for seat in seats_of(definition):
            money, tally = game.money(table.state, seat), tallies[seat]
            assert min(money.free, money.staked, tally.rounds, tally.wagered, tally.won) >= 0
            should = opening[seat].free + tally.won - tally.wagered
            assert money.free + money.staked == should, "money changed without the tally"


def check_short_shoes(definition: AnyDefinition, sizes: Iterable[int] = SHOES) -> None:
    """Check that a game never asks for more cards than the shoe has, however short it is."""
    for size in sizes:
        players = dict.fromkeys(seats_of(definition))
        cards = FixedShoe([PACK[i % 52] for i in range(size)])
        table = Table(definition.game, definition.game.Options(), cards, SeededSource(0), players)
        for _ in range(STEPS):
            if not advance(table, seed_of(size)):
                break


def check_hidden(definition: AnyDefinition, number: int, steps: int = STEPS) -> None:
    """Check that a viewer sees only known cards, and that other cards do not change the view.

    A viewer is a seat or a watcher. A watcher may only see what every seat sees. A new shoe makes
    every card unknown that the viewer does not see.
    """
    game, seed = definition.game, seed_of(number)
    table = fair_table(definition, seed)
    viewers = viewers_of(definition)
    private = PRIVATE_EVENTS.get(game.slug, frozenset())
    unknown = private - {kind.__name__ for kind in game.events}
    assert not unknown, f"PRIVATE_EVENTS names no event of the game: {sorted(unknown)}"
    told: dict[Seat | None, set[Card]] = {viewer: set() for viewer in viewers}
    allowed: dict[Seat | None, set[Card]] = {viewer: set() for viewer in viewers}
    for step in range(steps):
        state = table.state
        if isinstance(game.turn(state), SittingOver):
            break
        actor, action = table.ask()
        after = apply_action(game, state, actor, action)
        for viewer in viewers:
            who = "a watcher" if viewer is None else f"seat {viewer}"
            seen = set(cards_in(game.view(state, viewer)))
            shown = set(cards_in(game.view(after.state, viewer)))
            heard = {
                card
                for event in after.events
                for card in cards_in(game.hear(after.state, event, viewer))
            }
            if isinstance(action, Shoe):
                told[viewer] &= shown
                allowed[viewer] &= shown
            for event in after.events:
                allowed[viewer] |= _public_cards(definition, event, viewer)
            assert heard <= allowed[viewer], f"{who} hears a card that only another seat may know"
            assert heard <= told[viewer] | seen | shown, f"{who} hears a card that it may not see"
            told[viewer] |= heard
            assert shown <= told[viewer], f"{who} sees a card that it did not hear of"
            _check_swapped(
                definition, after.state, viewer, told[viewer], DiceStream(seed, f"swap {step}")
            )
            _check_heard_swapped(
                definition, after, viewer, told[viewer], DiceStream(seed, f"hear {step}")
            )
        _check_watcher(definition, after)
        table.advance()


def _public_cards(definition: AnyDefinition, event: Any, viewer: Seat | None) -> set[Card]:
    """Return the cards of an event that a viewer may know under the rules of the game."""
    private = PRIVATE_EVENTS.get(definition.game.slug, frozenset())
    if getattr(definition.game.Options(), "open", False):  # a trainer's table, with open cards
        private = frozenset()
    if type(event).__name__ in private and (
        viewer is None or getattr(event, "seat", None) != viewer
    ):
        return set()
    return set(cards_in(event))


def _check_watcher(definition: AnyDefinition, after: Any) -> None:
    """Check that a watcher's view and events follow from the view and events of every seat."""
    game, state = definition.game, after.state
    for seat in seats_of(definition):
        seen = game.view(state, seat)
        same = game.view(seen, None) == game.view(state, None)
        assert same, f"a watcher sees what is hidden from seat {seat}"
        for event in after.events:
            heard = game.hear(seen, game.hear(state, event, seat), None)
            same = heard == game.hear(state, event, None)
            assert same, f"a watcher hears what is hidden from seat {seat}"


def _hidden_pair(state: Any, known: set[Card], dice: DiceStream) -> tuple[Card, Card] | None:
    hidden = sorted(set(cards_in(state)) - known)
    others = sorted(set(PACK) - known)
    if not hidden:
        return None
    one = hidden[dice.below(len(hidden))]
    return one, others[dice.below(len(others))]


def _check_swapped(
    definition: AnyDefinition, state: Any, viewer: Seat | None, known: set[Card], dice: DiceStream
) -> None:
    pair = _hidden_pair(state, known, dice)
    if pair is None:
        return
    game, other = definition.game, swap(state, *pair)
    same = game.view(other, viewer) == game.view(state, viewer)
    assert same, f"{pair} swapped, {viewer} sees it"
    assert game.turn(other) == game.turn(state)
    if viewer is not None:
        same = game.offers(other, viewer) == game.offers(state, viewer)
        assert same, f"{pair} swapped, {viewer} is offered something else"


def _check_heard_swapped(
    definition: AnyDefinition, after: Any, viewer: Seat | None, known: set[Card], dice: DiceStream
) -> None:
    pair = _hidden_pair((after.state, after.events), known, dice)
    if pair is None:
        return
    game, other = definition.game, swap(after, *pair)
    for mine, its in zip(after.events, other.events, strict=True):
        same = game.hear(other.state, its, viewer) == game.hear(after.state, mine, viewer)
        assert same, f"{pair} swapped, {viewer} hears it"


def check_states_as_json(
    definition: AnyDefinition, number: int, steps: int = STEPS, options: Any = None
) -> None:
    """Check that every state, and every seat's view of it, can be written as JSON and read back."""
    game = definition.game
    table = fair_table(definition, seed_of(number), options=options)
    for _ in range(steps):
        for state in (table.state, *map(table.view, table.players)):
            text = encode(state)
            again = decode(text, type(game.start(game.Options())))
            assert again == state, f"the JSON is read as another state: {text!r}"
            assert encode(again) == text
        if not table.advance():
            break


def check_words(definition: AnyDefinition) -> None:
    """Check that words do not clash, that instant keys hide no commands, and that help has all."""
    words = definition.words
    verbs: Mapping[str, Any] = words.verbs
    assert set(verbs.values()) == set(definition.game.actions), "a verb for every action"
    every = [*verbs, *words.questions]
    assert len(set(every)) == len(every), "a word is both an action and a question"
    assert not set(every) & {"q", "quit", "?", "help", "u"}, "a word of the house"
    explained = words.help(definition.game.start(definition.game.Options())).splitlines()
    assert max(map(len, explained)) <= 80, "the help is wider than a terminal"
    takes_words = {verb for verb, kind in verbs.items() if kind.__struct_fields__}
    at_once = [word for word in every if word not in takes_words]
    for key in at_once:
        hidden = [verb for verb in takes_words if verb.startswith(key)]
        assert not hidden, f"{key!r} acts at once, so {hidden} could never be typed"
    for word in every:
        assert word.split() == [word]
        named_in_help = any(line.split()[:1] == [word] for line in explained)
        assert named_in_help, f"the help does not explain {word!r}"


def check_sayable(definition: AnyDefinition, number: int, steps: int = STEPS) -> None:
    """Check that every event has lines for every viewer, complete or as the viewer hears it."""
    game = definition.game
    table = fair_table(definition, seed_of(number))
    said: list[str] = []

    def hear(told: TableUpdate[Any, Any]) -> None:
        for event in told.events:
            for viewer in viewers_of(definition):
                for heard in (event, game.hear(told.state, event, viewer)):
                    lines = definition.words.lines(heard, viewer)
                    assert all(line == line.rstrip() and "\n" not in line for line in lines)
                    said.extend(lines)

    table.bus.subscribe(ALL_CARDS, hear)
    for _ in range(steps):
        if not table.advance():
            break
    assert said, "the game prints nothing"


def check_tally(definition: AnyDefinition, number: int, steps: int = STEPS) -> None:
    """Check that the tallies of two halves add up to the whole, and that the report is JSON."""
    table = fair_table(definition, seed_of(number))
    heard: list[Any] = []
    seat = Seat(0)
    table.bus.subscribe(seat, lambda told: heard.extend(told.events))
    for _ in range(steps):
        if not table.advance():
            break

    def fold(events: list[Any]) -> Any:
        tally = definition.tally(seat)
        for event in events:
            tally = tally.add(event)
        return tally

    whole = fold(heard)
    rounds = [
        i + 1 for i in range(len(heard)) if fold(heard[: i + 1]).rounds > fold(heard[:i]).rounds
    ]
    assert rounds, "no round was finished"
    middle = rounds[len(rounds) // 2]
    assert fold(heard[:middle]) + fold(heard[middle:]) == whole
    assert definition.tally(seat) + whole == whole == whole + definition.tally(seat)
    report = decode(encode(whole.report()), dict)
    assert report["rounds"] == whole.rounds == len(rounds)


def check_players(definition: AnyDefinition, number: int) -> None:
    """Check that every computer player plays whole rounds and chooses only offered actions."""
    assert definition.players, "the game has no computer player"
    for make in definition.players.values():
        players = {seat: make() for seat in seats_of(definition)}
        table = Table(
            definition.game,
            definition.game.Options(),
            ShuffledShoe(),
            CommittedSource(seed_of(number)),
            players,
        )
        for _ in range(60):
            if not table.advance():
                break


CHECKS: Mapping[str, Callable[..., None]] = {
    "frozen values": lambda definition, number: check_values(definition),
    "offers": check_offers,
    "money and cards": check_money_and_cards,
    "short shoe": lambda definition, number, sizes=SHOES: check_short_shoes(definition, sizes),
    "hidden cards": check_hidden,
    "states as JSON": check_states_as_json,
    "typed words": lambda definition, number: check_words(definition),
    "printed events": check_sayable,
    "tally sums": check_tally,
    "computer players": check_players,
}
"""The checks by name. Each takes a definition and a number, which chooses cards and actions."""
WITHOUT_CHANCE = ("frozen values", "short shoe", "typed words")
"""The checks for which the number does not matter."""
