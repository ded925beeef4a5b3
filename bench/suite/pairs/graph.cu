// graph.ck in CUDA C++.

extern "C" __global__ void bfs_level(const int *starts, const int *neighbours, int *levels,
                                     int level, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && levels[v] == level) {
        for (int e = starts[v]; e < starts[v + 1]; e++) {
            int w = neighbours[e];
            if (levels[w] == -1)
                levels[w] = level + 1;
        }
    }
}

extern "C" __global__ void pagerank(const int *starts, const int *neighbours, const int *degrees,
                                    const float *ranks, float *out, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        float total = 0;
        for (int e = starts[v]; e < starts[v + 1]; e++) {
            int w = neighbours[e];
            total += ranks[w] / degrees[w];
        }
        out[v] = 0.15f / n + 0.85f * total;
    }
}

extern "C" __global__ void sssp_relax(const int *starts, const int *neighbours, const int *weights,
                                      const int *distances, int *out, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        int d = distances[v];
        for (int e = starts[v]; e < starts[v + 1]; e++)
            atomicMin(&out[neighbours[e]], d + weights[e]);
    }
}

extern "C" __global__ void components_hook(const int *sources, const int *targets,
                                           const int *parents, int *out, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges) {
        int a = parents[sources[e]];
        int b = parents[targets[e]];
        if (a < b)
            atomicMin(&out[b], a);
        else if (b < a)
            atomicMin(&out[a], b);
    }
}

extern "C" __global__ void components_root(const int *parents, int *roots, int *depths, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        int root = v, depth = 0;
        while (parents[root] != root) {
            root = parents[root];
            depth++;
        }
        roots[v] = root;
        depths[v] = depth;
    }
}

extern "C" __global__ void triangles(const int *starts, const int *neighbours, int *counts, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        int begin = starts[v], end = starts[v + 1];
        int count = 0;
        for (int i = begin; i < end; i++) {
            int w = neighbours[i];
            for (int j = starts[w]; j < starts[w + 1]; j++) {
                int u = neighbours[j];
                for (int k = begin; k < end; k++) {
                    if (neighbours[k] == u)
                        count++;
                }
            }
        }
        counts[v] = count;
    }
}

extern "C" __global__ void in_degrees(const int *targets, int *degrees, int edges)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x)
        atomicAdd(&degrees[targets[e]], 1);
}

extern "C" __global__ void independent_set(const int *starts, const int *neighbours,
                                           const unsigned *priorities, unsigned char *chosen, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        bool highest = true;
        for (int e = starts[v]; e < starts[v + 1]; e++) {
            int w = neighbours[e];
            if (w != v && priorities[w] >= priorities[v]) {
                highest = false;
                break;
            }
        }
        chosen[v] = highest ? 1 : 0;
    }
}
