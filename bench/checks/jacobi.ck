#: source ../../examples/jacobi.ck
#: u = rng.random((200, 200), np.float32)
#: v, moved, trips = u.copy(), np.zeros(3, np.float32), poison(1, np.int64)
#: launch jacobi[4, (32, 8)](u, v, moved, trips, 1e-9, 50)
#: expect trips == 50
