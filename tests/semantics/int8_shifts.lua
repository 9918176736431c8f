-- Shifts and divisions of bytes with signs that are loaded, computed and stored side by side, as compilers do it
-- in registers of four: `-t cuda` on a card (CUDA 13.0 loses signs there), the simulator and the cpu.
local targets = arg[1] and {arg[1]} or {"cpu", "sim -arch=sm_80", "sim -arch=sm_90a", "sim -arch=gfx942"}
local N = 2048

local function wrap(v) return ((v + 128) & 255) - 128 end
local function fdiv(a, b) return a // b end
local function tdiv(a, b) local q = math.abs(a) // math.abs(b) return (a < 0) ~= (b < 0) and -q or q end
local function sar(a, n) return a // (1 << n) end

-- name, in the kernel, in Lua; x and y are bytes
local ops = {
  {"x // 16", T.macro(function(x, y) return x // 16 end), function(x) return fdiv(x, 16) end},
  {"truncdiv 16", T.macro(function(x, y) return T.truncdiv(x, 16) end), function(x) return tdiv(x, 16) end},
  {"x >> 3", T.macro(function(x, y) return x >> 3 end), function(x) return sar(x, 3) end},
  {"-x // 2", T.macro(function(x, y) return (0 - x) // 2 end), function(x) return fdiv(-x, 2) end},
  {"x + 1 >> 1", T.macro(function(x, y) return (x + 1) >> 1 end), function(x) return sar(x + 1, 1) end},
  {"x + x // 2 // 2", T.macro(function(x, y) return (x + x // 2) // 2 end), function(x) return fdiv(x + fdiv(x, 2), 2) end},
  {"x // 16 * 3", T.macro(function(x, y) return x // 16 * 3 end), function(x) return wrap(fdiv(x, 16) * 3) end},
  {"x - y >> 2", T.macro(function(x, y) return (x - y) >> 2 end), function(x, y) return sar(wrap(x - y), 2) end},
  {"x % 8 >> 1", T.macro(function(x, y) return x % 8 >> 1 end), function(x) return (x % 8) >> 1 end},
  {"int32", T.macro(function(x, y) return T.cast((0 - T.cast(x, "int32")) // 4, "int8") end), function(x) return wrap(fdiv(-x, 4)) end},
  {"x >> y", T.macro(function(x, y) return (x + 3) >> (y & 7) end), function(x, y) return wrap(sar(x + 3, y & 7)) end},
}

-- In shared memory in place; from global memory to global memory; in a fragment.
local function kernel(op, way)
  return tl.jit(function(X, Y)
    X: T.Tensor({N}, "int8")
    Y: T.Tensor({N}, "int8")
    local Z = T.empty({N}, "int8")
    for bx in T.Kernel(N // 1024, {threads = 64}) do
      local s, f = T.alloc_shared({1024}, "int8"), T.alloc_fragment({1024}, "int8")
      if way == "shared" then
        T.copy(X[bx * 1024], s)
        for i, j in T.Parallel(64, 16) do
          s[i * 16 + j] = op(s[i * 16 + j], Y[bx * 1024 + i * 16 + j])
        end
        T.copy(s, Z[bx * 1024])
      elseif way == "global" then
        for i in T.Parallel(1024) do
          Z[bx * 1024 + i] = op(X[bx * 1024 + i], Y[bx * 1024 + i])
        end
      else
        T.copy(X[bx * 1024], f)
        for i in T.Parallel(1024) do
          local e = T.alloc_var("int32", op(f[i], Y[bx * 1024 + i]))
          f[i] = T.cast(e, "int8")
        end
        T.copy(f, Z[bx * 1024])
      end
    end
    return Z
  end)
end

local x, y = {}, {}
for i = 1, N do x[i], y[i] = wrap(i * 7), wrap(i * 29 + i // 256) end
local X, Y = tl.from_table(x, "int8"), tl.from_table(y, "int8")
for _, target in ipairs(targets) do
  tl.set_target(target)
  local wrong = 0
  for _, op in ipairs(ops) do
    for _, way in ipairs {"shared", "global", "fragment"} do
      local Z, bad, first = kernel(op[2], way)(X, Y), 0, nil
      for i = 1, N do
        if Z[i - 1] ~= op[3](x[i], y[i]) then
          bad, first = bad + 1, first or i
        end
      end
      if bad > 0 then
        wrong = wrong + 1
        print(target, op[1], way, bad .. " wrong", x[first], y[first], Z[first - 1], op[3](x[first], y[first]))
      end
    end
  end
  print(target, wrong .. " of " .. #ops * 3 .. " wrong")
end
