# y = a * x + y. The kernel is generic: it is compiled for the types it is launched with. The last
# block may reach past the end of the arrays, so each thread looks first.
#
#   ckrun examples/saxpy.ck 'saxpy[(x.size + 255) // 256, 256](float32(2), x, y)' \
#         'x=arange(10000, dtype=float32)' 'y=ones(10000, float32)' --print y
#   ckc examples/saxpy.ck --sig 'saxpy(float32, float32[::1], float32[::1])' -o -

@kernel
def saxpy(a, x, y):
    i = grid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]
