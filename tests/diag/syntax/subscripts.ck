def f(a):
    x = a[]
    x = a[1,,2]
    x = a[1:2:3:4]
    x = a[1 2]
    x = a.1
    x = a.
    x = a.if
