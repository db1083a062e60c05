"""Numbered choices and other questions in screen-reader mode."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..inputs.numbers import is_integer, parse_integer
from .voice import HELP, Verbosity, Voice, VoicePlace

BACK = ("b", "back", "q", "quit")
HELPS = ("?", "help")


class PromptOption(NamedTuple):
    """An option to choose: its name, its description, and an earlier name that still works."""

    name: str
    description: str = ""
    alias: str = ""


def choose(
    voice: Voice, title: str, options: Sequence[PromptOption], *, way_out: str = "b goes back"
) -> int | None:
    """Let the player choose an option by number or by the first letters of its name.

    Return its index, or ``None`` to go back. The choice is confirmed. Raises :class:`InputEnded`.
    """

    def listed() -> Iterable[str]:
        yield title if title.endswith("?") else f"{title}:"
        for number, option in enumerate(options, 1):
            description = option.description if voice.level is not Verbosity.SHORT else ""
            yield f"{number}. {option.name}" + (f": {description}" if description else "")

    def describe() -> Iterable[str]:
        return listed()

    right = f"type a number from 1 to {len(options)}; {way_out}"
    with voice.within(VoicePlace(describe, lambda: (right[:1].upper() + right[1:],))):
        for line in listed():
            voice.say(line)
        if voice.level is Verbosity.USUAL:
            voice.say(f"{right[:1].upper()}{right[1:]}")
        while True:
            typed = voice.ask()
            if typed.lower() in BACK:
                return None
            if typed.lower() in HELPS:
                for line in listed():
                    voice.say(line)
                voice.say(right)
                voice.say(HELP)
            elif (place := _match_choice(typed, options)) is not None:
                voice.say(f"Chosen: {options[place].name}")
                return place
            elif typed:
                voice.say(f"{typed} is not one of the choices; {right}")
            else:
                voice.say(right)


def _match_choice(typed: str, options: Sequence[PromptOption]) -> int | None:
    if is_integer(typed):
        place = parse_integer(typed) - 1
        return place if 0 <= place < len(options) else None
    begin, names = typed.casefold(), [one.name.casefold() for one in options]
    if begin in names:
        return names.index(begin)
    named = [place for place, name in enumerate(names) if name.startswith(begin)]
    if typed and len(named) == 1:
        return named[0]
    former = [place for place, one in enumerate(options) if one.alias.casefold() == begin]
    return former[0] if typed and former else None


def ask_text(voice: Voice, question: str) -> str:
    """Ask for a line of text, which may be empty. Raises :class:`InputEnded`."""
    with voice.within(VoicePlace(lambda: (question,))):
        voice.say(question)
        return voice.ask()
