-- python/near.lua: the name that was meant, as CPython finds it for "Did you mean"; two swapped letters count as one.
--
--     near.find("lenth", {"length", "N"})     "length": a letter more, less or changed costs 2, another case 1, and
--                                             what is far for the lengths of the two is no suggestion: `N` for `fn`
--     near.module("torch.rnad", names)        of dotted names those with the same parent
--     near.import_of("math")                  "import math": what a name needs that many programs begin with

local M = {}

local Move, Case = 2, 1

local function substitution(a, b)
  if a == b then
    return 0
  end
  return string.char(a):lower() == string.char(b):lower() and Case or Move
end

-- Edit distance of a and b; something above `most` once it cannot be less.
local function distance(a, b, most)
  local n, m = #a, #b
  if math.abs(n - m) * Move > most then
    return most + 1
  end
  local older, prev, cur = {}, {}, {}
  for j = 0, m do
    prev[j] = j * Move
  end
  for i = 1, n do
    cur[0] = i * Move
    local best = cur[0]
    for j = 1, m do
      local d = prev[j - 1] + substitution(a:byte(i), b:byte(j))
      d = math.min(d, prev[j] + Move, cur[j - 1] + Move)
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        d = math.min(d, older[j - 2] + Move)
      end
      cur[j] = d
      best = d < best and d or best
    end
    if best > most then
      return most + 1
    end
    older, prev, cur = prev, cur, older
  end
  return prev[m]
end

-- What other languages call a thing.
local elsewhere = {null = "None", NULL = "None", this = "self"}

-- The nearest of a list of names, the first of equals, or nil.
function M.find(name, list)
  if type(name) ~= "string" or #name > 40 or #name < 2 then
    return nil
  end
  local best, found = math.huge, nil
  for _, s in ipairs(list) do
    local most = math.min((#name + #s + 3) * Move // 6, best - 1)
    local d = s ~= name and distance(name, s, most) or math.huge
    if d <= most then
      best, found = d, s
    elseif elsewhere[name] == s then
      return s
    end
  end
  return found
end

-- The same of modules' names.  Those of other people's packages are no slips: the first letter or a letter's move counts.
function M.module(name, list)
  local parent, last = name:match "^(.*%.)([^.]*)$"
  local parts, full = {}, {}
  for _, s in ipairs(list) do
    local p, l = s:match "^(.*%.)([^.]*)$"
    if p == parent then
      parts[#parts + 1] = l or s
      full[parts[#parts]] = s
    end
  end
  local found = M.find(last or name, parts)
  if found and not last and found:byte() ~= name:byte() and distance(name, found, Move) > Move then
    return nil
  end
  return full[found]
end

-- Usual short names of modules.
local short = {
  T = "import tilelang.language as T", tl = "import tilelang as tl", F = "import torch.nn.functional as F",
  nn = "from torch import nn", tvm = "from tilelang import tvm", partial = "from functools import partial",
  cdiv = "from tilelang import cdiv", jit = "from tilelang import jit", autotune = "from tilelang import autotune",
  product = "from itertools import product", Path = "from pathlib import Path", dataclass = "from dataclasses import dataclass",
  rearrange = "from einops import rearrange", namedtuple = "from collections import namedtuple",
  defaultdict = "from collections import defaultdict", Optional = "from typing import Optional",
  reduce = "from functools import reduce", DataType = "from tilelang import DataType",
}

M.short = short

-- The statement that gives a name its usual value, or nil.  there(name): is there a module of this name?
function M.import_of(name, there)
  return short[name] or there(name) and "import " .. name or nil
end

return M
