// random.ck in CUDA C++.

__device__ unsigned next_random(unsigned state)
{
    return state * 1664525u + 1013904223u;
}

extern "C" __global__ void pi_hits(int *hits, int points, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned state = i * 2654435761u + 12345u;
        int count = 0;
        for (int k = 0; k < points; k++) {
            state = next_random(state);
            int x = state >> 17;
            state = next_random(state);
            int y = state >> 17;
            if (x * x + y * y < 1073741824)
                count++;
        }
        hits[i] = count;
    }
}

__device__ float normal_cdf(float x)
{
    float k = 1 / (1 + 0.2316419f * fabsf(x));
    float tail = 0.39894228f * expf(-x * x / 2) * k *
                 (0.31938153f +
                  k * (-0.356563782f +
                       k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0 ? 1 - tail : tail;
}

extern "C" __global__ void black_scholes(const float *prices, const float *strikes,
                                         const float *years, float rate, float volatility,
                                         float *calls, float *puts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = prices[i], x = strikes[i], t = years[i];
        float root = sqrtf(t);
        float d1 =
            (logf(s / x) + (rate + volatility * volatility / 2) * t) / (volatility * root);
        float d2 = d1 - volatility * root;
        float discounted = x * expf(-rate * t);
        calls[i] = s * normal_cdf(d1) - discounted * normal_cdf(d2);
        puts[i] = discounted * (1 - normal_cdf(d2)) - s * (1 - normal_cdf(d1));
    }
}

extern "C" __global__ void binomial_put(const float *prices, float strike, float up, float discount,
                                        float likely, float *out)
{
    __shared__ float values[256];
    int t = threadIdx.x;
    float price = prices[blockIdx.x] * powf(up, (float)(2 * t - 255));
    values[t] = fmaxf(strike - price, 0.0f);
    __syncthreads();
    for (int step = 255; step > 0; step--) {
        price *= up;
        float value = 0;
        if (t < step) {
            value = discount * (likely * values[t + 1] + (1 - likely) * values[t]);
            value = fmaxf(value, strike - price);
        }
        __syncthreads();
        if (t < step)
            values[t] = value;
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = values[0];
}

extern "C" __global__ void random_walk(int *ends, int *farthest, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned state = (i + 1) * 747796405u;
        int x = 0, y = 0, most = 0;
        for (int k = 0; k < steps; k++) {
            state = next_random(state);
            unsigned direction = state >> 30;
            if (direction == 0)
                x++;
            else if (direction == 1)
                x--;
            else if (direction == 2)
                y++;
            else
                y--;
            most = max(most, abs(x) + abs(y));
        }
        ends[i] = x * 65536 + y;
        farthest[i] = most;
    }
}

extern "C" __global__ void asian_path(float drift, float volatility, int steps, float *means, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned state = i * 2654435761u + 99u;
        float price = 1, total = 0;
        for (int k = 0; k < steps; k++) {
            state = next_random(state);
            float u = ((float)(state >> 8) + 0.5f) * 5.9604645e-8f;
            state = next_random(state);
            float v = (float)(state >> 8) * 5.9604645e-8f;
            float normal = sqrtf(-2 * logf(u)) * cosf(6.2831853f * v);
            price *= expf(drift + volatility * normal);
            total += price;
        }
        means[i] = total / (float)steps;
    }
}

extern "C" __global__ void ising(int *spins, const unsigned *thresholds, int colour, int seed, int n,
                                 int m)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = 2 * k + ((i + colour) & 1);
    if (i < n && j < m) {
        int up = i > 0 ? i - 1 : n - 1, down = i + 1 < n ? i + 1 : 0;
        int left = j > 0 ? j - 1 : m - 1, right = j + 1 < m ? j + 1 : 0;
        int around =
            spins[up * m + j] + spins[down * m + j] + spins[i * m + left] + spins[i * m + right];
        unsigned state = (unsigned)(i * m + j) ^ (unsigned)seed;
        state = (state ^ (state >> 16)) * 0x85ebca6bu;
        state = (state ^ (state >> 13)) * 0xc2b2ae35u;
        state ^= state >> 16;
        if (state <= thresholds[(spins[i * m + j] * around + 4) >> 1])
            spins[i * m + j] = -spins[i * m + j];
    }
}

extern "C" __global__ void integrate(float *out, int points, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned state = i * 2246822519u + 7u;
        float total = 0;
        for (int k = 0; k < points; k++) {
            state = next_random(state);
            float x = (float)(state >> 8) * 5.9604645e-8f;
            state = next_random(state);
            float y = (float)(state >> 8) * 5.9604645e-8f;
            total += expf(-x * y) * sinf(x + y);
        }
        out[i] = total;
    }
}
