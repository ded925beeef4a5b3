# diagnostics
6:12-21 error [unknown-name]
    `unbekannt` is not defined

# outline
2:2-6:21 größe at 3:5-10 kernel

# types
4: α«: int64» = grid(1)  # 🙂🙂
5: x[α] = "🙂" == "𝄞"; β =«: int64» α

# names
3:5 größe
    def größe(x: float32[:])
    kernel
    places: 3:5-10=
3:11 x
    x: float32[:]
    parameter
    places: 3:11-12= 5:5-6 6:5-6
3:14 float32
    float32
    a type
4:5 α
    α: int64
    local variable
    places: 4:5-6= 5:7-8 5:30-31
4:9 grid
    grid(1 argument)
    this thread's position in the whole grid, in 1, 2 or 3 dimensions
5:5 x
    x: float32[:]
    parameter
5:7 α
    α: int64
    local variable
6:5 x
    x: float32[:]
    parameter
6:7 β
    β: int64
    local variable
    places: 5:26-27= 6:7-8

# after dots
