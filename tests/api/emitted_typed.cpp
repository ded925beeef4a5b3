/* Launches every kind of parameter by the typed functions of C++ that `ckc --emit=c kinds.ck`
 * writes. Its arguments and exit statuses are those of emitted_kinds.c. */
#include <cstring>
#include <numeric>
#include <vector>

#include "kinds.hpp"

static ck_context *const ctx = nullptr; /* for check.h: failures are exceptions, with their text */
#include "check.h"

namespace k = kinds_kernels;

template <typename Kernel>
static bool
throws(ck_status status, Kernel launch)
{
    try {
        launch();
        return false;
    } catch (const ck::error &error) {
        return error.status() == status;
    }
}

struct pair {
    std::int32_t x;
    float y;
};

/* A kernel writes `out`, so that it takes no view of constant elements; `v` it does not. */
template <typename View>
concept is_written = requires(const ck::stream &s, View out)
{
    k::scalars(s, 1, 1, true, 1, 2, 3, 4, 5, 6, 7, 8, 1.f, 2.f, 3.f, 4., {}, {}, out);
};
template <typename View>
concept is_read = requires(const ck::stream &s, View v, ck::array_ref<float, 1> out)
{
    k::vectors(s, 1, 32, v, {10.f, 20.f}, out);
};
static_assert(is_written<ck::view<double>> && !is_written<ck::view<const double>>);
static_assert(!is_written<ck::view<float>> && is_read<ck::view<float>>);
static_assert(is_read<ck::view<const float>> && !is_read<ck::view<double>>);

static void
run(const ck::device &device, bool computes, int sign)
{
    const ck::stream s(device);
    ck::array<double> out(device, {1});
    k::scalars(s, 1, 1, true, static_cast<std::int8_t>(8 * sign),
               static_cast<std::int16_t>(16 * sign), 32 * sign, 64 * sign, 8, 16, 32, 64, 1.5f,
               2.5f, 3.5f, 4.5, {0.5f, -1}, {3, 0.25}, out);
    s.synchronize();
    CHECK(!computes ||
          out.to_vector()[0] == 1 + 120 * sign + 120 + 1.5 + 2.5 + 3.5 + 4.5 + 0.5 + 0.25);

    ck::array<std::int32_t> four(device, {4});
    k::tuples(s, 1, 1, {40, {2.0, {1, 2}}, four});
    s.synchronize();
    CHECK(!computes || four.to_vector()[0] == 43);

    ck_field fields[2] = {};
    fields[0].name = "x";
    fields[0].dtype = CK_INT32;
    fields[1].name = "y";
    fields[1].dtype = CK_FLOAT32;
    fields[1].offset = 4;
    ck_record record = {};
    record.size = sizeof(pair);
    record.n_fields = 2;
    record.fields = fields;
    const std::int64_t n = 64;
    ck::array<std::int64_t> pairs(device, {n}); /* the memory */
    ck_array described = {};
    described.data = ck_buffer_address(pairs.get());
    described.dtype = CK_RECORD;
    described.record = &record;
    described.ndim = 1;
    described.shape[0] = n;
    described.strides[0] = sizeof(pair);
    k::records(s, 2, 32, described, {100, 2.5f});
    s.synchronize();
    pair last;
    const std::int64_t bits = pairs.to_vector().back();
    std::memcpy(&last, &bits, sizeof last);
    CHECK(!computes || (last.x == 163 && last.y == 2.5f));

    fields[0].name = "at";
    fields[0].dtype = CK_FLOAT32;
    fields[0].ndim = 1;
    fields[0].shape[0] = 2;
    fields[1].name = "n";
    fields[1].dtype = CK_INT32;
    fields[1].offset = 8;
    record.size = 16;
    described.shape[0] = 4;
    described.strides[0] = 16;
    k::stars(s, 1, 32, described, {{1.5f, 2.f}, 7});

    std::vector<float> values(16);
    std::iota(values.begin(), values.end(), 0.f);
    const ck::array<float> rows(device, {4, 4}, values);
    ck::array<float> sums(device, {4});
    k::vectors(s, 1, 32, rows, {10.f, 20.f}, sums);
    s.synchronize();
    CHECK(!computes || sums.to_vector()[3] == 12 + 3 + 20);
    CHECK(throws(CK_ERROR_ARGUMENT, [&] { k::vectors(s, 1, 32, sums, {10.f, 20.f}, sums); }));

    /* Overloads, by the elements' types; a span of the device's memory. */
    const std::span<float> span(reinterpret_cast<float *>(ck_buffer_address(sums.get())), 4);
    k::defaults(s, 1, 1, span, 1.5f, 4);
    s.synchronize();
    CHECK(!computes || sums.to_vector()[0] == 6);
    k::defaults(s, 1, 1, sums, 1.5f);
    k::defaults(s, 1, 1, sums);
    k::many(s, 1, 1, span, 1.f);
    k::many(s, 1, 1, four, 2);
    k::many(s, 1, 1, ck::array<double>(device, {2, 2}), 3.);

    ck::array<std::int32_t> number(device, ck::extents({}));
    const std::int64_t strides[] = {16, 4}, fortran[] = {8, 16};
    const ck::view<const float> part(ck_buffer_address(rows.get()), {3, 2}, strides);
    const ck::array<double> square(device, {2, 2});
    k::zero(s, 1, 1, number, part,
            ck::view<double>(ck_buffer_address(square.get()), {2, 2}, fortran));
    s.synchronize();
    CHECK(!computes || number.to_vector()[0] == 5);

    /* With all that a launch can have. */
    ck::array<std::int32_t> m(device, {2, 64});
    k::rows(s, 2, 32, m);
    CHECK(throws(CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, [&] { k::rows(s, 1 << 20, 32, m); }));
    ck::array<float> lanes(device, {32});
    k::dynamic(s, {.grid = 1, .block = 32, .shared_bytes = 128}, lanes);
    k::dynamic(s, {.grid = 1, .block = 32, .shared_bytes = 128, .stream = s.handle()}, lanes);
    int other = 0;
    CHECK(throws(CK_ERROR_ARGUMENT,
                 [&] { k::dynamic(s, {.grid = 1, .block = 32, .stream = &other}, lanes); }));
    CHECK(throws(CK_ERROR_ARGUMENT, [&] { k::dynamic(s, 0, 32, lanes); }));

    ck::array<std::int64_t> wide(device, {1});
    k::odd(s, 1, 1, 1, 2, 3, 4.0f, 5, {6, 7}, 8, 9, 10, 11, 12.0, wide);
    s.synchronize();
    CHECK(!computes || wide.to_vector()[0] == 78);
    k::ck_stream_(s, 1, 1, wide);
}

int
main(int argc, char **argv)
{
    const ck::context context;
    try {
        run(context.open("cuda"), argc < 3, std::strcmp(argv[1], "-natural") ? -1 : 1);
    } catch (const ck::error &error) {
        if (error.status() == CK_ERROR_NO_DEVICE)
            return 77;
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
