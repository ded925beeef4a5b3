"""ck-lsp with Neovim, without a window: diagnostics, hover, semantic tokens, definition,
renaming, a change, completion of an import."""

import json

SCRIPT = """
local answers = {}
local function wait(condition)
  assert(vim.wait(%d, condition, 20), "nothing came in time")
end
vim.cmd("edit a.ck")
vim.bo.filetype = "ck"
local id = vim.lsp.start_client({ name = "ck-lsp", cmd = { %s }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
local client
wait(function() client = vim.lsp.get_client_by_id(id) return client and client.initialized end)
local function ask(method, line, character, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(),
                   position = { line = line, character = character } }
  local answer = client.request_sync(method, vim.tbl_extend("force", params, more or {}), %d, 0)
  assert(answer and not answer.err, method)
  return answer.result
end
local function diagnostics(n)
  wait(function() return #vim.diagnostic.get(0) == n end)
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { d.lnum, d.col, d.end_col, d.severity, d.source, d.message })
  end
  return found
end
answers.first = diagnostics(1)
answers.hover = ask("textDocument/hover", 2, 9).contents.value
answers.tokens = ask("textDocument/semanticTokens/full", 0, 0).data
answers.definition = ask("textDocument/definition", 3, 6)
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", 2, 4, { newName = "row" }), client.offset_encoding)
answers.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.api.nvim_buf_set_lines(0, 3, 4, false, { "    x[row] = 1" })
answers.second = diagnostics(0)
vim.api.nvim_buf_set_lines(0, 0, 0, false, { "from numba.cuda import " })
answers.imports = {}
for _, item in ipairs(ask("textDocument/completion", 0, 23)) do
  table.insert(answers.imports, item.label)
end
vim.fn.writefile({ vim.fn.json_encode(answers) }, "answers.json")
vim.lsp.stop_client(id)
wait(function() return client.is_stopped() end)
vim.cmd("qall!")
"""
TEXT = "@kernel\ndef k(x: float32[:]):\n    i = grid(1)\n    x[i] = unknown_name\n"


def test_session(t):
    nvim = t.need("nvim")
    if not t.ck_lsp.exists():
        t.skip("there is no ck-lsp")
    patience = 20000 * t.layout.patience
    t.write("a.ck", TEXT)
    t.write("session.lua", SCRIPT % (patience, json.dumps(str(t.ck_lsp)), patience))
    home = {"HOME": str(t.tmp), "XDG_CONFIG_HOME": str(t.tmp), "XDG_STATE_HOME": str(t.tmp), "XDG_CACHE_HOME": str(t.tmp)}
    result = t.ok([nvim, "--headless", "-n", "-u", "NONE", "-c", "luafile session.lua", "-c", "cquit"], env=home)
    path = t.tmp / "answers.json"
    assert path.exists(), result
    answers = json.loads(path.read_text())
    assert answers["first"] == [[3, 11, 23, 1, "ck", "`unknown_name` is not defined"]], answers["first"]
    assert "grid(1 argument)" in answers["hover"] and "position in the whole grid" in answers["hover"]
    assert answers["definition"]["range"]["start"] == {"line": 2, "character": 4}
    assert answers["definition"]["uri"].endswith("/a.ck")
    assert answers["text"] == ["@kernel", "def k(x: float32[:]):", "    row = grid(1)", "    x[row] = unknown_name"]
    assert answers["second"] == []
    # `k`, a function, and `x`, a parameter
    assert answers["tokens"][:10] == [1, 4, 1, 5, 1, 0, 2, 1, 2, 1], answers["tokens"]
    assert "syncthreads" in answers["imports"] and "for" not in answers["imports"]
