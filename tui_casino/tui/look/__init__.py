"""How the arcade looks: colours, themes, settings."""
