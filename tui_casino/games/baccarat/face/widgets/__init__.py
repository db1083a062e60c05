"""The widgets of baccarat: both hands, the spots for chips, and the roads."""
