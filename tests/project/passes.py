"""docs/passes.md names the passes that the pipelines run, and --emit=llvm-after shows each."""

import re

RUN = re.compile(r'ck_(?:run_pass|run_named|pass_ran)\(gen, "([\w-]+)"')


def page_names(t, title):
    page = (t.root / "docs" / "passes.md").read_text()
    section = page.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([\w-]+)` \|", section, re.M)


def test_page_has_the_pipelines(t):
    """Every name that a target's pipeline.c runs, and no other."""
    t.need_tree()
    for title, folder in ("NVPTX", "nvptx"), ("Host", "host"):
        source = (t.root / "codegen" / folder / "pipeline.c").read_text()
        assert set(page_names(t, title)) == set(RUN.findall(source)), title


def test_each_pass_is_shown(t):
    """In the order of the page, each as a module that has the kernel."""
    t.need_tree()
    source = t.write("k.ck", "@kernel\ndef k(x: float32[::1], n: int64):\n    i = grid(1)\n"
                             "    if i < n:\n        x[i] = 2\n")
    for title, arch in ("NVPTX", "sm_90"), ("Host", "host"):
        ckc = [t.ckc, f"-arch={arch}", "-o", "-", source]
        message = t.fails([*ckc, "--emit=llvm-after=no-such-pass"], 2,
                          f"no pass `no-such-pass` ran for {arch}; passes that ran: ").err
        ran = message.split("passes that ran: ")[1].strip().split(", ")
        assert ran == [name for name in page_names(t, title) if name in ran], (ran, title)
        assert len(ran) >= 6, ran
        for name in ran:
            text = t.ok([*ckc, f"--emit=llvm-after={name}"]).out
            assert re.search(r"define .*@k(\.block)?\(", text), (name, text)
        assert t.ok([*ckc, f"--emit=llvm-after={ran[-1]}"]).out == t.ok([*ckc, "--emit=llvm"]).out
