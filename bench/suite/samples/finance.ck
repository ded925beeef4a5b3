# BlackScholes and MonteCarlo: prices of options.
import math

from numba import cuda, float32
from numba.cuda import libdevice


# The normal distribution by Abramowitz and Stegun's 26.2.17.
@cuda.jit(device=True)
def normal_cdf(d):
    k = libdevice.fast_fdividef(float32(1), 1 + float32(0.2316419) * math.fabs(d))
    tail = float32(0.39894228) * libdevice.fast_expf(float32(-0.5) * d * d) * (
        k * (float32(0.31938153) + k * (float32(-0.356563782) + k * (float32(1.781477937) + k * (
            float32(-1.821255978) + k * float32(1.330274429))))))
    return 1 - tail if d > 0 else tail


@cuda.jit(device=True)
def call_and_put(price, strike, years, rate, volatility):
    root = libdevice.fast_fdividef(float32(1), libdevice.rsqrtf(years))
    d1 = libdevice.fast_fdividef(
        libdevice.fast_logf(price / strike) + (rate + float32(0.5) * volatility * volatility) * years,
        volatility * root)
    c1 = normal_cdf(d1)
    c2 = normal_cdf(d1 - volatility * root)
    discounted = strike * libdevice.fast_expf(-rate * years)
    return price * c1 - discounted * c2, discounted * (1 - c2) - price * (1 - c1)


# Two options a thread.
@cuda.jit("void(float2[::1], float2[::1], float2[::1], float2[::1], float2[::1], float32, float32)",
          launch_bounds=128)
def black_scholes(calls, puts, prices, strikes, years, rate, volatility):
    i = cuda.grid(1)
    if i < prices.size:
        s = prices[i]
        x = strikes[i]
        t = years[i]
        call0, put0 = call_and_put(s.x, x.x, t.x, rate, volatility)
        call1, put1 = call_and_put(s.y, x.y, t.y, rate, volatility)
        calls[i] = float2(call0, call1)
        puts[i] = float2(put0, put1)


# An option a block: (price, strike, drift, deviation). Its value is the mean of those at the ends
# of random paths, beside it how far it may be off.
@cuda.jit("void(float4[::1], float32[::1], float2[::1])")
def monte_carlo(options, normals, values):
    sums = cuda.shared.array(8, float2)
    tile = tiled_partition(this_thread_block(), 32)
    option = options[cuda.blockIdx.x]
    total = float32(0)
    squares = float32(0)
    for i in range(cuda.threadIdx.x, normals.size, cuda.blockDim.x):
        end = option.x * libdevice.fast_expf(option.z + option.w * normals[i]) - option.y
        value = max(end, float32(0))
        total += value
        squares += value * value
    total = tile.reduce(total)
    squares = tile.reduce(squares)
    if tile.thread_rank() == 0:
        sums[tile.meta_group_rank()] = float2(total, squares)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        both = sums[0]
        for k in range(1, 8):
            both = both + sums[k]
        n = float32(normals.size)
        mean = both.x / n
        deviation = math.sqrt(max(both.y / n - mean * mean, float32(0)))
        values[cuda.blockIdx.x] = float2(mean, float32(1.96) * deviation / math.sqrt(n))
