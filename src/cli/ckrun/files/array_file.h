/* Files that hold arrays, by their suffix: .npy, .npz, .csv, .png, .bin and .raw. */
#ifndef ARRAY_FILE_H
#define ARRAY_FILE_H

#include "../ckrun.h"

enum array_file { FILE_OTHER, FILE_NPY, FILE_NPZ, FILE_CSV, FILE_PNG, FILE_RAW };

/* The kind of file; a name without suffix is one of .npy. `FILE.npz:KEY` names an array in it. */
enum array_file ckrun_file_kind(const char *name);
/* The name without `:KEY`: to be freed. */
char *ckrun_file_path(const char *name);
/* The key of `FILE.npz:KEY`; NULL: none. */
const char *ckrun_file_key(const char *name);

/* Each returns an exit status; the message is printed. */
int ckrun_read_file(ck_npy *out, ck_context *ctx, const char *name);
/* The whole file as elements of one dimension, `count` of them (below 0: all); `record`: of
 * CK_RECORD. */
int ckrun_read_raw(ck_npy *out, const char *path, ck_dtype dtype, const ck_record *record,
                   int64_t count, int64_t offset);
/* Rows of numbers; `delimiter` 0 is white space. */
int ckrun_read_text(ck_npy *out, const char *path, ck_dtype dtype, char delimiter,
                    int64_t skipped_rows);

/* Whether a file of that name can hold the array. False after a message. */
bool ckrun_check_file(const char *name, const ck_npy *array);
/* The text of an array as .csv has it: to be freed. */
char *ckrun_csv_text(const ck_npy *array, size_t *length);

#endif
