"""How the source is laid out: a README in each folder, bounded files, names of one meaning."""

import collections
import re

TOPS = ("lang", "codegen", "runtime", "src", "python")
SUFFIXES = {".c", ".h", ".re", ".def", ".ck", ".map"}
MAX_LINES = 900
MAX_README_LINES = 40
# Names that several stages use for their part of the same thing: an expression is checked and
# lowered.
STAGES = {
    "array.c": "arrays: the checker, lowering; ckrun's array expressions",
    "block.c": "barriers of blocks: typing, NVPTX, host",
    "call.c": "calls: of built-ins, of ckrun's functions, of the executor by compiled code",
    "cluster.c": "clusters: typing, NVPTX, the CPU executor",
    "complex.c": "complex numbers: the checker, lowering",
    "const_array.c": "constant arrays: the checker, lowering",
    "module_array.c": "arrays in the device's memory: the checker, lowering",
    "copy.c": "asynchronous copies: typing, NVPTX, the CPU executor",
    "entry.c": "kernels' entries: NVPTX, host",
    "expr.c": "expressions: the checker, lowering, ckrun's",
    "function.c": "functions: lowering, those that NVPTX adds to a module",
    "grid.c": "the grid: typing, NVPTX, host",
    "print.c": "print: typing, ckrun's output",
    "split_barrier.c": "split barriers: divergence, NVPTX",
    "stmt.c": "statements: the checker, lowering",
    "target.c": "the two targets",
    "pipeline.c": "the two targets' pipelines",
    "view.c": "views: the checker, lowering",
    "warp.c": "warps: typing, NVPTX",
    "warp_primitives.c": "the two targets' shuffles, votes and matches",
}


def folders(t):
    """{folder: its source files} of the folders that hold any."""
    t.need_tree()
    found = collections.defaultdict(list)
    for top in TOPS:
        for path in sorted((t.root / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                found[path.parent].append(path)
    return found


def test_every_folder_has_a_readme(t):
    """Of at most 40 lines, which names each file in it once, and no other."""
    faults = []
    for folder, files in folders(t).items():
        name = folder.relative_to(t.root)
        readme = folder / "README.md"
        if not readme.exists():
            faults.append(f"{name} has no README.md")
            continue
        lines = readme.read_text().splitlines()
        if len(lines) > MAX_README_LINES:
            faults.append(f"{name}/README.md has {len(lines)} lines, more than {MAX_README_LINES}")
        rows = [word for line in lines if line.startswith("| `")
                for word in re.findall(r"`([\w.]+)`", line.split("|")[1])]
        named, there = collections.Counter(rows), {path.name for path in files}
        faults += [f"{name}/README.md does not name {missing}" for missing in sorted(there - set(named))]
        faults += [f"{name}/README.md names {other}, which is not there" for other in sorted(set(named) - there)]
        faults += [f"{name}/README.md names {twice} {n} times" for twice, n in named.items() if n > 1]
    assert not faults, "\n".join(faults)


def test_file_sizes(t):
    faults = [f"{path.relative_to(t.root)} has {n} lines, more than {MAX_LINES}"
              for files in folders(t).values() for path in files
              for n in [len(path.read_text().splitlines())] if n > MAX_LINES]
    assert not faults, "\n".join(faults)


def test_file_names_mean_one_thing(t):
    places = collections.defaultdict(list)
    for files in folders(t).values():
        for path in files:
            if path.suffix in (".c", ".h", ".def", ".re"):
                places[path.name].append(str(path.relative_to(t.root)))
    faults = [f"{name}: {', '.join(paths)}" for name, paths in places.items() if len(paths) > 1 and name not in STAGES]
    assert not faults, "\n".join(faults)
    unused = sorted(name for name in STAGES if len(places[name]) < 2)
    assert not unused, f"no two files have these names: {unused}"


def test_struct_names_mean_one_thing(t):
    places = collections.defaultdict(set)
    for files in folders(t).values():
        for path in files:
            for name in re.findall(r"^(?:typedef )?(?:struct|union|enum) (ck_\w+) \{", path.read_text(), re.M):
                places[name].add(str(path.relative_to(t.root)))
    faults = [f"{name}: {', '.join(sorted(paths))}" for name, paths in places.items() if len(paths) > 1]
    assert not faults, "\n".join(faults)
