-- corpus.lua: the kernels of tests/emit, and ones of its own, as thread programs of another
-- machine.  What the machine lacks is refused, and said.
--
--     dofile "lib/corpus.lua" ("hip -arch=gfx942", function(name, text, why) .. end)
local ir = require "moontile.ir"

local files = {"atomics", "flow", "integers", "memory", "output", "streams", "threads", "vectors"}

-- Functions of one thread, in float and double.
local function math_text()
  local list = {}
  for _, f in ipairs {"acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh",
    "erf", "exp", "exp2", "exp10", "floor", "log", "log10", "log1p", "log2", "nearbyint", "round",
    "round_away", "rsqrt", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh", "trunc", "abs", "__exp",
    "__exp2", "__exp10", "__log", "__log2", "__log10", "__sin", "__cos", "__tan", "fast_rcp",
    "ieee_frsqrt"} do
    list[#list + 1] = ("x[0] = x[0] + %s(x[0])"):format(f)
    list[#list + 1] = ("y[0] = y[0] + %s(y[0])"):format(f)
    if not f:find "^__" then
      list[#list + 1] = ("h[0] = h[0] + %s(h[0])"):format(f)
    end
  end
  for _, f in ipairs {"atan2", "copysign", "fmod", "hypot", "ldexp", "nextafter", "pow"} do
    list[#list + 1] = ("x[0] = %s(x[0], x[1])"):format(f)
    list[#list + 1] = ("y[0] = %s(y[0], y[1])"):format(f)
  end
  for _, f in ipairs {"isnan", "isinf", "isfinite"} do
    list[#list + 1] = ("x[0] = x[0] + select(%s(x[0]), 1.0, 2.0)"):format(f)
    list[#list + 1] = ("y[0] = y[0] + select(%s(y[0]), 1.0, 2.0)"):format(f)
  end
  for mode = 0, 3 do
    for f, n in pairs {ieee_add = 2, ieee_sub = 2, ieee_mul = 2, ieee_fdiv = 2, ieee_fmaf = 3,
      ieee_frcp = 1, ieee_fsqrt = 1} do
      for _, v in ipairs {"x", "y"} do
        local args = ("%s[0], "):format(v):rep(n)
        local one = v == "x" and "float32(%d)" or "float64(%d)"
        list[#list + 1] = ("%s[1] = %s[1] + %s(%s" .. one .. ")"):format(v, v, f, args, mode)
      end
    end
  end
  table.sort(list)
  return [[
file 1 "@functions.lua"
kernel functions(X, Y, H) machine sm_80
  buffer X: global float32[64]
  buffer Y: global float64[64]
  buffer H: global float16[64]
  launch bx in 1 threads tid in 64 shared=0 do @1
    alloc x: local float32[2] @2
    alloc y: local float64[2] @2
    alloc h: local float16[1] @2
    x[0] = X[tid] @2
    y[0] = Y[tid] @2
    h[0] = H[tid] @2
    x[1] = x[0] @2
    y[1] = y[0] @2
    ]] .. table.concat(list, " @3\n    ") .. [[ @3
    X[tid] = x[0] + x[1] @4
    Y[tid] = y[0] + y[1] @4
    H[tid] = h[0] @4
  end
end
]]
end

-- Every conversion between two types.
local function cast_text()
  local types = {"bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float32", "tfloat32", "float64"}
  local heads, lines = {}, {}
  for i, a in ipairs(types) do
    heads[i] = ("  buffer B%d: global %s[64]"):format(i, a)
    for k in ipairs(types) do
      lines[#lines + 1] = ("    B%d[tid] = %s(B%d[tid]) @%d"):format(k, types[k], i, i + 1)
    end
  end
  local names = {}
  for i in ipairs(types) do
    names[i] = "B" .. i
  end
  return ([[
file 1 "@casts.lua"
kernel casts(%s) machine sm_80
%s
  launch bx in 1 threads tid in 64 shared=0 do @1
%s
  end
end
]]):format(table.concat(names, ", "), table.concat(heads, "\n"), table.concat(lines, "\n"))
end

-- A kernel with one line on a buffer A of a type.
local function one_line(t, line)
  return ([[
file 1 "@kinds.lua"
kernel kinds(A) machine sm_80
  buffer A: global %s[64]
  launch bx in 1 threads tid in 64 shared=0 do @1
    %s @2
  end
end
]]):format(t, line)
end

-- Every kind of atomic on every type that has it.
local function atomic_texts(emit)
  for _, t in ipairs {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "bfloat16", "float32", "float64"} do
    for _, kind in ipairs {"sum", "max", "min", "bitand", "bitor", "bitxor", "store"} do
      local text = one_line(t, ("atomic %s A[0], %s(tid)"):format(kind, t))
      if pcall(tl.from_ir, text, {target = "sim -arch=sm_80"}) then
        emit(("atomic_%s_%s"):format(kind, t), text)
      end
    end
    emit("atomic_load_" .. t, one_line(t, "let was = atomic load A[1] @1\n    A[2] = was"))
  end
end

-- Reductions of a warp on every type, shuffles of 4 and 8 bytes, votes in part of a warp.
local function lane_text()
  local heads, names, lines = {}, {}, {}
  for i, t in ipairs {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float32", "float64"} do
    names[i] = "L" .. i
    heads[i] = ("  buffer L%d: global %s[64]"):format(i, t)
    for _, f in ipairs {"sum", "max", "min", "bitand", "bitor", "bitxor"} do
      if not (t:find "float" and f:find "bit") then
        lines[#lines + 1] = ("    L%d[tid] = warp_reduce_%s(L%d[tid]) @%d"):format(i, f, i, i)
      end
    end
    for _, f in ipairs {"shfl_sync", "shfl_xor", "shfl_up", "shfl_down"} do
      local text = "    L%d[tid] = %s(L%d[tid], 3, 16, uint32(4294967295)) @%d"
      lines[#lines + 1] = text:format(i, f, i, i)
    end
    lines[#lines + 1] = ("    L5[tid] = int32(match_any_sync(L%d[tid], uint32(1))) @%d"):format(i, i)
    lines[#lines + 1] = ("    L5[tid] = int32(match_all_sync(L%d[tid], uint32(1))) @%d"):format(i, i)
  end
  return ([[
file 1 "@lanes.lua"
kernel lanes(%s) machine sm_80
%s
  launch bx in 1 threads tid in 64 shared=0 do @1
%s
    if tid < 7 then @20
      L5[tid] = any_sync(L5[tid] > 0, uint32(1)) + all_sync(L5[tid] > 0, uint32(1)) @21
    end
    L5[tid] = syncthreads_and(L5[tid] > 2) + syncthreads_or(L5[tid] > 2) @22
    call sync_warp(uint32(4294967295)) @23
  end
end
]]):format(table.concat(names, ", "), table.concat(heads, "\n"), table.concat(lines, "\n"))
end

-- Names that the text has of its own.
local function names_text()
  local lets, sum = {}, {}
  for i, name in ipairs {"here", "ballot", "shuffle", "shfl_xor", "lesser", "greater", "bits_of",
    "float_of", "words1", "halfs4", "floats4", "sync_threads", "block_count", "lane_group", "grid_x",
    "mfma_x", "mxc_x", "atomic_add", "trunc_i32_f32", "async_copy_16", "lead_zeros", "f16_rn",
    "__shfl_xor_sync", "threadIdx"} do
    lets[i] = ("    let '%s' = I[tid + %d] @%d"):format(name, i, i)
    sum[i] = ("'%s'"):format(name)
  end
  return ([[
file 1 "@names.lua"
kernel shuffle(I, F) machine sm_80
  buffer I: global int32[128]
  buffer F: global float32[64]
  launch bx in 2 threads tid in 64 shared=0 do @1
%s
    I[tid] = %s @30
    I[tid] = shfl_xor(I[tid], 1, 32, uint32(4294967295)) + int32(ballot_sync(tid > 3, uint32(1))) @31
    I[tid] = min(int32(F[tid]), 3) + clz(I[tid]) + int32(reinterpret(uint32, F[tid])) @32
    I[tid] = syncthreads_count(tid > 5) @33
    call sync_threads(-1, -1) @34
    atomic sum I[0], 1 @35
  end
end
]]):format(table.concat(lets, "\n"), table.concat(sum, " + "))
end

-- Every matrix instruction of the machine, by name: types and a lane's elements of A and C.
local types = {
  f16 = "float16", bf16 = "bfloat16", f32 = "float32", tf32 = "tfloat32", f64 = "float64", s8 = "int8",
  u8 = "uint8", s32 = "int32", e4m3 = "float8_e4m3fn", e5m2 = "float8_e5m2",
}

local function product_text(name, lanes)
  local m, n, k, c, a, b = name:match "^%w+%.(%d+)x(%d+)x(%d+)%.(%w+)%.(%w+)%.?(%w*)$"
  local copies = name:find "^wmma" and 2 or 1
  local each = m * k // lanes * copies
  local t = types[b ~= "" and b or a]
  return ([[
file 1 "@product.lua"
kernel product(A, B, C) machine sm_80
  buffer A: global %s[64, %d]
  buffer B: global %s[64, %d]
  buffer C: global %s[64, %d]
  launch bx in 1 threads tid in 64 shared=0 do @1
    alloc a: local %s[%d] @2
    alloc b: local %s[%d] @2
    alloc c: local %s[%d] @2
    for i in unroll(%d) do @3
      a[i] = A[tid, i] @3
      b[i] = B[tid, i] @3
    end
    for i in unroll(%d) do @4
      c[i] = C[tid, i] @4
    end
    mma a[0:+%d], b[0:+%d] -> c[0:+%d] "%s" @5
    for i in unroll(%d) do @6
      C[tid, i] = c[i] @6
    end
  end
end
]]):format(types[a], each, t, each, types[c], m * n // lanes, types[a], each, t, each, types[c],
    m * n // lanes, each, m * n // lanes, each, each, m * n // lanes, name, m * n // lanes)
end

local function products(emit, machine)
  local family = machine:find "^gfx1" and "wmma" or machine:find "^gfx" and "mfma" or "mxc"
  local seen = {}
  for _, name in ipairs(require "moontile.layout".instructions()) do
    if name:find("^" .. family) and not seen[name] then
      seen[name] = true
      emit("product_" .. name:gsub("%.", "_"), product_text(name, family == "wmma" and 32 or 64))
    end
  end
end

local function refused(err)
  return (tostring(err):gsub("\n.*", ""))
end

-- Calls found(name, text) for what was printed, found(name, nil, why) for what was refused.
return function(target, found)
  local machine = ir.machine(target)
  local function emit(name, text)
    text = text:gsub("machine sm_%w+", "machine " .. machine):gsub("[^\n]*bar_sync[^\n]*\n", "")
    if machine ~= "gfx1100" then -- a fragment over 64 lanes
      text = text:gsub("1/2:4%*1%) warp%(1/32:2%*1%)", "1/2:4*1 1/32:2*32)")
    end
    local ok, k = pcall(tl.from_ir, text, {target = target, name = "@kernel.lua"})
    if ok then
      ok, k = pcall(k.get_kernel_source, k)
    end
    found(name, ok and k or nil, not ok and refused(k) or nil)
  end
  for _, file in ipairs(files) do
    local n = 0
    local env = setmetatable({
      dofile = function()
        return function(t)
          n = n + 1
          emit(n > 1 and file .. "_" .. n or file, t[2])
        end
      end,
    }, {__index = _G})
    assert(loadfile("../emit/" .. file .. ".lua", "t", env))()
  end
  emit("functions", math_text())
  emit("casts", cast_text())
  atomic_texts(emit)
  emit("lanes", lane_text())
  emit("names", names_text())
  products(emit, machine)
end
