b 6 b 10 b $
d h 1 2 3 4 5
b b 5 $
b 4 $
d h 1 2 3
b $
d h
b 5
d h 1
b b 4 b 3
d h 1
b b 1 b 0 $ s
