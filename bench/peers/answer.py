"""What the peers in Python share: requests and replies (serve.h), and timing."""

import os
import sys
import time

LAUNCHES_A_SAMPLE = 100


def serve(handlers):
    """Answers requests until the input ends. `handlers`: what to call with the rest of a request's
    words, by its first; a list of numbers comes back. Nothing else gets at the standard output."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        words = line.split()
        try:
            values = handlers[words[0]](*words[1:]) or []
            reply = "ok " + " ".join(f"{value:.9e}" for value in values)
        except (Exception, SystemExit) as error:  # of a library too that would end the process
            reply = f"error {type(error).__name__}: {error}".replace("\n", " ")[:500]
        print(reply, file=replies, flush=True)


def host_times(launch, synchronize, count, wait):
    """Means of a hundred launches, each with the wait for its end or all without."""
    times = []
    for _ in range(count + 1):
        synchronize()
        start = time.perf_counter()
        for _ in range(LAUNCHES_A_SAMPLE):
            launch()
            if wait:
                synchronize()
        times.append((time.perf_counter() - start) / LAUNCHES_A_SAMPLE)
    synchronize()
    return times[1:]


def device_times(act, synchronize, between, count):
    """Times of `act` on the device; `between(act)` is one, in seconds, between events."""
    warm_until = time.perf_counter() + 0.01
    while True:
        act()
        synchronize()
        if time.perf_counter() >= warm_until:
            return [between(act) for _ in range(count)]


def require_near(have, want, tolerance=1e-4):
    if not abs(have - want) <= tolerance * abs(want):
        raise ValueError(f"the sum is {have!r}, not {want!r}")
