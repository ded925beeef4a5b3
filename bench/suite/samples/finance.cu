// finance.ck in CUDA C++.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

static __device__ float normal_cdf(float d)
{
    float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * __expf(-0.5f * d * d) *
                 (k * (0.31938153f +
                       k * (-0.356563782f +
                            k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - tail : tail;
}

static __device__ void call_and_put(float &call, float &put, float price, float strike, float years,
                                    float rate, float volatility)
{
    float root = __fdividef(1.0f, rsqrtf(years));
    float d1 = __fdividef(__logf(price / strike) + (rate + 0.5f * volatility * volatility) * years,
                          volatility * root);
    float c1 = normal_cdf(d1);
    float c2 = normal_cdf(d1 - volatility * root);
    float discounted = strike * __expf(-rate * years);
    call = price * c1 - discounted * c2;
    put = discounted * (1.0f - c2) - price * (1.0f - c1);
}

extern "C" __launch_bounds__(128) __global__
    void black_scholes(float2 *__restrict__ calls, float2 *__restrict__ puts,
                       const float2 *__restrict__ prices, const float2 *__restrict__ strikes,
                       const float2 *__restrict__ years, float rate, float volatility, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 s = prices[i], x = strikes[i], t = years[i];
        float call0, put0, call1, put1;
        call_and_put(call0, put0, s.x, x.x, t.x, rate, volatility);
        call_and_put(call1, put1, s.y, x.y, t.y, rate, volatility);
        calls[i] = make_float2(call0, call1);
        puts[i] = make_float2(put0, put1);
    }
}

extern "C" __global__ void monte_carlo(const float4 *options, const float *normals, float2 *values,
                                       int n)
{
    __shared__ float2 sums[8];
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    float4 option = options[blockIdx.x];
    float total = 0, squares = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float end = option.x * __expf(option.z + option.w * normals[i]) - option.y;
        float value = fmaxf(end, 0.0f);
        total += value;
        squares += value * value;
    }
    total = cg::reduce(tile, total, cg::plus<float>());
    squares = cg::reduce(tile, squares, cg::plus<float>());
    if (tile.thread_rank() == 0)
        sums[tile.meta_group_rank()] = make_float2(total, squares);
    __syncthreads();
    if (threadIdx.x == 0) {
        float2 both = sums[0];
        for (int k = 1; k < 8; k++) {
            both.x += sums[k].x;
            both.y += sums[k].y;
        }
        float mean = both.x / n;
        float deviation = sqrtf(fmaxf(both.y / n - mean * mean, 0.0f));
        values[blockIdx.x] = make_float2(mean, 1.96f * deviation / sqrtf((float)n));
    }
}
