/* Names of host code: which methods, functions and modules change an array, or make views of it. */
#ifndef CK_CHANGES_NAMES_H
#define CK_CHANGES_NAMES_H

#include <stddef.h>

/* Methods and attributes of arrays and lists. */
static const char *const mutating_methods[] = {
    "sort",   "fill",   "put",    "itemset", "partition", "resize", "setfield", "byteswap",
    "append", "extend", "insert", "remove",  "pop",       "clear",  "reverse",  NULL};
static const char *const view_methods[] = {"reshape",  "ravel",   "view",     "transpose",
                                           "swapaxes", "squeeze", "diagonal", NULL};
static const char *const read_attributes[] = {"shape",  "ndim",    "size",  "dtype", "itemsize",
                                              "nbytes", "strides", "flags", NULL};
static const char *const stored_attributes[] = {"shape", "dtype", "strides", "real", "imag",
                                                "flat",  "T",     "data",    NULL};

/* Functions of Python and NumPy that read their arguments only, and those whose result may be a
 * view of one. */
static const char *const reading[] = {
    "print", "len",     "range",      "sum",      "min",     "max",        "abs",
    "all",   "any",     "sorted",     "str",      "repr",    "float",      "int",
    "bool",  "complex", "isinstance", "type",     "id",      "hash",       "set",
    "round", "divmod",  "format",     "callable", "hasattr", "issubclass", NULL};
static const char *const views_of[] = {
    "array", "asfortranarray", "ascontiguousarray", "list", "tuple", "zip",     "enumerate",
    "iter",  "next",           "reversed",          "dict", "vars",  "getattr", NULL};
static const char *const numpy_views[] = {"asarray",
                                          "asanyarray",
                                          "ascontiguousarray",
                                          "asfortranarray",
                                          "reshape",
                                          "ravel",
                                          "transpose",
                                          "squeeze",
                                          "atleast_1d",
                                          "atleast_2d",
                                          "atleast_3d",
                                          "broadcast_to",
                                          "broadcast_arrays",
                                          "flip",
                                          "fliplr",
                                          "flipud",
                                          "rot90",
                                          "split",
                                          "array_split",
                                          "hsplit",
                                          "vsplit",
                                          "dsplit",
                                          "moveaxis",
                                          "swapaxes",
                                          "rollaxis",
                                          "expand_dims",
                                          "diagonal",
                                          "diag",
                                          "real",
                                          "imag",
                                          "require",
                                          "nditer",
                                          "as_strided",
                                          "sliding_window_view",
                                          "frombuffer",
                                          "array",
                                          NULL};
static const char *const numpy_mutators[] = {
    "put", "copyto", "place", "putmask", "fill_diagonal", "put_along_axis", "shuffle", "at", NULL};
/* Modules whose functions read arrays, and methods of other objects that do. */
static const char *const reading_modules[] = {"math",    "cmath", "plt",  "pyplot", "matplotlib",
                                              "os",      "sys",   "time", "json",   "pickle",
                                              "logging", "csv",   NULL};
static const char *const reading_methods[] = {
    "copy_to_device", "write", "format", "plot",   "dot",  "info",   "debug",
    "warning",        "index", "count",  "extend", "isin", "equals", NULL};

#endif
