"""--completion: the scripts of shells, and what bash makes of them."""

import re


def complete(t, tool, script, *words):
    """The words that bash offers for the last word of a command line."""
    line = " ".join(f"'{word}'" for word in words)
    program = (f"compopt() {{ :; }}; source ./{script}; COMP_WORDS=({tool} {line}); COMP_CWORD={len(words)}; _{tool}; "
               "printf '%s\\n' \"${COMPREPLY[@]}\"")
    return t.ok([t.need("bash"), "-c", program]).out.split()


def test_bash(t):
    for tool, path in (("ckc", t.ckc), ("ckrun", t.ckrun)):
        t.write(f"{tool}.bash", t.ok([path, "--completion", "bash"]).out)
        assert complete(t, tool, f"{tool}.bash", "--diag") == ["--diagnostics="]
        assert complete(t, tool, f"{tool}.bash", "--vers") == ["--version"]
        assert complete(t, tool, f"{tool}.bash", "--nope") == []
    assert complete(t, "ckrun", "ckrun.bash", "--be") == ["--bench"]
    assert set(complete(t, "ckc", "ckc.bash", "--em")) == {"--emit="}
    assert complete(t, "ckc", "ckc.bash", "kernel") == []


def test_values_in_bash(t):
    """After `=`, which is a word of its own, and as the next word."""
    t.write("ckc.bash", t.ok([t.ckc, "--completion", "bash"]).out)
    for words in (["--emit", "=", "ll"], ["--emit", "ll"]):
        assert complete(t, "ckc", "ckc.bash", *words) == ["llvm", "llvm-raw"], words
    assert complete(t, "ckc", "ckc.bash", "--color", "=") == ["auto", "always", "never"]
    assert complete(t, "ckc", "ckc.bash", "--output-file", "=", "x") == []


def long_options(text):
    return set(re.findall(r"(?<![\w-])--([a-z][a-z_-]+)", text))


def test_every_option_of_the_help_is_offered(t):
    for tool in (t.ckc, t.ckrun):
        helped = long_options(t.ok([tool, "--help=all"]).out)
        for shell, pattern in (("bash", r"--([\w-]+)"), ("zsh", r"'\*--([\w-]+)"), ("fish", r" -l '([\w-]+)'")):
            offered = set(re.findall(pattern, t.ok([tool, "--completion", shell]).out))
            assert helped <= offered, (tool, shell, helped - offered)


def test_fish_and_zsh(t):
    fish = t.ok([t.ckc, "--completion=fish"]).out
    assert "complete -c ckc -l 'color' -r -a 'auto always never' -d 'colours in messages'\n" in fish, fish
    assert "complete -c ckc -s 'o' -r -d " in fish
    assert "complete -c ckc -o 'O'" in fish and "complete -c ckc -o 'arch' -r" in fish
    zsh = t.ok([t.ckc, "--completion=zsh"]).out
    assert zsh.startswith("#compdef ckc\n") and "'*--color=[colours in messages]:value:(auto always never)'" in zsh, zsh
    assert "'*-o+[" in zsh and "'*--gpu-name=:value:_files'" in zsh, zsh


def test_in_fish(t):
    """What fish offers."""
    fish = t.need("fish")
    for tool, path, typed, wanted in (("ckc", t.ckc, "ckc --diagnostics=", "--diagnostics=json"),
                                      ("ckrun", t.ckrun, "ckrun --ben", "--bench")):
        t.write(f"{tool}.fish", t.ok([path, "--completion", "fish"]).out)
        offered = t.ok([fish, "--no-config", "-c", f"source {tool}.fish; complete -C '{typed}'"], env={"HOME": str(t.tmp)}).out
        assert wanted in [line.split("\t")[0] for line in offered.splitlines()], (typed, offered)


ZSH = """zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1="=> "; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; print READ${:-Y}'
zpty -r shell text '*READY*=> *'
zpty -n -w shell "$1"$'\\t'
zpty -r shell text "*$2*" && print found
"""


def test_in_zsh(t):
    """What zsh makes of a tabulator, which takes a terminal."""
    zsh = t.need("zsh")
    t.write("complete.zsh", ZSH)
    for tool, path, typed, wanted in (("ckc", t.ckc, "ckc --diagnostics=js", "--diagnostics=json"),
                                      ("ckrun", t.ckrun, "ckrun --benc", "--bench")):
        t.write(f"_{tool}", t.ok([path, "--completion", "zsh"]).out)
        assert t.ok([zsh, "-f", "complete.zsh", typed, wanted]).out == "found\n", typed


def test_usage(t):
    t.fails([t.ckc, "--completion=csh"], 2, "unknown value `csh` of --completion; ")
