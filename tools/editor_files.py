#!/usr/bin/env python3
"""Writes the syntax files of editors/, whose names are those of lang/typed/builtins.def:
tools/editor_files.py

tests/project/editors.py tests that they are up to date.
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import builtins_page  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
SCALARS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
           "bfloat16", "float32", "float64", "complex64", "complex128", "void"]
NOTE = "tools/editor_files.py writes this file from lang/typed/builtins.def."


def names():
    """(functions and values without a dot, beginnings of paths, members of groups and arrays)"""
    rows = [row for row in builtins_page.all_rows(builtins_page.TABLE.read_text()) if row.is_public()]
    owners = {row.path.partition(".")[0] for row in rows} & set(builtins_page.OWNERS)
    plain = {row.path for row in rows if "." not in row.path}
    modules = {row.path.partition(".")[0] for row in rows if "." in row.path} - owners
    members = {row.path.partition(".")[2] for row in rows if row.path.partition(".")[0] in owners}
    return sorted(plain), sorted(modules), sorted(members)


def wrapped(words, prefix, last=""):
    """The words in lines of at most 96 columns, each after a prefix."""
    lines, line = [], prefix
    for word in words:
        if len(line) + len(word) > 95:
            lines.append(line)
            line = prefix
        line += f" {word}"
    return "\n".join([*lines, line + last])


def vim():
    plain, modules, _ = names()
    return f"""" Vim syntax of ck: that of Python, with the built-ins of kernels.
" {NOTE}

if exists("b:current_syntax")
  finish
endif
runtime! syntax/python.vim
unlet! b:current_syntax

{wrapped(plain, "syn keyword ckBuiltin")}
{wrapped(modules, "syn keyword ckModule")}
{wrapped(SCALARS, "syn keyword ckType")}

hi def link ckBuiltin Function
hi def link ckModule Include
hi def link ckType Type

let b:current_syntax = "ck"
"""


def emacs():
    plain, modules, _ = names()

    def strings(words):
        return wrapped([f'"{word}"' for word in words], "   ").lstrip()

    return f""";;; ck-mode.el --- Major mode for GPU kernels written in ck  -*- lexical-binding: t -*-

;;; Commentary:
;; Python's mode, with the built-ins of kernels.  {NOTE}

;;; Code:

(require 'python)

(defconst ck-mode-builtins
  '({strings(plain)})
  "Functions and values of the language.")

(defconst ck-mode-modules
  '({strings(modules)})
  "Names before a dot.")

(defconst ck-mode-types
  '({strings(SCALARS)})
  "Types of numbers.")

(defvar ck-mode-font-lock-keywords
  (list (cons (regexp-opt ck-mode-builtins 'symbols) 'font-lock-builtin-face)
        (cons (regexp-opt ck-mode-modules 'symbols) 'font-lock-constant-face)
        (cons (regexp-opt ck-mode-types 'symbols) 'font-lock-type-face))
  "What `ck-mode' highlights beside `python-mode'.")

;;;###autoload
(define-derived-mode ck-mode python-mode "ck"
  "Major mode for GPU kernels written in ck."
  (font-lock-add-keywords nil ck-mode-font-lock-keywords))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\\\.ck\\\\'" . ck-mode))

(provide 'ck-mode)
;;; ck-mode.el ends here
"""


def any_of(words):
    return "|".join(words)


def text_mate():
    """Python's grammar, of which VS Code has one, after the names of the language."""
    plain, modules, members = names()

    def rule(scope, words, before=r"(?<![.\w])"):
        return {"name": scope, "match": rf"{before}(?:{any_of(words)})\b"}

    grammar = {
        "name": "ck",
        "scopeName": "source.ck",
        "comment": NOTE,
        "patterns": [{"include": "source.python"}],
        "injections": {
            "L:source.ck -string -comment": {"patterns": [
                rule("support.type.ck", SCALARS, r"(?<![\w])"),
                rule("support.function.builtin.ck", plain),
                rule("support.function.builtin.ck", plain, r"(?:(?<=cuda\.)|(?<=cg\.)|(?<=math\.)|(?<=np\.))"),
                rule("support.module.ck", modules, r"(?<![\w])"),
                {"name": "support.function.member.ck", "match": rf"(?<=\.)(?:{any_of(members)})(?=\s*\()"},
            ]},
        },
    }
    return json.dumps(grammar, indent=2) + "\n"


def tree_sitter():
    plain, modules, members = names()
    q = [f'"{word}"' for word in plain]
    return f"""; Highlights of ck over Python's grammar (tree-sitter-python), after its own queries.
; {NOTE}

; inherits: python

((identifier) @function.builtin
 (#any-of? @function.builtin
{wrapped(q, " ")}))

((identifier) @module
 (#any-of? @module
{wrapped([f'"{word}"' for word in modules], " ")}))

((identifier) @type.builtin
 (#any-of? @type.builtin
{wrapped([f'"{word}"' for word in SCALARS], " ")}))

(call
  function: (attribute
    attribute: (identifier) @function.method)
  (#any-of? @function.method
{wrapped([f'"{word}"' for word in members], "  ")}))
"""


FILES = {
    "editors/vim/syntax/ck.vim": vim,
    "editors/emacs/ck-mode.el": emacs,
    "editors/vscode/syntaxes/ck.tmLanguage.json": text_mate,
    "editors/tree-sitter/highlights.scm": tree_sitter,
}

if __name__ == "__main__":
    for name, make in FILES.items():
        (ROOT / name).write_text(make())
