"""Drawing without widgets: lines of pieces, a canvas, rows, bars, plots, cards, and figures."""
