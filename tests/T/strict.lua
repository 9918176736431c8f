-- A global that nobody has set: an error in kernel code, nil in all other Lua.
print(unset_before == nil)

local function plain() return rawequal(unset_in_plain, nil) end

local seen = {}
local f = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  seen.plain = plain()
  seen.field = _G.unset_field
  seen.raw = rawget(_G, "unset_raw")
  made_here = 3 -- assigned first, read then
  local n = made_here
  for bx in T.Kernel(1) do T.fill(A, n) end
end)
local a = tl.zeros({16}, "float32")
f(a)
print(seen.plain, seen.field, seen.raw, a[3], made_here)
print(unset_after == nil, getmetatable(_G))

-- a failed trace leaves nothing behind
local function message(g)
  local ok, e = pcall(g)
  return ok, ok or ("%s:%d:%d %s; %s"):format(e.id, e.line, e.col, e.message, e.help)
end
local bad = tl.jit(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, bxx) end
end)
print(message(function() bad(a) end))
print(unset_after == nil, getmetatable(_G))

-- a macro, a prim_func, an upvalue's function, a chunk with its own environment
local value <const> = "no upvalue"
local m = T.macro(function(x) T.fill(x, valu) end)
print(value, message(function()
  T.prim_func(function(A)
    A: T.Tensor({16}, T.float32)
    for bx in T.Kernel(1) do m(A) end
  end)
end))
print(message(load([[
return T.prim_func(function(A)
  A: T.Tensor({16}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, tile_sise) end
end)]], "=chunk", "t", setmetatable({tile_size = 1}, {__index = _G}))))

-- the user's own metatable stays, and its __index decides
local mine = {__newindex = rawset}
setmetatable(_G, mine)
print(message(function() bad(a) end))
print(getmetatable(_G) == mine)
setmetatable(_G, {__index = function(_, k) return k == "bxx" and 5 or nil end})
bad(a)
print(a[0], bxx)
setmetatable(_G, nil)

-- a method of a name that is not there
print(message(function()
  T.prim_func(function(A)
    A: T.Tensor({16}, T.float32)
    for bx in T.Kernel(1) do
      helpers:fill(A)
    end
  end)
end))
