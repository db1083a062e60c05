"""Drawing without widgets: styled lines, pictures of money, plots, bars, and formats of figures."""
