// The C++ wrapper, <ck/ck.hpp>: wrapper DEVICE. Exit status: 0, all is right; 1, something is
// wrong; 77, there is no such device.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>

#include <ck/ck.hpp>

static const char source[] = R"(
@kernel
def scale(a, x, y):
    i = grid(1)
    if i < x.shape[0]:
        y[i] = a * x[i]

@kernel
def transpose(A: int32[:, :], B: int32[:, ::1]):
    i, j = grid(2)
    if i < A.shape[0] and j < A.shape[1]:
        B[j, i] = A[i, j]

@kernel
def pair(t, out):
    (a, b), x = t
    i = grid(1)
    if i < x.shape[0]:
        out[i] = a + b * x[i]

@kernel
def rotate(z: complex128, x: complex128[::1]):
    x[grid(1)] = x[grid(1)] * z

@kernel
def signs(a: int8, b: uint16, c: int64, d: uint64, e: boolean, out: int64[::1]):
    out[0] = a
    out[1] = b
    out[2] = c
    out[3] = int64(d >> uint64(1))
    out[4] = 1 if e else 0

@kernel
def once(x: int32[()]):
    x[()] = x[()] + 1

@kernel
def steps(x: int32[::1]):
    g = this_grid()
    i = g.thread_rank()
    for k in range(3):
        v = x[(i + 1) % x.shape[0]]
        g.sync()
        x[i] = v
        g.sync()

@kernel
def nothing():
    pass
)";

static int failures;

static void
expect(bool is_right, const char *what)
{
    if (is_right)
        return;
    std::printf("wrong: %s\n", what);
    failures++;
}

// Whether a call throws an error of this status whose text has `text` in it.
static void
expect_error(ck_status status, const char *text, const std::function<void()> &call)
{
    try {
        call();
        std::printf("no error: %s\n", text);
    } catch (const ck::error &error) {
        if (error.status() == status &&
            std::string_view(error.what()).find(text) != std::string::npos)
            return;
        std::printf("another error than %s: %s\n", text, error.what());
    }
    failures++;
}

template <typename T>
static std::vector<T>
random_values(std::size_t n)
{
    static std::mt19937_64 engine{std::random_device{}()};
    std::uniform_int_distribution<int> any(-1000, 1000);
    std::vector<T> values(n);
    for (T &value : values)
        value = static_cast<T>(any(engine));
    return values;
}

template <typename T>
static void
test_scale(const ck::device &device, const ck::module &module)
{
    const std::size_t n = 1237;
    const std::vector<T> x = random_values<T>(n);
    const ck::array on_device_x(device, x);
    ck::array<T> y(device, {static_cast<std::int64_t>(n)});
    module.kernel(device, "scale")({(n + 63) / 64, 64}, static_cast<T>(3), on_device_x, y);
    const std::vector<T> result = y.to_vector();
    for (std::size_t i = 0; i < n; i++) {
        if (result[i] != static_cast<T>(3 * x[i])) {
            expect(false, ck_dtype_name(ck::dtype<T>::value));
            return;
        }
    }
}

static void
test_views(const ck::device &device, const ck::module &module)
{
    const std::vector<std::int32_t> a = random_values<std::int32_t>(9 * 14);
    const ck::array<std::int32_t> A(device, {9, 14}, a);
    ck::array<std::int32_t> B(device, {7, 5});
    const ck_array whole = A.view().array;
    const std::int64_t strides[] = {2 * whole.strides[0], 2 * whole.strides[1]};
    // A[::2, ::2]
    module.kernel(device, "transpose")({{1, 1}, {8, 8}},
                                       ck::view<std::int32_t>(whole.data, {5, 7}, strides), B);
    const std::vector<std::int32_t> b = B.to_vector();
    for (std::size_t i = 0; i < 5; i++) {
        for (std::size_t j = 0; j < 7; j++)
            expect(b[j * 5 + i] == a[2 * i * 14 + 2 * j], "a strided view");
    }
    expect(B.shape().size() == 2 && B.shape()[0] == 7 && B.size() == 35, "extents");
    // The address alone, in C order; and the C interface's own struct.
    module.kernel(device, "transpose")(
        {{2, 2}, {8, 8}}, ck::view<const std::int32_t>(whole.data, {5, 7}), B.view().array);
    expect(B.to_vector()[1] == a[7], "a view by address");
}

static void
test_arguments(const ck::device &device, const ck::module &module)
{
    const std::vector<double> x = random_values<double>(50);
    const ck::array on_device_x(device, x);
    ck::array<double> out(device, {50});
    module.kernel(device, "pair")({2, 32}, std::tuple(std::pair(1.5, 2), on_device_x.view()), out);
    for (std::size_t i = 0; i < x.size(); i++)
        expect(out.to_vector()[i] == 1.5 + 2 * x[i], "a tuple in a tuple");

    std::vector<std::complex<double>> z{{1, 2}, {-3, 0.5}};
    ck::array on_device_z(device, z);
    module.kernel(device, "rotate")({1, 2}, std::complex<double>(0, 1), on_device_z);
    on_device_z.read(z);
    expect(z[0] == std::complex<double>(-2, 1) && z[1] == std::complex<double>(-0.5, -3),
           "complex numbers");

    ck::array<std::int64_t> integers(device, {5});
    module.kernel(device, "signs")({1, 1}, std::int8_t{-7}, std::uint16_t{65535}, -5LL,
                                   ~std::uint64_t{0}, true, integers);
    const std::vector<std::int64_t> expected{-7, 65535, -5,
                                             std::numeric_limits<std::int64_t>::max(), 1};
    expect(integers.to_vector() == expected, "integers of every kind");

    ck::array<std::int32_t> one(device, ck::extents{});
    one.write(std::vector<std::int32_t>{41});
    module.kernel(device, "once")({1, 1}, one);
    expect(one.to_vector() == std::vector<std::int32_t>{42}, "an array without dimensions");
    module.kernel(device, "nothing")({1, 1});

    const bool flags[] = {true, false, true};
    const ck::array<bool> on_device_flags(device, std::span<const bool>(flags));
    bool back[3] = {};
    on_device_flags.read(back);
    expect(back[0] && !back[1] && back[2], "booleans");
    expect(ck::array<float>(device, {0, 4}).to_vector().empty(), "an empty array");
}

static void
test_grid(const ck::device &device, const ck::module &module)
{
    const ck::kernel steps = module.kernel(device, "steps");
    ck::array<std::int32_t> x(device, std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7});
    expect(steps.prepare(x).cooperative == 1, "prepare describes the kernel");
    expect(steps.max_cooperative_blocks(4) >= 2, "the largest grid");
    expect(steps.usage().max_threads >= 4, "usage");
    steps({2, 4}, x);
    device.synchronize();
    expect(x.to_vector() == std::vector<std::int32_t>{3, 4, 5, 6, 7, 0, 1, 2}, "a grid barrier");
}

// Everything is destroyed in an order that would be wrong in C.
static void
test_owners(const char *name)
{
    std::optional<ck::context> context(std::in_place);
    std::optional<ck::device> device(context->open(name));
    std::optional<ck::module> module(context->compile(source));
    std::optional<ck::kernel> scale(module->kernel(*device, "scale"));
    ck::array<float> x(*device, std::vector<float>{1, 2, 3}), y(*device, {3});
    context.reset();
    module.reset();
    device.reset();
    (*scale)({1, 32}, 2.0f, x, y);
    scale.reset();
    const ck::array<float> moved = std::move(y);
    expect(moved.to_vector() == std::vector<float>{2, 4, 6}, "owners");
}

static void
test_errors(const ck::context &context, const ck::device &device, const ck::module &module)
{
    ck::array<float> x(device, {4}), y(device, {4});
    expect_error(CK_ERROR_PROGRAM, "k.ck:3:7: error: `gird` is not defined", [&] {
        context.compile("@kernel\ndef k(x: float32[::1]):\n    x[gird(1)] = 1\n", "k.ck");
    });
    expect_error(CK_ERROR_NOT_FOUND, "`scale`", [&] { module.kernel(device, "scales"); });
    expect_error(CK_ERROR_ARGUMENT, "unknown device", [&] { context.open("gpu"); });
    expect_error(CK_ERROR_FORMAT, "CK_ERROR_FORMAT", [&] { context.load("no PTX"); });
    expect_error(CK_ERROR_ARGUMENT, "3", [&] { module.kernel(device, "scale")({1, 32}, 2.0f, x); });
    expect_error(CK_ERROR_ARGUMENT, "another number of elements",
                 [&] { x.write(std::vector<float>(3)); });
    expect_error(CK_ERROR_ARGUMENT, "another number of elements", [&] {
        std::vector<float> host(5);
        x.read(host);
    });
    expect_error(CK_ERROR_ARGUMENT, "negative", [&] { ck::array<float>(device, {-1}); });
    expect_error(CK_ERROR_ARGUMENT, "larger than memory", [&] {
        ck::array<float>(device, {INT64_MAX, 16});
    });
    expect_error(CK_ERROR_ARGUMENT, "2^32", [&] {
        module.kernel(device, "scale")({INT64_C(1) << 32, 32}, 2.0f, x, y);
    });
    expect_error(CK_ERROR_ARGUMENT, "2^32", [&] {
        module.kernel(device, "scale")({-1, 32}, 2.0f, x, y);
    });
    const std::vector<std::int64_t> many(9, 1);
    expect_error(CK_ERROR_ARGUMENT, "at most 8",
                 [&] { ck::view<float>(x.view().array.data, ck::extents(many)); });
    expect_error(CK_ERROR_ARGUMENT, "as many strides", [&] {
        ck::view<float>(x.view().array.data, {1, 1}, std::vector<std::int64_t>(1));
    });
    context.compile("@kernel\ndef k(x: float32[::1]):\n    a = 1\n    x[0] = 2\n");
    expect(context.diagnostics().size() == 1, "a warning");
}

// Copies and launches on a stream, from and to page-locked memory.
static void
test_streams(const ck::context &context, const ck::device &device, const ck::module &module)
{
    const std::vector<float> values = random_values<float>(3000);
    ck::stream stream(device);
    ck::host_array<float> host(device, values.size());
    ck::array<float> x(device, {3000}), y(device, {3000});
    ck::event begin(device), end(device);
    std::copy(values.begin(), values.end(), host.begin());
    begin.record(stream.handle());
    x.write_async(host, stream.handle());
    module.kernel(device, "scale")({.grid = 12, .block = 256, .stream = stream.handle()}, 3.0f, x,
                                   y);
    x.fill_bytes(0, stream.handle());
    y.read_async(host, stream.handle());
    end.record(stream.handle());
    stream.synchronize();
    bool is_right = host.size() == values.size();
    for (std::size_t i = 0; i < values.size(); i++)
        is_right = is_right && host[i] == 3 * values[i];
    expect(is_right, "copies on a stream");
    expect(end.seconds_since(begin) >= 0, "times");
    expect(x.to_vector() == std::vector<float>(3000, 0.0f), "bytes of an array");
    ck::stream second(device);
    x.copy_from(y, stream.handle());
    end.record(stream.handle());
    second.wait(end);
    x.read_async(host, second.handle());
    second.synchronize();
    end.synchronize();
    expect(std::vector<float>(host.begin(), host.end()) == y.to_vector(), "a stream that waits");
    const ck::event moved = std::move(begin);
    expect(moved.get() != nullptr && stream.get() != second.get(), "handles");

    const ck::memory_sizes memory = device.memory();
    expect(memory.free > 0 && memory.free <= memory.total, "the device's memory");
    expect(context.count("cpu") == 1, "the number of devices");
    const ck_best_block best = module.kernel(device, "transpose").best_block();
    expect(best.threads >= 32 && best.blocks > 0, "the best block");

    ck::array<float> less(device, {7});
    expect_error(CK_ERROR_ARGUMENT, "another number", [&] { less.write_async(host); });
    expect_error(CK_ERROR_ARGUMENT, "another number", [&] { less.read_async(host); });
    expect_error(CK_ERROR_ARGUMENT, "different numbers", [&] { less.copy_from(x); });
    expect_error(CK_ERROR_ARGUMENT, "was not recorded", [&] { second.wait(ck::event(device)); });
    expect_error(CK_ERROR_ARGUMENT, "unknown kind", [&] { context.count("tpu"); });
    expect_error(CK_ERROR_ARGUMENT, "larger than memory",
                 [&] { ck::host_array<double>(device, SIZE_MAX / 4); });
}

static void
test_globals(const ck::context &context, const ck::device &device)
{
    const ck::module module = context.compile("COUNTS = device_array((2, 3), int32)\n"
                                              "W = const.array(2, float32)\n"
                                              "@kernel\n"
                                              "def k(y: int32[:, ::1]):\n"
                                              "    COUNTS[1, 2] += y[0, 0] + int(W[1])\n");
    ck::global<std::int32_t> counts = module.global<std::int32_t>(device, "COUNTS");
    module.global<float>(device, "W").write(std::vector<float>{1, 10});
    counts.write(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
    module.kernel(device, "k")({1, 1}, counts.view());
    expect(counts.size() == 6 && counts.shape()[1] == 3 &&
               counts.to_vector() == std::vector<std::int32_t>{1, 2, 3, 4, 5, 17},
           "an array of the module");
    expect_error(CK_ERROR_ARGUMENT, "another type",
                 [&] { module.global<float>(device, "COUNTS"); });
    expect_error(CK_ERROR_ARGUMENT, "no array of that name",
                 [&] { module.global<float>(device, "COUNT"); });
    expect_error(CK_ERROR_UNSUPPORTED, "constant memory",
                 [&] { module.global<float>(device, "W").view(); });
    expect_error(CK_ERROR_ARGUMENT, "another number of elements",
                 [&] { counts.write(std::vector<std::int32_t>(5)); });
}

int
main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "cpu";
    const ck::context context;
    std::optional<ck::device> device;
    try {
        device.emplace(context.open(name));
    } catch (const ck::error &error) {
        return error.status() == CK_ERROR_NO_DEVICE ? 77 : 1;
    }
    const ck::module module = context.compile(source);
    expect(module.kernels().size() == 8 &&
               module.emit(CK_EMIT_TYPES).find("steps") != std::string::npos,
           "the module");
    test_scale<float>(*device, module);
    test_scale<double>(*device, module);
    test_scale<std::int32_t>(*device, module);
    test_scale<std::int64_t>(*device, module);
    test_scale<std::uint32_t>(*device, module);
    test_views(*device, module);
    test_arguments(*device, module);
    test_grid(*device, module);
    test_streams(context, *device, module);
    test_owners(name);
    test_globals(context, *device);
    test_errors(context, *device, module);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
