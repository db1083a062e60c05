b 1 d
h 1 2 3 4 h h 6 h 2 2 $ s a
h 5 4 3 2 1
b d $
