# diagnostics
8:14-28 error [unknown-name]
    `cuda.this_blok` is not defined
    help: did you mean `cuda.this_block`?
    fix: Replace with `cuda.this_block`: 8:14-28 cuda.this_block
9:12-23 error [unknown-name]
    `math.sqroot` is not defined
9:32-37 error [unknown-name]
    `valeu` is not defined
10:14-18 error [no-attribute]
    float32[:] has no attribute `shap`
    help: did you mean `.shape`?
    fix: Replace with `shape`: 10:14-18 shape
12:7-11 error [no-attribute]
    grid group has no attribute `sinc`
20:16-20 error [unset-name]
    `left` is read before it is set
    help: set `left` before
26:13-14 error [unclosed-bracket]
    `(` is never closed
27:12-13 error [syntax]
    expected an expression, found `=`
28:22-22 error [syntax]
    expected `:`, found end of line
30:12-12 error [syntax]
    expected an expression, found end of line

# outline
5:2-12:13 names at 6:5-10 kernel
15:2-21:17 barrier at 16:5-12 kernel
24:2-30:12 broken at 25:5-11 kernel
33:2-36:13 fine at 34:5-9 kernel

# types
7: i«: int64» = grid(1)
11: g«: grid group» = this_grid()
17: i«: int64» = grid(1)
21: left«: int64» = 1
35: i«: int64» = grid(1)

# names
2:19 cuda
    from numba import cuda, float32
    places: 2:19-23= 8:14-18
2:25 float32
    from numba import cuda, float32
    places: 2:25-32= 6:14-21 16:16-23 25:15-22 34:13-20
6:5 names
    def names(x: float32[:])
    kernel
    places: 6:5-10=
6:11 x
    x: float32[:]
    parameter
    places: 6:11-12= 9:5-6 9:24-25 10:12-13
6:14 float32
    float32
    a type
7:5 i
    i: int64
    local variable
    places: 7:5-6= 9:7-8 9:26-27
7:9 grid
    grid(1 argument)
    this thread's position in the whole grid, in 1, 2 or 3 dimensions
8:5 thread
    thread
    local variable; its type is not known
    places: 8:5-11=
8:14 cuda
    from numba import cuda, float32
9:5 x
    x: float32[:]
    parameter
9:7 i
    i: int64
    local variable
9:24 x
    x: float32[:]
    parameter
9:26 i
    i: int64
    local variable
10:5 size
    size
    local variable; its type is not known
    places: 10:5-9=
10:12 x
    x: float32[:]
    parameter
11:5 g
    g: grid group
    local variable
    places: 11:5-6= 12:5-6
11:9 this_grid
    this_grid()
    the group of all threads of the launch
12:5 g
    g: grid group
    local variable
16:5 barrier
    def barrier(x: float32[:], n: int32)
    kernel
    places: 16:5-12=
16:13 x
    x: float32[:]
    parameter
    places: 16:13-14= 20:9-10
16:16 float32
    float32
    a type
16:28 n
    n: int32
    parameter
    places: 16:28-29= 18:12-13
16:31 int32
    int32
    a type
17:5 i
    i: int64
    local variable
    places: 17:5-6= 18:8-9 20:11-12
17:9 grid
    grid(1 argument)
    this thread's position in the whole grid, in 1, 2 or 3 dimensions
18:8 i
    i: int64
    local variable
18:12 n
    n: int32
    parameter
19:9 syncthreads
    syncthreads()
    waits for every thread of the block
20:9 x
    x: float32[:]
    parameter
20:11 i
    i: int64
    local variable
20:16 left
    left: int64
    local variable
    places: 20:16-20 21:9-13=
21:9 left
    left: int64 = 1
    local variable
25:5 broken
    def broken(x: float32[:])
    kernel
    places: 25:5-11=
25:12 x
    x: float32[:]
    parameter
    places: 25:12-13= 27:5-6 29:9-10
25:15 float32
    float32
    a type
26:5 i
    i
    local variable; its type is not known
    places: 26:5-6= 27:7-8 30:9-10
26:9 grid
    grid(1 argument)
    this thread's position in the whole grid, in 1, 2 or 3 dimensions
27:5 x
    x: float32[:]
    parameter
27:7 i
    i
    local variable; its type is not known
28:9 j
    j
    local variable; its type is not known
    places: 28:9-10= 29:11-12
29:9 x
    x: float32[:]
    parameter
29:11 j
    j
    local variable; its type is not known
30:5 y
    y
    local variable; its type is not known
    places: 30:5-6=
30:9 i
    i
    local variable; its type is not known
34:5 fine
    def fine(x: float32[:])
    kernel
    places: 34:5-9=
34:10 x
    x: float32[:]
    parameter
    places: 34:10-11= 36:5-6
34:13 float32
    float32
    a type
35:5 i
    i: int64
    local variable
    places: 35:5-6= 36:7-8 36:12-13
35:9 grid
    grid(1 argument)
    this thread's position in the whole grid, in 1, 2 or 3 dimensions
36:5 x
    x: float32[:]
    parameter
36:7 i
    i: int64
    local variable
36:12 i
    i: int64
    local variable

# after dots
8:19 thread = cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
9:17 x[i] = math.
    pow floor ceil trunc gcd lcm isclose array zeros ones empty full and more
10:14 size = x.
    shape strides ndim size dtype itemsize nbytes T view transpose astype reshape and more
12:7 g.
    sync thread_rank num_threads block_rank num_blocks tiled_partition thread_index dim_threads is_valid barrier_arrive barrier_wait reduce and more
