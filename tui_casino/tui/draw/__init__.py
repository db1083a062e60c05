"""Draw lines, rows, bars, plots, cards and figures without widgets."""
