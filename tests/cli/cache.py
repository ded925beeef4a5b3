"""Where the tools' cache is, how large it may be, and running without it."""

import os

SOURCE = "@kernel\ndef k(x: int32[::1]):\n    x[grid(1)] = {}\n"


def ckrun(t, *options, env=None, value=7):
    file = t.write("k.ck", SOURCE.format(value))
    out = t.ok([t.ckrun, "--device", "cpu", *options, file, "k[1, 4](x)", "x=zeros(4, int32)", "--print", "x"],
               env=env).out
    assert out == f"[{value} {value} {value} {value}]\n", out


def entries(folder):
    return sorted(folder.glob("*.ckc"))


def without(t, **others):
    """An environment in which nothing names a folder but `others`, for `env`."""
    return [os.path.realpath(t.need("env")), "-u", "CK_CACHE_DIR", "-u", "CK_CACHE_SIZE", "-u", "XDG_CACHE_HOME", "-u",
            "HOME", *[f"{name}={value}" for name, value in others.items()]]


def test_folders(t):
    """CK_CACHE_DIR comes before XDG_CACHE_HOME, which comes before HOME; relative ones of the
    latter do not count."""
    file = t.write("k.ck", SOURCE.format(7))
    home, xdg, own = t.tmp / "home", t.tmp / "xdg", t.tmp / "own"
    cases = [({"HOME": home, "XDG_CACHE_HOME": xdg, "CK_CACHE_DIR": own}, own),
             ({"HOME": home, "XDG_CACHE_HOME": xdg}, xdg / "ck"), ({"HOME": home}, home / ".cache" / "ck"),
             ({"HOME": home, "XDG_CACHE_HOME": "xdg2"}, home / ".cache" / "ck"),
             ({"HOME": home, "XDG_CACHE_HOME": ""}, home / ".cache" / "ck"),
             ({"CK_CACHE_DIR": "here"}, t.tmp / "here"), ({"HOME": "home"}, None), ({}, None),
             ({"HOME": home, "CK_CACHE_DIR": ""}, None)]
    for variables, folder in cases:
        before = set(t.tmp.rglob("*.ckc"))
        for path in before:
            path.unlink()
        t.ok([*without(t, **variables), t.ckc, "-arch=sm_90", "-o", "out.ptx", file])
        made = list(t.tmp.rglob("*.ckc"))
        assert [path.parent for path in made] == ([folder] if folder else []), (variables, made)


def test_no_cache(t):
    folder = t.tmp / "kept"
    env = {"CK_CACHE_DIR": str(folder)}
    ckrun(t, "--no-cache", env=env)
    assert not folder.exists()
    ckrun(t, env=env)
    entry, = entries(folder)
    used = entry.stat().st_mtime_ns
    ckrun(t, "--no-cache", env=env)
    assert entry.stat().st_mtime_ns == used
    ckrun(t, env=env)
    assert entry.stat().st_mtime_ns > used
    t.ok([t.ckc, "--no-cache", "-arch=sm_90", "-o", "-", t.tmp / "k.ck"], env=env)
    assert entries(folder) == [entry]


def test_ckc_writes_the_same(t):
    """All that ckc emits, before and after; only PTX is kept."""
    file, env = t.write("k.ck", SOURCE.format(7)), {"CK_CACHE_DIR": str(t.tmp / "kept")}
    for kind in ("ptx", "llvm", "llvm-raw", "ast", "types", "manifest"):
        argv = [t.ckc, "-arch=sm_90", f"--emit={kind}", "-o", "-", file]
        want = t.ok(argv).out
        assert want and [t.ok(argv, env=env).out for _ in range(2)] == [want] * 2, kind
    t.ok([t.ckc, "--check", file], env=env)
    assert len(entries(t.tmp / "kept")) == 1


def test_size(t):
    folder = t.tmp / "kept"
    for size, kept in (("0", 0), ("100", 0), ("0K", 0), ("", 1), ("100K", 1), ("64M", 1), ("2G", 1), ("300000", 1)):
        ckrun(t, env={"CK_CACHE_DIR": str(folder), "CK_CACHE_SIZE": size})
        assert len(entries(folder)) == kept, size
    for value in range(60):
        ckrun(t, env={"CK_CACHE_DIR": str(folder), "CK_CACHE_SIZE": "64K"}, value=value)
        assert sum(path.stat().st_size for path in entries(folder)) <= 64 << 10
    assert 5 < len(entries(folder)) < 60


def test_size_that_is_none(t):
    file = t.write("k.ck", SOURCE.format(7))
    for size in ("much", "-1", "+1", " 1", "1X", "1MB", "1.5G", "0x10", "99999999999999999999", "99999999999G", "K"):
        for argv in ([t.ckc, "-o", "-", file], [t.ckrun, "--list", file]):
            name = argv[0].name
            t.fails(argv, 2, f"{name}: error: invalid CK_CACHE_SIZE `{size}`: expected a number of bytes, such as 256M",
                    env={"CK_CACHE_SIZE": size})
            t.ok([argv[0], "--no-cache", *argv[1:]], env={"CK_CACHE_SIZE": size})
