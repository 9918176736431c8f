-- kernels.lua: which kernel a word of the prompt means.
--
--     find("")        the kernel that was made or run last
--     find("k")       the variable k: a kernel, or the last one of a tl.jit function
--     find("k@2")     what k was in its second version (see versions.lua)
--
-- All give the kernel, or nil and why there is none.

local func = require "moontile.T.func"
local kernel = require "moontile.tl.kernel"
local jit = require "moontile.tl.jit"
local session = require "moontile.prompt"

local M = {}

local function say(...)
  return require("moontile.repl.commands").say(...)
end

-- That there is no such variable, and which one may be meant.
function M.unknown(word)
  local names = {}
  require("moontile.repl.vars").each(function(name)
    names[#names + 1] = name
  end)
  local near = require("moontile.base.suggest").find(word, names)
  if near then
    return say("there is no variable %s; did you mean %s?", "没有变量 %s；您是否想写 %s？", word, near)
  end
  return say("there is no variable %s", "没有变量 %s", word)
end

local function of_value(v, word)
  if getmetatable(v) == kernel.Kernel then
    return v
  elseif getmetatable(v) == jit.Jit then
    if v.last then
      return v.last
    end
    return nil, say(
      "%s has no kernel yet: call it, or compile it with sizes, as in %s:compile{M = 1024}",
      "%s 还没有内核：请先调用它，或者给出尺寸编译，例如 %s:compile{M = 1024}", word, word)
  elseif v == nil then
    return nil, M.unknown(word)
  elseif func.isprim(v) then
    return nil, say("%s is a prim_func, not a kernel yet: compile it, as in k = tl.compile(%s)",
      "%s 是 prim_func，还不是内核：请先编译，例如 k = tl.compile(%s)", word, word)
  elseif type(v) == "table" and getmetatable(rawget(v, "jit")) == jit.Jit then
    return of_value(v.jit, word) -- autotuned
  end
  return nil, say("%s is not a kernel", "%s 不是内核", word)
end

-- The value of a variable of the session: a name, or fields "a.b".
function M.value(word)
  local v = session.env
  for name in word:gmatch "[^.]+" do
    local ok, field = pcall(function() return v[name] end)
    if not ok or field == nil then
      return nil
    end
    v = field
  end
  return v
end

function M.find(word)
  if word == nil or word == "" then
    local last = kernel.last.kernel
    if last then
      return last
    end
    return nil, say("there is no kernel yet; :load quickstart makes one",
      "还没有内核；:load quickstart 会创建一个")
  end
  local name, n = word:match "^([%a_][%w_.]*)@(%d+)$"
  if name then
    local v, why = require("moontile.repl.versions").get(name, math.tointeger(tonumber(n)))
    if not v then
      return nil, why
    end
    return of_value(v.value, word)
  end
  return of_value(M.value(word), word)
end

return M
