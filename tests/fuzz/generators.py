"""Random input for the fuzz tests: words, bytes, and files that are almost valid.

Everything is drawn from a ``random.Random`` that the caller seeds, so a failure can be repeated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tui_casino.cards.card import BACK, PACK
from tui_casino.gamekit.registry import GAMES

HUGE = 10**5_000 + 7
_HUGE_MARK = "@huge@"  # Python prints no number of 5,000 digits, so it is put in as text
_HUGE_TEXT = "1" + "0" * 4_999 + "7"

STRANGE_WORDS = (
    *("0", "-0", "+0", "00", "1", "+1", "-1", "007", "6", "99", "+", "-", "--", "+-1", "1-", "²"),
    *("1.0", "1.", ".5", "1e3", "1E5", "nan", "inf", "-inf", "0x1F", "0b1", "1_000", "1,000", "½"),
    *("٣", "５", "१", "𝟓", "߃", "①", "Ⅴ", "三", "১২"),  # digits that are not 0 to 9
    *("9" * 18, "9" * 19, "-" + "9" * 18, str(2**31), str(2**63), str(-(2**64)), _HUGE_TEXT),
    *("-" + _HUGE_TEXT, "+" + "0" * 5_000 + "1", "0" * 5_000, "_", "__", "{}", "{0}", "%s", "%n"),
    *("\x00", "b\x00", "\x07", "\x08\x08", "\x7f", "\x1b", "\x1b[2J", "\x1b]0;x\x07", "\x9b31m"),
    *("👍", "🂡", "🇫🇷", "e\u0301", "\u202e", "\u200b", "\ufeff", "\ud800", "\udcff", "\uffff", "♠"),
    *("''", '"', "\\", "\\n", "$(id)", "../..", "-d", "--help", "-cmd", "Q", "Quit", "B", "H", "ß"),
    *("None", "True", "null", "TS", "10♠", "??", "a" * 3_000, "🃏" * 1_000, "[" * 2_000),
)
SPACES = (" ", " ", " ", "  ", "\t", "\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\u2003", "\u2028")


def word(random: Random, known: Sequence[str]) -> str:
    """Draw a word: a known word, a small number, or something unusual."""
    luck = random.random()
    if luck < 0.45:
        return random.choice(known)
    if luck < 0.85:
        return str(random.randint(-1, 6))
    if luck < 0.95:
        return random.choice(STRANGE_WORDS)
    if luck < 0.98:
        return str(random.randint(-(10**9), 10**9))
    letter = chr(random.randrange(random.choice((128, 0x11_0000))))
    return letter * random.choice((1, 1, 2, 50))


def line(random: Random, verbs: Sequence[str], questions: Sequence[str]) -> str:
    """Draw a line for the console; about half are plausible, and none leaves the table."""
    luck = random.random()
    if luck < 0.05:
        return "".join(random.choices(SPACES, k=random.randrange(4)))
    if luck < 0.10:
        return random.choice((*questions, "?", "help"))
    if luck < 0.80:
        numbers = [str(n) for n in range(1, 6) if random.random() < 0.3]
        words = [random.choice(verbs), *numbers[: random.randrange(6)]]
        if luck > 0.70:
            words.insert(random.randrange(len(words) + 1), word(random, (*verbs, *questions)))
    else:
        count = random.choice((1, 2, 3, 8)) if luck < 0.999 else 2_000
        words = [word(random, (*verbs, *questions)) for _ in range(count)]
    if words[0].lower() in ("q", "quit"):
        words[0] = "QQ"
    space = random.choice(SPACES) if random.random() < 0.2 else " "
    return space.join(words) + random.choice(("", "\n", "\r\n"))


def commands(random: Random, count: int) -> list[str]:
    """Draw words for the debug reader of video poker; many of them are valid play."""
    words: list[str] = []
    while len(words) < count:
        luck = random.random()
        if luck < 0.5:
            places = [str(n) for n in range(1, 6) if random.random() < 0.5]
            bet = random.choice(([], [str(random.randint(1, 5))], [word(random, ("6", "0"))]))
            hold = random.choice((places, places, places[::-1], [*places, random.choice("0616")]))
            words += ["b", *bet, "d", "h", *hold]
        elif luck < 0.6:
            words.append(random.choice("$as"))
        else:
            words.append(word(random, ("b", "d", "h", "$", "a", "s", "q", "?")))
    # white space, as in chr(0x2028), would make two words or none of one
    return [word for word in words[:count] if word.split() == [word]]


def cards(random: Random, count: int) -> list[str]:
    """Draw cards as text for a file; some occur twice."""
    dealt = random.choices(PACK, k=count)
    return [card.symbol if random.random() < 0.1 else str(card) for card in dealt]


def noise(random: Random) -> bytes:
    """Draw meaningless bytes: any bytes, ASCII, spaces, or any characters in UTF-8."""
    size = random.choice((0, 1, 2, 3, 10, 100, 3_000))
    match random.randrange(4):
        case 0:
            return random.randbytes(size)
        case 1:
            return bytes(random.randrange(32, 127) for _ in range(size))
        case 2:
            return bytes(random.choice(b' \t\r\n\x00\xff{}[]="') for _ in range(size))
        case _:
            text = "".join(chr(random.randrange(0x11_0000)) for _ in range(size))
            return text.encode("utf-8", "replace")


FRAGMENTS = tuple(
    fragment if isinstance(fragment, bytes) else fragment.encode()
    for fragment in (
        *("null", "true", "-1", "0", "1.5", "1e999", "NaN", '""', '"x"', "{}", "[]", "[[]]", "#"),
        *('{"is":"Shoe","stock":-1}', '{"is":"Deal","card":"??"}', '"\\ud800"', '"\\u0000"', "\\"),
        *("[" * 400, "[" * 5_000, '{"a":' * 400, '{"a":' * 5_000, "]" * 400, "}" * 400, "\n\n"),
        *(_HUGE_TEXT, "-" + _HUGE_TEXT, "0x" + "f" * 5_000, "0." + "0" * 5_000, "9" * 30),
        *('"a" = 1\n', "[pays]\n", "[[pays]]\n", "a.b.c = 1\n", "title = 1\n", "= 1\n", "a = \n"),
        *(
            '"""',
            "'''",
            "x = {a = 1}\n",
            "x = 1979-05-27T07:32:00Z\n",
            "x = 9999-99-99\n",
            "\r",
            ",",
        ),
        *(
            b"\x00",
            b"\xff",
            b"\xef\xbb\xbf",
            b"\xed\xa0\x80",
            b"\x1b[2J",
            b"\x80",
            b"\xc3",
            b"\xe2\x80\xa8",
        ),
        *(" TS ", " ?? ", " b ", " h 1 2 ", " $ ", "♠", "10♠", "t" * 3_000),
    )
)


def mutated(random: Random, whole: bytes, other: bytes = b"") -> bytes:
    """Damage a file: change bits or bytes, cut it, remove or repeat chunks, insert fragments."""
    raw = bytearray(whole)
    for _ in range(random.choice((1, 1, 1, 2, 3, 10))):
        at = random.randrange(len(raw) + 1)
        end = min(len(raw), at + random.choice((1, 2, 8, 64, 500)))
        match random.randrange(9):
            case 0 if at < len(raw):
                raw[at] ^= 1 << random.randrange(8)
            case 1 if at < len(raw):
                raw[at] = random.randrange(256)
            case 2:
                del raw[at:]
            case 3:
                del raw[at:end]
            case 4:
                raw[at:at] = raw[at:end]
            case 5 | 6:
                raw[at:end] = random.choice(FRAGMENTS)
            case 7:
                raw[at:at] = random.choice(FRAGMENTS)
            case _:
                start = random.randrange(len(other) + 1)
                raw[at:end] = other[start : start + 64]
    return bytes(raw)


def digit_changed(random: Random, whole: bytes) -> bytes:
    """Change a number somewhere; most results can still be read."""
    places = [match.start() for match in re.finditer(rb"[0-9]", whole)]
    raw, at = bytearray(whole), random.choice(places)
    raw[at : at + 1] = random.choice((b"%d" % random.randrange(10), b"-1", b"99", b"1.5", b""))
    return bytes(raw)


def _nested(depth: int) -> Any:
    value: Any = 0
    for number in range(depth):
        value = {"a": value} if number % 2 else [value]
    return value


_ACTIONS = sorted({kind.__name__ for game in GAMES for kind in game.definition().game.actions})
_PLAYERS = sorted({name for game in GAMES for name in game.definition().players})
STRANGE_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -0.0, 1, -1, 2, 5, 6, 51, 53, 1.5, 1e308, -1e-300, 2**31, 2**53 + 1),
    *(2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**15, 10**18, 10**30, -(10**30), 10**400, HUGE),
    *(
        "",
        "x",
        "0",
        "-1",
        "9" * 5_000,
        "\n",
        "a\nb",
        "\x00",
        "\x1b[2J",
        "\u2028",
        "👍",
        "é" * 3_000,
    ),
    *("??", "TS", "10♠", "10 of Spades", "1S", "human", "nobody", "java", "numbered", "committed"),
    *("cards", "shuffled", "whist", "toy", "00", "ff" * 32, "zz", *_ACTIONS, *_PLAYERS, "Fold"),
    *([], {}, [[]], [None], [0] * 3, [1, 2, 3, 4, 5], [5, 4, 3], [1, 1], ["TS"] * 5, ["??"] * 60),
    *({"is": "Shoe", "stock": 52}, {"is": "Shoe", "stock": -1}, {"is": "Shoe", "stock": 10**30}),
    *({"is": "Deal", "card": "TS"}, {"is": "Deal", "card": str(BACK)}, {"is": ["Deal"]}, {"is": 1}),
    *({"is": "Change", "how": 1}, {"is": "Keep"}, {"a\nb": 1}, {"": 0}, {"is": None, "is ": 2}),
)


def as_line(value: Any) -> bytes:
    """Write JSON as in a log, with numbers of any length and invalid values such as NaN."""
    text = json.dumps(_marked(value), ensure_ascii=False, separators=(",", ":"))
    return text.replace(f'"{_HUGE_MARK}"', _HUGE_TEXT).encode("utf-8", "surrogatepass")


def _marked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _marked(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_marked(part) for part in value]
    return _HUGE_MARK if value is HUGE else value


def value_changed(random: Random, document: Any) -> Any:
    """Change JSON at one random place: replace, remove or repeat a value."""
    places = list(_places(document))
    return _changed_at(random, document, random.choice(places))


def _places(value: Any) -> Iterator[tuple[Any, ...]]:
    yield ()
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            yield from ((key, *rest) for rest in _places(part))


def _changed_at(random: Random, value: Any, place: tuple[Any, ...]) -> Any:
    if not place:
        if random.random() < 0.1:
            return _nested(random.choice((50, 200, 300, 400)))
        return random.choice(STRANGE_VALUES)
    changed: Any = value.copy()
    key, *rest = place
    luck = random.randrange(12) if not rest else 2
    if luck == 0:
        del changed[key]
    elif luck == 1 and isinstance(changed, dict):
        changed[random.choice(("x", "a\nb", "is", "n", "by", "end"))] = changed[key]
    elif luck == 1:
        changed.insert(key, changed[key])
    else:
        changed[key] = _changed_at(random, changed[key], tuple(rest))
    return changed
