-- T.ieee_* with a mode, where results and what they lack underflow or overflow: the cpu computes what is
-- lacking, the simulator sets the processor's mode.  float64 and float32, bit by bit.
local N = 6000
local calls = {
  {"add", "T.ieee_add(A[i], B[i], %q)"}, {"sub", "T.ieee_sub(A[i], B[i], %q)"},
  {"mul", "T.ieee_mul(A[i], B[i], %q)"}, {"fma", "T.ieee_fmaf(A[i], B[i], C[i], %q)"},
  {"rcp", "T.ieee_frcp(A[i], %q)"}, {"div", "T.ieee_fdiv(A[i], B[i], %q)"},
  {"sqrt", "T.ieee_fsqrt(T.abs(A[i]), %q)"},
}

local function kernel(call, dtype, target)
  return tl.jit(assert(load(([[return function(A, B, C)
    A: T.Tensor({%d}, %q)
    B: T.Tensor({%d}, %q)
    C: T.Tensor({%d}, %q)
    local O = T.empty({%d}, %q)
    for bx in T.Kernel(1, {threads = 64}) do
      for i in T.Parallel(%d) do O[i] = %s end
    end
    return O
  end]]):format(N, dtype, N, dtype, N, dtype, N, dtype, N, call), "=kernel"))(), {target = target})
end

local state = 1
local function random(n)
  state = (state * 6364136223846793005 + 1442695040888963407) & math.maxinteger
  return (state >> 20) % n
end

-- Numbers of all exponents, many at both ends, with few or many bits, and sums that cancel.
local function numbers(least, most, bits)
  local t = {}
  for i = 1, N do
    local where, e = random(4), nil
    if where == 0 then
      e = least + random(80)
    elseif where == 1 then
      e = most - random(80)
    else
      e = least + random(most - least)
    end
    local m = 1 + (random(3) == 0 and random(8) / 8 or random(1 << bits) / (1 << bits))
    t[i] = (random(2) == 0 and -1 or 1) * m * 2.0 ^ (e // 2) * 2.0 ^ (e - e // 2)
    if random(60) == 0 then t[i] = random(2) == 0 and 0.0 or -0.0 end
  end
  return t
end

for _, d in ipairs {{"float64", -1074, 1023, 52}, {"float32", -149, 127, 23}} do
  local dtype, least, most, bits = table.unpack(d)
  local a, b, c = numbers(least, most, bits), numbers(least, most, bits), numbers(least, most, bits)
  for i = 1, N, 3 do -- b brings a * b near the least numbers, c near -a * b
    local p = 2.0 ^ ((least + random(140)) // 2)
    a[i], b[i] = a[i] ~= 0 and p * (1 + random(1 << bits) / (1 << bits)) or 0.0, p * (1 + random(64) / 64)
    if random(2) == 0 then c[i] = -(a[i] * b[i]) end
  end
  local A, B, C = tl.from_table(a, dtype), tl.from_table(b, dtype), tl.from_table(c, dtype)
  for _, call in ipairs(calls) do
    for _, mode in ipairs {"rn", "rz", "ru", "rd"} do
      local text = call[2]:format(mode)
      local x, y = kernel(text, dtype, "cpu")(A, B, C), kernel(text, dtype, "sim -arch=sm_80")(A, B, C)
      local differ, first = 0, nil
      for i = 0, N - 1 do
        local p, q = x[i], y[i]
        if not (p == q and 1 / p == 1 / q) and not (p ~= p and q ~= q) then
          differ, first = differ + 1, first or i
        end
      end
      if first then
        print(("%s %s %s: %d differ; (%a, %a, %a): cpu %a, sim %a"):format(dtype, call[1], mode, differ,
          A[first], B[first], C[first], x[first], y[first]))
      end
    end
  end
  print(dtype .. ": compared")
end
