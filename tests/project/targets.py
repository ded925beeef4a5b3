"""A target fills sub-tables of hooks: few are required, and the rest are absent, not empty."""

import re

MEMBER = re.compile(r"((?:[ ]*/\*(?:[^*]|\*(?!/))*\*/\n)?)"  # a comment before it
                    r"[ ]{4}[^\n;/]*?(?:\(\*(\w+)\)\((?:[^;])*?\)|(\w+)(?:\[[^\]]*\])?(?:, \*\w+)?);"
                    r"([^\n]*)")
MOST_MEMBERS = 20  # of struct ck_target
MOST_REQUIRED = 8  # of a sub-table


def body_of(text, struct):
    return re.search(rf"^struct {struct} {{\n(.*?)^}};", text, re.M | re.S)[1]


def hooks(text, table):
    """{hook: whether NULL has a meaning}; a comment holds up to the next one."""
    found, optional_group = {}, False
    for before, hook, _, after in MEMBER.findall(body_of(text, table)):
        if before:
            optional_group = "NULL, all three" in before or "NULL, both" in before
        if hook:
            found[hook] = "NULL:" in before + after or optional_group
    return found


def tables(text):
    return re.findall(r"const struct (ck_\w+_ops) \*(\w+);", body_of(text, "ck_target"))


def may_be_absent(text, member):
    return re.search(rf"\*{member};\s*/\* NULL:", body_of(text, "ck_target"))


def source_of(t, folder):
    return "\n".join(path.read_text() for path in sorted((t.root / "codegen" / folder).glob("*.c")))


def test_few_members_are_required(t):
    t.need_tree()
    text = (t.root / "codegen" / "core" / "target.h").read_text()
    members = MEMBER.findall(body_of(text, "ck_target"))
    assert 5 <= len(members) <= MOST_MEMBERS, members
    assert len(tables(text)) >= 8, tables(text)
    for table, _ in tables(text):
        required = [hook for hook, optional in hooks(text, table).items() if not optional]
        assert hooks(text, table) and len(required) <= MOST_REQUIRED, (table, required)


def test_targets_fill_the_tables(t):
    """Each target has every required hook."""
    t.need_tree()
    text = (t.root / "codegen" / "core" / "target.h").read_text()
    for folder in ("nvptx", "host"):
        source = source_of(t, folder)
        for table, member in tables(text):
            value = re.search(rf"const struct {table} \w+ = {{(.*?)}};", source, re.S)
            assert value or may_be_absent(text, member), (folder, table)
            if not value:
                continue
            filled = set(re.findall(r"\.(\w+) =", value[1]))
            required = {hook for hook, optional in hooks(text, table).items() if not optional}
            assert required <= filled, (folder, table, required - filled)


def test_no_hook_is_empty(t):
    """A function that only discards its parameters fills space: NULL says the same."""
    t.need_tree()
    empty = re.compile(r"^(\w+)\([^)]*\)\n{\n(?: +\(void\)\w+;\n)*}", re.M)
    assert empty.search("void\nf(int a)\n{\n    (void)a;\n}\n")
    for folder in ("nvptx", "host"):
        assert not empty.findall(source_of(t, folder)), folder
