// dynamic.ck in CUDA C++.

constexpr int SIDE = 64;

extern "C" __global__ void needleman_wunsch(const int *a, const int *b, int *scores)
{
    __shared__ int s[SIDE + 1][SIDE + 1];
    int t = threadIdx.x, pair = blockIdx.x;
    s[t + 1][0] = -(t + 1);
    s[0][t + 1] = -(t + 1);
    if (t == 0)
        s[0][0] = 0;
    __syncthreads();
    for (int d = 0; d < 2 * SIDE - 1; d++) {
        int j = d - t;
        if (j >= 0 && j < SIDE) {
            int match = a[pair * SIDE + t] == b[pair * SIDE + j] ? 1 : -1;
            s[t + 1][j + 1] = max(max(s[t][j] + match, s[t][j + 1] - 1), s[t + 1][j] - 1);
        }
        __syncthreads();
    }
    for (int i = 0; i < SIDE; i++)
        scores[(pair * SIDE + i) * SIDE + t] = s[i + 1][t + 1];
}

extern "C" __global__ void edit_diagonal(const unsigned char *a, const unsigned char *b,
                                         const int *before, const int *last, int *now, int d, int n,
                                         int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = d - i;
    if (i <= n && j >= 1 && j <= m) {
        int cost = a[i - 1] == b[j - 1] ? 0 : 1;
        now[i] = min(min(last[i - 1] + 1, last[i] + 1), before[i - 1] + cost);
    }
}

extern "C" __global__ void edit_words(const unsigned char *a, const unsigned char *b,
                                      int *distances, int n)
{
    int row[17];
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < n) {
        for (int j = 0; j < 17; j++)
            row[j] = j;
        for (int i = 0; i < 16; i++) {
            int corner = row[0];
            row[0] = i + 1;
            for (int j = 0; j < 16; j++) {
                int above = row[j + 1];
                int cost = a[p * 16 + i] == b[p * 16 + j] ? 0 : 1;
                row[j + 1] = min(min(above + 1, row[j] + 1), corner + cost);
                corner = above;
            }
        }
        distances[p] = row[16];
    }
}

extern "C" __global__ void pathfinder_row(const int *wall, const int *costs, int *out, int row,
                                          int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        int least = costs[j];
        if (j > 0)
            least = min(least, costs[j - 1]);
        if (j < n - 1)
            least = min(least, costs[j + 1]);
        out[j] = wall[row * n + j] + least;
    }
}

extern "C" __global__ void pathfinder_tile(const int *wall, const int *costs, int *out, int rows,
                                           int n)
{
    __shared__ int old[256], next[256];
    int t = threadIdx.x;
    int j = blockIdx.x * (256 - 2 * rows) + t - rows;
    bool inside = j >= 0 && j < n;
    old[t] = inside ? costs[j] : 1 << 30;
    __syncthreads();
    for (int row = 0; row < rows; row++) {
        if (inside && t > row && t < 255 - row)
            next[t] = wall[row * n + j] + min(min(old[t - 1], old[t]), old[t + 1]);
        else
            next[t] = 1 << 30;
        __syncthreads();
        old[t] = next[t];
        __syncthreads();
    }
    if (inside && t >= rows && t < 256 - rows)
        out[j] = old[t];
}

extern "C" __global__ void knapsack_row(const int *best, int *out, int weight, int value, int n)
{
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w < n) {
        int most = best[w];
        if (w >= weight)
            most = max(most, best[w - weight] + value);
        out[w] = most;
    }
}

extern "C" __global__ void floyd_warshall(int *distances, int k, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        int through = distances[i * n + k] + distances[k * n + j];
        if (through < distances[i * n + j])
            distances[i * n + j] = through;
    }
}

extern "C" __global__ void viterbi_step(const float *scores, const float *transitions,
                                        const float *emissions, float *out, int *before, int n)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < n) {
        float best = scores[0] + transitions[s];
        int state = 0;
        for (int p = 1; p < n; p++) {
            float score = scores[p] + transitions[p * n + s];
            if (score > best) {
                best = score;
                state = p;
            }
        }
        out[s] = best + emissions[s];
        before[s] = state;
    }
}
