$ d h h 1 2 h 9 a s
b 4
$ b b 4 b 6 h h 1 2 h 1 1 a s
d
$ d b b 4 b 6 a a s
h 1 2
$ d h h 1 2 h 9 a s
b
$ d d s
