"""tools/setup.sh: nothing to do when the packages are there, a clear message when they are not."""

import time

ABSENT = "#!/bin/sh\nexit 1\n"
PRESENT = "#!/bin/sh\nprintf installed\n"


def fake_path(t, **commands):
    """A folder of stand-ins for commands, to be all of PATH that matters."""
    for name, script in commands.items():
        t.write(f"bin/{name.replace('_', '-')}", script).chmod(0o755)
    for name in ("sh", "env", "mktemp", "rm", "cat"):
        (t.tmp / "bin" / name).symlink_to(t.need(name))
    return {"PATH": str(t.tmp / "bin")}


def test_nothing_missing(t):
    t.need_tree()
    env = fake_path(t, dpkg_query=PRESENT, id="#!/bin/sh\necho 1000\n",
                    apt_get="#!/bin/sh\necho apt-get was called >&2\nexit 1\n")
    start = time.monotonic()
    result = t.ok([t.root / "tools" / "setup.sh"], env=env)
    assert result.out == "" and result.err == ""
    assert time.monotonic() - start < 5 * t.layout.patience


def test_missing_without_root(t):
    t.need_tree()
    env = fake_path(t, dpkg_query=ABSENT, id="#!/bin/sh\necho 1000\n")
    t.fails([t.root / "tools" / "setup.sh"], 1, "llvm-22-dev", "re2c", "takes root",
            "apt-get install", env=env)


def test_missing_with_root(t):
    t.need_tree()
    calls = t.tmp / "calls"
    apt_get = f'#!/bin/sh\necho "$@" >>{calls}\n: >{t.tmp}/installed\n'
    query = f"#!/bin/sh\n[ -e {t.tmp}/installed ] && printf installed\n"
    env = fake_path(t, dpkg_query=query, id="#!/bin/sh\necho 0\n", apt_get=apt_get,
                    apt_cache="#!/bin/sh\nexit 0\n")
    t.ok([t.root / "tools" / "setup.sh"], env=env)
    lines = calls.read_text().splitlines()
    assert len(lines) == 2 and lines[0].endswith("update"), lines
    assert "install --no-install-recommends" in lines[1] and "libclc-22" in lines[1], lines


def test_no_llvm_in_the_archive(t):
    t.need_tree()
    env = fake_path(t, dpkg_query=ABSENT, id="#!/bin/sh\necho 0\n",
                    apt_get="#!/bin/sh\nexit 0\n", apt_cache="#!/bin/sh\nexit 100\n")
    t.fails([t.root / "tools" / "setup.sh"], 1, "bookworm-security", env=env)


def test_not_debian(t):
    t.need_tree()
    env = fake_path(t, id="#!/bin/sh\necho 1000\n")
    result = t.ok([t.root / "tools" / "setup.sh"], env=env)
    assert "not a Debian system" in result.err and "re2c" in result.err
