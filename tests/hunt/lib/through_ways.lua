-- through_ways.lua: how tiles come from tensors and go there in the programs of through.lua.
--
-- A load gives a function: texts of i, j -> text of the element.  A store takes one and adds its statements to lines.
local M = {G = {}}
local G = M.G

function G:name(prefix)
  self.count = self.count + 1
  return prefix .. self.count
end

-- A tile of this program: a new one, or one that an earlier stage has used.
function G:tile(scope, dtype, shape)
  shape = shape or ("{%d, %d}"):format(self.r, self.c)
  local key = scope .. dtype .. shape
  local known = self.tiles[key] or {}
  self.tiles[key] = known
  if #known > 0 and self.rand:chance(scope == "shared" and 0.6 or 0.3) then
    local name = self.rand:of(known)
    if not self.busy[name] then
      self.busy[name] = true
      return name
    end
  end
  local name = self:name(scope == "shared" and "s" or "f")
  known[#known + 1] = name
  self.busy[name] = true
  self.allocs[#self.allocs + 1] = {name = name, line = ("local %s = T.alloc_%s(%s, %q)"):format(name, scope, shape, dtype)}
  return name
end

-- May bulk copies take this tile, as the contract says?
function G:bulk(ref)
  local x = ref.x
  local last = x.sizes[#x.sizes]
  return not x.vector and not ref.via and not x.symbol and self.c * x.t.bytes % 16 == 0 and last * x.t.bytes % 16 == 0 and
    self.c * x.t.bytes <= 256 * x.t.bytes and self.r <= 256
end

-- Loads -----------------------------------------------------------------------------------------------

local loads = {}

function loads.scalar(self, _, ref) return function(i, j) return self:at(ref, i, j) end end

function loads.fragment(self, lines, ref)
  local dtype = self.rand:chance(0.7) and ref.x.dtype or self.rand:of {"float32", "int32"}
  local f = self:tile("fragment", dtype, ref.x.vector and ("{%d}"):format(self.r) or nil)
  lines[#lines + 1] = ("T.copy(%s, %s)"):format(self:whole(ref), f)
  if ref.x.vector then return function(i) return ("%s[%s]"):format(f, i) end end
  return function(i, j) return ("%s[%s, %s]"):format(f, i, j) end
end

-- What a copy may be told, and must not change anything.
function G:copy_options(ref)
  local k = self.rand:int(1, 14)
  if k == 1 then return ", {prefer_instruction = \"cp_async\"}" end
  if k == 2 then return ", {prefer_instruction = \"sync\"}" end
  if k == 3 and self:bulk(ref) then return ", {prefer_instruction = \"tma\"}" end
  if k == 4 then return ", {disable_tma = true}" end
  return ""
end

function loads.shared(self, lines, ref, call, after)
  if ref.x.vector then return loads.fragment(self, lines, ref) end
  local s = self:tile("shared", ref.x.dtype)
  lines[#lines + 1] = (call or "T.copy(%s, %s" .. self:copy_options(ref) .. ")"):format(self:whole(ref), s)
  lines[#lines + 1] = after
  return function(i, j) return ("%s[%s, %s]"):format(s, i, j) end, s
end

function loads.atomic(self, lines, ref)
  if ref.x.t.bytes ~= 4 then return loads.fragment(self, lines, ref) end
  return function(i, j) return ("T.atomic_load(%s)"):format(self:at(ref, i, j)) end
end

function loads.async(self, lines, ref)
  if ref.x.vector then return loads.fragment(self, lines, ref) end
  return loads.shared(self, lines, ref, "T.async_copy(%s, %s)", "T.ptx_wait_group(0)")
end

function loads.tma(self, lines, ref)
  local l = self.loops[1]
  if not self:bulk(ref) or #self.loops > 1 or self.role or l and l.kind == "while" then return loads.shared(self, lines, ref) end
  local bar = self:name "bar"
  self.bulks = true
  self.allocs[#self.allocs + 1] = {name = bar, line = ("local %s = T.alloc_barrier(%d)"):format(bar, self.threads)}
  local get, s = loads.shared(self, lines, ref, "T.tma_copy(%s, %s, {barrier = " .. bar .. "})", ("T.mbarrier_arrive(%s)"):format(bar))
  lines[#lines + 1] = ("T.mbarrier_wait_parity(%s, %s)"):format(bar, l and l.name .. " % 2" or "0")
  return get, s
end

function G:load(lines, ref, way)
  if not way and self.rand:chance(0.05) then way = "atomic" end
  way = way or self.rand:of(self.bulk_program and {"scalar", "fragment", "shared", "tma", "tma"} or
    self.thread_program and {"scalar", "fragment", "shared", "async", "async"} or {"scalar", "fragment", "shared", "shared"})
  if not self:whole(ref) then way = "scalar" end
  ref.way = way == "atomic" and "scalar" or way
  return loads[way](self, lines, ref)
end

-- Loops over a tile ------------------------------------------------------------------------------------

local function nest(lines, heads, body)
  for k, h in ipairs(heads) do lines[#lines + 1] = ("  "):rep(k - 1) .. h end
  for _, b in ipairs(body) do lines[#lines + 1] = ("  "):rep(#heads) .. b end
  for k = #heads, 1, -1 do lines[#lines + 1] = ("  "):rep(k - 1) .. "end" end
end

-- Runs body(i, j) over the tile; body gives lines.
function G:over(lines, body, plain)
  local r, c = self.r, self.c
  local k = plain and 1 or self.rand:int(1, 8)
  if k == 2 then
    return nest(lines, {("for e in T.Parallel(%d) do"):format(r * c)}, body(("(e // %d)"):format(c), ("(e %% %d)"):format(c)))
  elseif k == 3 then
    return nest(lines, {("for j, i in T.Parallel(%d, %d) do"):format(c, r)}, body("i", "j"))
  elseif k == 4 and c % 4 == 0 then
    local n = c % 8 == 0 and self.rand:of {2, 4, 8} or 4
    return nest(lines, {("for i, q in T.Parallel(%d, %d) do"):format(r, c // n), ("for k in T.vectorized(%d) do"):format(n)},
      body("i", ("(q * %d + k)"):format(n)))
  elseif k == 5 and r <= 8 then
    return nest(lines, {("for i in T.serial(%d) do"):format(r), ("for j in T.Parallel(%d) do"):format(c)}, body("i", "j"))
  elseif k == 6 and c % 2 == 0 then
    return nest(lines, {"for h in T.serial(2) do", ("for i, j in T.Parallel(%d, %d) do"):format(r, c // 2)},
      body("i", ("(h * %d + j)"):format(c // 2)))
  end
  nest(lines, {("for i, j in T.Parallel(%d, %d) do"):format(r, c)}, body("i", "j"))
end

-- Stores ----------------------------------------------------------------------------------------------

local stores = {}

function stores.parallel(self, lines, ref, value)
  self:over(lines, function(i, j) return {("%s = %s"):format(self:at(ref, i, j), value(i, j))} end)
end

function stores.masked(self, lines, ref, value, mask)
  self:over(lines, function(i, j)
    return {("if %s then"):format(mask(i, j)), ("  %s = %s"):format(self:at(ref, i, j), value(i, j)), "end"}
  end)
end

function stores.atomic(self, lines, ref, value)
  self:over(lines, function(i, j) return {("T.atomic_store(%s, %s)"):format(self:at(ref, i, j), value(i, j))} end)
end

-- For tiles that are as high as wide.
function stores.turned(self, lines, ref, value)
  self:over(lines, function(i, j) return {("%s = %s"):format(self:at(ref, j, i), value(i, j))} end)
end

local function into(self, lines, tile, value)
  self:over(lines, function(i, j) return {("%s[%s, %s] = %s"):format(tile, i, j, value(i, j))} end)
end

function stores.fragment(self, lines, ref, value)
  local f = self:tile("fragment", self.rand:chance(0.6) and ref.x.dtype or self.rand:of {"float32", "int32"})
  into(self, lines, f, value)
  lines[#lines + 1] = ("T.copy(%s, %s)"):format(f, self:whole(ref))
end

function stores.shared(self, lines, ref, value)
  local s = self:tile("shared", ref.x.dtype)
  into(self, lines, s, value)
  lines[#lines + 1] = ("T.copy(%s, %s)"):format(s, self:whole(ref))
end

function stores.staged(self, lines, ref, value)
  local f, s = self:tile("fragment", self.rand:of {ref.x.dtype, "float32"}), self:tile("shared", ref.x.dtype)
  into(self, lines, f, value)
  lines[#lines + 1] = ("T.copy(%s, %s)"):format(f, s)
  lines[#lines + 1] = ("T.copy(%s, %s)"):format(s, self:whole(ref))
end

function stores.tma(self, lines, ref, value)
  local l = self.loops[#self.loops]
  if not self:bulk(ref) or self.role or l and l.kind == "while" then return stores.shared(self, lines, ref, value) end
  self.bulks = true
  local s = self:tile("shared", ref.x.dtype)
  into(self, lines, s, value)
  lines[#lines + 1] = ("T.tma_copy(%s, %s)"):format(s, self:whole(ref))
  lines[#lines + 1] = "T.tma_store_wait(0, false)"
end

-- How element (i, j) of a value gets to a ref, by the name of a way: its place there.
function M.place(way, i, j)
  if way == "turned" then return j, i end
  return i, j
end

function G:store(lines, ref, value, way, mask)
  stores[way](self, lines, ref, value, mask)
end

function G:store_way(ref)
  if not self:whole(ref) then return "parallel" end
  local list = {"parallel", "parallel", "fragment", "shared", "shared", "staged"}
  if ref.x.t.bytes == 4 then list[#list + 1] = "atomic" end
  if self.r == self.c then list[#list + 1] = "turned" end
  if self.bulk_program then list[#list + 1] = "tma" end
  return self.rand:of(list)
end

M.stores = stores
return M
