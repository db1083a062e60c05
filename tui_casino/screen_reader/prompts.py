"""Numbered choices and other questions in screen-reader mode."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple

from ..inputs.numbers import is_integer, parse_integer
from .voice import HELP, InputEnded, SpokenRows, Verbosity, Voice, VoicePlace

QUIT = ("q", "quit")
BACK = ("b", "back", *QUIT)
HELPS = ("?", "help")


class PromptOption(NamedTuple):
    """An option with a name and a description; ``alias`` is an earlier name that still works.

    A description that takes time to compute may be a function.
    """

    name: str
    description: str | Callable[[], str] = ""
    alias: str = ""


def choose(voice: Voice, title: str, options: Sequence[PromptOption]) -> int | None:
    """Let the player choose an option by number or by the first letters of its name.

    Say the name of the chosen option and return its index, or return ``None`` to go back. Raises
    :class:`InputEnded` if the input ends first.
    """
    with closing(browse(voice, title, lambda: options)) as choices:
        return next(choices, None)


def browse(
    voice: Voice,
    title: str,
    options: Callable[[], Sequence[PromptOption]],
    *,
    is_top: bool = False,
) -> Generator[int, None, None]:
    """Let the player choose options, one after another, until they go back.

    The list is said once, a few rows at a time. After each choice only a single line is said. The
    options may change from choice to choice. At the top there is nothing to go back to, and ``q``
    quits. Raises :class:`InputEnded`.
    """
    offered = options()

    def rows() -> SpokenRows:
        return SpokenRows([partial(_row, voice, *each) for each in enumerate(offered, 1)])

    def hint() -> str:
        numbers = f"a number from 1 to {len(offered)}" if len(offered) > 1 else "1"
        return f"type {numbers}; {'q quits' if is_top else 'b goes back'}"

    def list_all() -> SpokenRows:
        said = rows()
        voice.say(title if title.endswith("?") else f"{title}:")
        voice.say_rows(said)
        return said

    def actions() -> Iterable[str]:
        yield f"{capitalized(hint())}; help says the list."

    with voice.within(VoicePlace(lambda: (f"{title}.",), actions)):
        said = list_all()
        if voice.level is Verbosity.USUAL:
            voice.say(capitalized(hint()))
        while True:
            typed = voice.ask(said)
            if typed.lower() in BACK:
                if not is_top or typed.lower() in QUIT:
                    return
                voice.say("This is the menu; q quits.")
            elif typed.lower() in HELPS:
                said = list_all()
                voice.say(hint())
                voice.say(HELP)
            elif (place := _match_choice(typed, offered)) is not None:
                voice.say(f"Chosen: {offered[place].name}")
                yield place
                if voice.ended:
                    raise InputEnded
                offered = options()
                voice.say(f"{title.rstrip('?')}. Type a number, or help for the list.")
            elif typed:
                voice.say(f"{typed} is not one of the choices; {hint()}")
            else:
                voice.say(hint())


def _row(voice: Voice, number: int, option: PromptOption) -> str:
    description = option.description
    if voice.level is Verbosity.SHORT:
        description = ""
    elif not isinstance(description, str):
        description = description()
    return f"{number}. {option.name}" + (f": {description}" if description else "")


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


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


def confirm(voice: Voice, question: str, yes: str) -> bool:
    """Ask whether to do what the option ``yes`` describes; going back means no."""
    voice.say(question)
    return choose(voice, f"{yes}?", [PromptOption("Yes"), PromptOption("No")]) == 0


def ask_text(voice: Voice, question: str) -> str:
    """Ask for a line of text, which may be empty. Raises :class:`InputEnded`."""
    with voice.within(VoicePlace(lambda: (question,))):
        voice.say(question)
        return voice.ask()
