"""The words that the course prescribes for video poker; debug mode prints nothing else."""

from __future__ import annotations

from dataclasses import replace

from . import words

WORDS = replace(words.WORDS, refusal=words.course_refusal)
