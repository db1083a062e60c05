"""The appearance of the screen: themes, their colours, stylesheets, and time formats."""
