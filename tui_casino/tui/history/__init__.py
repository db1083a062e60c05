"""The history: the list of recorded sessions, statistics, leaks, and session summaries."""
