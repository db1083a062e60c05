"""How the screen looks: themes, their colours, stylesheets, and times."""
