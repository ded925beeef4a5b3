"""LLVM IR before and after a pass."""

import re


def ran(t, *ckc):
    """The passes that ran, in order."""
    message = t.fails([t.ckc, *ckc, "--emit=llvm-after=?"], 2, "no pass `?` ran").err
    return message.split("passes that ran: ")[1].strip().split(", ")


def around(t, name, text, *options, arch="sm_90"):
    """The module before and after the pass."""
    ckc = [f"-arch={arch}", *options, "-o", "-", t.write("k.ck", text)]
    passes = ran(t, *ckc)
    at = passes.index(name)
    before = f"llvm-after={passes[at - 1]}" if at else "llvm-raw"
    return [t.ok([t.ckc, *ckc, f"--emit={emit}"]).out for emit in (before, f"llvm-after={name}")]


def function(text, name):
    """The body of a function, without names of values that differ from pass to pass."""
    body = re.search(rf'^define [^\n]*@"?{re.escape(name)}"?\(.*?^}}', text, re.M | re.S)
    assert body, (name, re.findall(r"^define [^\n]*", text, re.M))
    return body[0]


def without_remainders(body):
    """The function without the remainders of unrolled loops."""
    blocks = re.split(r"^(?=[\w.-]+:)", body, flags=re.M)
    return "".join(block for block in blocks if not re.match(r"[\w.-]*\.(prol|epil)[\w.-]*:", block))


def calls(body, callee):
    """Calls of functions whose names begin so."""
    return len(re.findall(rf'call [^\n]*@"?{re.escape(callee)}', body))


def count(body, pattern):
    return len(re.findall(pattern, body, re.M))
