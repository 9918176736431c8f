-- python/einops.lua: `import einops`: rearrange, repeat, reduce, einsum with names of dimensions in words.

local foreign = require "moontile.python.foreign"
local exc = require "moontile.python.exc"
local native = require "moontile.python.native"
local registry = require "moontile.tl.host.registry"

local M = {}

-- "batch head d, head d -> batch head" as letters, "abc,bc->ab".
local function letters(pattern)
  local of, n = {}, 0
  return (pattern:gsub("[%a_][%w_]*", function(word)
    if not of[word] then
      n = n + 1
      if n > 52 then
        exc.fail("ValueError", "einsum: more than 52 names", nil, "einsum")
      end
      of[word] = string.char(n <= 26 and 96 + n or 38 + n)
    end
    return of[word]
  end):gsub("%s+", ""))
end

-- einsum(x, y, .., pattern)
M.einsum = native.make("einsum", "**", function(_, ...)
  local args, n = {...}, select("#", ...)
  local pattern = args[n]
  if type(pattern) ~= "string" or n < 2 then
    exc.fail("TypeError", "einops.einsum takes tensors and behind them the pattern, \"b i, i j -> b j\"", nil, "einsum")
  elseif not pattern:find("->", 1, true) then
    exc.fail("ValueError", "einops.einsum: the pattern needs ->", nil, "einsum")
  end
  local operands = {}
  for i = 1, n - 1 do
    operands[i] = foreign.to_lua(args[i])
  end
  return (registry.apply("einsum", {letters(pattern), operands}, 2))
end)

-- The module; operator(name): a row of tl.host as a function
function M.make(module, operator)
  return module("einops", {reduce = operator "einops_reduce", ["repeat"] = operator "einops_repeat", einsum = M.einsum})
end

return M
