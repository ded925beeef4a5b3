# The CPU device says where, with what message, and which thread.

def check(v):
    assert v < 40, "v is \"too\" large"

@kernel
def use(x):
    i = grid(1)
    check(x[i])

@kernel
def bare(x):
    assert x.size == 2

#: only cpu
#: x = np.arange(48)
#: x[:40] = 0
#: x[41:] = 0
#: launch use[3, (16, 1)](x)
#: error assert_message.ck:4:12: error: assertion failed: v is "too" large: `v < 40` with v = 40, in block (2, 0, 0) thread (8, 0, 0) [failed-assertion]
#: error ----------- called here
#: launch bare[1, 1](x)
#: error assert_message.ck:13:12: error: assertion failed: `x.size == 2`, in block (0, 0, 0) thread (0, 0, 0)
