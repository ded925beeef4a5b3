"""What the compilers made of a kernel, read from its machine code: the instructions of its largest
innermost loop, and the bytes of a load there."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([A-Z][\w.]*)([^;]*);", re.M)
LOAD = re.compile(r"LD(?:G|)\.E")
WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}


def find_tool(name, nvcc):
    """Beside nvcc, or among the commands, or None."""
    beside = Path(nvcc).resolve().parent / name if nvcc else None
    return str(beside) if beside and beside.exists() else shutil.which(name)


def run(argv):
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=120, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def load_bytes(name):
    """Of an instruction that loads from global memory, or None."""
    if not LOAD.match(name):
        return None
    return next((WIDTHS[part] for part in name.split(".") if part in WIDTHS), 4)


@dataclass
class Instruction:
    address: int
    predicated: bool
    name: str
    target: int  # of a branch, or None

    def ends(self):
        return self.name == "EXIT" and not self.predicated


def parse(text):
    instructions = []
    for address, predicate, name, operands in INSTRUCTION.findall(text):
        target = re.search(r"0x([0-9a-f]+)", operands) if name.startswith("BRA") else None
        instructions.append(Instruction(int(address, 16), bool(predicate), name,
                                        int(target[1], 16) if target else None))
    return instructions


def innermost_loop(instructions):
    """The names of the instructions in the largest loop without another in it, or []. A branch back
    over the kernel's end is no loop but the return from code that was moved behind it."""
    index = {instruction.address: i for i, instruction in enumerate(instructions)}
    loops = [(index[branch.target], i) for i, branch in enumerate(instructions)
             if branch.target in index and branch.target < branch.address]
    loops = [(first, last) for first, last in loops
             if not any(instruction.ends() for instruction in instructions[first:last])]
    inner = [loop for loop in loops
             if not any(other != loop and loop[0] <= other[0] and other[1] <= loop[1] for other in loops)]
    return max(([instruction.name for instruction in instructions[first:last + 1]]
                for first, last in inner), key=len, default=[])


def figures(instructions):
    """`loop`: instructions, 0 without a loop; `loads`, `load_bytes`: of it, else of the kernel."""
    loop = innermost_loop(instructions)
    names = loop or [instruction.name for instruction in instructions]
    loads = list(filter(None, map(load_bytes, names)))
    return {"loop": len(loop), "loads": len(loads),
            "load_bytes": sum(loads) / len(loads) if loads else 0}


def figures_by_kernel(text):
    """Of what `cuobjdump -sass` prints."""
    kernels = {}
    for piece in text.split("Function : ")[1:]:
        name, _, body = piece.partition("\n")
        kernels[name.strip()] = figures(parse(body))
    return kernels


def assemble(ptx, cubin, arch, nvcc):
    """By the toolkit's ptxas, which nvcc's code is made by; False where it is missing."""
    ptxas = find_tool("ptxas", nvcc)
    return bool(ptxas) and run([ptxas, f"-arch={arch}", "-o", cubin, ptx]) is not None


def read(cubin, nvcc):
    """The figures of each kernel; {} where cuobjdump is missing."""
    cuobjdump = find_tool("cuobjdump", nvcc)
    text = run([cuobjdump, "-sass", cubin]) if cuobjdump else None
    return figures_by_kernel(text) if text else {}
