    X = 1
    def f(a):
        return a
Y = 2
