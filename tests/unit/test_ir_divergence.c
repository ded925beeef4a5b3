/* The control-flow graph and the divergence analysis of codegen/opt/, on functions as LLVM IR text.
 *
 * In these functions @id returns another value to each thread, a load depends on memory, and
 * @wait may wait for other threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/IRReader.h>

#include "base/strbuf.h"
#include "codegen/core/ir_util.h"
#include "codegen/opt/ir_divergence.h"

/* --- A function and its graph ------------------------------------------------------------------
 */

struct fixture {
    struct ck_arena arena;
    LLVMContextRef llvm;
    LLVMModuleRef module;
    struct ck_cfg cfg;
    bool is_known; /* the graph could be built */
};

static void
open_fixture(struct fixture *f, const char *body)
{
    struct ck_strbuf text;
    char *message = NULL;
    memset(f, 0, sizeof *f);
    ck_arena_init(&f->arena);
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text,
                     "declare i32 @id()\ndeclare void @wait()\n"
                     "define void @f(i32 %%n, i1 %%u, ptr %%p) {\n%s}\n",
                     body);
    f->llvm = LLVMContextCreate();
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(ck_strbuf_text(&text), text.length, "test.ll");
    if (LLVMParseIRInContext(f->llvm, buffer, &f->module, &message))
        fail_msg("%s", message);
    ck_strbuf_free(&text);
    f->cfg.arena = &f->arena;
    f->is_known = ck_cfg_build(&f->cfg, LLVMGetNamedFunction(f->module, "f"));
}

static void
close_fixture(struct fixture *f)
{
    LLVMDisposeModule(f->module);
    LLVMContextDispose(f->llvm);
    ck_arena_free(&f->arena);
}

static int
block(const struct fixture *f, const char *name)
{
    for (int i = 0; i < f->cfg.n_blocks; i++) {
        if (strcmp(LLVMGetBasicBlockName(f->cfg.blocks[i].b_self), name) == 0)
            return i;
    }
    fail_msg("no block %s", name);
    return -1;
}

static const char *
block_name(const struct fixture *f, int i)
{
    return i < 0 ? "the end" : LLVMGetBasicBlockName(f->cfg.blocks[i].b_self);
}

/* --- Divergence as text ------------------------------------------------------------------------
 */

static enum ck_ir_divergence
of_instruction(LLVMValueRef v)
{
    if (ck_ir_calls(v, "id"))
        return CK_DIVERGENT;
    return ck_ir_is_pure(v) ? CK_UNIFORM : CK_DIVERGENT_BY_MEMORY;
}

static bool
may_wait(LLVMValueRef v)
{
    return ck_ir_calls(v, "wait");
}

static const struct ck_divergence_model model = {of_instruction, may_wait};

/* A space and the name of a divergent value; "NAME*" if it diverges by memory. */
static void
add_value(struct ck_strbuf *out, const struct ck_divergence_info *info, LLVMValueRef v)
{
    size_t length;
    const char *name = LLVMGetValueName2(v, &length);
    const enum ck_ir_divergence divergence = ck_divergence_of(info, v);
    if (divergence != CK_UNIFORM && length)
        ck_strbuf_printf(out, " %s%s", name, divergence == CK_DIVERGENT_BY_MEMORY ? "*" : "");
}

static void
expect_divergent_by(const struct ck_divergence_model *by, const char *values, const char *blocks,
                    const char *body)
{
    struct fixture f;
    struct ck_divergence_info info;
    struct ck_strbuf found_values, found_blocks;
    open_fixture(&f, body);
    assert_true(f.is_known);
    ck_divergence_analyse(&info, &f.arena, &f.cfg, by);
    ck_strbuf_init(&found_values);
    ck_strbuf_init(&found_blocks);
    for (int i = 0; i < f.cfg.n_blocks; i++) {
        LLVMValueRef v = LLVMGetFirstInstruction(f.cfg.blocks[i].b_self);
        for (; v; v = LLVMGetNextInstruction(v))
            add_value(&found_values, &info, v);
        if (ck_block_set_has(&info.divergent_blocks, i))
            ck_strbuf_printf(&found_blocks, " %s", block_name(&f, i));
    }
    assert_string_equal(ck_strbuf_text(&found_values), values);
    assert_string_equal(ck_strbuf_text(&found_blocks), blocks);
    ck_strbuf_free(&found_values);
    ck_strbuf_free(&found_blocks);
    close_fixture(&f);
}

/* The divergent values, in order, then the divergent blocks. */
static void
expect_divergent(const char *values, const char *blocks, const char *body)
{
    expect_divergent_by(&model, values, blocks, body);
}

/* --- Data divergence ---------------------------------------------------------------------------
 */

static void
test_straight_line(void **state)
{
    expect_divergent(" t b c", "",
                     "entry:\n"
                     "  %t = call i32 @id()\n"
                     "  %a = add i32 %n, 1\n"
                     "  %b = mul i32 %a, %t\n"
                     "  %c = icmp eq i32 %b, 0\n"
                     "  %d = select i1 %u, i32 %a, i32 %n\n"
                     "  ret void\n");
}

static void
test_memory(void **state)
{
    expect_divergent(" l* s* i m*", "",
                     "entry:\n"
                     "  %l = load i32, ptr %p\n"
                     "  %t = add i32 %n, 1\n"
                     "  %s = add i32 %l, %t\n"
                     "  %i = call i32 @id()\n"
                     "  %m = add i32 %i, %s\n"
                     "  ret void\n");
}

/* --- Branches ----------------------------------------------------------------------------------
 */

static void
test_uniform_branch(void **state)
{
    expect_divergent("", "",
                     "entry:\n"
                     "  br i1 %u, label %then, label %else\n"
                     "then:\n"
                     "  br label %join\n"
                     "else:\n"
                     "  br label %join\n"
                     "join:\n"
                     "  %x = phi i32 [1, %then], [2, %else]\n"
                     "  ret void\n");
}

static void
test_if_else(void **state)
{
    expect_divergent(" t c x y", " then else",
                     "entry:\n"
                     "  %t = call i32 @id()\n"
                     "  %c = icmp ult i32 %t, %n\n"
                     "  br i1 %c, label %then, label %else\n"
                     "then:\n"
                     "  %a = add i32 %n, 1\n"
                     "  br label %join\n"
                     "else:\n"
                     "  br label %join\n"
                     "join:\n"
                     "  %x = phi i32 [%a, %then], [2, %else]\n"
                     "  %y = add i32 %x, 1\n"
                     "  %z = add i32 %n, 1\n"
                     "  ret void\n");
}

/* Threads that take different branches never reconverge where there is no common post-dominator. */
static void
test_two_ends(void **state)
{
    expect_divergent(" t c", " left right",
                     "entry:\n"
                     "  %t = call i32 @id()\n"
                     "  %c = icmp ult i32 %t, %n\n"
                     "  br i1 %c, label %left, label %right\n"
                     "left:\n"
                     "  ret void\n"
                     "right:\n"
                     "  unreachable\n");
}

#define NESTED(condition)                                                                          \
    "entry:\n"                                                                                     \
    "  %t = call i32 @id()\n"                                                                      \
    "  %c = icmp ult i32 %t, %n\n"                                                                 \
    "  %d = icmp ult i32 %t, 7\n"                                                                  \
    "  br i1 %c, label %outer, label %join\n"                                                      \
    "outer:\n"                                                                                     \
    "  br i1 " condition ", label %inner, label %merge\n"                                          \
    "inner:\n"                                                                                     \
    "  br label %merge\n"                                                                          \
    "merge:\n"                                                                                     \
    "  %x = phi i32 [1, %outer], [2, %inner]\n"                                                    \
    "  br label %join\n"                                                                           \
    "join:\n"                                                                                      \
    "  %y = phi i32 [0, %entry], [%n, %merge]\n"                                                   \
    "  ret void\n"

static void
test_nested(void **state)
{
    expect_divergent(" t c d x y", " outer inner merge", NESTED("%d"));
    expect_divergent(" t c d y", " outer inner merge", NESTED("%u")); /* who comes to it agrees */
}

static void
test_all_phis_diverge(void **state)
{
    struct ck_divergence_model all = model;
    all.all_phis_diverge = true;
    expect_divergent_by(&all, " t c d x y", " outer inner merge", NESTED("%u"));
}

/* A join before the immediate post-dominator. */
static void
test_join_inside_region(void **state)
{
    expect_divergent(" t c x", " left right join",
                     "entry:\n"
                     "  %t = call i32 @id()\n"
                     "  %c = icmp ult i32 %t, %n\n"
                     "  br i1 %c, label %left, label %right\n"
                     "left:\n"
                     "  br i1 %u, label %join, label %end\n"
                     "right:\n"
                     "  br label %join\n"
                     "join:\n"
                     "  %x = phi i32 [1, %left], [2, %right]\n"
                     "  br label %end\n"
                     "end:\n"
                     "  ret void\n");
}

static void
test_switch(void **state)
{
    expect_divergent(" t x", " zero one other",
                     "entry:\n"
                     "  %t = call i32 @id()\n"
                     "  switch i32 %t, label %other [i32 0, label %zero\n"
                     "                               i32 1, label %one]\n"
                     "zero:\n"
                     "  br label %join\n"
                     "one:\n"
                     "  br label %join\n"
                     "other:\n"
                     "  br label %join\n"
                     "join:\n"
                     "  %x = phi i32 [0, %zero], [1, %one], [2, %other]\n"
                     "  ret void\n");
    expect_divergent("", "",
                     "entry:\n"
                     "  switch i32 %n, label %join [i32 0, label %zero]\n"
                     "zero:\n"
                     "  br label %join\n"
                     "join:\n"
                     "  %x = phi i32 [0, %zero], [1, %entry]\n"
                     "  ret void\n");
}

/* --- Loops -------------------------------------------------------------------------------------
 */

#define LOOP(last)                                                                                 \
    "entry:\n"                                                                                     \
    "  %t = call i32 @id()\n"                                                                      \
    "  br label %loop\n"                                                                           \
    "loop:\n"                                                                                      \
    "  %i = phi i32 [0, %entry], [%j, %loop]\n"                                                    \
    "  %k = mul i32 %n, %n\n"                                                                      \
    "  %j = add i32 %i, 1\n"                                                                       \
    "  %c = icmp ult i32 %j, " last "\n"                                                           \
    "  br i1 %c, label %loop, label %after\n"                                                      \
    "after:\n"                                                                                     \
    "  %x = add i32 %j, 1\n"                                                                       \
    "  %y = add i32 %n, 1\n"                                                                       \
    "  ret void\n"

static void
test_uniform_loop(void **state)
{
    expect_divergent(" t", "", LOOP("%n"));
}

static void
test_temporal_divergence(void **state)
{
    expect_divergent(" t i k j c x", " loop", LOOP("%t"));
}

static void
test_divergent_branch_in_uniform_loop(void **state)
{
    expect_divergent(" t c x s", " then",
                     "entry:\n"
                     "  %t = call i32 @id()\n"
                     "  %c = icmp ult i32 %t, %n\n"
                     "  br label %loop\n"
                     "loop:\n"
                     "  %i = phi i32 [0, %entry], [%j, %latch]\n"
                     "  br i1 %c, label %then, label %latch\n"
                     "then:\n"
                     "  br label %latch\n"
                     "latch:\n"
                     "  %x = phi i32 [%i, %loop], [7, %then]\n"
                     "  %s = add i32 %x, 1\n"
                     "  %j = add i32 %i, 1\n"
                     "  %d = icmp ult i32 %j, %n\n"
                     "  br i1 %d, label %loop, label %after\n"
                     "after:\n"
                     "  %y = add i32 %j, 1\n"
                     "  ret void\n");
}

/* A `break` under a divergent condition makes the whole loop divergent, a phi after it too. */
static void
test_break(void **state)
{
    expect_divergent(" t c i j d x", " loop latch",
                     "entry:\n"
                     "  %t = call i32 @id()\n"
                     "  %c = icmp ult i32 %t, %n\n"
                     "  br label %loop\n"
                     "loop:\n"
                     "  %i = phi i32 [0, %entry], [%j, %latch]\n"
                     "  br i1 %c, label %after, label %latch\n"
                     "latch:\n"
                     "  %j = add i32 %i, 1\n"
                     "  %d = icmp ult i32 %j, %n\n"
                     "  br i1 %d, label %loop, label %after\n"
                     "after:\n"
                     "  %x = phi i32 [1, %loop], [2, %latch]\n"
                     "  ret void\n");
}

/* Such a loop may wait for another thread: there is no reconvergence after it. */
static void
test_loop_until_memory(void **state)
{
    expect_divergent(" l* c* x* y*", " loop after then end",
                     "entry:\n"
                     "  %before = add i32 %n, 1\n"
                     "  br label %loop\n"
                     "loop:\n"
                     "  %l = load i32, ptr %p\n"
                     "  %c = icmp eq i32 %l, 0\n"
                     "  br i1 %c, label %loop, label %after\n"
                     "after:\n"
                     "  %x = add i32 %n, 1\n"
                     "  br i1 %u, label %then, label %end\n"
                     "then:\n"
                     "  br label %end\n"
                     "end:\n"
                     "  %y = phi i32 [1, %after], [2, %then]\n"
                     "  ret void\n");
}

/* A branch on memory that ends no loop does not wait. */
static void
test_branch_on_memory(void **state)
{
    expect_divergent(" l* c* x*", " then",
                     "entry:\n"
                     "  %l = load i32, ptr %p\n"
                     "  %c = icmp eq i32 %l, 0\n"
                     "  br i1 %c, label %then, label %join\n"
                     "then:\n"
                     "  br label %join\n"
                     "join:\n"
                     "  %x = phi i32 [1, %entry], [2, %then]\n"
                     "  %y = add i32 %n, 1\n"
                     "  ret void\n");
}

/* Blocks after it are divergent, but not what they compute. */
static void
test_call_that_may_wait(void **state)
{
    expect_divergent("", " waits after",
                     "entry:\n"
                     "  br i1 %u, label %waits, label %other\n"
                     "waits:\n"
                     "  call void @wait()\n"
                     "  br label %after\n"
                     "other:\n"
                     "  br label %after\n"
                     "after:\n"
                     "  %x = phi i32 [1, %waits], [2, %other]\n"
                     "  ret void\n");
}

/* A cycle with two entries, which LLVM calls irreducible. */
#define IRREDUCIBLE(condition)                                                                     \
    "entry:\n"                                                                                     \
    "  %t = call i32 @id()\n"                                                                      \
    "  %d = icmp ult i32 %t, %n\n"                                                                 \
    "  br i1 %u, label %left, label %right\n"                                                      \
    "left:\n"                                                                                      \
    "  %x = phi i32 [0, %entry], [%z, %right]\n"                                                   \
    "  br label %right\n"                                                                          \
    "right:\n"                                                                                     \
    "  %y = phi i32 [1, %entry], [%x, %left]\n"                                                    \
    "  %z = add i32 %y, 1\n"                                                                       \
    "  br i1 " condition ", label %left, label %after\n"                                           \
    "after:\n"                                                                                     \
    "  %w = add i32 %n, 1\n"                                                                       \
    "  ret void\n"

static void
test_irreducible(void **state)
{
    expect_divergent(" t d", "", IRREDUCIBLE("%u"));
    expect_divergent(" t d x y z", " left right", IRREDUCIBLE("%d"));
}

/* --- Unreachable and endless code --------------------------------------------------------------
 */

static void
test_unreachable_blocks(void **state)
{
    struct fixture f;
    static const char body[] = "entry:\n"
                               "  %t = call i32 @id()\n"
                               "  %c = icmp ult i32 %t, %n\n"
                               "  br label %join\n"
                               "dead:\n"
                               "  br i1 %c, label %deader, label %join\n"
                               "deader:\n"
                               "  br label %join\n"
                               "join:\n"
                               "  ret void\n";
    expect_divergent(" t c", " deader", body);
    open_fixture(&f, body);
    assert_int_equal(f.cfg.n_blocks, 4);
    assert_int_equal(f.cfg.n_reachable, 2);
    assert_int_equal(f.cfg.blocks[block(&f, "dead")].rpo, -1);
    assert_string_equal(block_name(&f, f.cfg.blocks[block(&f, "dead")].ipdom), "join");
    close_fixture(&f);
}

static void
test_infinite_loop(void **state)
{
    struct fixture f;
    open_fixture(&f, "entry:\n"
                     "  br i1 %u, label %loop, label %end\n"
                     "loop:\n"
                     "  br label %loop\n"
                     "end:\n"
                     "  ret void\n");
    assert_false(f.is_known);
    close_fixture(&f);
}

static void
expect_chain(int n, bool is_known)
{
    struct fixture f;
    struct ck_strbuf body;
    ck_strbuf_init(&body);
    for (int i = 1; i < n; i++)
        ck_strbuf_printf(&body, "b%d:\n  br label %%b%d\n", i, i + 1);
    ck_strbuf_printf(&body, "b%d:\n  ret void\n", n);
    open_fixture(&f, ck_strbuf_text(&body));
    assert_int_equal(f.is_known, is_known);
    ck_strbuf_free(&body);
    close_fixture(&f);
}

static void
test_most_blocks(void **state)
{
    expect_chain(CK_CFG_MAX_BLOCKS, true);
    expect_chain(CK_CFG_MAX_BLOCKS + 1, false);
}

/* --- The graph ---------------------------------------------------------------------------------
 */

/* A loop with an `if`, one of whose sides may leave the loop. */
static const char graph[] = "entry:\n"
                            "  br label %header\n"
                            "latch:\n"
                            "  br label %header\n"
                            "header:\n"
                            "  br i1 %u, label %then, label %else\n"
                            "then:\n"
                            "  br label %join\n"
                            "else:\n"
                            "  br i1 %u, label %join, label %end\n"
                            "join:\n"
                            "  br i1 %u, label %latch, label %done\n"
                            "done:\n"
                            "  br label %end\n"
                            "end:\n"
                            "  ret void\n";

static void
test_post_dominators(void **state)
{
    struct fixture f;
    static const struct {
        const char *of, *ipdom;
    } expected[] = {
        {"entry", "header"}, {"latch", "header"}, {"header", "end"}, {"then", "join"},
        {"else", "end"},     {"join", "end"},     {"done", "end"},   {"end", "the end"},
    };
    open_fixture(&f, graph);
    assert_int_equal(f.cfg.n_blocks, 8);
    for (int i = 0; i < 8; i++) {
        const int of = block(&f, expected[i].of);
        assert_string_equal(block_name(&f, f.cfg.blocks[of].ipdom), expected[i].ipdom);
    }
    assert_true(ck_cfg_post_dominates(&f.cfg, block(&f, "end"), block(&f, "entry")));
    assert_true(ck_cfg_post_dominates(&f.cfg, block(&f, "then"), block(&f, "then")));
    assert_false(ck_cfg_post_dominates(&f.cfg, block(&f, "join"), block(&f, "header")));
    assert_false(ck_cfg_post_dominates(&f.cfg, block(&f, "entry"), block(&f, "header")));
    close_fixture(&f);
}

/* A function of random branches between n blocks, among them ends and unreachable blocks. */
static const char *
random_function(struct ck_strbuf *out, unsigned *seed, int n)
{
    ck_strbuf_clear(out);
    ck_strbuf_puts(out, "entry:\n  br label %b0\n");
    for (int i = 0; i < n; i++) {
        unsigned draw = *seed = *seed * 1103515245 + 12345;
        int kind = draw >> 16 & 7, first = (draw >> 20) % n, second = (draw >> 24) % n;
        ck_strbuf_printf(out, "b%d:\n", i);
        if (kind == 0)
            ck_strbuf_puts(out, "  ret void\n");
        else if (kind < 3)
            ck_strbuf_printf(out, "  br label %%b%d\n", first);
        else
            ck_strbuf_printf(out, "  br i1 %%u, label %%b%d, label %%b%d\n", first, second);
    }
    return ck_strbuf_text(out);
}

/* By definition: no path from `b` leads to an end without passing `a`. */
static bool
is_on_all_paths(const struct ck_cfg *cfg, int a, int b)
{
    struct ck_block_set stops = {0}, reached = {0};
    ck_block_set_add(&stops, a);
    ck_cfg_reach(cfg, b, &stops, &reached);
    for (int i = 0; i < cfg->n_blocks; i++) {
        if (i != a && cfg->blocks[i].n_succs == 0 && ck_block_set_has(&reached, i))
            return false;
    }
    return true;
}

static bool
has_end_from_everywhere(const struct ck_cfg *cfg)
{
    const struct ck_block_set no_stops = {0};
    for (int b = 0; b < cfg->n_blocks; b++) {
        struct ck_block_set reached = {0};
        bool ends = false;
        ck_cfg_reach(cfg, b, &no_stops, &reached);
        for (int i = 0; i < cfg->n_blocks; i++)
            ends |= cfg->blocks[i].n_succs == 0 && ck_block_set_has(&reached, i);
        if (!ends)
            return false;
    }
    return true;
}

static void
test_random_graphs(void **state)
{
    struct ck_strbuf body;
    unsigned seed = 1;
    int n_known = 0;
    ck_strbuf_init(&body);
    for (int n = 0; n < 400; n++) {
        struct fixture f;
        open_fixture(&f, random_function(&body, &seed, 3 + n % 12));
        assert_int_equal(f.is_known, has_end_from_everywhere(&f.cfg));
        n_known += f.is_known;
        for (int a = 0; a < f.cfg.n_blocks && f.is_known; a++) {
            for (int b = 0; b < f.cfg.n_blocks; b++)
                assert_int_equal(ck_cfg_post_dominates(&f.cfg, a, b),
                                 is_on_all_paths(&f.cfg, a, b));
        }
        close_fixture(&f);
    }
    assert_in_range(n_known, 100, 399);
    ck_strbuf_free(&body);
}

/* No block comes before one that dominates it. */
static void
test_reverse_post_order(void **state)
{
    struct fixture f;
    static const char *const expected[] = {"entry", "header", "else", "then",
                                           "join",  "done",   "end",  "latch"};
    open_fixture(&f, graph);
    assert_int_equal(f.cfg.n_reachable, 8);
    for (int at = 0; at < 8; at++) {
        assert_string_equal(block_name(&f, f.cfg.rpo[at]), expected[at]);
        assert_int_equal(f.cfg.blocks[f.cfg.rpo[at]].rpo, at);
    }
    close_fixture(&f);
}

static void
test_edges(void **state)
{
    struct fixture f;
    open_fixture(&f, graph);
    const struct ck_cfg_block *header = &f.cfg.blocks[block(&f, "header")];
    assert_int_equal(header->n_succs, 2);
    assert_string_equal(block_name(&f, header->succs[0]), "then");
    assert_string_equal(block_name(&f, header->succs[1]), "else");
    assert_int_equal(header->n_preds, 2);
    assert_string_equal(block_name(&f, header->preds[0]), "entry");
    assert_string_equal(block_name(&f, header->preds[1]), "latch");
    close_fixture(&f);
}

/* A block that was added before the others has the first number. */
static void
test_numbers(void **state)
{
    struct fixture f;
    struct ck_cfg cfg = {.arena = &f.arena};
    open_fixture(&f, graph);
    LLVMBasicBlockRef b_end = f.cfg.blocks[block(&f, "end")].b_self;
    ck_cfg_add(&cfg, b_end);
    assert_true(ck_cfg_build(&cfg, LLVMGetNamedFunction(f.module, "f")));
    assert_int_equal(cfg.n_blocks, 8);
    assert_int_equal(ck_cfg_find(&cfg, b_end), 0);
    assert_ptr_equal(cfg.blocks[1].b_self, f.cfg.blocks[block(&f, "entry")].b_self);
    close_fixture(&f);
}

/* The names of a set's blocks, in order. */
static void
expect_set(const struct fixture *f, const struct ck_block_set *set, const char *expected)
{
    struct ck_strbuf found;
    ck_strbuf_init(&found);
    for (int i = 0; i < f->cfg.n_blocks; i++) {
        if (ck_block_set_has(set, i))
            ck_strbuf_printf(&found, " %s", block_name(f, i));
    }
    assert_string_equal(ck_strbuf_text(&found), expected);
    ck_strbuf_free(&found);
}

static void
test_influence(void **state)
{
    struct fixture f;
    open_fixture(&f, graph);
    struct ck_influence influence = ck_cfg_influence(&f.cfg, block(&f, "header"));
    expect_set(&f, &influence.blocks, " latch header then else join done");
    expect_set(&f, &influence.joins, " latch header join done");
    assert_true(influence.is_loop);
    close_fixture(&f);
    open_fixture(&f, NESTED("%u"));
    influence = ck_cfg_influence(&f.cfg, block(&f, "entry"));
    expect_set(&f, &influence.blocks, " outer inner merge");
    expect_set(&f, &influence.joins, "");
    assert_false(influence.is_loop);
    close_fixture(&f);
}

/* A path may end in a stop, but not go on from it. */
static void
test_reach(void **state)
{
    struct fixture f;
    struct ck_block_set stops = {0}, reached = {0};
    open_fixture(&f, graph);
    ck_block_set_add(&stops, block(&f, "latch"));
    ck_cfg_reach(&f.cfg, block(&f, "join"), &stops, &reached);
    expect_set(&f, &reached, " latch join done end");
    ck_block_set_remove(&stops, block(&f, "latch"));
    ck_cfg_reach(&f.cfg, block(&f, "entry"), &stops, &reached);
    expect_set(&f, &reached, " entry latch header then else join done end");
    close_fixture(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_line),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_uniform_branch),
        cmocka_unit_test(test_if_else),
        cmocka_unit_test(test_two_ends),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_all_phis_diverge),
        cmocka_unit_test(test_join_inside_region),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_uniform_loop),
        cmocka_unit_test(test_temporal_divergence),
        cmocka_unit_test(test_divergent_branch_in_uniform_loop),
        cmocka_unit_test(test_break),
        cmocka_unit_test(test_loop_until_memory),
        cmocka_unit_test(test_branch_on_memory),
        cmocka_unit_test(test_call_that_may_wait),
        cmocka_unit_test(test_irreducible),
        cmocka_unit_test(test_unreachable_blocks),
        cmocka_unit_test(test_infinite_loop),
        cmocka_unit_test(test_most_blocks),
        cmocka_unit_test(test_post_dominators),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_reverse_post_order),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_influence),
        cmocka_unit_test(test_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
