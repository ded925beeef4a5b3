# Conway's game of life on a torus: a cell lives in the next generation if it has three living
# neighbours, or lives and has two. Living cells are 255, so that the board is an image.
#
#   ckrun examples/life.ck 'repeat 100: life[max, (32, 8)](u, v); life[max, (32, 8)](v, u)' \
#         'u=randint(0, 2, (256, 256), uint8, seed=7) * 255' 'v=zeros_like(u)'
#
# --save u=life.png has the board after 200 generations.

from numba import cuda


@cuda.jit("void(uint8[:, ::1], uint8[:, ::1])")
def life(old, new):
    rows, columns = old.shape
    for cell in range(cuda.grid(2)[0] * cuda.gridsize(2)[1] + cuda.grid(2)[1], old.size,
                      cuda.gridsize(2)[0] * cuda.gridsize(2)[1]):
        i, j = cell // columns, cell % columns
        neighbours = 0
        for di in range(-1, 2):
            for dj in range(-1, 2):
                if (di or dj) and old[(i + di) % rows, (j + dj) % columns]:
                    neighbours += 1
        lives = neighbours == 3 or (neighbours == 2 and old[i, j])
        new[i, j] = 255 if lives else 0
