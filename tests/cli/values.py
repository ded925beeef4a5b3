"""ckrun's values against NumPy: arithmetic of arrays, subscripts, functions, and random arrays."""

import ast
import math
import random
import warnings

import numpy as np

warnings.filterwarnings("ignore", "Bitwise inversion")  # Python's of ~True

KERNEL = """@kernel
def axpy(a: float32, x: float32[:], y: float32[:]):
    for i in range(grid(1), len(x), gridsize(1)):
        y[i] = a * x[i] + y[i]
"""
INPUTS = {
    "i": np.arange(-6, 6).reshape(3, 4), "u": np.arange(3, 7, dtype=np.uint8), "b": np.array([True, False, True, True]),
    "f": np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4), "d": np.arange(1, 5) / 3,
    "h": np.arange(1, 5, dtype=np.float16) / np.float16(3), "s": np.array([3, -5, 7, 100], np.int16),
    "c": (np.arange(4) - 1.5j).astype(np.complex64), "w": np.array([1, 2, 3, 2 ** 40], np.uint64),
    "v": np.array([[1], [2], [3]], np.int32), "z": np.zeros((0, 4), np.float32),
}
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "<<", ">>")


def evaluate(t, expressions):
    """The arrays that ckrun makes of the expressions, by one ckrun."""
    words = [t.ckrun, t.write("k.ck", KERNEL)]
    for name, array in INPUTS.items():
        np.save(t.tmp / f"in_{name}.npy", array)
        words.append(f"{name}=@in_{name}.npy")
    for number, expression in enumerate(expressions):
        # A number becomes an array, so that it can be saved.
        words += [f"r{number}={expression}", "--save", f"r{number}=r{number}.npy"]
    t.ok(words)
    return [np.load(t.tmp / f"r{number}.npy") for number in range(len(expressions))]


def compare(t, expressions, within=0):
    if len(expressions) > 300:
        compare(t, expressions[300:], within)
        expressions = expressions[:300]
    with np.errstate(all="ignore"):
        wanted = [np.asarray(eval(e, {"np": np, **np.__dict__, **INPUTS})) for e in expressions]
    for expression, got, want in zip(expressions, evaluate(t, expressions), wanted):
        assert got.dtype == want.dtype and got.shape == want.shape, (expression, got, want)
        if within:
            assert np.allclose(got, want, rtol=within, atol=0, equal_nan=True), (expression, got, want)
        else:
            assert np.array_equal(got, want, equal_nan=got.dtype.kind in "fc"), (expression, got, want)


def has_answer(a, operator, b):
    """Whether NumPy has the operator for such arrays, as ckrun does: without zero divisors of
    integers and without negative exponents of theirs."""
    with np.errstate(all="ignore"):
        try:
            np.broadcast_shapes(INPUTS[a].shape, INPUTS[b].shape)
            result = np.asarray(eval(f"{a} {operator} {b}", dict(INPUTS)))
        except (TypeError, ValueError):
            return False
    left, right = INPUTS[a], INPUTS[b]
    ints = left.dtype.kind in "iub" and right.dtype.kind in "iub"
    if ints and operator in ("//", "%") and not right.all():
        return False
    if left.dtype == bool and right.dtype == bool and operator not in ("+", "*", "&", "|", "^") + OPERATORS[7:13]:
        return False
    if operator in ("<", "<=", ">", ">=") and "c" in (left.dtype.kind, right.dtype.kind):
        return False
    if operator in ("==", "!=", "<", "<=", ">", ">=") and ints and result.dtype == bool:
        return True
    if operator == "**" and "c" in (left.dtype.kind, right.dtype.kind):  # 0 ** 1j is a NaN or zero
        return False
    return not (operator in ("<<", ">>") and (right < 0).any())


def test_operators(t):
    """Every operator on every two dtypes, with broadcasting."""
    pairs = [(a, o, b) for a in INPUTS for b in INPUTS for o in OPERATORS if has_answer(a, o, b)]
    assert len(pairs) > 900
    exact = [f"{a} {o} {b}" for a, o, b in pairs if o not in ("**", "/") and "c" not in (a, b)]
    compare(t, exact)
    # Powers of float16 and of complex numbers depend on the library of math functions.
    compare(t, [f"{a} {o} {b}" for a, o, b in pairs if o in ("**", "/") or "c" in (a, b)], 2e-3)


def test_plain_numbers_are_weak(t):
    compare(t, [f"{a} {o} 2" for a in "iudsw" for o in ("+", "*", "//", "%", "**", "<")])
    compare(t, [f"{a} {o} 2.5" for a in "iudfhsw" for o in ("+", "*", "/")])
    compare(t, ["3 - u", "2 ** v", "f + 1j", "d * 1j", "h + 1j", "b + 1", "b * 2.5", "-i", "-f", "-(f * 0)", "-s"])


def test_numbers_with_a_dtype(t):
    """Of NumPy 2, which the table is written after: NumPy 1 looks at their values."""
    cases = {"f + float64(1)": np.float64, "f + float32(1)": np.float32, "u + int16(1)": np.int16,
             "u + uint8(1)": np.uint8, "h + int32(2)": np.float64, "h + float32(1)": np.float32,
             "w + int64(1)": np.float64, "zeros(2) + float16(1)": np.float64, "i[0, 0] + u": np.int64,
             "zeros(2, bfloat16) + zeros(2, float16)": np.float32, "c + float64(1)": np.complex128}
    for (expression, dtype), got in zip(cases.items(), evaluate(t, list(cases))):
        assert got.dtype == dtype, (expression, got.dtype)


def test_subscripts(t):
    compare(t, ["i[1]", "i[-1]", "i[:, 2]", "i[1:]", "i[::-1]", "i[::-1, ::2]", "i[..., 0]", "i[None]", "i[:, None, 1:3]",
                "i[5:]", "i[-100:100]", "i[2:0:-1]", "i[0:0]", "u[3::-2]", "f[1, ::-3]", "z[:, 1]", "i[1:3, 1:3].T",
                "i.T[1]", "i.T[::2, None]", "i.T.reshape(2, 6)[1]"])


def test_functions(t):
    compare(t, ["abs(i)", "abs(s)", "abs(f)", "abs(u)", "floor(d)", "ceil(d)", "rint(d)", "rint(f)",
                "minimum(i, v)", "maximum(i, f)", "maximum(f, 0.5)", "where(i > 0, i, -i)", "where(b, d, 2.5)",
                "where(i > 0, f, u)", "where(v, f, 0)", "minimum(where(u > 4, nan, 1.0), 0.5)",
                "maximum(0.5, where(u > 4, nan, 1.0))", "i @ d[:4]", "i @ i.T", "i.T @ d[:3]", "full(1, u @ u)", "full(1, b @ b)", "v.T @ i", "z @ i.T",
                "z.T @ z[:, :2]"])
    compare(t, [f"{name}({x})" for name in ("sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh",
                                            "tanh") for x in ("d", "u", "h", "w", "abs(s)")] + ["abs(c)", "full(1, c @ c)", "f.T @ f", "f @ d"], 2e-3)


def test_reductions(t):
    expressions = [f"full(1, {x}.{name}())" for x in "iubdsw" for name in ("sum", "min", "max", "all", "any", "mean")]
    compare(t, [f"full(1, {x}.prod())" for x in "iu"] + [e for e in expressions if "mean" not in e])
    compare(t, [f"full(1, sum({x}))" for x in "fhc"] + [f"full(1, {x}.prod())" for x in "dfc"] + [e for e in expressions if "mean" in e], 1e-3)
    compare(t, ["full(1, np.max(where(d > 1, nan, d)))", "full(1, z.sum())", "full(1, z.all())", "full(1, max(i))"])


def test_inversion(t):
    compare(t, ["~i", "~u", "~b", "~s", "~w", "~v", "~z.astype(int8)", "~(i > 2) & (i < 5)", "-~i", "~-s ** 2", "full(2, ~5)"])
    compare(t, ["full(1, ~True)", "full(1, ~~7)"])
    for wrong in ("~f", "~1.5", "~ones(2)", "~1j"):
        t.fails([t.ckrun, t.write("k.ck", KERNEL), "f=ones(2, float32)", f"r={wrong}", "--print", "r"], 2,
                "bitwise operators are for integers and bools")


def random_expression(rng, names):
    """Without brackets in most places, so that it is precedence that counts; at most one power and
    one shift, as their operands grow."""
    words, used = [], set()
    for position in range(rng.randint(2, 7)):
        if position:
            operator = rng.choice("+ - * // % ** << >> & | ^ < <= == != and or".split())
            while operator in used:
                operator = rng.choice(["+", "-", "*", "&", "|", "^"])
            used |= {"**", "<<", ">>"} & {operator}
            words.append(operator)
        words.append(rng.choice(["", "", "", "-", "~", "+", "not "]))
        words.append(rng.choice(names))
    if rng.random() < 0.3:
        words = ["(", *words, ")", rng.choice(["+", "*", "-", "^"]), rng.choice(names)]
    return " ".join(words)


def all_values(text):
    """The values of an expression and of all in it: ckrun evaluates both sides of `and` and `or`.
    Without answers if one has none, or for comparisons in a chain, which ckrun refuses."""
    try:
        nodes = [node for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.expr)]
        if any(isinstance(node, ast.Compare) and len(node.ops) > 1 for node in nodes):
            return []
        return [eval(ast.unparse(node)) for node in nodes]
    except (SyntaxError, TypeError, ZeroDivisionError, ValueError, OverflowError):
        return []


def test_random_expressions(t):
    """Precedence and results are Python's."""
    rng, expressions = random.Random(t.seed), []
    names = [str(n) for n in range(5)] + ["True", "False", "7", "100"]
    while len(expressions) < 300:
        text = random_expression(rng, names)
        values = all_values(text)
        if values and all(isinstance(value, int) and abs(value) < 2 ** 62 for value in values):
            expressions.append(f"full(1, {text})")
    compare(t, expressions)


def fails(t, expression, text, place):
    result = t.fails([t.ckrun, t.write("k.ck", KERNEL), "x=arange(3)", "m=ones((2, 2))", f"r={expression}", "--print", "x"], 2)
    assert result.err == f"ckrun: error: {text}\n  r={expression}\n  {' ' * (2 + place)}^\n", result.err


def test_errors(t):
    fails(t, "x + ones(2)", "arrays of shapes (3,) and (2,) do not fit together", 2)
    fails(t, "x // 0", "an integer is divided by zero", 2)
    fails(t, "x ** -1", "an integer has no negative power: convert it, x.astype(float64)", 2)
    fails(t, "int8(100) * 2", "the result does not fit in int8", 10)
    fails(t, "arange(3, uint8) + 300", "300 does not fit in uint8", 17)
    fails(t, "x[3]", "the index is out of range: the dimension has 3 items", 2)
    fails(t, "x[0, 0]", "2 indices for an array of 1 dimension", 2)
    fails(t, "x[..., ...]", "a subscript has one `...`", 2)
    fails(t, "x[::0]", "a slice has a step other than zero", 2)
    fails(t, "x[1.5]", "an index is an integer, a slice, `...` or None: this is a float", 2)
    fails(t, "3[0]", "only arrays and tuples have items: this is an integer", 1)
    fails(t, "(1, 2)[None]", "a tuple's index is an integer or a slice", 7)
    fails(t, "0 < x < 2", "a comparison has two sides: write `a < b and b < c`", 6)
    fails(t, "not x", "an array is neither true nor false: write x.all() or x.any()", 0)
    fails(t, "1 < 2j", "complex numbers have no order", 2)
    fails(t, "1.5 | 2", "bitwise operators are for integers and bools", 4)
    fails(t, "1 << -1", "a shift by a negative number", 2)
    fails(t, "(x > 1) - (x > 2)", "of bools there are only + and *: convert them, x.astype(int32)", 8)
    fails(t, "sin(1j)", "`sin` is here for real numbers", 4)
    fails(t, "min(zeros(0))", "an empty array has no min", 0)
    fails(t, "x @ m", "`@` multiplies arrays of one or two dimensions, the last one of the first array being as long "
                      "as the first one of the second", 2)
    fails(t, "-int32", "arithmetic is for numbers and arrays: this is a dtype", 0)
    fails(t, "+'a'", "arithmetic is for numbers and arrays: this is a string", 0)


# --- Random arrays ---------------------------------------------------------------------------

MASK = 2 ** 64 - 1


def splitmix(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        yield z ^ (z >> 31)


def test_splitmix_is_the_published_one(_):
    """The first numbers of the seed 1234567, as the generator's test vectors have them."""
    bits = splitmix(1234567)
    assert [next(bits) for _ in range(2)] == [6457827717110365317, 3203168211198807973]


def test_random(t):
    seed = int(np.random.default_rng().integers(2 ** 62))
    cases = [f"uniform((7, 3), seed={seed})", f"uniform(21, float32, -2, 3, {seed})", f"normal(21, seed={seed})",
             f"randint(-5, 12, 21, int16, {seed})", f"randint(0, 2**64, 21, uint64, seed={seed})",
             f"normal((3, 7), float32, loc=10, scale=0.5, seed={seed})", f"randint(0, 2, 21, bool, seed={seed})"]
    got = evaluate(t, cases)
    bits = splitmix(seed)
    bits = [next(bits) for _ in range(60)]
    assert np.array_equal(got[0].ravel(), [(z >> 11) * 2.0 ** -53 for z in bits[:21]]) and got[0].shape == (7, 3)
    assert np.array_equal(got[1], np.float32([-2 + 5 * ((z >> 40) * 2.0 ** -24) for z in bits[:21]])), seed
    pairs = zip(bits[0::2], bits[1::2])
    wanted = [r * f(2 * math.pi * (b >> 11) * 2.0 ** -53) for a, b in pairs
              for r in [math.sqrt(-2 * math.log(1 - (a >> 11) * 2.0 ** -53))] for f in (math.cos, math.sin)]
    assert np.allclose(got[2], wanted[:21], rtol=1e-12), seed
    assert np.array_equal(got[3], [z % 17 - 5 for z in [z for z in bits if z >= 2 ** 64 % 17][:21]]) and got[3].dtype == np.int16
    assert np.array_equal(got[4], np.array(bits[:21], np.uint64))
    assert np.allclose(got[5].ravel(), 10 + 0.5 * np.array(wanted[:21]), rtol=1e-6) and got[5].dtype == np.float32
    assert np.array_equal(got[6], [z % 2 == 1 for z in bits[:21]])


def test_random_arrays_differ_unless_their_seeds_are_equal(t):
    a, b, c, d = evaluate(t, ["uniform(100)", "uniform(100)", "uniform(100, seed=5)", "uniform(100, seed=5)"])
    assert not (a == b).any() and not (a == c).any() and np.array_equal(c, d)
    assert np.array_equal(a, evaluate(t, ["uniform(100)"])[0])


def test_random_ranges(t):
    f, h, n, r = evaluate(t, ["uniform(100000, float32, 1, 1 + 2**-20, 3)", "uniform(10000, float16, 0, 1)",
                              "normal(100000, seed=9)", "randint(-3, 4, 100000)"])
    assert f.min() >= 1 and f.max() < np.float32(1 + 2 ** -20) and 0 <= h.min() and h.max() < 1
    assert abs(n.mean()) < 0.02 and abs(n.std() - 1) < 0.02 and set(r) == set(range(-3, 4))


def test_random_errors(t):
    fails(t, "uniform(0, 1, 100)", "`uniform` takes the shape first: write uniform(1000, low=0, high=1)", 11)
    fails(t, "normal(0, 1, 100)", "`normal` takes the shape first: write normal(1000, loc=0, scale=1)", 10)
    fails(t, "randint(5, (0, 9), 3)", "`randint` takes the shape last: write randint(0, 10, (1000,))", 11)
    fails(t, "randint((5,), 0, 9)", "`randint` takes the shape last: write randint(0, 10, (1000,))", 8)
    fails(t, "randint(0, 10)", "`randint` needs the argument `shape`", 0)
    fails(t, "randint(0, 257, 5, uint8)", "the numbers do not all fit in uint8", 0)
    fails(t, "randint(3, 3, 5)", "`low` must be less than `high`, which is not included", 0)
    fails(t, "randint(0, 3, 5, float32)", "`randint` makes integers; uniform and normal make floats", 17)
    fails(t, "uniform(3, int32)", "`uniform` makes floats; randint(low, high, shape, int32) makes integers", 11)
    fails(t, "uniform(3, complex64)", "`uniform` makes floats: write x + 1j * y", 11)
    fails(t, "uniform(3, low=2, high=1)", "`low` must be less than `high` in float64", 0)
    fails(t, "uniform(3, high=inf)", "`high` must be finite", 16)
    fails(t, "normal(3, scale=-1)", "`scale` is negative", 16)
    fails(t, "uniform(3, seed=-1)", "the seed is an integer from 0 to 2**63 - 1", 16)


# --- --expect --------------------------------------------------------------------------------

LAUNCH = ["x=uniform(1001, float32)", "y=normal(1001, float32)", "axpy[7, 32](2.5, x, y)"]


def test_expect_expressions(t):
    command = [t.ckrun, "--device", "cpu", t.write("k.ck", KERNEL), *LAUNCH]
    t.ok([*command, "--expect", "y=2.5*x + y", "--rtol", "1e-4"])
    t.ok([*command, "--expect", "x=x"])
    t.fails([*command, "--expect", "y=y"], 1, "`y` differs from y in ", "largest error ", "relative ")
    t.fails([*command, "--expect", "y=x[:3]"], 1, "`y` has shape (1001,), x[:3] has shape (3,)")
    t.fails([*command, "--expect", "y=x.shape"], 2, "expected a number, an array or a file FILE.npy: this is a tuple")
    t.ok([*command, "--expect", "y=2.5*x.astype(float64) + y", "--rtol", "1e-4"])


def test_expect_prints_the_largest_error(t):
    source = t.write("k.ck", KERNEL)
    words = [t.ckrun, "--device", "cpu", source, "a=full(4, 2, float32)", "b=arange(8).reshape(2, 4)",
             "--expect", "b=b"]
    result = t.ok([*words, "--expect", "a=full(4, 2.5)", "--atol", "1"])
    assert result.err == "ckrun: note: `a` is close to full(4, 2.5): largest error 0.5 (a[0]), relative 0.2 (a[0])\n", result.err
    result = t.fails([*words, "--expect", "b=where(arange(8).reshape(2, 4) == 6, 9, arange(8).reshape(2, 4))"], 1)
    assert "\n  b[1, 2]: got 6, want 9\n  largest error 3 (b[1, 2]), relative 0.333 (b[1, 2])\n" in result.err, result.err
    assert t.ok([*words, "--expect", "a=2"]).err == ""
    t.fails([*words, "--expect", "b=arange(8).reshape(2, 4) + 0.5"], 1, "`b` is int64, which cannot hold all of ")
    t.fails([*words, "--expect", "a=nan"], 1, "largest error inf (a[0])")
