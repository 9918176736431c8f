-- Bytes that pipelines move: every tile once, whatever the number of turns; none
-- in front of the beginning, none ahead of the end, at an edge only what is there.
local wrong = 0
local function case(what, n, stages, m, rows, width, body)
  local size = {16 * n + rows, width}
  local f = tl.jit(function(A)
    A: T.Tensor(size, T.float16)
    local B = T.empty({16, 64}, T.float16)
    for bx in T.Kernel(1, {threads = 128}) do
      local s = T.alloc_shared({16, 64}, T.float16)
      local x = T.alloc_fragment({16, 64}, T.float32)
      T.clear(x)
      body(A, s, x, n, stages)
      T.copy(x, B)
    end
    return B
  end, {target = "sim -arch=" .. m})
  local got = f:compile():analyze().total_bytes
  local want = (size[1] * size[2] + 16 * 64) * 2
  if got ~= want then
    print(what, n, stages, m, got, "not", want)
    wrong = wrong + 1
  end
end

local add = T.macro(function(s, x)
  for i, j in T.Parallel(16, 64) do x[i, j] += s[i, j] end
end)
local plain = T.macro(function(A, s, x, n, stages)
  for k in T.Pipelined(n, {num_stages = stages}) do
    T.copy(A[k * 16, 0], s)
    add(s, x)
  end
end)
local twice = T.macro(function(A, s, x, n, stages)
  for half in T.Serial(2) do
    for k in T.Pipelined(n // 2, {num_stages = stages}) do
      T.copy(A[(half * (n // 2) + k) * 16, 0], s)
      add(s, x)
    end
  end
end)
-- Two conditions on one loop: an eighth of the turns, not a quarter of a half.
local nested = T.macro(function(A, s, x, n, stages)
  for k in T.Serial(n * 8) do
    if k < n * 4 then
      T.clear(s)
      if k < n then
        T.copy(A[k * 16, 0], s)
        add(s, x)
      end
    end
  end
end)

for _, m in ipairs {"sm_80", "sm_90a", "c500", "gfx942"} do
  for _, n in ipairs {2, 70, 3000} do
    for _, stages in ipairs {1, 3} do
      case("plain", n, stages, m, 0, 64, plain)
      case("ragged", n, stages, m, -4, 48, plain)
      case("twice", n, stages, m, 0, 64, twice)
    end
    case("nested", n, 0, m, 0, 64, nested)
  end
end
print(wrong == 0 and "all right" or wrong .. " wrong")
