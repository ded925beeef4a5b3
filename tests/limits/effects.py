"""Each effect of a statement happens once, and in Python's order: calls that note a number or
change an array, and reads of it, in all sorts of expressions and statements. Python executes the
same text."""

import random
import re

import numpy as np

FUNCTIONS = '''import math
import operator
import numpy as np
from collections import namedtuple

Pair = namedtuple("Pair", "a b")


def note(c, k):
    c[0] += 1
    c[c[0]] = k
    return k


def pair(c, k):
    note(c, k)
    return (k, k + 1)


def cell(c, k):
    note(c, k)
    return (c[0] % 2, (c[0] + k) % 3)


def bump(x, c, k):
    note(c, k)
    x[1] += k
    return k


def named(c, k):
    note(c, k)
    return Pair(k, k + 1)


def same(x, c, k):
    note(c, k)
    return x


def add(a, b=5):
    return a * 10 + b


def noted_add(c, a, b):
    note(c, 90)
    return a + b


def cells(m, c, k):
    m[cell(c, k)] += k
    m[cell(c, k)] = note(c, k + 1)
    m.reshape(1, 2, 3)[same((0, 1), c, k)] = note(c, k + 1)
    m.reshape(1, 2, 3)[same((0, 1), c, k)] += note(c, k + 1)
    return m[cell(c, k)]
'''

# Integers: K, K + 1 and K + 2 stand for numbers to note.
EXPRESSIONS = """
note(c, K)
-note(c, K)
(lambda a: note(c, a))(K)
int(note(c, K))
int(np.float32(note(c, K)))
int(bool(note(c, K)))
int(not note(c, K))
abs(note(c, K))
round(note(c, K))
note(c, K) ** 2
pow(note(c, K), 2)
note(c, K) << 1
note(c, K) // 2 % 3
divmod(note(c, K), 3)[0]
divmod(note(c, K), note(c, K + 1))[1]
int(note(c, K) * 1.5 // 1)
int(math.sqrt(note(c, K)))
int(math.hypot(note(c, K), note(c, K + 1)))
int(math.floor(note(c, K) / 2))
math.gcd(note(c, K), 6)
np.maximum(note(c, K), 3)
np.minimum(note(c, K), note(c, K + 1))
int(np.where(note(c, K) > 2, note(c, K + 1), 3))
operator.add(note(c, K), note(c, K + 1))
int(isinstance(note(c, K), int))
note(c, K).real
note(c, K).conjugate()
int(complex(note(c, K), 2).real)
int(complex(note(c, K), note(c, K + 1)).imag)
int((note(c, K) * 1j * note(c, K + 1)).imag)
int(complex(note(c, K), 1) == complex(1, note(c, K + 1)))
int(note(c, K) < note(c, K + 1) < 99)
int(99 < note(c, K) < note(c, K + 1))
int(note(c, K) == 3 or note(c, K + 1) == 3)
int(note(c, K) in (1, 2, note(c, K + 1)))
int(note(c, K) in pair(c, K + 1))
(note(c, K) or 3)
(note(c, K) and 3)
(note(c, K) if x[0] == 2 else 3)
(4 if x[0] == 2 else note(c, K))
max(note(c, K), 0)
max((0, note(c, K)))
min((note(c, K), 100))
min(note(c, K), note(c, K + 1), 3)
sum((note(c, K), 1))
sum((note(c, K), sum((note(c, K + 1), 1))))
sum((note(c, K), 1), note(c, K + 1))
int(any((note(c, K), 0)))
int(any((note(c, K) > 1, note(c, K + 1))))
int(all((note(c, K) > 1, note(c, K + 1))))
len((note(c, K), 1))
(note(c, K), 2)[0]
((note(c, K),) + (1, 2))[0]
int((note(c, K), 1) == (1, note(c, K + 1)))
int((note(c, K), 1) < (1, note(c, K + 1)))
sum(pair(c, K))
sum(pair(c, K), note(c, K + 1))
max(pair(c, K))
len(pair(c, K))
pair(c, K)[0]
pair(c, K)[-1]
pair(c, K)[0:1][0]
pair(c, K)[::-1][0]
pair(c, K)[note(c, K + 1) % 2]
(pair(c, K) + (1,))[2]
int(pair(c, K) == pair(c, K + 1))
int(pair(c, K) < (1, note(c, K + 1)))
(pair(c, K) if x[0] == 2 else pair(c, K + 1))[1]
sum(pair(c, K) if x[0] == 1 else (note(c, K + 1), 3))
(5 if x[0] == 2 else sum(pair(c, K)))
int(x[0] == 2 and sum(pair(c, K)))
int(x[0] == 2 or max(pair(c, K)))
int(x[0] == 1 and any(pair(c, K)) and all(pair(c, K + 1)))
named(c, K).a
named(c, K).b * 2
named(c, K)[1]
max(named(c, K))
Pair(b=note(c, K), a=note(c, K + 1)).a
add(note(c, K))
add(b=note(c, K), a=note(c, K + 1))
noted_add(c, note(c, K), note(c, K + 1))
x[note(c, K) % 3]
x[note(c, K) % 3:][0]
x[note(c, K) % 3:].size
x[pair(c, K)[0] % 3]
m[note(c, K) % 2, note(c, K) % 3]
m[note(c, K) % 2][note(c, K) % 3]
m[note(c, K) % 2, 1:][0]
m[note(c, K) % 2:, note(c, K + 1) % 2:].size
m[(note(c, K) % 2, note(c, K + 1) % 3)]
m.T[note(c, K) % 3, 1]
m[cell(c, K)]
m[cell(c, K) if x[0] == 2 else (1, 1)]
(0 if x[0] == 2 else m[cell(c, K)])
int(m[cell(c, K)] == 1 or m[cell(c, K + 1)])
m.reshape(1, 2, 3)[0][cell(c, K)]
m.reshape(1, 2, 3)[same((0, 1), c, K)][note(c, K + 1) % 3]
m.reshape(1, 2, 3)[same((0, 1), c, K)][note(c, K + 1) % 3:].size
cells(m, c, K)
same(x, c, K)[1]
same(x, c, K)[1:].size
same(x, c, K).shape[0]
len(same(x, c, K))
same(x, c, K).sum()
sum(same(x, c, K))
int(any(x[note(c, K) % 2:]))
np.sum(same(x, c, K))
np.dot(same(x, c, K), x)
same(x, c, K)[note(c, K + 1) % 2:].min()
same(x, c, K)[note(c, K + 1) % 2:][note(c, K + 2) % 2]
same(m, c, K)[note(c, K + 1) % 2, note(c, K + 2) % 2]
same(m, c, K)[note(c, K + 1) % 2][note(c, K + 2) % 2]
same(m, c, K)[cell(c, K + 1)]
same(m, c, K)[note(c, K + 1) % 2][pair(c, K + 2)[0] % 3]
same(m, c, K).T[1, 0]
same(m, c, K).reshape(note(c, K + 1) * 0 + 6)[1]
same(m, c, K).reshape(1, 2, 3)[note(c, K + 1) * 0][cell(c, K + 2)]
c[0]
c[0] * 10 + note(c, K)
note(c, K) + c[0]
c[0] - (c[0] + note(c, K))
max(c[0], note(c, K), c[0] - 1)
max((c[0], note(c, K), c[0]))
sum((c[0], note(c, K), c[0]))
sum((note(c, K), c[0])) - c[0]
(c[0], note(c, K))[0]
sum((c[0], note(c, K))[0:1])
add(c[0], note(c, K))
add(b=c[0], a=note(c, K))
int(c[0] < note(c, K) < c[0] + 2)
int(c[0] == 3 or note(c, K) == c[0])
divmod(c[0] + 1, note(c, K) + c[0])[1]
int(complex(c[0], note(c, K)).real)
int((complex(c[0], 1) * complex(note(c, K), c[0])).imag)
x[c[0] % 3] + note(c, K)
m[c[0] % 2, note(c, K) % 3] + c[0]
m[c[0] % 2][note(c, K) % 3] + c[0]
pair(c, K)[c[0] % 2]
pow(c[0], 2) - note(c, K)
(c[0] if note(c, K) > 2 else c[0] + 1)
(c[0] or note(c, K))
same(c, c, K)[0]
same(c, c, K)[:3].sum() - c[0]
bump(x, c, K) + x[1]
x[1] - bump(x, c, K)
max(x[1], bump(x, c, K))
int(x[1] < bump(x, c, K))
x[bump(x, c, K) % 4]
x[1:][bump(x, c, K) % 3] + x[1]
add(x[1], bump(x, c, K))
np.dot(x, same(x, c, K)) + bump(x, c, K)
sum(x) + bump(x, c, K) * x.max()
x.min() + bump(x, c, K)
int(np.where(x[1] > 5, bump(x, c, K), x[1]))
abs(x[1]) + bump(x, c, K)
-x[1] + bump(x, c, K)
x[1] ** 2 + bump(x, c, K)
int(math.sqrt(abs(x[1]))) + bump(x, c, K)
(x[1], bump(x, c, K), x[1])[2]
int((x[1], 3) < (bump(x, c, K), x[1]))
int(x[1] in (bump(x, c, K), x[1]))
(lambda a: a + x[1])(bump(x, c, K))
(lambda a: x[1] + bump(x, c, K) + a)(x[1])
int(np.float32(x[1])) + bump(x, c, K)
named(c, bump(x, c, K)).b + x[1]
operator.sub(x[1], bump(x, c, K))
x[1] // bump(x, c, K)
bump(x, c, K) % (x[1] ** 2 + 1)
x[1] << bump(x, c, K) % 3
x[1] & bump(x, c, K)
int(not x[1] or bump(x, c, K) > x[1])
np.maximum(x[1], bump(x, c, K)) * x[1]
min(x[1], bump(x, c, K)) * x[1]
math.gcd(x[1], bump(x, c, K))
len(x[bump(x, c, K) % 4:]) + x[1]
""".strip().split("\n")

# A and B stand for expressions.
STATEMENTS = """
A
x[A % 4]
-x[A % 4]
x[A % 4:]
m[A % 2][B % 3]
same(x, c, 80)[A % 2:].size
(A, x[B % 4])[1]
o[0] = A
o[0] = A + B
o[A % 4] = B
o[0] = m[A % 2, B % 3]
o[0] = x[A % 2:][B % 2]
o[1:][A % 2] = B
x[::-1][A % 2] = B
m[A % 2][B % 3] = 4
same(x, c, 80)[A % 2] = B
m[cell(c, 80)] = A
m[cell(c, 80)] += A
same(m, c, 81)[cell(c, 80)] *= A
same(m, c, 81)[A % 2, B % 3] += 1
m[A % 2, B % 3] += A
o[0] += A
o[A % 3] += B
o[0] = o[1] = o[A % 4] = B
o[0], o[A % 3] = B, 1
x[0], x[1] = A, B
x[A % 2], x[B % 2] = x[B % 2], x[A % 2]
m[cell(c, 80)], x[0] = A, B
a, b = A, B; o[0] = a * 100 + b
a = b = A; o[0] = a + b
a, (b, d) = A, (B, 1); o[0] = a * 100 + b + d
t = (A, B); o[0] = t[1] - t[0]
t = (A, (B, 1)); o[0] = t[1][0]
s = A; s += B; o[0] = s
o[0] = A if B > 2 else 7
o[0] = A if B > 100 else 7
o[0] = add(b=A, a=B)
o[0] = add(*(A, B))
o[0] = x[1] + add(*pair(c, 80)) + A
o[0] = A + add(*(x[1], note(c, 80)))
o[0] = A if x[0] == 2 else add(*pair(c, 80))
if A > 5 and add(*pair(c, 80)) > A:| o[0] = 1
o[0] = (A, B)[0]
o[0] = sum((A, B)) * max((B, A))
o[0] = (n := A) + n
assert A > -1000000
f = lambda q: q + A; o[0] = f(1) + f(2)
o[:] = A
o[...] = A
m[A % 2, :] = B
m[:, A % 3] = B
m[...] = A
o[:] = A + x
o[:] = x * A
o[:] = x - (A - B)
o[:] = A * -x
o[:] = abs(x - A)
o[:] = np.maximum(x, A)
o[:] = x > A
o[:] = x * (99 < A < B) + B
o[:] = (A < B < 9) + x
o[:] = np.where(x > A, x, B)
o[1:] = x[:-1] + A
m[1] = x[:3] + (B - A)
m.reshape(1, 2, 3)[same((0, 1), c, 80)] = A
m.reshape(1, 2, 3)[same((0, 1), c, 80)] = m[A % 2] + B
m.reshape(1, 2, 3)[same((0, 1), c, 80)] -= A
o[:] += A
o[:] *= x + A
o[:2] = (A, B)
o[1:3] = A, B
np.add(A, x, o)
np.maximum(x, A, out=o)
np.multiply(x, A + B, o)
y = x[A % 2:]; y[0] = B; o[0] = y.size
y = m[A % 2]; o[0] = y[B % 3]
if A > 2:| o[0] = 1|elif B > 2:| o[0] = 2
if 0 < A < B < 9:| o[0] = 1
if A and B:| o[0] = 1
if not A or B:| o[0] = 1
if (n := A) > 2:| o[0] = n
n = 0|while A + n < 20 and n < 4:| n += 1| o[1] += B|o[0] = n
for i in range(abs(A) % 4):| o[0] += B
for i in range(A % 3, 8, 1 + B % 2):| o[0] += i
for v in (A, B):| o[0] = o[0] * 10 + v
for v in reversed((A, B)):| o[0] = o[0] * 10 + v
for i, v in enumerate((A, B)):| o[i] = v
for p, q in zip((A, 1), (2, B)):| o[0] = o[0] * 10 + p * q
for v in x[A % 2:]:| o[0] += v
for i in range(2):| for j in (A, B):|  o[i] += j
for i in range(3):| if i == A % 3:|  continue| o[i] = B
s = 0|for i in range(3):| s += A|o[0] = s
s = 1.5|for i in range(2):| s = s * A|o[0] = int(s)
n = None|if A > 1:| n = B|if n is not None:| o[0] = n
def g(q, r=A):| return q + r|o[0] = g(1) + g(2)
def h(p):| return p + A|o[0] = h(B)
def h():| for i in range(2):|  if i == A % 2:|   return B| return A|o[0] = h()
o[:] = x + bump(x, c, 80)
o[:] = x * (bump(x, c, 80) - x)
o[:] = bump(x, c, 80) - x * A
o[:] = x + A
x[:] = x + A
x[1:] = x[:-1] + A
m[A % 2] = m[B % 2] + m[0]
o[:] = x; x[1] = A; o[0] += x[1] + B
a, b = x[1], A; o[0] = a; o[1] = b + x[1]
x[0], x[1] = x[1], A + x[0]
x[1], x[A % 4] = A, x[1]
o[x[1] % 4] = A
o[x[1] % 4] += A
x[1] += A
x[1] += bump(x, c, 80) + A
x[x[1] % 4] -= bump(x, c, 80)
m[0, x[1] % 3] *= A
o[:2] = (x[1], A)
o[:] += x * A
x[:] += A
np.add(x, A, x)
np.multiply(x[1:], A, x[:-1])
np.subtract(A, x, out=x)
t = (x[1], A, x[1]); o[0] = t[0]; o[1] = t[2]
s = x[1]; s += A; o[0] = s + x[1]
y = x[1:]; o[0] = A; o[1] = y[0]
y = x; y[1] = A; o[0] = x[1] + y.sum()
for v in x:| o[0] += v + A
for i, v in enumerate(x):| x[3 - i] = v + A| o[i] += x[i]
for p, q in zip(x, x[::-1]):| x[1] += A| o[0] = o[0] * 3 + p - q
for v in (x[1], A, x[1]):| o[0] = o[0] * 10 + v
for i in range(x[1] % 5):| x[1] = A % 100| o[0] += i
n = 0|while x[1] % 7 != 3 and n < 5:| n += 1| x[1] += A % 50|o[0] = n
if x[1] < A:| o[0] = x[1]|else:| o[1] = x[1]
o[0] = x[1] if A > 3 else x[1] + 1
f = lambda q: q + x[1]; o[0] = f(A) + f(x[1])
def g(q, r=x[1]):| return q + r|o[0] = g(A) + g(x[1])
def h():| x[1] += A| return x[1]|o[0] = x[1] + h() + x[1]
o[0] = (n := x[1]) + A + n + x[1]
""".strip().split("\n")

ARRAYS = {"c": np.zeros(600, np.int64), "x": np.array([2, 7, 1, 8]), "m": np.arange(6).reshape(2, 3),
          "o": np.zeros(4, np.int64)}
N_CASES = 120


def filled(statement, first, second):
    """The statement with the expressions, each of which notes numbers of its own."""
    last = 0

    def numbered(match):
        nonlocal last
        last += 3
        text = first if match.group() == "A" else second
        return "(" + re.sub(r"\bK( \+ (\d))?", lambda k: str(last - 2 + int(k.group(2) or 0)), text) + ")"

    return re.sub(r"\b[AB]\b", numbered, statement).replace("|", "\n")


def kernel(name, text):
    head = f"def {name}(c: int64[::1], x: int64[::1], m: int64[:, ::1], o: int64[::1]):\n"
    return head + "".join(f"    {line}\n" for line in text.split("\n"))


def in_python(text):
    """The arrays after Python has run the statements."""
    names = {"int64": list}
    arrays = {name: array.copy() for name, array in ARRAYS.items()}
    exec(FUNCTIONS + kernel("k", text), names)
    names["k"](**arrays)
    return arrays


def test_effects(t):
    texts = [filled(random.choice(STATEMENTS), random.choice(EXPRESSIONS), random.choice(EXPRESSIONS))
             for _ in range(N_CASES)]
    source = t.write("k.ck", FUNCTIONS + "".join("\n@kernel\n" + kernel(f"k{i}", s) for i, s in enumerate(texts)))
    words = []
    for name, array in ARRAYS.items():
        np.save(t.tmp / f"{name}.npy", array)
    for i in range(N_CASES):
        words.append(f"k{i}[1, 1](" + ", ".join(f"{name}{i}" for name in ARRAYS) + ")")
        for name in ARRAYS:
            words += [f"{name}{i}=@{t.tmp}/{name}.npy", "--save", f"{name}{i}={t.tmp}/{name}{i}.npy"]
    t.ok([t.ckrun, "--device", "cpu:1", source, *words], timeout=120)
    for i, text in enumerate(texts):
        for name, want in in_python(text).items():
            got = np.load(t.tmp / f"{name}{i}.npy")
            assert np.array_equal(got, want), f"{text}\n{name}: {got.ravel()[:20]}, Python's {want.ravel()[:20]}"
