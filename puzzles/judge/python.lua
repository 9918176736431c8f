-- judge/python.lua: a solution in Python, in the process that judges it.
--
--   local python = require "moontile.puzzles.judge.python"
--   python.is(chunk)                     is it a text in Python?
--   local world = python.open(env, write)    env: surroundings.make's; write(text): what print gives
--   world(text, chunk) -> function, its globals; or nil, error
--
-- Of Python's modules there are those that need no machine; tilelang is the tl of a program in Lua.  The
-- text is a module, not the main program: what stands behind `if __name__ == "__main__":` tries the
-- kernels out, and is not run here.

local place = require "moontile.base.place"

local M = {}

-- Modules of machines and files, and names of Python's own.
local absent = {
  modules = {"os", "os.path", "pathlib", "sys", "inspect", "logging", "traceback", "builtins"},
  names = {"open", "input"},
}

function M.is(chunk)
  return chunk:find "%.py$" ~= nil
end

local function refused(word, name)
  return function() place.fail(word, "judge_name_python", name) end
end

-- import NAME says so; there are no files to import, either.
local function close_modules(imports)
  for _, name in ipairs(absent.modules) do
    imports.loaded[name] = nil
    imports.loaders[name] = refused(name, "import " .. name)
  end
  imports.find = function() end
end

function M.open(env, write)
  local loader = require "moontile.python.loader"
  local builtins = require "moontile.python.builtins"
  local P = require "moontile.python"
  local reader = require "moontile.pyreader"
  builtins.out.write = write
  for _, name in ipairs(absent.names) do
    P.builtins[name] = P.native(name, "**", refused(name, name))
  end
  close_modules(P.imports)
  require("moontile.python.tilelang").host(env.tl)
  return function(text, chunk)
    local globals = loader.globals(chunk:match "([^/@=]*)%.py$" or "solution", chunk)
    local f, err = reader.load(text, chunk, globals)
    return f, f and globals or err
  end
end

return M
