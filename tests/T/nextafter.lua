-- T.nextafter of the types below float32, for every value: towards zeros of both signs, infinities,
-- the least numbers, the greatest, NaN and one number between.
local Block = 1024
local function next_of(d)
  return tl.jit(function(X, Y)
    local N = T.const "N"
    X: T.Tensor({N}, "uint16")
    Y: T.Tensor({N}, "uint16")
    local C = T.empty({N}, "uint16")
    for b in T.Kernel(T.ceildiv(N, Block), {threads = 128}) do
      for i in T.Parallel(Block) do
        local x, y = T.reinterpret(X[b * Block + i], d), T.reinterpret(Y[b * Block + i], d)
        C[b * Block + i] = T.reinterpret(T.nextafter(x, y), "uint16")
      end
    end
    return C
  end)
end

-- the number of a value among those of its type, from the least on; NaN: nil
local function key(b, inf)
  local n = b & 0x7fff
  return n <= inf and (b & 0x8000 ~= 0 and -n or n) or nil
end

local function expected(a, b, inf)
  local x, y = key(a, inf), key(b, inf)
  if not x or not y then
    return nil
  elseif x == y then
    return b
  end
  local to = x + (y > x and 1 or -1)
  return to == 0 and a & 0x8000 or to < 0 and 0x8000 - to or to
end

local all = tl.arange(65536, "int32"):astype "uint16"
for _, target in ipairs {"cpu", "sim"} do
  tl.set_target(target)
  for d, inf in pairs {float16 = 0x7c00, bfloat16 = 0x7f80} do
    local wrong = 0
    for _, y in ipairs {0, 0x8000, inf, inf | 0x8000, 1, 0x8001, inf + 1, 0x3c00, inf - 1} do
      local got = next_of(d)(all, tl.full({65536}, y, "int32"):astype "uint16"):totable()
      for a = 0, 65535 do
        local want = expected(a, y, inf)
        local is = got[a + 1]
        if want ~= is and (want or key(is, inf)) then
          wrong = wrong + 1
        end
      end
    end
    assert(wrong == 0, ("%s, %s: %d wrong"):format(target, d, wrong))
  end
  print(target, "all right")
end
