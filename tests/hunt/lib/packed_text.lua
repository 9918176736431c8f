-- packed_text.lua: a program of packed.lua as text, and a call of it.
local M = {}

local function results(p)
  local list = {}
  for _, s in ipairs(p.list) do list[#list + 1] = s.result end
  return list
end
M.results = results

-- What a tensor is for the host: under its name or, where it is given as units, as these.
local function outside(b)
  if b.units then return b.units.name, ("{%d}"):format(b.units.size), b.units.t end
  return b.name, b.place.dims, b.t
end

function M.text(p)
  local out, body = {}, {}
  local function add(s, ...) out[#out + 1] = s:format(...) end
  for _, s in ipairs(p.list) do table.move(s.lines, 1, #s.lines, #body + 1, body) end
  local text = table.concat(body, "\n    ")
  local function used(name) return (text .. " "):find("%f[%w_]" .. name .. "%f[^%w_]") end
  local params, names, grid = {}, {}, {table.unpack(p.grid)}
  for _, b in ipairs(p.params) do
    if used(b.name) then params[#params + 1] = b end
  end
  for _, o in ipairs(results(p)) do
    if o.given then params[#params + 1] = o end
  end
  p.used = params
  for k, b in ipairs(params) do names[k] = outside(b) end
  add("local target = ...\nreturn tl.jit(function(%s)", table.concat(names, ", "))
  for _, b in ipairs(params) do
    if b.symbol then add("  local %s = T.dynamic %q", b.symbol, b.symbol) end
    if b.symbol and b.turns and not grid[2] then grid[1] = ("T.ceildiv(%s, %d)"):format(b.symbol, b.turns) end
  end
  local views, back = {}, {}
  local function view(b)
    if b.units then views[#views + 1] = ("local %s = T.view(%s, %s, %q)"):format(b.name, b.units.name, b.place.dims, b.t.name) end
  end
  for _, b in ipairs(params) do
    local name, dims, t = outside(b)
    add("  %s: T.Tensor(%s, %q)", name, dims, t.name)
    view(b)
  end
  for _, o in ipairs(results(p)) do
    local name, dims, t = outside(o)
    if not o.given then
      add("  local %s = T.empty(%s, %q)", name, dims, t.name)
      back[#back + 1] = name
      view(o)
    end
  end
  add("  for bx%s in T.Kernel(%s, {threads = %d}) do", grid[2] and ", by" or "", table.concat(grid, ", "), p.threads)
  if used "tx" then add "    local tx = T.get_thread_binding()" end
  for _, v in ipairs(views) do add("    %s", v) end
  for _, b in ipairs(p.tiles) do
    if used(b.name) then add("    local %s = T.alloc_%s(%s, %q)", b.name, b.scope, p:dims(b), b.t.name) end
    if used(b.name) and b.layout then add("    T.annotate_layout({[%s] = %s})", b.name, b.layout) end
  end
  add("    %s", text)
  add "  end"
  if #back > 0 then add("  return %s", table.concat(back, ", ")) end
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

local function tensor(b)
  local u = b.units
  if not u then return tl.from_table(nested(b.list, b.place.sizes), b.t.name) end
  local list = {}
  for k = 1, u.size do
    local v = 0
    for q = 0, u.per - 1 do v = v | (b.list[(k - 1) * u.per + q + 1] & 15) << 4 * q end
    list[k] = u.t.wrap(v)
  end
  return tl.from_table(list, u.t.name)
end

local function elements(b, t)
  local list, u = flat(t:totable(), {}), b.units
  if not u then return list end
  local all = {}
  for k, v in ipairs(list) do
    for q = 0, u.per - 1 do all[(k - 1) * u.per + q + 1] = b.t.wrap(v >> 4 * q) end
  end
  return all
end

-- What kernel leaves in the results, by name.
function M.call(p, kernel)
  local args, given, got, n = {}, {}, {}, 0
  for k, b in ipairs(p.used) do
    args[k] = tensor(b)
    given[b.name] = args[k]
  end
  local new = table.pack(kernel(table.unpack(args)))
  for _, o in ipairs(results(p)) do
    if not o.given then n = n + 1 end
    got[o.name] = elements(o, o.given and given[o.name] or new[n])
  end
  return got
end

return M
