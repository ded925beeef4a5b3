/** @file
 * ck from C++20: owners, typed arrays, and launches by arguments. Header only, over <ck/ck.h>.
 *
 *     ck::context context;
 *     ck::module module = context.compile(source);
 *     ck::device device = context.open("auto");
 *     ck::array<float> x(device, host);
 *     ck::kernel saxpy = module.kernel(device, "saxpy");
 *     saxpy({{blocks}, {threads}}, 2.5f, x);
 *     std::vector<float> result = x.to_vector();
 *
 * examples/saxpy.cpp is a whole program.
 *
 *  - Each object keeps alive what it was made from: the order of destruction is free.
 *  - What fails throws ck::error. Destructors do not throw.
 *  - The rule of threads is <ck/base.h>'s: a context, and everything made from it, belongs to one
 *    thread at a time.
 *  - get() returns the handle of the C interface, borrowed. */
#ifndef CK_CK_HPP
#define CK_CK_HPP

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ck/ck.h>

namespace ck
{

/** A failed call. what() is the status and the context's text; of an error in a program, the
 * diagnostics, as ckc prints them. */
class error : public std::runtime_error
{
  public:
    /** With the text that what() returns. */
    error(ck_status status, const std::string &text) : std::runtime_error(text), status_(status)
    {
    }

    /** What the call returned. */
    ck_status
    status() const noexcept
    {
        return status_;
    }

  private:
    ck_status status_;
};

/// @cond
namespace detail
{

[[noreturn]] inline void
fail(ck_context *ctx, ck_status status)
{
    const bool is_of_program = status == CK_ERROR_PROGRAM || status == CK_ERROR_BARRIER ||
                               status == CK_ERROR_ASSERT || status == CK_ERROR_CHECK;
    std::string text = ck_status_name(status);
    if (!is_of_program || ck_context_n_diagnostics(ctx) == 0)
        text.append(": ").append(ck_context_error(ctx));
    for (std::size_t i = 0; is_of_program && i < ck_context_n_diagnostics(ctx); i++)
        text.append("\n").append(ck_context_diagnostic(ctx, i)->rendered);
    throw error(status, text);
}

inline void
check(ck_context *ctx, ck_status status)
{
    if (status != CK_OK)
        fail(ctx, status);
}

[[noreturn]] inline void
reject(const char *text)
{
    throw error(CK_ERROR_ARGUMENT, std::string("CK_ERROR_ARGUMENT: ") + text);
}

/* The bytes of an array. */
inline std::size_t
count_bytes(std::size_t each, std::span<const std::int64_t> shape)
{
    std::size_t bytes = each;
    for (const std::int64_t n : shape) {
        const auto extent = static_cast<std::size_t>(n);
        if (extent && bytes > std::numeric_limits<std::size_t>::max() / extent)
            reject("the array is larger than memory can be");
        bytes *= extent;
    }
    return bytes;
}

} // namespace detail
/// @endcond

/* --- Element types ------------------------------------------------------------------------------
 */

/** The dtype of a C++ type. A program may specialise it for element types of its own, such as
 * CUDA's `__half`: `template <> struct ck::dtype<__half> { static constexpr ck_dtype value =
 * CK_FLOAT16; };` */
template <typename T> struct dtype;

/// @cond
template <> struct dtype<bool> {
    static constexpr ck_dtype value = CK_BOOL;
};
template <> struct dtype<float> {
    static constexpr ck_dtype value = CK_FLOAT32;
};
template <> struct dtype<double> {
    static constexpr ck_dtype value = CK_FLOAT64;
};
template <> struct dtype<std::complex<float>> {
    static constexpr ck_dtype value = CK_COMPLEX64;
};
template <> struct dtype<std::complex<double>> {
    static constexpr ck_dtype value = CK_COMPLEX128;
};
template <std::integral T> struct dtype<T> {
    static_assert(sizeof(T) <= 8, "ck has no integers of more than 64 bits");
    static constexpr bool is_signed = std::is_signed_v<T>;
    static constexpr ck_dtype value = sizeof(T) == 1   ? is_signed ? CK_INT8 : CK_UINT8
                                      : sizeof(T) == 2 ? is_signed ? CK_INT16 : CK_UINT16
                                      : sizeof(T) == 4 ? is_signed ? CK_INT32 : CK_UINT32
                                      : is_signed      ? CK_INT64
                                                       : CK_UINT64;
};
/// @endcond

/* --- Devices ------------------------------------------------------------------------------------
 */

/** Sizes in bytes. */
struct memory_sizes {
    std::size_t free = 0;  /**< not allocated */
    std::size_t total = 0; /**< all */
};

/** A device. Copies are the same device, which is closed with the last. */
class device
{
  public:
    /** What it is and allows; borrowed from the device. */
    const ck_device_info &
    info() const
    {
        return *ck_device_get_info(handle_.get());
    }

    /** Waits for all work given to the device, and throws what went wrong in it. */
    void
    synchronize() const
    {
        detail::check(context_.get(), ck_device_synchronize(handle_.get()));
    }

    /** The device's memory in bytes; see ck_device_get_memory. */
    memory_sizes
    memory() const
    {
        memory_sizes sizes;
        detail::check(context_.get(),
                      ck_device_get_memory(&sizes.free, &sizes.total, handle_.get()));
        return sizes;
    }

    /** The handle of the C interface, borrowed. */
    ck_device *
    get() const noexcept
    {
        return handle_.get();
    }

  private:
    friend class context;
    friend class module;
    friend class event;
    friend class stream;
    template <typename T> friend class array;
    template <typename T> friend class host_array;
    template <typename T> friend class global;

    device(std::shared_ptr<ck_context> context, ck_device *handle)
        : context_(std::move(context)), handle_(handle, ck_device_free)
    {
    }

    template <typename T>
    T *
    make(ck_status (*create)(T **, ck_device *)) const
    {
        T *made = nullptr;
        detail::check(context_.get(), create(&made, handle_.get()));
        return made;
    }

    std::shared_ptr<ck_context> context_;
    std::shared_ptr<ck_device> handle_;
};

/* --- Streams ------------------------------------------------------------------------------------
 */

/** A point in the order of a stream, with its time. Moved, not copied. */
class event
{
  public:
    /** An event that is not recorded yet. */
    explicit event(const device &on) : device_(on), handle_(on.make(ck_event_new), ck_event_free)
    {
    }

    /** Sets the event at the end of what the stream has so far: a CUstream, ck::stream::handle(),
     * or null for the default stream. */
    void
    record(void *stream = nullptr)
    {
        detail::check(device_.context_.get(), ck_event_record(handle_.get(), stream));
    }

    /** Waits until the stream has reached the event. */
    void
    synchronize() const
    {
        detail::check(device_.context_.get(), ck_event_synchronize(handle_.get()));
    }

    /** Waits until the stream has reached this event, and returns the seconds since `from`. */
    double
    seconds_since(const event &from) const
    {
        double seconds = 0;
        detail::check(device_.context_.get(),
                      ck_event_elapsed(&seconds, from.handle_.get(), handle_.get()));
        return seconds;
    }

    /** The handle of the C interface, borrowed. */
    ck_event *
    get() const noexcept
    {
        return handle_.get();
    }

  private:
    device device_;
    std::unique_ptr<ck_event, decltype(&ck_event_free)> handle_;
};

struct launch;

/** An order of work of its own; see ck_stream_create. Its work must be complete when it is
 * destroyed. Moved, not copied. */
class stream
{
  public:
    /** A new stream. */
    explicit stream(const device &on)
        : device_(on), handle_(on.make(ck_stream_create), ck_stream_free)
    {
    }

    /** Waits for all work of the stream, and throws what went wrong in it. */
    void
    synchronize() const
    {
        detail::check(device_.context_.get(), ck_stream_synchronize(handle_.get()));
    }

    /** Makes what the stream gets from now on wait for the event. */
    void
    wait(const event &until) const
    {
        detail::check(device_.context_.get(), ck_stream_wait(handle_.get(), until.get()));
    }

    /** Throws if a call with this stream has failed: its ck_status, or the int that functions of
     * `ckc --emit=c` return. */
    void
    check(int status) const
    {
        detail::check(device_.context_.get(), static_cast<ck_status>(status));
    }

    /** The shape of a launch in this stream, whose own stream is this one or null. */
    ck_shape shape_of(const launch &how) const;

    /** What launches and copies take: a CUstream, or null on the CPU device. Borrowed. */
    void *
    handle() const noexcept
    {
        return ck_stream_handle(handle_.get());
    }

    /** The handle of the C interface, borrowed. */
    ck_stream *
    get() const noexcept
    {
        return handle_.get();
    }

  private:
    device device_;
    std::unique_ptr<ck_stream, decltype(&ck_stream_free)> handle_;
};

/* --- Arrays -------------------------------------------------------------------------------------
 */

/** The extents of an array: `{rows, columns}`. */
struct extents {
    std::array<std::int64_t, CK_MAX_DIMS> value{}; /**< the first `n` count */
    std::size_t n = 0;                             /**< the number of dimensions */

    /** At most CK_MAX_DIMS extents, none of them negative; else CK_ERROR_ARGUMENT. */
    extents(std::initializer_list<std::int64_t> list)
        : extents(std::span(list.begin(), list.size()))
    {
    }

    /** The same from a list. */
    explicit extents(std::span<const std::int64_t> list) : n(list.size())
    {
        if (n > value.size())
            detail::reject("an array has at most 8 dimensions");
        for (std::size_t i = 0; i < n; i++) {
            if (list[i] < 0)
                detail::reject("an extent is negative");
            value[i] = list[i];
        }
    }

    /** The extents. */
    std::span<const std::int64_t>
    list() const noexcept
    {
        return {value.data(), n};
    }
};

/** A strided array in memory that something else owns: an address on the launch's device, extents,
 * and strides in bytes. */
template <typename T> struct view {
    ck_array array{}; /**< as in the C interface */

    /** In C order. */
    view(std::uint64_t address, const extents &shape)
    {
        array.data = address;
        array.dtype = dtype<std::remove_const_t<T>>::value;
        array.ndim = static_cast<int>(shape.n);
        std::int64_t stride = sizeof(T);
        for (std::size_t i = shape.n; i-- > 0; stride *= shape.value[i]) {
            array.shape[i] = shape.value[i];
            array.strides[i] = stride;
        }
    }

    /** The same of a pointer that the device can follow. */
    view(T *address, const extents &shape) : view(reinterpret_cast<std::uintptr_t>(address), shape)
    {
    }

    /** With strides in bytes, one for each extent. */
    view(std::uint64_t address, const extents &shape, std::span<const std::int64_t> strides)
        : view(address, shape)
    {
        if (strides.size() != shape.n)
            detail::reject("an array has as many strides as extents");
        for (std::size_t i = 0; i < shape.n; i++)
            array.strides[i] = strides[i];
    }
};

/** An array on a device, in C order, that owns its memory. Moved, not copied. */
template <typename T> class array
{
  public:
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>);

    /** Not initialised. */
    array(const device &on, const extents &shape)
        : device_(on), buffer_(allocate(on, shape), ck_buffer_free),
          view_(ck_buffer_address(buffer_.get()), shape)
    {
    }

    /** With the host's elements, in one dimension. */
    array(const device &on, std::span<const T> host)
        : array(on, {static_cast<std::int64_t>(host.size())}, host)
    {
    }

    /** With the host's elements, in C order: as many as the extents say. */
    array(const device &on, const extents &shape, std::span<const T> host) : array(on, shape)
    {
        write(host);
    }

    /** The number of elements. */
    std::size_t
    size() const noexcept
    {
        return ck_buffer_size(buffer_.get()) / sizeof(T);
    }

    /** The extents. */
    std::span<const std::int64_t>
    shape() const noexcept
    {
        return {view_.array.shape, static_cast<std::size_t>(view_.array.ndim)};
    }

    /** Copies all elements. Synchronous, in order with the default stream. */
    void
    write(std::span<const T> host)
    {
        if (host.size() != size())
            detail::reject("the host has another number of elements than the array");
        detail::check(device_.context_.get(),
                      ck_buffer_write(buffer_.get(), 0, host.data(), host.size_bytes()));
    }

    /** The same from the array to the host. */
    void
    read(std::span<T> host) const
    {
        if (host.size() != size())
            detail::reject("the host has another number of elements than the array");
        detail::check(device_.context_.get(),
                      ck_buffer_read(buffer_.get(), 0, host.data(), host.size_bytes()));
    }

    /** As write, asynchronous in order with a stream: the host's memory must stay as it is until
     * the stream has reached the end of the copy. See ck_buffer_write_async. */
    void
    write_async(std::span<const T> host, void *stream = nullptr)
    {
        if (host.size() != size())
            detail::reject("the host has another number of elements than the array");
        detail::check(device_.context_.get(), ck_buffer_write_async(buffer_.get(), 0, host.data(),
                                                                    host.size_bytes(), stream));
    }

    /** As read, asynchronous in order with a stream, which has the elements there when it has
     * reached the end of the copy. */
    void
    read_async(std::span<T> host, void *stream = nullptr) const
    {
        if (host.size() != size())
            detail::reject("the host has another number of elements than the array");
        detail::check(device_.context_.get(), ck_buffer_read_async(buffer_.get(), 0, host.data(),
                                                                   host.size_bytes(), stream));
    }

    /** Copies all elements of another array of the device; asynchronous on CUDA. */
    void
    copy_from(const array &other, void *stream = nullptr)
    {
        if (other.size() != size())
            detail::reject("the arrays have different numbers of elements");
        detail::check(device_.context_.get(),
                      ck_buffer_copy(buffer_.get(), 0, other.get(), 0,
                                     ck_buffer_size(buffer_.get()), stream));
    }

    /** Sets every byte of the elements; asynchronous on CUDA. */
    void
    fill_bytes(unsigned char value, void *stream = nullptr)
    {
        detail::check(
            device_.context_.get(),
            ck_buffer_fill(buffer_.get(), 0, value, ck_buffer_size(buffer_.get()), stream));
    }

    /** All elements. */
    std::vector<T>
    to_vector() const requires(!std::same_as<T, bool>)
    {
        std::vector<T> host(size());
        read(host);
        return host;
    }

    /** Borrows the array's memory. */
    ck::view<T>
    view() const noexcept
    {
        return view_;
    }

    /** The handle of the C interface, borrowed. */
    ck_buffer *
    get() const noexcept
    {
        return buffer_.get();
    }

  private:
    static ck_buffer *
    allocate(const device &on, const extents &shape)
    {
        const std::size_t bytes = detail::count_bytes(sizeof(T), shape.list());
        ck_buffer *buffer = nullptr;
        detail::check(on.context_.get(), ck_buffer_new(&buffer, on.handle_.get(), bytes));
        return buffer;
    }

    device device_;
    std::unique_ptr<ck_buffer, decltype(&ck_buffer_free)> buffer_;
    ck::view<T> view_;
};

/** An array of N dimensions as a typed function takes it (`ckc --emit=c`): a ck::array, a ck::view,
 * or, of one dimension, a std::span of memory that the device can follow. Borrowed. An array with
 * another number of dimensions is an error of the launch. */
template <typename T, std::size_t N> struct array_ref {
    ck_array array; /**< as in the C interface */

    /** Of an array. */
    array_ref(const ck::array<std::remove_const_t<T>> &of) : array(of.view().array)
    {
    }

    /** Of a view; one of constant elements for constant elements alone. */
    template <typename U>
    requires std::convertible_to<U (*)[], T (*)[]>
    array_ref(const view<U> &of) : array(of.array)
    {
    }

    /** Of consecutive elements. */
    template <typename U, std::size_t E>
    requires(N == 1 && std::convertible_to<U (*)[], T (*)[]>) array_ref(std::span<U, E> of)
        : array(view<T>(of.data(), {static_cast<std::int64_t>(of.size())}).array)
    {
    }
};

/// @cond
template <typename T, std::size_t N>
array(const device &, std::span<T, N>) -> array<std::remove_const_t<T>>;
template <typename T> array(const device &, const std::vector<T> &) -> array<T>;
/// @endcond

/** Page-locked memory of the host, for asynchronous copies; see ck_host_buffer. Moved, not copied.
 */
template <typename T> class host_array
{
  public:
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>);

    /** `n` elements, not initialised. */
    host_array(const device &on, std::size_t n)
        : device_(on), buffer_(allocate(on, n), ck_host_buffer_free)
    {
    }

    /** The number of elements. */
    std::size_t
    size() const noexcept
    {
        return ck_host_buffer_size(buffer_.get()) / sizeof(T);
    }

    /** The elements. */
    T *
    data() const noexcept
    {
        return static_cast<T *>(ck_host_buffer_data(buffer_.get()));
    }

    /** The first element. */
    T *
    begin() const noexcept
    {
        return data();
    }

    /** The place behind the last element. */
    T *
    end() const noexcept
    {
        return data() + size();
    }

    /** Element `i`, which is there. */
    T &
    operator[](std::size_t i) const noexcept
    {
        return data()[i];
    }

  private:
    static ck_host_buffer *
    allocate(const device &on, std::size_t n)
    {
        if (n > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()))
            detail::reject("the array is larger than memory can be");
        const std::int64_t shape[] = {static_cast<std::int64_t>(n)};
        ck_host_buffer *buffer = nullptr;
        detail::check(on.context_.get(), ck_host_buffer_new(&buffer, on.handle_.get(),
                                                            detail::count_bytes(sizeof(T), shape)));
        return buffer;
    }

    device device_;
    std::unique_ptr<ck_host_buffer, decltype(&ck_host_buffer_free)> buffer_;
};

/* --- Launches -----------------------------------------------------------------------------------
 */

/** Extents of a grid, a block or a cluster, from integers of any type. */
struct dim {
    ck_dim3 value{}; /**< as in the C interface */

    constexpr dim() = default;
    /** One dimension. Extents must fit in 32 bits; else CK_ERROR_ARGUMENT. */
    template <std::integral X> constexpr dim(X x) : value{narrow(x), 1, 1}
    {
    }
    /** Two dimensions. */
    template <std::integral X, std::integral Y>
    constexpr dim(X x, Y y) : value{narrow(x), narrow(y), 1}
    {
    }
    /** Three dimensions. */
    template <std::integral X, std::integral Y, std::integral Z>
    constexpr dim(X x, Y y, Z z) : value{narrow(x), narrow(y), narrow(z)}
    {
    }

  private:
    static constexpr std::uint32_t
    narrow(std::integral auto n)
    {
        if (!std::in_range<std::uint32_t>(n))
            detail::reject("an extent of a grid or a block is negative, or 2^32 or more");
        return static_cast<std::uint32_t>(n);
    }
};

/** Where and in which shape a kernel runs. */
struct launch {
    dim grid;                       /**< blocks */
    dim block;                      /**< threads of a block */
    std::uint32_t shared_bytes = 0; /**< dynamic shared memory of a block */
    dim cluster{};                  /**< blocks of a cluster; default: the kernel's own */
    void *stream = nullptr;         /**< a CUstream; null: the default stream */

    /** As in the C interface. */
    ck_shape
    shape() const noexcept
    {
        return {grid.value, block.value, shared_bytes, cluster.value};
    }
};

inline ck_shape
stream::shape_of(const launch &how) const
{
    if (how.stream && how.stream != handle())
        detail::reject("the launch names another stream than the one that it is made in");
    return how.shape();
}

/// @cond
namespace detail
{

template <typename T> inline constexpr bool is_tuple = false;
template <typename... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <typename T, typename U> inline constexpr bool is_tuple<std::pair<T, U>> = true;
template <typename T, std::size_t N> inline constexpr bool is_tuple<std::array<T, N>> = true;
template <typename T> inline constexpr bool is_array = false;
template <typename T> inline constexpr bool is_array<ck::array<T>> = true;
template <typename T> inline constexpr bool is_view = false;
template <typename T> inline constexpr bool is_view<ck::view<T>> = true;
template <typename T> inline constexpr bool is_complex = false;
template <std::floating_point T> inline constexpr bool is_complex<std::complex<T>> = true;

/** The arguments that a value becomes: a tuple's items follow it. */
template <typename T>
constexpr std::size_t
count()
{
    if constexpr (is_tuple<T>) {
        return []<std::size_t... I>(std::index_sequence<I...>)
        {
            return (std::size_t{1} + ... +
                    count<std::remove_cvref_t<std::tuple_element_t<I, T>>>());
        }
        (std::make_index_sequence<std::tuple_size_v<T>>());
    } else {
        return 1;
    }
}

/** The arguments of a launch, and the arrays that they point to. */
template <std::size_t N> class arguments
{
  public:
    template <typename... T> explicit arguments(const T &...values)
    {
        (add(values), ...);
    }
    arguments(const arguments &) = delete;
    arguments &operator=(const arguments &) = delete;

    const ck_arg *
    data() const noexcept
    {
        return args_.data();
    }

    static constexpr std::size_t size = N;

  private:
    std::array<ck_arg, N> args_{};
    std::array<ck_array, N> arrays_{};
    std::size_t n_ = 0;

    template <typename T>
    void
    add(const T &value)
    {
        ck_arg &arg = args_[n_];
        if constexpr (is_tuple<T>) {
            arg.scalar = CK_TUPLE;
            arg.value.u = std::tuple_size_v<T>;
            n_++;
            std::apply([this](const auto &...items) { (this->add(items), ...); }, value);
            return;
        } else if constexpr (is_array<T>) {
            add_array(value.view().array);
        } else if constexpr (is_view<T>) {
            add_array(value.array);
        } else if constexpr (std::same_as<T, ck_array>) {
            add_array(value);
        } else if constexpr (is_complex<T>) {
            arg.scalar = dtype<T>::value;
            arg.value.c = {static_cast<double>(value.real()), static_cast<double>(value.imag())};
        } else if constexpr (std::floating_point<T>) {
            arg.scalar = dtype<T>::value;
            arg.value.f = value;
        } else if constexpr (std::signed_integral<T> || std::same_as<T, bool>) {
            arg.scalar = dtype<T>::value;
            arg.value.i = value;
        } else {
            static_assert(std::unsigned_integral<T>,
                          "an argument is a number, a ck::array, a ck::view or a std::tuple");
            arg.scalar = dtype<T>::value;
            arg.value.u = value;
        }
        n_++;
    }

    void
    add_array(const ck_array &array)
    {
        arrays_[n_] = array;
        args_[n_].scalar = CK_DTYPE_NONE;
        args_[n_].value.array = &arrays_[n_];
    }
};

template <typename... T> arguments(const T &...) -> arguments<(std::size_t{0} + ... + count<T>())>;

} // namespace detail
/// @endcond

/** A kernel on a device. Arguments are numbers, whose dtypes are those of their C++ types, arrays,
 * views, std::complex, and std::tuple, std::pair or std::array for tuples. */
class kernel
{
  public:
    /** Launches the kernel: asynchronous on CUDA, complete on return on the CPU (see ck_launch). */
    template <typename... T>
    void
    operator()(const launch &how, const T &...values) const
    {
        const detail::arguments arguments(values...);
        const ck_shape shape = how.shape();
        detail::check(context_.get(),
                      ck_launch(handle_, &shape, arguments.data(), arguments.size, how.stream));
    }

    /** Compiles and loads what a launch with such arguments needs. The description is borrowed from
     * the module. */
    template <typename... T>
    const ck_kernel_desc &
    prepare(const T &...values) const
    {
        const ck_kernel_desc *desc = nullptr;
        const detail::arguments arguments(values...);
        detail::check(context_.get(),
                      ck_kernel_prepare(handle_, arguments.data(), arguments.size, &desc));
        return *desc;
    }

    /** The largest grid of a cooperative launch with such blocks; see
     * ck_kernel_max_cooperative_blocks. */
    std::uint32_t
    max_cooperative_blocks(dim block, std::uint32_t shared_bytes = 0) const
    {
        std::uint32_t blocks = 0;
        detail::check(context_.get(), ck_kernel_max_cooperative_blocks(&blocks, handle_,
                                                                       block.value, shared_bytes));
        return blocks;
    }

    /** The block with which the most threads are resident; see ck_kernel_best_block. */
    ck_best_block
    best_block(std::uint32_t shared_bytes = 0) const
    {
        ck_best_block result{};
        detail::check(context_.get(), ck_kernel_best_block(&result, handle_, shared_bytes));
        return result;
    }

    /** Registers and memory; see ck_kernel_get_usage. */
    ck_kernel_usage
    usage() const
    {
        ck_kernel_usage result{};
        detail::check(context_.get(), ck_kernel_get_usage(&result, handle_));
        return result;
    }

    /** The handle of the C interface, borrowed. */
    ck_kernel *
    get() const noexcept
    {
        return handle_;
    }

  private:
    friend class module;

    kernel(std::shared_ptr<ck_context> context, std::shared_ptr<ck_module> module,
           std::shared_ptr<ck_device> device, ck_kernel *handle)
        : context_(std::move(context)), module_(std::move(module)), device_(std::move(device)),
          handle_(handle)
    {
    }

    std::shared_ptr<ck_context> context_;
    std::shared_ptr<ck_module> module_;
    std::shared_ptr<ck_device> device_;
    ck_kernel *handle_;
};

/* --- Modules and contexts -----------------------------------------------------------------------
 */

/** An array of a module on a device (ck_module_get_global): the module's own memory, which its
 * kernels use by its name. */
template <typename T> class global
{
  public:
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>);

    /** The extents. */
    std::span<const std::int64_t>
    shape() const noexcept
    {
        return {desc_->shape, static_cast<std::size_t>(desc_->ndim)};
    }

    /** The number of elements. */
    std::size_t
    size() const noexcept
    {
        std::size_t n = 1;
        for (const std::int64_t extent : shape())
            n *= static_cast<std::size_t>(extent);
        return n;
    }

    /** Copies all elements. Synchronous, in order with the default stream. */
    void
    write(std::span<const T> host)
    {
        if (host.size() != size())
            detail::reject("the host has another number of elements than the array");
        detail::check(context_.get(),
                      ck_module_write_global(module_.get(), device_.get(), desc_->name, 0,
                                             host.data(), host.size_bytes()));
    }

    /** Copies all elements to the host. */
    void
    read(std::span<T> host) const
    {
        if (host.size() != size())
            detail::reject("the host has another number of elements than the array");
        detail::check(context_.get(),
                      ck_module_read_global(module_.get(), device_.get(), desc_->name, 0,
                                            host.data(), host.size_bytes()));
    }

    /** The elements, in C order. */
    std::vector<T>
    to_vector() const requires(!std::same_as<T, bool>)
    {
        std::vector<T> host(size());
        read(host);
        return host;
    }

    /** For launches. Not of an array in constant memory. */
    ck::view<T>
    view() const
    {
        ck_array array{};
        detail::check(context_.get(),
                      ck_module_get_global(&array, module_.get(), device_.get(), desc_->name));
        return {array.data, extents(shape())};
    }

  private:
    friend class module;

    global(std::shared_ptr<ck_context> context, std::shared_ptr<ck_module> module,
           std::shared_ptr<ck_device> device, const ck_global_desc *desc)
        : context_(std::move(context)), module_(std::move(module)), device_(std::move(device)),
          desc_(desc)
    {
    }

    std::shared_ptr<ck_context> context_;
    std::shared_ptr<ck_module> module_;
    std::shared_ptr<ck_device> device_;
    const ck_global_desc *desc_;
};

/** Kernels that were compiled or loaded together. Copies are the same module. */
class module
{
  public:
    /** The array called `name`, whose elements are of type T. */
    template <typename T>
    ck::global<T>
    global(const device &on, const std::string &name) const
    {
        for (std::size_t i = 0; i < ck_module_n_globals(handle_.get()); i++) {
            const ck_global_desc *desc = ck_module_global(handle_.get(), i);
            if (name != desc->name)
                continue;
            if (desc->dtype != dtype<T>::value)
                detail::reject("the array has elements of another type");
            return {context_, handle_, on.handle_, desc};
        }
        detail::reject("the module has no array of that name");
    }

    /** The kernel called `name`; see ck_kernel_get. */
    ck::kernel
    kernel(const device &on, const std::string &name) const
    {
        ck_kernel *found = nullptr;
        detail::check(context_.get(),
                      ck_kernel_get(&found, handle_.get(), on.handle_.get(), name.c_str()));
        return {context_, handle_, on.handle_, found};
    }

    /** The descriptions of the kernels, borrowed: one for each declared signature. */
    std::vector<const ck_kernel_desc *>
    kernels() const
    {
        std::vector<const ck_kernel_desc *> result;
        for (std::size_t i = 0; i < ck_module_n_kernels(handle_.get()); i++)
            result.push_back(ck_module_kernel(handle_.get(), i));
        return result;
    }

    /** The module as text: PTX, LLVM IR and others (see ck_module_emit; in libck only). */
    std::string
    emit(ck_emit_kind kind) const
    {
        char *text = nullptr;
        std::size_t length = 0;
        detail::check(context_.get(), ck_module_emit(&text, &length, handle_.get(), kind));
        const std::unique_ptr<char, decltype(&ck_text_free)> owner(text, ck_text_free);
        return {text, length};
    }

    /** The handle of the C interface, borrowed. */
    ck_module *
    get() const noexcept
    {
        return handle_.get();
    }

  private:
    friend class context;

    module(std::shared_ptr<ck_context> context, ck_module *handle) :context_(std::move(context)),
        handle_(handle, ck_module_free)
    {
    }

    std::shared_ptr<ck_context> context_;
    std::shared_ptr<ck_module> handle_;
};

/** What modules and devices belong to. Copies are the same context. */
class context
{
  public:
    /** With the default options. */
    context() : context(nullptr)
    {
    }
    /** With options, whose size is set. */
    explicit context(const ck_context_options &options) : context(&options)
    {
    }

    /** Compiles source text (in libck only). `name` is the file of messages. */
    ck::module
    compile(std::string_view source, const std::string &name = "<source>") const
    {
        ck_compile_options options{};
        options.size = sizeof options;
        options.name = name.c_str();
        return compile(source, options);
    }

    /** The same with options, whose size is set. */
    ck::module
    compile(std::string_view source, const ck_compile_options &options) const
    {
        ck_module *result = nullptr;
        detail::check(get(), ck_compile(&result, get(), source.data(), source.size(), &options));
        return {handle_, result};
    }

    /** Loads PTX that ckc wrote, or a cubin made of it. */
    ck::module
    load(std::string_view image) const
    {
        ck_module *result = nullptr;
        detail::check(get(), ck_module_load(&result, get(), image.data(), image.size()));
        return {handle_, result};
    }

    /** The number of devices of a kind, "cuda" or "cpu"; see ck_device_count. */
    std::size_t
    count(const std::string &kind) const
    {
        std::size_t result = 0;
        detail::check(get(), ck_device_count(&result, get(), kind.c_str()));
        return result;
    }

    /** Opens "auto", "cuda", "cuda:N", "cpu" or "cpu:THREADS". */
    ck::device
    open(const std::string &name = "auto", const ck_device_options *options = nullptr) const
    {
        ck_device *result = nullptr;
        detail::check(get(), ck_device_open(&result, get(), name.c_str(), options));
        return {handle_, result};
    }

    /** The diagnostics of the last compilation or launch, as ckc prints them. */
    std::vector<std::string>
    diagnostics() const
    {
        std::vector<std::string> result;
        for (std::size_t i = 0; i < ck_context_n_diagnostics(get()); i++)
            result.emplace_back(ck_context_diagnostic(get(), i)->rendered);
        return result;
    }

    /** The handle of the C interface, borrowed. */
    ck_context *
    get() const noexcept
    {
        return handle_.get();
    }

  private:
    explicit context(const ck_context_options *options)
    {
        ck_context *result = nullptr;
        const ck_status status = ck_context_new(&result, options);
        if (status != CK_OK)
            throw error(status, ck_status_name(status));
        handle_.reset(result, ck_context_free);
    }

    std::shared_ptr<ck_context> handle_;
};

} // namespace ck

#endif
