/* ZIP archives. See zip.h. */
#include "zip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "../../common/tool.h"
#include "base/file.h"
#include "base/strbuf.h"

enum {
    LOCAL = 0x04034B50,
    CENTRAL = 0x02014B50,
    END = 0x06054B50,
    END_64 = 0x06064B50,
    LOCATOR_64 = 0x07064B50,
    LOCAL_BYTES = 30,
    CENTRAL_BYTES = 46,
    END_BYTES = 22,
    END_64_BYTES = 56,
    LOCATOR_64_BYTES = 20,
    MAX_COMMENT = 0xFFFF,
    EXTRA_64 = 1,    /* the identifier of an extra field with 64-bit sizes */
    VERSION_64 = 45, /* needed to extract archives with ZIP64 */
    ENCRYPTED = 1,
    DEFLATED = 8,
    FIRST_DAY = 0x21, /* 1980-01-01: an archive has no time of its own */
    CHUNK = 1 << 18
};

static const char damaged[] = "a damaged archive";

/* --- Numbers -----------------------------------------------------------------------------------
 */

static uint64_t
get(const unsigned char *bytes, int n)
{
    uint64_t value = 0;
    while (n--)
        value = value << 8 | bytes[n];
    return value;
}

static void
put(struct ck_strbuf *out, uint64_t value, int n)
{
    for (; n > 0; n--, value >>= 8)
        ck_strbuf_putc(out, (char)(value & 0xFF));
}

/* --- Reading -----------------------------------------------------------------------------------
 */

static bool
read_at(int fd, void *to, size_t bytes, uint64_t offset)
{
    char *at = to;
    while (bytes) {
        ssize_t n = pread(fd, at, bytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return true;
}

/* The place of the central directory, and how many members it has. */
struct directory {
    uint64_t offset, bytes, n;
};

static bool
read_end_64(const struct zip_archive *a, uint64_t end, struct directory *out)
{
    unsigned char locator[LOCATOR_64_BYTES], record[END_64_BYTES];
    if (end < LOCATOR_64_BYTES || !read_at(a->fd, locator, sizeof locator, end - sizeof locator) ||
        get(locator, 4) != LOCATOR_64)
        return false;
    if (!read_at(a->fd, record, sizeof record, get(locator + 8, 8)) || get(record, 4) != END_64)
        return false;
    *out = (struct directory){get(record + 48, 8), get(record + 40, 8), get(record + 32, 8)};
    return true;
}

/* The end of the central directory is the last thing in the file but for a comment. */
static const char *
find_directory(const struct zip_archive *a, struct directory *out)
{
    uint64_t most = END_BYTES + MAX_COMMENT, n = a->length < most ? a->length : most;
    unsigned char *tail = tool_alloc((size_t)n);
    const char *fault = "no .npz file";
    if (n >= END_BYTES && read_at(a->fd, tail, (size_t)n, a->length - n)) {
        for (uint64_t at = n - END_BYTES + 1; at-- > 0 && fault;) {
            const unsigned char *end = tail + at;
            if (get(end, 4) != END || get(end + 20, 2) != n - END_BYTES - at)
                continue;
            *out = (struct directory){get(end + 16, 4), get(end + 12, 4), get(end + 10, 2)};
            bool is_64 = out->offset == UINT32_MAX || out->bytes == UINT32_MAX || out->n == 0xFFFF;
            fault = is_64 && !read_end_64(a, a->length - n + at, out) ? damaged : NULL;
        }
    }
    free(tail);
    return fault;
}

/* The sizes that do not fit in 32 bits, in the order in which the header says that they do not. */
static bool
read_extra(struct zip_member *m, const unsigned char *extra, size_t length)
{
    uint64_t *values[] = {&m->size, &m->packed, &m->offset};
    while (length >= 4) {
        size_t id = (size_t)get(extra, 2), bytes = (size_t)get(extra + 2, 2);
        const unsigned char *at = extra + 4;
        if (bytes > length - 4)
            return false;
        for (int i = 0; i < 3 && id == EXTRA_64; i++) {
            if (*values[i] != UINT32_MAX)
                continue;
            if (at + 8 > extra + 4 + bytes)
                return false;
            *values[i] = get(at, 8);
            at += 8;
        }
        extra += 4 + bytes;
        length -= 4 + bytes;
    }
    return true;
}

/* Reads a member's entry. Returns its length, or 0 if it is damaged. */
static size_t
read_entry(struct zip_archive *a, const unsigned char *at, size_t left)
{
    if (left < CENTRAL_BYTES || get(at, 4) != CENTRAL)
        return 0;
    size_t name = (size_t)get(at + 28, 2), extra = (size_t)get(at + 30, 2);
    size_t whole = CENTRAL_BYTES + name + extra + (size_t)get(at + 32, 2);
    struct zip_member m = {
        .flags = (int)get(at + 8, 2),
        .method = (int)get(at + 10, 2),
        .crc = (uint32_t)get(at + 16, 4),
        .packed = get(at + 20, 4),
        .size = get(at + 24, 4),
        .offset = get(at + 42, 4),
    };
    if (whole > left || !read_extra(&m, at + CENTRAL_BYTES + name, extra))
        return 0;
    m.name = tool_strndup((const char *)at + CENTRAL_BYTES, name);
    a->members = tool_grow(a->members, a->n + 1, sizeof *a->members);
    a->members[a->n++] = m;
    return whole;
}

const char *
zip_open(struct zip_archive *out, int fd)
{
    struct stat info;
    struct directory directory = {0};
    *out = (struct zip_archive){.fd = fd};
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return "not a regular file";
    out->length = (uint64_t)info.st_size;
    const char *fault = find_directory(out, &directory);
    if (fault)
        return fault;
    if (directory.offset > out->length || directory.bytes > out->length - directory.offset)
        return damaged;
    unsigned char *bytes = tool_alloc((size_t)directory.bytes);
    size_t at = 0, left = (size_t)directory.bytes;
    bool fine = read_at(fd, bytes, left, directory.offset);
    for (uint64_t i = 0; i < directory.n && fine; i++) {
        size_t length = read_entry(out, bytes + at, left);
        fine = length > 0;
        at += length;
        left -= length;
    }
    free(bytes);
    return fine ? NULL : damaged;
}

void
zip_close(struct zip_archive *archive)
{
    for (size_t i = 0; i < archive->n; i++)
        free(archive->members[i].name);
    free(archive->members);
    *archive = (struct zip_archive){0};
}

/* A member being unpacked: its bytes pass through here one chunk after the other. */
struct extraction {
    int to;
    uint64_t written;
    uLong crc;
};

static bool
pass_on(struct extraction *e, const void *bytes, size_t n)
{
    e->crc = crc32(e->crc, bytes, (uInt)n);
    e->written += n;
    return ck_file_write(e->to, bytes, n);
}

/* Inflates a chunk. Returns zlib's status. */
static int
inflate_chunk(struct extraction *e, z_stream *z, unsigned char *in, size_t n, uint64_t most)
{
    unsigned char *out = tool_alloc(CHUNK);
    int status = Z_OK;
    z->next_in = in;
    z->avail_in = (uInt)n;
    do {
        z->next_out = out;
        z->avail_out = CHUNK;
        status = inflate(z, Z_NO_FLUSH);
        size_t made = CHUNK - z->avail_out;
        if (made > most - e->written || !pass_on(e, out, made))
            status = Z_DATA_ERROR;
    } while (status == Z_OK && (z->avail_in || !z->avail_out));
    free(out);
    return status;
}

static bool
copy_member(const struct zip_archive *a, const struct zip_member *m, uint64_t at,
            struct extraction *e, z_stream *z)
{
    unsigned char *chunk = tool_alloc(CHUNK);
    int status = Z_OK;
    bool fine = true;
    for (uint64_t left = m->packed; left && fine && status == Z_OK;) {
        size_t n = left < CHUNK ? (size_t)left : CHUNK;
        fine = read_at(a->fd, chunk, n, at);
        if (fine && z)
            status = inflate_chunk(e, z, chunk, n, m->size);
        else if (fine)
            fine = n <= m->size - e->written && pass_on(e, chunk, n);
        at += n;
        left -= n;
        fine =
            fine && (status == Z_OK || (status == Z_STREAM_END && !left) || status == Z_BUF_ERROR);
        status = status == Z_BUF_ERROR ? Z_OK : status;
    }
    free(chunk);
    return fine;
}

const char *
zip_extract(const struct zip_archive *a, const struct zip_member *m, int to)
{
    unsigned char local[LOCAL_BYTES];
    struct extraction e = {.to = to, .crc = crc32(0, NULL, 0)};
    z_stream z = {0};
    if (m->flags & ENCRYPTED)
        return "an encrypted archive";
    if (m->method != 0 && m->method != DEFLATED)
        return "compressed by a method other than deflate";
    if (!read_at(a->fd, local, sizeof local, m->offset) || get(local, 4) != LOCAL)
        return damaged;
    uint64_t at = m->offset + LOCAL_BYTES + get(local + 26, 2) + get(local + 28, 2);
    if (at > a->length || m->packed > a->length - at)
        return damaged;
    bool deflated = m->method == DEFLATED;
    if (deflated && inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return "out of memory";
    bool fine = copy_member(a, m, at, &e, deflated ? &z : NULL);
    if (deflated)
        inflateEnd(&z);
    return fine && e.written == m->size && e.crc == m->crc ? NULL : damaged;
}

/* --- Writing -----------------------------------------------------------------------------------
 */

static bool
write_out(struct zip_writer *w, struct ck_strbuf *buffer)
{
    bool done = !buffer->failed && ck_file_write(w->fd, ck_strbuf_text(buffer), buffer->length);
    w->at += buffer->length;
    ck_strbuf_free(buffer);
    return done;
}

/* What a local header and a directory's entry share, from the version needed on; `size` is that of
 * 32 bits, all of them set if an extra field has it. */
static void
put_common(struct ck_strbuf *out, const struct zip_member *m, uint64_t size, size_t extra)
{
    put(out, VERSION_64, 2);
    put(out, 0, 2 + 2 + 2); /* flags, method, time */
    put(out, FIRST_DAY, 2);
    put(out, m->crc, 4);
    put(out, size, 4);
    put(out, size, 4);
    put(out, strlen(m->name), 2);
    put(out, extra, 2);
}

bool
zip_add(struct zip_writer *w, const char *name, const void *head, size_t head_length,
        const void *body, size_t body_length)
{
    enum { EXTRA = 20 };
    struct ck_strbuf out;
    uint64_t size = (uint64_t)head_length + body_length;
    uLong crc = crc32_z(crc32(0, NULL, 0), head, head_length);
    struct zip_member m = {
        .name = tool_strndup(name, strlen(name)),
        .crc = (uint32_t)(body_length ? crc32_z(crc, body, body_length) : crc),
        .packed = size,
        .size = size,
        .offset = w->at,
    };
    w->members = tool_grow(w->members, w->n + 1, sizeof *w->members);
    w->members[w->n++] = m;
    ck_strbuf_init(&out);
    put(&out, LOCAL, 4);
    put_common(&out, &m, UINT32_MAX, EXTRA);
    ck_strbuf_puts(&out, name);
    put(&out, EXTRA_64, 2);
    put(&out, EXTRA - 4, 2);
    put(&out, size, 8);
    put(&out, size, 8);
    if (!write_out(w, &out) || !ck_file_write(w->fd, head, head_length) ||
        !ck_file_write(w->fd, body, body_length))
        return false;
    w->at += size;
    return true;
}

static void
put_entry(struct ck_strbuf *out, const struct zip_member *m)
{
    enum { EXTRA = 28 };
    bool is_large = m->size >= UINT32_MAX || m->offset >= UINT32_MAX;
    put(out, CENTRAL, 4);
    put(out, VERSION_64, 2); /* made by */
    put_common(out, m, is_large ? UINT32_MAX : m->size, is_large ? EXTRA : 0);
    put(out, 0, 2 + 2 + 2 + 4); /* comment, disk, attributes */
    put(out, is_large ? UINT32_MAX : m->offset, 4);
    ck_strbuf_puts(out, m->name);
    if (!is_large)
        return;
    put(out, EXTRA_64, 2);
    put(out, EXTRA - 4, 2);
    put(out, m->size, 8);
    put(out, m->packed, 8);
    put(out, m->offset, 8);
}

static void
put_end_64(struct ck_strbuf *out, uint64_t n, uint64_t bytes, uint64_t offset)
{
    put(out, END_64, 4);
    put(out, END_64_BYTES - 12, 8);
    put(out, VERSION_64, 2);
    put(out, VERSION_64, 2);
    put(out, 0, 4 + 4); /* disks */
    put(out, n, 8);
    put(out, n, 8);
    put(out, bytes, 8);
    put(out, offset, 8);
    put(out, LOCATOR_64, 4);
    put(out, 0, 4);
    put(out, offset + bytes, 8);
    put(out, 1, 4);
}

static void
put_end(struct ck_strbuf *out, uint64_t n, uint64_t bytes, uint64_t offset)
{
    bool is_large = n >= 0xFFFF || bytes >= UINT32_MAX || offset >= UINT32_MAX;
    if (is_large)
        put_end_64(out, n, bytes, offset);
    put(out, END, 4);
    put(out, 0, 4); /* disks */
    put(out, is_large ? 0xFFFF : n, 2);
    put(out, is_large ? 0xFFFF : n, 2);
    put(out, is_large ? UINT32_MAX : bytes, 4);
    put(out, is_large ? UINT32_MAX : offset, 4);
    put(out, 0, 2);
}

bool
zip_finish(struct zip_writer *w)
{
    struct ck_strbuf out;
    uint64_t offset = w->at;
    ck_strbuf_init(&out);
    for (size_t i = 0; i < w->n; i++)
        put_entry(&out, &w->members[i]);
    put_end(&out, w->n, out.length, offset);
    bool done = write_out(w, &out);
    zip_abandon(w);
    return done;
}

void
zip_abandon(struct zip_writer *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->members[i].name);
    free(w->members);
    w->members = NULL;
    w->n = 0;
}
