"""Mistakes are put to a player again, and drills: the model, the queue, the console."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from tests.golden.write import copy_as_own
from tests.helpers.command_runner import output
from tests.helpers.narrow import not_none
from tests.helpers.quick_cases import by_game_first
from tests.helpers.random_play import seed_of
from tests.teacher.test_mistakes import studied
from tui_casino.cards.card import BACK, card_symbols, format_cards
from tui_casino.cards.poker import sort_for_display
from tui_casino.engine.chance import CommittedSource
from tui_casino.engine.croupier import ShuffledShoe
from tui_casino.engine.game import Seat, is_asked
from tui_casino.gamekit.adviser import Mistake, MistakeKind
from tui_casino.gamekit.registry import DEFINITIONS as ALL
from tui_casino.gamekit.registry import GAMES, GameListing, listing_of
from tui_casino.gamekit.verdict import gerund
from tui_casino.games.five_card_draw.machine.rules import kept_cards
from tui_casino.games.five_card_draw.machine.state import Discard
from tui_casino.games.thirty_one.machine import state
from tui_casino.games.thirty_one.machine.rules import Rules
from tui_casino.games.thirty_one.machine.state import Options
from tui_casino.house.sitting import House, begin_sitting
from tui_casino.inputs.errors import BadInput
from tui_casino.inputs.numbers import list_words
from tui_casino.records.cache import Cache
from tui_casino.records.codec import encode
from tui_casino.records.log_catalog import list_logs
from tui_casino.records.summaries import WrittenDecision
from tui_casino.screen_reader.practice import FIRST, Practice
from tui_casino.structs import replace
from tui_casino.teacher.drills import (
    DrillTarget,
    deal_position,
    draw_target,
    position_with_cards,
    score_answers,
    weigh_targets,
)
from tui_casino.teacher.leaks import CostRate, Leak
from tui_casino.teacher.mistake_queue import (
    DAY_MILLISECONDS,
    AnswerFile,
    MistakeQueue,
    PracticeAnswer,
    count_correct_days,
)
from tui_casino.teacher.mistakes import ReviewedSitting, review_sittings
from tui_casino.teacher.positions import (
    AnyPracticePosition,
    position_before_mistake,
    weigh_choice,
)
from tui_casino.teacher.practice_tasks import (
    CardsRequest,
    DrillRequest,
    MistakeRequest,
    TaskScheduler,
    earlier_action,
    practice_reasons,
)

Capture = pytest.CaptureFixture[str]
ME = "ann"
QUICK = by_game_first("video-poker")
"""The other judges take longer."""
NOON = 20_000 * DAY_MILLISECONDS


def answer(
    at: int = NOON, *, right: bool = True, step: int = 9, log: str = "1.jsonl"
) -> PracticeAnswer:
    return PracticeAnswer(ME, at, "game", "a", log, step, right, 0.0, 2.0)


def queue_of(*slugs: str, folder: Path, answers: AnswerFile | None = None) -> MistakeQueue:
    """Give the queue of a player whose sittings are golden ones."""
    for slug in slugs:
        listing = listing_of(slug)
        copy_as_own(listing, folder / f"{slug}.jsonl")
    queue = MistakeQueue(answers or AnswerFile(None, ME))
    for each in review_sittings(list_logs(folder, ALL, {}), ALL, Cache(None)):
        if isinstance(each, ReviewedSitting):
            queue.add(each)
    return queue


def tasks_of(queue: MistakeQueue, now: int = NOON) -> TaskScheduler:
    return TaskScheduler(
        ALL, queue, Cache(None), lambda: now, CommittedSource(seed_of(1)).dice("x")
    )


def best_of(at: AnyPracticePosition) -> Any:
    worths = not_none(at.definition.adviser.action_values)
    return worths(at.view, at.seat)[0].action


# ---- what was answered ---------------------------------------------------------------------------


def test_practice_answers_are_stored_per_player(tmp_path: Path) -> None:
    path = tmp_path / "state" / "answers.jsonl"
    assert AnswerFile(path, ME).add(answer()) == ""
    AnswerFile(path, "bob").add(replace(answer(right=False), player="bob"))
    with path.open("ab") as file:
        file.write(b'{"cut off')
    AnswerFile(path, ME).add(answer(step=10))
    assert [one.step for one in AnswerFile(path, ME).all()] == [9, 10]
    assert [one.right for one in AnswerFile(path, "bob").all()] == [False]
    assert path.stat().st_mode & 0o777 == 0o600


def test_practice_answer_that_cannot_be_stored_counts_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.mkdir()
    answers = AnswerFile(path, ME)
    assert answers.add(answer()) == "Is a directory"
    assert len(answers.all()) == 1


def test_only_the_first_practice_answer_of_a_day_counts() -> None:
    key = answer().key
    assert count_correct_days([answer(), answer(NOON + 5)])[key] == 1
    assert count_correct_days([answer(), answer(NOON + DAY_MILLISECONDS)])[key] == 2
    assert count_correct_days([answer(right=False), answer(NOON + 1)])[key] == 0
    assert (
        count_correct_days(
            [
                answer(),
                answer(NOON + DAY_MILLISECONDS, right=False),
                answer(NOON + 2 * DAY_MILLISECONDS),
            ]
        )[key]
        == 2
    )
    assert not count_correct_days([answer(log="")]), "a drill is no mistake"


def test_mistake_answered_right_on_two_days_leaves_the_queue() -> None:
    answers = AnswerFile(None, ME)
    queue = MistakeQueue(answers)
    queue.add(studied(1, 10, {1: 6, 2: 8}))
    assert [one.cost for one in queue.pending()] == [4, 3]
    first, second = (one.mistake for one in queue.pending())
    assert first.step == second.step == 9, "one log, one step: the key is shared in this sketch"
    answers.add(answer())
    assert [one.days for one in queue.pending()] == [1, 1]
    answers.add(answer(NOON + DAY_MILLISECONDS))
    assert not queue.pending()
    (pile,) = queue.groups()
    assert (pile.pending, pile.learned, pile.cost) == (0, 2, 0)


def test_groups_of_mistakes_are_sorted_costliest_first_and_filtered() -> None:
    queue = MistakeQueue(AnswerFile(None, ME))
    cheap = studied(1, 10, {1: 2})
    mistake = replace(
        cheap.mistakes[0], mistake=Mistake(Fraction(9), "y", MistakeKind("c", "d")), step=11
    )
    queue.add(replace(cheap, mistakes=(*cheap.mistakes, mistake)))
    assert [(str(pile.kind), pile.cost) for pile in queue.groups()] == [("c: d", 4.5), ("a: b", 1)]
    assert [(pile.pending, pile.cost) for pile in queue.games()] == [(2, 5.5)]
    assert [one.mistake.step for one in queue.pending(kind=MistakeKind("a", "b"))] == [9]
    assert not queue.pending("another")
    assert not queue.groups("another")


# ---- positions -----------------------------------------------------------------------------------


@QUICK
def test_practice_evaluates_a_mistake_as_in_its_session(
    listing: GameListing, tmp_path: Path
) -> None:
    queue = queue_of(listing.slug, folder=tmp_path)
    definition = listing.definition()
    for one in queue.pending()[:3]:
        mistake = one.mistake
        at = position_before_mistake(definition, mistake, Cache(None))
        assert is_asked(definition.game.turn(at.view), at.seat)
        done = [
            way.action
            for way in definition.adviser.action_values(at.view, at.seat)  # type: ignore[misc]
            if definition.format_action(at.view, at.seat, way.action) == mistake.action
        ]
        decision = not_none(weigh_choice(at, done[0]))
        assert decision.mistake is not None
        assert decision.cost == mistake.cost
        assert definition.format_action(at.view, at.seat, decision.best) == mistake.best
        assert (decision.kind, decision.action) == (mistake.kind, done[0])
        again = not_none(weigh_choice(at, decision.best))
        assert again.mistake is None
        assert again.cost == 0


@QUICK
def test_drills_pose_positions_of_the_requested_kind(
    listing: GameListing, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition = listing.definition()
    positions, kind = definition.positions, definition.adviser.kind
    assert (positions is None) == (not definition.adviser.has_judge)
    if positions is None or kind is None:
        return
    options = definition.game.Options()
    anywhere = not_none(deal_position(definition, options, None, CommittedSource(seed_of(2))))
    spot = positions.situation(anywhere.view, anywhere.seat)
    assert spot in positions.situations()
    at = not_none(deal_position(definition, options, spot, CommittedSource(seed_of(3))))
    assert at != anywhere
    best = best_of(at)
    assert kind(at.view, at.seat, best, best).spot == positions.situation(at.view, at.seat) == spot
    assert positions.describe(at.view, at.seat)
    monkeypatch.setattr("tui_casino.teacher.drills.MOST_CHOICES_TRIED", 20)
    assert deal_position(definition, options, "no such spot", CommittedSource(seed_of(4))) is None


TYPED = {
    "video-poker": ("KS kd 9S 6S 2S", "Your cards: 1) KS 2) KD 3) 9S 4) 6S 5) 2S"),
    "cribbage": ("KS KC 8D 7H 4D AH other", "1) AH 2) 4D 3) 7H 4) 8D 5) KC 6) KS"),
    "thirty-one": ("10s 4D against TC", "Your hand: TS 4D, 14"),
    "five-card-draw": ("9S 9D 8S 6H 2S", "1) 9S 2) 9D 3) 8S 4) 6H 5) 2S"),
}


@pytest.mark.parametrize("slug", TYPED)
def test_typed_cards_become_a_practice_position_or_are_refused(slug: str) -> None:
    definition = ALL[slug]
    text, told = TYPED[slug]
    at = position_with_cards(
        definition, definition.game.Options(), text, CommittedSource(seed_of(5))
    )
    assert at is not None
    assert definition.positions is not None
    assert told in " ".join(definition.positions.describe(at.view, at.seat))
    assert is_asked(definition.game.turn(at.view), at.seat)
    for wrong in ("", "XX", f"{text} AS AS AS"):
        with pytest.raises(BadInput):
            position_with_cards(definition, definition.game.Options(), wrong)


# ---- where drills are drawn ----------------------------------------------------------------------


def leak(kind: str, cost: float, error: float, game: str = "game") -> Leak:
    here = CostRate(cost, error)
    return Leak(game, MistakeKind(kind, "done"), 3, here, 100, "bets", here, here)


def test_drills_are_weighted_by_cost_and_certainty() -> None:
    """By hand: 4 with an error of 3 counts 4 * 16 / 25, 3 without one counts all of it."""
    found = weigh_targets([leak("unsure", 4, 3), leak("sure", 3, 0), leak("free", 0, 0)])
    assert [(aim.spot, aim.weight) for aim in found] == [("sure", 3), ("unsure", 2.56)]
    both = weigh_targets([leak("sure", 1, 0), leak("sure", 2, 0)])
    assert [aim.weight for aim in both] == [3], "what was done there is all one"


def test_drill_targets_are_drawn_in_proportion_to_their_weight() -> None:
    dice = CommittedSource(seed_of(6)).dice("aims")
    among = [DrillTarget("game", "a", 3), DrillTarget("game", "b", 1)]
    count = sum(draw_target(among, dice).spot == "a" for _ in range(400))
    assert 260 < count < 340  # 300, and 4.6 standard deviations of 8.7


def test_practice_score_counts_right_answers_and_mean_seconds() -> None:
    assert (score_answers([]).count, score_answers([answer(), answer(right=False)]).correct) == (
        0,
        1,
    )
    assert score_answers([answer(), answer()]).seconds == 2


# ---- one after the other -------------------------------------------------------------------------


def test_practice_asks_costliest_mistakes_first_and_each_once(tmp_path: Path) -> None:
    tasks = tasks_of(queue_of("video-poker", folder=tmp_path))
    every = tasks.queue.pending()
    put = [tasks.next(MistakeRequest()) for _ in range(len(every) + 1)]
    mistakes = [task.mistake for task in put if task is not None]
    assert mistakes[:-1] == [one.mistake for one in every]
    assert mistakes[-1] == mistakes[0]
    assert tasks.next(MistakeRequest(words="no such words")) is None
    assert tasks.next(MistakeRequest("cribbage")) is None


def test_practice_marks_a_mistake_learned_after_two_days(tmp_path: Path) -> None:
    queue = queue_of("video-poker", folder=tmp_path)
    count = len(queue.pending())
    for day in (1, 2):
        tasks = tasks_of(queue, NOON + day * DAY_MILLISECONDS)
        task = not_none(tasks.next(MistakeRequest()))
        assert task.mistake is not None
        verdict = not_none(weigh_choice(task.position, best_of(task.position)))
        assert verdict.mistake is None
        assert tasks.answer(task, verdict, 1.5) == ""
        assert ("learned" in tasks.next_review(task.mistake)) == (day == 2)
    assert len(queue.pending()) == count - 1


def test_mistake_answered_right_is_not_asked_again_that_day(tmp_path: Path) -> None:
    queue, now = queue_of("video-poker", folder=tmp_path), [NOON]
    queue = replaying(queue, lambda: now[0])
    before, waited = len(queue.pending()), sum(pile.pending for pile in queue.groups())
    first = queue.pending()[0].mistake
    tasks = TaskScheduler(
        ALL, queue, Cache(None), lambda: now[0], CommittedSource(seed_of(1)).dice("x")
    )
    task = not_none(tasks.next(MistakeRequest()))
    assert task.mistake == first
    verdict = not_none(weigh_choice(task.position, best_of(task.position)))
    tasks.answer(task, verdict, 1.5)
    assert tasks.next_review(first) == "right once: it comes back another day"
    again = TaskScheduler(
        ALL, queue, Cache(None), lambda: now[0], CommittedSource(seed_of(1)).dice("x")
    )
    following = not_none(again.next(MistakeRequest()))
    assert following.mistake != first
    assert len(queue.pending()) == before - 1
    assert sum(pile.pending for pile in queue.groups()) == waited - 1
    now[0] += DAY_MILLISECONDS
    assert queue.pending()[0].mistake == first
    assert sum(pile.pending for pile in queue.groups()) == waited


def replaying(queue: MistakeQueue, clock: Callable[[], int]) -> MistakeQueue:
    found = MistakeQueue(queue.answers, clock)
    for each in queue.sittings:
        found.add(each)
    return found


def stood_on_everything(folder: Path, *sessions: tuple[Rules, int]) -> MistakeQueue:
    """Play Hit Me in several sessions, standing on each first card; return the mistakes."""
    listing = listing_of("thirty-one")
    definition, ticks = listing.definition(), count(NOON)
    for rules, rounds in sessions:
        house = House(folder, None, ME, clock=lambda: next(ticks))
        options = definition.game.sit(Options(rules=rules), 100_000 // definition.game.unit)
        source = CommittedSource(seed_of(1))
        sitting = begin_sitting(house, definition, options, ShuffledShoe(), source, {Seat(0): None})
        table = sitting.table
        while sitting.dialogue.tally.rounds < rounds:
            if not table.waiting:
                table.advance()
                continue
            able = [
                one
                for one in definition.game.offers(table.view(Seat(0)), Seat(0))
                if not one.barred
            ]
            wanted = (state.Bet(20), state.Stand(), state.Decline())
            table.submit(Seat(0), next(a for a in wanted if any(o.contains(a) for o in able)))
        if not rounds:  # without a bet no log would be kept
            table.run()
            table.submit(Seat(0), state.Bet(20))
        sitting.leave()
    queue = MistakeQueue(AnswerFile(None, ME))
    for each in review_sittings(list_logs(folder, ALL, {}), ALL, Cache(None)):
        if isinstance(each, ReviewedSitting):
            queue.add(each)
    return queue


def test_drill_has_the_rules_of_the_mistake_and_not_of_the_last_table(tmp_path: Path) -> None:
    usual, other = Rules(), Rules(double_two_cards=True)
    queue = stood_on_everything(tmp_path, (usual, 6), (other, 0))
    spot = queue.pending()[0].mistake.kind.spot
    tasks = tasks_of(queue)
    drill = not_none(tasks.next(DrillRequest("thirty-one", spot)))
    assert drill.position.view.options.rules == usual
    elsewhere = tasks.next(DrillRequest("thirty-one", "insurance"))
    assert elsewhere is None or elsewhere.position.view.options.rules == other


def test_hit_me_drill_is_dealt_from_the_shoe_of_a_mistake(tmp_path: Path) -> None:
    queue = stood_on_everything(tmp_path, (Rules(), 9))
    definition = ALL["thirty-one"]
    late = max(queue.pending(), key=lambda one: one.mistake.step).mistake
    alike = [one.mistake for one in queue.pending() if one.mistake.kind.spot == late.kind.spot]
    left = [position_before_mistake(definition, one, Cache(None)).view for one in alike]
    assert any(len(view.discards) > 8 for view in left), "the shoe is not new"
    drill = not_none(tasks_of(queue).next(DrillRequest("thirty-one", late.kind.spot)))
    view = drill.position.view
    assert view.discards in [one.discards for one in left]
    shown = [*view.discards, *view.hands[0].cards, *view.dealer]
    assert view.stock == 104 - len(shown)
    assert max(map(shown.count, shown)) <= 2, "two packs"


def test_practice_question_does_not_give_away_standing_on_14() -> None:
    definition = ALL["thirty-one"]
    at = position_with_cards(definition, definition.game.Options(), "TS 4D against TC")
    assert at is not None
    assert definition.positions is not None
    *_, question = definition.positions.describe(at.view, at.seat)
    assert question == "Your choice? h hits, s stands, d doubles for 20.00."


def test_drills_use_the_smallest_bet_at_hit_me_and_five_coins_at_poker() -> None:
    """The table's smallest bet at Hit Me, and five coins at video poker."""
    for slug, spot, usual in (
        ("thirty-one", "hard 14 against 8", 2_000),
        ("video-poker", "Ace", 5),
    ):
        definition = ALL[slug]
        for number in range(12):
            source = CommittedSource(seed_of(number))
            view = not_none(deal_position(definition, definition.game.Options(), spot, source)).view
            assert (view.coins if slug == "video-poker" else view.hands[0].bet) == usual


def test_drills_are_dealt_without_recorded_mistakes() -> None:
    tasks = tasks_of(MistakeQueue(AnswerFile(None, ME)))
    assert {aim.game for aim in tasks.targets()} == {
        game.slug for game in GAMES if game.definition().positions is not None
    }
    task = not_none(tasks.next(DrillRequest("video-poker", "Low pair")))
    assert task.spot == "Low pair"
    assert task.mistake is None
    found = not_none(tasks.next(CardsRequest("video-poker", "KS KD 9S 6S 2S")))
    assert found.spot == "High pair"


def names_in_reasons(at: AnyPracticePosition, action: Any) -> tuple[str, ...]:
    """Return the names of a choice in reasons, one of which a comparison with it contains."""
    slug = at.definition.game.slug
    command = at.definition.format_action(at.view, at.seat, action)
    words = gerund(at.definition.words.spoken.describe(command))
    cards = at.definition.words.cards_of(at.view, at.seat, action) or ()
    if slug == "video-poker":
        held = "all five" if len(cards) == len(at.view.hand) else format_cards(cards)
        return (f"holding {held}" if cards else "drawing five new cards",)
    if slug == "cribbage":
        return (card_symbols(cards),)
    if slug == "five-card-draw" and isinstance(action, Discard):
        kept = kept_cards(at.view.hands[at.seat], action.positions)
        return (
            "standing pat"
            if not cards
            else list_words([*map(str, sort_for_display(kept))]) or "keeping nothing",
        )
    return (words.split()[0], words.split()[0].removesuffix("ing"))


@pytest.mark.parametrize("slug", TYPED)
def test_right_answer_to_an_old_mistake_is_compared_with_that_mistake(
    slug: str, tmp_path: Path
) -> None:
    tasks = tasks_of(queue_of(slug, folder=tmp_path))
    seen = 0
    for _ in tasks.queue.pending()[:8]:
        task = not_none(tasks.next(MistakeRequest()))
        at = task.position
        right = not_none(weigh_choice(at, best_of(at)))
        earlier = earlier_action(task, right)
        assert (
            at.definition.format_action(at.view, at.seat, earlier) == not_none(task.mistake).action
        )
        first, *reasons = practice_reasons(task, right)
        assert first.startswith("Last time you ")
        text = " ".join(reasons).lower()
        assert any(name.lower() in text for name in names_in_reasons(at, earlier)), (first, text)
        assert "the next best" not in text or earlier == right.values[1].action
        seen += right.values[1].action != earlier
        wrong = not_none(weigh_choice(at, earlier))
        assert [*practice_reasons(task, wrong)][1:] == [*at.definition.reasons(wrong)]
    assert seen, "some mistake was not the second-best choice"


# ---- line by line --------------------------------------------------------------------------------


def talk(tasks: TaskScheduler, *lines: str, wanted: Any = None) -> list[str]:
    told: list[str] = []
    Practice(tasks, lines, told.append, told.append, lambda: 0.0).go_on(wanted or MistakeRequest())
    return "\n".join(told).split("\n")


def test_practice_shows_verdict_and_past_choice_only_after_the_answer(tmp_path: Path) -> None:
    tasks = tasks_of(queue_of("video-poker", folder=tmp_path))
    mistake: WrittenDecision = tasks.queue.pending()[0].mistake
    told = talk(tasks, "a", "no", "h 1", "q")
    asked = next(place for place, line in enumerate(told) if " cost " in line or "Right" in line)
    before, after = told[:asked], told[asked:]
    assert any("Your cards: 1)" in line for line in before)
    assert not any("worth" in line or "Then" in line for line in before)
    assert "a: no advice before you choose" in before
    assert any(line.startswith("no: ") for line in before)
    cards = mistake.action.removeprefix("h").split()
    held = f"{', '.join(cards[:-1])} and {cards[-1]}" if len(cards) > 1 else " ".join(cards)
    cost = f"that cost {float(mistake.cost):.2f} credits."
    assert f"Last time you held {held or 'nothing'}; {cost}" in after
    listed = [line for line in after if ", EV " in line]
    assert len(listed) == 6, "the console lists the first alternatives"
    assert "  and 26 more; values lists them all" in after
    assert told[-1].startswith("1 answered, ")


@pytest.mark.parametrize("slug", TYPED)
def test_empty_line_in_practice_prints_the_position_again(slug: str) -> None:
    request = DrillRequest(slug)
    _, *told = talk(tasks_of(MistakeQueue(AnswerFile(None, ME))), "", " ", wanted=request)
    position = told[: told.index(FIRST)]
    assert position
    assert told == [*position, FIRST, *position, *position]


def test_practice_without_mistakes_answers_each_command_with_a_message() -> None:
    told = talk(tasks_of(MistakeQueue(AnswerFile(None, ME))), "h", "kinds", "?", "")
    assert told[0] == "No mistakes are waiting; drill deals new hands, q leaves"
    assert told[1] == "There is no question now; drill deals a hand, q leaves; help says more"
    assert told[2] == "There are no mistakes in finished sessions."


def test_drills_and_cards_are_chosen_by_typed_words() -> None:
    tasks = tasks_of(MistakeQueue(AnswerFile(None, ME)))
    told = talk(tasks, "drill low pair", "cards KS KD 9S 6S 2S", "h 1 2", "cards XX", "drill zzz")
    assert "Video poker, a drill" in told
    assert "Video poker, your cards" in told
    assert "Right: you held KS and KD, the best choice." in told
    assert "'XX' is not a card; write cards like KS, TH or 2c" in told
    assert any(line.startswith("no kind of position has 'zzz' in its name") for line in told)


def test_practise_command_refuses_an_unknown_kind_of_position(tmp_path: Path) -> None:
    words = ["practise", "--console", "--kind", "zzz", "--log-dir", str(tmp_path)]
    said = output(*words, "--game", "cribbage", code=2).err
    assert "--kind: no kind contains 'zzz'; the kinds are discard to your own crib; " in said
    assert " more\n" in output(*words, code=2).err


def test_drill_finds_a_kind_of_position_by_words_of_its_name(tmp_path: Path) -> None:
    tasks = tasks_of(MistakeQueue(AnswerFile(None, ME)))
    assert tasks.next(DrillRequest(words="LOW pair")) is not None
    found = not_none(tasks.next(DrillRequest("cribbage", words="the lead")))
    assert (found.position.definition.game.slug, found.spot) == ("cribbage", "the lead")
    for wanted in (DrillRequest(words="zzz"), DrillRequest("cribbage", words="low pair")):
        with pytest.raises(BadInput, match="no kind of position has"):
            tasks.next(wanted)
    own = tasks_of(queue_of("video-poker", folder=tmp_path))
    aim = next(aim for aim in own.targets() if aim.spot is not None)
    assert aim.spot is not None
    task = not_none(own.next(DrillRequest(words=aim.spot[:6])))
    assert task.position.definition.game.slug == "video-poker"


def test_practise_command_asks_mistakes_and_stores_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    queue_of("video-poker", folder=folder)
    monkeypatch.setattr("tui_casino.cli.practise.typed_lines", lambda prompt: iter(["h 1 2", "q"]))
    monkeypatch.setattr("tui_casino.house.paths.state_folder", lambda: tmp_path)
    told = output("practise", "--console", "--log-dir", str(folder)).out
    assert told.startswith("Video poker, a mistake of yours, ")
    assert told.endswith("good-bye\n")
    (kept,) = AnswerFile(tmp_path / "answers.jsonl", "player").all()
    assert kept.game == "video-poker"
    assert kept.log == "video-poker.jsonl"
    assert encode(kept)


def test_practise_without_a_terminal_suggests_the_console_option() -> None:
    assert "tui-casino practise --console works without one" in output("practise", code=2).err


def test_cribbage_drill_asks_the_human_seat_and_hides_the_other_hand() -> None:
    definition = ALL["cribbage"]
    at = deal_position(
        definition, definition.game.Options(), "the lead", CommittedSource(seed_of(7))
    )
    assert at is not None
    assert at.seat == Seat(0)
    assert {*at.view.hands[1]} == {BACK}, "the other's cards are not told"
    assert [*islice(at.players, 2)] == ["human", "greedy"]
