"""The widgets of video poker: pay table, list of holds, and session panel."""
