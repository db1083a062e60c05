b 5 d h 1 2 3 4 5
b d $ d b b 3 b 9 h h 1 a s $
