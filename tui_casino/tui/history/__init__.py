"""The history: the list of recorded sessions, their statistics, leaks, and the summary of one."""
