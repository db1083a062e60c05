"""The messages that the course text prescribes for video poker, for debug mode."""

from __future__ import annotations

from ....structs import replace
from . import words

WORDS = replace(words.WORDS, refusal=words.course_refusal)
