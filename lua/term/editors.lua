-- term/editors.lua: which editor, and how it is told the line.
--
--     editors.command(path [, line])   the shell command that opens the file there

local config = require "moontile.config"

local M = {}

-- How editors take a line, by the name of their program: "+" before the file,
-- ":" behind it.  `wait`: what makes those of them wait that would go to the background.
local forms = {
  vi = "+", vim = "+", nvim = "+", view = "+", elvis = "+", nano = "+", pico = "+", rnano = "+",
  emacs = "+", emacsclient = "+", jove = "+", mg = "+", zile = "+", joe = "+", jmacs = "+",
  jed = "+", ne = "+", ee = "+", mcedit = "+", kak = "+", gedit = "+", gvim = "+", vis = "+",
  ["sensible-editor"] = "+", editor = "+",
  micro = ":", hx = ":", helix = ":", subl = ":", code = ":", codium = ":", cursor = ":",
  zed = ":", ["code-insiders"] = ":",
}
local wait = {
  code = "--wait -g", codium = "--wait -g", ["code-insiders"] = "--wait -g", cursor = "--wait -g",
  subl = "--wait", zed = "--wait", gvim = "-f", gedit = "--wait",
}

-- Tried in this order where nothing is set.
local usual = { "sensible-editor", "editor", "nano", "vi", "vim", "emacs" }

local function quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

local function on_path(program)
  for dir in (os.getenv "PATH" or ""):gmatch "[^:]+" do
    local f = io.open(dir .. "/" .. program)
    if f then
      f:close()
      return true
    end
  end
  return false
end

-- What is set, in the settings or the environment; else the first that is there.
function M.name()
  local style = config.style or {}
  local set = { style.editor or "", os.getenv "VISUAL" or "", os.getenv "EDITOR" or "" }
  for _, name in ipairs(set) do
    if name:find "%S" then
      return name
    end
  end
  for _, program in ipairs(usual) do
    if on_path(program) then
      return program
    end
  end
  return nil
end

-- The setting may have arguments of its own: "emacs -nw".
function M.command(path, line)
  local name = M.name()
  if not name then
    return nil
  end
  local program = name:match "%S+":match "[^/]*$"
  local parts = { name }
  for word in (wait[program] or ""):gmatch "%S+" do
    if not (" " .. name .. " "):find(" " .. word .. " ", 1, true) then
      parts[#parts + 1] = word
    end
  end
  local form = line and forms[program]
  if form == "+" then
    parts[#parts + 1] = "+" .. line
  end
  parts[#parts + 1] = quote(form == ":" and ("%s:%d"):format(path, line) or path)
  return table.concat(parts, " ")
end

return M
