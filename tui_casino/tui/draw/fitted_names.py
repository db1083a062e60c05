"""Names in a narrow column: whole words are left out, and different names stay different."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def fit_names(names: Sequence[str], room: int) -> list[str]:
    """Fit each name into some columns, with an ellipsis for the words that are left out.

    A name keeps as much of its beginning and its end as possible, but no two names become equal.
    """
    used = {name for name in names if len(name) <= room}
    fitted = []
    for name in names:
        if len(name) > room:
            shorter = (short for short in _shortened(name, room) if short not in used)
            name = next(shorter, name[:room])
            used.add(name)
        fitted.append(name)
    return fitted


def _shortened(name: str, room: int) -> Iterator[str]:
    """Yield a name without some of its words, the longest and most balanced texts first."""
    words = name.split(" ")
    texts = dict[str, tuple[int, int]]()
    for first in range(len(words)):
        for last in range(first + 1, len(words) + 1):
            head, tail = " ".join(words[:first]), " ".join(words[last:])
            text = f"{head}… {tail}".strip() if head else f"…{tail}"
            if len(text) <= room:
                texts.setdefault(text, (-len(text), abs(len(head) - len(tail))))
    yield from sorted(texts, key=texts.__getitem__)
