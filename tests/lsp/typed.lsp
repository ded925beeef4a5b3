# diagnostics

# outline
7:1-11 WIDTH at 7:1-6 constant
8:1-52 TABLE at 8:1-6 constant
9:1-43 Pair at 9:1-5 constant
12:2-15:22 scaled at 13:5-11 device function
18:1-19:17 square at 18:5-11 device function
22:2-39:53 work at 23:5-9 kernel

# types
13: def scaled(value«: int32 | float32», by«: int64»=2):
18: def square(x«: float32»):
23: def work(A«: float32[:, ::1]», counts«: int32[::1]», factor«: float32»):
24: tile«: float32[::1]» = cuda.shared.array(WIDTH, float32)
25: i«: int64», j«: int64» = cuda.grid(2)
26: block«: thread block» = cuda.cg.this_thread_block()
27: warp«: tile of 32 threads» = block.tiled_partition(32)
28: pair«: Pair(int64, int64)» = Pair(i, A.shape[1])
29: total«: float64» = 0.0
30: for k«: int64» in range(pair.low, pair.high, WIDTH):
31: value«: float32» = math.sqrt(A[i, k]) + TABLE[k % 3]
32: total«: float32» += square(scaled(value, by=3)) * factor
36: best«: float32» = warp.reduce(add(total, tile[0]), greater)
37: wide«: complex64» = complex(best, total)

# names
2:19 cuda
    from numba import cuda, float32, int32, void
    places: 2:19-23= 12:2-6 22:2-6 24:12-16 25:12-16 26:13-17 33:10-14 39:9-13
2:25 float32
    from numba import cuda, float32, int32, void
    places: 2:25-32= 22:16-23 22:45-52 24:37-44
2:34 int32
    from numba import cuda, float32, int32, void
    places: 2:34-39= 22:33-38 39:36-41
2:41 void
    from numba import cuda, float32, int32, void
    places: 2:41-45= 22:11-15
3:25 namedtuple
    namedtuple(2 to 3 arguments)
    a type of tuples whose items have names: its name, the fields (a string, or a list of strings), `defaults`
    places: 3:25-35= 9:8-18
4:8 math
    import math
    places: 4:8-12= 31:17-21
5:17 np
    import numpy as np
    places: 5:17-19= 8:9-11 8:41-43 38:24-26
7:1 WIDTH
    WIDTH: int64
    constant of the module
    places: 7:1-6= 24:30-35 30:41-46 38:13-18
8:1 TABLE
    TABLE: constant float32[::1]
    constant of the module
    places: 8:1-6= 31:38-43
8:9 np
    import numpy as np
8:12 array
    np.array(1 to 3 arguments)
    of the module: a constant array: nested lists, dtype (as NumPy's without); `copy` has no effect
8:35 dtype
    dtype(1 to 2 arguments)
    NumPy's: a type of records from a list of tuples of a field's name, type and shape, `align` as in C (False: packed); or the type that is given
8:41 np
    import numpy as np
8:44 float32
    float32
    a type
9:1 Pair
    Pair
    constant of the module
    places: 9:1-5= 28:12-16
9:8 namedtuple
    namedtuple(2 to 3 arguments)
    a type of tuples whose items have names: its name, the fields (a string, or a list of strings), `defaults`
12:2 cuda
    from numba import cuda, float32, int32, void
13:5 scaled
    def scaled(value: int32 | float32, by: int64 = 2) -> int32 | float32
    device function
    The value, scaled.
    places: 13:5-11= 32:25-31 33:30-36
13:12 value
    value: int32 | float32
    parameter
    places: 13:12-17= 15:12-17
13:19 by
    by: int64
    parameter
    places: 13:19-21= 15:20-22 32:39-41
15:12 value
    value: int32 | float32
    parameter
15:20 by
    by: int64
    parameter
18:5 square
    def square(x: float32) -> float32
    device function
    places: 18:5-11= 32:18-24
18:12 x
    x: float32
    parameter
    places: 18:12-13= 19:12-13 19:16-17
19:12 x
    x: float32
    parameter
19:16 x
    x: float32
    parameter
22:2 cuda
    from numba import cuda, float32, int32, void
22:11 void
    void
    a type
22:16 float32
    float32
    a type
22:33 int32
    int32
    a type
22:45 float32
    float32
    a type
23:5 work
    def work(A: float32[:, ::1], counts: int32[::1], factor: float32)
    kernel
    places: 23:5-9=
23:10 A
    A: float32[:, ::1]
    parameter
    places: 23:10-11= 28:20-21 31:27-28
23:13 counts
    counts: int32[::1]
    parameter
    places: 23:13-19= 33:37-43 39:25-31
23:21 factor
    factor: float32
    parameter
    places: 23:21-27= 32:48-54
24:5 tile
    tile: float32[::1]
    local variable
    places: 24:5-9= 33:5-9 36:35-39
24:12 cuda
    from numba import cuda, float32, int32, void
24:24 array
    cuda.shared.array(2 to 3 arguments)
    an array shared by the threads of a block: shape (a constant or a tuple of constants), dtype, alignment (up to 16)
24:30 WIDTH
    WIDTH: int64 = 32
    constant of the module
24:37 float32
    float32
    a type
25:5 i
    i: int64
    local variable
    places: 25:5-6= 28:17-18 31:29-30 38:9-10
25:8 j
    j: int64
    local variable
    places: 25:8-9= 33:44-45 38:32-33 39:33-34
25:12 cuda
    from numba import cuda, float32, int32, void
25:17 grid
    cuda.grid(1 argument)
    this thread's position in the whole grid, in 1, 2 or 3 dimensions
26:5 block
    block: thread block
    local variable
    places: 26:5-10= 27:12-17 34:5-10
26:13 cuda
    from numba import cuda, float32, int32, void
26:21 this_thread_block
    cuda.cg.this_thread_block()
    the group of this block's threads
27:5 warp
    warp: tile of 32 threads
    local variable
    places: 27:5-9= 36:12-16
27:12 block
    block: thread block
    local variable
27:18 tiled_partition
    tiled_partition(1 argument)
    of a thread block: this thread's tile: that many consecutive threads, a constant power of two
28:5 pair
    pair: Pair(int64, int64)
    local variable
    places: 28:5-9= 30:20-24 30:30-34
28:12 Pair
    Pair
    a type
28:17 i
    i: int64
    local variable
28:20 A
    A: float32[:, ::1]
    parameter
28:22 shape
    shape: (int64, int64)
29:5 total
    total: float64 = 0
    local variable
    places: 29:5-10= 32:9-14= 36:28-33 37:26-31
30:9 k
    k: int64
    local variable
    places: 30:9-10= 31:32-33 31:44-45
30:20 pair
    pair: Pair(int64, int64)
    local variable
30:25 low
    low: int64
30:30 pair
    pair: Pair(int64, int64)
    local variable
30:35 high
    high: int64
30:41 WIDTH
    WIDTH: int64 = 32
    constant of the module
31:9 value
    value: float32
    local variable
    places: 31:9-14= 32:32-37
31:17 math
    import math
31:22 sqrt
    math.sqrt(1 argument)
    the square root, correctly rounded
31:27 A
    A: float32[:, ::1]
    parameter
31:29 i
    i: int64
    local variable
31:32 k
    k: int64
    local variable
31:38 TABLE
    TABLE: constant float32[::1]
    constant of the module
31:44 k
    k: int64
    local variable
32:9 total
    total: float32
    local variable
32:18 square
    def square(x: float32) -> float32
    device function
32:25 scaled
    def scaled(value: int32 | float32, by: int64 = 2) -> int32 | float32
    device function
    The value, scaled.
32:32 value
    value: float32
    local variable
32:39 by
    by: int64
    parameter
32:48 factor
    factor: float32
    parameter
33:5 tile
    tile: float32[::1]
    local variable
33:10 cuda
    from numba import cuda, float32, int32, void
33:25 x
    cuda.threadIdx.x
    this thread's index in its block, first dimension
33:30 scaled
    def scaled(value: int32 | float32, by: int64 = 2) -> int32 | float32
    device function
    The value, scaled.
33:37 counts
    counts: int32[::1]
    parameter
33:44 j
    j: int64
    local variable
34:5 block
    block: thread block
    local variable
34:11 sync
    sync()
    of a thread block: waits for every thread of the block
35:5 add
    def lambda(a: float32, b: float32) -> float32
    device function
    places: 35:5-8= 36:24-27
35:18 a
    a: float32
    parameter
    places: 35:18-19= 35:24-25
35:21 b
    b: float32
    parameter
    places: 35:21-22= 35:28-29
35:24 a
    a: float32
    parameter
35:28 b
    b: float32
    parameter
36:5 best
    best: float32
    local variable
    places: 36:5-9= 37:20-24
36:12 warp
    warp: tile of 32 threads
    local variable
36:17 reduce
    reduce(1 to 2 arguments)
    of a tile of 32 threads: all threads' values combined: value, operator (plus), or a device function of two values
36:24 add
    def lambda(a: float32, b: float32) -> float32
    device function
36:28 total
    total: float32
    local variable
36:35 tile
    tile: float32[::1]
    local variable
36:45 greater
    greater(0 to 2 arguments)
    the operator of a maximum
37:5 wide
    wide: complex64
    local variable
    places: 37:5-9= 39:42-46
37:12 complex
    complex(1 to 2 arguments)
    a complex number: its parts, or a number; complex64 of float32
37:20 best
    best: float32
    local variable
37:26 total
    total: float32
    local variable
38:9 i
    i: int64
    local variable
38:13 WIDTH
    WIDTH: int64 = 32
    constant of the module
38:24 np
    import numpy as np
38:27 less
    np.less(x1, x2)
    `<`; the bare `less` is an operator for reductions
38:32 j
    j: int64
    local variable
39:9 cuda
    from numba import cuda, float32, int32, void
39:21 add
    cuda.atomic.add(3 to 5 arguments)
    adds to an array's element atomically and returns its old value: array, index, value
39:25 counts
    counts: int32[::1]
    parameter
39:33 j
    j: int64
    local variable
39:36 int32
    int32
    a type
39:42 wide
    wide: complex64
    local variable
39:47 real
    real: float32

# after dots
8:12 TABLE = np.
    add subtract multiply divide true_divide floor_divide mod remainder divmod power pow float_power and more
8:44 TABLE = np.array([1.0, 2.0, 3.0], dtype=np.
    add subtract multiply divide true_divide floor_divide mod remainder divmod power pow float_power and more
12:7 @cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
14:26 """The value, scaled.
    
22:7 @cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
24:17 tile = cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
24:24 tile = cuda.shared.
    array
25:17 i, j = cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
26:18 block = cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
26:21 block = cuda.cg.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
27:18 warp = block.
    sync thread_rank num_threads tiled_partition stride_partition labeled_partition binary_partition thread_index group_index dim_threads shfl any and more
28:22 pair = Pair(i, A.
    shape strides ndim size dtype itemsize nbytes T view transpose astype reshape and more
30:25 for k in range(pair.
    low high
30:35 for k in range(pair.low, pair.
    low high
31:22 value = math.
    pow floor ceil trunc gcd lcm isclose array zeros ones empty full and more
33:15 tile[cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
33:25 tile[cuda.threadIdx.
    x y z
34:11 block.
    sync thread_rank num_threads tiled_partition stride_partition labeled_partition binary_partition thread_index group_index dim_threads shfl any and more
36:17 best = warp.
    num_threads tiled_partition stride_partition labeled_partition binary_partition sync thread_rank meta_group_rank meta_group_size shfl shfl_up shfl_down and more
38:27 if (i < WIDTH) and np.
    add subtract multiply divide true_divide floor_divide mod remainder divmod power pow float_power and more
39:14 cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
39:21 cuda.atomic.
    add sub max min nanmax nanmin and_ or_ xor inc dec exch and more
39:47 cuda.atomic.add(counts, j, int32(wide.
    real imag
