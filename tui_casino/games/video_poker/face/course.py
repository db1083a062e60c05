"""The words of video poker as the course prescribes them: debug mode says no more than these."""

from __future__ import annotations

from .words import help as help
from .words import lines as lines
from .words import prescribed as refusal
from .words import questions as questions
from .words import verbs as verbs

__all__ = ["help", "lines", "questions", "refusal", "verbs"]
