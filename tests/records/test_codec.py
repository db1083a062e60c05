"""Values to JSON and back."""

from __future__ import annotations

import subprocess
import sys

import pytest

RACE = """
import sys, threading
from tests.records.test_codec import new_class
from tui_casino.records import codec

sys.setswitchinterval(1e-6)
fields = {f"field{n}": [{"count": n}] for n in range(12)}
for number in range(60):
    cls, barrier, made = new_class(number), threading.Barrier(3), []

    def work(cls=cls, barrier=barrier, made=made):
        barrier.wait()
        made.append(METHOD)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made[0] == made[1] == made[2]
print("done")
"""
CLASSES = """
from __future__ import annotations
from msgspec import Struct

class Part{number}(Struct, frozen=True):
    count: int = 0

class Whole{number}(Struct, frozen=True):
"""


def new_class(number: int) -> type[object]:
    """Return a new struct with twelve fields of another new struct."""
    source = CLASSES.format(number=number)
    for n in range(12):
        source += f"    field{n}: tuple[Part{number}, ...] | None = None\n"
    module = type(sys)(f"race{number}")
    sys.modules[module.__name__] = module
    exec(source, module.__dict__)
    made: type[object] = getattr(module, f"Whole{number}")
    return made


@pytest.mark.parametrize(
    "method",
    ["codec.build_struct(fields, cls)", "codec.decode(codec.encode(fields), cls)"],
    ids=["build", "decode"],
)
def test_threads_may_be_the_first_to_decode_a_class_at_the_same_time(method: str) -> None:
    """The library alone ends the process with a segmentation fault then."""
    code = RACE.replace("METHOD", method)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "done\n"), run.stderr
