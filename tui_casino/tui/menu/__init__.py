"""The menu: the games, the player's own side, the tour, and what is asked before a game opens."""
