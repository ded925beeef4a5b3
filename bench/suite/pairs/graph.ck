# Graphs as lists of neighbours: those of vertex v are neighbours[starts[v]:starts[v + 1]].
from numba import cuda, float32, int32


# A level of a breadth-first search; a level of -1 has not been reached.
@cuda.jit("void(int32[::1], int32[::1], int32[::1], int64)")
def bfs_level(starts, neighbours, levels, level):
    v = cuda.grid(1)
    if v < levels.size and levels[v] == level:
        for e in range(starts[v], starts[v + 1]):
            w = neighbours[e]
            if levels[w] == -1:
                levels[w] = level + 1


# A step of PageRank: each vertex collects from those that link to it.
@cuda.jit("void(int32[::1], int32[::1], int32[::1], float32[::1], float32[::1])")
def pagerank(starts, neighbours, degrees, ranks, out):
    v = cuda.grid(1)
    if v < out.size:
        total = float32(0)
        for e in range(starts[v], starts[v + 1]):
            w = neighbours[e]
            total += ranks[w] / degrees[w]
        out[v] = float32(0.15) / out.size + float32(0.85) * total


# Bellman and Ford: each vertex relaxes the edges to its neighbours.
@cuda.jit
def sssp_relax(starts, neighbours, weights, distances, out):
    v = cuda.grid(1)
    if v < distances.size:
        d = distances[v]
        for e in range(starts[v], starts[v + 1]):
            cuda.atomic.min(out, neighbours[e], d + weights[e])


# Connected components: an edge hooks the greater of its ends' parents to the lesser.
@cuda.jit("void(int32[::1], int32[::1], int32[::1], int32[::1])")
def components_hook(sources, targets, parents, out):
    e = cuda.grid(1)
    if e < sources.size:
        a = parents[sources[e]]
        b = parents[targets[e]]
        if a < b:
            cuda.atomic.min(out, b, a)
        elif b < a:
            cuda.atomic.min(out, a, b)


# Follows parents to the root.
@cuda.jit("void(int32[::1], int32[::1], int32[::1])")
def components_root(parents, roots, depths):
    v = cuda.grid(1)
    if v < parents.size:
        root = int32(v)
        depth = 0
        while parents[root] != root:
            root = parents[root]
            depth += 1
        roots[v] = root
        depths[v] = depth


# Paths of two edges from each vertex that an edge closes.
@cuda.jit
def triangles(starts, neighbours, counts):
    v = cuda.grid(1)
    if v < counts.size:
        begin = starts[v]
        end = starts[v + 1]
        count = 0
        for i in range(begin, end):
            w = neighbours[i]
            for j in range(starts[w], starts[w + 1]):
                u = neighbours[j]
                for k in range(begin, end):
                    if neighbours[k] == u:
                        count += 1
        counts[v] = count


# How many edges end at each vertex.
@cuda.jit("void(int32[::1], int32[::1])")
def in_degrees(targets, degrees):
    for e in range(cuda.grid(1), targets.size, cuda.gridsize(1)):
        cuda.atomic.add(degrees, targets[e], 1)


# Luby's choice for an independent set: a vertex whose priority is above all its neighbours'.
@cuda.jit("void(int32[::1], int32[::1], uint32[::1], uint8[::1])")
def independent_set(starts, neighbours, priorities, chosen):
    v = cuda.grid(1)
    if v < priorities.size:
        highest = True
        for e in range(starts[v], starts[v + 1]):
            w = neighbours[e]
            if w != v and priorities[w] >= priorities[v]:
                highest = False
                break
        chosen[v] = 1 if highest else 0
