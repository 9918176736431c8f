-- What the build checks holds, and fails when something public has no help.
local function check()
  package.loaded["moontile.repl.selfcheck"] = nil
  require("moontile.help").reset()
  return select(2, pcall(require, "moontile.repl.selfcheck"))
end

print(check() == true and "complete" or check())

local function fails(what, undo)
  local err = tostring(check())
  for line in err:gmatch "[^\n]+" do
    print((line:gsub("^%S+ error%[E001%]: ", "")))
  end
  undo()
end

local tl = require "moontile.tl"
rawset(tl, "undocumented", function() end)
fails("a function of tl", function() rawset(tl, "undocumented", nil) end)

local kernel = require "moontile.tl.kernel"
kernel.methods.undocumented = function() end
fails("a method", function() kernel.methods.undocumented = nil end)

local doc = tl.doc.randn
local zh, example = doc.summary_zh, doc.example
doc.summary_zh, doc.example = "no Chinese", nil
fails("a row", function() doc.summary_zh, doc.example = zh, example end)

local copy = require("moontile.T.registry").names.copy
local old = copy.example
copy.example = "T.copy(A["
fails("an example that cannot be read", function() copy.example = old end)
print(check() == true and "complete again" or check())
