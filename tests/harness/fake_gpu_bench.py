#!/usr/bin/env python3
"""Stands for bench/gpu_bench.c and bench/pair_bench.c where there is no GPU: their requests and
replies, with times that say nothing.

    fake_gpu_bench.py device | [MODE FILE KERNEL]
"""

import os
import sys


def answer(words):
    if words[0] == "limits":
        return [32, 2112]
    if words[0] == "check":
        return [1.0] if words[1] == "mean" else []
    if words[0] in ("load", "beside", "array", "forget"):
        return []
    if words[0] == "registers":
        return [32]
    if words[0] == "time":
        return [1e-5] * int(words[2])
    return [1e-5 * (2 + i % 3) for i in range(int(words[3]))]


def main():
    if sys.argv[1:] == ["device"]:
        print("NVIDIA H200\n90\n132\n13.0")
        return
    log = os.environ.get("FAKE_GPU_BENCH_LOG")
    for line in sys.stdin:
        if log:
            with open(log, "a") as file:
                file.write(f"{' '.join(sys.argv[1:])}: {line}")
        print(" ".join(["ok", *(f"{value:.9e}" for value in answer(line.split()))]), flush=True)


main()
