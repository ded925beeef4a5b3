"""Follows a random kernel in Python (harness/program_python.py) and decides what a mistake planted
in it leads to: conflicts of accesses that nothing orders, reads of elements that nothing wrote, and
accesses to a copy in flight.

Each thread has a vector clock. What a kernel reads after a conflict may differ from one order of
threads to another, so that a conflict is *certain* only if nothing that comes before it is one.
"""

import sys

import numpy as np

from harness.program_python import Watch, copy, count

TEXT = "the kernel in Python"


def line_here():
    """The line of the kernel that runs."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename != TEXT:
        frame = frame.f_back
    return frame.f_lineno


class Watched(np.ndarray):
    """An array that passes its accesses to its `watch`, by address."""

    def __array_finalize__(self, other):
        self.watch, self.name = getattr(other, "watch", None), getattr(other, "name", None)

    def addresses(self, index):
        part = np.asarray(self)[index if isinstance(index, tuple) else (index,)]
        if isinstance(part, np.ndarray):
            return addresses_of(part)
        index = index if isinstance(index, tuple) else (index,)
        start = self.__array_interface__["data"][0]
        start += sum(int(i) % extent * stride for i, extent, stride in zip(index, self.shape, self.strides))
        return [start + place for place in places_of(self.dtype)]

    def __getitem__(self, index):
        value = super().__getitem__(index)
        if not isinstance(value, Watched):
            for address in self.addresses(index):
                self.watch.access(self, address, "read")
        return value

    def __setitem__(self, index, value):
        for address in self.addresses(index):
            self.watch.access(self, address, "write")
        np.asarray(self)[index] = value

    def __iter__(self):
        return (self[k] for k in range(len(self)))


def places_of(dtype):
    """Where the numbers of an element begin: one, or all of a record."""
    if not dtype.names:
        return [0]
    return [place + first + k * its.base.itemsize for its, place in dtype.fields.values() for first in places_of(its.base)
            for k in range(its.itemsize // its.base.itemsize)]


def addresses_of(array):
    """Of each number of each element."""
    offsets = np.zeros(array.shape, np.int64)
    for axis, (extent, stride) in enumerate(zip(array.shape, array.strides)):
        shape = [1] * array.ndim
        shape[axis] = extent
        offsets = offsets + (np.arange(extent) * stride).reshape(shape)
    first = array.__array_interface__["data"][0]
    return np.add.outer(first + offsets.ravel(), places_of(array.dtype)).ravel().tolist()


class Event:
    """An access of a thread, the `number`-th of the launch."""

    def __init__(self, number, round_number, thread, line, kind, epoch):
        self.number, self.round, self.thread, self.line = number, round_number, thread, line
        self.kind, self.epoch = kind, epoch


def conflict(one, other):
    return (one != "read" or other != "read") and not one == other == "atomic"


class Follower(Watch):
    """`arrays`: the names of those to follow; `unset`: of those that hold nothing at first. After
    run(), `races` and `in_flight` have pairs of Events, `unset_reads` Events, `n_noted` how often
    the planted place was reached, and `near` the pairs of lines that nothing orders."""

    def __init__(self, program, arrays, unset=()):
        self.program, self.arrays, self.unset_arrays = program, set(arrays), set(unset)
        n = program.blocks * program.threads
        self.clock = np.eye(n, dtype=np.int64)
        self.handed, self.arrivals = {}, {}
        self.round, self.n_events, self.n_noted, self.thread, self.known = 0, 0, 0, 0, None
        self.seen, self.unset, self.kept = {}, set(), []
        self.copies = {}  # by block, those in flight: (addresses, Event)
        self.races, self.in_flight, self.unset_reads = [], [], []
        self.near, self.last, self.now = set(), {}, {}

    # --- What the program says --------------------------------------------------------------------

    def names(self):
        return {"zeros": lambda n, dtype: self.memory("own", np.zeros(n, dtype)), "count": self.count,
                "plain_count": self.plain_count, "copy": self.copy, "noted": self.noted, "arrived": self.arrived,
                "acquired": self.acquired, "released": self.released}

    def memory(self, name, array):
        if name not in self.arrays:
            return array
        watched = array.view(Watched)
        watched.watch, watched.name = self, name
        self.kept.append(watched)  # or its addresses would be another one's
        if name in self.unset_arrays:
            self.unset.update(addresses_of(array))
        return watched

    def noted(self, value):
        self.n_noted += 1
        return value

    def arrived(self):
        self.arrivals[self.thread] = self.clock[self.thread].copy()
        self.tick()

    def released(self, b):
        self.handed[int(b)] = self.clock[self.thread].copy()
        self.tick()

    def acquired(self, b):
        if int(b) - 1 in self.handed:
            np.maximum(self.clock[self.thread], self.handed[int(b) - 1], out=self.clock[self.thread])
            self.known = None

    def tick(self):
        self.clock[self.thread, self.thread] += 1
        self.known = None

    # --- Accesses ---------------------------------------------------------------------------------

    def goes_on(self, thread):
        self.thread, self.known = thread, None

    def plain_count(self, kind, array, index, value):
        """The element goes nowhere else: what is read makes nothing uncertain."""
        self.count(kind, array, index, value, "write")

    def count(self, kind, array, index, value, access="atomic"):
        if isinstance(array, Watched):
            self.access(array, array.addresses(index)[0], access)
            array = array.view(np.ndarray)
        count(kind, array, index, value)

    def event(self, kind):
        self.n_events += 1
        epoch = int(self.clock[self.thread, self.thread])
        return Event(self.n_events, self.round, self.thread, line_here(), kind, epoch)

    def access(self, array, address, kind):
        event = self.event(kind)
        if address in self.unset:
            if kind == "write":
                self.unset.discard(address)
            else:
                self.unset_reads.append(event)
        for addresses, its in self.copies.get(event.thread // self.program.threads, ()):
            if address in addresses:
                self.in_flight.append((its, event))
        if array.name == "own":
            return
        if self.known is None:
            self.known = self.clock[self.thread].tolist()
        seen = self.seen.setdefault(address, {})
        self.races += self.unordered(seen, event, self.known)
        seen.setdefault((event.line, kind), {})[event.thread] = event
        self.now.setdefault((array.name, event.line, kind), {})[event.thread] = event.epoch

    @staticmethod
    def unordered(seen, event, known):
        return [(other, event) for (_, kind), events in seen.items() if conflict(kind, event.kind)
                for thread, other in events.items() if thread != event.thread and other.epoch > known[thread]]

    def copy(self, to, array):
        """By the block, which all its threads call: after what all have done before."""
        block, rank = divmod(self.thread, self.program.threads)
        if rank == 0 and isinstance(to, Watched):
            event = self.event("write")
            members = self.clock[block * self.program.threads:][:self.program.threads]
            known = members.min(axis=0).tolist()
            addresses = set(addresses_of(to[:min(len(to), len(array))]))
            for address in addresses:
                self.in_flight += [pair for pair in self.unordered_by_copy(address, known, event)]
            for others, its in self.copies.get(block, ()):
                if others & addresses:
                    self.in_flight.append((its, event))
            self.unset -= addresses
            self.copies.setdefault(block, []).append((addresses, event))
        copy(to.view(np.ndarray), array)

    def unordered_by_copy(self, address, known, event):
        return [(other, event) for events in self.seen.get(address, {}).values()
                for thread, other in events.items() if other.epoch > known[thread]]

    # --- Rounds -----------------------------------------------------------------------------------

    def has_come(self, requests):
        self.find_near()
        self.round += 1
        size = self.program.threads
        waits = [request for request in requests if request]
        if waits[0][:2] == ("sync", "grid"):
            self.join([k for k, request in enumerate(requests) if request])
        else:
            for first in range(0, len(requests), size):
                self.order(first, {first + k: r for k, r in enumerate(requests[first:first + size]) if r})

    def order(self, first, requests):
        """Of a block's threads."""
        if not requests:
            return
        kind, width, *rest = next(iter(requests.values()))
        if kind == "sync" and rest[0] is not None:
            block = first // self.program.threads
            self.copies[block] = self.copies.get(block, [])[-rest[0]:] if rest[0] else []
        if kind == "sync":
            width = {"none": 1, "warp": 32}.get(width, 0 if width == "block" else width)
        elif 0 < width <= 32:
            return  # operations of at most a warp do not wait
        if width == "arrived":
            self.join(list(requests), np.maximum.reduce([self.arrivals[k] for k in requests]))
        elif width != 1:
            width = width or self.program.threads
            for k in range(first, first + self.program.threads, width):
                self.join([member for member in range(k, k + width) if member in requests])

    def join(self, members, arrivals=None):
        if members:
            joint = self.clock[members].max(axis=0) if arrivals is None else arrivals
            self.clock[members] = np.maximum(self.clock[members], joint)
            self.clock[members, members] += 1

    def find_near(self):
        """Pairs of lines whose accesses, of whatever elements, nothing orders."""
        for key, threads in self.now.items():
            last = self.last.setdefault(key, np.zeros(len(self.clock), np.int64))
            last[list(threads)] = list(threads.values())
        for (name, line, kind), threads in self.now.items():
            members = list(threads)
            for (other_name, other_line, other_kind), last in self.last.items():
                if name == other_name and conflict(kind, other_kind):
                    later = last[None, :] > self.clock[members]
                    later[range(len(members)), members] = False
                    if later.any():
                        self.near.add(tuple(sorted((line, other_line))))
        self.now = {}

    # --- What is certain --------------------------------------------------------------------------

    def certain(self):
        """(pairs of lines, lines): conflicts and unset reads before which nothing is uncertain."""
        pairs = self.races + self.in_flight
        reads = [event for pair in pairs for event in pair if event.kind == "read"] + self.unset_reads
        first_round = min((event.round for event in reads), default=self.round)
        first = {}
        for event in reads:
            first[event.thread] = min(first.get(event.thread, event.number), event.number)

        def is_certain(event):
            return event.round <= first_round and event.number <= first.get(event.thread, event.number)

        lines = {tuple(sorted((a.line, b.line))) for a, b in pairs if is_certain(a) and is_certain(b)}
        return lines, {(event.line,) for event in self.unset_reads if is_certain(event)}
