// Compiles a kernel and runs it on the GPU, or on the CPU where there is none, by ck/ck.hpp:
//   c++ -std=c++20 saxpy.cpp -lck
#include <cstdio>
#include <numeric>

#include <ck/ck.hpp>

int
main()
try {
    std::vector<float> xs(1000), ys(1000, 1.0f);
    std::iota(xs.begin(), xs.end(), 0.0f);
    ck::context context;
    ck::device device(context);
    auto program = ck::program::compile(context, "@kernel\n"
                                               "def saxpy(a: float32, x: float32[:], y: float32[:]):\n"
                                               "    for i in range(grid(1), len(x), gridsize(1)):\n"
                                               "        y[i] = a * x[i] + y[i]\n");
    ck::buffer<float> x(device, xs), y(device, ys);
    ck::kernel(program, device, "saxpy").launch(4, 256, 2.0f, x, y);
    std::printf("y[999] = %g\n", y.read()[999]);
} catch (const ck::error &failure) {
    std::fprintf(stderr, "saxpy: %s\n", failure.what());
    return 1;
}
