-- Scalars of a launch: rounded to their types alike everywhere, refused where these cannot hold them.
local function tile(d)
  return function(C, s)
    C: T.Tensor({2}, "float32")
    s: T[d]
    for _ in T.Kernel(1) do
      C[0] = T.cast(s, "float32")
      C[1] = T.cast(s, "float32") * 3
    end
  end
end

local function threads(d)
  return function(C, s)
    C: T.Tensor({2}, "float32")
    s: T[d]
    for _ in T.Kernel(1, {threads = 32}) do
      local tx = T.get_thread_binding()
      if tx < 2 then
        C[tx] = T.cast(s, "float32") * (1 + tx * 2)
      end
    end
  end
end

for _, d in ipairs {"float16", "bfloat16", "float8_e4m3fn", "float32"} do
  for _, target in ipairs {"cpu", "sim -arch=sm_90a"} do
    for _, f in ipairs {tile, threads} do
      local C = tl.zeros({2}, "float32")
      tl.jit(f(d), {target = target})(C, 0.1)
      assert(C:item(0) == tl.full({1}, 0.1, d):item(0) and C:item(1) == tl.from_table({C:item(0) * 3}, "float32"):item(0), d)
    end
  end
end

for _, c in ipairs {{"uint8", -1}, {"uint8", 255}, {"int8", 128}, {"int8", -128}, {"int16", 70000},
  {"int32", 1 << 40}, {"int32", 1e10}, {"int32", 2.0}, {"uint32", 4294967295}, {"uint32", 4294967296}, {"int64", 2.0 ^ 63},
  {"int64", -2.0 ^ 63}, {"uint64", 2.0 ^ 63}, {"uint64", -1}, {"uint64", -1.0}, {"uint64", 2.0 ^ 64}, {"int32", math.huge}} do
  local A = tl.zeros({1}, "int64")
  local ok, err = pcall(tl.jit(function(A, s)
    A: T.Tensor({1}, "int64")
    s: T[c[1]]
    for _ in T.Kernel(1) do
      A[0] = s
    end
  end), A, c[2])
  print(c[1], c[2], ok and A:item(0) or tostring(err):match "%^+ ([^\n]*)" or err)
end

-- Integers become floats in one step: 2^53 + 2^29 + 1 is above the middle of two float32.
for _, d in ipairs {"float16", "bfloat16", "float32", "float64"} do
  local v = d == "float16" and 2049 * 8 + 1 or (1 << 53) + (d == "bfloat16" and (1 << 45) + 1 or (1 << 29) + 1)
  local O = tl.zeros({2}, "float64")
  tl.jit(function(O, s, n)
    O: T.Tensor({2}, "float64")
    s: T[d]
    n: T.int64
    for _ in T.Kernel(1) do
      O[0] = T.cast(s, "float64")
      O[1] = T.cast(T.cast(n, d), "float64")
    end
  end)(O, v, v)
  print(d, ("%a %a %a"):format(O[0], O[1], tl.full({1}, v, d)[0]))
end
