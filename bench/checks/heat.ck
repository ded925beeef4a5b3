#: source ../../examples/heat.ck
#: u, v = rng.random(4096, np.float32), poison(4096, np.float32)
#: launch heat[4, 128](u, v, 100.0, 200)
#: expect (u[0] == 100) & (u[-1] == 0)
