// A C++ program with ck inside: y = a * x + y on the first GPU, or on the CPU.
//
//   c++ -std=c++20 examples/saxpy.cpp $(pkg-config --cflags --libs ck) -o saxpy && ./saxpy
#include <cstdio>
#include <vector>

#include <ck/ck.hpp>

static const char source[] = R"(
@kernel
def saxpy(a, x, y):
    i = grid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]
)";

int
main(int argc, char **argv)
try {
    const std::vector<float> x(10000, 1.0f), y(10000, 2.0f);
    const ck::context context;
    const ck::device device = context.open(argc > 1 ? argv[1] : "auto");
    const ck::array on_device_x(device, x), on_device_y(device, y);
    const ck::kernel saxpy = context.compile(source).kernel(device, "saxpy");
    saxpy({(x.size() + 255) / 256, 256}, 2.5f, on_device_x, on_device_y);
    std::printf("y[0] = %g on %s\n", on_device_y.to_vector()[0], device.info().name);
} catch (const ck::error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
