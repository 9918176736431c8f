-- A float beyond an integer type, in a kernel: int32 and wider end at their limits, narrower types are the last bits
-- of an int32 or uint32, NaN is 0.  Constants and values that are loaded, single ones and vectors.
local from = {"float32", "float16", "bfloat16", "float64"}
local to = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "int4", "uint4"}
local values = {300.7, -5.5, -129, 127.9, 255.5, 256, 40000, -40000, 65504, 2^31, -2^31 - 600, 2^32 + 1024, -2^40, 1e30, -1e30,
  1 / 0, -1 / 0, 0 / 0}

local function expected(v, d)
  local bits, signed = tonumber(d:match "%d+"), d:sub(1, 1) == "i"
  local wide = bits < 32 and 32 or bits
  local lo, hi = signed and -2.0 ^ (wide - 1) or 0, signed and 2.0 ^ (wide - 1) - 1 or 2.0 ^ wide - 1
  if v ~= v then return 0 end
  local whole = v < 0 and math.ceil(v) or math.floor(v)
  whole = whole <= lo and math.tointeger(lo) or whole >= hi and (wide == 64 and math.maxinteger or math.tointeger(hi)) or math.tointeger(whole)
  if bits < 32 then
    whole = whole & (1 << bits) - 1
    whole = signed and whole >> (bits - 1) == 1 and whole - (1 << bits) or whole
  end
  return whole
end

local targets = {"cpu", "sim -arch=sm_75", "sim -arch=sm_90a", "sim -arch=c500", "sim -arch=gfx942"}
local wrong = 0
for _, f in ipairs(from) do
  local x = tl.zeros({#values}, f)
  for i, v in ipairs(values) do x[i - 1] = v end
  for _, d in ipairs(to) do
    for _, target in ipairs(targets) do
      local packed = d:match "int4$"
      local k = tl.compile(T.prim_func(function(A, B, C, D)
        A: T.Tensor({#values}, f)
        B: T.Tensor({#values}, packed and "int32" or d)
        C: T.Tensor({#values}, packed and "int32" or d)
        D: T.Tensor({#values}, "int32")
        for _ in T.Kernel(1, {threads = 32}) do
          local g = T.alloc_fragment({#values}, f)
          local h = T.alloc_fragment({#values}, packed and "int32" or d)
          T.copy(A, g)
          for i in T.Parallel(#values) do
            h[i] = T.cast(T.cast(g[i], d), packed and "int32" or d)
          end
          T.copy(h, B)
          for i in T.serial(#values) do
            C[i] = T.cast(T.cast(A[i], d), packed and "int32" or d)
          end
          for n, v in ipairs(values) do
            D[n - 1] = T.cast(T.cast(T.cast(v, f), d), "int32")
          end
        end
      end), {target = target})
      local b, c, e = tl.zeros({#values}, packed and "int32" or d), tl.zeros({#values}, packed and "int32" or d), tl.zeros({#values}, "int32")
      k(x, b, c, e)
      for i = 0, #values - 1 do
        local want = expected(x[i], d)
        if b[i] ~= want or c[i] ~= want or e[i] ~= (want + (1 << 31) & 0xffffffff) - (1 << 31) then
          wrong = wrong + 1
          print(target, f, d, values[i + 1], want, b[i], c[i], e[i])
        end
      end
    end
  end
end
print(wrong .. " wrong")
