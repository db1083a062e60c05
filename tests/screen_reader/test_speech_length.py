"""Screen-reader mode speaks in short pieces: lists, questions, verdicts and habits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.golden.write import copy_as_own
from tests.screen_reader.transcripts import visited
from tui_casino.gamekit.registry import DEFINITIONS, GAMES, GameListing, listing_of
from tui_casino.house.settings import Settings
from tui_casino.inputs.numbers import list_words
from tui_casino.screen_reader.voice import LEVELS, ROWS, SpokenRows, Verbosity, Voice


def after(lines: list[str], typed: str, count: int = 1) -> list[str]:
    """Return what was said after the given repetition of a typed line, up to the next one."""
    prompt = f"> {typed}".rstrip()
    place = [place for place, line in enumerate(lines) if line == prompt][count - 1] + 1
    rest = lines[place:]
    end = next((at for at, line in enumerate(rest) if line.startswith(">")), len(rest))
    return rest[:end]


def played(folder: Path, slug: str, *typed: str) -> list[str]:
    """Visit the house with the session of a game's golden log in the history."""
    listing = listing_of(slug)
    (folder / "logs").mkdir(parents=True)
    copy_as_own(listing, folder / "logs" / f"{slug}.jsonl")
    return visited(typed, folder)


# ---- lists ---------------------------------------------------------------------------------------


def spoken_lines(count: int, level: Verbosity, *typed: str) -> list[str]:
    said: list[str] = []
    voice = Voice(typed, said.append, level)
    voice.say_list(f"row {number}" for number in range(1, count + 1))
    said.extend("> a line" for _ in voice)
    return said


@pytest.mark.parametrize(
    ("count", "rows", "left"), [(0, 0, 0), (5, 5, 0), (6, 6, 0), (7, 5, 2), (75, 5, 70)]
)
def test_long_list_is_printed_five_rows_at_a_time(count: int, rows: int, left: int) -> None:
    said = spoken_lines(count, Verbosity.USUAL)
    assert said[:rows] == [f"row {number}" for number in range(1, rows + 1)]
    assert said[rows:] == ([f"Type more for {left} more."] if left else [])


def test_more_prints_the_next_rows_until_the_end_of_the_list() -> None:
    said = spoken_lines(12, Verbosity.USUAL, "more", "MORE", "more")
    assert said[6:11] == [f"row {number}" for number in range(6, 11)]
    assert said[11:] == ["Type more for 2 more.", "row 11", "row 12", "There is nothing more."]


def test_more_is_available_only_directly_after_a_list() -> None:
    assert spoken_lines(12, Verbosity.USUAL, "h 1", "more")[-1] == "There is nothing more."


def test_full_verbosity_prints_all_rows_of_a_list() -> None:
    assert {*ROWS} == {*LEVELS.values()}
    assert spoken_lines(12, Verbosity.FULL) == [f"row {number}" for number in range(1, 13)]


def test_full_verbosity_lists_the_commands_again_only_if_they_change(tmp_path: Path) -> None:
    typed = ["baccarat", "1", "b 25 p", "zzz", "b 5 t", "d", "q", "history", "1", "", "x", "b", "b"]
    lines = visited(typed, tmp_path, Settings(verbosity="full"))
    assert lines.count("You can:") == 3, "without a bet, with one, and after the coup"
    assert lines.count("p, previous step") == 1
    assert lines.count("Type a number from 1 to 2; b goes back") == 1


def test_short_verbosity_prints_results_without_descriptions(tmp_path: Path) -> None:
    play = ["video poker", "1", "b 5", "d", "h", "b 5", "d", "h 1", "q"]
    rooms = ["history", "b", "statistics", "b", "mistakes", "b", "practice", "b"]
    waiting = ["video poker", "1", "b 5", "d", "q", "help", "q"]
    lines = visited([*play, *rooms, *waiting], tmp_path, Settings(verbosity="short"))
    assert re.fullmatch(r"1. Video poker: (won|lost) .*, cashed out", after(lines, "history")[2])
    assert re.search(r": (won|lost) .* in 1 session$", after(lines, "statistics")[2])
    assert "1. Your mistakes: 2 waiting" in after(lines, "practice")
    assert after(lines, "help")[1].startswith("1. Video poker: waiting: ")
    assert after(lines, "help")[2] == "2. Baccarat"


def test_repeat_after_more_prints_only_the_last_rows() -> None:
    said = spoken_lines(12, Verbosity.USUAL, "more", "repeat")
    assert said[12:] == said[6:12]


def test_row_of_a_list_is_computed_only_when_it_is_printed() -> None:
    computed: list[int] = []

    def row(number: int) -> str:
        computed.append(number)
        return str(number)

    rows = SpokenRows([lambda number=number: row(number) for number in range(9)])  # type: ignore[misc]
    assert [*rows.take(5)] == [*"01234", "Type more for 4 more."]
    assert computed == [*range(5)]


def test_menu_choice_beyond_the_printed_rows_can_be_typed(tmp_path: Path) -> None:
    lines = visited(["7", "more", "statis", "q"], tmp_path)
    assert after(lines, "7")[0] == after(lines, "statis")[0] == "Chosen: Statistics"
    assert after(lines, "more")[0].startswith("6. History"), "more goes on where the list stopped"
    listed = visited(["x", "more", "more", "q"], tmp_path)
    assert after(listed, "more")[0].startswith("6. History")
    assert after(listed, "more")[-1] == "Type more for 4 more."
    assert after(listed, "more", 2)[-1] == "14. Quit"


def test_menu_after_a_table_is_one_line_and_back_does_not_quit(tmp_path: Path) -> None:
    lines = visited(["1", "1", "q", "b", "back", "help", "quit"], tmp_path)
    assert after(lines, "q")[-1] == "Menu. Type a number, or help for the list."
    assert after(lines, "b") == after(lines, "back") == ["This is the menu; q quits."]
    assert after(lines, "help")[:2][1].startswith("1. Video poker")
    assert lines[-2:] == ["> quit", "Goodbye."]


# ---- questions and words -------------------------------------------------------------------------

QUESTIONS = {
    "video-poker": (
        ["1", "1", "b 5", "d", "h"],
        ["How much do you bet, 1 to 5?", "Deal the cards? d deals.", "Which cards do you hold?"],
    ),
    "baccarat": (
        ["2", "1", "b 25 p", "d"],
        ["Bet, or deal without a bet?", "Deal, or bet more?", "Bet, or deal without a bet?"],
    ),
    "five-card-draw": (
        ["3", "2", "6", "1", "d", "c", "x 1", "k"],
        [
            *("Deal the first hand? d deals.", "Check or bet?", "Call 10, raise or fold?"),
            *("Which cards do you discard?", "Check or bet?"),
        ],
    ),
    "thirty-one": (
        ["4", "1", "b 50", "h", "s"],
        [
            "How much do you bet, 20 to 200?",
            *["Hit, stand or double for 50?"] * 2,
            "How much do you bet, 20 to 200? b repeats 50.",
        ],
    ),
}


@pytest.mark.parametrize("slug", QUESTIONS)
def test_each_turn_in_screen_reader_mode_begins_with_its_question(
    slug: str, tmp_path: Path
) -> None:
    typed, expected = QUESTIONS[slug]
    if slug == "five-card-draw":
        typed = [*typed[:5], "k", *typed[5:]]
    lines = visited(typed, tmp_path)
    asked = [
        line
        for line in lines
        if line.endswith(("?", "repeats 50.", "d deals.")) and "How they" not in line
    ]
    assert asked[: len(expected)] == expected


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["1", "1", "5"], "You bet 5 credits."),
        (["4", "1", "20"], "You bet 20"),
        (["5", "1", "2 1"], "You give ace of "),
        (["5", "1", "1 2", "1"], "You play ten of diamonds: "),
    ],
    ids=["bet credits", "bet dollars", "discard", "play a card"],
)
def test_typed_number_alone_answers_the_question_of_a_turn(
    typed: list[str], said: str, tmp_path: Path
) -> None:
    lines = visited([*typed, "", "q"], tmp_path, seed=55510)
    answer = after(lines, typed[-1], typed.count(typed[-1]))
    assert answer[0].startswith(said)
    if "insurance" not in answer[-1].lower():
        assert after(lines, "")[0] == answer[-1], "an empty line repeats the question"


def test_number_that_no_action_accepts_is_refused_in_screen_reader_mode(tmp_path: Path) -> None:
    lines = visited(["1", "1", "6", "0", "5", "3", "q", "q"], tmp_path)
    for number in ("6", "0", "3"):
        assert after(lines, number)[0].startswith(f"{number}: there is no such command")


def test_video_poker_numbers_the_cards_and_says_what_a_hand_wins(tmp_path: Path) -> None:
    lines = visited(["1", "1", "5", "d", "1 2 3 4 5", "q"], tmp_path)
    assert all(f"{place}) " in after(lines, "d")[0] for place in range(1, 6))
    result = after(lines, "1 2 3 4 5")[1]
    assert result.startswith("No win; your credit is ") or ": you win " in result


def test_cribbage_asks_for_two_cards_then_for_a_playable_one_then_for_go(tmp_path: Path) -> None:
    lines = visited(["5", "1", "x 1 2", "p 1", "g"], tmp_path, seed=55510)
    assert lines[lines.index("> x 1 2") - 1] == "Which two cards do you discard to your crib?"
    assert after(lines, "x 1 2")[-1] == (
        "Which card do you play: 1) ten of diamonds, 2) jack of spades, 3) queen of hearts or "
        "4) king of clubs?"
    )
    assert after(lines, "p 1")[-1] == "You must say go."
    assert sum("Which two cards" in line for line in lines) == 1


def test_question_of_a_turn_is_printed_again_after_an_undo(tmp_path: Path) -> None:
    lines = visited(["4", "1", "b 50", "h", "u", "q"], tmp_path, seed=1)
    assert after(lines, "u")[-1] == after(lines, "b 50")[-1]
    assert after(lines, "u")[-1].startswith("Hit, stand")


def test_second_player_sees_no_cards_before_confirming(tmp_path: Path) -> None:
    typed = ["5", "2", "10", "", "x 1 2", "where", "", "q", "q"]
    lines = visited(typed, tmp_path)
    assert lines[lines.index("> x 1 2") - 1].startswith("Which two cards do you discard to your")
    assert not any("Your cards" in line for line in after(lines, "where"))


def test_hit_at_hit_me_prints_only_the_new_card(tmp_path: Path) -> None:
    lines = visited(["4", "1", "b 50", "h", "s", "q"], tmp_path)
    assert after(lines, "b 50")[1:3] == [
        "You: king of spades, hard 10",
        "Dealer: jack of hearts, hard 10",
    ]
    assert after(lines, "h")[0] == "You get nine of diamonds: hard 19"
    assert after(lines, "s")[1:4] == [
        "Dealer gets queen of clubs: hard 20",
        "Dealer gets five of spades: hard 25",
        "Dealer gets king of hearts: 35, bust",
    ]


PHRASES = [
    ("five-card-draw", "discard 1 and 3", "x 1 3"),
    ("five-card-draw", "stand pat", "x"),
    ("five-card-draw", "Check", "k"),
    ("video-poker", "hold cards 1, 2", "h 1 2"),
    ("video-poker", "hold nothing", "h"),
    ("cribbage", "go", "g"),
    ("cribbage", "say go", "g"),
    ("cribbage", "play 3", "p 3"),
    ("thirty-one", "insurance", "i"),
    ("thirty-one", "decline insurance", "n"),
    ("baccarat", "bet 25 p", "b 25 p"),
    ("baccarat", "b 25 p", "b 25 p"),
    ("cribbage", "nonsense 3", "nonsense 3"),
]


@pytest.mark.parametrize(("slug", "typed", "command"), PHRASES)
def test_command_may_be_typed_as_a_word_instead_of_a_letter(
    slug: str, typed: str, command: str
) -> None:
    assert DEFINITIONS[slug].words.spoken.as_command(typed) == command


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_game_has_full_spoken_phrases_for_all_its_commands_or_none(game: GameListing) -> None:
    words = game.definition().words
    assert {*words.spoken.phrases} in ({*words.verbs}, set()), "all of them or none"
    for phrase in words.spoken.phrases.values():
        assert len(phrase.do) > 1
        assert len(phrase.did) > 1


def test_commands_are_described_as_english_phrases() -> None:
    draw, poker = (DEFINITIONS[slug].words.spoken for slug in ("five-card-draw", "video-poker"))
    assert draw.describe("x AC 5C", past=True) == "discarded AC and 5C"
    assert draw.describe("x") == "stand pat"
    assert draw.describe("r", past=True) == "raised"
    assert poker.describe("h AC 5C 6C") == "hold AC, 5C and 6C"
    assert poker.describe("h", past=True) == "held nothing"
    assert list_words([]) == ""


# ---- verdicts, habits and statistics -------------------------------------------------------------


def test_trainer_warns_once_before_a_costly_choice(tmp_path: Path) -> None:
    typed = ["hit", "1", "t", "b 50", "stand", "hit", "stand", "stand", "q", "q"]
    lines = visited(typed, tmp_path)
    (warning, *_), (again, *_) = after(lines, "stand"), after(lines, "stand", 2)
    assert re.fullmatch(r"That costs \d+\.\d\d credits\. Best: hit\. Type it again .*", warning)
    assert again.startswith("That costs "), "another choice was made in between"
    assert after(lines, "stand", 3)[1].startswith("You stand on ")


@pytest.mark.parametrize(
    ("deal", "forms"),
    [
        (["video", "1", "t", "b 5", "d"], ["h 2", "hold 2", "2"]),
        (["video", "1", "t", "b 5", "d"], ["h 1 2", "hold 1 and 2", "2 1", "1 2"]),
        (["five", "1", "t", "d"], ["x 1 2 3", "discard 1 2 3", "3 2 1", "1 2 3"]),
    ],
    ids=["one card held", "two cards held", "cards discarded"],
)
def test_trainer_warns_of_a_costly_choice_however_it_is_typed(
    deal: list[str], forms: list[str], tmp_path: Path
) -> None:
    warnings = set()
    for n, form in enumerate(forms):
        lines = visited([*deal, form, form, "q", "q"], tmp_path / str(n))
        warnings.add(after(lines, form)[0])
        assert not after(lines, form, 2)[0].startswith("That costs"), "it was typed again"
    (warning,) = warnings
    assert re.fullmatch(r"That costs \d\.\d\d credits\. Best: .* Type it again .*", warning)


def test_why_and_values_explain_the_last_choice_at_a_table(tmp_path: Path) -> None:
    lines = visited(["hit", "1", "why", "b 50", "stand", "why", "values", "q", "q"], tmp_path)
    assert after(lines, "why")[0] == "The trainer has not judged any of your choices yet."
    verdict, *reasons = after(lines, "why", 2)
    assert verdict.startswith("You stood; that cost ")
    assert verdict.endswith(" credits. Best: hit.")
    assert 1 <= len(reasons) <= 4
    head, best, *others = after(lines, "values")
    assert head == "Your last choice:"
    assert best.startswith("hit: best, EV ")
    assert any(line.startswith("stand: costs ") for line in others)


def test_mistakes_menu_leads_from_habits_to_kinds_to_mistakes(tmp_path: Path) -> None:
    lines = played(tmp_path, "thirty-one", "mistakes", "1", "1", "1", "b", "b", "b", "b", "q")
    habits = after(lines, "mistakes")
    assert habits[0] == "Chosen: Mistakes"
    assert habits[1].startswith("Sessions: ")
    assert habits[2].startswith("Your costliest habit: ")
    assert habits[3].startswith("You ")
    assert habits[4] == "Habits, costliest first:"
    assert len(habits) <= 5 + 6 + 2
    assert not any("Player 0" in line for line in lines)
    inside = after(lines, "1")
    assert re.match(r"\d+ mistakes? costs? [\d.]+ bets per 100 rounds, with an error of", inside[1])
    assert inside[2].startswith("You ")
    assert inside[3].startswith("Each mistake costs ")
    assert all(
        len(after(lines, "b", count)) == 1
        for count in range(1, 4)
        if "Menu" not in after(lines, "b", count)[-1]
    ), "a single line says where the player is again"


def test_practice_prints_verdict_and_reason_after_the_choice_only(tmp_path: Path) -> None:
    typed = ["practice", "1", "why", "values", "h", "values", "why", "q", "b", "q"]
    lines = played(tmp_path, "video-poker", *typed)
    assert any(line.startswith("Your costliest habit: ") for line in after(lines, "practice"))
    assert after(lines, "why") == ["why: choose first; then why tells you more about your choice"]
    assert not any(", EV " in line for line in after(lines, "h"))
    assert after(lines, "h")[0].endswith("held nothing, the best choice.") or after(lines, "h")[
        0
    ].startswith("You held nothing; that cost ")
    values = after(lines, "values", 2)
    assert len(values) == 6
    assert values[0].startswith("hold ")
    assert ": best, EV " in values[0]
    assert any(line.startswith("hold nothing: ") and ", your choice" in line for line in values[:3])
    assert after(lines, "why", 2)[0] == after(lines, "h")[0]


def test_guess_in_a_replay_hides_the_choice_until_the_player_chooses(tmp_path: Path) -> None:
    typed = ["history", "1", "guess", "nonsense", "hold 1 and 2", "guess", "", "b", "b", "q"]
    lines = played(tmp_path, "video-poker", *typed)
    position = after(lines, "guess")
    assert "Your cards: 1) " in position[2]
    assert not any("cost" in line or line.startswith("In the session") for line in position)
    verdict = after(lines, "hold 1 and 2")
    assert verdict[0].startswith(("You held ", "Right: you held "))
    assert verdict[-1].startswith("In the session you ")
    assert after(lines, "")[0].startswith("In the session you ")


def test_guess_in_a_replay_has_help_and_is_left_with_b(tmp_path: Path) -> None:
    typed = ["history", "1", "guess", "?", "b", "b", "b", "q"]
    lines = played(tmp_path, "video-poker", *typed)
    help_lines = after(lines, "?")
    assert any("hold" in line for line in help_lines)
    assert help_lines[-1].endswith("b goes back.")
    assert after(lines, "b")[0].startswith("You do not guess. You are at step ")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_replay_by_ear_names_each_step_that_it_skips(game: GameListing, tmp_path: Path) -> None:
    lines = played(tmp_path, game.slug, "history", "1", *[""] * 20, "b", "b", "q")
    named = [0]
    for line in lines:
        if found := re.match(r"Steps? (\d+)(?: to (\d+))?:", line):
            named += range(int(found[1]), int(found[2] or found[1]) + 1)
    assert named == [*range(len(named))]
    assert len(named) > 20


def test_history_row_of_a_game_for_points_begins_with_result_and_score(tmp_path: Path) -> None:
    lines = played(tmp_path, "cribbage", "history", "b", "q")
    row = after(lines, "history")[2]
    state = row.partition(": ")[2]
    assert re.match(r"left, \d+ to \d+", state), "the golden session does not end its game"


def test_statistics_print_the_result_and_details_when_chosen(tmp_path: Path) -> None:
    lines = visited(["2", "1", "b 25 p", "d", "q", "statistics", "1", "b", "q"], tmp_path)
    rows = after(lines, "statistics")
    assert rows[2].startswith("1. Baccarat, for money: ")
    assert after(lines, "1", 2)[1:3] == ["Sessions: 1.", "Rounds: 1."]


def test_short_verbosity_prints_evs_with_sign_and_letters(tmp_path: Path) -> None:
    lines = visited(["hit", "1", "b 50", "ev", "q"], tmp_path, Settings(verbosity="short"))
    assert any("EV -" in line for line in after(lines, "ev"))


def test_question_for_each_hand_of_a_split_names_the_hand(tmp_path: Path) -> None:
    typed = ["hit me", "1", "b 20", "h", "p", "where am i", "s", "q"]
    lines = visited(typed, tmp_path, seed=12)
    assert after(lines, "p")[-1] == "Hand 1 of 2, hard 6: Hit, stand or double for 20?"
    assert "hand 1 to play" in after(lines, "where am i")[1]
    assert after(lines, "s")[-1] == "Hand 2 of 2, soft 15: Hit, stand or double for 20?"


def test_where_command_names_bets_and_last_outcomes_at_baccarat(tmp_path: Path) -> None:
    typed = ["baccarat", "1", "d", "b 25 p", "b 10 bp", "where am i", "q", "q"]
    lines = visited(typed, tmp_path, seed=1)
    winner = next(line for line in after(lines, "d") if "wins" in line or line == "Tie.").split()[0]
    told = after(lines, "where am i")
    assert told[2] == f"Your bets: 25 Player, 10 Banker pair. Last outcomes: {winner}"
    assert any(
        line.endswith("pp player pair, bp banker pair; betting again adds to the bet")
        for line in told
    )


def test_trainer_stays_on_at_the_next_table_of_the_game(tmp_path: Path) -> None:
    lines = visited(["hit me", "1", "t", "q", "hit me", "1", "t", "q", "hit me", "1"], tmp_path)
    assert lines.count("The trainer is on; t turns it off.") == 1
    assert after(lines, "t")[0] == "The trainer is on."


def test_trainer_judges_a_choice_made_after_an_undo(tmp_path: Path) -> None:
    typed = ["cribbage", "1", "t", "x 1 2", "u", "x 3 4", "x 3 4", "q", "q"]  # the first one warns
    lines = visited(typed, tmp_path, seed=5)
    assert any("discarded" in line for line in after(lines, "x 1 2"))
    verdicts = [line for line in lines if re.match("(Right: y|Y)ou discarded", line)]
    assert len(verdicts) == 2


def test_b_at_the_name_setting_goes_back_without_changing_the_name(tmp_path: Path) -> None:
    lines = visited(["settings", "name", "b", "name", "help", "b", "q"], tmp_path)
    assert not [line for line in lines if line.startswith("Your name is")]


def test_where_command_names_the_cribbage_hand_to_count(tmp_path: Path) -> None:
    typed = [
        "cribbage",
        "2",
        "3",
        "x 1 2",
        *["p 1", "p 2", "p 3", "p 4", "g"] * 4,
        "where am i",
        "q",
    ]
    lines = visited(typed, tmp_path, seed=5)
    told = after(lines, "where am i")
    assert any(re.match("(Hand|Crib) to count: .*, starter ", line) for line in told)


def test_sessions_that_count_are_named_with_the_games_for_points(tmp_path: Path) -> None:
    typed = ["video poker", "1", "b 5", "d", "h", "q", "practice", "other", "b", "q"]
    lines = visited(typed, tmp_path)
    now = "now for money or for points; next free play or for points"
    assert any(line.endswith(f"Other sessions: {now}") for line in after(lines, "practice"))
    assert any("free play or for points" in line for line in after(lines, "other"))
    lines = visited(["cribbage", "1", "where", "q", "q"], tmp_path)
    assert any(line.endswith(", for points.") for line in after(lines, "1"))
    assert after(lines, "where")[0].endswith(", for points.")


def test_cribbage_round_left_before_its_end_is_neither_won_nor_tied(tmp_path: Path) -> None:
    typed = ["cribbage", "1", "x 1 2", "u", "x 1 2", "q", "history", "b", "statistics", "b", "q"]
    lines = visited(typed, tmp_path, seed=55510)
    first, second = sorted(row[3:] for row in after(lines, "history")[2:4])
    assert after(lines, "history")[1] == "History, 1 session + 1 taken back:"
    assert first.startswith("Cribbage: left, 0 to 0")
    assert second.startswith("Cribbage: taken back, 0 to 0")
    assert "1. Cribbage, for points: 0 of 1 session won" in after(lines, "statistics")
