def f(a):
	if a:
	    x = 1
	else:
	    x = 2
	return x
