-- T/tvm_frames.lua: TVM's frames, for those who write `with T.If(c), T.Then():`; an `if` says the same.
--
--     with T.If(c):            the branch begins with T.Then, whose frame stays open behind it:
--         with T.Then(): ..    T.Else turns it to its other side, and T.If closes it.
--         with T.Else(): ..

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local loops = require "moontile.T.loops"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"

local def = registry.def

local open = setmetatable({}, {__mode = "k"}) -- program -> {cond =, part = "Then" or "Else" that was last, outer =}

def {
  name = "If", sig = "If(condition)", types = "condition:value", band = "B",
  summary = "a branch, of T.Then and T.Else within; `if` says the same", summary_zh = "分支，其中写 T.Then 与 T.Else；等同于 `if`",
  example = [[
for _ in T.If(bx < 1) do
  for _ in T.Then() do T.fill(row, 2) end
  for _ in T.Else() do T.fill(row, 3) end
end]],
  fn = function(condition)
    trace.kernel "T.If"
    return loops.scope("T.If", function(P)
      local frame = {cond = condition, outer = open[P], depth = ir.depth(P)}
      open[P] = frame
      return function()
        open[P] = frame.outer
        if frame.part then
          ir.close(P)
        end
      end, true
    end)
  end,
}

-- A side of the innermost T.If; after: the one that must have been there, nil: none.
local function side(name, after, enter)
  local what = "T." .. name
  return function()
    trace.kernel(what)
    return loops.scope(what, function(P)
      local frame = open[P]
      local depth = frame and frame.depth + (after and 1 or 0)
      if not frame or frame.part ~= after or ir.depth(P) ~= depth then
        diag.fail("frame_place", what, after and "T.Then" or "T.If")
      end
      enter(P, frame)
      frame.part = name
      open[P] = nil -- a T.If within is another one's
      return function() open[P] = frame end, true
    end)
  end
end

def {
  name = "Then", sig = "Then()", band = "B",
  summary = "what T.If does where its condition holds", summary_zh = "T.If 条件成立时执行的部分",
  example = "for _ in T.If(bx < 1) do\n  for _ in T.Then() do T.fill(row, 2) end\nend",
  fn = side("Then", nil, function(P, frame) ir.if_(P, frame.cond) end),
}

def {
  name = "Else", sig = "Else()", band = "B",
  summary = "what T.If does otherwise, behind T.Then", summary_zh = "T.If 条件不成立时执行的部分，写在 T.Then 之后",
  example = [[
for _ in T.If(bx < 1) do
  for _ in T.Then() do T.fill(row, 2) end
  for _ in T.Else() do T.fill(row, 3) end
end]],
  fn = side("Else", "Then", function(P) ir.else_(P) end),
}
