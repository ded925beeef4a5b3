"""The cache: what is kept is what was compiled, nothing else is taken for it, and nothing about it
is an error."""

import concurrent.futures
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

from api.common import build, reseal
from harness.process import environment

HERE = Path(__file__).parent
SOURCE = """\
@kernel
def k(x: int32[::1]):
    i = grid(1)
    syncthreads()
    if i < len(x):
        x[i] = 3 * i + {}
"""
MATH = "@kernel\ndef k(x: float32[::1]):\n    x[0] = sin(x[0])\n"
LIMIT = 1 << 20


class Rig:
    """The program of cache.c, a folder for its cache, and a source."""

    def __init__(self, t, text=SOURCE.format(1)):
        self.t = t
        self.program = build(t, HERE / "cache.c")
        self.folder = t.tmp / "kept"
        self.file = t.write("k.ck", text)

    def argv(self, what, *options, file=None, limit=LIMIT):
        return [self.program, self.folder, limit, file or self.file, what, *options]

    def run(self, what, *options, file=None, limit=LIMIT, env=None):
        """(what was written, [found, missed, kept])"""
        result = self.t.ok(self.argv(what, *options, file=file, limit=limit), env=env)
        counts = re.sub(r"^==.*WARNING.*\n", "", result.err, flags=re.M)  # of newer sanitizers
        return result.out, [int(n) for n in counts.split()]

    def counts(self, *args, **kwargs):
        return self.run(*args, **kwargs)[1]

    def entries(self):
        return sorted(self.folder.glob("*.ckc"))


def expected(added=1):
    return "".join(f"{3 * i + added} " for i in range(64))


def test_second_time(t):
    """PTX, and code of the CPU device with its barriers, from another process's compilation."""
    rig = Rig(t)
    first, counts = rig.run("sm_90")
    assert counts == [0, 1, 1]
    assert rig.run("sm_90") == (first, [1, 0, 0])
    assert rig.run("cpu") == (expected(), [0, 1, 1])
    assert rig.run("cpu") == (expected(), [1, 0, 0])
    assert rig.run("cpu:2") == (expected(), [1, 0, 0])
    assert rig.counts("cpu", "twice") == [1, 0, 0, 1, 0, 0]


def test_none(t):
    rig = Rig(t)
    rig.folder = ""
    assert rig.run("cpu") == (expected(), [0, 0, 0])
    assert not list(t.tmp.glob("**/*.ckc"))


def test_what_else_is_compiled_anew(t):
    """Each option, the source, its name, the signature, the target."""
    rig = Rig(t)
    variants = [[], ["lineinfo"], ["no_fmad"], ["restrict"], ["aligned"], ["O0"], ["O1"], ["name=other"]]
    outputs = []
    for options in variants:
        out, counts = rig.run("sm_90", *options)
        assert counts == [0, 1, 1], (options, counts)
        outputs.append(out)
    assert rig.counts("sm_80") == [0, 1, 1]
    rig.file.write_text(SOURCE.format(2))
    assert rig.run("cpu") == (expected(2), [0, 1, 1])
    rig.file.write_text(SOURCE.format(1) + "\n")
    assert rig.counts("sm_90") == [0, 1, 1]
    rig.file.write_text(SOURCE.format(1))
    for options, out in zip(variants, outputs):
        assert rig.run("sm_90", *options) == (out, [1, 0, 0]), options


def test_signatures(t):
    rig = Rig(t, "@kernel\ndef k(x, n):\n    x[0] = n\n")
    sigs = ["k(int32[::1], int32)", "k(int32[:], int32)", "k(int32[::1], int64)", "k(float32[::1], int64)"]
    for sig in sigs:
        assert rig.counts("sm_90", f"sig={sig}") == [0, 1, 1], sig
    for sig in sigs:
        assert rig.counts("sm_90", f"sig={sig}") == [1, 0, 0], sig


def test_libdevice(t):
    """Its content counts, not its name; what cannot be read is the error it is without a cache."""
    nvcc = Path(t.need("nvcc")).resolve()
    library = (nvcc.parent.parent / "nvvm/libdevice/libdevice.10.bc").read_bytes()
    rig = Rig(t, MATH)
    one, other = t.write("one.bc", library), t.write("other.bc", library)
    assert rig.counts("sm_90") == [0, 1, 1]
    assert rig.counts("sm_90", f"libdevice={one}") == [0, 1, 1]
    assert rig.counts("sm_90", f"libdevice={other}") == [1, 0, 0]
    other.write_bytes(b"no bitcode")
    t.fails(rig.argv("sm_90", f"libdevice={other}"), 1, "is not LLVM bitcode that can be read", "0 1 0")
    other.unlink()
    t.fails(rig.argv("sm_90", f"libdevice={other}"), 1, "other.bc: No such file or directory")
    assert len(rig.entries()) == 2


def test_another_build(t):
    """A build of ck that differs finds nothing of this one."""
    if t.sanitized:
        t.skip("a sanitised library is not linked anew here")
    rig = Rig(t)
    assert rig.counts("cpu") == [0, 1, 1]
    library = t.tmp / "lib" / "libck.so.0"
    content = bytearray(library.read_bytes())
    library.unlink()
    note = content.index(b"GNU\0", content.index(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0"))
    content[note + 4] ^= 1
    library.write_bytes(content)
    assert rig.run("cpu") == (expected(), [0, 1, 1])
    content[note - 4] = 99  # a note of another kind: no build id, and so nothing is kept
    library.write_bytes(content)
    assert rig.run("cpu") == (expected(), [0, 1, 0])


GENERIC = """\
@kernel
def k(x, n):
    i = grid(1)
    if i < n:
        x[i] = float32(6 * i / 2)
@kernel
def other(x):
    syncthreads()
    x[grid(1)] += float32(2 / x[0:].size)
"""


def test_warnings(t):
    """Those that come with a launch's types too are given each time, and are no part of the
    code."""
    file, folder = t.write("k.ck", GENERIC), t.tmp / "kept"
    words = ["k[1, 4](x, 3)", "other[2, 2](x)", "k[1, 4](y, 3)", "x=zeros(4, int32)", "y=zeros(4, int64)"]
    for device, env in (("cpu", {}), ("cuda", t.fake_cuda_env())):
        argv = [t.ckrun, "--device", device, file, *words, "--print", "x", "--print", "y"]
        want = t.ok([*argv, "--no-cache"], env=env)
        assert want.err.count("[unasked-float64]") == 3, want
        assert device == "cuda" or want.out == "[0 3 6 0]\n[0 3 6 0]\n", want
        for _ in range(3):
            got = t.ok(argv, env={**env, "CK_CACHE_DIR": str(folder)})
            assert (got.out, got.err) == (want.out, want.err), got
    assert len(list(folder.glob("*.ckc"))) == 3 + 3


# --- Damage ---------------------------------------------------------------------------------------


def mutations(rng, content, other):
    """(what it is, what stands in the file)"""
    yield "empty", b""
    yield "a zero", b"\0"
    yield "another entry", other
    yield "longer", content + b"\0"
    yield "header alone", content[:40]
    yield "zeros", bytes(len(content))
    yield "huge lengths", content[:24] + b"\xff" * 16 + content[40:]
    for _ in range(12):
        at = rng.randrange(len(content))
        yield f"cut at {at}", content[:at]
        yield f"byte {at} changed", content[:at] + bytes([content[at] ^ (1 << rng.randrange(8))]) + content[at + 1:]


def test_damaged_files(t):
    rng = random.Random(5)
    for what in ("cpu", "sm_90"):
        rig = Rig(t)
        want, _ = rig.run(what)
        entry, = rig.entries()
        content = entry.read_bytes()
        other = t.write("other.ck", SOURCE.format(2))
        rig.run(what, file=other)
        foreign, = (path.read_bytes() for path in rig.entries() if path != entry)
        for name, mutated in mutations(rng, content, foreign):
            entry.write_bytes(mutated)
            assert rig.run(what) == (want, [0, 1, 1]), name
            assert rig.run(what) == (want, [1, 0, 0]), name
        for path in rig.entries():
            path.unlink()


def test_what_is_no_file(t):
    """A folder, a pipe or a link where an entry is due; a link's target is neither read nor
    changed."""
    rig = Rig(t)
    want, _ = rig.run("cpu")
    entry, = rig.entries()
    content = entry.read_bytes()
    elsewhere = t.write("elsewhere", content)
    for make in (lambda: entry.symlink_to(elsewhere), lambda: os.mkfifo(entry),
                 lambda: entry.symlink_to(t.tmp / "nowhere")):
        entry.unlink()
        make()
        assert rig.run("cpu") == (want, [0, 1, 1])
        assert rig.run("cpu") == (want, [1, 0, 0])
        assert elsewhere.read_bytes() == content and not (t.tmp / "nowhere").exists()
    entry.unlink()
    entry.mkdir()
    for _ in range(2):
        assert rig.run("cpu") == (want, [0, 1, 0])
    assert not list(rig.folder.glob("unfinished-*"))


def test_the_file_of_sizes(t):
    """What counts the bytes added may be anything too."""
    rig = Rig(t)
    added = rig.folder / "added"
    rig.folder.mkdir(mode=0o700)
    for make in (added.mkdir, lambda: os.mkfifo(added), lambda: added.symlink_to(t.tmp / "nowhere"),
                 lambda: added.write_bytes(bytes(100_000))):
        make()
        assert rig.run("cpu") == (expected(), [0, 1, 1])
        rig.entries()[0].unlink()
        if added.is_dir():
            added.rmdir()
        added.unlink(missing_ok=True)
    assert not (t.tmp / "nowhere").exists()


# --- Folders --------------------------------------------------------------------------------------


def test_folder_is_made_for_its_user(t):
    rig = Rig(t)
    rig.folder = t.tmp / "a" / "b" / "kept"
    os.umask(0o022)
    assert rig.counts("cpu") == [0, 1, 1]
    for path in (t.tmp / "a", t.tmp / "a" / "b", rig.folder):
        assert path.stat().st_mode & 0o777 == 0o700, path
    for path in rig.folder.iterdir():
        assert path.stat().st_mode & 0o777 == 0o600, path


def test_folders_that_will_not_do(t):
    rig = Rig(t)
    for folder in (t.write("file", "x"), t.tmp / "file" / "below", Path("/proc/ck"), Path("/dev/null"), "x" * 5000):
        rig.folder = folder
        assert rig.run("cpu") == (expected(), [0, 1, 0]), folder


def test_folders_of_others(t):
    """Where others may write, nothing is read or kept: it would be run."""
    rig = Rig(t)
    assert rig.counts("cpu") == [0, 1, 1]
    for mode in (0o770, 0o707, 0o777):
        rig.folder.chmod(mode)
        assert rig.run("cpu") == (expected(), [0, 1, 0]), oct(mode)
    rig.folder.chmod(0o755)
    assert rig.counts("cpu") == [1, 0, 0]
    entry, = rig.entries()
    entry.chmod(0o666)
    assert rig.run("cpu") == (expected(), [0, 1, 1])
    if os.geteuid() == 0:
        os.chown(rig.entries()[0], 12345, 12345)
        assert rig.counts("cpu") == [0, 1, 1]
        os.chown(rig.folder, 12345, 12345)
        assert rig.run("cpu") == (expected(), [0, 1, 0])


def test_folder_that_is_read_only(t):
    rig = Rig(t)
    prefix = []
    if os.geteuid() == 0:  # who may write everywhere
        prefix = [t.need("setpriv"), "--reuid=65534", "--clear-groups"]
        t.tmp.chmod(0o755)
        for link in (t.tmp / "lib").iterdir():  # they may lead where root alone can go
            library = link.resolve()
            link.unlink()
            shutil.copy(library, link)

    def counts(what):
        return t.ok([*prefix, *rig.argv(what)]).err

    rig.folder.mkdir(mode=0o700)
    if prefix:
        os.chown(rig.folder, 65534, -1)
    assert counts("cpu") == "0 1 1\n"
    rig.folder.chmod(0o500)
    assert [counts(what) for what in ("cpu", "sm_90", "cpu")] == ["1 0 0\n", "0 1 0\n", "1 0 0\n"]
    assert len(list(rig.folder.iterdir())) == 2


def test_full_disk(t):
    rig = Rig(t)
    for _ in range(2):
        assert rig.run("cpu", env={"FAIL_WRITES": "1"}) == (expected(), [0, 1, 0])
    assert not list(rig.folder.glob("*")), list(rig.folder.glob("*"))


# --- The limit ------------------------------------------------------------------------------------


def test_limit(t):
    """The longest not used go first, and what others put into the folder stays."""
    rig = Rig(t)
    files = [t.write(f"{i}.ck", SOURCE.format(i)) for i in range(24)]
    rig.run("cpu", file=files[0], limit=64 << 10)
    size = rig.entries()[0].stat().st_size
    limit = 8 * size + size // 2
    t.write("kept/notes.txt", "x" * 100_000)
    left = t.write("kept/unfinished-0123456789abcdef", "x")
    recent = t.write("kept/unfinished-fedcba9876543210", "x")
    os.utime(left, (0, 0))
    for i, file in enumerate(files[1:], 1):
        assert rig.counts("cpu", file=file, limit=limit) == [0, 1, 1]
        assert rig.counts("cpu", file=files[0], limit=limit) == [1, 0, 0], i
        assert sum(path.stat().st_size for path in rig.entries()) <= limit
    assert len(rig.entries()) >= 6
    assert rig.counts("cpu", file=files[-1], limit=limit) == [1, 0, 0]
    assert rig.counts("cpu", file=files[1], limit=limit) == [0, 1, 1]
    assert (rig.folder / "notes.txt").exists() and not left.exists() and recent.exists()


def test_larger_than_the_limit(t):
    rig = Rig(t)
    assert rig.run("cpu", limit=1000) == (expected(), [0, 1, 0])
    assert rig.counts("cpu") == [0, 1, 1]
    assert rig.counts("cpu", limit=1000) == [0, 1, 0]


# --- Several at once ------------------------------------------------------------------------------


def test_many_at_once(t):
    """Processes that keep and take the same and other things, in a folder that is too small."""
    rig = Rig(t)
    files = [t.write(f"{i}.ck", SOURCE.format(i)) for i in range(4)]
    limit = 16 << 10

    def work(trip):
        file = files[trip % len(files)]
        done = subprocess.run([str(a) for a in rig.argv("cpu", file=file, limit=limit)],
                              env=environment(), capture_output=True, text=True, timeout=60 * t.layout.patience)
        return done.returncode == 0 and done.stdout == expected(trip % len(files))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(64)))
    assert not list(rig.folder.glob("unfinished-*"))


def test_damaged_with_a_right_checksum(t):
    """What cannot be loaded is compiled anew and replaced, whatever its checksum says."""
    for what in ("cpu", "sm_90"):
        rig = Rig(t)
        want, counts = rig.run(what)
        assert counts == [0, 1, 1]
        entry, = rig.entries()
        whole = entry.read_bytes()
        key_length = int.from_bytes(whole[24:32], "little")
        value = 40 + key_length
        for damage in (lambda b: bytes(len(b)), lambda b: b[:len(b) // 2] + bytes(len(b) - len(b) // 2) if what == "cpu"
                       else b.replace(b"end\n", b"end \n")[:len(b)], lambda b: b"\xff" * 64 + b[64:]
                       if what == "cpu" else b.replace(b"0x", b"0y")):
            damaged = whole[:value] + damage(whole[value:])
            assert len(damaged) == len(whole) and damaged != whole
            entry.write_bytes(damaged)
            reseal(t, entry)
            assert rig.run(what) == (want, [1, 0, 1]), what
            assert rig.run(what) == (want, [1, 0, 0]), what
        entry.unlink()
