/* The command line of ckc, as read, and what a run of it has. */
#ifndef CKC_H
#define CKC_H

#include "common/tool.h"

/* What becomes of PTX by CUDA's assembler. */
enum ckc_assembled { AS_IS, AS_CUBIN, AS_SASS };

struct ckc_emit_kind {
    const char *name;
    const char *suffix;
    ck_emit_kind kind;
    bool for_target; /* depends on -arch */
    bool of_files;   /* of the names of files: nothing is compiled */
    enum ckc_assembled assembled;
    bool as_c; /* embedded in C source */
};

/* The kinds of --emit, as emit_kinds.def has them. */
extern const struct ckc_emit_kind ckc_emit_kinds[];

enum { READ, CHECK, EMIT, WRITE, N_PHASES };
enum { MOST_THREADS = 1024 };

struct ckc_run {
    /* From the command line */
    const char *input; /* with `explains`, the name of a diagnostic */
    bool explains;
    const char *output; /* NULL: from the input's name */
    const struct ckc_emit_kind *emit;
    ck_compile_options compile;
    const char **sigs;         /* compile.sigs */
    const char **warnings_off; /* compile.warnings_off */
    const char **prefixes;     /* of --file-prefix-map */
    size_t n_prefixes;
    char *image_name; /* compile.image_name */
    const char *math;
    char *libdevice;          /* compile.libdevice */
    bool depfile;             /* -MD */
    const char *depfile_name; /* -MF; NULL: from the output's name */
    bool no_cache;
    bool check_only;
    bool werror;
    bool time;
    bool usage;
    int usage_threads; /* of a block; 0: a table of sizes */
    /* Of this run */
    char *source;
    size_t length;
    char arch[16]; /* of the GPU present */
    ck_context *ctx;
    ck_module *module;
    char *header, *cxx_header; /* of --emit=c, which lie beside the output */
    char *text;                /* the output */
    size_t text_length;
    double seconds[N_PHASES];
};

/* ckc_options.c: returns -1 to continue, else the exit status. */
int ckc_read_command_line(struct ckc_run *run, int argc, char **argv);

#endif
