"""Right programs that were not written for the checks: `ckrun --check` reports nothing in the run
tests, the examples and random kernels, and they compute the same.

A run takes some of them at random. `CK_CLEAN=all` takes all, `CK_CLEAN=heat` those whose name has
this in it.
"""

import os
import random
from concurrent.futures import ThreadPoolExecutor

from harness import kernels
from harness.core import Failure, Skip

N_JOBS = 2


def chosen(items, default):
    """Some of the named items, and the seed of what is random in them."""
    seed = random.SystemRandom().getrandbits(31)
    wanted = os.environ.get("CK_CLEAN", "")
    if wanted == "all":
        return items, seed
    if wanted:
        return [item for item in items if wanted in item[0]], seed
    return random.Random(seed).sample(items, min(default, len(items))), seed


def all_pass(check, items):
    def guarded(item):
        try:
            check(*item)
        except Failure as failure:
            return f"{item[0]}: {failure}"

    with ThreadPoolExecutor(N_JOBS) as pool:
        faults = [fault for fault in pool.map(guarded, items) if fault]
    assert not faults, "\n".join(faults)


def options_of(seed):
    schedules = list(kernels.cpu_schedules(seed).values())
    return ["--check", *schedules[seed % len(schedules)]]


def checkable(path):
    """The script, if its launches are meant to be right."""
    script = kernels.parse(path)
    groups = [step for step in script.steps if isinstance(step, kernels.Group)]
    if script.no_check or script.only == "cuda" or any(g.errors or "--check=none" in g.options for g in groups):
        return None
    return script


def test_run_tests(t):
    scripts = {str(path.relative_to(t.root)) if t.root in path.parents else path.name: checkable(path)
               for path in kernels.kernel_files(t.layout)}
    found = [(name, script) for name, script in scripts.items() if script]
    assert len(found) > 200
    items, seed = chosen(found, 40)
    all_pass(lambda name, script: kernels.check_script(
        t.layout, script, options_of(seed), [], seed,
        lambda: kernels.namespace(seed, name, seed % kernels.N_SCHEDULES, False, script.source)),
        items)


def test_run_tests_on_a_gpu(t):
    if not kernels.Cuda(t.layout).present():
        raise Skip("no CUDA device")
    scripts = [(path.stem, checkable(path)) for path in kernels.kernel_files(t.layout)]
    items, seed = chosen([(name, script) for name, script in scripts if script and script.only != "cpu"], 40)
    all_pass(lambda name, script: kernels.check_script(
        t.layout, script, ["--device", "cuda", "--check=bounds"], [], seed,
        lambda: kernels.namespace(seed, name, 0, False, script.source)), items)


def test_random_kernels(t):
    items, _ = chosen([(f"random/{number}", number) for number in range(200)], 12)
    seed = t.seed

    def check(_, number):
        program = kernels.Program(seed + number)
        kernels.check_program(t.layout, program, program.due(), options_of(seed + number), [], seed + number)

    all_pass(check, items)
