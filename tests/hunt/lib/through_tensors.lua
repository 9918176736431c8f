-- through_tensors.lua: the tensors of the programs of through.lua, and the tiles of them that blocks own.
--
-- Each block owns nr x nc tiles of r x c elements of a tensor, whose blocks lie one under the other, side by side or in a
-- dimension of their own.  A ref is a tile: {x = tensor, a, b = its place among the block's, far = whose it is}, where a and b
-- are {text, function of the environment}.  env: {g = block, vars = loops' variables, mem = lists by tensors' names}.
local M = {G = {}}
local G = M.G

M.types = {
  int8 = {lo = -128, hi = 127, bytes = 1}, uint8 = {lo = 0, hi = 255, bytes = 1}, int16 = {lo = -32768, hi = 32767, bytes = 2},
  int32 = {lo = -1 << 24, hi = 1 << 24, bytes = 4}, float16 = {lo = -2048, hi = 2048, bytes = 2},
  bfloat16 = {lo = -256, hi = 256, bytes = 2}, float32 = {lo = -1 << 24, hi = 1 << 24, bytes = 4},
}

-- A program that is not right says why by this error.
function M.invalid(why) error({invalid = why}, 0) end

-- A sum of texts without zeros.
local function plus(...)
  local list = {}
  for _, s in ipairs {...} do
    if s ~= "0" then list[#list + 1] = s end
  end
  return #list == 0 and "0" or table.concat(list, " + ")
end
M.plus = plus

local function times(s, n)
  if s == "0" or n == 1 then return s end
  local k = math.tointeger(tonumber(s))
  return k and tostring(k * n) or ("%s * %d"):format(s:find "[+ %-]" and "(" .. s .. ")" or s, n)
end
M.times = times

local function const(n) return {tostring(n), function() return n end} end
M.const = const

-- Where things lie: text(ref's block, a, b, i, j): a list of indices; off(..): an offset from 0, nil outside.
local places = {}

function places.stack(self, x)
  local R, C = x.nr * self.r, x.nc * self.c
  x.sizes = {self.blocks * R - x.cut, C}
  x.text = function(g, a, b, i, j) return {plus(times(g, R), times(a, self.r), i), plus(times(b, self.c), j)} end
  x.off = function(g, a, b, i, j)
    local row = g * R + a * self.r + i
    return row < x.sizes[1] and row * C + b * self.c + j or nil
  end
end

function places.side(self, x)
  local R, C = x.nr * self.r, x.nc * self.c
  local all = self.blocks * C - x.cut
  x.sizes = {R, all}
  x.text = function(g, a, b, i, j) return {plus(times(a, self.r), i), plus(times(g, C), times(b, self.c), j)} end
  x.off = function(g, a, b, i, j)
    local column = g * C + b * self.c + j
    return column < all and (a * self.r + i) * all + column or nil
  end
end

function places.lead(self, x)
  local R, C = x.nr * self.r, x.nc * self.c
  x.sizes, x.cut = {self.blocks, R, C}, 0
  x.text = function(g, a, b, i, j) return {g, plus(times(a, self.r), i), plus(times(b, self.c), j)} end
  x.off = function(g, a, b, i, j) return (g * R + a * self.r + i) * C + b * self.c + j end
end

-- A tensor: given, returned, or the call's own (T.alloc_global).
function G:tensor(dtype, how)
  local rand = self.rand
  local x = {name = self:name(how == "given" and "X" or how == "own" and "W" or "Y"), dtype = dtype, t = M.types[dtype],
    how = how, nr = 1, nc = 1, cut = 0}
  local n = rand:of(self.r * self.c > 2048 and {1, 2, 2, 3} or {1, 1, 2, 3, 4})
  if rand:chance(0.5) then x.nr = n else x.nc = n end
  if self.r * self.c <= 1024 and rand:chance(0.2) then x.nr, x.nc = 2, 2 end
  x.kind = self.blocks == 1 and rand:of {"stack", "stack", "side", "lead"} or rand:of {"stack", "side", "lead"}
  if x.kind ~= "lead" and rand:chance(0.15) then x.cut = rand:int(1, x.kind == "side" and self.c - 1 or self.r - 1) end
  places[x.kind](self, x)
  local dims = {}
  for k, s in ipairs(x.sizes) do dims[k] = tostring(s) end
  if how == "given" and rand:chance(0.25) then
    x.symbol = self:name "N"
    local d = x.kind == "side" and 2 or 1
    dims[d] = x.symbol
  end
  x.dims = ("{%s}"):format(table.concat(dims, ", "))
  x.size = 1
  for _, s in ipairs(x.sizes) do x.size = x.size * s end
  if how == "given" then
    x.list = {}
    for k = 1, x.size do x.list[k] = rand:int(x.t.lo < 0 and -3 or 0, 5) end
  end
  self.tensors[#self.tensors + 1] = x
  if not x.symbol and x.cut == 0 then self:view(x) end
  return x
end

-- Another name for a tensor, of another shape.
function G:view(x)
  if not self.rand:chance(0.4) then return end
  local v = {name = x.name .. "v", kind = "flat"}
  local R, C = x.nr * self.r, x.nc * self.c
  if x.kind == "stack" and self.rand:chance(0.6) then
    v.dimensions = 3
    v.kind, v.dims = "rows", ("{%d, %d, %d}"):format(self.blocks * x.nr, self.r, C)
    v.text = function(g, a, b, i, j) return {plus(times(g, x.nr), a), i, plus(times(b, self.c), j)} end
  elseif x.kind == "side" then
    return
  else
    v.dimensions, v.dims = 1, ("{%d}"):format(x.size)
    v.text = function(g, a, b, i, j)
      return {plus(times(g, R * C), times(a, self.r * C), times(i, C), times(b, self.c), j)}
    end
  end
  v.line = ("local %s = T.%s(%s, %s)"):format(v.name, self.rand:of {"reshape", "view"}, x.name, v.dims)
  local unsigned = ({int8 = "uint8", int16 = "uint16", int32 = "uint32"})[x.dtype]
  if unsigned and self.rand:chance(0.4) then
    v.unsigned, v.line = true, ("local %s = T.view(%s, %s, %q)"):format(v.name, x.name, v.dims, unsigned)
  end
  x.view = v
end

-- A tensor of one element a row of the block's: sums.
function G:vector(dtype, how)
  local x = {name = self:name(how == "given" and "U" or "V"), dtype = dtype, t = M.types[dtype], how = how, nr = 1, nc = 1,
    vector = true, sizes = {self.blocks * self.r}, size = self.blocks * self.r, dims = ("{%d}"):format(self.blocks * self.r)}
  x.text = function(g, _, _, i) return {plus(times(g, self.r), i)} end
  x.off = function(g, _, _, i) return g * self.r + i end
  if how == "given" then
    x.list = {}
    for k = 1, x.size do x.list[k] = self.rand:int(-3, 5) end
  end
  self.tensors[#self.tensors + 1] = x
  return x
end

-- A number of 0 .. most that the block finds in memory: (text, function of the environment).
function G:counted(most)
  local k = self.rand:int(0, 7)
  return ("T.min(Q[%s, %d], %d)"):format(self.block, k, most),
    function(env) return math.min(env.mem.Q[env.g * 8 + k + 1], most) end
end

-- Refs ------------------------------------------------------------------------------------------------

-- One of the block's tiles of x, in a loop perhaps the loop's.
function G:ref(x, far)
  local function index(n)
    local l = self.loops[#self.loops]
    if l and n >= l.count and self.rand:chance(0.6) then
      local back = l.count == n and self.rand:chance(0.25)
      if back then return {("(%d - %s)"):format(n - 1, l.name), function(env) return n - 1 - env.vars[l.name] end} end
      local by = self.rand:int(0, n - l.count)
      return {plus(l.name, tostring(by)), function(env) return env.vars[l.name] + by end}
    end
    if n > 1 and self.rand:chance(0.08) then
      local text, value = self:counted(n - 1)
      return {text, value}
    end
    return const(self.rand:int(0, n - 1))
  end
  local r = {x = x, a = index(x.nr), b = index(x.nc), far = far}
  if x.view and self.rand:chance(0.4) then r.via = x.view end
  return r
end

-- The same tile of another block: (its number as a text, a function).
function G:owner(far)
  if not far then return self.block, function(g) return g end end
  if far == "common" then return "0", function() return 0 end end
  if self.mode == "flag" then return ("T.max(%s - 1, 0)"):format(self.block), function(g) return math.max(g - 1, 0) end end
  return ("((%s + %d) %% %d)"):format(self.block, far, self.blocks), function(g) return (g + far) % self.blocks end
end

function G:indices(ref, i, j)
  local block = self:owner(ref.far)
  return (ref.via or ref.x).text(block, ref.a[1], ref.b[1], i, j)
end

function G:at(ref, i, j)
  return ("%s[%s]"):format((ref.via or ref.x).name, table.concat(self:indices(ref, i, j), ", "))
end

-- What stands for the whole tile in a copy, or nil.
function G:whole(ref, slice)
  if ref.via and (ref.via.kind == "flat" or ref.via.unsigned) then return nil end
  if slice then ref.slice = true end
  if ref.slice == nil then ref.slice = self.rand:chance(0.25) and not ref.x.vector end
  if not ref.slice then return self:at(ref, "0", "0") end
  local list = self:indices(ref, "0", "0")
  local k = #list
  list[k] = ("%s:%s"):format(list[k], plus(list[k], tostring(self.c)))
  list[k - 1] = ("%s:%s"):format(list[k - 1], plus(list[k - 1], tostring(self.r)))
  return ("%s[%s]"):format((ref.via or ref.x).name, table.concat(list, ", "))
end

local function offset(self, env, ref, i, j)
  local owner = ref.owner
  if not owner then
    owner = select(2, self:owner(ref.far))
    ref.owner = owner
  end
  return ref.x.off(owner(env.g), ref.a[2](env), ref.b[2](env), i, j)
end

function G:get(env, ref, i, j)
  local o = offset(self, env, ref, i, j)
  if not o then return 0 end
  return env.mem[ref.x.name][o + 1] or M.invalid "read before it is written"
end

function G:put(env, ref, i, j, v)
  local o = offset(self, env, ref, i, j)
  if v < ref.x.t.lo or v > ref.x.t.hi then M.invalid "not exact in this type" end
  if o then env.mem[ref.x.name][o + 1] = v end
end

return M
