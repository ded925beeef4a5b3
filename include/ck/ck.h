/** @file
 * ck: a compiler and runtime for GPU kernels written in a small Python-like language.
 *
 *     ck_context *ctx;  ck_context_new(&ctx, NULL);
 *     ck_module *mod;   ck_compile(&mod, ctx, source, length, NULL);
 *     ck_device *dev;   ck_device_open(&dev, ctx, "auto", NULL);
 *     ck_kernel *k;     ck_kernel_get(&k, mod, dev, "sequential_rows");
 *     ck_shape shape = ck_shape_1d(32, 32);
 *     ck_launch(k, &shape, args, n_args, NULL);
 *     ck_device_synchronize(dev);
 *
 * examples/embed.c is a whole program. */
#ifndef CK_CK_H
#define CK_CK_H

#include <ck/args.h>
#include <ck/base.h>
#include <ck/compile.h>
#include <ck/module.h>
#include <ck/npy.h>
#include <ck/run.h>

#endif
