/* ckrun: runs kernels on arrays described on the command line. README.md has the files. */
#ifndef CKRUN_H
#define CKRUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../common/tool.h"
#include "base/date_text.h"
#include "base/strbuf.h"

__extension__ typedef __int128 ckrun_int; /* holds every int64 and uint64 exactly */

/* --- Values ------------------------------------------------------------------------------------
 */

enum ckrun_kind {
    CKRUN_NONE,    /* None, _ */
    CKRUN_DEFAULT, /* no expression: the default value of a kernel's parameter */
    CKRUN_BOOL,    /* `i` is 0 or 1 */
    CKRUN_INT,
    CKRUN_FLOAT,
    CKRUN_COMPLEX,
    CKRUN_TUPLE, /* of numbers, arrays and tuples; of integers: a shape */
    CKRUN_ARRAY,
    CKRUN_ADDRESS, /* of an array on the device, where a launch's argument is made; dtype uint64 */
    CKRUN_DTYPE,
    CKRUN_STRING,
    CKRUN_MAX /* the largest grid, in a grid's place */
};

/* An array on the host, and its copy on the device if there is one. */
struct ckrun_array {
    ck_npy host;       /* `data` is owned; of a view, a copy in C order */
    ck_buffer *buffer; /* NULL of a view */
    /* Of a view: the array whose memory it shares, which is no view; and, in bytes, where its first
     * element is there, and the strides of its dimensions. */
    struct ckrun_array *base;
    int64_t offset;
    int64_t strides[CK_MAX_DIMS];
    bool is_kept;             /* when the environment is trimmed */
    bool is_read;             /* by the condition of `until` that is being parsed */
    bool is_unset;            /* made by `empty`: its values are not copied to the device */
    const char *global;       /* its name in the module, if it is the module's; of the module */
    bool is_on_device;        /* of the module's: its values are there */
    bool is_given;            /* likewise: the command line has its values */
    bool is_in_image;         /* likewise: its first values are in the image, and not known */
    struct ckrun_array *next; /* all arrays of an environment */
};

struct ckrun_value {
    enum ckrun_kind kind;
    ck_dtype
        dtype; /* of a number: the dtype of its cast, or CK_DTYPE_NONE; DTYPE: the dtype itself */
    union {
        const ck_record *record; /* DTYPE: of CK_RECORD; of the environment */
        ckrun_int i;
        struct {
            double f;  /* COMPLEX: the real part */
            double im; /* COMPLEX */
        };
        struct {
            struct ckrun_value *items; /* of the environment */
            int n;
        } tuple;
        struct ckrun_array *array; /* ARRAY, ADDRESS */
        struct {
            const char *text; /* in the expression */
            size_t length;
        } string;
    };
};

/* A real number. */
static inline bool
ckrun_is_number(const struct ckrun_value *v)
{
    return v->kind == CKRUN_BOOL || v->kind == CKRUN_INT || v->kind == CKRUN_FLOAT;
}

static inline bool
ckrun_is_any_number(const struct ckrun_value *v)
{
    return ckrun_is_number(v) || v->kind == CKRUN_COMPLEX;
}

static inline bool
ckrun_has_array(const struct ckrun_value *v)
{
    return v->kind == CKRUN_ARRAY || v->kind == CKRUN_ADDRESS;
}

/* A real number as a float; a complex number's real part. */
double ckrun_as_float(const struct ckrun_value *v);
/* "an integer", "an array", "a tuple": for messages. */
const char *ckrun_kind_text(enum ckrun_kind kind);

/* NAME=VALUE of the command line. */
struct ckrun_name {
    char *name;
    struct ckrun_value value;
    const char *text; /* VALUE, as written */
    bool is_file;     /* `@FILE` */
    bool used;
};

/* A tuple's items. */
struct ckrun_items {
    struct ckrun_items *next;
    struct ckrun_value items[];
};

/* A record type. */
struct ckrun_records {
    struct ckrun_records *next;
    ck_record *record;
};

struct ckrun_env {
    struct ckrun_records *records; /* every record type made; owned */
    struct ckrun_items *tuples;    /* of every tuple made; owned */
    struct ckrun_name *names;
    size_t n_names;
    struct ckrun_array *arrays; /* every array made; owned */
    char **inputs;              /* the files read, owned */
    size_t n_inputs;
    uint64_t n_unseeded; /* arrays of random numbers without a seed */
    ck_context *ctx;     /* for reading files */
};

/* A tuple of copies of the items. */
struct ckrun_value ckrun_tuple_new(struct ckrun_env *env, const struct ckrun_value *items, int n);
struct ckrun_value ckrun_shape_value(struct ckrun_env *env, const ck_npy *array);
/* Reads a tuple of integers as a shape. Returns the number of dimensions, or -1 with the reason in
 * `*why`. */
int ckrun_shape_items(ckrun_int shape[CK_MAX_DIMS], const struct ckrun_value *tuple,
                      const char **why);
struct ckrun_name *ckrun_find(const struct ckrun_env *env, const char *name, size_t length);
/* Whether the array was made after `newest`. */
bool ckrun_is_new_array(const struct ckrun_env *env, const struct ckrun_array *newest,
                        const struct ckrun_array *array);
/* Whether the value is an array whose memory was made after `newest`, or a tuple that has one. */
bool ckrun_has_new_memory(const struct ckrun_env *env, const struct ckrun_array *newest,
                          const struct ckrun_value *v);
/* Makes ckrun_env_trim keep the arrays of the value, and those whose memory they share. */
void ckrun_keep(const struct ckrun_value *v);
/* Frees the arrays that were made after `newest` and that nothing keeps. */
void ckrun_env_trim(struct ckrun_env *env, const struct ckrun_array *newest);
/* Notes a file that was read, which no save may overwrite. */
void ckrun_add_input(struct ckrun_env *env, const char *path, size_t length);
void ckrun_env_release(struct ckrun_env *env);

/* --- Arrays ------------------------------------------------------------------------------------
 */

/* A zeroed array owned by `env`. On failure returns NULL, with the reason (too large, no memory) in
 * `*error`, to be freed. */
struct ckrun_array *ckrun_array_new(struct ckrun_env *env, ck_dtype dtype, int ndim,
                                    const int64_t *shape, bool fortran_order, char **error);
/* The same, of records. */
struct ckrun_array *ckrun_record_array_new(struct ckrun_env *env, const ck_record *record, int ndim,
                                           const int64_t *shape, bool fortran_order, char **error);
/* An array like the other, of the same records if it has such. */
struct ckrun_array *ckrun_array_new_of(struct ckrun_env *env, const ck_npy *like, int ndim,
                                       const int64_t *shape, bool fortran_order, char **error);
/* Copies an element as it is between arrays of the same dtype. */
void ckrun_copy_element(ck_npy *to, int64_t to_offset, const ck_npy *from, int64_t from_offset);
/* Takes ownership of an array from ck_npy_read. */
struct ckrun_array *ckrun_array_adopt(struct ckrun_env *env, const ck_npy *host);

/* The array that has the memory: of a view its base, else the array itself. */
struct ckrun_array *ckrun_base(const struct ckrun_array *array);
/* In bytes. */
void ckrun_strides(const struct ckrun_array *array, int64_t strides[CK_MAX_DIMS]);
bool ckrun_is_c_contiguous(const struct ckrun_array *array);
/* Copies a view's elements from those of its base, on the host. */
void ckrun_refresh_view(struct ckrun_array *view);

/* Bytes of main memory. Allocations far above it succeed on Linux and fail only when used. */
uint64_t ckrun_machine_memory(void);

int64_t ckrun_count(const ck_npy *array);
/* Position in memory, in elements, of an element whose indices are given. */
int64_t ckrun_offset(const ck_npy *array, const int64_t *index);
/* Steps `index` to the next element in C order; false after the last. */
bool ckrun_next_index(const ck_npy *array, int64_t *index);
/* "y[3, 4]": to be freed. */
char *ckrun_element_name(const char *name, const ck_npy *array, const int64_t *index);
/* "(1024, 1024)", "(3,)", "()": to be freed. */
char *ckrun_shape_text(int ndim, const int64_t *shape);

/* One element, or one scalar argument. */
struct ckrun_element {
    ck_dtype dtype;
    ckrun_int i; /* bool and integers */
    double re;   /* floats, complex */
    double im;
};

/* Of dates and times, whose elements are held as integers. */
static inline bool
ckrun_is_date_dtype(ck_dtype dtype)
{
    return dtype >= CK_DATETIME64_Y && dtype <= CK_TIMEDELTA64;
}

/* Of elements that are held as integers. */
static inline bool
ckrun_is_int_dtype(ck_dtype dtype)
{
    return (dtype >= CK_BOOL && dtype <= CK_UINT64) || ckrun_is_date_dtype(dtype);
}

static inline bool
ckrun_is_complex_dtype(ck_dtype dtype)
{
    return dtype == CK_COMPLEX64 || dtype == CK_COMPLEX128;
}

/* The dtype of NumPy's array of the number. */
ck_dtype ckrun_plain_dtype(const struct ckrun_value *v);
/* The element as a number that has its dtype. */
struct ckrun_value ckrun_number_of(const struct ckrun_element *e);
struct ckrun_element ckrun_load(const ck_npy *array, int64_t offset);
void ckrun_store(ck_npy *array, int64_t offset, const struct ckrun_element *element);
/* The least and greatest value of an integer dtype (bool: 0 and 1). */
void ckrun_int_range(ck_dtype dtype, ckrun_int *least, ckrun_int *greatest);
/* `x` as the nearest value of a float dtype (the type of a complex one's parts). */
double ckrun_round_to(ck_dtype dtype, double x);
/* A number as an element of `dtype`, as NumPy assigns it: floats lose their fraction to an integer
 * type. If it does not fit, returns false with the reason in `*error`, to be freed. */
bool ckrun_convert(struct ckrun_element *out, ck_dtype dtype, const struct ckrun_value *v,
                   char **error);

enum { CKRUN_INT_TEXT = 48 };
const char *ckrun_int_text(char buffer[CKRUN_INT_TEXT], ckrun_int i);

/* --- Expressions -------------------------------------------------------------------------------
 */

/* An expression being evaluated. The parser keeps the first error and then ends quickly. */
struct ckrun_parser {
    struct ckrun_env *env;
    const char *text; /* all of it, for the message */
    const char *at;
    int depth;
    char *error; /* owned; NULL: none */
    const char *error_at;
    bool failed_read; /* the error is a file's, and its message is printed */
};

void ckrun_parse_begin(struct ckrun_parser *p, struct ckrun_env *env, const char *text);
/* Reports the error, if there was one, with the expression and a caret; true if there was none. */
bool ckrun_parse_end(struct ckrun_parser *p);
void ckrun_parse_fail(struct ckrun_parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a complete message, which it frees. */
void ckrun_parse_fail_text(struct ckrun_parser *p, const char *at, char *message);

struct ckrun_value ckrun_parse_expression(struct ckrun_parser *p);
/* Consumes `c` and the space around it if it comes next; returns whether it did. */
bool ckrun_parse_accept(struct ckrun_parser *p, char c);
void ckrun_parse_expect(struct ckrun_parser *p, char c);
/* The length of the name at `p->at`; 0: there is none. */
size_t ckrun_parse_name(const struct ckrun_parser *p);
/* The length of the keyword of an argument that comes next; 0: it is positional. */
size_t ckrun_keyword_length(const struct ckrun_parser *p);

/* The function called `name`: evaluates the call, `p->at` being after its `(`. Returns false if
 * there is no such function. */
bool ckrun_call(struct ckrun_parser *p, const char *name, size_t length, const char *at,
                struct ckrun_value *out);
bool ckrun_is_function(const char *name, size_t length);
/* Reports that there is no such function. */
void ckrun_fail_function(struct ckrun_parser *p, const char *name, size_t length);
/* Reads a list of numbers or lists, from its `[` at `p->at`, as an array. */
struct ckrun_value ckrun_parse_list(struct ckrun_parser *p);
/* A copy of an array's elements, in C order, as another dtype and with another shape of as many. */
struct ckrun_value ckrun_array_as(struct ckrun_parser *p, const char *at, const ck_npy *from,
                                  ck_dtype dtype, int ndim, const int64_t *shape);
/* The method called `name`, `p->at` being after the name. Returns false if there is no such
 * method. */
bool ckrun_method(struct ckrun_parser *p, const char *name, size_t length,
                  const struct ckrun_array *of, struct ckrun_value *out);
/* The types `record(x=float32)` and `dtype([("x", float32)])`, `p->at` being after the `(`, and the
 * name at `at`. */
struct ckrun_value ckrun_parse_record(struct ckrun_parser *p, const char *at);
struct ckrun_value ckrun_parse_dtype(struct ckrun_parser *p, const char *at);
/* A dtype, or a string that names one. False: the value is another. */
bool ckrun_take_dtype(const struct ckrun_value *v, ck_dtype *dtype, const ck_record **record);
/* An array of records, each from a tuple. */
struct ckrun_value ckrun_records_of(struct ckrun_parser *p, const char *at,
                                    const struct ckrun_value *rows, const ck_record *record);
/* `n` states of Numba's random numbers, after the first `skipped` that follow from the seed. NULL,
 * with the reason in `*error`, as of ckrun_array_new. */
struct ckrun_array *ckrun_random_states(struct ckrun_env *env, int64_t n, uint64_t seed,
                                        uint64_t skipped, char **error);
/* The field of an array's records; NULL: there is none of the name. */
const ck_field *ckrun_find_field(const ck_npy *array, const char *name, size_t length);
/* A copy of a field of all elements, whose dimensions come last, to be freed by ck_npy_free. False:
 * it would have too many dimensions. */
bool ckrun_copy_field(ck_npy *out, const ck_npy *array, const ck_field *field);
/* Whether a field, or one of a record in it, is a bool. */
bool ckrun_has_bools(const ck_record *record);
/* Whether the name has a meaning of its own in ckrun. */
bool ckrun_is_reserved(const char *name, size_t length);
/* The dtype of that name (Numba's and NumPy's names), or CK_DTYPE_NONE. */
ck_dtype ckrun_dtype_by_name(const char *name, size_t length);

/* Evaluates `NAME=VALUE` and adds it to `env`. Returns an exit status; the message is printed. */
int ckrun_define(struct ckrun_env *env, const char *text);

struct ckrun_argument {
    struct ckrun_value value;
    const char *at; /* in the launch's text, where its keyword begins if it has one; NULL: of
                       CKRUN_DEFAULT */
    char *keyword;  /* owned; NULL: by position */
};

struct ckrun_session;

/* KERNEL[GRID, BLOCK, STREAM, SHARED](ARG, ...), evaluated. */
struct ckrun_launch {
    const char *text; /* as written */
    char *kernel;     /* owned */
    bool grid_is_max;
    ck_dim3 grid; /* unless grid_is_max; zero where `_` was written */
    ck_dim3 block;
    uint32_t shared_bytes;
    ck_dim3 cluster;
    bool has_args;
    struct ckrun_argument *args; /* owned */
    size_t n_args;
};

/* Evaluates what --print prints, on the arrays as they are. False after a message. */
bool ckrun_parse_printed(struct ckrun_value *out, struct ckrun_env *env, const char *text);
/* Evaluates a number or an array, for --expect. False after a message. */
bool ckrun_parse_expected(struct ckrun_value *out, struct ckrun_env *env, const char *text);

/* False after a message. `query`: for --max-blocks, where the grid may be `_` and the arguments may
 * be missing. */
bool ckrun_parse_launch(struct ckrun_launch *out, struct ckrun_env *env, const char *text,
                        bool query);
void ckrun_launch_release(struct ckrun_launch *launch);
/* Puts the arguments in the order of the parameters, once the module is there. False after a
 * message. */
bool ckrun_place_arguments(const struct ckrun_session *session, struct ckrun_launch *launch);
/* The entry after a parameter and its items. */
int ckrun_after_param(const ck_kernel_desc *desc, int i);

/* --- Launches ----------------------------------------------------------------------------------
 */

/* What the command line has that a replay needs, as written. */
struct ckrun_invocation {
    const char *program, *file;
    const char *device, *math; /* NULL: not given */
    const char *const *compile_words, *const *launches, *const *definitions;
    size_t n_compile_words, n_definitions;
};

struct ckrun_session {
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
    struct ckrun_env *env;
    char **printed; /* diagnostics printed so far, and the keys of findings; owned */
    size_t n_printed;
    const char **kernels; /* of the launches and of --max-blocks, whose warnings count; owned */
    size_t n_kernels;     /* 0: all kernels' */
    struct ckrun_warning *warnings; /* held; owned */
    size_t n_warnings;
    struct tool_counts counts; /* of what was printed, and of findings that were not printed */
    const struct ckrun_invocation *invocation;
    char *schedule;              /* of the run, as --schedule has it; owned; NULL: on a GPU */
    unsigned checks;             /* of the run */
    size_t n_launched;           /* in this run: with the launch that runs */
    size_t check_limit;          /* 0: none */
    size_t n_findings, n_hidden; /* printed, and not printed */
    bool hides_more;             /* the library found more than it kept */
    bool has_findings;           /* of this run */
    struct ck_strbuf *json;      /* --json: the members of the answer; NULL: text */
    bool shows_progress;         /* --progress */
    int64_t progress_time;       /* of its last line, in milliseconds */
    bool compares;               /* arrays without values are zero, for comparisons */
};

/* Prints the context's errors that were not printed yet, and holds its warnings; of a launch, or
 * NULL. */
void ckrun_print_diagnostics(struct ckrun_session *session, const struct ckrun_launch *launch);
/* Keeps a copy of a warning of a launch (NULL: of the file) for ckrun_print_warnings, which prints
 * all that are held in the order of the lines. */
void ckrun_hold_warning(struct ckrun_session *session, const ck_diagnostic *diagnostic,
                        const char *launch);
void ckrun_print_warnings(struct ckrun_session *session);
void ckrun_drop_warnings(struct ckrun_session *session);
/* The line below a message that quotes its step, or its launch. */
void ckrun_print_step(const char *text);
void ckrun_print_launch(const struct ckrun_launch *launch);
void ckrun_print_replay(const char *command);
/* Prints the findings of a launch that were not printed yet, until the limit, and its replay. */
void ckrun_print_findings(struct ckrun_session *session, const struct ckrun_launch *launch);
/* Says how many findings were not printed. */
void ckrun_end_findings(const struct ckrun_session *session);

/* The values of --check (NULL: none was given) and --check-limit. Each returns TOOL_DONE, or
 * TOOL_USAGE after a message. */
int ckrun_set_checks(unsigned *checks, const char *value);
int ckrun_set_check_limit(size_t *limit, const char *value);
/* The checks to repeat a finding: some of the run's. */
unsigned ckrun_checks_of(const char *finding, unsigned checks);
/* "bounds,race"; "none": to be freed. */
char *ckrun_checks_text(unsigned checks);

/* The command that repeats the launches so far with these checks, and prints an array (NULL: none):
 * to be freed. */
char *ckrun_replay(const struct ckrun_session *session, unsigned checks, const char *print);

/* --schedule. */
struct ckrun_schedule {
    bool is_given;
    int n_all; /* > 0: so many schedules, one after the other */
    ck_schedule order;
    uint64_t seed;
};

/* Returns TOOL_DONE, or TOOL_USAGE after a message. */
int ckrun_set_schedule(struct ckrun_schedule *out, const char *value);
/* As --schedule has it: to be freed. */
char *ckrun_schedule_text(const struct ckrun_schedule *schedule);
/* Schedule `i` of --schedule all. */
struct ckrun_schedule ckrun_schedule_of_all(int i);

/* The arrays before the launches and after those of the first schedule. */
struct ckrun_comparison;
struct ckrun_comparison *ckrun_comparison_new(struct ckrun_session *session);
void ckrun_comparison_free(struct ckrun_comparison *comparison);
/* Restores the first values of every array, on the host alone. */
void ckrun_comparison_restart(struct ckrun_comparison *comparison);
/* Compares the arrays with those of the first schedule. False after a report. */
bool ckrun_comparison_add(struct ckrun_comparison *comparison);
void ckrun_note_agreement(int n);

/* Each returns an exit status; the message is printed. */
/* Compiles what the launch needs and checks its arguments. */
int ckrun_prepare(struct ckrun_session *session, const struct ckrun_launch *launch);
int ckrun_launch(struct ckrun_session *session, const struct ckrun_launch *launch);
/* Between these two calls, a fault of this process counts as the kernel's: ckrun prints a message
 * and exits. */
void ckrun_guard_begin(const char *kernel);
void ckrun_guard_end(void);
int ckrun_max_blocks(struct ckrun_session *session, const struct ckrun_launch *query);
/* Prints what the kernels of the launches use; without launches, those of all kernels. */
int ckrun_print_usage(struct ckrun_session *session, const struct ckrun_launch *launches, size_t n);
/* Makes the module's arrays names of the command line. False after a message. */
bool ckrun_add_globals(struct ckrun_session *session);
/* Copies the array whose memory a view has to the device, unless it is there. */
ck_status ckrun_upload(struct ckrun_session *session, struct ckrun_array *view);
/* Copies the values that the command line has for the module's arrays to the device, once. */
ck_status ckrun_upload_globals(struct ckrun_session *session);
/* The address of an argument of a launch, once it is on the device. False after a message. */
bool ckrun_find_address(const struct ckrun_session *session, const struct ckrun_launch *launch,
                        const struct ckrun_array *array, uint64_t *address);
/* Copies an array from the device, and these bytes to it, if it is there. */
ck_status ckrun_fetch_array(struct ckrun_session *session, struct ckrun_array *array);
ck_status ckrun_put_array(struct ckrun_session *session, struct ckrun_array *array,
                          const void *bytes);
/* The array is on no device any more. */
void ckrun_forget_device(struct ckrun_array *array);
/* Copies every array on the device back to the host. */
int ckrun_fetch(struct ckrun_session *session);

/* Reports a launch that failed. Returns an exit status. */
int ckrun_launch_failed(struct ckrun_session *session, const struct ckrun_launch *launch,
                        ck_status status);

/* A launch with its arguments on the device, to be made many times. On failure `*out` is NULL or to
 * be freed. */
struct ckrun_ready;
int ckrun_ready_new(struct ckrun_ready **out, struct ckrun_session *session,
                    const struct ckrun_launch *launch);
void ckrun_ready_free(struct ckrun_ready *ready);
/* Does not wait for the end. */
ck_status ckrun_ready_launch(const struct ckrun_ready *ready);
const ck_shape *ckrun_ready_shape(const struct ckrun_ready *ready);

/* --progress: a line on standard error. Of the steps of a stage only some are printed. */
void ckrun_progress(struct ckrun_session *session, bool is_stage, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --bench. */
struct ckrun_bench {
    bool is_given;
    uint64_t n; /* repetitions; 0: as many as fit in a second */
};

/* Returns TOOL_DONE, or TOOL_USAGE after a message. */
int ckrun_set_bench(struct ckrun_bench *out, const char *value);
/* The arrays before the launches, from which each repetition begins. */
struct ckrun_snapshot;
struct ckrun_snapshot *ckrun_snapshot_new(const struct ckrun_env *env);
void ckrun_snapshot_free(struct ckrun_snapshot *snapshot);
/* Times the steps, which have run once from the snapshot, and prints the figures. The arrays on the
 * host stay as they are. Returns an exit status. */
struct ckrun_program;
int ckrun_run_bench(struct ckrun_session *session, const struct ckrun_program *program,
                    struct ckrun_snapshot *snapshot, const struct ckrun_bench *bench);

/* --- Output ------------------------------------------------------------------------------------
 */

/* A line for each signature, and for each array of the module. */
void ckrun_list_module(const ck_module *module);
void ckrun_print_value(FILE *out, const struct ckrun_value *v);
/* "float32", or the text of a record type: to be freed. */
char *ckrun_dtype_text(ck_dtype dtype, const ck_record *record);
void ckrun_put_dtype(FILE *out, ck_dtype dtype, const ck_record *record);
/* One record a line. */
void ckrun_print_records(FILE *out, const ck_npy *array);

/* --json: members of the answer, appended. */
void ckrun_json_module(struct ck_strbuf *out, const ck_module *module);
void ckrun_json_device(struct ck_strbuf *out, const ck_device *device);
void ckrun_json_max_blocks(struct ck_strbuf *out, const struct ckrun_launch *query,
                           uint32_t blocks);
void ckrun_json_value(struct ck_strbuf *out, const struct ckrun_value *v);
/* A number, or [re,im]; a record: an object of its fields. */
void ckrun_json_element(struct ck_strbuf *out, const struct ckrun_element *e);
void ckrun_json_record(struct ck_strbuf *out, const ck_npy *array, int64_t offset);
/* `,"key":1.5`; null if it is not finite. */
void ckrun_json_float(struct ck_strbuf *out, const char *key, double value);
/* `,"key":[1,2,3]` */
void ckrun_json_dim3(struct ck_strbuf *out, const char *key, ck_dim3 dim);

/* A date or time without its unit: "2020-05-06", "5", "NaT". */
void ckrun_date_text(struct ck_strbuf *out, const struct ckrun_element *element);

enum { CKRUN_ELEMENT_TEXT = 96 };
/* As NumPy's str() of a scalar. */
const char *ckrun_element_text(char buffer[CKRUN_ELEMENT_TEXT],
                               const struct ckrun_element *element);

/* NAME=FILE of --save. */
struct ckrun_save {
    const char *path; /* FILE or FILE.npz:KEY */
    const char *name;
    const ck_npy *array;
};

/* Writes every array, or none. Returns an exit status; the message is printed. */
int ckrun_save_all(ck_context *ctx, const struct ckrun_save *saves, size_t n);

struct ckrun_tolerance {
    bool given; /* else: integers and bools are compared exactly */
    double relative, absolute;
};

/* What a comparison found. */
struct ckrun_errors {
    int64_t n_different;       /* elements that are not close enough */
    double absolute, relative; /* the largest ones; 0: none */
};

/* Compares with an array, or with a number for every element. False after a message with the first
 * differences. `what` names the expectation in messages. */
bool ckrun_expect_array(const char *name, const ck_npy *got, const ck_npy *want, const char *what,
                        struct ckrun_tolerance tolerance, struct ckrun_errors *errors);
/* The same, where the expected elements take the dtype of the array. */
bool ckrun_expect_converted(const char *name, const ck_npy *got, const ck_npy *want,
                            const char *what, struct ckrun_tolerance tolerance,
                            struct ckrun_errors *errors);
bool ckrun_expect_number(const char *name, const ck_npy *got, const struct ckrun_value *want,
                         const char *what, struct ckrun_tolerance tolerance,
                         struct ckrun_errors *errors);

#endif
