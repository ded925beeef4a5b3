@kernel
def f(a: int32[:]):
    print(f"a is {a[0]!r}")
    print(f"{}", f"{ }")
    print(f"{a[0]", f"{a[0]:")
    print(f"} and {{ and }}", rf"{a[0]}")
    print(f"{a[0] +}", f"{1:{2:3}}")
    print(f"{a[0]:{a[}")
    print(fb"a", f"\x", "a" f"{b"")
    f"{a[0]}" = 3
    a[f"{a[0]}"] = 3
    assert a[0] == 1, f"wrong {a[0]}"
    assert a[0] == 1, a[0]
