def f(a):
    if a:
    x = 1
    y = 2
      z = 3
      z = 4
    if a:
            z = 5
        z = 6
        z = 7
    while a:

    # a comment is no block
    return z


  def g(a):
    pass
def h(a):
X = 1


def last(a):
