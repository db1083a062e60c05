"""The daily deal: the same cards for everybody on a day, one try, and a result by cost."""
