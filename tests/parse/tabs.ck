def f(a):
	if a:
		x = 1
		y = 2
	return x

def g(a):
    if a:
        x = 1
    return
