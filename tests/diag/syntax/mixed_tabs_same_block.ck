def g(a):
        x = 1
	y = 2
        return x +
