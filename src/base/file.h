/* Writing files completely: the steps that every writer of ck shares. */
#ifndef CK_FILE_H
#define CK_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Writes all bytes, also when signals interrupt it. On failure returns false, with the reason in
 * errno. */
bool ck_file_write(int fd, const void *bytes, size_t length);

/* Waits until the file's content is on the disk. A file system that reports that it cannot do this
 * counts as success. False: errno has the reason. */
bool ck_file_sync(int fd);

/* Creates a new file in the folder of `path`, to be renamed to `path` when it is complete. `name`
 * receives its name, whose length does not depend on the length of `path`'s last component. Returns
 * the open file, or -1 with the reason in errno. */
int ck_file_create_beside(struct ck_strbuf *name, const char *path);

#endif
