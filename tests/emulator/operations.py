"""PTX instructions as statements of C: see translate.py. The manual of the PTX ISA defines them."""

import re

INTEGER = {f"{sign}{bits}" for sign in "bus" for bits in (8, 16, 32, 64)}
FLOAT = {"f16", "bf16", "f32", "f64"}
TYPES = INTEGER | FLOAT | {"pred", "f16x2", "bf16x2"}
ROUNDINGS = {name: name[1] for name in ("rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi")}
AXES = {"x": 0, "y": 1, "z": 2}


class Unsupported(Exception):
    """What the emulated GPU does not have."""


def bits_of(kind):
    return 1 if kind == "pred" else 16 if kind == "bf16" else int(re.sub(r"\D", "", kind))


def c_type(kind):
    if kind in FLOAT:
        return kind
    return "bool" if kind == "pred" else f"{'s' if kind[0] == 's' else 'u'}{bits_of(kind)}"


def unsigned(kind):
    return f"u{bits_of(kind)}"


def special_register(name):
    base, _, axis = name[1:].partition(".")
    if base in ("tid", "ntid", "ctaid", "nctaid", "cluster_ctaid", "cluster_nctaid", "clusterid", "nclusterid"):
        return f"t->{base}[{AXES[axis]}]"
    if base.startswith("envreg"):
        return f"t->envreg[{base[6:]}]"
    lane = "(t->rank & 31)"
    known = {
        "laneid": lane, "warpid": "(t->rank >> 5)", "clock": "(u32)++t->clock", "clock64": "++t->clock",
        "clock_hi": "0u", "globaltimer": "++t->clock", "smid": "0u", "nsmid": "132u", "gridid": "1u",
        "nwarpid": "64u", "dynamic_smem_size": "t->dynamic_shared", "cluster_ctarank": "t->cluster_rank",
        "cluster_nctarank": "t->cluster_size",
        "lanemask_lt": f"((1u << {lane}) - 1)", "lanemask_le": f"(2u << {lane}) - 1",
        "lanemask_eq": f"(1u << {lane})", "lanemask_gt": f"(~((2u << {lane}) - 1))",
        "lanemask_ge": f"(~((1u << {lane}) - 1))",
    }
    if base not in known:
        raise Unsupported(f"register {name}")
    return f"({known[base]})"


class Instruction:
    def __init__(self, function, opcode, operands):
        self.function, self.opcode = function, opcode
        self.parts = opcode.split(".")
        self.mods = self.parts[1:]
        self.types = [part for part in self.mods if part in TYPES]
        self.operands = operands

    def has(self, *names):
        return any(name in self.mods for name in names)

    def refuse(self, why=""):
        raise Unsupported(f"{self.opcode} {', '.join(self.operands)} {why}")

    @property
    def rounding(self):
        return next((ROUNDINGS[mod] for mod in self.mods if mod in ROUNDINGS), "n")

    # --- Operands ---------------------------------------------------------------------------------

    def bits(self, text):
        """An expression of an operand's bits, as many as it has."""
        if re.fullmatch(r"0[fF][0-9a-fA-F]{8}", text):
            return f"0x{text[2:]}u"
        if re.fullmatch(r"0[dD][0-9a-fA-F]{16}", text):
            return f"0x{text[2:]}ull"
        if re.fullmatch(r"[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?", text):
            return f"0x{int(text.rstrip('U'), 0) & (1 << 64) - 1:x}ull"
        if re.fullmatch(r"[\d+*() -]+", text):
            return f"0x{eval(text) & (1 << 64) - 1:x}ull"
        if text == "WARP_SZ":
            return "32ull"
        found = self.function.find(text)
        if found:
            name, kind = found
            if kind == "local":
                return f"((u64)(uintptr_t){name} - (u64)(uintptr_t)t->local)"
            return f"(u64)(uintptr_t){name}" if kind == "param" else name
        if text[0] == "%":
            return special_register(text)
        base, sign, offset = re.match(r"([^+]+)(\+?)(.*)$", text).groups()
        if sign:
            return f"({self.bits(base)} + {self.bits(offset)})"
        if text in self.function.module.symbols:
            return self.function.module.symbols[text]
        return self.refuse(f"operand {text}")

    def value(self, index, kind):
        return self.value_of(self.operands[index], kind)

    def value_of(self, text, kind):
        if kind == "pred":
            return f"(!{self.bits(text[1:])})" if text[0] == "!" else f"((bool){self.bits(text)})"
        if kind in FLOAT:
            value = f"to_{kind}(({unsigned(kind)}){self.bits(text)})"
            return f"flushed({value})" if kind == "f32" and self.has("ftz") else value
        return f"(({c_type(kind)}){self.bits(text)})"

    def assign(self, text, value, kind):
        """To a register of the type or a wider one."""
        if text == "_":
            return f"(void)({value});"
        found = self.function.find(text)
        if not found:
            return self.refuse(f"result {text}")
        name, of_register = found
        if of_register == "pred":
            return f"{name} = ({value}) != 0;"
        if kind == "f32" and self.has("ftz"):
            value = f"flushed({value})"
        if kind in FLOAT:
            value = f"of_{kind}({value})"
        return f"{name} = ({unsigned(of_register)})({value});"

    def result(self, value, kind):
        return self.assign(self.operands[0], value, kind)

    def pair(self, text):
        """The two registers of `d|p`, the second None where there is none."""
        first, _, second = text.partition("|")
        return first, second or None

    def address(self, text, space=None):
        inside = re.fullmatch(r"\[\s*(.*?)\s*\]", text, re.S)
        if not inside:
            self.refuse("address")
        base, _, offset = inside[1].partition("+")
        value = f"(u64){self.bits(base.strip())}"
        if offset:
            value = f"({value} + {self.bits(offset.strip())})"
        found = self.function.find(base.strip())
        narrow = found and found[1] == "b32"
        if space == "local":
            value = f"({'(u64)(u32)' if narrow else ''}({value}) + (u64)(uintptr_t)t->local)"
        if space == "const" and narrow:  # the lower half of an address in this shared object
            value = f"((u64)(u32)({value}) | ((u64)(uintptr_t)&emulated_module & 0xffffffff00000000ull))"
        return value

    @property
    def space(self):
        for part in self.mods:
            name = part.split("::")[0]
            if name in ("global", "shared", "local", "param", "const"):
                return name
        return None


def list_of(text):
    return [item.strip() for item in text.strip("{}").split(",")] if text.startswith("{") else [text]


def split_operands(text):
    """At commas outside brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "[{(") - (c in ")}]")
        if c == "," and not depth:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [*parts, part.strip()] if part.strip() else parts


# --- Arithmetic -----------------------------------------------------------------------------------


def float_of(i, kind, expression, operation, operands):
    """A float operation in the direction that the instruction names; of 16 bits in wider ones."""
    if kind in ("f16", "bf16"):
        if kind == "f16":
            return f"(f16)({expression('(f64)' + operands[0], '(f64)' + operands[1])})"
        return f"bf16_of_f64({expression(*(f'(f64)f32_of_bf16({o})' for o in operands[:2]))})"
    if i.rounding != "n":
        return f"{operation}_{kind}({operands[0]}, {operands[1]}, '{i.rounding}')"
    return f"({kind})({expression(*operands[:2])})"


def saturated(i, value, kind):
    return f"saturated_{kind}({value})" if i.has("sat") and kind in FLOAT else value


def carried(i, kind, a, sign, b, carry_in):
    """The sum or difference of unsigned operands, with the carries that the instruction has."""
    u = unsigned(kind)
    carry_out = i.has("cc")
    if not carry_in and not carry_out:
        return i.result(f"({u})({a} {sign} {b})", kind)
    carry = " + cc" if carry_in else ""
    text = f"{{ unsigned __int128 sum = (unsigned __int128){a} {sign} ((unsigned __int128){b}{carry}); "
    text += f"{i.result('(' + u + ')sum', kind)} "
    return text + (f"cc = (u32)(sum >> {bits_of(kind)}) & 1; }}" if carry_out else "}")


def add_sub(i):
    kind = i.types[-1]
    sign = "+" if i.parts[0] in ("add", "addc") else "-"
    if kind in FLOAT:
        operands = [i.value(1, kind), i.value(2, kind)]
        if i.rounding != "n" and sign == "-":
            operands[1] = f"-{operands[1]}"
        value = float_of(i, kind, lambda a, b: f"{a} {sign} {b}", "add", operands)
        return i.result(saturated(i, value, kind), kind)
    if kind in ("f16x2", "bf16x2"):
        i.refuse()
    if i.has("sat"):
        wide = f"((s64){i.value(1, 's32')} {sign} (s64){i.value(2, 's32')})"
        return i.result(f"({wide} > INT32_MAX ? INT32_MAX : {wide} < INT32_MIN ? INT32_MIN : {wide})", "s32")
    u = unsigned(kind)
    a, b = i.value(1, u), i.value(2, u)
    return carried(i, kind, a, sign, b, i.parts[0] in ("addc", "subc"))


def product(i, kind, a, b, part):
    """Of integers: the half, or all of it."""
    bits, sign = bits_of(kind), kind[0] == "s"
    wide = "__int128" if sign else "unsigned __int128"
    if part == "lo":
        return f"({c_type(kind)})((u64){a} * (u64){b})"
    whole = f"(({wide}){a} * ({wide}){b})"
    return f"({c_type(kind)})({whole} >> {bits})" if part == "hi" else \
        f"({'s' if sign else 'u'}{2 * bits})({whole})"


def mul(i):
    kind = i.types[-1]
    if kind in FLOAT:
        value = float_of(i, kind, lambda a, b: f"{a} * {b}", "mul", [i.value(1, kind), i.value(2, kind)])
        return i.result(saturated(i, value, kind), kind)
    part = next((p for p in ("lo", "hi", "wide") if i.has(p)), None) or i.refuse()
    result = f"{kind[0]}{2 * bits_of(kind)}" if part == "wide" else kind
    return i.result(product(i, kind, i.value(1, kind), i.value(2, kind), part), result)


def mad(i):
    kind = i.types[-1]
    if kind in FLOAT:
        return fma(i)
    part = next((p for p in ("lo", "hi", "wide") if i.has(p)), None) or i.refuse()
    result = f"{kind[0]}{2 * bits_of(kind)}" if part == "wide" else kind
    u = unsigned(result)
    value = product(i, kind, i.value(1, kind), i.value(2, kind), part)
    return carried(i, result, f"({u}){value}", "+", i.value(3, u), i.parts[0] == "madc")


def fma(i):
    kind = i.types[-1]
    a, b, c = (i.value(index, kind) for index in (1, 2, 3))
    if kind == "f16":
        value = f"(f16)odd_sum((f64){a} * (f64){b}, (f64){c})"
    elif kind == "bf16":
        a, b, c = (f"(f64)f32_of_bf16({x})" for x in (a, b, c))
        value = f"bf16_of_f64(odd_sum({a} * {b}, {c}))"
    elif kind not in FLOAT:
        return i.refuse()
    elif i.rounding == "n":
        value = f"{'fmaf' if kind == 'f32' else 'fma'}({a}, {b}, {c})"
    else:
        value = f"fma_{kind}({a}, {b}, {c}, '{i.rounding}')"
    return i.result(saturated(i, value, kind), kind)


def div(i):
    kind = i.types[-1]
    if kind in FLOAT:
        return i.result(float_of(i, kind, lambda a, b: f"{a} / {b}", "div", [i.value(1, kind), i.value(2, kind)]), kind)
    return i.result(f"div_{c_type(kind)}({i.value(1, kind)}, {i.value(2, kind)})", kind)


def rem(i):
    kind = i.types[-1]
    return i.result(f"rem_{c_type(kind)}({i.value(1, kind)}, {i.value(2, kind)})", kind)


def abs_neg(i):
    kind = i.types[-1]
    bits, negates = bits_of(kind), i.parts[0] == "neg"
    if kind in FLOAT:
        sign = 1 << (bits - 1)
        u = unsigned(kind)
        raw = f"of_{kind}({i.value(1, kind)})" if kind == "f32" and i.has("ftz") else i.value(1, u)
        return i.result(f"({u})({raw} {'^' if negates else '&'} {hex(sign if negates else sign - 1)}ull)", u)
    a, u = i.value(1, kind), unsigned(kind)
    return i.result(f"({u})(0 - (u64){a})" if negates else f"({a} < 0 ? ({u})(0 - (u64){a}) : ({u}){a})", u)


def min_max(i):
    kind, name = i.types[-1], i.parts[0]
    a, b = i.value(1, kind), i.value(2, kind)
    if kind in FLOAT:
        if kind in ("f16", "bf16"):
            wide = [f"(f32){x}" if kind == "f16" else f"f32_of_bf16({x})" for x in (a, b)]
            value = f"{name}_f32({wide[0]}, {wide[1]})"
            value = f"(f16){value}" if kind == "f16" else f"bf16_of_f64({value})"
            test = f"(isnan({wide[0]}) || isnan({wide[1]}))"
        else:
            value, test = f"{name}_{kind}({a}, {b})", f"(isnan({a}) || isnan({b}))"
        if i.has("NaN"):
            nan = {"f16": "to_f16(0x7fff)", "bf16": "(bf16){0x7fff}", "f32": "to_f32(0x7fffffff)",
                   "f64": "to_f64(0x7fffffffffffffffull)"}[kind]
            value = f"({test} ? {nan} : {value})"
        if i.has("xorsign"):
            i.refuse()
        return i.result(value, kind)
    return i.result(f"({a} {'<' if name == 'min' else '>'} {b} ? {a} : {b})", kind)


def logic(i):
    kind, operator = i.types[-1], {"and": "&", "or": "|", "xor": "^"}[i.parts[0]]
    return i.result(f"{i.value(1, kind)} {operator} {i.value(2, kind)}", kind)


def inverse(i):
    kind = i.types[-1]
    a = i.value(1, kind)
    if i.parts[0] == "cnot":
        return i.result(f"({a} == 0)", kind)
    return i.result(f"!{a}" if kind == "pred" else f"({unsigned(kind)})~{a}", kind)


def shifts(i):
    kind, left = i.types[-1], i.parts[0] == "shl"
    name = f"shl_b{bits_of(kind)}" if left else f"shr_{c_type(kind)}"
    return i.result(f"{name}({i.value(1, kind)}, {i.value(2, 'u32')})", kind)


def funnel(i):
    left, wrap = int(i.has("l")), int(i.has("wrap"))
    return i.result(f"shf({i.value(1, 'u32')}, {i.value(2, 'u32')}, {i.value(3, 'u32')}, {left}, {wrap})", "u32")


def bit_fields(i):
    kind, name = i.types[-1], i.parts[0]
    bits, u = bits_of(kind), unsigned(kind)
    a = i.value(1, u)
    if name == "bfe":
        which = "bfe_s" if kind[0] == "s" else "bfe_u"
        return i.result(f"{which}({a}, {i.value(2, 'u32')}, {i.value(3, 'u32')}, {bits})", u)
    if name == "bfi":
        return i.result(f"bfi({a}, {i.value(2, u)}, {i.value(3, 'u32')}, {i.value(4, 'u32')}, {bits})", u)
    if name == "brev":
        return i.result(f"brev({a}, {bits})", u)
    if name == "clz":
        return i.result(f"clz({a}, {bits})", "u32")
    if name == "popc":
        return i.result(f"(u32)__builtin_popcountll({a})", "u32")
    if kind[0] == "s":
        a = f"({u})({a} ^ ((s{bits}){a} < 0 ? ({u})-1 : 0))"
    found = f"bfind({a})"
    return i.result(f"({found} == UINT32_MAX ? UINT32_MAX : {bits - 1} - {found})" if i.has("shiftamt") else found, "u32")


def copysign(i):
    kind, sign = i.types[-1], 1 << (bits_of(i.types[-1]) - 1)
    u = unsigned(kind)
    return i.result(f"({i.value(2, u)} & {hex(sign - 1)}ull) | ({i.value(1, u)} & {hex(sign)}ull)", u)


def functions(i):
    """Of one float. What is approximate in PTX is exact here."""
    kind, name = i.types[-1], i.parts[0]
    a = i.value(1, kind)
    if kind == "f64" and i.has("ftz"):  # rsqrt.approx.f64 has all bits, as ptxas computes it
        a = f"upper_half({a})"
        text = {"rcp": f"upper_half(1 / {a})", "rsqrt": f"upper_half(1 / sqrt({a}))"}[name]
        return i.result(f"({{ f64 r = {text}; fpclassify(r) == FP_SUBNORMAL ? copysign(0, r) : r; }})", kind)
    if name == "sqrt" and i.rounding != "n":
        return i.result(f"sqrt_{kind}({a}, '{i.rounding}')", kind)
    if name == "rcp" and i.rounding != "n":
        return i.result(f"div_{kind}(1, {a}, '{i.rounding}')", kind)
    if kind in ("f16", "bf16"):
        a = f"(f32){a}" if kind == "f16" else f"f32_of_bf16({a})"
    end = "" if kind == "f64" else "f"
    value = {"rcp": f"1 / {a}", "sqrt": f"sqrt{end}({a})", "rsqrt": f"1 / sqrt{end}({a})",
             "ex2": f"exp2{end}({a})", "lg2": f"log2{end}({a})", "sin": f"sin{end}({a})",
             "cos": f"cos{end}({a})", "tanh": f"tanh{end}({a})"}[name]
    if kind in ("f16", "bf16"):
        value = f"(f16)({value})" if kind == "f16" else f"bf16_of_f64({value})"
    return i.result(f"({value})", kind)


# --- Comparisons and moves ------------------------------------------------------------------------


def comparison(operator, a, b, kind):
    if kind in ("f16", "bf16"):
        a, b = ((f"(f32){x}" if kind == "f16" else f"f32_of_bf16({x})") for x in (a, b))
    signs = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
             "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
    if kind not in FLOAT:
        return f"({a} {signs[operator]} {b})"
    if operator in ("num", "nan"):
        return f"({'' if operator == 'nan' else '!'}(isnan({a}) || isnan({b})))"
    if operator == "ne":
        return f"({a} < {b} || {a} > {b})"
    opposite = {"ltu": ">=", "leu": ">", "gtu": "<=", "geu": "<", "neu": "=="}
    if operator in opposite:
        return f"(!({a} {opposite[operator]} {b}))"
    if operator == "equ":
        return f"(!({a} < {b} || {a} > {b}))"
    return f"({a} {signs[operator]} {b})"


def setp(i):
    kind, operator = i.types[-1], i.mods[0]
    first, second = i.pair(i.operands[0])
    test = comparison(operator, i.value(1, kind), i.value(2, kind), kind)
    combine = next((mod for mod in i.mods if mod in ("and", "or", "xor")), None)
    sign = {"and": "&", "or": "|", "xor": "^", None: ""}[combine]
    other = f" {sign} {i.value(3, 'pred')}" if combine else ""
    if not second:
        return i.assign(first, f"{test}{other}", "pred")
    return f"{{ bool test = {test}, not_test = !test; bool one = test{other}, two = not_test{other}; " \
           f"{i.assign(first, 'one', 'pred')} {i.assign(second, 'two', 'pred')} }}"


def selp(i):
    u = unsigned(i.types[-1])
    return i.result(f"({i.value(3, 'pred')} ? {i.value(1, u)} : {i.value(2, u)})", u)


def mov(i):
    target, source = i.operands
    kind = i.types[-1]
    if kind == "pred":
        return i.result(i.value(1, "pred"), "pred")
    if target.startswith("{"):
        parts, lines = list_of(target), []
        each = bits_of(kind) // len(parts)
        for number, part in enumerate(parts):
            lines.append(i.assign(part, f"(u{each})(packed >> {each * number})", f"u{each}"))
        return f"{{ u64 packed = {i.value_of(source, unsigned(kind))}; {' '.join(lines)} }}"
    if source.startswith("{"):
        parts = list_of(source)
        each = bits_of(kind) // len(parts)
        packed = " | ".join(f"(u64){i.value_of(part, f'u{each}')} << {each * number}"
                            for number, part in enumerate(parts))
        return i.result(packed, unsigned(kind))
    return i.result(i.value(1, unsigned(kind)), unsigned(kind))


def wide_float(value, kind):
    return {"f16": f"(f64){value}", "bf16": f"(f64)f32_of_bf16({value})", "f32": f"(f64){value}", "f64": value}[kind]


def of_wide_float(i, value, kind, rounds):
    if kind == "f16":
        return f"(f16)({value})"
    if kind == "bf16":
        return f"bf16_of_f64({value})"
    if kind == "f32":
        return f"f32_of_f64({value}, '{i.rounding}')" if rounds and i.rounding != "n" else f"(f32)({value})"
    return f"({value})"


def cvt(i):
    if len(i.types) != 2 or len(i.operands) != 2:
        i.refuse()
    to, source = i.types
    integral = i.has("rni", "rzi", "rmi", "rpi")
    bits = bits_of(to)
    if to in FLOAT:
        if source in FLOAT:
            value = wide_float(i.value(1, source), source)
            if integral:
                value = f"integral({value}, '{i.rounding}')"
            value = of_wide_float(i, value, to, not integral)
        elif to in ("f16", "bf16"):
            value = of_wide_float(i, f"(f64){i.value(1, source)}", to, False)
        elif i.rounding != "n":
            value = f"{to}_of_{source[0]}64({i.value(1, source)}, '{i.rounding}')"
        else:
            value = f"({to}){i.value(1, source)}"
        if i.has("relu") or (i.has("sat") and to not in ("f32", "f64")):
            i.refuse()
        return i.result(saturated(i, value, to), to)
    if source in FLOAT:
        wide = int(source == "f64" or bits == 64)
        value = wide_float(i.value(1, source), source)
        name = "signed_of_float" if to[0] == "s" else "unsigned_of_float"
        return i.result(f"({c_type(to)}){name}({value}, {bits}, '{i.rounding}', {wide})", to)
    value = i.value(1, source)
    if i.has("sat"):
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if to[0] == "s" else (0, (1 << bits) - 1)
        value = f"({{ __int128 v = {value}, l = (__int128){low}ll, h = (__int128){high}ull; v < l ? l : v > h ? h : v; }})"
    return i.result(f"({c_type(to)})({value})", to)


def cvta(i):
    value = i.value(1, "u32" if i.function.find(i.operands[1]) and i.function.find(i.operands[1])[1] == "b32" else "u64")
    if i.has("local"):
        sign = "-" if i.has("to") else "+"
        value = f"((u64){value} {sign} (u64)(uintptr_t)t->local)"
    return i.result(value, i.types[-1])


# --- Memory ---------------------------------------------------------------------------------------


def vector_length(i):
    return next((int(mod[1:]) for mod in i.mods if mod in ("v2", "v4", "v8")), 1)


def load(i):
    kind, targets = i.types[-1], list_of(i.operands[0])
    bits, n = bits_of(kind), vector_length(i)
    if len(targets) != n:
        i.refuse()
    text = f"{{ u64 at = aligned(t, {i.address(i.operands[1], i.space)}, {bits // 8 * n}); "
    text += "".join(f"u{bits} v{k} = load{bits}(at + {bits // 8 * k}); " for k in range(n))
    cast = c_type(kind) if kind not in FLOAT else f"u{bits}"
    return text + " ".join(i.assign(target, f"({cast})v{k}", cast) for k, target in enumerate(targets)) + " }"


def store(i):
    kind, sources = i.types[-1], list_of(i.operands[1])
    bits, n = bits_of(kind), vector_length(i)
    if len(sources) != n:
        i.refuse()
    text = f"{{ u64 at = aligned(t, {i.address(i.operands[0], i.space)}, {bits // 8 * n}); "
    return text + " ".join(f"store{bits}(at + {bits // 8 * k}, {i.value_of(source, f'u{bits}')});"
                           for k, source in enumerate(sources)) + " }"


def updated(i, operation, kind):
    """What an atomic operation stores, of `old` and the operands `b` and `c`."""
    if operation in ("add", "min", "max") and kind in FLOAT:
        if kind == "f16":
            if operation == "add":
                return "(f16)((f32)old + (f32)b)"
            return f"(f16){operation}_f32((f32)old, (f32)b)"
        if kind == "bf16":
            if operation == "add":
                return "bf16_of_f64((f64)f32_of_bf16(old) + (f64)f32_of_bf16(b))"
            return f"bf16_of_f64({operation}_f32(f32_of_bf16(old), f32_of_bf16(b)))"
        return "old + b" if operation == "add" else f"{operation}_{kind}(old, b)"
    return {"add": f"({unsigned(kind)})old + ({unsigned(kind)})b", "min": "old < b ? old : b", "max": "old > b ? old : b",
            "inc": "old >= b ? 0 : old + 1", "dec": "old == 0 || old > b ? b : old - 1",
            "and": "old & b", "or": "old | b", "xor": "old ^ b", "exch": "b",
            "cas": "old == b ? c : old"}[operation]


def atom(i):
    reduces = i.parts[0] == "red"
    operation = next((mod for mod in i.mods if mod in ("add", "min", "max", "inc", "dec", "and", "or", "xor",
                                                       "exch", "cas")), None) or i.refuse()
    kind = i.types[-1]
    if vector_length(i) > 1 or kind.endswith("x2"):
        i.refuse()
    bits, ctype = bits_of(kind), c_type(kind)
    at = i.operands[0 if reduces else 1]
    operands = i.operands[1 if reduces else 2:]
    text = f"{{ u64 at = aligned(t, {i.address(at, i.space)}, {bits // 8}); u{bits} raw = load{bits}(at); "
    text += f"{ctype} old = {f'to_{kind}(raw)' if kind in FLOAT else f'({ctype})raw'}; "
    text += f"{ctype} b = {i.value_of(operands[0], kind)}; "
    if operation == "cas":
        text += f"{ctype} c = {i.value_of(operands[1], kind)}; "
    value = f"({ctype})({updated(i, operation, kind)})" if kind != "bf16" else updated(i, operation, kind)
    text += f"store{bits}(at, {f'of_{kind}({value})' if kind in FLOAT else f'(u{bits}){value}'}); "
    return text + ("" if reduces else i.result("raw", f"u{bits}")) + " }"


def copy(i):
    """Asynchronous copies are done at once."""
    if i.has("commit_group", "wait_group", "wait_all"):
        return ";"
    if i.has("bulk"):
        if not i.has("mbarrier::complete_tx::bytes"):
            return ";" if i.has("commit_group", "wait_group") else i.refuse()
        to, source, bar = (i.address(i.operands[k]) for k in (0, 1, 3))
        size = i.value(2, "u32")
        return f"{{ aligned(t, {to} | {source} | {size}, 16); memcpy((void *)(uintptr_t)({to}), " \
               f"(void *)(uintptr_t)({source}), {size}); mbarrier_change({bar}, 0, -(s64){size}); }}"
    if not i.has("ca", "cg"):
        i.refuse()
    to, source, size = i.address(i.operands[0]), i.address(i.operands[1]), i.value(2, "u32")
    given = i.value(3, "u32") if len(i.operands) > 3 else size
    return f"{{ u32 size = {size}, given = {given}; aligned(t, {to} | {source}, size); " \
           f"memcpy((void *)(uintptr_t)({to}), (void *)(uintptr_t)({source}), given); " \
           f"memset((char *)(uintptr_t)({to}) + given, 0, size - given); }}"


def mbarrier(i):
    if i.has("init"):
        n = i.value(1, "u32")
        return f"store64({i.address(i.operands[0])}, mbarrier_word({n}, {n}, 0, 0));"
    if i.has("inval"):
        return ";"
    if i.has("arrive"):
        more = f"(s64){i.value(2, 'u32')}" if i.has("expect_tx") else "0"
        n = i.value(2, "u32") if len(i.operands) > 2 and not i.has("expect_tx") else "1"
        return i.result(f"mbarrier_change({i.address(i.operands[1])}, {n}, {more})", "u64")
    if i.has("test_wait", "try_wait"):
        phase = f"{i.value(2, 'u32')} & 1" if i.has("parity") else f"{i.value(2, 'u64')} >> 63"
        test = f"(load64({i.address(i.operands[1])}) >> 63) != ({phase})"
        return f"{{ t->calls->pause(t); {i.result(test, 'pred')} }}"
    return i.refuse()


# --- Control --------------------------------------------------------------------------------------


def branch(i):
    label = i.function.label(i.operands[0])
    return f"{{ BACKWARD(t); goto {label}; }}" if label in i.function.seen_labels else f"goto {label};"


def indexed_branch(i):
    cases = "".join(f"case {number}: goto {i.function.label(label)}; "
                    for number, label in enumerate(i.function.tables[i.operands[1]]))
    return f"BACKWARD(t); switch ({i.value(0, 'u32')}) {{ {cases}default: " \
           't->calls->fail(t, "no such branch target", 719); }'


def call(i):
    operands = list(i.operands)
    results = [part.strip() for part in operands.pop(0).strip("()").split(",")] if operands[0].startswith("(") else []
    name = operands.pop(0)
    arguments = [part.strip() for part in operands[0].strip("()").split(",") if part.strip()] if operands else []
    names = [i.function.find(part)[0] for part in [*results, *arguments]]
    if name == "vprintf":
        return (f"*(s32 *){names[0]} = t->calls->print(t, *(const char **){names[1]}, *(const u8 **){names[2]});")
    if name == "__assertfail":
        return f"t->calls->assertion(t, *(const char **){names[0]}, *(const char **){names[1]}, *(u32 *){names[2]}, " \
               f"*(const char **){names[3]});"
    if name[0] == "%":
        i.refuse()
    return f"f_{i.function.module.c_name(name)}({', '.join(['t', *names])});"


def barrier(i):
    if i.has("cluster"):
        return "t->calls->cluster_arrive(t);" if i.has("arrive") else "t->calls->cluster_wait(t);"
    if i.has("warp"):
        return f"t->calls->warp(t, WARP_SYNC, 0, {i.value(0, 'u32')}, 0, 0, 0);"
    if i.has("red"):
        kind = {"popc": "COUNT", "and": "AND", "or": "OR"}[next(m for m in i.mods if m in ("popc", "and", "or"))]
        n = i.value(2, "u32") if len(i.operands) > 3 else "0"
        flag = i.value_of(i.operands[-1], "pred")
        return i.result(f"t->calls->block(t, BLOCK_{kind}, {i.value(1, 'u32')}, {n}, {flag})",
                        "u32" if kind == "COUNT" else "pred")
    n = i.value(1, "u32") if len(i.operands) > 1 else "0"
    if i.has("arrive"):
        return f"t->calls->arrive(t, {i.value(0, 'u32')}, {n});"
    return f"t->calls->block(t, BLOCK_SYNC, {i.value(0, 'u32')}, {n}, 0);"


def warp_call(i, operation, mask, value="0", lane="0", clamp="0"):
    return f"t->calls->warp(t, WARP_{operation}, {i.function.new_site()}, {mask}, {value}, {lane}, {clamp})"


def shuffle(i):
    first, second = i.pair(i.operands[0])
    mode = next(mod for mod in i.mods if mod in ("up", "down", "bfly", "idx"))
    text = f"{{ struct warp_result r = {warp_call(i, 'SHFL_' + mode.upper(), i.value(4, 'u32'), i.value(1, 'u32'), i.value(2, 'u32'), i.value(3, 'u32'))}; "
    text += i.assign(first, "(u32)r.value", "u32")
    return text + (i.assign(second, "r.flag", "pred") if second else "") + " }"


def vote(i):
    mode = next(mod for mod in i.mods if mod in ("all", "any", "uni", "ballot"))
    kind = "u32" if mode == "ballot" else "pred"
    return i.result(f"{warp_call(i, 'VOTE_' + mode.upper(), i.value(2, 'u32'), i.value(1, 'pred'))}.value", kind)


def match(i):
    first, second = i.pair(i.operands[0])
    mode = "ANY" if i.has("any") else "ALL"
    text = f"{{ struct warp_result r = {warp_call(i, 'MATCH_' + mode, i.value(2, 'u32'), i.value(1, unsigned(i.types[-1])))}; "
    text += i.assign(first, "(u32)r.value", "u32")
    return text + (i.assign(second, "r.flag", "pred") if second else "") + " }"


def redux(i):
    operation = next(mod for mod in i.mods if mod in ("add", "and", "or", "xor", "min", "max")).upper()
    kind = i.types[-1]
    if kind in FLOAT:
        i.refuse()
    if operation in ("MIN", "MAX"):
        operation += f"_{kind.upper()}"
    return i.result(f"{warp_call(i, 'REDUX_' + operation, i.value(2, 'u32'), i.value(1, 'u32'))}.value", "u32")


def nothing(i):
    return ";"


HANDLERS = {
    **dict.fromkeys(["add", "sub", "addc", "subc"], add_sub), "mul": mul, "mad": mad, "madc": mad, "fma": fma,
    "div": div, "rem": rem, "abs": abs_neg, "neg": abs_neg, "min": min_max, "max": min_max,
    **dict.fromkeys(["and", "or", "xor"], logic), "not": inverse, "cnot": inverse, "shl": shifts, "shr": shifts,
    "shf": funnel, **dict.fromkeys(["bfe", "bfi", "brev", "clz", "popc", "bfind"], bit_fields),
    "copysign": copysign, **dict.fromkeys(["rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"], functions),
    "prmt": lambda i: i.result(f"prmt({i.value(1, 'u32')}, {i.value(2, 'u32')}, {i.value(3, 'u32')})", "u32"),
    "lop3": lambda i: i.result(f"lop3({i.value(1, 'u32')}, {i.value(2, 'u32')}, {i.value(3, 'u32')}, {i.value(4, 'u32')})", "u32"),
    "setp": setp, "selp": selp, "mov": mov, "cvt": cvt, "cvta": cvta,
    "ld": load, "ldu": load, "st": store, "atom": atom, "red": atom, "cp": copy, "mbarrier": mbarrier,
    "bra": branch, "brx": indexed_branch, "call": call, "bar": barrier, "barrier": barrier,
    "shfl": shuffle, "vote": vote, "match": match, "redux": redux,
    "activemask": lambda i: i.result(f"{warp_call(i, 'ACTIVE', '0')}.value", "u32"),
    "mapa": lambda i: i.result(f"t->calls->map_shared(t, {i.value(1, 'u64')}, {i.value(2, 'u32')})", "u64"),
    "getctarank": lambda i: i.result(f"t->calls->shared_rank(t, {i.value(1, 'u64')})", "u32"),
    "nanosleep": lambda i: "t->calls->pause(t);",
    "ret": lambda i: "return;", "exit": lambda i: "t->calls->leave(t);",
    "trap": lambda i: "t->calls->fail(t, \"trap\", 719);", "brkpt": nothing,
    **dict.fromkeys(["fence", "membar", "prefetch", "prefetchu", "discard", "applypriority", "griddepcontrol"], nothing),
}


def statement(function, text):
    guard = re.match(r"@(!?)\s*(%?[\w$]+)\s+(.*)$", text, re.S)
    if guard:
        text = guard[3]
    opcode, rest = (re.split(r"\s+", text, maxsplit=1) + [""])[:2]
    i = Instruction(function, opcode, split_operands(rest))
    handler = HANDLERS.get(i.parts[0])
    if not handler:
        i.refuse()
    try:
        line = handler(i)
    except (IndexError, KeyError) as error:
        raise Unsupported(f"{text}: {error!r}") from error
    if guard:
        name = function.find(guard[2])
        if not name:
            raise Unsupported(text)
        line = f"if ({guard[1]}{name[0]}) {line if line.startswith('{') else '{ ' + line + ' }'}"
    return line
