"""The kernels of the group `samples`: see pair.py."""

from functools import partial

from .pair import Pair

Sample = partial(Pair, folder="samples")
THREADS = "(n+255)//256"
GENERATED = {"n": 135168}, {"n": 40}, THREADS, "256"

SAMPLES = [
    # --- Ports of CUDA's samples ---
    Sample("black_scholes", "finance", {"n": 1 << 21}, {"n": 300}, "(n+127)//128", "128",
           {"calls": "out float32 n,2", "puts": "out float32 n,2", "prices": "in float32 n,2 uniform 5 30",
            "strikes": "in float32 n,2 uniform 1 100", "years": "in float32 n,2 uniform 0.25 10"},
           "calls.v puts.v prices.v strikes.v years.v 0.02f 0.3f",
           "calls puts prices strikes years 0.02f 0.3f n", atol=1e-3),
    Sample("monte_carlo", "finance", {"k": 1056, "n": 65536}, {"k": 3, "n": 700}, "k", "256",
           {"options": "in float32 k,4 uniform 0.1 0.9", "normals": "in float32 n uniform -3 3",
            "values": "out float32 k,2"}, "options.v normals values.v", "options normals values n",
           rtol=1e-3),
    Sample("nbody", "bodies", {"n": 33792}, {"n": 512}, "n//256", "256",
           {"moved": "out float32 n,4", "bodies": "in float32 n,4 uniform 0.1 1",
            "velocities": "inout float32 n,4 uniform -1 1"},
           "moved.v bodies.v velocities.v 0.001f 0.995f", "moved bodies velocities 0.001f 0.995f n",
           rtol=1e-3, atol=1e-3),
    Sample("overload_int", "basics", {"n": 1 << 25}, {"n": 512}, "n//256", "256",
           {"x": "in int32 n uniform -1000 1000", "out": "out int32 n"}, "x out 7j", "x out 7"),
    Sample("overload_int2", "basics", {"n": 1 << 24}, {"n": 512}, "n//256", "256",
           {"x": "in int32 n,2 uniform -1000 1000", "out": "out int32 n"}, "x.v out 7j", "x out 7"),
    Sample("overload_two", "basics", {"n": 1 << 24}, {"n": 512}, "n//256", "256",
           {"x": "in int32 n uniform -1000 1000", "y": "in int32 n uniform -1000 1000",
            "out": "out int32 n"}, "x y out 7j", "x y out 7"),
    Sample("clock_min", "basics", {"k": 32768}, {"k": 3}, "k", "256",
           {"x": "in float32 512 uniform -1 1", "least": "out float32 k",
            "times": "scratch int64 2,k constant 0"}, "x least times", "x least times"),
    Sample("dxtc", "dxtc", {"n": 16384}, {"n": 4}, "n", "64",
           {"pixels": "in uint32 16*n uniform 0 1<<24", "partitions": "in uint32 965 partitions",
            "result": "scratch uint32 n,2 constant 0", "errors": "out float32 n"},
           "pixels partitions result.v errors", "pixels partitions result errors 965", rtol=1e-3,
           atol=1e-3),
    Sample("scalar_product", "basics", {"n": 1 << 25, "g": 1056}, {"n": 3000, "g": 5}, "g", "128",
           {"a": "in float16 n,2 signs", "b": "in float16 n,2 signs", "sums": "out float32 g"},
           "a.v b.v sums", "a b sums n"),

    # --- Layouts of particles ---
    Sample("structure_of_arrays", "layouts", {"n": 1 << 23}, {"n": 300}, THREADS, "256",
           {**{name: "inout float32 n uniform -1 1" for name in "xyz"},
            **{name: "in float32 n uniform -1 1" for name in "uvw"}},
           "x y z u v w 0.01f", "x y z u v w 0.01f n"),
    Sample("array_of_structures", "layouts", {"n": 1 << 23}, {"n": 300}, THREADS, "256",
           {"particles": "inout float32 8*n uniform -1 1"}, "particles 0.01f", "particles 0.01f n"),
    Sample("vectors", "layouts", {"n": 1 << 23}, {"n": 300}, THREADS, "256",
           {"places": "inout float32 n,4 uniform -1 1", "velocities": "in float32 n,4 uniform -1 1"},
           "places.v velocities.v 0.01f", "places velocities 0.01f n"),
    Sample("rows", "layouts", {"n": 1 << 23}, {"n": 300}, THREADS, "256",
           {"places": "inout float32 n,4 uniform -1 1", "velocities": "in float32 n,4 uniform -1 1"},
           "places velocities 0.01f", "places velocities 0.01f n"),
    Sample("vector_axpy", "layouts", {"n": 1 << 23}, {"n": 300}, THREADS, "256",
           {"x": "in float32 n,4 uniform -1 1", "y": "in float32 n,4 uniform -1 1", "z": "out float32 n,4"},
           "x.v y.v z.v 0.5f", "x y z 0.5f n"),

    # --- Random numbers, of which both make others: means are nearly alike ---
    Sample("philox_uniform", "generators", *GENERATED, {"means": "out float32 n"}, "means 7",
           "means n 7", rtol=0, atol=0.1, same=False),
    Sample("philox_normal", "generators", *GENERATED, {"means": "out float32 n"}, "means 7",
           "means n 7", rtol=0, atol=0.4, same=False),
    Sample("state_uniform", "generators", *GENERATED,
           {"numbers": "scratch uint64 2*n uniform 1 1<<62", "states": "scratch uint32 12*n uniform 1 1<<31",
            "means": "out float32 n"}, "numbers means", "states means n", rtol=0, atol=0.1, same=False),
]
