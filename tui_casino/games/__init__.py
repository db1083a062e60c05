"""The games, each in its own folder; no game imports another."""
