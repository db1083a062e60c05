b
$
b 4
b 3
$
d
h 1 2 3 4 5
b
