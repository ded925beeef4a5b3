"""Random kernels and tools/fuzz.py: that a wrong result is seen, and what is made of it."""

import importlib.util

from harness import kernels
from harness.core import Failure
from harness.program_groups import answer_block, answer_group
from harness.programs import Program

ON_CPU = ["--device", "cpu:1"]


def load_tool(t):
    t.need_tree()
    spec = importlib.util.spec_from_file_location("fuzz", t.root / "tools" / "fuzz.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_each_seed_is_one_program(t):
    sources = [Program(seed).source() for seed in range(40)]
    assert len(set(sources)) == 40
    assert sources == [Program(seed).source() for seed in range(40)]
    text = "".join(sources + [Program(seed).source() for seed in range(40, 200)])
    for part in ("shared.array", "syncthreads", "this_grid", "tiled_partition", "partition(", "scan(",
                 "while ", "else:", "break", "continue", "return", "atomic", "//", ">>", ".T[", ".reshape(", "ballot",
                 "match_any", "barrier_arrive", "stride_partition", "passed_on(block", "_sync(0x",
                 "memcpy_async", "flags[b - 1]", "atomic.load(flags", "memory_order_acquire", "mixed_mul(", "total(", "enumerate(", "zip(", "pair[1]", "brev(", "C_", "fold_"):
        assert part in text, part


def test_a_wrong_result_is_seen(t):
    program = Program(3)
    due = program.due()
    kernels.check_program(t.layout, program, due, ON_CPU, [], 3)
    name = next(name for name, array in due.items() if name.startswith("o_") and array.size)
    due[name].flat[0] += 1
    try:
        kernels.check_program(t.layout, program, due, ON_CPU, [], 3)
    except Failure as failure:
        assert f"{name} == due_{name}" in str(failure) and "1 of " in str(failure), failure
    else:
        raise Failure("a wrong result passed")


def test_what_groups_answer(t):
    """Beside the meaning of each operation, on four threads."""
    values = [3, 1, 4, 1]
    for kind, other, due in [
            ("reduce", ["plus"] * 4, [9, 9, 9, 9]), ("reduce", ["greater"] * 4, [4, 4, 4, 4]),
            ("inclusive_scan", ["plus"] * 4, [3, 4, 8, 9]), ("exclusive_scan", ["plus"] * 4, [0, 3, 4, 8]),
            ("shfl", [2, 2, 0, 1], [4, 4, 3, 1]), ("shfl_up", [1] * 4, [3, 3, 1, 4]),
            ("shfl_down", [2] * 4, [4, 1, 4, 1]), ("shfl_xor", [3] * 4, [1, 4, 1, 3]),
            ("part", [("less", k % 2) for k in range(4)], [3, 1, 3, 1]),
            ("any", [0] * 4, [True] * 4), ("syncthreads_count", [0] * 4, [4] * 4)]:
        assert answer_group(kind, range(4), values, other) == due, kind


def test_what_groups_answer_without_threads_that_have_returned(t):
    """On two groups of four, of which 1, 2 and 7 have returned."""
    values, gone = [3, 1, 4, 1, 5, 9, 2, 6], (1, 2, 7)
    for kind, other, due in [
            ("reduce", "plus", [4, 4, 16, 16, 16]), ("reduce", "last", [1, 1, 2, 2, 2]),
            ("inclusive_scan", "plus", [3, 4, 5, 14, 16]), ("exclusive_scan", "plus", [0, 3, 0, 5, 14]),
            ("shfl", 1, [3, 1, 9, 9, 9]), ("shfl_up", 3, [3, 3, 5, 9, 2]), ("shfl_down", 1, [3, 1, 9, 2, 2]),
            ("shfl_xor", 1, [3, 1, 9, 5, 2]), ("ballot", 0, [9, 9, 7, 7, 7]), ("all", 0, [True] * 5),
            ("part", ("greater", 0), [3, 3, 9, 9, 9])]:
        requests = [None if k in gone else (kind, 4, value, other) for k, value in enumerate(values)]
        answers = answer_block(requests)
        assert [answer for k, answer in enumerate(answers) if k not in gone] == due, kind
        assert all(answers[k] is None for k in gone), kind
    assert answer_block([None] * 8) == [None] * 8


def after_return(seed):
    """The kernel's code behind its first `return`."""
    lines = [ck.strip() for ck, _ in Program(seed).lines]
    kernel = lines[next(k for k, line in enumerate(lines) if line.startswith("def k(")):]
    return kernel[kernel.index("return"):] if "return" in kernel else []


def test_threads_return(t):
    """Before operations of tiles, of groups that were made before, and of warps; and no others."""
    text = "\n".join(line for seed in range(300) for line in after_return(seed))
    for part in ("tile2.", "tile8.", "tile32.", "_scan(", ".shfl", ".ballot(", "part", "_sync(0x", "return\nelse"):
        assert part in text, part
    for part in ("syncthreads", "block.", "tile64.", "tile128.", "this_grid()", "passed_on("):
        assert part not in text, part


def test_reduction(t):
    """To the lines without which it no longer fails; blocks take the place of their heads."""
    text = ["a", "if b:", "    if c:", "        d", "    e", "else_f", "own = 1", "for k0 in x:",
            "    own[k0] = 1", "while w > 0:", "    w -= 1", "    g"]
    lines = [(line, line) for line in text]
    tool = load_tool(t)

    def fails(few):
        return any(ck.strip() == "d" for ck, _ in few)

    assert tool.reduce(lines, fails) == [("d", "d")]
    assert [ck for ck, _ in tool.reduce(lines, lambda few: ("own = 1", "own = 1") in few)] == text[6:9]
    assert [ck for ck, _ in tool.reduce(lines, lambda few: lines[9] in few)] == text[9:11]


def test_the_tool(t):
    t.need_tree()
    where = ["--build", t.build]
    done = t.ok([t.root / "tools" / "fuzz.py", *where, "--count", "2", "--seed", "7"])
    assert done.out == "2 kernels from --seed 7 on cpu: 0 differ\n", done.out
    done = t.ok([t.root / "tools" / "fuzz.py", *where, "--count", "2", "--seed", "7", "--check"])
    assert done.out == "2 kernels from --seed 7 checked: 0 differ\n", done.out
    done = t.ok([t.root / "tools" / "fuzz.py", *where, "--count", "2", "--seed", "7", "--plant"])
    assert done.out.endswith("\n2 kernels from --seed 7 planted: 0 differ\n"), done.out
    emulated = ["--count", "1", "--seed", "7", "--device", "emulated"]
    done = t.ok([t.root / "tools" / "fuzz.py", *where, *emulated, "--ckc=-O0 -small"])
    assert done.out == "1 kernels from --seed 7 on emulated: 0 differ\n", done.out
    done = t.ok([t.root / "tools" / "fuzz.py", *where, "--count", "12", "--seed", "7", "--use", "each"])
    assert done.out == "12 kernels from --seed 7 on cpu: 0 differ\n", done.out
    done = t.run([t.root / "tools" / "fuzz.py", *where, *emulated, "--ckc=-O9"])
    assert done.rc == 1 and "-O9" in done.out, done
    t.fails([t.root / "tools" / "fuzz.py", *where, "--ckc=-O0"], 2, "--ckc needs --device cuda or emulated")
    t.fails([t.root / "tools" / "fuzz.py", *where, "--use", "text", "--indices"], 2, "--use and --indices cannot be combined")
    t.fails([t.root / "tools" / "fuzz.py", *where, "--use", "texts"], 2, "invalid choice: 'texts'")
    t.fails([t.root / "tools" / "fuzz.py", "--build", t.tmp], 1, "ckc is not there")
