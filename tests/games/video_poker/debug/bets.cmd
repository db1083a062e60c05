b 0
b 6
b -3
b -0
b 1 2
b 0 9
b 5 5
b +3
$
b 3
b 9
b
b 1 2
d
b
b 0
b 1 2
h 1 2 3 4 5
b 7
b 1 2
b
$
d
h 1 2 3 4 5
b 2
b 6
d
h 1 2 3 4 5
b 100
b
$
