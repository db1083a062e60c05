"""The arcade line by line: whole visits as transcripts, and what holds in all of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import Namespace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.golden.write import copy_as_own
from tests.screen_reader.transcripts import FOLDER, played, transcript, visited
from tui_casino.cli.console import typed_lines_without_prompt
from tui_casino.cli.screen_reader import screen_reader_reason
from tui_casino.gamekit.registry import GAMES, GameListing
from tui_casino.house.settings import VERBOSITIES, Settings, load
from tui_casino.house.table_commands import HOUSE_WORDS
from tui_casino.inputs.errors import BadInput
from tui_casino.screen_reader import trainer
from tui_casino.screen_reader.voice import BACK, LEVELS, WORDS, speech_text

DRAWN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2500-\u259f\u2800-\u28ff\u2660-\u2667]")


@pytest.mark.parametrize("slug", sorted(path.stem for path in FOLDER.glob("*.txt")))
def test_visit_in_screen_reader_mode_prints_its_recorded_transcript(slug: str) -> None:
    assert played(slug) == transcript(slug).read_text()


def test_each_shipped_game_has_a_screen_reader_transcript() -> None:
    shipped = {"video-poker", "baccarat", "five-card-draw", "thirty-one", "cribbage"}
    assert shipped <= {path.stem for path in FOLDER.glob("*.txt")}


def test_documented_screen_reader_example_is_part_of_a_transcript() -> None:
    page = FOLDER.with_suffix(".md").read_text()
    shown = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    assert shown[1] in transcript("video-poker").read_text()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_screen_reader_output_has_no_drawings_and_no_cursor_movement(
    game: GameListing, tmp_path: Path
) -> None:
    number = str(GAMES.index(game) + 1)
    text = "\n".join(visited([number, "1", "?", "s", "a", "where am i", "q"], tmp_path))
    assert not DRAWN.findall(text)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_games_do_not_use_words_of_screen_reader_mode(game: GameListing) -> None:
    words = game.definition().words
    ours = WORDS | (trainer.WORDS - {trainer.ADVICE})  # it answers the word of the game itself
    assert not ours & {*words.verbs, *words.questions, *HOUSE_WORDS}
    assert not ours & set(BACK)


def test_screen_reader_verbosity_levels_equal_those_of_the_settings() -> None:
    assert (*LEVELS,) == VERBOSITIES


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Dealer: 10♥ K♠, 20", "Dealer: ten of hearts, king of spades, 20"),
        ("1) AD 2) 4S 3) TD", "1) ace of diamonds, 2) four of spades, 3) ten of diamonds"),
        ("Player: 2 of Spades,Queen of Spades (2)", "Player: 2 of Spades, Queen of Spades (2)"),
        ("  b 5    bet 1 to 5 credits", "b 5, bet 1 to 5 credits"),
        ("'10♠': no k♥ here", "'10 Spades': no k Hearts here"),
        ("│ A♠ │ won −5.00", "ace of spades, won minus 5"),
        ("⣿⣿⣀", None),
        ("-----+-----", None),
    ],
)
def test_symbols_in_a_screen_reader_line_are_written_as_words(line: str, said: str | None) -> None:
    assert speech_text(line) == said


def after(lines: list[str], typed: str) -> list[str]:
    """Give what was said to a line, up to the next one."""
    begin = lines.index(f"> {typed}") + 1
    end = next((at for at in range(begin, len(lines)) if lines[at].startswith(">")), len(lines))
    return lines[begin:end]


def test_repeat_command_prints_the_last_output_again(tmp_path: Path) -> None:
    lines = visited(["1", "1", "b 5", "d", "repeat", "again", "q"], tmp_path)
    assert after(lines, "repeat") == after(lines, "again") == after(lines, "d")


def test_menu_choice_is_made_by_name_and_invalid_numbers_are_refused(tmp_path: Path) -> None:
    lines = visited(["vid", "b", "0", "99", "", "q"], tmp_path)
    assert after(lines, "vid")[0] == "Chosen: Video poker"
    assert "0 is not one of the choices" in after(lines, "0")[0]
    assert "99 is not one of the choices" in after(lines, "99")[0]
    assert lines[-1] == "Goodbye."


def test_exact_menu_name_is_chosen_even_if_another_begins_with_it(tmp_path: Path) -> None:
    lines = visited(["practice", "drills", "q", "drills o", "b", "drill", "b", "q"], tmp_path)
    assert after(lines, "drills")[0] == "Chosen: Drills"
    assert after(lines, "drills o")[0] == "Chosen: Drills of one kind"
    assert after(lines, "drill")[0].startswith("drill is not one of the choices")


def test_screen_reader_question_is_printed_as_a_sentence(tmp_path: Path) -> None:
    lines = visited(["five", "2", "classic", "b", "b", "q"], tmp_path)
    assert after(lines, "classic")[1] == "How many opponents?"


def test_verbosity_changes_immediately_and_is_saved(tmp_path: Path) -> None:
    lines = visited(["short", "1", "1", "b 5", "d", "full", "$", "q", "q"], tmp_path)
    assert re.fullmatch(r"Your cards:(,? \d\) [2-9TJQKA][CDHS]){5}", after(lines, "d")[0])
    assert "You can:" in after(lines, "$")
    assert load(tmp_path / "settings.toml").verbosity == "full"


def test_menu_is_not_listed_after_a_table_that_was_opened_directly(tmp_path: Path) -> None:
    lines = visited(["b 5", "d"], tmp_path, game="video-poker")
    assert lines[-2].startswith("Your bet stays on the table"), "nobody can choose any more"
    lines = visited(["q", "more", "q"], tmp_path, game="video-poker")
    assert after(lines, "q")[-1] == "Menu. Type a number, or help for the list."
    assert after(lines, "more")[0].startswith("1. Video poker: ")
    assert lines[-1] == "Goodbye."


def test_bet_open_at_the_end_of_input_waits_and_can_be_resumed(tmp_path: Path) -> None:
    first = visited(["1", "1", "b 5", "d"], tmp_path)
    hand = after(first, "d")[0]
    assert first[-2:] == [
        "Your bet stays on the table: start the game again to resume.",
        "Goodbye.",
    ]
    second = visited(["1", "1", "h 1 2 3 4 5", "q", "q"], tmp_path)
    cards = re.sub(r"\d\) ", "", hand.removeprefix("Your cards: "))
    assert hand in second
    assert after(second, "h 1 2 3 4 5")[0] == f"Your final hand: {cards}"


def test_unfinished_cribbage_game_is_offered_for_resuming(tmp_path: Path) -> None:
    lines = visited(["5", "2", "5", "x 1 2", "q", "5"], tmp_path)
    assert "Your game is saved: start it again to resume." in after(lines, "q")
    assert any(
        re.fullmatch(r"1. Resume: 0 to \d+, .* crib, to 121, greedy", line) for line in lines
    )


def test_history_hides_the_hands_of_an_open_game_for_two(tmp_path: Path) -> None:
    """They sit at one keyboard, and the records are open to both."""
    typed = ["5", "2", "10", "", "x 1 2", "q", "records", "1", "", "", "b", "q"]
    lines = visited([*typed], tmp_path)
    (hand,) = {line.partition("1) ")[2] for line in lines if line.startswith("North: You have")}
    end = lines.index("Chosen: History")
    assert any(hand[:20] in line for line in lines[:end])
    assert not any(hand[:20] in line for line in lines[end:])
    assert any("Several people play here" in line for line in lines[end:])


def test_the_trainer_lists_each_choice_once_before_it_is_made(tmp_path: Path) -> None:
    typed = ["hit", "1", "trainer", "worth", "b 50", "no", "worth", "trainer", "ev", "values", "q"]
    lines = visited(typed, tmp_path)
    assert after(lines, "trainer")[0] == "The trainer is on."
    assert after(lines, "worth")[0] == "There is no choice to make now."
    choices = [line for line in after(lines, "b 50") if ", EV " in line]
    assert [line.partition(":")[0] for line in choices] == ["hit", "stand", "double"]
    assert choices[0].startswith("hit: best, EV ")
    assert after(lines, "no")[0] == "there is no command 'no'; type help for help"
    assert [*lines].count(choices[0]) == 4, "when it came, and when it was asked for, three times"


def test_trainer_says_if_choices_are_not_evaluated(tmp_path: Path) -> None:
    lines = visited(["bac", "1", "trainer", "q", "q"], tmp_path)
    assert after(lines, "trainer")[0] == "Choices are not evaluated in this game; a gives advice"


QUESTION = re.compile(r"\w\?( |$)")
"""A line that asks, and perhaps names keys; ``(? shows help)`` is none."""


@pytest.mark.parametrize(
    ("game", "typed"),
    [
        (
            "video",
            ["b 5", "yes", "t", "values", "why", "a", "?", "h 9", "zzz", "where", "full", "1"],
        ),
        ("five", ["yes", "t", "o", "?", "zzz", "where", "full", "a", "1"]),
        ("hit", ["full", "b 20", "t", "why", "o", "?", "zzz", "where", "more", "s"]),
        ("bac", ["bet 25 on player", "t", "why", "?", "zzz", "where", "short", "full", "deal"]),
        ("crib", ["t", "o", "more", "?", "zzz", "where", "a", "full", "1 2"]),
    ],
)
def test_question_is_the_last_line_whatever_was_said_before(
    game: str, typed: list[str], tmp_path: Path
) -> None:
    lines = visited([game, "1", *typed, "q", "q"], tmp_path, seed=55510)
    seated = next(place for place, line in enumerate(lines) if line.startswith("You sit down"))
    left = lines.index("> q")
    prompts = [n for n in range(seated, left + 1) if lines[n].startswith("> ")]
    assert [lines[n] for n in prompts if not QUESTION.search(lines[n - 1])] == []
    assert len(prompts) == len(typed) + 1
    answers = [lines[begin + 1 : end] for begin, end in pairwise(prompts)]
    assert [answer for answer in answers if answer.count(answer[-1]) > 1] == [], "asked once"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_each_figure_of_a_table_is_said_with_its_heading(game: GameListing, tmp_path: Path) -> None:
    typed = [str(GAMES.index(game) + 1), "1", "a", "stats", "s", "q", "q"]
    lines = visited(typed, tmp_path, seed=55510)
    told = [line for word in typed[2:5] for line in after(lines, word)]
    columns = re.compile(r"[^.:]*, [\d.]+%?(, [\d.]+%?)*")
    assert [line for line in told if columns.fullmatch(line)] == []
    assert all(after(lines, word) for word in typed[2:5]), "each is answered"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_replay_names_each_card_of_a_position_once(game: GameListing, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    copy_as_own(game, tmp_path / "logs" / "session.jsonl")
    lines = visited(["history", "1", "m", "where", "b", "b", "q"], tmp_path)
    for position in (after(lines, "m"), after(lines, "where")):
        shown = next((n for n, line in enumerate(position) if "that cost" in line), len(position))
        cards = re.findall(r"\w+ of (?:clubs|diamonds|hearts|spades)", "\n".join(position[:shown]))
        assert len({*cards}) == len(cards)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_help_at_a_table_lists_what_can_be_typed_now_then_the_rest_then_the_rules(
    game: GameListing, tmp_path: Path
) -> None:
    typed = [str(GAMES.index(game) + 1), "1", "?", *["more"] * 6, "q", "q"]
    lines = visited(typed, tmp_path, seed=55510)
    helped = lines[lines.index("> ?") : lines.index("> q")]
    said = [
        line
        for line in helped
        if not QUESTION.search(line) and not line.startswith((">", "Type more"))
    ]
    words = game.definition().words
    commands = [line.partition(":")[0].split()[0] for line in said if ": " in line]
    verbs = [word for word in commands if word in words.verbs]
    assert {*verbs} == {verb for verb in words.verbs if verb in commands} != set()
    leaves = next(place for place, line in enumerate(said) if line.startswith("q: leave"))
    rules = " ".join(said[leaves + 1 :])
    assert rules[:1].isupper(), "the rules follow"
    assert not any(f" {verb}: " in rules for verb in verbs if len(verb) > 1)
    assert not any(line.isupper() for line in said)
    assert helped.count("There is nothing more.") >= 1


def test_resumed_table_says_no_verdict_on_an_earlier_choice(tmp_path: Path) -> None:
    first = visited(["video", "1", "t", "b 5", "d", "h", "h", "b 5", "d"], tmp_path)
    assert sum("that cost" in line or "Right" in line for line in first) == 1
    second = visited(["video", "1", "q", "q"], tmp_path)
    assert "The trainer is on; t turns it off." in second
    assert not any("that cost" in line or "Right" in line for line in second)
    ask, cards = "Which cards do you hold?", "Your cards: "
    told = second[: second.index(ask)]
    assert max(n for n, line in enumerate(told) if line.startswith(cards)) < max(
        n for n, line in enumerate(told) if ", EV " in line
    ), "the cards, the EVs, and then the question"


def test_repeat_repeats_only_the_last_answer(tmp_path: Path) -> None:
    lines = visited(["1", "1", "b 5", "where", "usual", "repeat", "q", "q"], tmp_path)
    assert after(lines, "repeat") == after(lines, "usual")


def test_where_in_the_menu_says_the_balance(tmp_path: Path) -> None:
    assert "Ann: your balance is 1,000." in after(visited(["where", "q"], tmp_path), "where")


def test_client_seed_changes_the_cards_of_the_next_table(tmp_path: Path) -> None:
    one, other, none = (
        visited(["client seed", word, "1", "1", "b 5", "d", "h", "q", "q"], tmp_path / str(number))
        for number, word in enumerate(("any words", "others", ""))
    )
    (commitment,) = {after(lines, "client seed")[1] for lines in (one, other, none)}
    assert commitment.startswith("The commitment to the next shuffle is 72cd6e8422c4")
    assert any(line.endswith("; your client seed is mixed in.") for line in one)
    assert len({after(lines, "d")[0] for lines in (one, other, none)}) == 3
    plain = visited(["1", "1", "b 5", "d", "h", "q", "q"], tmp_path / "4")
    assert after(plain, "d") == after(none, "d")
    wrong = visited(["your word", "\udc80", "q"], tmp_path / "5")
    assert after(wrong, "\udc80")[0].startswith("Client seed: ")


def test_settings_chosen_by_number_in_screen_reader_mode_are_saved(tmp_path: Path) -> None:
    visited(["settings", "loss", "3", "name", "Bea", "b", "q"], tmp_path)
    settings = load(tmp_path / "settings.toml")
    assert (settings.loss_limit, settings.name) == (100, "Bea")


def test_unknown_limits_refuse_bets_until_the_player_sets_a_limit(tmp_path: Path) -> None:
    unknown = Settings(limits_unknown=True)
    refused = ["1", "1", "b 5", "q", "settings", "theme", "2", "b", "1", "1", "b 4", "q"]
    allowed = ["settings", "loss", "1", "b", "1", "1", "b 3", "d", "h", "q", "q"]
    lines = visited([*refused, *allowed], tmp_path, unknown)
    assert "your limits cannot be read" in after(lines, "b 5")[0]
    assert "your limits cannot be read" in after(lines, "b 4")[0]
    assert "limits" not in "".join(after(lines, "b 3"))
    assert any("hand" in line for line in after(lines, "h"))


WORDS_OF_NONE = (
    r"0 -1 99 1e9 \u00b2 \u0663 [bold]x {} %s '10\u2660' \u28ff\u2500 \x00\x7f \x1b[2J \udc80"
)
NONSENSE = (
    *WORDS_OF_NONE.encode().decode("unicode_escape").split(" "),
    *("", "   ", "\t", "\x1b]0;x\x07", "\u202eabc", "cards \x1b", "drill \x1b"),
    *("x" * 10_000, "9" * 10_000, "b 5" * 5_000, "b -5", "h 0 0 99", "x 1 1", "p 99999"),
)


def test_invalid_screen_reader_input_changes_nothing_and_is_answered(tmp_path: Path) -> None:
    deep = [["1"], ["1", "1"], ["b 5", "d"], ["h", "q", "records"], ["1"], ["b", "b", "practice"]]
    deep += [["3"], ["q", "b", "settings"], ["name"], ["b", "five", "2", "6", "1"], ["d"]]
    typed = [line for place in deep for line in (*place, *NONSENSE)]
    lines = visited(typed, tmp_path)
    spoken = [line for line in lines if not line.startswith("> ")]
    assert not [line for line in spoken if DRAWN.search(line) or not line.isprintable()]
    assert max(map(len, spoken)) < 2_000
    assert "Your bet stays on the table: start the game again to resume." in lines
    assert lines[-1] == "Goodbye."


# ---- who asks for lines --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "variable", "setting", "held"),
    [
        (None, None, False, None),
        (None, None, True, "your settings"),
        (None, "1", False, "TUI_CASINO_SCREEN_READER"),
        (None, "0", True, None),
        (True, "0", False, "--screen-reader"),
        (False, "1", True, None),
    ],
    ids=[
        "nothing on",
        "setting on",
        "variable on",
        "variable off, setting on",
        "option on, variable off",
        "option off, variable and setting on",
    ],
)
def test_screen_reader_option_overrides_variable_and_variable_setting(
    option: bool | None, variable: str | None, setting: bool, held: str | None
) -> None:
    environ = {} if variable is None else {"TUI_CASINO_SCREEN_READER": variable}
    args = Namespace(screen_reader=option, environ=environ)
    assert screen_reader_reason(args, Settings(screen_reader=setting)) == held


def test_invalid_screen_reader_variable_is_refused_with_valid_values() -> None:
    args = Namespace(screen_reader=None, environ={"TUI_CASINO_SCREEN_READER": "maybe"})
    with pytest.raises(BadInput, match="set it to 1 for on, or 0 for off"):
        screen_reader_reason(args, Settings())


def test_screen_reader_visit_loads_neither_textual_nor_rich_nor_numpy(tmp_path: Path) -> None:
    code = (
        "import sys; from tui_casino.cli import main; main(['--guest', '--screen-reader']);"
        "print({'textual', 'rich', 'numpy'} & {*sys.modules})"
    )
    environ = {**os.environ, "HOME": str(tmp_path)}
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, input="1\n1\nq\nq\n", capture_output=True, text=True, env=environ)
    assert done.stderr == ""
    assert done.stdout.splitlines()[-2:] == ["Goodbye.", "set()"]
    assert done.stdout.splitlines()[0].endswith("screen-reader mode, turned on by --screen-reader.")


def test_ctrl_c_ends_a_screen_reader_visit_with_a_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    class Keyboard:
        lines = iter(["b 5\n", "d"])

        def readline(self, limit: int = -1) -> str:
            try:
                return next(self.lines)
            except StopIteration:
                raise KeyboardInterrupt from None

    monkeypatch.setattr(sys, "stdin", Keyboard())
    assert [*typed_lines_without_prompt()] == ["b 5", "d"]


def test_table_that_cannot_be_opened_is_reported_in_the_menu(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    lines = visited(["1", "1", "q"], tmp_path)
    assert any("Cannot open this table: the log cannot be created" in line for line in lines)
    assert lines[-1] == "Goodbye."


def test_practice_finds_a_kind_of_position_by_its_words(tmp_path: Path) -> None:
    typed = ["practice", "2", "hit", "zzz", "hard 12 against A", "1", "where", "x" * 10_000, "q"]
    lines = visited(typed, tmp_path)
    assert after(lines, "hit")[-1].endswith("Enter chooses all, b goes back.")
    assert "zzz: no kind contains these words" in after(lines, "zzz")[0]
    assert after(lines, "hard 12 against A") == [
        "Which kind:",
        "1. hard 12 against A",
        "Type 1; b goes back",
    ]
    assert after(lines, "where")[:2] == ["You are in the practice room.", "Hit Me, a drill"]
    assert "s: stand" in after(lines, "where")
    assert max(map(len, after(lines, "x" * 10_000))) < 2_000
    assert "Menu:" not in after(lines, "q")
    assert lines[-1] == "Goodbye."
