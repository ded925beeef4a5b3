/* ZIP archives, as .npz files are: reading by the central directory, and writing without
 * compression, both with ZIP64's sizes (APPNOTE.TXT 6.3.10 of PKWARE). */
#ifndef ZIP_H
#define ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zip_member {
    char *name; /* owned */
    int method; /* 0: stored, 8: deflated */
    int flags;
    uint32_t crc;
    uint64_t packed, size; /* bytes in the archive, and unpacked */
    uint64_t offset;       /* of the local header */
};

struct zip_archive {
    int fd;
    uint64_t length;
    struct zip_member *members;
    size_t n;
};

/* Each returns NULL, or what is wrong: text that need not be freed. */
/* Reads the directory of an open file, which stays the caller's. */
const char *zip_open(struct zip_archive *out, int fd);
void zip_close(struct zip_archive *archive);
/* Writes a member, unpacked, to `to`. */
const char *zip_extract(const struct zip_archive *archive, const struct zip_member *member, int to);

/* An archive being written. */
struct zip_writer {
    int fd;
    uint64_t at;
    struct zip_member *members;
    size_t n;
};

/* Appends a member of two parts. False: errno has the reason. */
bool zip_add(struct zip_writer *writer, const char *name, const void *head, size_t head_length,
             const void *body, size_t body_length);
/* Writes the directory, and frees what the writer has. */
bool zip_finish(struct zip_writer *writer);
void zip_abandon(struct zip_writer *writer);

#endif
