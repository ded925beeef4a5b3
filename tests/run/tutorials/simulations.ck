# Time steps: Laplace, heat over a whole grid, life, bodies, a random walk, sessions of users.
#: u = rng.random((21, 34))
#: v = u.copy()
#: launch jacobi[(3, 2), (16, 16)](u, v)
#: expect close(v[1:-1, 1:-1],
#:              (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) / 4, 1e-12)
#: rod = rng.random(96).astype(np.float32)
#: other = rod.copy()
#: launch diffuse[3, 32](rod, other, 20, float32(0.25))
#: t = rod_in.astype(np.float64)
#: for _ in range(20):
#:     t[1:-1] = t[1:-1] + 0.25 * (t[:-2] - 2 * t[1:-1] + t[2:])
#: expect close(rod, t, 1e-4)
#: board = rng.integers(0, 2, (23, 40), dtype=np.int32)
#: after = poison((23, 40), np.int32)
#: launch life[(3, 5), (8, 8)](board, after)
#: s = sum(np.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - board
#: expect after == ((s == 3) | ((s == 2) & (board == 1)))
#: pos = rng.standard_normal((50, 3))
#: mass = rng.random(50)
#: acc = poison((50, 3), np.float64)
#: launch n_body[2, 32](pos, mass, acc)
#: d = pos[None] - pos[:, None]
#: r2 = (d * d).sum(-1) + 0.01
#: expect close(acc, (d * (mass[None] / (r2 * np.sqrt(r2)))[..., None]).sum(1), 1e-10, 1e-12)
#: hits = np.zeros(1, np.int64)
#: launch monte_carlo_pi[4, 64](hits, 200)
#: expect abs(4.0 * hits[0] / (4 * 64 * 200) - np.pi) < 0.05
#: users = np.sort(rng.integers(0, 9, 200)).astype(np.int32)
#: stamps = np.concatenate([np.sort(rng.integers(0, 500, (users == k).sum())) for k in range(9)])
#: sessions = np.full(200, -1, np.int32)
#: new = np.r_[True, (users[1:] != users[:-1]) | (stamps[1:] - stamps[:-1] > 30)]
#: launch sessionize[2, 128](users, stamps, sessions)
#: expect sessions == np.flatnonzero(new)[np.cumsum(new) - 1]
from numba import cuda, float64, int64, uint64, void

SOFTENING = 0.01
PAUSE = 30


@cuda.jit(void(float64[:, :], float64[:, :]))
def jacobi(A, Anew):
    n, m = A.shape
    j, i = cuda.grid(2)
    if 1 <= i < n - 1 and 1 <= j < m - 1:
        Anew[i, j] = 0.25 * (A[i + 1, j] + A[i - 1, j] + A[i, j + 1] + A[i, j - 1])


@cuda.jit
def diffuse(now, later, steps, k):
    i = cuda.grid(1)
    grid = cuda.cg.this_grid()
    for step in range(steps):
        if step % 2 == 0:
            if i == 0 or i == len(now) - 1:
                later[i] = now[i]
            else:
                later[i] = now[i] + k * (now[i - 1] - 2 * now[i] + now[i + 1])
        else:
            if i == 0 or i == len(now) - 1:
                now[i] = later[i]
            else:
                now[i] = later[i] + k * (later[i - 1] - 2 * later[i] + later[i + 1])
        grid.sync()


@cuda.jit
def life(board, after):
    i, j = cuda.grid(2)
    rows, cols = board.shape
    if i < rows and j < cols:
        around = 0
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if di != 0 or dj != 0:
                    around += board[(i + di) % rows, (j + dj) % cols]
        if around == 3 or (around == 2 and board[i, j]):
            after[i, j] = 1
        else:
            after[i, j] = 0


@cuda.jit(device=True)
def pull(pi, pj, mj):
    dx = pj[0] - pi[0]
    dy = pj[1] - pi[1]
    dz = pj[2] - pi[2]
    r2 = dx * dx + dy * dy + dz * dz + SOFTENING
    s = mj / (r2 * r2 ** 0.5)
    return dx * s, dy * s, dz * s


@cuda.jit
def n_body(pos, mass, acc):
    i = cuda.grid(1)
    if i >= pos.shape[0]:
        return
    ax = ay = az = 0.0
    pi = (pos[i, 0], pos[i, 1], pos[i, 2])
    for j in range(pos.shape[0]):
        fx, fy, fz = pull(pi, (pos[j, 0], pos[j, 1], pos[j, 2]), mass[j])
        ax += fx
        ay += fy
        az += fz
    acc[i, 0], acc[i, 1], acc[i, 2] = ax, ay, az


@cuda.jit(device=True)
def lcg(state):
    return state * uint64(6364136223846793005) + uint64(1442695040888963407)


@cuda.jit(device=True)
def uniform(state):
    return float64(state >> 11) / 9007199254740992.0


@cuda.jit
def monte_carlo_pi(hits, rounds):
    state = lcg(uint64(cuda.grid(1)) * 7919 + 1)
    inside = int64(0)
    for _ in range(rounds):
        state = lcg(state)
        x = uniform(state)
        state = lcg(state)
        y = uniform(state)
        if x * x + y * y <= 1.0:
            inside += 1
    cuda.atomic.add(hits, 0, inside)


@cuda.jit
def sessionize(user, timestamp, results):
    me = cuda.grid(1)
    size = len(user)
    if me >= size:
        return
    is_first = me == 0
    if not is_first:
        is_first = (user[me] != user[me - 1]
                    or timestamp[me] - timestamp[me - 1] > PAUSE)
    if is_first:
        results[me] = me
        at = me + 1
        while at < size:
            if user[at] != user[me]:
                break
            if timestamp[at] - timestamp[at - 1] > PAUSE:
                break
            results[at] = me
            at += 1
