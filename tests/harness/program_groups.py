"""What operations of groups give the threads of a random kernel in Python: see programs.py."""

OPERATORS = {
    "plus": lambda a, b: a + b, "less": min, "greater": max, "last": lambda a, b: b,
    "bit_and": lambda a, b: a & b, "bit_or": lambda a, b: a | b, "bit_xor": lambda a, b: a ^ b,
}


def running(values, operator):
    """The values' combinations from the first to each."""
    sums = [values[0]]
    for value in values[1:]:
        sums.append(OPERATORS[operator](sums[-1], value))
    return sums


def answer_block(requests):
    """Of those of a block's threads, in order of rank; None: the thread has returned."""
    there = [request for request in requests if request]
    kinds = {request[0] for request in there}
    assert len(kinds) <= 1, f"threads of a block came to {kinds}"
    kind = kinds.pop() if kinds else None
    if kind in (None, "sync"):
        return [None] * len(requests)
    size = there[0][1] or len(requests)
    answers = [None] * len(requests)
    for first in range(0, len(requests), size):
        group = {first + lane: request for lane, request in enumerate(requests[first:first + size]) if request}
        given = answer_group(kind, [rank - first for rank in group], [request[2] for request in group.values()],
                             [request[3] for request in group.values()])
        for rank, answer in zip(group, given):
            answers[rank] = answer
    return answers


def answer_group(kind, lanes, values, other):
    """`lanes`: the ranks that are there, of which the values are."""
    n = len(values)
    if n == 0:
        return []
    if kind in ("any", "all", "syncthreads_and", "syncthreads_or"):
        return [(any if kind in ("any", "syncthreads_or") else all)(values)] * n
    if kind == "ballot":
        return [sum(1 << lane for lane, value in zip(lanes, values) if value)] * n
    if kind == "match_any":
        return [sum(1 << lane for lane, its in zip(lanes, values) if its == value) for value in values]
    if kind == "syncthreads_count":
        return [sum(map(bool, values))] * n
    if kind.startswith("shfl"):
        asked = [{"shfl": int(o), "shfl_xor": lane ^ int(o), "shfl_up": lane - int(o),
                  "shfl_down": lane + int(o)}[kind] for lane, o in zip(lanes, other)]
        held = dict(zip(lanes, values))
        return [held.get(lane, own) for lane, own in zip(asked, values)]
    if kind == "part":
        parts = {}
        for (operator, label), value in zip(other, values):
            parts.setdefault(label, []).append(value)
        return [running(parts[label], operator)[-1] for operator, label in other]
    sums = running(values, other[0])
    if kind == "reduce":
        return sums[-1:] * n
    return sums if kind == "inclusive_scan" else [type(values[0])(0), *sums[:-1]]
