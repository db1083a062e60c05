"""Colours for pages of figures and keys: headings and keys in gold, names muted, losses red.

The same pages are printed on the console without colours, so they are plain text in columns that
are separated by at least two spaces. This module recognizes headings, rules, figures and plots by
their form.
"""

from __future__ import annotations

import re

from textual.content import Content

HEADING, NAME, RULE, PLOT, GOOD, BAD = "bold $gold", "$muted", "$faint", "$gold", "$good", "$bad"
_CELL = re.compile(r"\S+(?: \S+)*")
"""A cell of a table: words with single spaces between them."""
_AMOUNT = r"[+−-]?\$?\d[\d,]*(?:\.\d+)?"
_FIGURE = re.compile(
    rf"(?:{_AMOUNT}(?:%|:1| ?[a-z]+)?|{_AMOUNT} \({_AMOUNT}%\)|[—–-]|best|none|1 in {_AMOUNT})"
)
_KEY_NAME = (
    r"(?:[!-~]|[1-9]-[1-9]|F\d{1,2}|Esc|space|Enter|Tab|Up|Down|Left|Right|up|down|left|right"
    r"|PgUp|PgDn|Home|End|ctrl\+\w)"
)
_KEYS = re.compile(rf"{_KEY_NAME}(?:,? (?:or |to )?{_KEY_NAME})*")
_RULE = re.compile(r" *[-─]{3,}")
_DOTS = re.compile(r"[\u2800-\u28ff\u2581-\u2588█]+(?: *[\u2800-\u28ff\u2581-\u2588█]+)*")


def style_report(text: str, *, ascii_only: bool = False) -> Content:
    """Return a page of figures with its colours, and rules as lines if these can be drawn."""
    lines = text.split("\n")
    if not ascii_only:
        lines = [line.replace("-", "─") if _RULE.fullmatch(line) else line for line in lines]
    return Content("\n").join(
        _style_line(line, before, after)
        for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False)
    )


def _style_line(line: str, before: str, after: str) -> Content:
    content = Content(line)
    if _RULE.fullmatch(line):
        return content.stylize(RULE)
    if dots := _DOTS.search(line):
        bars = [*_DOTS.finditer(line)]
        content = content.stylize(NAME, 0, dots.start())
        for bar in bars:
            content = content.stylize(PLOT, bar.start(), bar.end())
        return content
    cells = [*_CELL.finditer(line)]
    if not cells:
        return content
    if is_heading(line, before, after):
        return content.stylize(HEADING)
    figures = [cell for cell in cells if _FIGURE.fullmatch(cell[0])]
    if len(cells) < 2:
        return content
    if not figures or _KEYS.fullmatch(cells[0][0]):
        for key, words in zip(cells[::2], cells[1::2], strict=False):
            if _KEYS.fullmatch(key[0]) and not _KEYS.fullmatch(words[0]):
                content = content.stylize(HEADING, key.start(), key.end())
        return content
    content = content.stylize(NAME, 0, figures[0].start())
    for cell in figures:
        if tone := _tone(cell[0]):
            content = content.stylize(tone, cell.start(), cell.end())
    for cell in cells[1:]:
        if cell.start() > figures[0].start() and cell not in figures:
            content = content.stylize(NAME, cell.start(), cell.end())
    return content


def is_heading(line: str, before: str, after: str) -> bool:
    """Return whether a line is the heading of the rows after it.

    A heading has no figures. It is followed by a rule, a graph, or a row with figures or column
    titles. It is either a single cell that begins a section, or a row of column titles.
    """
    cells = _CELL.findall(line)
    if any(map(_FIGURE.fullmatch, cells)) or line.rstrip().endswith((".", ",", "…")):
        return False
    if len(cells) > 1:
        return bool(_RULE.fullmatch(after)) or (_has_figures(after) and not _has_figures(before))
    begins = not before.strip() or bool(_RULE.fullmatch(before))
    rows = _RULE.fullmatch(after) or _DOTS.search(after) or len(_CELL.findall(after)) > 1
    return begins and bool(rows)


def _has_figures(line: str) -> bool:
    cells = _CELL.findall(line)
    return len(cells) > 1 and any(map(_FIGURE.fullmatch, cells[1:]))


def _tone(figure: str) -> str:
    if figure == "best" or figure.startswith("+"):
        return GOOD
    return BAD if re.match(r"[−-]\d", figure) else ""
