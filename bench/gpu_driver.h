/* The CUDA driver, loaded at run time, for the programs that measure on its first device. */
#ifndef CK_BENCH_GPU_DRIVER_H
#define CK_BENCH_GPU_DRIVER_H

#include "serve.h"

/* What is used of cuda.h. */
typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;

enum {
    COMPUTE_CAPABILITY_MAJOR = 75,
    COMPUTE_CAPABILITY_MINOR = 76,
    MULTIPROCESSOR_COUNT = 16,
    NUM_REGS = 4,
    STREAM_NON_BLOCKING = 1,
    CAPTURE_THREAD_LOCAL = 1,
    NO_DEVICE_STATUS = 77
};

/* member, symbol, parameters */
#define DRIVER_FUNCTIONS(F)                                                                        \
    F(init, cuInit, (unsigned flags))                                                              \
    F(error_name, cuGetErrorName, (CUresult, const char **))                                       \
    F(version, cuDriverGetVersion, (int *))                                                        \
    F(device_count, cuDeviceGetCount, (int *))                                                     \
    F(device_get, cuDeviceGet, (CUdevice *, int))                                                  \
    F(device_name, cuDeviceGetName, (char *, int, CUdevice))                                       \
    F(device_attribute, cuDeviceGetAttribute, (int *, int, CUdevice))                              \
    F(primary_retain, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                           \
    F(primary_release, cuDevicePrimaryCtxRelease_v2, (CUdevice))                                   \
    F(set_current, cuCtxSetCurrent, (CUcontext))                                                   \
    F(stream_create, cuStreamCreate, (CUstream *, unsigned))                                       \
    F(stream_synchronize, cuStreamSynchronize, (CUstream))                                         \
    F(event_create, cuEventCreate, (CUevent *, unsigned))                                          \
    F(event_record, cuEventRecord, (CUevent, CUstream))                                            \
    F(event_synchronize, cuEventSynchronize, (CUevent))                                            \
    F(event_elapsed, cuEventElapsedTime, (float *, CUevent, CUevent))                              \
    F(capture_begin, cuStreamBeginCapture_v2, (CUstream, int))                                     \
    F(capture_end, cuStreamEndCapture, (CUstream, CUgraph *))                                      \
    F(graph_new, cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long))        \
    F(graph_launch, cuGraphLaunch, (CUgraphExec, CUstream))                                        \
    F(graph_exec_free, cuGraphExecDestroy, (CUgraphExec))                                          \
    F(graph_free, cuGraphDestroy, (CUgraph))                                                       \
    F(module_load, cuModuleLoadData, (CUmodule *, const void *))                                   \
    F(module_unload, cuModuleUnload, (CUmodule))                                                   \
    F(module_function, cuModuleGetFunction, (CUfunction *, CUmodule, const char *))                \
    F(function_attribute, cuFuncGetAttribute, (int *, int, CUfunction))                            \
    F(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t))    \
    F(memory_new, cuMemAlloc_v2, (CUdeviceptr *, size_t))                                          \
    F(memory_free, cuMemFree_v2, (CUdeviceptr))                                                    \
    F(copy, cuMemcpyDtoDAsync_v2, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                    \
    F(write, cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t))                                 \
    F(read, cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t))                                        \
    F(launch, cuLaunchKernel,                                                                      \
      (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
       void **, void **))                                                                          \
    F(launch_cooperative, cuLaunchCooperativeKernel,                                               \
      (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
       void **))

struct driver {
    void *library;
#define MEMBER(member, symbol, parameters) CUresult(*member) parameters;
    DRIVER_FUNCTIONS(MEMBER)
#undef MEMBER
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUevent start, end;
    struct {
        size_t bytes;
        char *host;
        CUdeviceptr device;
    } numbers; /* that requests of gpu_bench share: arrays of kind r begin there */
};

/* Loads the driver and finds its first device; false after a message on standard error. */
bool driver_find_device(struct driver *driver);
/* Makes the device's context the current one, a stream and two events; likewise. */
bool driver_open(struct driver *driver);
/* false after a message on standard error. */
bool driver_done(const struct driver *driver, CUresult result, const char *what);
/* false after bench_fail. */
bool driver_check(const struct driver *driver, CUresult result, const char *what,
                  struct bench_reply *reply);

/* A CUdevice_attribute, as the enumeration above has some. */
int device_attribute(const struct driver *driver, int attribute);

/* The time between events around what a caller puts on the stream in between is added to the reply,
 * divided by `parts`. */
bool driver_record_start(const struct driver *driver, struct bench_reply *reply);
bool driver_record_end(const struct driver *driver, int parts, struct bench_reply *reply);

#endif
