def f(a):
	x =	a	$	2
	print("größe 数数",	é, $)
	print("é", $)
