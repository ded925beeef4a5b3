# diagnostics

# outline
5:2-7:17 helper at 6:5-11 function
10:2-17:12 scan at 11:5-9 generic kernel
20:2-23:17 by_annotation at 21:5-18 kernel
26:1-28:13 unused at 26:5-11 function

# types
12: i«: int64» = cuda.grid(1)
13: group«: grid group» = cuda.cg.this_grid()
22: for i«: int64» in range(grid(1), n, gridsize(1)):

# names
2:16 cuda
    from ck import cuda
    places: 2:16-20= 5:2-6 10:2-6 12:9-13 13:13-17 27:9-13
5:2 cuda
    from ck import cuda
6:5 helper
    def helper(v)
    function
    places: 6:5-11= 15:12-18
6:12 v
    v
    parameter; no kernel with known types reaches it
    places: 6:12-13= 7:12-13
7:12 v
    v
    parameter; no kernel with known types reaches it
10:2 cuda
    from ck import cuda
11:5 scan
    def scan(x, n)
    generic kernel
    places: 11:5-9=
11:10 x
    x
    parameter; generic: each launch of `scan` determines the type. Annotate its parameters, or write a signature in its decorator, to see types here
    places: 11:10-11= 14:12-13 15:5-6 17:5-6
11:13 n
    n
    parameter; generic: each launch of `scan` determines the type. Annotate its parameters, or write a signature in its decorator, to see types here
    places: 11:13-14= 14:19-20
12:5 i
    i: int64
    local variable
    places: 12:5-6= 14:14-15 15:7-8
12:9 cuda
    from ck import cuda
12:14 grid
    cuda.grid(1 argument)
    this thread's position in the whole grid, in 1, 2 or 3 dimensions
13:5 group
    group: grid group
    local variable
    places: 13:5-10= 16:5-10
13:13 cuda
    from ck import cuda
13:21 this_grid
    cuda.cg.this_grid()
    the group of all threads of the launch
14:5 last
    last
    local variable; its type depends on those of the generic kernel's arguments
    places: 14:5-9= 15:19-23
14:12 x
    x
    parameter; generic: each launch of `scan` determines the type. Annotate its parameters, or write a signature in its decorator, to see types here
14:14 i
    i: int64
    local variable
14:19 n
    n
    parameter; generic: each launch of `scan` determines the type. Annotate its parameters, or write a signature in its decorator, to see types here
15:5 x
    x
    parameter; generic: each launch of `scan` determines the type. Annotate its parameters, or write a signature in its decorator, to see types here
15:7 i
    i: int64
    local variable
15:12 helper
    def helper(v)
    function
15:19 last
    last
    local variable; its type depends on those of the generic kernel's arguments
16:5 group
    group: grid group
    local variable
16:11 sync
    sync()
    of a grid group: waits for every thread of the grid; makes the launch cooperative
17:5 x
    x
    parameter; generic: each launch of `scan` determines the type. Annotate its parameters, or write a signature in its decorator, to see types here
21:5 by_annotation
    def by_annotation(x: float32[:], n: int64 = 3)
    kernel
    places: 21:5-18=
21:19 x
    x: float32[:]
    parameter
    places: 21:19-20= 23:9-10
21:22 float32
    float32
    a type
21:34 n
    n: int64
    parameter
    places: 21:34-35= 22:29-30 23:16-17
21:37 int64
    int64
    a type
22:9 i
    i: int64
    local variable
    places: 22:9-10= 23:11-12
22:20 grid
    grid(1 argument)
    this thread's position in the whole grid, in 1, 2 or 3 dimensions
22:29 n
    n: int64
    parameter
22:32 gridsize
    gridsize(1 argument)
    the grid's size in threads, in 1, 2 or 3 dimensions
23:9 x
    x: float32[:]
    parameter
23:11 i
    i: int64
    local variable
23:16 n
    n: int64
    parameter
26:5 unused
    def unused(a)
    function
    places: 26:5-11=
26:12 a
    a
    parameter; no kernel with known types reaches it
    places: 26:12-13=
27:5 b
    b
    local variable; no kernel with known types reaches it
    places: 27:5-6= 28:12-13
27:9 cuda
    from ck import cuda
27:14 syncthreads
    cuda.syncthreads()
    waits for every thread of the block
28:12 b
    b
    local variable; no kernel with known types reaches it

# after dots
5:7 @cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
10:7 @cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
12:14 i = cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
13:18 group = cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
13:21 group = cuda.cg.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
16:11 group.
    sync thread_rank num_threads block_rank num_blocks tiled_partition thread_index dim_threads is_valid barrier_arrive barrier_wait reduce and more
17:7 x.
    shape strides ndim size dtype itemsize nbytes T view transpose astype reshape and more
27:14 b = cuda.
    grid gridsize threadIdx blockIdx blockDim gridDim shared local array zeros ones empty and more
