/* Images in PNG, by libpng. See png_image.h. */
#include "png_image.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum {
    MOST_CHANNELS = 4,
    MOST_PER_BYTE = 1032, /* bytes that one byte of deflate's stands for (zlib's technical page) */
    MOST_PIXELS = INT32_MAX /* in a row or a column, by the format */
};

static bool
is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one;
}

/* --- Errors of libpng --------------------------------------------------------------------------
 */

/* A failure's reason. libpng's own are constant texts, which it may put together in its stack. */
struct fault {
    char text[128];
    int error; /* errno of a write; 0: another */
};

static void PNGCBAPI
fail(png_structp png, png_const_charp message)
{
    struct fault *fault = png_get_error_ptr(png);
    snprintf(fault->text, sizeof fault->text, "%s", message);
    png_longjmp(png, 1);
}

/* Of chunks that have no part in the pixels, such as a damaged colour profile. */
static void PNGCBAPI
ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* --- Reading -----------------------------------------------------------------------------------
 */

struct reader {
    const char *bytes;
    size_t length, at;
    png_structp png;
    png_infop info;
    struct fault fault;
    ck_npy image;
    png_bytep *rows; /* owned */
};

static void PNGCBAPI
read_bytes(png_structp png, png_bytep to, size_t n)
{
    struct reader *r = png_get_io_ptr(png);
    if (n > r->length - r->at)
        png_error(png, "the file ends before the image does");
    memcpy(to, r->bytes + r->at, n);
    r->at += n;
}

/* Refuses what the file cannot have, so that a short one does not ask for much memory. */
static void
check_size(struct reader *r, png_uint_32 width, png_uint_32 height)
{
    uint64_t bits =
        (uint64_t)png_get_channels(r->png, r->info) * png_get_bit_depth(r->png, r->info) * width;
    uint64_t least = bits / 8; /* of a row */
    if (least > UINT64_MAX / 2 / height || least * height / MOST_PER_BYTE > r->length)
        png_error(r->png, "the file is too short for its size of image");
}

/* Asks libpng for one of the forms that arrays have. */
static void
set_form(struct reader *r)
{
    png_set_expand(r->png); /* palettes, transparent colours, fewer than 8 bits */
    if (png_get_bit_depth(r->png, r->info) == 16 && is_little_endian())
        png_set_swap(r->png);
    png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
}

static void
make_image(struct reader *r)
{
    const int64_t height = png_get_image_height(r->png, r->info);
    const int64_t width = png_get_image_width(r->png, r->info);
    const int channels = png_get_channels(r->png, r->info);
    const bool is_wide = png_get_bit_depth(r->png, r->info) == 16;
    const size_t row = png_get_rowbytes(r->png, r->info);
    r->image = (ck_npy){
        .dtype = is_wide ? CK_UINT16 : CK_UINT8,
        .ndim = channels == 1 ? 2 : 3,
        .shape = {height, width, channels},
    };
    if (__builtin_mul_overflow(row, (size_t)height, &r->image.bytes) ||
        r->image.bytes > ckrun_machine_memory() || !(r->image.data = malloc(r->image.bytes)) ||
        !(r->rows = calloc((size_t)height, sizeof *r->rows)))
        png_error(r->png, "the image does not fit in memory");
    for (int64_t i = 0; i < height; i++)
        r->rows[i] = (png_bytep)r->image.data + (size_t)i * row;
}

/* False: `fault` has the reason. */
static bool
read_image(struct reader *r)
{
    if (setjmp(png_jmpbuf(r->png)))
        return false;
    png_set_read_fn(r->png, r, read_bytes);
    png_set_user_limits(r->png, MOST_PIXELS, MOST_PIXELS);
    png_read_info(r->png, r->info);
    check_size(r, png_get_image_width(r->png, r->info), png_get_image_height(r->png, r->info));
    set_form(r);
    make_image(r);
    png_read_image(r->png, r->rows);
    png_read_end(r->png, NULL);
    return true;
}

int
ckrun_read_png(ck_npy *out, const char *path)
{
    char *text = NULL;
    struct reader r = {.fault.text = "out of memory"};
    if (!tool_read_file(path, &text, &r.length))
        return TOOL_FAILED;
    r.bytes = text;
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r.fault, fail, ignore_warning);
    r.info = r.png ? png_create_info_struct(r.png) : NULL;
    bool done = r.info && read_image(&r);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    free(r.rows);
    free(text);
    if (done) {
        *out = r.image;
        return TOOL_DONE;
    }
    ck_npy_free(&r.image);
    tool_error("cannot read `%s` as a .png file: %s", path, r.fault.text);
    return TOOL_FAILED;
}

/* --- Writing -----------------------------------------------------------------------------------
 */

const char *
ckrun_png_fault(const ck_npy *array)
{
    const int64_t channels = array->ndim == 3 ? array->shape[2] : 1;
    if (array->dtype != CK_UINT8 && array->dtype != CK_UINT16)
        return "has pixels of uint8 or uint16";
    if (array->ndim < 2 || array->ndim > 3 || channels < 1 || channels > MOST_CHANNELS)
        return "has the shape (height, width), or (height, width, channels) with 1 to 4 channels";
    if (array->shape[0] < 1 || array->shape[1] < 1)
        return "has one pixel or more";
    if (array->shape[0] > MOST_PIXELS || array->shape[1] > MOST_PIXELS)
        return "has at most 2**31 - 1 rows and columns";
    return NULL;
}

struct writer {
    int fd;
    png_structp png;
    png_infop info;
    struct fault fault;
};

static void PNGCBAPI
write_bytes(png_structp png, png_bytep from, size_t n)
{
    struct writer *w = png_get_io_ptr(png);
    if (ck_file_write(w->fd, from, n))
        return;
    w->fault.error = errno;
    png_error(png, "write error");
}

static void PNGCBAPI
flush_nothing(png_structp png)
{
    (void)png;
}

static bool
write_image(struct writer *w, const ck_npy *array, const unsigned char *data)
{
    static const int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(png_jmpbuf(w->png)))
        return false;
    const int64_t channels = array->ndim == 3 ? array->shape[2] : 1;
    const size_t row = array->bytes / (size_t)array->shape[0];
    png_set_write_fn(w->png, w, write_bytes, flush_nothing);
    png_set_user_limits(w->png, MOST_PIXELS, MOST_PIXELS);
    png_set_IHDR(w->png, w->info, (png_uint_32)array->shape[1], (png_uint_32)array->shape[0],
                 array->dtype == CK_UINT16 ? 16 : 8, types[channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(w->png, w->info);
    if (array->dtype == CK_UINT16 && is_little_endian())
        png_set_swap(w->png);
    for (int64_t i = 0; i < array->shape[0]; i++)
        png_write_row(w->png, data + (size_t)i * row);
    png_write_end(w->png, w->info);
    return true;
}

bool
ckrun_write_png(int fd, const ck_npy *array, const void *data)
{
    struct writer w = {.fd = fd, .fault.error = ENOMEM};
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w.fault, fail, ignore_warning);
    w.info = w.png ? png_create_info_struct(w.png) : NULL;
    bool done = w.info && write_image(&w, array, data);
    png_destroy_write_struct(&w.png, &w.info);
    if (!done)
        errno = w.fault.error;
    return done;
}
