"""Keeping up with the file of a recording: it is worked out aside, may grow, and may vanish."""

from __future__ import annotations

from pathlib import Path

from textual import work
from textual.timer import Timer
from textual.worker import get_current_worker

from ...engine.game import A, E, O, S
from ...gamekit.tally import T
from ...inputs.files import BadFile
from .navigation import Going

LOOK = 1.0
"""Seconds between two looks at the file."""


class Following(Going[O, S, A, E, T]):
    """A recording whose steps are worked out behind what is shown.

    ``trouble`` says what has become of the file, ``indexing`` whether it is gone through still.
    """

    trouble = ""
    indexing = False
    _looks: Timer | None = None

    @property
    def log_path(self) -> Path:
        """The file."""
        return self.recording.path

    def weigh(self) -> None:
        """Say what a choice cost."""
        raise NotImplementedError

    def survey_on(self) -> None:
        """Go through what there is to go through."""
        raise NotImplementedError

    def follow(self) -> None:
        """Have all worked out, and look now and then whether there is more."""
        self._index()
        self.survey_on()
        self._looks = self.set_interval(LOOK, self._look)

    def let_go(self) -> None:
        """Let the log go."""
        self.workers.cancel_group(self, "index")
        self.recording.close()

    @work(thread=True, exclusive=True, group="index")
    def _index(self) -> None:
        worker = get_current_worker()
        self.indexing = True
        try:
            for _ in self.recording.index():
                if worker.is_cancelled:
                    return
                self.app.call_from_thread(self._indexed)
        except BadFile as error:
            self.trouble = error.why
        finally:
            self.indexing = False
        if not worker.is_cancelled:
            self.app.call_from_thread(self._indexed)

    def _indexed(self) -> None:
        if self.alive:
            if self.step > self.recording.steps:
                self.go(self.recording.steps)
            self.bar()
            if not self.indexing:
                self.weigh()

    def _look(self) -> None:
        """See whether the file has grown, or is gone."""
        if self.indexing or self.trouble:
            return
        try:
            if self.recording.refresh():
                self._index()
                self.survey_on()
                self.bar()
        except BadFile as error:
            self.trouble = error.why
            if self._looks is not None:
                self._looks.stop()
            self.bar()
