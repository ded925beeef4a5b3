def f(a):
    print(f"a is {a}")
    print(b'bytes', rb"x", F'''f''' "joined")
    print(t"template")
