"""Names of keys, conflicts between keys, and keys that terminals do not send."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from msgspec import Struct
from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode
from textual.events import Key
from textual.keys import format_key

TYPED = "the first letter of a typed command"
SENDS = "the key that runs a typed command"
MOST_PLACES = 3
"""The maximum number of conflicting places that a message lists."""
SURVIVORS = {"space", "enter", "escape", "up", "down", "left", "right", "tab", "backspace"}
SURVIVORS |= {"home", "end", "pageup", "pagedown", "insert", "delete", "ctrl+q", "ctrl+p"}
SURVIVORS |= {f"f{number}" for number in range(1, 13)}
FRAGILE = {
    "ctrl+a": "GNU screen intercepts it",
    "ctrl+b": "tmux intercepts it",
    "ctrl+c": "it interrupts programs",
    "ctrl+h": "many terminals send it as backspace",
    "ctrl+i": "terminals send it as tab",
    "ctrl+j": "many terminals send it as enter",
    "ctrl+m": "terminals send it as enter",
    "ctrl+enter": "it acts as enter",
    "shift+enter": "it acts as enter",
    "ctrl+space": "it acts as space",
    "shift+space": "it acts as space",
    "shift+backspace": "it acts as backspace",
    "shift+escape": "it acts as escape",
    "ctrl+s": "it can stop the terminal",
    "ctrl+z": "it suspends programs",
}
_NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "insert": "Ins",
    "delete": "Del",
    "backspace": "Backspace",
    "space": "space",
}


def bindings_of(screen: type[DOMNode], *parts: type[DOMNode]) -> list[Binding]:
    """List the bindings of a screen and its parts; the bindings of the parts take precedence."""
    bindings: list[Binding] = []
    for kind in (*parts, screen):
        taken = {binding.id for binding in bindings} | {binding.key for binding in bindings}
        bindings += [one for one in _merged(kind) if one.id not in taken and one.key not in taken]
    return bindings


def _merged(kind: type[DOMNode]) -> Iterator[Binding]:
    """Yield the bindings of a class; each replaces bindings of base classes for the same key."""
    by_key: dict[str, list[Binding]] = {}
    for base in reversed(kind.__mro__):
        by_key |= BindingsMap(vars(base).get("BINDINGS")).key_to_bindings
    for bindings in by_key.values():
        yield from bindings


class KeyContext(Struct, frozen=True):
    """A place where keys are pressed, such as a screen, with all bindings active there.

    ``own`` belong only to this place, ``shared`` also to others. ``typed`` are the keys of the
    command line there: Enter, and the letters that open it.
    """

    title: str
    own: tuple[Binding, ...]
    shared: tuple[Binding, ...] = ()
    typed: frozenset[str] = frozenset()

    def named(self) -> Iterator[tuple[str, str, str]]:
        """Yield the id, the name and the default keys (separated by commas) of each own binding.

        If several bindings have the same name, the key is appended to it: ``Hold 3``.
        """
        keys: dict[str, list[str]] = {}
        words: dict[str, str] = {}
        for binding in self.own:
            if binding.id:
                keys.setdefault(binding.id, []).append(binding.key)
                words.setdefault(binding.id, binding_label(binding))
        times = Counter(words.values())
        for name, held in keys.items():
            number = f" {key_name(held[0])}" if times[words[name]] > 1 else ""
            yield name, words[name] + number, ",".join(held)


def binding_label(binding: Binding) -> str:
    """Return the name of a binding; ``game(1)`` without a description is ``Game 1``."""
    return binding.description or re.sub(r"\W+", " ", binding.action).strip().capitalize()


def key_name(key: str) -> str:
    """Return the name of a key: ``F1``, ``Esc``, ``?``."""
    if key[:1] == "f" and key[1:].isdecimal():
        return key.upper()
    modifiers, plus, last = key.rpartition("+")
    if plus and last:
        return f"{modifiers}+{key_name(last)}"
    return _NAMES.get(key) or format_key(key)


def key_name_of_binding(node: DOMNode, name: str) -> str:
    """Return the name of the key that is currently bound to an id, or an empty text.

    An id that begins with a dot matches the last part of an id: ``.help``.
    """
    every = (active.binding for active in node.screen.active_bindings.values())
    named = (one for one in every if name in (one.id, "." + (one.id or "").rpartition(".")[2]))
    return next((node.app.get_key_display(one) for one in named), "")


@lru_cache
def _usual_keys(screen: type[DOMNode], program: type[DOMNode]) -> Mapping[str, frozenset[str]]:
    """Return the names of the usual keys of each id on a screen."""
    keys: dict[str, frozenset[str]] = {}
    for binding in bindings_of(program, screen):
        if binding.id:
            keys[binding.id] = keys.get(binding.id, frozenset()) | {key_name(binding.key)}
    return keys


def own_keys(node: DOMNode) -> dict[str, str]:
    """Return the keys that a player has chosen on a node's screen, by the names of the usual ones.

    A key without an action at the moment is left out.
    """
    usual = _usual_keys(type(node.screen), type(node.app))
    now: dict[str, list[str]] = {}
    for active in node.screen.active_bindings.values():
        now.setdefault(active.binding.id or "", []).append(key_name(active.binding.key))
    return {
        name: now[place][0]
        for place, names in usual.items()
        for name in names
        if place in now and names.isdisjoint(now[place])
    }


def _named(key: str) -> str:
    """Return the name of a key in a help text, such as ``space``; a letter is its own name."""
    return key if len(key) == 1 else key.capitalize()


def with_own_keys(node: DOMNode, text: str) -> str:
    """Return a help text with the keys that a player has chosen.

    A line that explains keys begins with two spaces and the keys, separated by commas.
    """
    keys = own_keys(node)

    def line_with_own(line: re.Match[str]) -> str:
        every = (keys.get(_named(one), one) for one in line[1].split(", "))
        return f"  {', '.join(every):<{len(line[0]) - 4}}  "

    explained = re.compile(r"^  (\S+(?:,? \S+)*) {2,}(?=\S)", re.MULTILINE)
    return explained.sub(line_with_own, text) if keys else text


def pressed_key_name(event: Key) -> str:
    """Return the name of a key that was pressed: its character, if it has one."""
    if event.character and event.is_printable:
        return key_name("space") if event.character == " " else event.character
    try:
        return key_name(event.key)
    except UnicodeError:  # half a surrogate pair, which no keyboard sends
        return "?"


def key_names(keys: str) -> str:
    """Return the names of several keys, which are separated by commas as in a keymap."""
    held = Binding.make_bindings([Binding(keys, "")])
    return " ".join(key_name(binding.key) for binding in held)


def key_conflicts(
    keymap: Mapping[str, str], places: Sequence[KeyContext], only: str | None = None
) -> list[str]:
    """Return what is wrong with a player's keys, or only with those of the id ``only``.

    This reports keys that have another action in the same place (Textual would silently drop one
    of the two), and keys that some terminals do not send.
    """
    problems: dict[str, None] = {}
    taken: dict[tuple[str, str], dict[str, None]] = {}
    names: dict[str, str] = {}
    for place in places:
        holders = _holders(keymap, place)
        for key, sharing in holders.items():
            for held in sharing.values():
                if held.id is None or held.id not in keymap or only not in (None, held.id):
                    continue
                name = names.setdefault(held.id, f"{binding_label(held)} ({held.id})")
                if not is_portable_key(key):
                    reason = FRAGILE.get(
                        key, "not every terminal sends it, or there is no such key"
                    )
                    problems[f"{key} for {name}: {reason}"] = None
                others = taken.setdefault((key, name), {})
                for other in sharing.values():
                    said_there = only is None and other.id in keymap and str(other.id) < held.id
                    if other is not held and not said_there:
                        others[f"{binding_label(other)} in {place.title}"] = None
                if key in place.typed:
                    others[f"{SENDS if key == 'enter' else TYPED} in {place.title}"] = None
    for (key, name), bindings in taken.items():
        if bindings:
            problems[f"{key_name(key)} cannot be {name}: it is already {_few([*bindings])}"] = None
    return [*problems]


def _holders(keymap: Mapping[str, str], place: KeyContext) -> dict[str, dict[str, Binding]]:
    """Map each key in a place to its bindings, each binding once."""
    holders: dict[str, dict[str, Binding]] = {}
    for binding in (*place.own, *place.shared):
        keys = keymap.get(binding.id or "", binding.key)
        for held in Binding.make_bindings([binding.with_key(keys)]):
            who = held.id or f"{binding_label(held)} {held.action}"
            holders.setdefault(held.key, {}).setdefault(who, held)
    return holders


def _few(bindings: Sequence[str]) -> str:
    rest = len(bindings) - MOST_PLACES
    return ", ".join(bindings[:MOST_PLACES]) + (f" and {rest} more" if rest > 0 else "")


def unknown_ids(keymap: Mapping[str, str], places: Iterable[KeyContext]) -> list[str]:
    """Return messages about ids in a player's keys that no binding has."""
    known = {one.id for place in places for one in (*place.own, *place.shared) if one.id}
    problems = []
    for stranger in sorted(keymap.keys() - known):
        nearest = get_close_matches(stranger, sorted(known), 1, 0.75)
        hint = f"; did you mean {nearest[0]}?" if nearest else "."
        problems.append(f"{stranger!r} is not the id of an action{hint} F3, Keys lists all ids")
    return problems


def is_portable_key(key: str) -> bool:
    """Return whether every terminal sends a key, and no multiplexer intercepts it."""
    character = format_key(key)
    return key in SURVIVORS or (len(character) == 1 and "!" <= character <= "~")
