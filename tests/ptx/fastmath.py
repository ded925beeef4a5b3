"""`fastmath=True` holds for the device functions that a kernel calls, and for no other kernel's."""

import re

SOURCE = """
def inverse(x):
    return 1.0 / sqrt(x)

@cuda.jit(device=True)
def twice(x):
    return inverse(x) + inverse(x + 1)

@cuda.jit(device=True, fastmath=False)
def exact(x):
    return inverse(x)

@cuda.jit(device=True, fastmath=True)
def quick(x):
    return inverse(x)

def ratio(a, b):
    return a / b

@cuda.jit("void(float32[::1])", fastmath=True)
def fast(x):
    x[grid(1)] = twice(x[grid(1)])

@cuda.jit("void(float32[::1])")
def plain(x):
    x[grid(1)] = twice(x[grid(1)])

@cuda.jit("void(float32[::1])", fastmath=True)
def fast_of_exact(x):
    x[grid(1)] = exact(x[grid(1)])

@cuda.jit("void(float32[::1])")
def plain_of_quick(x):
    x[grid(1)] = quick(x[grid(1)])

@cuda.jit("void(float32[::1])", fastmath=True)
def fast_reduce(x):
    x[0] = this_thread_block().reduce(x[threadIdx.x], ratio)

@cuda.jit("void(float32[::1])")
def plain_reduce(x):
    x[0] = this_thread_block().reduce(x[threadIdx.x], ratio)

@cuda.jit("void(float32[::1])", fastmath=True)
def fast_sum(x):
    x[0] = tiled_partition(this_thread_block(), 32).reduce(x[threadIdx.x])
"""
APPROXIMATE = r"\b(?:rsqrt\.approx|div\.(?:approx|full)|rcp\.approx|sqrt\.approx)"
EXACT = r"\b(?:sqrt|rcp|div)\.rn"
WHICH = {"fast": True, "plain": False, "fast_of_exact": False, "plain_of_quick": True, "fast_reduce": True, "plain_reduce": False}


def body(text, name):
    """The code of an entry, and of the functions that it calls."""
    code = {match[1]: match[0] for match in re.finditer(r"^(?:\.visible )?\.(?:entry|func)\s[^{;]*?([\w$]+)\s*\([^{;]*?\{.*?^\}", text, re.S | re.M)}
    work, seen = [name], []
    while work:
        at = work.pop()
        seen.append(at)
        work += [other for other in code if other not in seen + work and re.search(rf"\b{re.escape(other)}\b", code[at].split("{", 1)[1])]
    return "".join(code[at] for at in seen)


def test_device_functions_have_their_callers(t):
    source = t.write("k.ck", SOURCE)
    for level in ("-O3", "-O0"):
        text = t.ok([t.ckc, "-arch=sm_90", level, "-o", "-", source]).out
        for name, fast in WHICH.items():
            code = body(text, name)
            assert bool(re.search(APPROXIMATE, code)) == fast, (level, name, code)
            assert bool(re.search(EXACT, code)) != fast, (level, name, code)


def test_prelude_functions_have_their_callers(t):
    text = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", SOURCE)]).out
    assert re.search(r"add\.ftz\.f32", body(text, "fast_sum")), text


def test_each_form_is_made_once(t):
    """Two kernels of one option share a function; the other option has a function of its own."""
    text = t.ok([t.ckc, "-arch=sm_90", "-O0", "-o", "-", t.write("k.ck", SOURCE)]).out
    assert len(set(re.findall(r"\.func[^{;]*?\b(device_\$_inverse\w*)\(", text))) == 2, text
