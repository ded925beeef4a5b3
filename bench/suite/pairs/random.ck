# Random numbers, by generators in the kernels, and the prices of options.
import math

from numba import cuda, float32, int32, uint32


def next_random(state):
    return state * uint32(1664525) + uint32(1013904223)


# How many of a thread's random points are in the circle, in whole numbers.
@cuda.jit("void(int32[::1], int64)")
def pi_hits(hits, points):
    i = cuda.grid(1)
    if i < hits.size:
        state = uint32(i) * uint32(2654435761) + uint32(12345)
        count = int32(0)
        for k in range(points):
            state = next_random(state)
            x = int32(state >> 17)
            state = next_random(state)
            y = int32(state >> 17)
            if x * x + y * y < 1073741824:
                count += 1
        hits[i] = count


def normal_cdf(x):
    k = 1 / (1 + float32(0.2316419) * math.fabs(x))
    tail = float32(0.39894228) * math.exp(-x * x / 2) * k * (
        float32(0.31938153) + k * (float32(-0.356563782) + k * (float32(1.781477937) + k * (
            float32(-1.821255978) + k * float32(1.330274429)))))
    return 1 - tail if x > 0 else tail


@cuda.jit("void(float32[::1], float32[::1], float32[::1], float32, float32, float32[::1], float32[::1])")
def black_scholes(prices, strikes, years, rate, volatility, calls, puts):
    i = cuda.grid(1)
    if i < prices.size:
        s = prices[i]
        x = strikes[i]
        t = years[i]
        root = math.sqrt(t)
        d1 = (math.log(s / x) + (rate + volatility * volatility / 2) * t) / (volatility * root)
        d2 = d1 - volatility * root
        discounted = x * math.exp(-rate * t)
        calls[i] = s * normal_cdf(d1) - discounted * normal_cdf(d2)
        puts[i] = discounted * (1 - normal_cdf(d2)) - s * (1 - normal_cdf(d1))


# An American put by a binomial tree of 255 steps, a block each.
@cuda.jit
def binomial_put(prices, strike, up, discount, likely, out):
    values = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    price = prices[cuda.blockIdx.x] * math.pow(up, float32(2 * t - 255))
    values[t] = max(strike - price, float32(0))
    cuda.syncthreads()
    for step in range(255, 0, -1):
        price *= up
        value = float32(0)
        if t < step:
            value = discount * (likely * values[t + 1] + (1 - likely) * values[t])
            value = max(value, strike - price)
        cuda.syncthreads()
        if t < step:
            values[t] = value
        cuda.syncthreads()
    if t == 0:
        out[cuda.blockIdx.x] = values[0]


# Walks of a thread each on a lattice: where they end, and how far away they were at most.
@cuda.jit("void(int32[::1], int32[::1], int64)")
def random_walk(ends, farthest, steps):
    i = cuda.grid(1)
    if i < ends.size:
        state = uint32(i + 1) * uint32(747796405)
        x = int32(0)
        y = int32(0)
        most = int32(0)
        for k in range(steps):
            state = next_random(state)
            direction = state >> 30
            if direction == 0:
                x += 1
            elif direction == 1:
                x -= 1
            elif direction == 2:
                y += 1
            else:
                y -= 1
            most = max(most, abs(x) + abs(y))
        ends[i] = x * 65536 + y
        farthest[i] = most


# The mean of a random path of prices, with normal numbers by Box and Muller's transform.
@cuda.jit("void(float32, float32, int64, float32[::1])")
def asian_path(drift, volatility, steps, means):
    i = cuda.grid(1)
    if i < means.size:
        state = uint32(i) * uint32(2654435761) + uint32(99)
        price = float32(1)
        total = float32(0)
        for k in range(steps):
            state = next_random(state)
            u = (float32(state >> 8) + float32(0.5)) * float32(5.9604645e-8)
            state = next_random(state)
            v = float32(state >> 8) * float32(5.9604645e-8)
            normal = math.sqrt(-2 * math.log(u)) * math.cos(float32(6.2831853) * v)
            price *= math.exp(drift + volatility * normal)
            total += price
        means[i] = total / float32(steps)


# The black or the white spins of Ising's model by Metropolis' rule, with thresholds for the random
# numbers by the energy.
@cuda.jit("void(int32[:, ::1], uint32[::1], int64, int64)")
def ising(spins, thresholds, colour, seed):
    k, i = cuda.grid(2)
    n, m = spins.shape
    j = 2 * k + ((i + colour) & 1)
    if i < n and j < m:
        down = i + 1 if i + 1 < n else 0
        right = j + 1 if j + 1 < m else 0
        around = spins[i - 1, j] + spins[down, j] + spins[i, j - 1] + spins[i, right]
        state = uint32(i * m + j) ^ uint32(seed)
        state = (state ^ (state >> 16)) * uint32(0x85ebca6b)
        state = (state ^ (state >> 13)) * uint32(0xc2b2ae35)
        state ^= state >> 16
        if state <= thresholds[(spins[i, j] * around + 4) >> 1]:
            spins[i, j] = -spins[i, j]


# The integral of a function over the unit square by random points.
@cuda.jit
def integrate(out, points):
    i = cuda.grid(1)
    if i < out.size:
        state = uint32(i) * uint32(2246822519) + uint32(7)
        total = float32(0)
        for k in range(points):
            state = next_random(state)
            x = float32(state >> 8) * float32(5.9604645e-8)
            state = next_random(state)
            y = float32(state >> 8) * float32(5.9604645e-8)
            total += math.exp(-x * y) * math.sin(x + y)
        out[i] = total
