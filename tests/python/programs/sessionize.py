"""Sessions of a log: rows of a user within a hour of each other get the number of the first."""
import numpy as np
from numba import cuda

session_timeout = np.int64(3600)


@cuda.jit
def sessionize(user_id, timestamp, results):
    gid = cuda.grid(1)
    size = len(user_id)
    if gid >= size:
        return
    is_first_datapoint = gid == 0
    if not is_first_datapoint:
        new_user = user_id[gid] != user_id[gid - 1]
        timed_out = timestamp[gid] - timestamp[gid - 1] > session_timeout
        is_sess_boundary = new_user or timed_out
    else:
        is_sess_boundary = True
    if is_sess_boundary:
        results[gid] = gid
    else:
        results[gid] = 0
    grid = cuda.cg.this_grid()
    grid.sync()
    if is_sess_boundary:
        look_ahead = 1
        while look_ahead < size - gid and results[gid + look_ahead] == 0:
            results[gid + look_ahead] = gid
            look_ahead += 1


rng = np.random.default_rng(3)
n = 700
user_id = np.sort(rng.integers(0, 12, n)).astype(np.int64)
timestamp = np.zeros(n, np.int64)
for user in range(12):
    rows = user_id == user
    timestamp[rows] = np.cumsum(rng.integers(1, 7200, rows.sum()))
results = cuda.to_device(np.full(n, -1, np.int64))
sessionize.forall(n)(cuda.to_device(user_id), cuda.to_device(timestamp), results)

expected, session = np.zeros(n, np.int64), 0
for i in range(n):
    if i and (user_id[i] != user_id[i - 1] or timestamp[i] - timestamp[i - 1] > 3600):
        session = i
    expected[i] = session
assert (results.copy_to_host() == expected).all()
