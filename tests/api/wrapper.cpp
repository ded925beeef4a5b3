// What tests/api/cxx.py runs: arguments of every type, arrays of two dimensions, and failures.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <ck/ck.hpp>

static const char source[] = R"(
@kernel
def numbers(a: boolean, b: int8, c: uint16, d: int32, e: uint64, f: float32, g: float64,
            h: complex128, out: float64[::1]):
    out[0] = float64(a) + b + c + d + float64(e) + f + g + h.real + 10 * h.imag

@kernel
def transpose(x: int16[:, ::1], y: int16[:, ::1]):
    i = threadIdx.x
    for j in range(y.shape[1]):
        y[i, j] = x[j, i]
)";

static void
check(bool condition, int line)
{
    if (condition)
        return;
    std::printf("line %d\n", line);
    std::exit(1);
}
#define CHECK(condition) check((condition), __LINE__)

template <class Body>
static bool
throws(Body body, ck_status status, const char *text)
{
    try {
        body();
    } catch (const ck::error &failure) {
        return failure.status() == status && std::strstr(failure.what(), text);
    }
    return false;
}

int
main()
{
    ck::context context;
    ck::device device(context, "cpu:2");
    auto program = ck::program::compile(context, source);
    ck::buffer<double> out(device, 1);
    ck::kernel numbers(program, device, "numbers");
    numbers.launch(1, 1, true, std::int8_t(-2), std::uint16_t(60000), -5, std::uint64_t(1) << 40,
                   0.5f, 0.25, std::complex<double>(2, -3), out);
    CHECK(out.read()[0] == 1 - 2 + 60000 - 5 + 0x1p40 + 0.5 + 0.25 + 2 - 30);

    std::vector<std::int16_t> in(6);
    for (std::int16_t i = 0; i < 6; i++)
        in[i] = std::int16_t(i * 7);
    ck::buffer<std::int16_t> x(device, in), y(device, 6);
    ck::kernel(program, device, "transpose").launch({1, 1}, 3, x.array(2, 3), y.array(3, 2));
    const auto turned = y.read();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            CHECK(turned[i * 2 + j] == in[j * 3 + i]);

    const char *wrong = "@kernel\ndef k(x: int32[::1]):\n    x[0] = nope\n";
    CHECK(throws([&] { ck::program::compile(context, wrong); }, CK_ERROR_PROGRAM, "`nope`"));
    CHECK(throws([&] { ck::device(context, "nonsense"); }, CK_ERROR_ARGUMENT, "unknown device"));
    CHECK(throws([&] { ck::kernel(program, device, "none"); }, CK_ERROR_NOT_FOUND, "none"));
    CHECK(throws([&] { numbers.launch(1, 1, 1); }, CK_ERROR_ARGUMENT, "9 arguments"));
    CHECK(throws([&] { x.array(7); }, CK_ERROR_ARGUMENT, "larger than its buffer"));
    CHECK(throws([&] { x.write(in, 1); }, CK_ERROR_ARGUMENT, "outside of the buffer"));
    device.synchronize();
    std::puts("fine");
    return 0;
}
