# a comment first

def f(a):   # behind a header
# at the margin, inside a body
    if a:

        # deeper
        x = 1 # behind
      # oddly indented
        y = (1 +

    2)
    z = 1 + \
  2
    w = [
1,
        2,
]
    if a:
      x = 2
      if a:
            x = 3
    return x


def g(): pass
# the last line has no end
