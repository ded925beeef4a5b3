/* ck for C++20: owners that free what they hold, typed buffers, launches by arguments, and failures
 * as exceptions. A header alone, over the C functions of libck, or of libckrt but for
 * ck::program::compile.
 *
 *   ck::context context;
 *   ck::device device(context);
 *   ck::program program = ck::program::compile(context, source);
 *   ck::buffer<float> x(device, xs), y(device, ys);
 *   ck::kernel(program, device, "saxpy").launch(64, 256, 2.5f, x, y);
 *   std::vector<float> result = y.read();
 *
 * An owner must not outlive the context and the device that it was made from. */
#ifndef CK_CK_HPP
#define CK_CK_HPP

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <ck/ck.h>

namespace ck {

/* A failed call: its status, and the text of the context. */
class error : public std::runtime_error {
  public:
    error(ck_status status, const std::string &text)
        : std::runtime_error(text.empty() ? ck_status_name(status) : text), status_(status) {}
    ck_status status() const noexcept { return status_; }

  private:
    ck_status status_;
};

/* The element type of T. */
template <class T>
constexpr ck_dtype
dtype_of()
{
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<U, bool>)
        return CK_BOOL;
    else if constexpr (std::is_integral_v<U> && sizeof(U) <= 8)
        return static_cast<ck_dtype>((std::is_signed_v<U> ? CK_INT8 : CK_UINT8) +
                                     (sizeof(U) == 1   ? 0
                                      : sizeof(U) == 2 ? 1
                                      : sizeof(U) == 4 ? 2
                                                       : 3));
    else if constexpr (std::is_same_v<U, float>)
        return CK_FLOAT32;
    else if constexpr (std::is_same_v<U, double>)
        return CK_FLOAT64;
    else if constexpr (std::is_same_v<U, std::complex<float>>)
        return CK_COMPLEX64;
    else if constexpr (std::is_same_v<U, std::complex<double>>)
        return CK_COMPLEX128;
    else
        static_assert(!sizeof(U), "ck has no element type for this type");
}

class context {
  public:
    explicit context(const ck_context_options *options = nullptr)
    {
        ck_context *made = nullptr;
        if (ck_status status = ck_context_new(&made, options))
            throw error(status, "");
        context_.reset(made);
    }
    ck_context *get() const noexcept { return context_.get(); }
    /* Throws unless the status is CK_OK. */
    void check(ck_status status) const { check(context_.get(), status); }
    static void check(const ck_context *context, ck_status status)
    {
        if (status != CK_OK)
            throw error(status, message(context, status));
    }

  private:
    /* The diagnostics of a program that is wrong, else the context's text. */
    static std::string message(const ck_context *context, ck_status status)
    {
        std::string text;
        for (std::size_t i = 0; status == CK_ERROR_PROGRAM && i < ck_context_n_diagnostics(context);
             i++)
            text += ck_context_diagnostic(context, i)->rendered;
        return text.empty() ? ck_context_error(context) : text;
    }
    struct free {
        void operator()(ck_context *context) const { ck_context_free(context); }
    };
    std::unique_ptr<ck_context, free> context_;
};

class device {
  public:
    explicit device(const context &context, const char *name = "auto",
                    const ck_device_options *options = nullptr)
        : context_(context.get())
    {
        ck_device *opened = nullptr;
        context.check(ck_device_open(&opened, context.get(), name, options));
        device_.reset(opened);
    }
    ck_device *get() const noexcept { return device_.get(); }
    ck_context *context_handle() const noexcept { return context_; }
    const ck_device_info &info() const noexcept { return *ck_device_get_info(device_.get()); }
    void synchronize() const { context::check(context_, ck_device_synchronize(device_.get())); }

  private:
    struct free {
        void operator()(ck_device *device) const { ck_device_free(device); }
    };
    ck_context *context_;
    std::unique_ptr<ck_device, free> device_;
};

/* `size` elements of device memory. */
template <class T> class buffer {
  public:
    buffer(const device &device, std::size_t size) : context_(device.context_handle()), size_(size)
    {
        ck_buffer *made = nullptr;
        context::check(context_, ck_buffer_new(&made, device.get(), size * sizeof(T)));
        buffer_.reset(made);
    }
    /* With a copy of the elements. */
    buffer(const device &device, std::span<const T> from) : buffer(device, from.size())
    {
        write(from);
    }
    std::size_t size() const noexcept { return size_; }
    ck_buffer *get() const noexcept { return buffer_.get(); }
    void write(std::span<const T> from, std::size_t first = 0)
    {
        context::check(context_, ck_buffer_write(buffer_.get(), first * sizeof(T), from.data(),
                                                 from.size_bytes()));
    }
    /* Waits for the launches before it in the default stream. */
    void read(std::span<T> to, std::size_t first = 0) const
    {
        context::check(context_, ck_buffer_read(buffer_.get(), first * sizeof(T), to.data(),
                                                to.size_bytes()));
    }
    std::vector<T> read() const
    {
        std::vector<T> elements(size_);
        read(elements);
        return elements;
    }
    /* As an argument with these extents, in C order; without any, of one dimension. */
    template <class... Extents> ck_array array(Extents... extents) const
    {
        constexpr int n = sizeof...(extents) ? sizeof...(extents) : 1;
        static_assert(n <= CK_MAX_DIMS, "an array has at most CK_MAX_DIMS dimensions");
        ck_array array{ck_buffer_address(buffer_.get()), dtype_of<T>(), n, {}, {}};
        std::int64_t all[] = {static_cast<std::int64_t>(extents)..., 0};
        if (sizeof...(extents) == 0)
            all[0] = static_cast<std::int64_t>(size_);
        std::int64_t stride = sizeof(T);
        for (int i = n - 1; i >= 0; i--) {
            array.shape[i] = all[i];
            array.strides[i] = stride;
            stride *= all[i];
        }
        if (stride > static_cast<std::int64_t>(size_ * sizeof(T)))
            throw error(CK_ERROR_ARGUMENT, "an array that is larger than its buffer");
        return array;
    }

  private:
    struct free {
        void operator()(ck_buffer *buffer) const { ck_buffer_free(buffer); }
    };
    ck_context *context_;
    std::size_t size_;
    std::unique_ptr<ck_buffer, free> buffer_;
};

/* Kernels, compiled or prebuilt. */
class program {
  public:
    /* Of source; it needs libck. */
    static program compile(const context &context, std::string_view source,
                          const ck_compile_options *options = nullptr)
    {
        ck_module *made = nullptr;
        context.check(ck_compile(&made, context.get(), source.data(), source.size(), options));
        return program(made);
    }
    /* Of PTX that ckc wrote. */
    static program load(const context &context, std::string_view image)
    {
        ck_module *made = nullptr;
        context.check(ck_module_load(&made, context.get(), image.data(), image.size()));
        return program(made);
    }
    ck_module *get() const noexcept { return module_.get(); }

  private:
    explicit program(ck_module *made) : module_(made) {}
    struct free {
        void operator()(ck_module *module) const { ck_module_free(module); }
    };
    std::unique_ptr<ck_module, free> module_;
};

/* Blocks of a grid, or threads of a block: a number, or up to three in braces. */
struct dim {
    std::uint32_t x, y, z;
    constexpr dim(std::uint32_t x_, std::uint32_t y_ = 1, std::uint32_t z_ = 1) noexcept
        : x(x_), y(y_), z(z_) {}
    constexpr operator ck_dim3() const noexcept { return {x, y, z}; }
};

/* A kernel of a program on a device, which own it. */
class kernel {
  public:
    kernel(const program &program, const device &device, const char *name)
        : context_(device.context_handle())
    {
        context::check(context_, ck_kernel_get(&kernel_, program.get(), device.get(), name));
    }
    ck_kernel *get() const noexcept { return kernel_; }
    /* Arguments are numbers, buffers and ck_arrays. */
    template <class... Args> void launch(dim grid, dim block, const Args &...args) const
    {
        launch(ck_shape{grid, block, 0, {0, 0, 0}}, nullptr, args...);
    }
    template <class... Args>
    void launch(const ck_shape &shape, void *stream, const Args &...args) const
    {
        constexpr std::size_t n = sizeof...(args);
        ck_array arrays[n + 1];
        ck_arg all[n + 1];
        std::size_t i = 0;
        ((all[i] = argument(arrays[i], args), i++), ...);
        context::check(context_, ck_launch(kernel_, &shape, all, n, stream));
    }

  private:
    static ck_arg argument(ck_array &, const ck_array &array)
    {
        ck_arg arg{};
        arg.value.array = &array;
        return arg;
    }
    template <class T> static ck_arg argument(ck_array &array, const buffer<T> &buffer)
    {
        array = buffer.array();
        return argument(array, array);
    }
    template <class T> static ck_arg argument(ck_array &, const std::complex<T> &z)
    {
        ck_arg arg{};
        arg.scalar = dtype_of<std::complex<T>>();
        arg.value.c = {z.real(), z.imag()};
        return arg;
    }
    template <class T>
        requires std::is_arithmetic_v<T>
    static ck_arg argument(ck_array &, T number)
    {
        ck_arg arg{};
        arg.scalar = dtype_of<T>();
        if constexpr (std::is_floating_point_v<T>)
            arg.value.f = number;
        else if constexpr (std::is_signed_v<T> || std::is_same_v<T, bool>)
            arg.value.i = number;
        else
            arg.value.u = number;
        return arg;
    }

    ck_context *context_;
    ck_kernel *kernel_ = nullptr;
};

} // namespace ck

#endif
