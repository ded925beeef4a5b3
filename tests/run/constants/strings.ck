# Strings are known at compile time: constants, variables and arguments; comparisons of them.

from numba import cuda

MODE = "fast"
MODES = ("fast", "exact", "other")
SLOW = MODE == "slow"
FACTOR = 2 if MODE == "fast" else 3
DTYPE = "int32"
NAME = MODES[1]

def apply(v, op, mode="exact"):
    if op == "add":
        return v + 1
    elif op == "halve" and mode == "exact":
        return v // 2
    elif op in ("square", "cube"):
        return v * v if op != "cube" else v * v * v
    return v

def of_text(v, op):
    if op == "index":
        return v.undefined_there    # never compiled
    return -v

@cuda.jit
def modes(x, out, mode="fast"):
    i = cuda.grid(1)
    if i >= x.size:
        return
    held = cuda.local.array(3, DTYPE)
    if MODE == "fast":
        held[0] = FACTOR
    else:
        held[0] = x.undefined
    held[1] = 10 if "a" "b" == 'ab' else 20
    held[2] = 0
    for m in MODES:
        if m == mode or m == NAME:
            held[2] += 1
    op = "square"
    total = apply(x[i], op) + apply(x[i], "add") * 1000 + apply(x[i], "halve", mode=MODE)
    if not SLOW and MODE not in ("slow", "slower") and "xac" in NAME and "" in MODE and "fax" not in MODE:
        total += of_text(x[i], "sign") + apply(x[i], op="cube") + apply(x[i], "halve")
    out[i, 0], out[i, 1] = total, held[0] * 10000 + held[1] * 100 + held[2] * 10 + len(MODES)

#: n = 61
#: x = rng.integers(0, 50, n, dtype=np.int64)
#: out = poison((n, 2), np.int64)
#: launch modes[2, 32](x, out)
#: expect out[:, 0] == x * x + (x + 1) * 1000 + x - x + x ** 3 + x // 2
#: expect out[:, 1] == 2 * 10000 + 1000 + 23

def kind_of(v):
    if isinstance(v, str):
        return 1 if v == "fast" else 2
    if isinstance(v, tuple):
        return 10 + len(v)
    return 0

def labelled(v, name="value"):
    print(name, v)
    return v

#: kinds = poison(6, np.int64)
#: launch kinds_of[1, 1](kinds)
#: expect kinds == [1, 2, 13, 12, 0, 34]
#: print value 3
#: print other 31
@cuda.jit
def kinds_of(kinds):
    kinds[0], kinds[1] = kind_of(MODE), kind_of("slow")
    kinds[2], kinds[3], kinds[4] = kind_of(MODES), kind_of((1, 2.5)), kind_of(3)
    kinds[5] = labelled(3) + labelled(31, name="other")
