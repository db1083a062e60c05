b 1
d
h 6
h 0
h -1
h 1 1
h 1 6
h 2 3 2
h 1 2 3 4 5 6
h 1 2 3 4 5 5
h 100000000000000000000
$
h 3 1
h 3 1
b d h 1 2 3 4 5
b d h
b d h 5 4 3 2 1
b d h +2
b d h 05
b d h 2
