def f(a, b, c, d):
    x = a + b * c
    x = (a + b) * c
    x = a - b - c
    x = a / b // c % d
    x = -a ** 2
    x = a ** -b ** c
    x = (-a) ** 2
    x = ~a & b | c ^ d << 1 >> 2
    x = a + b << c - d
    x = not a == b
    x = not a and not b or c and d
    x = a or b or c
    x = a if b else c if d else a
    x = (a if b else c) if d else a
    x = - + ~a
    x = 2 * -a
    x = a if not b else -c
