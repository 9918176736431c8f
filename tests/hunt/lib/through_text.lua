-- through_text.lua: a program of through.lua as text, and a call of it.
local M = {}

local function flag(p)
  return {"T.sync_threads()", ("if tx == 0 then T.atomic_store(Flag[%s], 1, \"release\") end"):format(p.block),
    ("if %s > 0 then"):format(p.block), "  if tx == 0 then",
    ("    while T.atomic_load(Flag[%s - 1], \"acquire\") == 0 do end"):format(p.block), "  end", "  T.sync_threads()", "end"}
end

local function body(p, list, out, depth)
  local roles = false
  local function add(s) out[#out + 1] = ("  "):rep(depth) .. s end
  for k, s in ipairs(list) do
    if s.meet and p.mode == "grid" then add "T.sync_grid()" end
    if s.meet and p.mode == "launch" and k > 1 then out[#out + 1] = "" end -- another launch
    if s.flag then
      for _, l in ipairs(flag(p)) do add(l) end
    elseif s.roles then
      if roles then add "T.sync_threads()" end -- roles do not wait for each other by themselves
      roles = true
      for n, t in ipairs(s.list) do
        add(("for _ in T.ws(%d) do"):format(n - 1))
        body(p, {t}, out, depth + 1)
        add "end"
      end
    elseif s.list then
      if s.before then add(s.before) end
      add(s.head)
      body(p, s.list, out, depth + 1)
      if s.behind then add(s.behind) end
      add "end"
    else
      for _, l in ipairs(s.lines) do add(l) end
    end
  end
end

-- The launches of a program's lines.
local function launches(p, lines, add)
  local k = 1
  repeat
    local part = {}
    while lines[k] and lines[k] ~= "" do
      part[#part + 1] = lines[k]
      k = k + 1
    end
    k = k + 1
    local text = table.concat(part, "\n")
    local function used(name) return (text .. " "):find("%f[%w_]" .. name .. "%f[^%w_]") end
    add("  for bx%s in T.Kernel(%s, {threads = %d}) do", p.grid[2] and ", by" or "", table.concat(p.grid, ", "), p.threads)
    if used "tx" then add "    local tx = T.get_thread_binding()" end
    for _, x in ipairs(p.tensors) do
      if x.view and used(x.view.name) then add("    %s", x.view.line) end
    end
    for _, a in ipairs(p.allocs) do
      if used(a.name) then add("    %s", a.line) end
    end
    add("%s", text)
    add "  end"
  until k > #lines
end

function M.text(p)
  local inner, out, names, new = {}, {}, {}, {}
  local function add(s, ...) out[#out + 1] = s:format(...) end
  body(p, p.list, inner, 2)
  local text = table.concat(inner, "\n")
  local function used(name) return (text .. " "):find("%f[%w_]" .. name .. "%f[^%w_]") end
  p.args, p.results = {}, {}
  for _, x in ipairs(p.tensors) do
    x.used = used(x.name) or x.view and used(x.view.name)
    if x.used and x.how == "given" then
      p.args[#p.args + 1], names[#names + 1] = x, x.name
    elseif x.used and x.how == "new" then
      p.results[#p.results + 1], new[#new + 1] = x, x.name
    end
  end
  p.counted, p.flags = used "Q", used "Flag"
  if p.counted then names[#names + 1] = "Q" end
  if p.flags then names[#names + 1] = "Flag" end
  add("local target = ...\nreturn tl.jit(function(%s)", table.concat(names, ", "))
  for _, x in ipairs(p.tensors) do
    if x.used and x.symbol then add("  local %s = T.dynamic %q", x.symbol, x.symbol) end
  end
  for _, x in ipairs(p.args) do add("  %s: T.Tensor(%s, %q)", x.name, x.dims, x.dtype) end
  if p.counted then add("  Q: T.Tensor({%d, 8}, \"int32\")", p.blocks) end
  if p.flags then add("  Flag: T.Tensor({%d}, \"int32\")", p.blocks) end
  for _, x in ipairs(p.tensors) do
    if x.used and x.how ~= "given" then
      add("  local %s = T.%s(%s, %q)", x.name, x.how == "new" and "empty" or "alloc_global", x.dims, x.dtype)
    end
  end
  launches(p, inner, add)
  if #new > 0 then add("  return %s", table.concat(new, ", ")) end
  add "end, {target = target})"
  return table.concat(out, "\n")
end

-- Calls -----------------------------------------------------------------------------------------------

local function nested(list, sizes)
  local p = 0
  local function go(d)
    local t = {}
    for k = 1, sizes[d] do
      if d == #sizes then
        p = p + 1
        t[k] = list[p]
      else
        t[k] = go(d + 1)
      end
    end
    return t
  end
  return go(1)
end

local function flat(t, out)
  for _, v in ipairs(t) do
    if type(v) == "table" then flat(v, out) else out[#out + 1] = v end
  end
  return out
end

-- What kernel leaves in the tensors, by name.
function M.call(p, kernel)
  local args, got = {}, {}
  for k, x in ipairs(p.args) do args[k] = tl.from_table(nested(x.list, x.sizes), x.dtype) end
  local counts = p.counted and tl.from_table(nested(p.counts, {p.blocks, 8}), "int32")
  if counts then args[#args + 1] = counts end
  if p.flags then args[#args + 1] = tl.zeros({p.blocks}, "int32") end
  local new = table.pack(kernel(table.unpack(args)))
  for k, x in ipairs(p.args) do got[x.name] = flat(args[k]:totable(), {}) end
  if counts then got.Q = flat(counts:totable(), {}) end
  for k, x in ipairs(p.results) do got[x.name] = flat(new[k]:totable(), {}) end
  return got
end

return M
