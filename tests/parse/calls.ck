def f(a):
    f()
    f(a)
    f(a, 1,)
    f(a, out=a, n=(1, 2))
    f(a == 1, b=a == 2)
    cuda.atomic.add(a, (0, 1), 1)
    f(a)(1)[2].x(3)
    f(f(f(a)))
    f(
        a,  # comment
        [1, 2, []],

    )
