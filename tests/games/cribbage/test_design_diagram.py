"""The picture of the design in the document shows the classes as they are."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from tui_casino.engine.event_bus import EventBus
from tui_casino.engine.game import ComputerPlayer
from tui_casino.engine.table import Table
from tui_casino.games.cribbage.brains import players
from tui_casino.games.cribbage.face.original_trainer_files import PLAYER_NAMES, TrainerLogFile
from tui_casino.games.cribbage.machine import rules, scoring, state

PAGE = (Path(__file__).parents[3] / "docs" / "how-it-is-built.md").read_text(encoding="utf-8")
MODULES = (players, rules, scoring, state)
OTHERS = {kind.__name__: kind for kind in (ComputerPlayer, Table, EventBus, TrainerLogFile)}


def picture() -> str:
    section = PAGE.partition("\n## The rules of cribbage\n")[2].partition("\n## ")[0]
    (drawn,) = re.findall(r"```mermaid\n(classDiagram\n.*?)```", section, re.DOTALL)
    return str(drawn)


def class_named(name: str) -> type:
    found = [vars(module)[name] for module in MODULES if name in vars(module)]
    made = OTHERS.get(name) or found[0]
    assert isinstance(made, type)
    return made


def test_classes_in_the_cribbage_diagram_have_the_drawn_members() -> None:
    drawn = re.findall(r"class (\w+) \{\n(.*?)\n  \}", picture(), re.DOTALL)
    assert {"RuleSet", "Table", "TrainerLogFile"} < {name for name, _ in drawn}
    for name, members in drawn:
        kind = class_named(name)
        for member in map(str.strip, members.split("\n")):
            if member == "<<Protocol>>":
                continue
            word, call, taken = member.partition("(")
            assert hasattr(kind, word) or word in kind.__annotations__, (name, word)
            if call:
                _, *parameters = inspect.signature(getattr(kind, word)).parameters
                assert ", ".join(parameters) == taken.rstrip(")"), (name, word)


def test_cribbage_rules_and_players_implement_the_drawn_protocols() -> None:
    for role, made in re.findall(r"(\w+) <\|\.\. (\w+)", picture()):
        needed = [name for name in vars(class_named(role)) if not name.startswith("_")]
        assert needed
        assert all(callable(getattr(class_named(made), name)) for name in needed), made
    for base, made in re.findall(r"(\w+) <\|-- (\w+)", picture()):
        assert issubclass(class_named(made), class_named(base))


def test_cribbage_diagram_shows_every_shipped_rule_and_player() -> None:
    shipped = {
        type(rule).__name__
        for one in rules.RULE_SETS.values()
        for rule in (*one.starter, *one.play, *one.last, *one.show)
    }
    shipped |= {kind.__name__ for kind in players.PLAYERS.values() if isinstance(kind, type)}
    assert shipped == set(re.findall(r"<\|(?:\.\.|--) (\w+)", picture()))


def test_cribbage_design_page_names_every_action() -> None:
    for action in state.actions:
        assert f"`{action.__name__}`" in PAGE
    assert PLAYER_NAMES
    assert "`PLAYER_NAMES`" in PAGE
