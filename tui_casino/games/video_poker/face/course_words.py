"""The words of video poker as the course prescribes them: debug mode says no more than these."""

from __future__ import annotations

from dataclasses import replace

from . import words

WORDS = replace(words.WORDS, refusal=words.course_refusal)
