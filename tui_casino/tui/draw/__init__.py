"""Draw texts, lines, canvases, plots, cards and tables without widgets."""
