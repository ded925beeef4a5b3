def f(a):
    a[0]: int32 = 1
    a, b: int32 = 1
    x: = 1
