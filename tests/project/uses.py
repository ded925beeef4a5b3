"""Which built-ins the run tests use: what is read or called in functions that a launch reaches.

A .ck file is Python to the eye, so Python's parser reads it. Comments, strings, functions that
nothing launches, names of a file's own, and files for one device only do not count.
"""

import ast
import re

from harness import kernels

ROOTS = {"cuda", "math", "np", "numpy", "numba"}
THROUGH = {"cuda", "cg", "types"}
# What makes the handles whose members are rows.
MAKERS = {"this_grid": "grid_group", "this_thread_block": "thread_block",
          "this_block": "thread_block"}


def launched(script, names):
    """The functions that launches name; where launches are computed, those that any line names."""
    texts, made_up = [], False
    for step in script.steps:
        if isinstance(step, kernels.Group):
            texts += [text for _, text in step.launches]
            made_up = made_up or any(word == "launches" for word, _ in step.launches)
    if made_up:
        texts += [step[2] for step in script.steps if not isinstance(step, kernels.Group)]
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return words & set(names)


def stored(tree):
    """The names that are assigned to."""
    return {node.id for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


class File:
    def __init__(self, path):
        self.script = kernels.parse(path)
        self.tree = ast.parse(self.script.source.read_text())
        self.functions = {f.name: f for f in self.tree.body if isinstance(f, ast.FunctionDef)}
        self.imports = {}  # a name -> the path it stands for, "" for a root
        own = set(self.functions)
        for node in self.tree.body:
            if isinstance(node, ast.Import):
                for name in node.names:
                    self.imports[name.asname or name.name] = ""
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    self.imports[name.asname or name.name] = name.name
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                own |= stored(node)
        self.own = own - set(self.imports)

    def reached(self):
        """The functions that launches reach, and the statements of constants."""
        todo, done = launched(self.script, self.functions), set()
        while todo:
            name = todo.pop()
            done.add(name)
            words = {n.id for n in ast.walk(self.functions[name]) if isinstance(n, ast.Name)}
            todo |= (words & set(self.functions)) - done
        constants = [n for n in self.tree.body if isinstance(n, (ast.Assign, ast.AnnAssign))]
        return [self.functions[name] for name in done] + constants

    def path_of(self, node, local):
        """The dotted path of a name or an attribute without prefixes; None if it is not one."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id in local:
            return None
        if node.id in self.imports:
            parts = [p for p in self.imports[node.id].split(".") if p] + parts
        elif node.id not in ROOTS:
            parts.insert(0, node.id)
        while parts and parts[0] in THROUGH | ROOTS:
            parts.pop(0)
        return ".".join(parts) or None

    def group_of(self, node, local):
        called = isinstance(node, ast.Call) and self.path_of(node.func, local)
        return MAKERS.get(called)

    def uses_of(self, function):
        local = set(self.own)
        if isinstance(function, ast.FunctionDef):
            local |= {a.arg for a in function.args.args}
            local |= stored(function)
            function = ast.Module(function.body, [])
        groups = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and self.group_of(node.value, local):
                groups.update({t.id: self.group_of(node.value, local)
                               for t in node.targets if isinstance(t, ast.Name)})
        for node in ast.walk(function):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute):
                handle = called.value
                group = self.group_of(handle, local) or groups.get(getattr(handle, "id", None))
                if group:
                    yield f"{group}.{called.attr}", True
                elif self.path_of(called, local) is None:
                    yield f"group.{called.attr}", True  # of a handle made or passed
            if called is not None and self.path_of(called, local):
                yield self.path_of(called, local), True
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                path = self.path_of(node, local)
                if path:
                    yield path, False


def of_file(path):
    """{(path, whether it is called)} of a run test; nothing of one that is for one device only."""
    file = File(path)
    if file.script.only:
        return set()
    return {use for function in file.reached() for use in file.uses_of(function)}
