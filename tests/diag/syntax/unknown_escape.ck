def f(a):
    print("\d+ \q", r"\d", '\é')
