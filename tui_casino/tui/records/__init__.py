"""The records room: all logs of a player, each of them step by step, and what they come to."""
