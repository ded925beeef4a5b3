# Python's `math` where it means something else than the bare names: pow is a float; floor, ceil and trunc
# of literals are integers, of other numbers floats; and gcd, lcm, isclose.
import math
from math import floor as below, pow

@kernel
def powers(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = math.pow(a[i], b[i])
        o[1, i] = pow(a[i], 2)
        o[2, i] = pow(b[i], 3)

@kernel
def whole(a, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = math.floor(a[i]) / 4
        o[1, i] = below(a[i])
        o[2, i] = math.ceil(a[i])
        o[3, i] = math.trunc(a[i])

@kernel
def divisors(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = math.gcd(a[i], b[i])
        o[1, i] = math.lcm(a[i], b[i])

@kernel
def near(a, b, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = math.isclose(a[i], b[i])
        o[1, i] = math.isclose(a[i], b[i], rel_tol=0.125)
        o[2, i] = math.isclose(a[i], b[i], abs_tol=0.25)
        o[3, i] = math.isclose(a[i], b[i], rel_tol=0.0, abs_tol=2)

BLOCKS = math.ceil(100 / 32)

@kernel
def constants(o):
    s = local.array(BLOCKS, float32)
    s[0] = 2.5
    o[0] = len(s)
    o[1] = math.floor(-2.5) // 2
    o[2] = math.trunc(7)
    o[3] = s[0] * math.pow(2, 3)
    o[4] = math.pow(100000, 2)

#: import math
#: n = 150
#: ints = {t: rng.integers(-100 if t[0] == "i" else 0, 120, n).astype(t) for t in "i1 i2 i4 i8 u1 u2 u4 u8".split()}
#: ints["i4"][0], ints["i8"][:2] = 100000, (2**62, -2**63)
#: floats = {t: (rng.standard_normal(n) * 50).astype(t) for t in ("f2", "f4", "f8")}
#: every = ints | floats | {"?": rng.integers(0, 2, n).astype(bool)}
#: globals().update({f"a_{k.replace('?', 'b')}": v for k, v in every.items()})
#: names = [k.replace("?", "b") for k in every]
#: globals().update({f"{w}_{k}": poison((4, n), t) for k in names for w, t in (("p", "f8"), ("w", "f8"), ("c", "u1"), ("d", "i8"))})
#: globals().update({f"b_{k}": rng.permutation(globals()[f"a_{k}"]) for k in names})
#: c = poison(5, "f8")
#: whole_names = [k[0] + k[1:] for k in names if k[0] in "iu"]
#: repeat grids [3, 33]
#: launches [f"{kernel}[GRID, BLOCK](a_{k}, b_{k}, {w}_{k})" for kernel, w in (("powers", "p"), ("near", "c")) for k in names]
#: launches [f"whole[GRID, BLOCK](a_{k}, w_{k})" for k in names]
#: launches [f"divisors[GRID, BLOCK](a_{k}, b_{k}, d_{k})" for k in whole_names]
#: launch constants[1, 1](c)
#: expect c == [4, -2, 7, 20, 1e10]
#: def held(k):
#:     return np.dtype(k if k[0] == "f" else "f8")
#: def good_powers(k):
#:     a, b, o = (globals()[f"{x}_{k}"] for x in "abp")
#:     a, b = a.astype(held(k)), b.astype(held(k))
#:     want = [a.astype("g") ** b.astype("g"), a.astype("g") ** 2, b.astype("g") ** 3]
#:     fine = ulps(o[:3].astype(held(k)), want) <= (2 if k == "f2" else 16)
#:     return (fine & same(o[:3], o[:3].astype(held(k)))).all()
#: expect np.array([k for k in names if not good_powers(k)] or [""]) == ""
#: def good_whole(k):
#:     a, o = globals()[f"a_{k}"], globals()[f"w_{k}"]
#:     want = [[f(v) for v in a.astype(held(k)).tolist()] for f in (lambda v: math.floor(v) / 4, math.floor, math.ceil, math.trunc)]
#:     return (o == want).all()
#: expect np.array([k for k in names if not good_whole(k)] or [""]) == ""
#: def good_divisors(k):
#:     a, b, o = (globals()[f"{x}_{k}"] for x in "abd")
#:     want = [[math.gcd(v, w) for v, w in zip(a.tolist(), b.tolist())], [math.lcm(v, w) for v, w in zip(a.tolist(), b.tolist())]]
#:     wrapped = np.array([[np.array(v % 2**64, "u8").astype(a.dtype) for v in row] for row in want])
#:     return (o[:2] == wrapped.astype("i8")).all()
#: expect np.array([k for k in whole_names if not good_divisors(k)] or [""]) == ""
#: def good_near(k):
#:     a, b, o = (globals()[f"{x}_{k}"] for x in "abc")
#:     a, b = a.astype(held(k)).tolist(), b.astype(held(k)).tolist()
#:     options = [{}, {"rel_tol": 0.125}, {"abs_tol": 0.25}, {"rel_tol": 0, "abs_tol": 2}]
#:     want = np.array([[math.isclose(v, w, **extra) for v, w in zip(a, b)] for extra in options])
#:     # float16 rounds the difference before it is compared
#:     return (o == want).mean() >= (0.98 if k == "f2" else 1)
#: expect np.array([k for k in names if not good_near(k)] or [""]) == ""
