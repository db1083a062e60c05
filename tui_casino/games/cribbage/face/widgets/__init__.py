"""The widgets of cribbage: board, hands, discards, play and count."""
