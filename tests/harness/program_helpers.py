"""Random kernels' functions that both the text in ck and that in Python have, and those of
arithmetic on operands of different types."""

HELPERS = "".join(f"""def cut{bits}(a):
    if a > float{bits}(1000):
        return float{bits}(1)
    if a < float{bits}(-1000):
        return float{bits}(-1)
    return a
def quarter{bits}(a):
    return float{bits}(int64(cut{bits}(a) * float{bits}(4))) * float{bits}(0.25)
""" for bits in (32, 64)) + """def last(a, b):
    return b
"""

# Arithmetic of operands of different types, and of literals, without a cast around each operation.
# MIXED_OPERATIONS says what each computes of Python's integers, before the result wraps.
MIXED_HELPERS = "".join(f"def mixed_{name}(a, b):\n    return {text}\n" for name, text in [
    ("add", "a + b"), ("sub", "a - b"), ("mul", "a * b"), ("div", "a // b"), ("mod", "a % b"),
    ("shl", "a << b"), ("shr", "a >> b"), ("and", "a & b"), ("or", "a | b"), ("xor", "a ^ b"),
    ("min", "min(a, b)"), ("neg", "-a"), ("inv", "~a"), ("abs", "abs(a)"), ("less", "a < b")]) + """def total(values):
    s = 0
    for e in values:
        s += e
    return s
def count_small(values, most):
    n = 0
    for e in values:
        if e < most:
            n += e % 4
        elif e > 100:
            n = n + (e > 101)
    return n
"""
