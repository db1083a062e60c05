"""How the screen looks: themes, their colours, style sheets, the clock."""
