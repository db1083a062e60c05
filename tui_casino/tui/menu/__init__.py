"""The menu: the games, the player's panel, the tour, and the questions before a game opens."""
