"""The installed manual page and completions are up to date, complete, and work."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.helpers.external_programs import program_path
from tests.share.tree import names, parser_of
from tests.share.write import FOLDER, MANUAL, SHELLS, shared_texts

PACKAGE = Path(__file__).parents[2] / "tui_casino"
BASH, ZSH, FISH = (FOLDER / SHELLS[shell] for shell in ("bash", "zsh", "fish"))


def out(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert not done.stderr, done.stderr
    assert done.returncode == 0
    return done.stdout


@pytest.fixture(scope="module")
def fresh() -> dict[str, str]:
    return shared_texts()


@pytest.mark.parametrize("path", [MANUAL, *SHELLS.values()])
def test_manual_and_shell_completions_equal_their_generated_text(
    path: str, fresh: dict[str, str]
) -> None:
    assert (FOLDER / path).read_text(encoding="utf-8") == fresh[path], "python -m tests.share.write"


def test_manual_names_every_environment_variable() -> None:
    said = (FOLDER / MANUAL).read_text(encoding="utf-8")
    text = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    ours = set(re.findall(r"\bTUI_CASINO_[A-Z_]+", text))
    assert "TUI_CASINO_LOG_DIR" in ours
    assert not [name for name in ours if name not in said], "add it to tests/share/manual.py"


def test_the_manual_is_shown_without_a_warning() -> None:
    program_path("mandb")
    shown = out("man", "--warnings", "--local-file", str(FOLDER / MANUAL))
    for name in names():
        assert re.search(rf"^   {name}\b", shown, re.MULTILINE), name
    options = {option for one in parser_of("stats")._actions for option in one.option_strings}
    assert {"--since", "--export"} < options
    assert all(option in shown for option in options - {"-h", "--help"})


CASES = {
    "vi": ["video-poker"],
    "five-card-draw --hidden --stakes l": ["limit"],
    "odds crib": ["cribbage"],
    "odds baccarat --sim": ["--simulate"],
    "ledger re": ["rebuild"],
    "verify CHANGE": ["CHANGELOG.md"],
    "daily hi": ["hit-me"],
    "daily thir": ["thirty-one"],
    "mistakes --game hi": ["hit-me"],
    "practise --game bac": ["baccarat"],
}
"""Typed words after the program's name, and their completions in the folder of a checkout."""


def test_bash_completion_offers_the_expected_words() -> None:
    script = """\
source "$1"; shift
cd "$1"; shift
for typed; do
  IFS=' ' read -r -a COMP_WORDS <<<"tui-casino $typed"
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  run=$(complete -p tui-casino | sed 's/.*-F \\([^ ]*\\).*/\\1/')
  "$run" tui-casino "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
  echo "${COMPREPLY[*]}"
done
"""
    root = str(PACKAGE.parent)
    said = out(
        program_path("bash"), "--norc", "-c", script, "bash", str(BASH), root, *CASES
    ).splitlines()
    assert said == [" ".join(found) for found in CASES.values()]


@pytest.mark.parametrize(
    "typed", ["'my d", '"my d', "my\\ d"], ids=["single", "double", "backslash"]
)
def test_bash_completes_quoted_names_with_spaces(typed: str, tmp_path: Path) -> None:
    (tmp_path / "my data").touch()
    for folder in ("my deals", "mine", "d"):
        (tmp_path / folder).mkdir()
    script = """\
source "$1"; cd "$2"
for command in verify logs; do
  COMP_WORDS=(tui-casino "$command" "$3") COMP_CWORD=2 COMPREPLY=()
  _shtab_tui_casino
  printf '<%s>' "${COMPREPLY[@]}" | tr -d '\\n'
  echo
done
"""
    said = out(
        program_path("bash"), "--norc", "-c", script, "bash", str(BASH), str(tmp_path), typed
    ).splitlines()
    assert sorted(said[0].strip("<>").split("><")) == ["my data", "my deals"]
    assert said[1] == "<my deals>"


def test_fish_completion_keeps_the_option_before_an_equals_sign() -> None:
    script = 'source $argv[1]; complete -C "tui-casino mistakes --game=hi"; true'
    said = out(program_path("fish"), "-N", "-c", script, str(FISH))
    assert said.split("\t")[0].strip() == "--game=hit-me"


def test_completions_offer_only_games_with_a_daily_deal_after_daily() -> None:
    for path in (BASH, ZSH, FISH):
        lines = path.read_text(encoding="utf-8").splitlines()
        daily = [line for line in lines if "daily_pos_0_choices" in line or "list today" in line]
        assert daily, path
        games = [line for line in daily if "video-poker" in line]
        assert games, path
        assert all("hit-me" in line and "baccarat" not in line for line in games), path


def test_fish_completion_offers_the_expected_words() -> None:
    script = "source $argv[1]; cd $argv[2]; for typed in $argv[3..]; "
    script += 'complete -C "tui-casino $typed" | cut -f 1 | string join " "; end; true'
    said = out(
        program_path("fish"), "-N", "-c", script, str(FISH), str(PACKAGE.parent), *CASES
    ).splitlines()
    assert said == [" ".join(found) for found in CASES.values()]


def test_zsh_completion_offers_the_expected_words(tmp_path: Path) -> None:
    """Press Tab at a prompt, then read the completed line."""
    script = """\
zmodload zsh/zpty; export TERM=dumb
zpty shell zsh -f -i
setup='show() { print -rn -- "<$BUFFER>" >&2; BUFFER= }; zle -N show; bindkey "^G" show; '
setup+="fpath=(${(q)1} \\$fpath); autoload -Uz compinit; compinit -u -d ${(q)2}; cd ${(q)3}; "
zpty -w shell $setup'PS1="<re""ady>"'
zpty -r shell said '*<ready>*'
shift 3
for typed; do
  zpty -n -w shell "tui-casino $typed"$'\t\a'
  zpty -r shell said '*<tui-casino *>*'
  print -r -- ${${said##*<tui-casino }%>*}
done
zpty -d shell
"""
    where = (str(ZSH.parent), str(tmp_path / "dump"), str(PACKAGE.parent))
    said = out(program_path("zsh"), "-f", "-c", script, "zsh", *where, *CASES).splitlines()
    assert said == [" ".join((*typed.split()[:-1], *found, "")) for typed, found in CASES.items()]
