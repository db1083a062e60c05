$
b
b 1
b 5
b 0
b 1 1
d
h
h 1
a
$
s
