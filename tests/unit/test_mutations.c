/* The run tests' kernels with a few tokens deleted, doubled, swapped or replaced: whatever comes
 * of it is compiled or refused with a message, in little time.
 *
 * CK_MUTATIONS=TRIALS[,SEED] tries more of them, CK_MUTATIONS_KEEP=FILE writes each text to FILE
 * before it is compiled, so that one that crashes is there to look at. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <ck/ck.h>

enum {
    MAX_FILES = 1024,
    MAX_TOKENS = 20000,
    MAX_CHANGES = 4,
    MAX_PARAMS = 16,
    DEFAULT_TRIALS = 3000,
    EMIT_EVERY = 4, /* of those that are right, this many times fewer become PTX: it takes longer */
    MOST_SECONDS = 20 /* of processor time for one text, with sanitizers on a slow machine too */
};

/* --- The texts ----------------------------------------------------------------------------------
 */

struct text {
    char *bytes;
    size_t length;
};

static struct text texts[MAX_FILES];
static size_t n_texts;

static int
read_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)place;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 3 || strcmp(path + length - 3, ".ck") != 0 ||
        n_texts == MAX_FILES)
        return 0;
    FILE *file = fopen(path, "rb");
    struct text *text = &texts[n_texts];
    text->bytes = malloc((size_t)status->st_size + 1);
    if (!file || !text->bytes)
        return 1;
    text->length = fread(text->bytes, 1, (size_t)status->st_size, file);
    fclose(file);
    n_texts++;
    return 0;
}

static int
by_bytes(const void *a, const void *b)
{
    const struct text *left = a, *right = b;
    size_t least = left->length < right->length ? left->length : right->length;
    int order = memcmp(left->bytes, right->bytes, least);
    return order ? order : (left->length > right->length) - (left->length < right->length);
}

static int
read_texts(void **state)
{
    (void)state;
    if (nftw("run", read_one, 16, FTW_PHYS) != 0 || n_texts < 10)
        return 1;
    qsort(texts, n_texts, sizeof texts[0], by_bytes); /* folders are read in any order */
    return 0;
}

static int
free_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_texts; i++)
        free(texts[i].bytes);
    return 0;
}

/* --- Mutations ----------------------------------------------------------------------------------
 */

static uint32_t
next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static int
is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Where the token ends: a word or number, a line end with the indentation behind it, or one sign,
 * with the blanks that follow. A comment is one token. */
static const char *
token_end(const char *at, const char *end)
{
    if (*at == '#')
        return memchr(at, '\n', (size_t)(end - at)) ? memchr(at, '\n', (size_t)(end - at)) : end;
    if (is_word(*at))
        while (at < end && is_word(*at))
            at++;
    else
        at++;
    while (at < end && *at == ' ')
        at++;
    return at;
}

struct tokens {
    struct text all[MAX_TOKENS];
    size_t n;
};

static void
split(struct tokens *tokens, const struct text *text)
{
    const char *at = text->bytes, *end = text->bytes + text->length;
    for (tokens->n = 0; at < end && tokens->n < MAX_TOKENS - MAX_CHANGES; tokens->n++) {
        const char *next = token_end(at, end);
        tokens->all[tokens->n] = (struct text){(char *)at, (size_t)(next - at)};
        at = next;
    }
}

static void
insert(struct tokens *tokens, size_t at, struct text token)
{
    memmove(&tokens->all[at + 1], &tokens->all[at], (tokens->n - at) * sizeof token);
    tokens->all[at] = token;
    tokens->n++;
}

static struct text
some_token(struct tokens *spare, uint32_t *seed)
{
    split(spare, &texts[next_random(seed) % n_texts]);
    return spare->all[next_random(seed) % spare->n];
}

/* A token of the text that may do where `token` stands: a word for a word, a sign for a sign. */
static struct text
similar_token(const struct tokens *tokens, struct text token, uint32_t *seed)
{
    enum { TRIES = 8 };
    struct text other = token;
    for (int i = 0; i < TRIES; i++) {
        other = tokens->all[next_random(seed) % tokens->n];
        if (is_word(*other.bytes) == is_word(*token.bytes) && *other.bytes != '#')
            break;
    }
    return other;
}

static void
mutate(struct tokens *tokens, struct tokens *spare, uint32_t *seed)
{
    /* One change, most times: more of the texts are right, and reach what is behind the checker. */
    for (uint32_t n = next_random(seed) % 2 ? 1 : MAX_CHANGES; n > 0; n--) {
        size_t at = next_random(seed) % tokens->n, other = next_random(seed) % tokens->n;
        struct text token = tokens->all[at];
        switch (next_random(seed) % 8) {
        case 0:
            memmove(&tokens->all[at], &tokens->all[at + 1], (tokens->n - at - 1) * sizeof token);
            tokens->n--;
            break;
        case 1:
            insert(tokens, at, token);
            break;
        case 2:
            tokens->all[at] = tokens->all[other];
            tokens->all[other] = token;
            break;
        case 3:
            tokens->all[at] = some_token(spare, seed);
            break;
        case 4:
        case 5:
        case 6:
            tokens->all[at] = similar_token(tokens, token, seed);
            break;
        default:
            insert(tokens, at, some_token(spare, seed));
        }
    }
}

/* The text of the tokens, to be freed. */
static struct text
joined(const struct tokens *tokens)
{
    struct text text = {NULL, 0};
    size_t length = 0;
    for (size_t i = 0; i < tokens->n; i++)
        length += tokens->all[i].length;
    text.bytes = malloc(length + 1);
    assert_non_null(text.bytes);
    for (size_t i = 0; i < tokens->n; i++) {
        memcpy(text.bytes + text.length, tokens->all[i].bytes, tokens->all[i].length);
        text.length += tokens->all[i].length;
    }
    text.bytes[text.length] = 0;
    return text;
}

static void
keep(const struct text *text)
{
    const char *path = getenv("CK_MUTATIONS_KEEP");
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (!file)
        return;
    fwrite(text->bytes, 1, text->length, file);
    fclose(file);
}

/* --- Compiling ----------------------------------------------------------------------------------
 */

struct trial {
    uint32_t seed;
    size_t n_right, n_wrong, n_emitted;
};

static const char *
some_type(uint32_t *seed)
{
    /* Most parameters are arrays of one dimension: these are first. */
    static const char *const types[] = {
        "int32[::1]",  "float32[::1]", "int64[:]", "float64[:]",     "float64[:, ::1]",
        "uint8[:]",    "int32",        "float64",  "int64",          "complex64[:]",
        "bool",        "float16[:]",   "uint64",   "int32[:, :, :]", "(int32, float64)",
        "int32[:, :]", "uint32[::1]",  "float32",  "bfloat16[::1]",  "(float32[:], int8)"};
    size_t n = next_random(seed) % 2 ? 4 : sizeof types / sizeof types[0];
    return types[next_random(seed) % n];
}

/* "k(float32[::1], int64)" with types chosen at random. */
static void
write_sig(char *sig, size_t size, const ck_kernel_desc *kernel, uint32_t *seed)
{
    size_t n = (size_t)snprintf(sig, size, "%s(", kernel->name);
    for (int i = 0; i < kernel->n_params && n < size; i++)
        n += (size_t)snprintf(sig + n, size - n, "%s%s", i ? ", " : "", some_type(seed));
    if (n < size)
        snprintf(sig + n, size - n, ")");
}

static int
has_errors(const ck_context *ctx)
{
    for (size_t i = 0; i < ck_context_n_diagnostics(ctx); i++)
        if (ck_context_diagnostic(ctx, i)->severity == CK_ERROR)
            return 1;
    return 0;
}

static void
emit(struct trial *trial, ck_module *module)
{
    static const ck_emit_kind kinds[] = {CK_EMIT_PTX, CK_EMIT_LLVM_RAW, CK_EMIT_TYPES};
    char *out = NULL;
    ck_status status = ck_module_emit(&out, NULL, module, kinds[next_random(&trial->seed) % 3]);
    assert_true(status == CK_OK || status == CK_ERROR_PROGRAM);
    ck_text_free(out);
    trial->n_emitted++;
}

/* The kernels that have types as host code, none of which runs. */
static void
make_host_code(struct trial *trial, ck_context *ctx, ck_module *module)
{
    ck_device *device = NULL;
    assert_int_equal(ck_device_open(&device, ctx, "cpu", NULL), CK_OK);
    for (size_t i = 0; i < ck_module_n_kernels(module); i++) {
        const ck_kernel_desc *desc = ck_module_kernel(module, i);
        ck_shape shape = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
        ck_kernel *kernel = NULL;
        uint32_t n = 0;
        if (desc->generic || ck_kernel_get(&kernel, module, device, desc->name) != CK_OK)
            continue;
        ck_status status = ck_kernel_max_resident_blocks(&n, kernel, &shape);
        assert_true(status != CK_ERROR_INTERNAL && status != CK_ERROR_MEMORY);
        trial->n_emitted++;
    }
    ck_device_free(device);
}

/* Compiles the text, with `sig` unless NULL; the module's first generic kernel gets one in `next`.
 */
static int
compile(struct trial *trial, const struct text *text, const char *sig, char *next, size_t size)
{
    ck_compile_options options = {.size = sizeof options, .arch = "sm_90", .opt_level = -1};
    options.sigs = &sig;
    options.n_sigs = sig ? 1 : 0;
    ck_context *ctx = NULL;
    ck_module *module = NULL;
    assert_int_equal(ck_context_new(&ctx, NULL), CK_OK);
    ck_status status = ck_compile(&module, ctx, text->bytes, text->length, &options);
    assert_true(status == CK_OK || (status == CK_ERROR_PROGRAM && has_errors(ctx)));
    size_t n = status == CK_OK ? ck_module_n_kernels(module) : 0;
    for (size_t i = 0; i < n && next; i++)
        if (ck_module_kernel(module, i)->generic && (!*next || next_random(&trial->seed) % 3 == 0))
            write_sig(next, size, ck_module_kernel(module, i), &trial->seed);
    if (status == CK_OK && next_random(&trial->seed) % EMIT_EVERY == 0)
        emit(trial, module);
    if (status == CK_OK && next_random(&trial->seed) % EMIT_EVERY == 0)
        make_host_code(trial, ctx, module);
    ck_module_free(module);
    ck_context_free(ctx);
    return status == CK_OK;
}

/* A generic kernel is tried with several types. */
static void
try_text(struct trial *trial, const struct text *text)
{
    enum { TRIES = 6 };
    int right = 0;
    for (int i = 0; i < TRIES && !right; i++) {
        char sig[512] = "";
        right = compile(trial, text, NULL, sig, sizeof sig);
        if (!right)
            break;
        if (*sig)
            right = compile(trial, text, sig, NULL, 0);
    }
    trial->n_right += right;
    trial->n_wrong += !right;
}

static void
test_mutations(void **state)
{
    (void)state;
    static struct tokens tokens, spare;
    struct trial trial = {.seed = 2463534242};
    unsigned n_trials = DEFAULT_TRIALS;
    const char *more = getenv("CK_MUTATIONS");
    if (more)
        sscanf(more, "%u,%u", &n_trials, &trial.seed);
    for (unsigned k = 0; k < n_trials; k++) {
        split(&tokens, &texts[next_random(&trial.seed) % n_texts]);
        mutate(&tokens, &spare, &trial.seed);
        struct text text = joined(&tokens);
        keep(&text);
        clock_t start = clock();
        try_text(&trial, &text);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds > MOST_SECONDS)
            fail_msg("trial %u takes %.1f s:\n%s", k, seconds, text.bytes);
        free(text.bytes);
    }
    print_message("# %zu right, %zu wrong, %zu emitted\n", trial.n_right, trial.n_wrong,
                  trial.n_emitted);
    assert_true(trial.n_right >= n_trials / 50 && trial.n_wrong >= n_trials / 10);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutations)};
    return cmocka_run_group_tests_name("mutations", tests, read_texts, free_texts);
}
