"""Check the English of documents, program texts, docstrings and comments against ``prose.toml``.

The program texts include what the program prints in recorded sessions and on snapshots.
``prose.toml`` lists the patterns of stilted English, each with what to write instead, and the
exceptions, each with its reason. ``make lint`` runs ``python -m tests.prose``. It exits with 1 if
a pattern matches, or if an exception no longer matches anything. With ``--count`` it prints how
often each pattern matches, exceptions included, in each kind of text. With ``--sample SEED`` it
prints random texts of each kind, which somebody who has not written them should read.
"""

from __future__ import annotations

import ast
import inspect
import io
import random
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).parents[1]
RULES = Path(__file__).with_name("prose.toml")
KINDS = {"document": 100, "text": 60, "docstring": 60, "comment": 0}
"""The kinds of texts, with the number of each in a sample."""
DOCUMENTS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**/*.md")
PACKAGE = "tui_casino/**/*.py"
MIN_RULE = 30
"""Columns in the line below a snapshot, at least."""
PRINTED = (
    "tests/golden/*/said.txt",
    "docs/screen-reader/*.txt",
    "tests/tui/snapshots/*/*.txt",
)
"""What the program prints: sessions on the console, in screen-reader mode and on the screen."""
_SQL = re.compile(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|ALTER|VALUES)\b"
    r"|^(?:select .+ from|insert (?:or \w+ )?into|update \w+ set|delete from|lock table"
    r"|(?:create|alter) (?:unique )?(?:table|index))\b"
)
_EXAMPLE = re.compile(r"^ *>>> (?:.+\n?)*|(?<=::)\n\n(?: +.*\n?|\n)+", re.M)
_FOR_TOOLS = re.compile(r"noqa: [A-Z0-9, ]+(?:- )?|type: ignore\S*|late: ")
_CODE = re.compile(r"``[^`]*``|:\w+:`[^`]*`|`[^`]*`")
_COLUMN = re.compile(r" {2,}|[^\x00-\x7f–−±×“”’…]+|[|+]")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


class Text(Struct, frozen=True):
    """A sentence of a document, or a whole text of the program, without its code spans."""

    kind: str
    path: str
    line: int
    words: str


class Pattern(Struct, frozen=True):
    """A pattern of stilted English in some kinds of texts, with a bad and a good example."""

    name: str
    regex: str
    instead: str
    bad: str
    good: str
    kinds: tuple[str, ...] = tuple(KINDS)

    def match(self, text: Text) -> re.Match[str] | None:
        """Return the first match in the text, if the pattern checks texts of its kind."""
        return re.search(self.regex, text.words) if text.kind in self.kinds else None


class Allowed(Struct, frozen=True):
    """A place where a pattern is allowed: texts in a file that contain some words."""

    path: str
    contains: str
    reason: str
    patterns: tuple[str, ...] = ()
    """Names of the patterns that are allowed; if empty, all are allowed."""

    def covers(self, text: Text, pattern: Pattern) -> bool:
        """Return whether this match is allowed."""
        named = not self.patterns or pattern.name in self.patterns
        return named and Path(text.path).match(self.path) and self.contains in text.words


class Rules(Struct, frozen=True):
    """The rules of ``prose.toml``."""

    patterns: tuple[Pattern, ...]
    exceptions: tuple[Allowed, ...] = ()


def read_rules(path: Path = RULES) -> Rules:
    """Read the patterns and the exceptions. Raises ``TypeError`` for an unknown key."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return Rules(
        tuple(Pattern(**_with_tuples(row)) for row in raw["pattern"]),
        tuple(Allowed(**_with_tuples(row)) for row in raw.get("exception", [])),
    )


def _with_tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def document_sentences(path: str, source: str) -> Iterator[Text]:
    """Yield the sentences of a Markdown document without code, tables, headings and pictures."""
    block: list[str] = []
    begun, fenced = 0, False
    for number, line in enumerate([*source.splitlines(), ""], 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        bare = line.strip()
        outside = fenced or not bare or bare.startswith(("|", "#", "!", "<", "```"))
        item = re.match(r"(?:[*-]|\d+\.) ", bare)
        if block and (outside or item):
            yield from _sentences(path, begun, " ".join(block))
            block = []
        if not outside:
            begun = begun if block else number
            block.append(bare[item.end() :] if item else bare)


def _sentences(path: str, line: int, block: str) -> Iterator[Text]:
    plain = _CODE.sub("`x`", _LINK.sub(r"\1", block)).replace("**", "")
    for sentence in re.split(r"(?<=[.!?]) (?=[A-Z`*\"])", plain):
        if len(sentence.split()) > 3:
            yield Text("document", path, line, sentence)


def code_texts(path: str, source: str) -> Iterator[Text]:
    """Yield the docstrings, the texts of two words or more, and the comments of a module."""
    nodes = [*ast.walk(ast.parse(source))]
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    joined = {id(x) for node in nodes if isinstance(node, ast.JoinedStr) for x in node.values}
    for node in nodes:
        match node:
            case ast.Constant(value=str(value)) if id(node) not in joined:
                kind = "docstring" if id(node) in docstrings else "text"
            case ast.JoinedStr(values=parts):
                kind = "text"
                pieces = (x.value if isinstance(x, ast.Constant) else "{…}" for x in parts)
                value = "".join(map(str, pieces))
            case _:
                continue
        if kind == "docstring":
            value = _EXAMPLE.sub(" ", inspect.cleandoc(value))
        words = " ".join(_CODE.sub("`x`", value).split())
        if kind == "docstring" or _is_prose(words):
            yield Text(kind, path, node.lineno, words)
    yield from _comments(path, source)


def _is_prose(words: str) -> bool:
    return (
        len(words.split()) > 2
        and bool(re.search("[a-z]{2} [a-z]", words))
        and not _SQL.search(words)
    )


def _comments(path: str, source: str) -> Iterator[Text]:
    """Yield the comments; comments on successive lines are joined."""
    begun, last, words = 0, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        bare = _FOR_TOOLS.sub("", _CODE.sub("`x`", token.string.lstrip("#: ")))
        whole_line = token.line.lstrip().startswith("#")
        if whole_line and token.start[0] == last + 1:
            words = f"{words} {bare}"
        else:
            if words:
                yield Text("comment", path, begun, words)
            begun, words = token.start[0], bare
        last = token.start[0] if whole_line else -1
    if words:
        yield Text("comment", path, begun, words)


def printed_lines(path: str, source: str) -> Iterator[Text]:
    """Yield the lines of a session that contain words, each once, without frames and columns.

    Texts that are put together at run time are only complete here.
    """
    seen = set()
    for number, line in enumerate(source.splitlines(), 1):
        if len(line) > MIN_RULE and not line.strip("-"):  # the styles of a screen follow
            break
        for part in _COLUMN.split(line):
            words = part.strip()
            if words not in seen and _is_prose(words):
                seen.add(words)
                yield Text("text", path, number, words)


def all_texts(root: Path = ROOT) -> Iterator[Text]:
    """Yield all texts of the documents and of the package, and what the program prints."""
    for glob in DOCUMENTS:
        for path in sorted(root.glob(glob)):
            yield from document_sentences(
                str(path.relative_to(root)), path.read_text(encoding="utf-8")
            )
    for path in sorted(root.glob(PACKAGE)):
        yield from code_texts(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
    yield from printed_texts(root)


def printed_texts(root: Path = ROOT) -> Iterator[Text]:
    """Yield what the program prints in the recorded sessions."""
    for glob in PRINTED:
        for path in sorted(root.glob(glob)):
            yield from printed_lines(str(path.relative_to(root)), path.read_text(encoding="utf-8"))


def problems(rules: Rules, texts: list[Text]) -> Iterator[str]:
    """Yield a line for each match that is not allowed, then for each exception without a match."""
    used: set[Allowed] = set()
    for text in texts:
        for pattern in rules.patterns:
            if match := pattern.match(text):
                covering = [one for one in rules.exceptions if one.covers(text, pattern)]
                used.update(covering)
                if not covering:
                    words = text.words[max(0, match.start() - 40) : match.start() + 160]
                    yield (
                        f"{text.path}:{text.line}: {pattern.name}: write {pattern.instead}\n"
                        f"    {words}"
                    )
    for one in rules.exceptions:
        if one not in used:
            yield f"{RULES.name}: no text needs the exception for {one.path} ({one.contains!r})"


def main(args: list[str]) -> int:
    """Check all texts, count the matches, or print a sample; return the exit code."""
    rules, texts = read_rules(), [*all_texts()]
    if args[:1] == ["--sample"]:
        chance = random.Random(args[1])
        for kind, size in KINDS.items():
            of_kind = [text for text in texts if text.kind == kind]
            for text in chance.sample(of_kind, min(size, len(of_kind))):
                print(f"{kind} {text.path}:{text.line}: {text.words}")
        return 0
    if args == ["--count"]:
        sizes = Counter(text.kind for text in texts)
        print(f"{'':28}" + "".join(f"{kind + 's':>12}" for kind in KINDS))
        print(f"{'all':28}" + "".join(f"{sizes[kind]:12,}" for kind in KINDS))
        for pattern in rules.patterns:
            hits = Counter(text.kind for text in texts if pattern.match(text))
            print(f"{pattern.name:28}" + "".join(f"{hits[kind]:12,}" for kind in KINDS))
        return 0
    found = [*problems(rules, texts)]
    print("\n".join(found) or f"{len(texts):,} texts have no stilted English")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
