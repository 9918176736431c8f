-- shrink.lua: makes a failing program small.
--
-- Statements are left out, loops and branches give way to their bodies, expressions to their operands, as
-- long as the program is still right (the interpreter says so) and still fails in the same way.
local judge = require "hunt.judge"
local types = require "hunt.types"
local M = {}

-- Walks over all lists of statements: f(list).
local function lists(list, f)
  f(list)
  for _, s in ipairs(list) do
    if s.body then lists(s.body, f) end
    for _, a in ipairs(s.arms or {}) do lists(a.body, f) end
    for _, p in ipairs(s.phases or {}) do lists(p, f) end
  end
end

-- All edits of a list of statements: each does something and gives a function that undoes it.
local function statement_edits(list)
  local edits = {}
  local function at(i, f) edits[#edits + 1] = function() return f(i) end end
  for i, s in ipairs(list) do
    at(i, function(j)
      table.remove(list, j)
      return function() table.insert(list, j, s) end
    end)
    local inner = {}
    if s.body then inner[1] = s.body end
    for _, a in ipairs(s.arms or {}) do inner[#inner + 1] = a.body end
    for _, b in ipairs(inner) do
      if s.k ~= "par" and s.k ~= "loop" and s.k ~= "while" then
        at(i, function(j)
          table.remove(list, j)
          for n, t in ipairs(b) do table.insert(list, j + n - 1, t) end
          return function()
            for _ = 1, #b do table.remove(list, j) end
            table.insert(list, j, s)
          end
        end)
      end
    end
    if s.arms and #s.arms > 1 then
      at(i, function()
        local arms = s.arms
        s.arms = {arms[1]}
        return function() s.arms = arms end
      end)
    end
    if s.k == "loop" then
      -- its first round alone, then fewer rounds
      at(i, function(j)
        local let = {k = "let", name = s.var, e = {k = "lit", t = "int32", v = s.lo.v or 0, lo = 0, hi = 0}}
        table.remove(list, j)
        table.insert(list, j, let)
        for n, t in ipairs(s.body) do table.insert(list, j + n, t) end
        return function()
          for _ = 0, #s.body do table.remove(list, j) end
          table.insert(list, j, s)
        end
      end)
      if s.hi.k == "lit" then
        for n = 1, 3 do
          at(i, function()
            local hi = s.hi
            if s.lo.k == "lit" and s.lo.v + n < hi.v and (s.step or 1) > 0 then
              s.hi = {k = "lit", t = "int32", v = s.lo.v + n, lo = hi.lo, hi = hi.hi}
            end
            return function() s.hi = hi end, s.hi ~= hi
          end)
        end
      end
      if s.kind ~= "serial" then
        at(i, function()
          local kind = s.kind
          s.kind = "serial"
          return function() s.kind = kind end
        end)
      end
    end
    if s.k == "fill" and not s.clear and s.e.k ~= "lit" then
      at(i, function()
        s.clear = true
        local e = s.e
        s.e = {k = "cast", t = "int32", a = {k = "lit", t = "int32", v = 0, lo = 0, hi = 0}}
        return function() s.clear, s.e = nil, e end
      end)
    end
    if s.options then
      at(i, function()
        local o = s.options
        s.options = nil
        return function() s.options = o end
      end)
    end
    if s.compound then
      at(i, function()
        s.compound = nil
        return function() s.compound = true end
      end)
    end
    for _, side in ipairs {"src", "dst"} do
      local r = s[side]
      if type(r) == "table" and r.from and r.form == "slice" then
        for d, e in ipairs(r.from) do
          if e.k ~= "lit" then
            at(i, function()
              r.from[d] = {k = "lit", t = "int32", v = 0, lo = 0, hi = 0}
              return function() r.from[d] = e end
            end)
          end
        end
      end
    end
  end
  return edits
end

-- The expressions of a statement: f(owner, key, bare) for each place that holds one; bare: a number may
-- stand there without a type.
local function slots(s, f)
  local function go(owner, key, bare)
    local e = owner[key]
    if type(e) ~= "table" or not e.k then return end
    f(owner, key, bare)
    go(e, "a")
    go(e, "b", e.b and e.a.k ~= "lit")
    go(e, "c")
    for n in ipairs(e.idx or {}) do go(e.idx, n, true) end
  end
  go(s, "e", s.k == "store" or s.k == "set")
  if s.k == "while" or s.k == "assume" or s.k == "assert" then go(s, "c") end
  if s.k == "loop" then go(s, "hi", true) end
  for n in ipairs(s.idx or {}) do go(s.idx, n, true) end
  for _, a in ipairs(s.arms or {}) do go(a, "c") end
  for _, side in ipairs {"src", "dst"} do
    local r = s[side]
    if type(r) == "table" and r.from then
      for n in ipairs(r.from) do go(r.from, n, true) end
    end
  end
end

local function simpler(e, bare)
  local list = {}
  local kind = types.of[e.t].kind
  if e.k == "lit" then return list end
  if kind == "bool" then
    if e.k == "and" or e.k == "or" then list[1], list[2] = e.a, e.b end
    if e.k == "not" then list[1] = e.a end
    return list
  end
  for _, key in ipairs {"a", "b"} do
    local x = e[key]
    if type(x) == "table" and x.t == e.t and x.k ~= "lit" then list[#list + 1] = x end
  end
  local one = {k = "lit", t = e.t, v = kind == "float" and 1.0 or 1, lo = 1, hi = 1}
  if bare then
    list[#list + 1] = one
  elseif e.k ~= "cast" or e.a.k ~= "lit" then
    list[#list + 1] = {k = "cast", t = e.t, a = one, lo = 1, hi = 1}
  end
  return list
end

local function expression_edits(list)
  local edits = {}
  for _, s in ipairs(list) do
    slots(s, function(owner, key, bare)
      local e = owner[key]
      for _, x in ipairs(simpler(e, bare)) do
        edits[#edits + 1] = function()
          local compound = s.compound
          owner[key], s.compound = x, nil
          return function() owner[key], s.compound = e, compound end
        end
      end
    end)
  end
  return edits
end

-- What is declared and never used goes without a test.
local function tidy(program)
  local names = require "hunt.elements".names
  local used = {}
  for _, k in ipairs(program.kernels) do
    local deep
    function deep(list)
      names(list, function(name, declared) if not declared then used[name] = true end end)
      lists(list, function(l)
        for _, s in ipairs(l) do
          if s.k == "macro" then names(s.body, function(name, declared) if not declared then used[name] = true end end) end
        end
      end)
    end
    deep(k.body)
  end
  for name, b in pairs(program.bufs) do
    if used[name] and b.of then used[b.of] = true end
  end
  local function keep(list)
    local out = {}
    for _, n in ipairs(list) do if used[n] then out[#out + 1] = n end end
    return out
  end
  local before = {program.params, program.outputs, {}}
  program.params, program.outputs = keep(program.params), keep(program.outputs)
  for i, k in ipairs(program.kernels) do
    before[3][i] = table.move(k.body, 1, #k.body, 1, {})
    for j = #k.body, 1, -1 do
      local s = k.body[j]
      if (s.k == "alloc" or s.k == "view") and not used[s.buf] then table.remove(k.body, j) end
    end
  end
  local order = program.dim_order
  program.dim_order = {}
  for _, n in ipairs(order) do
    for _, p in ipairs(program.params) do
      local b = program.bufs[p]
      for _, m in pairs(b.dims or {}) do
        if m == n then program.dim_order[#program.dim_order + 1] = n end
      end
    end
  end
  return function()
    program.params, program.outputs, program.dim_order = before[1], before[2], order
    -- the lists stay the same tables: edits hold on to them
    for i, k in ipairs(program.kernels) do table.move(before[3][i], 1, #before[3][i], 1, k.body) end
  end
end

-- The program made small in at most `tries` runs, what it should give, and the verdict about it.
function M.run(program, verdict, tries)
  local wanted, last = nil, verdict
  local deadline = os.clock() + (tries > 0 and 15 or 0)
  local function still()
    if tries <= 0 or os.clock() > deadline then return false end
    local w = judge.wanted(program)
    if not w then return false end
    tries = tries - 1
    local ok, v = pcall(judge.run, program, verdict.target, w)
    if ok and judge.alike(v, verdict) then
      wanted, last = w, v
      return true
    end
    return false
  end
  local function try(edit)
    local undo, changed = edit()
    if changed == false then return false end
    local untidy = tidy(program)
    if still() then return true end
    untidy()
    undo()
    return false
  end
  if #program.kernels > 1 then
    for _, i in ipairs {1, 2} do
      if #program.kernels > 1 then
        try(function()
          local k = table.remove(program.kernels, i)
          return function() table.insert(program.kernels, i, k) end
        end)
      end
    end
  end
  local function pass(edits_of)
    local any = false
    for _, k in ipairs(program.kernels) do
      local all = {}
      lists(k.body, function(l) all[#all + 1] = l end)
      for n = #all, 1, -1 do
        local count = #edits_of(all[n])
        local i = count
        while i >= 1 do
          local edits = edits_of(all[n])
          if edits[i] and try(edits[i]) then any = true end
          i = math.min(i - 1, #edits)
        end
      end
    end
    return any
  end
  for _ = 1, 6 do
    local a = pass(statement_edits)
    local b = pass(expression_edits)
    for _, k in ipairs(program.kernels) do
      for d in ipairs(k.grid) do
        try(function()
          local g = k.grid[d]
          k.grid[d] = 1
          return function() k.grid[d] = g end, g ~= 1
        end)
      end
    end
    if not a and not b then break end
  end
  wanted = wanted or judge.wanted(program)
  return program, wanted, last
end

return M
