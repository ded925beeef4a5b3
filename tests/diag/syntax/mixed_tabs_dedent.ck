def g(a):
        if a:
                x = 1
	return x
