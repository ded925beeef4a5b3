"""Manifests, read as any program can read them: the text of docs/adr/003-abi-and-manifest.md."""

import re

TITLE = "// This file's manifest, for people; the array below holds the same text.\n"
WITH_NUMBERS = {"shared_bytes": 1, "max_threads": 1, "cluster": 3, "alignment": 1}


def unescape(text):
    return re.sub(r"\\x([0-9a-f]{2})", lambda hit: chr(int(hit[1], 16)), text)


def properties(words):
    """The words after a name: of each its numbers, or that it is there."""
    found, words = {}, list(words)
    while words:
        word = words.pop(0)
        numbers = [int(words.pop(0)) for _ in range(WITH_NUMBERS.get(word, 0))]
        found[word] = True if not numbers else numbers[0] if len(numbers) == 1 else numbers
    return found


def parameter(line):
    name, type_, rest = re.fullmatch(r"  (\S+)(?: (tuple \d+|\w+(?:\[[^]]*\])?)(.*))?", line).groups()
    return {"name": unescape(name), "type": type_, **properties((rest or "").split())}


def parse(text):
    lines = text.split("\n")
    assert lines[0] == "ck manifest 2" and lines[-2:] == ["end", ""], text
    manifest = {"kernels": []}
    for line in lines[1:-2]:
        key, _, rest = line.partition(" ")
        if line.startswith("  "):
            manifest["kernels"][-1]["params"].append(parameter(line))
        elif key == "kernel":
            name, kind, *words = rest.split()
            kernel = {"name": unescape(name), "params": []}
            if kind == "entry":
                kernel["entry"] = unescape(words.pop(0))
            manifest["kernels"].append({**kernel, "generic": kind == "generic", **properties(words)})
        else:
            manifest[key] = unescape(rest)
    return manifest


def array_in(ptx):
    """The text in PTX's array, as ptxas and the driver keep it."""
    array = re.search(r"^\.visible \.global \.align 8 \.b64 ck_manifest\[(\d+)\] = \{([^}]*)\}", ptx, re.M)
    words = [int(word, 16) for word in array[2].split(",")]
    assert len(words) == int(array[1])
    return b"".join(word.to_bytes(8, "little") for word in words).rstrip(b"\0").decode("ascii")


def comment_in(ptx):
    """The text in PTX's comment, as a person reads it."""
    lines = ptx[ptx.index(TITLE) + len(TITLE):].split("\n")
    return "".join(line[3:] + "\n" for line in lines[:lines.index("// end") + 1])


def in_ptx(ptx):
    return parse(array_in(ptx))
