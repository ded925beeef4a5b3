/* The passes of the NVPTX target, in order. docs/passes.md shows what each of ck's own changes. */
#include "codegen/nvptx/nvptx.h"
#include "codegen/opt/passes.h"
#include "codegen/opt/run_passes.h"

/* -O1 to -O3: default<O3> without the passes that find nothing in kernels (vectorisers, coroutines,
 * indirect calls, profiles, library calls, jump threading) and without repetitions: docs/adr/017,
 * docs/adr/063. The code of the examples and of bench/kernels is the same, and compilation takes a
 * tenth less time.
 *
 * aggressive-instcombine narrows a 64-bit accumulator to 32 bits if only 32 are stored.
 *
 * simplifycfg does not sink common instructions, and loops keep their form: if it merged the
 * latch with the preheader, one loop would become two nested ones, and threads of a warp that
 * diverge in an iteration no longer reconverge at a barrier in the header. */
static const char simplify[] =
    "function(nvvm-intr-range,simplifycfg,sroa,early-cse),globalopt,"
    "function(instcombine<no-verify-fixpoint>,simplifycfg),always-inline,cgscc(inline,"
    "function-attrs,function(sroa,early-cse<memssa>,"
    "speculative-execution<only-if-divergent-target>,correlated-propagation,simplifycfg,"
    "aggressive-instcombine,instcombine<no-verify-fixpoint>,reassociate,constraint-elimination,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,"
    "loop-rotate<header-duplication>,licm<allowspeculation>,simple-loop-unswitch<nontrivial>),"
    "simplifycfg,loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa,gvn,sccp,bdce,instcombine<no-verify-fixpoint>,correlated-propagation,adce,dse,"
    "loop-mssa(licm<allowspeculation>),simplifycfg<hoist-common-insts>)),"
    "globaldce,deadargelim,function(loop(loop-rotate<header-duplication>,loop-deletion),"
    "infer-alignment,instcombine<no-verify-fixpoint>,"
    "simplifycfg<forward-switch-cond;switch-to-lookup;hoist-common-insts>)";

/* What sank below the guards of its uses has other ranges. */
static const char use_guards[] = "function(correlated-propagation)";

/* The form of loops that version_signs.c and unroll_runtime.c need. Of functions or modules. */
static const char canonical_loops[] = "loop-simplify,lcssa";

/* Folds what version_signs.c decided: tests, or which version of a loop runs too. */
static const char simplify_versions[] = "instcombine<no-verify-fixpoint>";
static const char simplify_nests[] = "simplifycfg,instcombine<no-verify-fixpoint>";

static const char unroll[] = "function(loop-unroll<O3>)";

static const char simplify_unrolled[] =
    "function(sroa,infer-alignment,instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm<allowspeculation>),instsimplify,div-rem-pairs,"
    "simplifycfg<hoist-common-insts;hoist-loads-stores-with-cond-faulting;"
    "speculate-unpredictables>),globaldce";

/* Long functions get only passes that take linear time. */
static const char simplify_long[] =
    "function(nvvm-intr-range,simplifycfg,sroa,early-cse<memssa>),globalopt,always-inline,"
    "function(sroa,early-cse<memssa>,simplifycfg,sccp,instsimplify,bdce,early-cse<memssa>,"
    "simplifycfg,infer-alignment),globaldce";

/* libclc's small functions are inlined before they are optimised. libdevice's are optimised first:
 * otherwise atan2 of float32 takes 1.05 of nvcc's time. */
static const char inline_marked[] = "always-inline";

/* Replaces calls of __nvvm_reflect, by which libdevice queries module flags. */
static const char reflect[] = "nvvm-reflect";

/* Folds what fold-shuffles made constant, after all other passes. */
static const char fold_constants[] = "function(sccp,instsimplify)";

/* Deletes warp-level primitives whose result is unused, and loops that only compute such results.
 */
static const char delete_unused[] = "function(adce,loop(loop-deletion),adce)";

void
ck_nvptx_reflect(struct ck_gen *gen)
{
    ck_run_llvm(gen, reflect);
}

void
ck_nvptx_fold_constants_of(struct ck_gen *gen, LLVMValueRef v_function)
{
    ck_run_llvm_on(gen, v_function, "instsimplify");
}

static void
merge_split_barriers(struct ck_gen *gen)
{
    if (ck_nvptx_merge_split_barriers(gen))
        ck_run_llvm(gen, inline_marked);
}

static void
version_signs(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        if (!ck_gen_has_signed_loops(v))
            continue;
        ck_run_llvm_on(gen, v, canonical_loops);
        const bool has_nests = ck_gen_version_signs(gen, v);
        ck_run_llvm_on(gen, v, has_nests ? simplify_nests : simplify_versions);
    }
}

static void
version_windows(struct ck_gen *gen)
{
    if (!ck_gen_has_windows(gen))
        return;
    ck_run_llvm(gen, canonical_loops);
    ck_gen_version_windows(gen);
}

static void
version_lengths(struct ck_gen *gen)
{
    for (LLVMValueRef v = LLVMGetFirstFunction(gen->module); v; v = LLVMGetNextFunction(v)) {
        if (!ck_gen_has_lengths(gen, v))
            continue;
        ck_run_llvm_on(gen, v, canonical_loops);
        ck_gen_version_lengths(gen, v);
    }
}

/* The extents that wrap indices, of a kernel's own arrays before LLVM's passes, which narrow them,
 * and of inlined functions' arrays afterwards. */
static void
resolve_own_wraps(struct ck_gen *gen)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(gen->module); f; f = LLVMGetNextFunction(f)) {
        if (ck_gen_is_small_function(gen, f) && !LLVMIsDeclaration(f))
            ck_run_llvm_on(gen, f, "sroa");
    }
    ck_nvptx_resolve_wraps(gen, false);
}

static void
resolve_wraps(struct ck_gen *gen)
{
    ck_nvptx_resolve_wraps(gen, true);
}

/* Drops `convergent` from warp-level primitives in converged code while loops are unrolled: LLVM
 * does not unroll a loop with a remainder around a convergent call. */
static void
unroll_loops(struct ck_gen *gen)
{
    const bool dropped = ck_nvptx_drop_convergent(gen);
    ck_pass_ran(gen, "drop-convergent");
    ck_run_pass(gen, "version-signs", version_signs);
    ck_run_pass(gen, "version-windows", version_windows);
    ck_run_pass(gen, "version-lengths", version_lengths);
    if (ck_gen_has_runtime_loops(gen)) {
        ck_run_llvm(gen, canonical_loops);
        ck_gen_unroll_runtime_loops(gen);
    }
    ck_pass_ran(gen, "unroll-runtime");
    ck_run_pass(gen, "permit-registers", ck_nvptx_permit_registers);
    ck_run_pass(gen, "unroll-counts", ck_gen_set_unroll_counts);
    ck_run_named(gen, "unroll", unroll);
    ck_run_pass(gen, "permit-unrolling", ck_gen_permit_unrolling);
    if (dropped)
        ck_nvptx_restore_convergent(gen);
    ck_pass_ran(gen, "restore-convergent");
}

/* A result that is folded to a constant may be the operand of another shuffle. */
static void
fold_shuffles(struct ck_gen *gen)
{
    while (ck_nvptx_fold_constant_shuffles(gen))
        ck_run_llvm(gen, fold_constants);
}

static void
delete_unused_primitives(struct ck_gen *gen)
{
    if (!ck_nvptx_mark_removable(gen, true))
        return;
    ck_run_llvm(gen, delete_unused);
    ck_nvptx_mark_removable(gen, false);
}

static void
optimise_long(struct ck_gen *gen)
{
    ck_run_named(gen, "reflect", reflect);
    ck_run_named(gen, "simplify", simplify_long);
    ck_run_pass(gen, "merge-split-barriers", merge_split_barriers);
}

static void
optimise(struct ck_gen *gen)
{
    ck_run_named(gen, "reflect", reflect);
    if (ck_nvptx_module(gen)->uses_math && !gen->options->libdevice)
        ck_run_llvm(gen, inline_marked);
    if (ck_gen_has_small_function(gen))
        ck_run_pass(gen, "resolve-own-wraps", resolve_own_wraps);
    ck_run_named(gen, "simplify", simplify);
    if (ck_gen_has_small_function(gen))
        ck_run_pass(gen, "resolve-wraps", resolve_wraps);
    ck_run_pass(gen, "merge-split-barriers", merge_split_barriers);
    ck_run_pass(gen, "unroll-full", ck_gen_unroll_fully);
    ck_run_pass(gen, "sink", ck_gen_sink);
    ck_run_named(gen, "use-guards", use_guards);
    ck_run_pass(gen, "use-order", ck_gen_use_order);
    ck_run_pass(gen, "mark-position-sums", ck_gen_mark_position_sums);
    ck_run_pass(gen, "select-switches", ck_gen_select_switches);
    ck_run_pass(gen, "merge-range-tests", ck_gen_merge_range_tests);
    ck_run_pass(gen, "shorten-phis", ck_gen_shorten_phis);
    ck_run_pass(gen, "narrow-counters", ck_gen_narrow_counters);
    ck_run_pass(gen, "narrow-demanded", ck_gen_narrow_demanded);
    if (ck_gen_has_small_function(gen))
        ck_run_pass(gen, "narrow-extended", ck_gen_narrow_extended);
    ck_run_pass(gen, "fold-rare-equalities", ck_gen_fold_rare_equalities);
    ck_run_pass(gen, "hide-wide-trips", ck_gen_hide_wide_trips);
    unroll_loops(gen);
    ck_run_pass(gen, "shorten-divisions", ck_nvptx_shorten_divisions);
    ck_run_named(gen, "simplify-unrolled", simplify_unrolled);
    if (gen->options->restrict_arrays) {
        ck_run_pass(gen, "reuse-guarded-loads", ck_gen_reuse_guarded_loads);
        ck_run_pass(gen, "hoist-loads", ck_gen_hoist_loads);
    }
    ck_run_pass(gen, "use-signs", ck_gen_use_signs);
    ck_run_pass(gen, "shorten-tests", ck_nvptx_shorten_tests);
    ck_run_pass(gen, "stride-pointers", ck_gen_stride_pointers);
    if (ck_gen_has_small_function(gen)) {
        ck_run_pass(gen, "shorten-wraps", ck_nvptx_shorten_wraps);
        ck_run_pass(gen, "shorten-offsets", ck_nvptx_shorten_offsets);
    }
    ck_run_pass(gen, "chain-neighbours", ck_gen_chain_neighbours);
}

static void
unoptimised(struct ck_gen *gen)
{
    merge_split_barriers(gen);
    ck_run_named(gen, "simplify", ck_default_pipelines[0]);
}

void
ck_nvptx_optimise(struct ck_gen *gen)
{
    const int level = ck_opt_level(gen);
    ck_run_pass(gen, "mem2reg", ck_gen_mem2reg);
    if (ck_gen_has_long_function(gen))
        ck_begin_linear_time(gen);
    if (level == 0)
        unoptimised(gen);
    else if (gen->in_linear_time)
        optimise_long(gen);
    else
        optimise(gen);
    if (ck_gen_has_small_function(gen))
        ck_run_pass(gen, "restore-extents", ck_nvptx_restore_extents);
    if (level > 0 && !gen->in_linear_time) {
        ck_run_pass(gen, "select-pointers", ck_gen_select_pointers);
        ck_run_pass(gen, "widen-products", ck_nvptx_widen_products);
        ck_run_pass(gen, "sink-again", ck_gen_sink);
    }
    if (level > 0 && ck_nvptx_module(gen)->uses_math && gen->options->libdevice) {
        ck_libdevice_erase_marks(gen);
        ck_run_llvm(gen, "function(adce)");
    }
    ck_run_pass(gen, "fold-shuffles", fold_shuffles);
    ck_run_pass(gen, "delete-unused-primitives", delete_unused_primitives);
    ck_run_pass(gen, "select-constants", ck_gen_select_constants);
    ck_run_pass(gen, "saturate", ck_nvptx_saturate);
    ck_run_pass(gen, "widen-shorts", ck_nvptx_widen_shorts);
    if (level > 0) {
        ck_run_pass(gen, "add-converted", ck_nvptx_add_converted);
        ck_run_pass(gen, "split-xors", ck_nvptx_split_xors);
        ck_run_pass(gen, "keep-chains", ck_nvptx_keep_chains);
    }
    ck_run_pass(gen, "copy-float-bits", ck_nvptx_copy_float_bits);
    ck_run_pass(gen, "hide-wide-exits", ck_gen_hide_wide_exits);
    if (level > 0) {
        ck_run_pass(gen, "count-up", ck_nvptx_count_up);
        ck_run_pass(gen, "copy-bounds", ck_nvptx_copy_bounds);
        ck_run_pass(gen, "join-versions", ck_nvptx_join_small_versions);
    }
    if (!gen->in_linear_time && ck_gen_has_many_sums(gen))
        ck_begin_linear_time(gen);
    if (gen->in_linear_time)
        ck_run_pass(gen, "cut-long-blocks", ck_gen_cut_long_blocks);
}
